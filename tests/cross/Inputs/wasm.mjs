// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// node wasm.mjs PROGRAM: runs a program for the board of wasm.c.
import fs from "node:fs";

let memory;
const board = {
  write: (at, length) => fs.writeSync(1, new Uint8Array(memory.buffer, at, length)),
  leave: (status) => process.exit(status),
};
const { instance } = await WebAssembly.instantiate(fs.readFileSync(process.argv[2]), { board });
memory = instance.exports.memory;
instance.exports._start();
