# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model that joins its input with a weight: joined.onnx."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

weight = numpy_helper.from_array(np.arange(65536, dtype="f4").reshape(1024, 64), "w")
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [size, 64]) for name, size in (("x", "A"), ("y", None)))
graph = helper.make_graph([helper.make_node("Concat", ["x", "w"], ["y"], axis=0)], "joined", [x], [y], [weight])
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), "joined.onnx")
