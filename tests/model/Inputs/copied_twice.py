# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pixel shuffle of InternVL by 0.5, as torch.onnx exports it: copied_twice.py RESHAPEC FOLDER."""

import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

TEXT = """<ir_version: 8, opset_import: ["" : 17]> shuffle (float[B, W, H, 4] x) => (float y)
<int64 n0 = {0}, int64 n1 = {1}, int64 n2 = {2}, int64[1] a0 = {0}, float half = {0.5}, int64[1] twice = {8}, int64[1] all = {16}> {
    shape = Shape (x)
    b = Gather (shape, n0)
    w = Gather (shape, n1)
    h = Gather (shape, n2)
    bs = Unsqueeze (b, a0)
    ws = Unsqueeze (w, a0)
    hf = Cast <to = 1> (h)
    h_scaled = Mul (hf, half)
    h_half = Cast <to = 7> (h_scaled)
    hs = Unsqueeze (h_half, a0)
    wf = Cast <to = 1> (w)
    w_scaled = Mul (wf, half)
    w_half = Cast <to = 7> (w_scaled)
    w_halves = Unsqueeze (w_half, a0)
    first = Concat <axis = 0> (bs, ws, hs, twice)
    rows = Reshape (x, first)
    turned = Transpose <perm = [0, 2, 1, 3]> (rows)
    second = Concat <axis = 0> (bs, hs, w_halves, all)
    columns = Reshape (turned, second)
    y = Transpose <perm = [0, 2, 1, 3]> (columns)
}"""

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
model = parser.parse_model(TEXT)
model.graph.output[0].type.tensor_type.ClearField("shape")
save(model, "shuffle.onnx")
reference = ReferenceEvaluator(model)
for b, w, h in ((1, 2, 2), (2, 4, 6), (3, 6, 2), (0, 4, 2), (1, 4, 0)):
    x = np.arange(b * w * h * 4, dtype=np.float32).reshape(b, w, h, 4)
    np.save("x.npy", x)
    subprocess.run([tool, "run", "shuffle.onnx", "x=x.npy", "y=y.npy"], check=True)
    wanted, made = reference.run(None, {"x": x})[0], np.load("y.npy")
    assert made.shape == wanted.shape and np.array_equal(made, wanted), (b, w, h, made)
