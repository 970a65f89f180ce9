# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models that declare a rank, another element type, or a number for an output that their nodes leave open."""

import numpy as np
import onnx
from onnx import TensorProto, helper

WEIGHT = helper.make_tensor("c", TensorProto.FLOAT, [2], [1, 2])



def tensor(name, sizes, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, sizes)


def save(name, nodes, inputs, outputs, weights=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), name)


TURN = helper.make_node("Transpose", ["x"], ["y"])
JOIN = helper.make_node("Concat", ["w", "c"], ["z"], axis=0)
save("turned.onnx", [TURN, JOIN], [tensor("x", None), tensor("w", [1])], [tensor("y", ["A", None]), tensor("z", [3])], [WEIGHT])
save("sized.onnx", [TURN], [tensor("x", ["N", 2])], [tensor("y", [2, 4])])
save("wrong.onnx", [TURN], [tensor("x", None)], [tensor("y", ["A", None], TensorProto.INT32)])
INDICES = helper.make_tensor("i", TensorProto.INT64, [3, 1], [1, 0, 1])
save("gathered.onnx", [helper.make_node("GatherND", ["x", "i"], ["y"])], [tensor("x", None)], [tensor("y", None)], [INDICES])
np.save("x", np.arange(6, dtype=np.float32).reshape(2, 3))
np.save("w", np.array([2], np.float32))
