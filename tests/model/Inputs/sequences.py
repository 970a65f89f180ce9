# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models with sequences of tensors: sequences.py FOLDER.

Each `good_NAME.onnx` has x.npy, u.npy and the result of ONNX's evaluator, NAME.want.npy, next to it.
"""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save
from onnx.reference import ReferenceEvaluator

node = helper.make_node
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
U = -np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4)


def known(name, values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


BOTH = node("SequenceConstruct", ["x", "u"], ["s"])
SPLIT = node("SplitToSequence", ["x"], ["s"], axis=1)
FIRST, LAST, FOUR = known("first", 0), known("last", -1), known("four", 4)

# name: (nodes, constants); the last node computes y.
GOOD = {
    "at": ([BOTH, node("SequenceAt", ["s", "last"], ["y"])], [LAST]),
    "insert": (
        [
            node("SequenceEmpty", [], ["e"]),
            node("SequenceInsert", ["e", "x"], ["a"]),
            node("SequenceInsert", ["a", "u"], ["b"]),
            node("Transpose", ["x"], ["t"], perm=[0, 1, 2]),
            node("SequenceInsert", ["b", "t", "last"], ["c"]),
            node("SequenceErase", ["c", "first"], ["d"]),
            node("SequenceErase", ["d"], ["f"]),
            node("ConcatFromSequence", ["f"], ["y"], axis=-1),
        ],
        [FIRST, LAST],
    ),
    "stack": ([BOTH, node("ConcatFromSequence", ["s"], ["y"], axis=-1, new_axis=1)], []),
    "rows": ([SPLIT, node("ConcatFromSequence", ["s"], ["y"], axis=0)], []),
    "flat_rows": (
        [
            node("SplitToSequence", ["x"], ["s"], axis=-1, keepdims=0),
            node("SequenceAt", ["s", "last"], ["y"]),
        ],
        [LAST],
    ),
    "unequal": (
        [
            node("SplitToSequence", ["x", "two"], ["s"], axis=1),
            node("SequenceAt", ["s", "last"], ["y"]),
        ],
        [LAST, known("two", 2)],
    ),
    "listed": (
        [
            node("SplitToSequence", ["x", "parts"], ["s"], axis=2, keepdims=0),
            node("SequenceAt", ["s", "first"], ["y"]),
        ],
        [FIRST, known("parts", [3, 1])],
    ),
    # The length and an element are numbers: sizes of a Reshape.
    "length": (
        [
            SPLIT,
            node("SequenceLength", ["s"], ["n"]),
            node("SequenceConstruct", ["n", "four"], ["sizes"]),
            node("ConcatFromSequence", ["sizes"], ["rest"], axis=0, new_axis=1),
            node("SequenceAt", ["sizes", "last"], ["other"]),
            node("Unsqueeze", ["other", "axes"], ["more"]),
            node("Concat", ["more", "any"], ["target"], axis=0),
            node("Reshape", ["x", "target"], ["y"]),
        ],
        [FOUR, LAST, known("axes", [0]), known("any", [-1])],
    ),
    "branch": (
        [
            node(
                "If", ["yes"], ["s"],
                then_branch=helper.make_graph([node("SequenceConstruct", ["u", "x"], ["r"])], "then", [], [
                    helper.make_tensor_sequence_value_info("r", TensorProto.FLOAT, None)]),
                else_branch=helper.make_graph([node("SequenceConstruct", ["x", "u"], ["q"])], "else", [], [
                    helper.make_tensor_sequence_value_info("q", TensorProto.FLOAT, None)]),
            ),
            node("SequenceAt", ["s", "first"], ["y"]),
        ],
        [FIRST, numpy_helper.from_array(np.array(True), "yes")],
    ),
}  # fmt: skip
# Sizes of x: f32[B, S, 8] as a sequence, and the target of a Reshape.
SIZES = {
    "stacked": [
        node("Shape", ["x"], ["b"], start=0, end=1),
        node("Shape", ["x"], ["c"], start=1, end=2),
        node("Squeeze", ["b"], ["batch"]),
        node("Squeeze", ["c"], ["length"]),
        node("SequenceConstruct", ["batch", "length", "two", "four"], ["s"]),
        node("ConcatFromSequence", ["s"], ["target"], axis=0, new_axis=1),
    ],
    "joined": [
        node("Shape", ["x"], ["outer"], start=0, end=2),
        node("SequenceConstruct", ["outer", "twos", "fours"], ["s"]),
        node("ConcatFromSequence", ["s"], ["target"], axis=-1),
    ],
    "unbound": [
        node("Shape", ["x"], ["sizes"]),
        node("SplitToSequence", ["sizes"], ["s"], keepdims=0),
        node("SequenceAt", ["s", "first"], ["batch"]),
        node("SplitToSequence", ["sizes", "two"], ["t"]),
        node("SequenceAt", ["t", "first"], ["pair"]),
        node("Gather", ["pair", "one"], ["length"]),
        node("SequenceConstruct", ["batch", "length", "two", "four"], ["r"]),
        node("ConcatFromSequence", ["r"], ["target"], axis=0, new_axis=1),
    ],
}
BAD = {
    "bad_erase": ([BOTH, node("SequenceErase", ["s", "four"], ["t"]), node("SequenceAt", ["t", "first"], ["y"])], [FIRST, FOUR]),
    "bad_join": ([node("SequenceEmpty", [], ["s"]), node("ConcatFromSequence", ["s"], ["y"], axis=0)], []),
    "bad_later": ([BOTH, node("SequenceAt", ["s", "i"], ["y"])], []),
    "bad_none": ([node("SequenceAt", ["x", "first"], ["y"])], [FIRST]),
    "bad_tensor": ([BOTH, node("Abs", ["s"], ["y"])], []),
    "bad_zero": ([node("SplitToSequence", ["x", "first"], ["s"]), node("SequenceAt", ["s", "first"], ["y"])], [FIRST]),
}


def model(nodes, constants):
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, 3, 4]) for n in "xu"]
    if any("i" in n.input for n in nodes):
        inputs.append(helper.make_tensor_value_info("i", TensorProto.INT64, []))
    inputs = [i for i in inputs if any(i.name in n.input or n.op_type == "If" for n in nodes)]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "g", inputs, [result], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
np.save(f"{folder}/x.npy", X)
np.save(f"{folder}/u.npy", U)
for name, (nodes, constants) in GOOD.items():
    made = model(nodes, constants)
    save(made, f"{folder}/good_{name}.onnx")
    fed = {i.name: {"x": X, "u": U}[i.name] for i in made.graph.input}
    np.save(f"{folder}/{name}.want.npy", ReferenceEvaluator(made).run(None, fed)[0])
for name, nodes in SIZES.items():
    constants = [FIRST, FOUR, known("one", 1), known("two", 2), known("twos", [2]), known("fours", [4])]
    made = model([*nodes, node("Reshape", ["x", "target"], ["y"])], constants)
    made.graph.input[0].CopyFrom(helper.make_tensor_value_info("x", TensorProto.FLOAT, ["B", "S", 8]))
    save(made, f"{folder}/sizes_{name}.onnx")
for name, (nodes, constants) in BAD.items():
    save(model(nodes, constants), f"{folder}/{name}.onnx")
