# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets with squares of sizes: squares.py RESHAPEC FOLDER."""

import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

# The entry T*T is 0 only if T is, and then copies T, which is 0.
SQUARE = """<ir_version: 8, opset_import: ["" : 17]> square (float[B, T, T, H] x) => (float y)
<int64 n0 = {0}, int64 n1 = {1}, int64 n3 = {3}, int64[1] a0 = {0}> {
    shape = Shape (x)
    b = Gather (shape, n0)
    t = Gather (shape, n1)
    h = Gather (shape, n3)
    bs = Unsqueeze (b, a0)
    square = Mul (t, t)
    squares = Unsqueeze (square, a0)
    hs = Unsqueeze (h, a0)
    target = Concat <axis = 0> (bs, squares, hs)
    flat = Reshape (x, target)
    y = Transpose <perm = [0, 2, 1]> (flat)
}"""

# T*H is 0 if H is, and then copies T, which may be another number.
PRODUCT = SQUARE.replace("square (float[B, T, T, H]", "product (float[B, T, H, 3]").replace(
    "n3 = {3}", "n2 = {2}, int64 n3 = {3}"
).replace("square = Mul (t, t)", "w = Gather (shape, n2)\n    square = Mul (t, w)")

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for name, text, sizes in (
    ("square", SQUARE, [(1, 3, 3, 2), (2, 1, 1, 5), (1, 0, 0, 2), (0, 2, 2, 3)]),
    ("product", PRODUCT, [(1, 3, 2, 3), (0, 2, 2, 3), (1, 0, 2, 3)]),
):
    model = parser.parse_model(text)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    save(model, f"{name}.onnx")
    for size in sizes:
        x = np.arange(np.prod(size), dtype="f4").reshape(size)
        np.save("x.npy", x)
        subprocess.run([tool, "run", f"{name}.onnx", "x=x.npy", "y=y.npy"], check=True)
        assert np.array_equal(np.load("y.npy"), ReferenceEvaluator(model).run(None, {"x": x})[0]), (name, size)
