# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention by relative positions as VITS has it, in both directions: relative_positions.py RESHAPEC FOLDER."""

import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

HEAD = """<ir_version: 8, opset_import: ["" : 13]> {name} (float[B, 2, T, {width}] x) => (float y)
<int64 n0 = {{0}}, int64 one = {{1}}, int64 n2 = {{2}}, int64[1] a0 = {{0}}, int64[1] a1 = {{1}}, int64[1] a2 = {{2}},
 int64[1] a3 = {{3}}, int64[3] z3 = {{0, 0, 0}}, int64[2] z2 = {{0, 0}}, int64[5] z5 = {{0, 0, 0, 0, 0}}, int64[1] all = {{9223372036854775807}},
 int64[8] column = {{0, 0, 0, 0, 0, 0, 0, 1}}, int64[7] z7 = {{0, 0, 0, 0, 0, 0, 0}}> {{
    shape = Shape (x)
    b = Gather (shape, n0)
    bs = Unsqueeze (b, a0)
    t = Gather (shape, n2)
    ts = Unsqueeze (t, a0)
    double = Mul (t, n2)
    doubles = Unsqueeze (double, a0)
    less = Sub (t, one)
    lesses = Unsqueeze (less, a0)
    width = Sub (double, one)
    widths = Unsqueeze (width, a0)
    square = Mul (t, double)
"""

# [T, 2*T-1] by distance to [T, T] by position: a column is added, and rows of 2*T-1 begin one later each.
ABSOLUTE = HEAD.format(name="absolute", width="P") + """
    padded = Pad (x, column)
    squares = Unsqueeze (square, a0)
    flat_shape = Concat <axis = 0> (bs, a2, squares)
    flat = Reshape (padded, flat_shape)
    amounts = Concat <axis = 0> (z5, lesses)
    longer = Pad (flat, amounts)
    more = Add (t, one)
    mores = Unsqueeze (more, a0)
    rows_shape = Concat <axis = 0> (bs, a2, mores, widths)
    rows = Reshape (longer, rows_shape)
    first = Slice (rows, a0, ts, a2)
    y = Slice (first, lesses, all, a3)
}"""

# And back.
RELATIVE = HEAD.format(name="relative", width="T") + """
    amounts = Concat <axis = 0> (z7, lesses)
    padded = Pad (x, amounts)
    long = Sub (square, t)
    longs = Unsqueeze (long, a0)
    flat_shape = Concat <axis = 0> (bs, a2, longs)
    flat = Reshape (padded, flat_shape)
    fronts = Concat <axis = 0> (z2, ts, z3)
    longer = Pad (flat, fronts)
    rows_shape = Concat <axis = 0> (bs, a2, ts, doubles)
    rows = Reshape (longer, rows_shape)
    y = Slice (rows, a1, all, a3)
}"""

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for name, text in (("absolute", ABSOLUTE), ("relative", RELATIVE)):
    model = parser.parse_model(text)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    save(model, f"{name}.onnx")
    for batch, t in ((1, 1), (1, 3), (2, 8), (0, 2)):
        width = 2 * t - 1 if name == "absolute" else t
        x = np.arange(batch * 2 * t * width, dtype="f4").reshape(batch, 2, t, width)
        np.save("x.npy", x)
        subprocess.run([tool, "run", f"{name}.onnx", "x=x.npy", "y=y.npy"], check=True)
        assert np.array_equal(np.load("y.npy"), ReferenceEvaluator(model).run(None, {"x": x})[0]), (name, batch, t)
