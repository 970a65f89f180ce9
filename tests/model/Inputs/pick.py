# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models of operators that gather elements by constants, some with symbolic sizes: pick.py FOLDER.

Each `good_NAME.onnx` has x.npy, u.npy and the result of ONNX's evaluator, NAME.want.npy, next to it.
"""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save
from onnx.reference import ReferenceEvaluator

node = helper.make_node
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
U = -np.arange(1, 5, dtype=np.float32).reshape(1, 1, 4)


def known(name, values, kind=np.int64):
    return numpy_helper.from_array(np.array(values, kind), name)


# name: (operator, its inputs, attributes, constants, how x is declared)
GOOD = {
    "trilu": ("Trilu", "x k", {"upper": 0}, [known("k", -1)], ["B", 3, 4]),
    "where": ("Where", "m x u", {}, [known("m", [[True], [False], [True]], bool)], ["B", 3, "N"]),
    "where_one": ("Where", "m u x", {}, [known("m", False, bool)], ["B", 3, 4]),
    "compress": ("Compress", "x m", {"axis": 1}, [known("m", [True, False, True], bool)], ["B", "S", "N"]),
    "compress_all": ("Compress", "x m", {}, [known("m", [False, True, True], bool)], ["B", "S", "N"]),
    "scatter_nd": ("ScatterND", "x i u", {}, [known("i", [[[1, -1]]])], [2, 3, "N"]),
    "scatter_elements": ("ScatterElements", "x i u", {"axis": 1}, [known("i", [[[2, 0, -1, 1]]])], [2, 3, 4]),
    "gather_elements": ("GatherElements", "x i", {"axis": 2}, [known("i", (np.arange(12).reshape(2, 3, 2) - 4) % 7 - 3)], [2, 3, 4]),
    "diagonal": ("Einsum", "x", {"equation": "bij->jib"}, [], ["B", "S", "N"]),
}
# Nodes that compute, or indices that are unknown.
BAD = {
    "bad_where": ("Where", "m x u", {}, [known("m", [True, False], bool)], [2, 3, 4]),
    "bad_compress": ("Compress", "x m", {"axis": 7}, [known("m", [True], bool)], [2, 3, 4]),
    "bad_scatter_add": ("ScatterND", "x i u", {"reduction": "add"}, [known("i", [[[0, 0]]])], [2, 3, 4]),
    "bad_scatter_place": ("ScatterND", "x i u", {}, [known("i", [[[0, 3]]])], [2, 3, 4]),
    "bad_scatter_later": ("ScatterND", "x x u", {}, [], [2, 3, 4]),
    "bad_sum": ("Einsum", "x", {"equation": "bij->ij"}, [], [2, 3, 4]),
    "bad_windows": ("Col2Im", "x i b", {}, [known("i", [3, 2]), known("b", [2, 1])], [2, 2, 4]),
}


def model(op, inputs, attributes, constants, sizes):
    given = {"x": sizes, "u": [1, 1, sizes[2]]}
    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, given[n]) for n in given if n in inputs.split()]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    made = [node(op, inputs.split(), ["y"], **attributes)]
    graph = helper.make_graph(made, "g", values, [result], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
np.save(f"{folder}/x.npy", X)
np.save(f"{folder}/u.npy", U)
for name, parts in GOOD.items():
    made = model(*parts)
    save(made, f"{folder}/good_{name}.onnx")
    feed = {i.name: {"x": X, "u": U}[i.name] for i in made.graph.input}
    np.save(f"{folder}/{name}.want.npy", np.ascontiguousarray(ReferenceEvaluator(made).run(None, feed)[0]))
for name, parts in BAD.items():
    save(model(*parts), f"{folder}/{name}.onnx")
