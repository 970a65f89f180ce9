# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of x shifted by 3, and of 3 shifted by x; and an x."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

for direction in ("LEFT", "RIGHT"):
    for first, second in (("x", "three"), ("three", "x")):
        node = helper.make_node("BitShift", [first, second], ["y"], "shift", direction=direction)
        x, y = (helper.make_tensor_value_info(n, TensorProto.UINT8, [3]) for n in "xy")
        graph = helper.make_graph([node], "shifts", [x], [y], [numpy_helper.from_array(np.uint8(3), "three")])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), f"{first}_{direction}.onnx")
np.save("x.npy", np.array([1, 3, 255], "u1"))
