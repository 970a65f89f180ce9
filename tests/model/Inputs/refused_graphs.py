# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in ONNX's own notation, and what `reshapec check` says of each: refused_graphs.py RESHAPEC FOLDER.

A row has the graph, with the functions after it, and a part of the message; "" if the model is good. The file format is
8 and the opset 18, unless a row begins with both.
"""

import os
import subprocess
import sys

from onnx import parser, save

X = "g (float[2] x) =>"
# F never computes its second result.
F = '<opset_import: ["" : 18], domain: "f"> F (a, b) => (c, d) { c = Add(a, b) }'
BRANCHES = "<then_branch = t () => (float[2] a) { a = Identity(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }>"
MANY = ",".join("1" * 17)
ROWS = [
    # Functions and their calls
    (f"{X} (float[2] y) <float w = {{1}}> {{ y = f.F(x, w) }} {F}", ""),
    (f"{X} (float[2] y) <float w = {{1.5}}> {{ y = f.F(x, w) }} {F}", ""),
    (f"{X} (float[2] y) <float w = {{1}}> {{ y = f.F(x, w) }} {F.replace('(a, b) }', '(a, q) }')}", "input 1 'q': no node computes it, and no input or initializer has this name"),
    (f"{X} (float[2] y) {{ y = f.F(x) }} {F}", "'Add' needs 'value'"),
    (f"{X} (float[2] y) <float w = {{1}}> {{ y, z = f.F(x, w) }} {F}", "function 'F' never computes its output 'd'"),
    (f"{X} (float[2] y) <float w = {{1}}> {{ , y = f.F(x, w) }} {F}", "function 'F' never computes its output 'd'"),
    (f"{X} (float[2] y) {{ y = f.F(x, x, x) }} {F}", "function 'F' has 2 inputs and 2 outputs, not 3 and 1"),
    (f"{X} (float[2] y) {{ y, z, w = f.F(x, x) }} {F}", "function 'F' has 2 inputs and 2 outputs, not 2 and 3"),
    (f"{X} (float[2] y) {{ y = f.G(x, x) }} {F}", "operators of domain 'f' are not supported"),
    (f"{X} (float[2] y) {{ y = e.F(x, x) }} {F}", "operators of domain 'e' are not supported"),
    (f"{X} (float[2] y) {{ y = F(x, x) }} {F}", "'F' is not an operator of ONNX"),
    # If: a branch is taken if the condition is known
    (f"{X} (float[2] y) <bool k = {{1}}> {{ y = If(k) {BRANCHES} }}", ""),
    (f"{X} (float[2] y) <bool k = {{1}}> {{ y, z = If(k) {BRANCHES} }}", "the branch has no output 1"),
    (f"{X} (float[2] y) <bool k = {{1}}> {{ y = If(k) {BRANCHES.replace('{ a =', '{ c =')} }}", "the branch never computes its output 'a'"),
    (f"{X} (float[2] y) <bool[2] k = {{1, 0}}> {{ y = If(k) {BRANCHES} }}", "'If' does more than move elements"),
    (f"g (float[2] x, bool k) => (float[2] y) {{ y = If(k) {BRANCHES} }}", "'If' does more than move elements"),
    (f"g (float[2] x, float[N] k) => (float[2] y) {{ s = Size(k) y = If(s) {BRANCHES} }}", "the branch depends on 's', which depends on sizes known only at run time: N; with numbers"),
    # Names
    ("g (float[2] x, float[2] x) => (float[2] y) { y = Identity(x) }", "input 'x': a value 'x' already exists"),
    (f"{X} (float[2] y) <float w = {{1}}, float w = {{2}}> {{ y = Add(x, w) }}", "initializer 1 'w': a value 'w' already exists"),
    (f"{X} (float[2] y) {{ y = Identity(z) }}", "input 0 'z': no node computes it, and no input or initializer has this name"),
    (f"{X} (float[2] z) {{ y = Identity(x) }}", "output 'z': no node computes it"),
    # Inputs and outputs
    (f"g (float[{MANY}] x) => (float y) {{ y = Identity(x) }}", "input 'x': 17 axes; at most 16 are supported"),
    ("g (seq(float[2]) x) => (float[2] y) { y = Identity(x) }", "input 'x': only tensors are supported"),
    (f"{X} (float[2] x) {{ z = Neg(x) }}", ""),
    (f"{X} (seq(float[2]) y) {{ y = Identity(x) }}", "output 'y': the model declares no tensor, but f32[2] is computed"),
    (f"{X} () {{ y = Identity(x) }}", "graph: it has no outputs"),
    (f"{X} (float[2] y, float[2] y) {{ y = Identity(x) }}", "output 'y': two outputs have this name"),
    (f"{X} (float[2] y, float[2] z) {{ y = Identity(x) z = Identity(x) }}", ""),
    (f"{X} (int64[2] y) {{ y = Identity(x) }}", "the model declares i64[2], but f32[2] is computed"),
    ("g (float[N] x) => (float[3] y) { y = Identity(x) }", ""),
    ("g (float[N] x) => (float[3,3] y) { y = Identity(x) }", "the model declares f32[3, 3], but f32[N] is computed"),
    # Versions
    (8, None, f"{X} (float[2] y) {{ y = Identity(x) }}", "the model does not name the opset of 'Identity'"),
    (2, None, f"{X} (float[2] y) {{ y = Identity(x) }}", ""),
    (8, -3, f"{X} (float[2] y) {{ y = Identity(x) }}", "model: opset -3; those from 1 to 28 are supported"),
]  # fmt: skip


def main():
    reshapec, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    rows = [row if len(row) == 4 else (8, 18, *row) for row in ROWS]
    paths = [os.path.join(folder, f"row{n}.onnx") for n in range(len(rows))]
    for path, (version, opset, graph, _) in zip(paths, rows):
        imports = '"f" : 1, "e" : 1' + (f', "" : {opset}' if opset else "")
        save(parser.parse_model(f"<ir_version: {version}, opset_import: [{imports}]> {graph}"), path)
    done = subprocess.run([reshapec, "check", *paths], capture_output=True, text=True, check=False)
    wrong = 0
    for path, (*_, graph, want) in zip(paths, rows):
        got = [line for line in done.stderr.split("\n") if line.startswith(path + ":")]
        if (want not in got[0] if got else want) or (got and not want):
            print(f"{graph}\n  want {want}\n  got  {got[0] if got else ''}")
            wrong += 1
    print(f"{len(rows)} models, {wrong} wrong")
    sys.exit(done.returncode if done.returncode != 1 else wrong > 0)


main()
