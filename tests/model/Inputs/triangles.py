# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs triangles of matrices whose sizes only the call knows: triangles.py RESHAPEC FOLDER."""

import itertools
import os
import subprocess
import sys

import numpy as np
from onnx import parser, save

TEXT = """<ir_version: 8, opset_import: ["" : 17]>
g (float[%s] x) => (float[%s] y) <int64 k = {%d}> { y = Trilu <upper = %d> (x, k) }"""
KS = (-(2**62), -2, 0, 1, 3, 2**62)

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for upper, k in itertools.product((0, 1), KS):
    shape = "2, R, C" if k else "R, C"
    save(parser.parse_model(TEXT % (shape, shape, k, upper)), "triangle.onnx")
    triangle = np.triu if upper else np.tril
    for rows, columns in ((0, 0), (0, 3), (3, 0), (1, 1), (2, 5), (5, 2), (4, 4)):
        sizes = (2, rows, columns) if k else (rows, columns)
        x = np.arange(1, 1 + np.prod(sizes), dtype=np.float32).reshape(sizes)
        np.save("x.npy", x)
        subprocess.run([tool, "run", "triangle.onnx", "x=x.npy", "y=y.npy"], check=True)
        wanted = triangle(x, max(-100, min(k, 100)))
        assert np.array_equal(np.load("y.npy"), wanted), (upper, k, rows, columns, np.load("y.npy"))

for name, shape, k, upper in (("lower", "S, S", 0, 0), ("upper", "B, R, C", 1, 1)):
    save(parser.parse_model(TEXT % (shape, shape, k, upper)), f"{name}.onnx")
