# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model that joins its input with a weight, joined.onnx, and a graph that picks rows, picked.rsh."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

weight = numpy_helper.from_array(np.arange(65536, dtype="f4").reshape(1024, 64), "w")
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [size, 64]) for name, size in (("x", "A"), ("y", None)))
graph = helper.make_graph([helper.make_node("Concat", ["x", "w"], ["y"], axis=0)], "joined", [x], [y], [weight])
rows = ", ".join(str(7 * i * i % 1009) for i in range(600))
with open("picked.rsh", "w", encoding="utf-8") as file:
    file.write(f"graph picked(x: u8[1009, 64], z: u8[300, 7000]) -> (y, w) {{ y = gather(x, [{rows}], 0)\n w = transpose(z) }}\n")
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), "joined.onnx")
