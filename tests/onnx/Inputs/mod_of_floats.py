# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of x modulo 2, and an x."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

for name, opset, attributes in (("old_fmod", 13, {"fmod": 1}), ("old", 27, {}), ("new", 28, {})):
    node = helper.make_node("Mod", ["x", "two"], ["y"], "r", **attributes)
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [4]) for n in "xy")
    graph = helper.make_graph([node], name, [x], [y], [numpy_helper.from_array(np.float32(2), "two")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=11), name + ".onnx")
np.save("x.npy", np.array([-3.5, 3.5, -2, 0], "f4"))
