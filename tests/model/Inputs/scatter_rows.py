# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ScatterElements whose indices are expanded to an open batch: scatter_rows.py RESHAPEC FOLDER."""

import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

# x.scatter(1, indices.expand(B, -1), u), as torch.onnx.export writes it
TEXT = """<ir_version: 8, opset_import: ["" : 17]>
g (%s x) => (float y)
<int64[1, 2] indices = {%s}, float[1, 1] u = {-5}, int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}> {
    shape = Shape (x)
    batch = Slice (shape, zero, one)
    sizes = Concat <axis = 0> (batch, two)
    each = Expand (indices, sizes)
    same = Shape (each)
    updates = Expand (u, same)
    y = ScatterElements <axis = 1> (x, each, updates)
}"""
ROWS = {"ends": ("float[B, 5]", "0, -1"), "falling": ("float[B, 5]", "3, 1")}
REFUSED = {"outside": ("float[B, 5]", "0, 5"), "open_axis": ("float[B, S]", "0, 2")}

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for name, parts in {**ROWS, **REFUSED}.items():
    model = parser.parse_model(TEXT % parts)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    save(model, f"{name}.onnx")
    for batch in (0, 1, 4) if name in ROWS else ():
        x = np.arange(batch * 5, dtype=np.float32).reshape(batch, 5)
        np.save("x.npy", x)
        subprocess.run([tool, "run", f"{name}.onnx", "x=x.npy", "y=y.npy"], check=True)
        wanted = ReferenceEvaluator(model).run(None, {"x": x})[0]
        assert np.array_equal(np.load("y.npy"), wanted), (name, batch)
