# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model whose If has a Transpose without results in one body."""

import onnx
from onnx import TensorProto, helper


def info(name, kind=TensorProto.FLOAT, shape=(2, 3)):
    return helper.make_tensor_value_info(name, kind, shape)


empty = helper.make_node("Transpose", ["x"], [], perm=[1, 0])
bodies = {name: helper.make_graph([*extra, helper.make_node("Neg", ["x"], [name])], name, [], [info(name)])
          for name, extra in (("yes", [empty]), ("no", []))}
node = helper.make_node("If", ["which"], ["y"], then_branch=bodies["yes"], else_branch=bodies["no"])
graph = helper.make_graph([node], "g", [info("x"), info("which", TensorProto.BOOL, ())], [info("y")])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "m.onnx")
