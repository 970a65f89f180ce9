# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models whose operators need a size that only a declared result, or a later operator, states."""

import os
import sys

import onnx
from onnx import parser

CONSTANTS = "<int64[2] s = {3, 6}, int64[1] one = {1}, int64[1] two = {2}, int64[1] five = {5}, int64[1] all = {-1}>"
RESIZE = 'Resize <coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (x, "", "", s)'
THEN = "a () => (float[?] t) { t = Reshape(x, five) }"
ELSE = "b () => (float[?] e) { e = Reshape(x, all) }"
MODELS = {
    "result": f"(float[1, N] x) => (float[1, 5] y, float[3, 6] z) {{ y = Neg(x) z = {RESIZE} }}",
    "reshape": f"(float[1, N] x) => (float[5] y, float[3, 6] z) {{ z = {RESIZE} y = Reshape(x, five) }}",
    "concat": "(float[1, N] x, float[M, 2] q) => (float[1, 5] y, float[3, 8] z)"
    f"{{ y = Neg(x) r = {RESIZE} z = Concat <axis = 1> (r, q) }}",
    "branch": "(float[1, N] x) => (float[1, 5] y, float[5] z)"
    f"{{ y = Neg(x) n = Shape <start = 1> (x) c = Greater(n, two)"
    f" z = If (c) <then_branch = {THEN}, else_branch = {ELSE}> }}",
}

for name, text in MODELS.items():
    graph = text.replace("{", CONSTANTS + " {", 1)
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 18]> {name} {graph}')
    onnx.save(model, os.path.join(sys.argv[1], name + ".onnx"))
