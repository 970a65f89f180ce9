# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Upsample of opset 1, which no other evaluator has: upsample.py RESHAPEC FOLDER."""

import os
import subprocess
import sys

import numpy as np
from onnx import parser, save

TEXT = '<ir_version: 3, opset_import: ["" : 1]> g (float[%s] x) => (float y) { y = Upsample <%s, mode = "nearest"> (x) }'

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for name, shape, scales in (
    ("twice", "N, 2, H, W", "height_scale = 2.0, width_scale = 3.0"),
    ("by_parts", "N, 2, 3, 4", "height_scale = 1.5, width_scale = 1.0"),
    ("rank", "N, 2, H", "height_scale = 2.0, width_scale = 3.0"),
    ("width", "N, 2, H, W", "height_scale = 2.0"),
):
    model = parser.parse_model(TEXT % (shape, scales))
    model.graph.output[0].type.tensor_type.ClearField("shape")
    save(model, f"{name}.onnx")

x = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
np.save("x.npy", x)
subprocess.run([tool, "run", "twice.onnx", "x=x.npy", "y=y.npy"], check=True)
assert np.array_equal(np.load("y.npy"), x.repeat(2, 2).repeat(3, 3)), np.load("y.npy")
subprocess.run([tool, "run", "by_parts.onnx", "x=x.npy", "y=y.npy"], check=True)  # floor(3 * 1.5) rows, floor(i / 1.5)
assert np.array_equal(np.load("y.npy"), x[:, :, [0, 0, 1, 2]]), np.load("y.npy")
