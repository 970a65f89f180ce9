# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Models that return their input: next to another result, and as the only one.
import numpy
import onnx
from onnx import TensorProto, helper

x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [3, 2])
turn = helper.make_node("Transpose", ["x"], ["y"])
for name, nodes, results in [("both", [turn], [y, x]), ("only", [], [x])]:
    graph = helper.make_graph(nodes, name, [x], results)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), name + ".onnx")
numpy.save("x.npy", numpy.arange(6, dtype="f4").reshape(2, 3))
