# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes pad.onnx, whose Pad has a mode that ONNX does not have."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", [3]), ("y", [5])))
node = helper.make_node("Pad", ["x", "pads"], ["y"], mode="symmetric")
pads = numpy_helper.from_array(np.array([1, 1]), "pads")
graph = helper.make_graph([node], "g", [x], [y], [pads])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), "pad.onnx")
