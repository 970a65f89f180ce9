# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model with an input of any rank, and constants beside it: any_rank.py FILE."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

k = numpy_helper.from_array(np.array([[1, 2], [3, 4], [5, 6]], np.float32), "k")
scalar = numpy_helper.from_array(np.array(7, np.float32), "scalar")
target = numpy_helper.from_array(np.array([-1, 2], np.int64), "target")
x = helper.make_tensor_value_info("x", TensorProto.FLOAT, None)
results = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in ("y", "z", "w")]
nodes = [
    helper.make_node("Reshape", ["x", "target"], ["rows"]),
    helper.make_node("Concat", ["rows", "k"], ["y"], axis=0),
    helper.make_node("Transpose", ["k"], ["z"]),
    helper.make_node("Identity", ["scalar"], ["w"]),
]
graph = helper.make_graph(nodes, "any_rank", [x], results, [k, scalar, target])
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9), sys.argv[1])
