# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `reshapec run MODEL` with onnxruntime, for images of several sizes: resized.py RESHAPEC MODEL."""

import subprocess
import sys

import numpy as np
import onnxruntime

onnxruntime.set_default_logger_severity(4)
reshapec, model = sys.argv[1:]
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
for height, width in ((4, 6), (5, 7), (9, 2), (4, 11)):
    x = np.arange(2 * 3 * height * width, dtype=np.float32).reshape(2, 3, height, width)
    np.save("x.npy", x)
    subprocess.run([reshapec, "run", model, "x=x.npy", "y=y.npy"], check=True)
    np.testing.assert_array_equal(np.load("y.npy"), session.run(None, {"x": x})[0])
