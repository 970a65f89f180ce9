# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Loop and Scan of models that only move data, for small sizes: loops.py RESHAPEC FOLDER."""

import os
import subprocess
import sys

import numpy as np
from onnx import parser, save

HEAD = """<ir_version: 8, opset_import: ["" : 17]>
g (float[B, 3] x) => (float y, float z)
<int64 trips = {%d}, bool go = {%d}, int64[1] a0 = {0}, int64[1] a1 = {1}, int64 n1 = {1}, int64[1] two = {2},
 int64[1] neg = {-1}, int64[1] end = {100}, float big = {100}> """
# A body that adds all columns to its state, as rows, and gives one of them: these are stacked.
COUNTED = """{
    y, z = Loop <body = step (int64 i, bool c, float a) => (bool d, float b, float row) {
        d = Identity (c)
        turned = Transpose <perm = [1, 0]> (x)
        wide = Concat <axis = 0> (a, turned)
        b = Transpose <perm = [0, 1]> (wide)
        at = Unsqueeze (i, a0)
        next = Add (at, a1)
        rows = Slice (x, at, next, a1)
        row = Squeeze (rows, a1)
    }> (trips, go, turned0)
}"""
STOPPED = """{
    y, z = Loop <body = step (int64 i, bool c, float a) => (bool d, float b, float same) {
        d = Less (i, n1)
        b = Neg (a)
        same = Identity (a)
    }> (trips, , x)
}"""
# Columns of x, from the last one on
SCANNED = """{
    y, z = Scan <num_scan_inputs = 1, scan_input_axes = [1], scan_input_directions = [1], scan_output_axes = [1],
                 body = step (float a, float column) => (float b, float c) {
        b = Identity (column)
        c = Neg (a)
    }> (x0, x)
}"""


def model_of(text):
    model = parser.parse_model(text)
    bodies = [a.g for n in model.graph.node for a in n.attribute if a.name == "body"]
    for value in [*model.graph.output, *(v for g in bodies for v in [*g.input, *g.output] if v.name not in "icd")]:
        value.type.tensor_type.ClearField("shape")
    return model


def with_first(text, nodes):
    return text.replace("{\n", "{\n    " + nodes + "\n", 1)


tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
turned, column = "turned0 = Transpose <perm = [1, 0]> (x)", "some = Slice (x, a0, a1, a1) x0 = Reshape (some, neg)"
MODELS = {
    "counted": (HEAD % (3, 1) + with_first(COUNTED, turned), lambda x: (np.concatenate([x.T] * 4), x.T)),
    "once": (HEAD % (1, 1) + with_first(COUNTED, turned), lambda x: (np.concatenate([x.T] * 2), x.T[:1])),
    "stopped": (HEAD % (9, 1) + STOPPED, lambda x: (x, np.stack([x, -x]))),
    "scanned": (
        HEAD % (0, 1) + with_first(SCANNED, column),
        lambda x: (x[:, 0], -x[:, [0, 2, 1]]),
    ),
}
for name, (text, result) in MODELS.items():
    save(model_of(text), f"{name}.onnx")
    for b in (0, 1, 3):
        x = np.arange(1, 1 + 3 * b, dtype=np.float32).reshape(b, 3)
        np.save("x.npy", x)
        subprocess.run([tool, "run", f"{name}.onnx", "x=x.npy", "y=y.npy", "z=z.npy"], check=True)
        for wanted, file in zip(result(x), "yz"):
            made = np.load(f"{file}.npy")
            assert made.shape == wanted.shape and np.array_equal(made, wanted), (name, b, file, made, wanted)

REFUSED = {
    "open": HEAD % (1, 1)
    + with_first(COUNTED, turned + " s = Shape (x) t = Gather (s, n0)").replace("(trips,", "(t,"),
    "never": HEAD % (0, 1) + with_first(COUNTED, turned),
    "endless": HEAD % (100000, 1) + STOPPED.replace("Less (i, n1)", "Identity (c)"),
    "rows": HEAD % (0, 1)
    + with_first(SCANNED, column).replace("axes = [1], scan_input", "axes = [0], scan_input"),
}
for name, text in REFUSED.items():
    save(model_of(text.replace("int64 n1 = {1},", "int64 n1 = {1}, int64 n0 = {0},")), f"{name}.onnx")
