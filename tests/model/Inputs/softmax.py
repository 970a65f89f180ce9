# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""softmax.py RESHAPEC: compares models of one Softmax, whose first size is a name, with numpy, and prints errors."""
import subprocess
import sys

import numpy as np
from onnx import TensorProto, helper, save

MODELS = [  # opset, axis (None: not given), sizes
    (13, None, [2, 3, 4]), (13, 2, [2, 3, 4]), (13, -1, [2, 3, 4]), (11, None, [2, 5]), (11, -1, [2, 3, 4]),
    (11, None, [2, 3, 4]), (11, 0, [2, 3, 4]), (1, 2, [2, 3, 4, 5]), (13, 1, [2, 3, 4]), (13, 0, [5, 2, 3, 4]), (13, 3, [2, 3, 4]),
]
for opset, axis, dims in MODELS:
    node = helper.make_node("Softmax", ["x"], ["y"], **({} if axis is None else {"axis": axis}))
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", *dims[1:]])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    model = helper.make_model(helper.make_graph([node], "g", [x], [y]), opset_imports=[helper.make_opsetid("", opset)])
    save(model, "softmax.onnx")
    value = np.random.default_rng(0).normal(size=dims).astype("f4")
    np.save("x.npy", value)
    done = subprocess.run([sys.argv[1], "run", "softmax.onnx", "x=x.npy", "y=y.npy"], capture_output=True, text=True)
    if done.returncode == 0:
        power = np.exp(value.astype("f8"))
        first = 1 if axis is None and opset < 13 else -1 if axis is None else axis
        axes = first if opset >= 13 else tuple(range(len(dims)))[first:]
        np.testing.assert_allclose(np.load("y.npy"), power / power.sum(axes, keepdims=True), rtol=1e-6)
    print(opset, axis, dims, done.stderr.strip() or "equal")
