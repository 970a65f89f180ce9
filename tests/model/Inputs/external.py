# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models whose weights [7, 8] are in other files, and files that must not be read."""

import os
import sys

import numpy as np
from models import f32, model, node
from onnx import TensorProto

os.chdir(sys.argv[1])
np.save("x.npy", np.arange(3, dtype="f4"))
with open("model/deep/w.bin", "wb") as file:
    file.write(b"\xff" * 16 + np.array([7, 8], "<f4").tobytes())
with open("secret.bin", "wb") as file:
    file.write(bytes(8))
os.symlink("../secret.bin", "model/link.bin")
os.link("secret.bin", "model/hard.bin")

CASES = {
    "deep": {"location": "deep/w.bin", "offset": "16", "length": "8"},
    "up": {"location": "../secret.bin"},
    "root": {"location": os.path.abspath("secret.bin")},
    "link": {"location": "link.bin"},
    "hard": {"location": "hard.bin"},
    "past": {"location": "deep/w.bin", "offset": "20", "length": "8"},
    "huge": {"location": "deep/w.bin", "offset": "99999999999999999999"},
    "none": {"offset": "0"},
    "odd": {"location": "deep/w.bin", "length": "7"},
}
for name, entries in CASES.items():
    weights = TensorProto(name="w", dims=[2], data_type=TensorProto.FLOAT)
    weights.data_location = TensorProto.EXTERNAL
    for key, value in entries.items():
        weights.external_data.add(key=key, value=value)
    made = model([node("Concat", ["x", "w"], ["y"], axis=0)], [f32("x", 3)], [f32("y", 5)], [weights])
    with open(f"model/{name}.onnx", "wb") as file:
        file.write(made.SerializeToString())
