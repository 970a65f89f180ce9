# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""function_results.py FOLDER: models with chains that read results of functions and of a known branch."""

import os
import sys

from onnx import parser, save

MODELS = {
    # Two calls of one function: each result has its own name in the graph.
    "called": """<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
called (float[N, 4] x, bool[4] p, bool[4] q) => (float[4, B, C] y, float[4, B, C] z) {
    one = Constant <value_ints = [1]> ()
    a = own.Some (x, p)
    b = own.Some (x, q)
    s = Unsqueeze (a, one)
    y = Transpose <perm = [2, 0, 1]> (s)
    t = Unsqueeze (b, one)
    z = Transpose <perm = [2, 0, 1]> (t)
}
<domain: "own", opset_import: ["" : 17]>
Some (given, which) => (made) { taken = Compress <axis = 1> (given, which) made = Relu (taken) }""",
    # Two calls of one function, which has names of the graph inside.
    "same_names": """<ir_version: 8, opset_import: ["" : 18, "own" : 1]>
same_names (float[4, 6] x, float[4, 6] w) => (float[6, 1, 4] y, float[6, 1, 4] z, float[4, 6] t) {
    y = own.Two (x)
    z = own.Two (w)
    t = Relu (x)
}
<domain: "own", opset_import: ["" : 18]>
Two (x) => (y) {
    one = Constant <value_ints = [1]> ()
    t = Relu (x)
    u = Transpose (t)
    y = Unsqueeze (u, one)
}""",
    "branch": """<ir_version: 8, opset_import: ["" : 17]>
branch (float[4, 4] x, bool[4] p) => (float[4, B, C] y) {
    one = Constant <value_ints = [1]> ()
    yes = Constant <value = bool {1}> ()
    a = If (yes) <then_branch = then () => (float[4, M] made) { made = Compress <axis = 1> (x, p) },
                  else_branch = other () => (float[4, M] same) { same = Identity (x) }>
    s = Unsqueeze (a, one)
    y = Transpose <perm = [2, 0, 1]> (s)
}""",
    # The function calls an operator of another domain; the model declares the shape of its result.
    "declared": """<ir_version: 8, opset_import: ["" : 17, "own" : 1, "com.example" : 1]>
declared (float[N, 4] x) => (float[4, N, 1] y, float[1, N, 4] z) <float[N, 4] a> {
    zero = Constant <value_ints = [0]> ()
    two = Constant <value_ints = [2]> ()
    a, b = own.Turned (x)
    t = Transpose <perm = [1, 0]> (a)
    y = Unsqueeze (t, two)
    z = Unsqueeze (b, zero)
}
<domain: "own", opset_import: ["" : 17, "com.example" : 1]>
Turned (given) => (made, whole) { turned = com.example.Turn (given) made = Relu (turned) whole = Relu (made) }""",
    # The same, and a transpose in the function, which no declaration reaches; all results are declared.
    "all_declared": """<ir_version: 8, opset_import: ["" : 17, "own" : 1, "com.example" : 1]>
all_declared (float[4, 4] x) => (float[5, 2, 1] y) <float[2, 5] a> {
    two = Constant <value_ints = [2]> ()
    a = own.Turned (x)
    t = Transpose <perm = [1, 0]> (a)
    y = Unsqueeze (t, two)
}
<domain: "own", opset_import: ["" : 17, "com.example" : 1]>
Turned (given) => (made) { turned = com.example.Turn (given) made = Transpose <perm = [1, 0]> (turned) }""",
    # The rank of the result is known, and a size of it is declared.
    "found": """<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
found (float[4, 4] x) => (int64[5, 2, 1] y) <int64[2, 5] a> {
    two = Constant <value_ints = [2]> ()
    a = own.Found (x)
    t = Transpose <perm = [1, 0]> (a)
    y = Unsqueeze (t, two)
}
<domain: "own", opset_import: ["" : 17]>
Found (given) => (made) { found = NonZero (given) made = Neg (found) }""",
    "contradicted": """<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
contradicted (float[4, 5] x) => (float[4, 5, 1] y) <float[4, 5] a> {
    two = Constant <value_ints = [2]> ()
    a = own.Flip (x)
    t = Transpose <perm = [1, 0]> (a)
    y = Unsqueeze (t, two)
}
<domain: "own", opset_import: ["" : 17]>
Flip (given) => (made) { turned = Transpose <perm = [1, 0]> (given) made = Relu (turned) }""",
}

if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, text in MODELS.items():
        save(parser.parse_model(text), os.path.join(sys.argv[1], name + ".onnx"))
