// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The playground's compiler against that of the command line, to the byte.
//   node playground.js BUILD WORK STEP COOKBOOK FILE.rsh...
// Recipes are compiled for x86-64 and, with -Os, for another target in turn, files for all targets.
// Texts are the recipes of the cookbook and the files, whole and, of recipes, cut short after every STEP characters, as
// if someone types them.
"use strict";
const {spawnSync} = require("child_process");
const fs = require("fs");
const path = require("path");

const [build, work, step, cookbook, ...files] = process.argv.slice(2);
const {Compiler} = require(path.join(build, "playground", "playground.js"));
const compiler = new Compiler(new WebAssembly.Module(fs.readFileSync(path.join(build, "playground", "reshapec.wasm"))));
const native = path.join(build, "no-llvm", "reshapec");  // of the same output, and started sooner
fs.rmSync(work, {recursive: true, force: true});
fs.mkdirSync(work, {recursive: true});

const read = (name) => { try { return fs.readFileSync(path.join(work, name), "utf8"); } catch { return ""; } };

function command(...words) {
  const {stdout, stderr, status} = spawnSync(native, words, {cwd: work, encoding: "utf8", maxBuffer: 1 << 28});
  return {stdout, stderr, status};
}

// In the order of the page: ["--target=thumbv7em-none-eabi", "-mcpu=cortex-m4"].
const targets = [...fs.readFileSync(path.join(build, "playground", "index.html"), "utf8").matchAll(/<option value="(\S+-\S+-\S+)( -m\S+)?" title/g)]
  .map(([, triple, option]) => [`--target=${triple}`, ...(option ? [option.trim()] : [])]);

// What the command line says of a text, in the words of Compiler.compile.
function expected(text, target, small, whole) {
  for (const name of ["chain.c", "chain.h"])
    fs.rmSync(path.join(work, name), {force: true});
  fs.writeFileSync(path.join(work, "chain.rsh"), text);
  const words = [...targets[target], small ? "-Os" : "-O2"];
  const made = command("chain.rsh", ...words, "--emit=c", "-fno-verify", "-o", "chain.c", "--header", "chain.h");
  const all = {status: made.status, messages: made.stderr, code: read("chain.c"), header: read("chain.h")};
  if (whole && made.status === 0) {
    all.explain = command("explain", "chain.rsh", ...words).stdout;
    all.picture = command("explain", "--svg", "chain.rsh", ...words).stdout;
  }
  if (whole) {
    fs.writeFileSync(path.join(work, "chain.rsh"), text);
    command("fmt", "chain.rsh");
    all.formatted = read("chain.rsh");
  }
  return all;
}

// Room of dynamic graphs, which the compiler of 32 bits rounds up: at most twice as much. The same text, if it is that.
function sameRoom(wanted, got) {
  const room = /(int64_t memory\[|_PLAN_BYTES )(\d+)/g;
  const rooms = [...got.matchAll(room)].map((found) => +found[2]);
  return wanted.replace(room, (all, name, number) => {
    const here = rooms.shift();
    return here >= +number && here <= 2 * +number ? `${name}${here}` : all;
  });
}

let compared = 0, failed = 0, good = 0;
function compare(what, text, target, small, whole) {
  const wanted = expected(text, target, small, whole), got = compiler.compile(text, target, small);
  compared++;
  good += got.status === 0;
  for (const name of ["code", "header"])
    wanted[name] = sameRoom(wanted[name], got[name]);
  for (const name of Object.keys(wanted))
    if (wanted[name] !== got[name]) {
      failed++;
      const lines = String(wanted[name]).split("\n"), others = String(got[name]).split("\n");
      const at = lines.findIndex((line, i) => line !== others[i]);
      console.log(`${what} for ${targets[target].join(" ")}${small ? " -Os" : ""}: ${name} differs: '${lines[at]}', here '${others[at]}'`);
      return;
    }
}

const recipes = [...fs.readFileSync(cookbook, "utf8").matchAll(/^```rsh (\S+)\n([^]*?)^```$/gm)];
for (const [, name, text] of recipes) {
  compare(name, text, 0, false, true);
  compare(name, text, 1 + compared % (targets.length - 1), true, true);
  for (let length = 0; length < text.length; length += +step)
    compare(`${name} to ${length}`, text.slice(0, length), 0, false, false);
}
for (const file of files)
  for (let target = 0; target < targets.length; target++)
    compare(path.basename(file), fs.readFileSync(file, "utf8"), target, target % 2 > 0, true);
compare("an import", 'import "nothing.rsh"\ngraph g(x: u8[2]) -> y { y = x }\n', 0, false, false);
compare("a table", 'graph g(x: f32[3]) -> y { y = x * load("nothing.npy") }\n', 0, false, false);
compare("characters", 'graph g(x: u8[2]) -> y { y = "größe \u{1F600}" }\n', 0, false, true);

console.log(`${compared} texts, ${good} of them good, ${recipes.length} recipes, ${targets.length} targets, ${failed} differ`);
process.exit(failed > 0 ? 1 : 0);
