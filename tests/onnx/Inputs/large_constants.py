# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model with constants of u64 of 2^63 and more: large_constants.py FILE."""
import sys

import onnx
from onnx import TensorProto, helper

inputs = [helper.make_tensor_value_info("x", TensorProto.UINT64, [2])]
outputs = [helper.make_tensor_value_info("y", TensorProto.UINT64, [2]), helper.make_tensor_value_info("z", TensorProto.UINT64, [4])]
constants = [helper.make_tensor("c", TensorProto.UINT64, [2], [2**64 - 1, 2**63]), helper.make_tensor("pads", TensorProto.INT64, [2], [1, 1]),
             helper.make_tensor("border", TensorProto.UINT64, [], [2**64 - 5])]
nodes = [helper.make_node("Add", ["x", "c"], ["y"]), helper.make_node("Pad", ["x", "pads", "border"], ["z"])]
onnx.save(helper.make_model(helper.make_graph(nodes, "large", inputs, outputs, constants), opset_imports=[helper.make_opsetid("", 18)]), sys.argv[1])
