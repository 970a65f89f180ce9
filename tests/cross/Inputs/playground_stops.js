// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ends the playground's compiler ends one text, not the page: playground_stops.js BUILD
"use strict";
const fs = require("fs");
const path = require("path");

const folder = path.join(process.argv[2], "playground");
const {Compiler} = require(path.join(folder, "playground.js"));
const compiler = new Compiler(new WebAssembly.Module(fs.readFileSync(path.join(folder, "reshapec.wasm"))));
const good = "graph g(x: u8[2, 3]) -> y { y = transpose(x) }\n";

function show(what, text) {
  const {status, messages, code, formatted} = compiler.compile(text, 0, false);
  console.log(`${what}: ${status} ${JSON.stringify(messages)} ${code.length > 0} ${formatted.length > 0}`);
}

show("good", good);

// All memory but 4 MB is taken: pages that JavaScript adds are not the compiler's.
compiler.start();
const {memory} = compiler.instance.exports, page = 65536;
memory.grow((1 << 30) / page - memory.buffer.byteLength / page - 64);
show("no memory", `graph g(x: u8[2]) -> y { y = concat(${"x, ".repeat(200000)}x, axis=0) }\n`);
show("after that", good);

// A trap.
compiler.instance = {exports: {...compiler.instance.exports, play_read() { throw new WebAssembly.RuntimeError("unreachable"); }}};
show("a trap", good);
show("after that", good);

// Deep nesting is refused as in the command line, before the stack is used up.
show("deep", `graph g(x: u8[2]) -> y { y = ${"(".repeat(300)}x${")".repeat(300)} }\n`);

// An instance that has become large is not kept.
compiler.instance.exports.memory.grow(5000);
show("large", good);
console.log(`dropped: ${compiler.instance === null}`);
