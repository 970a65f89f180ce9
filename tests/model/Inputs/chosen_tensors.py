# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Where of tensors by a comparison of sizes, for small sizes: chosen_tensors.py RESHAPEC FOLDER."""

import itertools
import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[H, 2] x, float[W] z, float s) => (float y)
<int64 four = {4}, int64[1] axis = {0}, int64 first = {0}, float low = {-9}> {
    sizes = Shape (x)
    h = Gather (sizes, first)
    widths = Shape (z)
    w = Squeeze (widths)
    c = Greater (h, four)
    %s
}"""
NODES = {
    "tensors": "d = Less (h, w) other = Neg (x) y = Where (d, x, other)",
    "scalars": "y = Where (c, s, low)",
    "broadcast": "column = Unsqueeze (z, axis) rows = Transpose (column) d = Unsqueeze (c, axis) y = Where (d, rows, s)",
    "of_rows": "n = Not (c) y = Where (n, x, low)",
}
BRANCH = """y = If (c) <then_branch = a () => (float p) { p = Neg (s) }, else_branch = b () => (float q) { q = Identity (s) }>"""

tool, folder = sys.argv[1:]
os.chdir(folder)


def write(name, nodes):
    model = parser.parse_model(MODEL % nodes)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    save(model, f"{name}.onnx")
    return model


write("branch", BRANCH)
for name, nodes in NODES.items():
    reference = ReferenceEvaluator(write(name, nodes))
    for height, width in itertools.product((0, 1, 4, 5), (0, 4)):
        given = {
            "x": np.arange(2 * height, dtype=np.float32).reshape(height, 2),
            "z": np.arange(width, dtype=np.float32),
            "s": np.array(7, np.float32),
        }
        for k, array in given.items():
            np.save(f"{k}.npy", array)
        words = [*(f"{k}={k}.npy" for k in given), "y=y.npy"]
        subprocess.run([tool, "run", f"{name}.onnx", *words], check=True)
        wanted, made = reference.run(None, given)[0], np.load("y.npy")
        assert made.shape == wanted.shape and np.array_equal(made, wanted), (name, height, width)
