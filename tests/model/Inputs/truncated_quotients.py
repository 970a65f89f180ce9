# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models with `(H - less) / by` elements for small H: truncated_quotients.py RESHAPEC FOLDER."""

import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[H] x) => (float[Q] y) <int64[1] less = {%d}, int64[1] by = {%d}, int64[1] start = {0}> {
    s = Shape (x)
    d = Sub (s, less)
    q = Div (d, by)
    y = Slice (x, start, q)
}"""

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for less, by in (1, 2), (2, 2), (1, 3), (2, 3), (3, 3), (3, 2):
    model = parser.parse_model(MODEL % (less, by))
    name = f"m{less}{by}.onnx"
    save(model, name)
    if less > by:
        continue
    reference = ReferenceEvaluator(model)
    for size in range(8):
        x = np.arange(size, dtype=np.float32)
        np.save("x.npy", x)
        subprocess.run([tool, "run", name, "x=x.npy", "y=y.npy"], check=True)
        assert np.array_equal(np.load("y.npy"), reference.run(None, {"x": x})[0]), (less, by, size)
