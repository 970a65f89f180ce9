# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models that compute with float constants, with a result of -0; and the results of ONNX's evaluator."""

import sys

import numpy as np
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator

NODES = {
    "neg": "r = Neg (zeros)",
    "mul": "r = Mul (zeros, signs)",
    "div": "r = Div (zeros, signs)",
    "mod": "r = Mod <fmod = 1> (signs, ones)",
    "prod": "p = Slice (mixed, begin, end) [product] r = ReduceProd <keepdims = 1> (p)",
    "add": "r = Add (signs, other)",
}
TEXT = """<ir_version: 8, opset_import: ["" : 17]>
m (float[2] x) => (float[N] y)
<float[2] zeros = {0, 0}, float[2] signs = {-1, 2}, float[2] other = {1, -2}, float[2] ones = {1, 1},
 float[2] mixed = {0, -3}, int64[1] begin = {0}, int64[1] end = {2}>
{ %s y = Concat <axis = 0> (r, x) }"""

x = np.float32([5, 6])
np.save("x.npy", x)
for name, nodes in NODES.items():
    model = parser.parse_model(TEXT % nodes)
    onnx.save(model, f"{name}.onnx")
    np.save(f"{name}.npy", ReferenceEvaluator(model).run(None, {"x": x})[0])
if sys.argv[1:] == ["print"]:
    print(*(np.load(f"{name}.npy")[0] for name in NODES))
