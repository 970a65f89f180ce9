# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes small ONNX models, one for each function below: models.py FOLDER [NAME ...], by default all of them."""

import os
import sys

import numpy as np
from onnx import AttributeProto, TensorProto, helper, numpy_helper

node, value = helper.make_node, helper.make_tensor_value_info
F32, I64 = TensorProto.FLOAT, TensorProto.INT64


def ints(name, values):
    return numpy_helper.from_array(np.array(values, dtype=np.int64), name)


def floats(name, values):
    return numpy_helper.from_array(np.array(values, dtype=np.float32), name)


def f32(name, *dims):
    return value(name, F32, list(dims))


def any_f32(name):
    return value(name, F32, None)


def model(nodes, inputs, outputs, constants=(), opset=18, functions=(), more=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(constants))
    opsets = [helper.make_opsetid("", opset), *more]
    return helper.make_model(graph, opset_imports=opsets, functions=list(functions))


MODELS = {}


def named(function):
    MODELS[function.__name__] = function
    return function


# ---- operators and their versions ----------------------------------------------------------------


@named
def heads():
    """The heads of attention, with the target as an initializer."""
    return model(
        [
            node("Reshape", ["x", "shape"], ["r"], "split"),
            node("Transpose", ["r"], ["y"], "turn", perm=[0, 2, 1, 3]),
        ],
        [f32("x", 2, 6, 768)],
        [f32("y", 2, 12, 6, 64)],
        [ints("shape", [0, 0, 12, 64])],
    )


@named
def slice_1():
    return model(
        [node("Slice", ["x"], ["y"], starts=[1], ends=[3], axes=[1])],
        [f32("x", 2, 4)],
        [f32("y", 2, 2)],
        opset=1,
    )


@named
def slice_10():
    return model(
        [node("Slice", ["x", "starts", "ends", "", "steps"], ["y"])],
        [f32("x", 6)],
        [f32("y", 3)],
        [ints("starts", [-1]), ints("ends", [-100]), ints("steps", [-2])],
        opset=10,
    )


@named
def reshape_1():
    return model(
        [node("Reshape", ["x"], ["y"], shape=[3, -1])], [f32("x", 2, 6)], [f32("y", 3, 4)], opset=1
    )


@named
def squeeze_12():
    return model(
        [node("Squeeze", ["x"], ["a"], axes=[0]), node("Unsqueeze", ["a"], ["y"], axes=[1])],
        [f32("x", 1, 3)],
        [f32("y", 3, 1)],
        opset=12,
    )


@named
def split_pad_cast():
    """Several outputs, a pad with a value, a cast and an activation."""
    return model(
        [
            node("Split", ["x"], ["a", "b"], axis=1, num_outputs=2),
            node("Pad", ["a", "pads", "fill"], ["p"]),
            node("Relu", ["b"], ["z"]),
            node("Cast", ["p"], ["y"], to=TensorProto.FLOAT16),
        ],
        [f32("x", 2, 4)],
        [value("y", TensorProto.FLOAT16, [2, 4]), f32("z", 2, 2)],
        [ints("pads", [0, 1, 0, 1]), floats("fill", -1.5)],
    )


@named
def constants():
    """Weights in each form that ONNX has for them."""
    packed = helper.make_tensor("packed", F32, [1, 3], [1.5, 2.5, 3.5])
    return model(
        [
            node("Constant", [], ["made"], value=floats("", [[7, 8, 9]])),
            node("ConstantOfShape", ["two_three"], ["filled"], value=floats("", [0.25])),
            node("Concat", ["x", "raw", "packed", "made", "filled"], ["y"], axis=0),
        ],
        [f32("x", 1, 3)],
        [f32("y", 6, 3)],
        [floats("raw", [[4.5, 5.5, 6.5]]), packed, ints("two_three", [2, 3])],
    )


@named
def function():
    """A function of the model, with an attribute that its body refers to."""
    body = node("Transpose", ["a"], ["t"])
    given = AttributeProto(name="perm", ref_attr_name="order", type=AttributeProto.INTS)
    body.attribute.append(given)
    turn = helper.make_function(
        "own", "Turn", ["a"], ["b"], [body, node("Flatten", ["t"], ["b"])],
        [helper.make_opsetid("", 18)], ["order"],
    )
    return model(
        [node("Turn", ["x"], ["y"], "call", domain="own", order=[2, 0, 1])],
        [f32("x", 2, 3, 4)],
        [f32("y", 4, 6)],
        functions=[turn],
        more=[helper.make_opsetid("own", 1)],
    )


@named
def unused():
    """Nodes that no output needs, which may be invalid."""
    return model(
        [node("Conv", ["x", "x"], ["c"]), node("Transpose", ["x"], ["y"])],
        [f32("x", 2, 3)],
        [f32("y", 3, 2)],
    )


# ---- computed shapes -----------------------------------------------------------------------------


@named
def batch():
    """Shape, Gather, Unsqueeze, Concat, Reshape: [B, -1]."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "zero"], ["b"]),
            node("Unsqueeze", ["b", "axes"], ["u"]),
            node("Concat", ["u", "rest"], ["t"], axis=0),
            node("Reshape", ["x", "t"], ["y"]),
        ],
        [f32("x", "B", 3, 8)],
        [any_f32("y")],
        [ints("zero", 0), ints("axes", [0]), ints("rest", [-1])],
    )


@named
def product():
    """A product of open sizes: [B*S, 64]."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Slice", ["s", "zero", "two"], ["bs"]),
            node("ReduceProd", ["bs"], ["p"], keepdims=1),
            node("Concat", ["p", "last"], ["t"], axis=0),
            node("Reshape", ["x", "t"], ["y"]),
        ],
        [f32("x", "B", "S", 64)],
        [any_f32("y")],
        [ints("zero", [0]), ints("two", [2]), ints("last", [64])],
        opset=17,
    )


@named
def expand_where():
    """PyTorch's expand: -1 in the target stands for the size of x."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Equal", ["want", "minus"], ["e"]),
            node("Where", ["e", "s", "want"], ["t"]),
            node("Expand", ["x", "t"], ["y"]),
        ],
        [f32("x", 3, 1)],
        [f32("y", 3, 4)],
        [ints("want", [-1, 4]), ints("minus", -1)],
    )


@named
def masked():
    """PyTorch's x[:, mask]: the positions of a constant mask are indices of a Gather; and GatherND of all positions."""
    return model(
        [
            node("NonZero", ["mask"], ["found"]),
            node("Transpose", ["found"], ["columns"]),
            node("Squeeze", ["columns", "one"], ["index"]),
            node("Gather", ["x", "index"], ["y"], axis=1),
            node("NonZero", ["corners"], ["places"]),
            node("Transpose", ["places"], ["pairs"]),
            node("Gather", ["pairs", "last"], ["pair"]),
            node("Reshape", ["x", "pair"], ["w"]),
        ],
        [f32("x", "N", 4)],
        [any_f32("y"), any_f32("w")],
        [
            numpy_helper.from_array(np.array([True, False, True, True]), "mask"),
            ints("corners", [[1, 0, 0], [0, 0, -7]]),
            ints("one", [1]),
            ints("last", -1),
        ],
    )


@named
def scalar_nonzero():
    return model(
        [node("NonZero", ["one"], ["found"]), node("Gather", ["x", "found"], ["y"])],
        [f32("x", "N", 4)],
        [any_f32("y")],
        [ints("one", 1)],
    )


def scaled_sizes(scales, rounds, *dims):
    """PyTorch's interpolate: sizes are scaled in floating point and rounded. They become the ends of a Slice."""
    nodes, constants = [], [ints("axes", [2, 3]), ints("zeros", [0, 0])]
    for axis, (op, scale) in zip("hw", scales):
        constants += [floats(f"{axis}_scale", scale), ints(f"{axis}_axis", [2 if axis == "h" else 3])]
        nodes += [
            node("Shape", ["x"], [f"{axis}_s"]),
            node("Gather", [f"{axis}_s", f"{axis}_axis"], [f"{axis}_size"]),
            node("Cast", [f"{axis}_size"], [f"{axis}_float"], to=F32),
            node(op, [f"{axis}_float", f"{axis}_scale"], [f"{axis}_scaled"]),
            *([node(rounds, [f"{axis}_scaled"], [f"{axis}_whole"])] if rounds else []),
            node("Cast", [f"{axis}_whole" if rounds else f"{axis}_scaled"], [f"{axis}_end"], to=I64),
        ]
    nodes += [
        node("Concat", ["h_end", "w_end"], ["ends"], axis=0),
        node("Slice", ["x", "zeros", "ends", "axes"], ["y"]),
    ]
    return model(nodes, [f32("x", *dims)], [f32("y", None, None, None, None)], constants)


@named
def scaled_known():
    """0.7f * 10 is 7 in f32, although 0.7f is less than 0.7."""
    return scaled_sizes([("Mul", 0.7), ("Mul", 0.5)], "Floor", "N", 2, 10, 7)


@named
def scaled_down():
    return scaled_sizes([("Mul", 0.5), ("Div", 2.0)], "Floor", 1, 2, "H", "W")


@named
def scaled_up():
    return scaled_sizes([("Mul", 0.75), ("Div", 4.0)], "Ceil", 1, 2, "H", "W")


@named
def scaled_cut():
    return scaled_sizes([("Mul", 0.5), ("Div", 1.6)], None, 1, 2, "H", 8)


@named
def scaled_inexactly():
    """0.7f * H is rounded to f32 before Floor."""
    return scaled_sizes([("Mul", 0.7), ("Mul", 0.5)], "Floor", 1, 2, "H", "W")


@named
def scaled_past_exact():
    """4097 times H ones. Of 4099 rows, f32 counts 16793604: one more than there are."""
    nodes = [
        node("Shape", ["x"], ["sizes"]),
        node("Cast", ["sizes"], ["number"], to=F32),
        node("Mul", ["number", "scale"], ["scaled"]),
        node("Cast", ["scaled"], ["target"], to=I64),
        node("Expand", ["one", "target"], ["y"]),
    ]
    return model(nodes, [f32("x", "H")], [f32("y", None)], [floats("scale", [4097]), floats("one", [1])])


def resized(scales, opset, **modes):
    empty = [floats("none", [])] if opset > 10 else []
    resize = node("Resize", ["x", *[c.name for c in empty], "scales"], ["y"], mode="nearest", **modes)
    return model([resize], [f32("x", "N", 3, "H", "W")], [f32("y", "N", 3, None, None)], [*empty, floats("scales", scales)], opset)


@named
def every_second():
    return resized([1, 1, 0.5, 0.5], 18, coordinate_transformation_mode="asymmetric", nearest_mode="floor")


@named
def every_fourth():
    """The middle of four entries is rounded down: the second."""
    return resized([1, 1, 0.25, 2], 13)


@named
def every_second_of_old():
    return resized([1, 1, 1, 0.5], 10)


@named
def every_third():
    """0.333 is not a third."""
    return resized([1, 1, 1 / 3, 1], 18, coordinate_transformation_mode="asymmetric", nearest_mode="floor")


@named
def scale_of_sizes():
    """Before opset 10, Upsample has scales: exporters divide the new sizes by the old ones."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Slice", ["s"], ["hw"], starts=[2], ends=[4], axes=[0]),
            node("Cast", ["hw"], ["old"], to=F32),
            node("Cast", ["six_three"], ["new"], to=F32),
            node("Div", ["new", "old"], ["scale"]),
            node("Concat", ["ones", "scale"], ["scales"], axis=0),
            node("Upsample", ["x", "scales"], ["y"], mode="nearest"),
        ],
        [f32("x", "N", 3, 4, 6)],
        [f32("y", "N", 3, 6, 3)],
        [ints("six_three", [6, 3]), floats("ones", [1, 1])],
        9,
    )


@named
def scaled_by_data():
    """A fraction is data for other operators: x * 2.5."""
    return model(
        [
            node("Shape", ["x"], ["s"], start=1, end=2),
            node("Cast", ["s"], ["f"], to=F32),
            node("Mul", ["f", "half"], ["scale"]),
            node("Mul", ["x", "scale"], ["y"]),
        ],
        [f32("x", "N", 5)],
        [f32("y", "N", 5)],
        [floats("half", 0.5)],
    )


@named
def arithmetic():
    """Halves of an axis, 7 // 2 and 7 - 7 // 2, computed with Cast, Div, Floor, Range and Min."""
    return model(
        [
            node("Shape", ["x"], ["s"], start=0, end=1),
            node("Div", ["s", "two"], ["h"]),
            node("Cast", ["h"], ["f"], to=F32),
            node("Floor", ["f"], ["g"]),
            node("Cast", ["g"], ["i"], to=I64),
            node("Slice", ["x", "zero", "i"], ["a"]),
            node("Slice", ["x", "i", "s"], ["b"]),
            node("Size", ["x"], ["n"]),
            node("Range", ["nought", "n", "three"], ["r"]),
            node("Gather", ["r", "one"], ["k"]),
            node("Mod", ["k", "two"], ["m"]),
            node("Min", ["m", "zero"], ["z"]),
            node("Concat", ["b", "a"], ["y"], axis=0),
            node("Slice", ["x", "z", "i"], ["w"]),
        ],
        [f32("x", 7)],
        [f32("y", 7), f32("w", 3)],
        [ints("two", [2]), ints("zero", [0]), ints("nought", 0), ints("three", 3), ints("one", [1])],
    )


@named
def open_halves():
    """Swaps the halves of an axis of open size, which Div computes."""
    return model(
        [
            node("Shape", ["x"], ["s"], start=1, end=2),
            node("Div", ["s", "two"], ["h"]),
            node("Slice", ["x", "zero", "h", "one"], ["a"]),
            node("Slice", ["x", "h", "s", "one"], ["b"]),
            node("Concat", ["b", "a"], ["y"], axis=1),
        ],
        [f32("x", "N", "S")],
        [f32("y", "N", "S")],
        [ints("two", [2]), ints("zero", [0]), ints("one", [1])],
    )


@named
def open_windows():
    """Pads an open number of columns to a multiple of 4, which Mod computes, and splits them into windows."""
    return model(
        [
            node("Shape", ["x"], ["s"], start=1, end=2),
            node("Mod", ["s", "four"], ["m"]),
            node("Sub", ["four", "m"], ["p"]),
            node("Concat", ["zero", "zero", "zero", "p"], ["pads"], axis=0),
            node("Pad", ["x", "pads"], ["wide"]),
            node("Reshape", ["wide", "shape"], ["w"]),
            node("Transpose", ["w"], ["y"], perm=[1, 0, 2]),
        ],
        [f32("x", "N", "S")],
        [any_f32("y")],
        [ints("four", [4]), ints("zero", [0]), ints("shape", [0, -1, 4])],
    )


@named
def shape_output():
    """A shape as a result, which is a constant."""
    return model([node("Shape", ["x"], ["y"])], [f32("x", 2, 3)], [value("y", I64, [2])])


@named
def target():
    """A target that is data."""
    return model(
        [node("Reshape", ["x", "t"], ["y"])], [f32("x", 6), value("t", I64, [2])], [any_f32("y")]
    )


# ---- chains --------------------------------------------------------------------------------------


@named
def skipped():
    """A node reads the result of a chain, and a node that moves data reads this result and that of the node. A later
    node reads an input of the chain again."""
    return model(
        [
            node("Relu", ["x"], ["a"]),
            node("Reshape", ["a", "shape"], ["r"], "split"),
            node("Transpose", ["r"], ["t"], "turn", perm=[0, 2, 1]),
            node("Sigmoid", ["t"], ["s"]),
            node("Concat", ["t", "s"], ["j"], "join", axis=1),
            node("Reshape", ["j", "flat"], ["f"], "flatten"),
            node("Concat", ["a", "f"], ["c"], "beside", axis=1),
            node("Neg", ["c"], ["y"]),
        ],
        [f32("x", "N", 6)],
        [f32("y", "N", 18), f32("t", "N", 3, 2)],
        [ints("shape", [0, 2, 3]), ints("flat", [0, 12])],
    )


@named
def moved_indices():
    """Moves indices, which then select rows."""
    return model(
        [
            node("Transpose", ["ids"], ["turned"], "turn", perm=[1, 0]),
            node("Reshape", ["turned", "flat"], ["list"], "flatten"),
            node("Neg", ["x"], ["rows"]),
            node("Gather", ["rows", "list"], ["picked"], "pick"),
            node("Neg", ["picked"], ["y"]),
        ],
        [value("ids", I64, ["A", 2]), f32("x", 4, 3)],
        [f32("y", "B", 3)],
        [ints("flat", [-1])],
    )


@named
def open_rank():
    """An input of any rank, which a chain reads as a vector."""
    return model(
        [
            node("Relu", ["x"], ["a"]),
            node("Reshape", ["a", "pairs"], ["r"], "split"),
            node("Neg", ["r"], ["n"]),
            node("Transpose", ["n"], ["t"], "turn", perm=[1, 0]),
            node("Concat", ["t", "t"], ["y"], "join", axis=0),
        ],
        [any_f32("x")],
        [f32("y", 6, "M")],
        [ints("pairs", [-1, 3])],
    )


@named
def hidden_shape():
    """A result without a shape, of an operator of another domain; a chain comes between it and its reader."""
    made = model(
        [
            node("Other", ["x"], ["a", "hidden"], domain="example"),
            node("Reshape", ["a", "shape"], ["r"], "split"),
            node("Transpose", ["r"], ["t"], "turn", perm=[1, 0]),
            node("Other", ["t", "hidden"], ["y"], domain="example"),
        ],
        [f32("x", 6)],
        [f32("y", 6)],
        [ints("shape", [2, 3])],
        more=[helper.make_opsetid("example", 1)],
    )
    made.graph.value_info.extend([f32("a", 6)])
    return made


@named
def found():
    """A chain after NonZero, whose number of results depends on data."""
    return model(
        [
            node("NonZero", ["x"], ["places"]),
            node("Transpose", ["places"], ["t"], "turn", perm=[1, 0]),
            node("Concat", ["t", "t"], ["c"], "join", axis=1),
            node("Slice", ["c", "starts", "ends", "axes"], ["s"], "cut"),
            node("Neg", ["s"], ["y"]),
        ],
        [f32("x", "N", 4)],
        [value("y", I64, ["M", 3])],
        [ints("starts", [0]), ints("ends", [3]), ints("axes", [1])],
    )


@named
def network():
    """Two chains, one of them with a computed shape, around operators that compute."""
    return model(
        [
            node("Conv", ["x", "w"], ["c"], "conv", pads=[1, 1, 1, 1]),
            node("Reshape", ["c", "split"], ["r"], "shuffle/split"),
            node("Transpose", ["r"], ["t"], "shuffle/turn", perm=[0, 2, 1, 3, 4]),
            node("Reshape", ["t", "join"], ["s"], "shuffle/join"),
            node("Relu", ["s"], ["a"]),
            node("Shape", ["a"], ["sizes"], start=0, end=1),
            node("Concat", ["sizes", "rest"], ["flat"], axis=0),
            node("Reshape", ["a", "flat"], ["f"]),
            node("Unsqueeze", ["axis", "axis"], ["unused"]),
            node("Slice", ["f", "from", "to", "axis"], ["y"]),
        ],
        [f32("x", "N", 2, 4, 4)],
        [any_f32("y")],
        [
            floats("w", np.arange(8 * 2 * 3 * 3).reshape(8, 2, 3, 3) % 7),
            ints("split", [0, 2, 4, 4, 4]),
            ints("join", [0, 8, 4, 4]),
            ints("rest", [-1]),
            ints("from", [0]),
            ints("to", [2147483647]),
            ints("axis", [0]),
        ],
    )


@named
def branches():
    """Chains in the bodies of an If, which read a value of the outer graph by name."""
    bodies = [
        helper.make_graph([node("Transpose", ["x"], [name], name)], name, [], [any_f32(name)])
        for name in ("turned", "again")
    ]
    return model(
        [node("If", ["which"], ["y"], then_branch=bodies[0], else_branch=bodies[1])],
        [f32("x", 2, 3), value("which", TensorProto.BOOL, [])],
        [any_f32("y")],
    )


# ---- fewer nodes ---------------------------------------------------------------------------------


@named
def turns():
    """A Transpose and its inverse between two nodes; a run equal to one Reshape; a run equal to one Transpose."""
    made = model(
        [
            node("Relu", ["x"], ["a"], "first"),
            node("Transpose", ["a"], ["b"], "there", perm=[0, 2, 3, 1]),
            node("Identity", ["b"], ["c"], "same"),
            node("Transpose", ["c"], ["d"], "back", perm=[0, 3, 1, 2]),
            node("Sigmoid", ["d"], ["e"], "second"),
            node("Reshape", ["e", "flat"], ["f"], "flatten"),
            node("Unsqueeze", ["f", "front"], ["g"], "batch"),
            node("Reshape", ["g", "rows"], ["y"], "rows"),
            node("Reshape", ["e", "sixteen"], ["h"], "cut"),
            node("Transpose", ["h"], ["i"], "turn", perm=[0, 2, 1]),
            node("Reshape", ["i", "pixels"], ["z"], "join"),
        ],
        [f32("x", 1, 3, 4, 4)],
        [f32("y", 4, 12), f32("z", 1, 4, 4, 3)],
        [
            ints("flat", [48]),
            ints("front", [0]),
            ints("rows", [4, 12]),
            ints("sixteen", [1, 3, 16]),
            ints("pixels", [1, 4, 4, 3]),
        ],
    )
    made.graph.value_info.extend([f32("a", 1, 3, 4, 4), f32("b", 1, 4, 4, 3), f32("h", 1, 3, 16)])
    return made


@named
def results():
    """Results that equal other values keep their names: for one, the value is renamed; for others, a node stays."""
    return model(
        [
            node("Relu", ["x"], ["a"]),
            node("Transpose", ["a"], ["b"]),
            node("Transpose", ["b"], ["y"]),
            node("Transpose", ["b"], ["z"]),
            node("Flatten", ["x"], ["f"], axis=0),
            node("Reshape", ["f", "sizes"], ["w"], "last"),
        ],
        [f32("x", 2, 3)],
        [f32("y", 2, 3), f32("z", 2, 3), f32("w", 2, 3)],
        [ints("sizes", [2, 3])],
    )


@named
def merged_heads():
    """Joins the heads of attention, with a target from Shape; batch and tokens are open sizes."""
    return model(
        [
            node("Softmax", ["x"], ["a"], axis=-1),
            node("Transpose", ["a"], ["t"], "turn", perm=[0, 2, 1, 3]),
            node("Shape", ["t"], ["s"]),
            node("Gather", ["s", "zero"], ["b"]),
            node("Gather", ["s", "one"], ["n"]),
            node("Unsqueeze", ["b", "zeros"], ["ub"]),
            node("Unsqueeze", ["n", "zeros"], ["un"]),
            node("Unsqueeze", ["width", "zeros"], ["uw"]),
            node("Concat", ["ub", "un", "uw"], ["target"], axis=0),
            node("Reshape", ["t", "target"], ["y"], "join"),
        ],
        [f32("x", "batch", 12, "tokens", 64)],
        [f32("y", "batch", "tokens", 768)],
        [ints("zero", 0), ints("one", 1), ints("zeros", [0]), ints("width", 768)],
        opset=17,
    )


def rows(first):
    """Returns the constants of a slice that keeps at most `first` rows."""
    return [ints("starts", [0]), ints("ends", [first]), ints("axes", [0])]


@named
def cut():
    """Chains with an open size that a Slice limits: one contains the Slice, another reads a value of the new size."""
    return model(
        [
            node("Relu", ["x"], ["a"]),
            node("Slice", ["a", "starts", "ends", "axes"], ["s"], "cut"),
            node("Transpose", ["s"], ["t"], "turn", perm=[1, 0]),
            node("Relu", ["t"], ["b"]),
            node("Reshape", ["b", "flat"], ["y"], "flat"),
        ],
        [f32("x", "N", 4)],
        [any_f32("y")],
        [*rows(5), ints("flat", [-1])],
    )


@named
def cut_far():
    """A Slice whose end is a number that means the end of the axis."""
    return model(
        [
            node("Slice", ["x", "starts", "ends", "axes"], ["s"], "cut"),
            node("Relu", ["s"], ["a"]),
            node("Transpose", ["a"], ["y"], "turn", perm=[1, 0]),
        ],
        [f32("x", "N", 4)],
        [any_f32("y")],
        rows(1000000000),
    )


@named
def cut_open():
    """A Slice counted from the end of an axis whose size data decides."""
    return model(
        [
            node("Reshape", ["x", "t"], ["r"], "open"),
            node("Slice", ["r", "starts", "ends", "axes"], ["s"], "cut"),
            node("Gather", ["s", "twice"], ["y"], "pick"),
        ],
        [f32("x", "N"), helper.make_tensor_value_info("t", I64, [2])],
        [any_f32("y")],
        [ints("starts", [-2]), ints("ends", [3]), ints("axes", [0]), ints("twice", [0, 0])],
    )


@named
def window():
    """Inputs give the start and end of a slice, and how often it is repeated, next to a constant size."""
    return model(
        [
            node("Slice", ["x", "starts", "ends", "axes"], ["a"], "cut"),
            node("Concat", ["times", "one"], ["shape"], axis=0),
            node("Expand", ["a", "shape"], ["b"], "repeated"),
            node("Transpose", ["b"], ["y"], "turn", perm=[2, 1, 0]),
        ],
        [f32("x", "N", 4), value("starts", I64, [1]), value("ends", I64, [1]), value("times", I64, [2])],
        [any_f32("y")],
        [ints("axes", [0]), ints("one", [1])],
    )


@named
def bordered():
    """Inputs give the amounts and the axes of a Pad."""
    return model(
        [node("Pad", ["x", "pads", "", "axes"], ["y"], mode="edge")],
        [f32("x", "N", "M", 4), value("pads", I64, [4]), value("axes", I64, [2])],
        [any_f32("y")],
        opset=18,
    )


@named
def filled():
    """An input gives the number of rows of 1.5 before the rows of another input."""
    return model(
        [
            node("Concat", ["rows", "width"], ["shape"], axis=0),
            node("ConstantOfShape", ["shape"], ["a"], value=helper.make_tensor("", TensorProto.FLOAT, [1], [1.5])),
            node("Concat", ["a", "x"], ["y"], axis=0),
        ],
        [f32("x", "N", 4), value("rows", I64, [1])],
        [any_f32("y")],
        [ints("width", [4])],
    )


@named
def left():
    """Nodes that must stay: a target that a caller may change, a mask that is read, -1 next to an open size."""
    made = model(
        [
            node("Flatten", ["x"], ["a"], "flat"),
            node("Reshape", ["a", "target"], ["y"], "given"),
            node("Dropout", ["x"], ["b", "mask"], "drop"),
            node("Transpose", ["b"], ["z"], "turn"),
            node("Shape", ["x"], ["s"]),
            node("Slice", ["s", "nought", "one"], ["first"]),
            node("Slice", ["s", "one", "two"], ["second"]),
            node("Mul", ["second", "four"], ["width"]),
            node("Concat", ["first", "width"], ["joined"], axis=0),
            node("Reshape", ["x", "joined"], ["w"], "wide"),
        ],
        [f32("x", "batch", "tokens", 4), value("target", I64, [2])],
        [f32("y", "r", "c"), f32("z", 4, "tokens", "batch"), value("mask", TensorProto.BOOL, None), f32("w", "batch", "n")],
        [ints("target", [-1, 4]), ints("nought", [0]), ints("one", [1]), ints("two", [2]), ints("four", [4])],
        opset=14,  # Shape has no start yet
    )
    made.graph.output[2].CopyFrom(value("mask", TensorProto.BOOL, ["batch", "tokens", 4]))
    return made


@named
def copies_at_zero():
    """A computed entry next to -1: it may be 0 while the size that it then copies is not."""
    return model(
        [
            node("Transpose", ["x"], ["turned"], perm=[1, 0]),
            node("Shape", ["x"], ["sizes"]),
            node("Slice", ["sizes", "one", "two"], ["columns"]),
            node("Concat", ["one", "columns", "rest"], ["target"], axis=0),
            node("Reshape", ["turned", "target"], ["y"]),
        ],
        [f32("x", "rows", "columns")],
        [any_f32("y")],
        [ints("one", [1]), ints("two", [2]), ints("rest", [-1])],
        opset=14,
    )


@named
def copies_product_at_zero():
    """A computed entry next to -1: the product of the size that a 0 copies and of one that may be 0 on its own."""
    return model(
        [
            node("Shape", ["x"], ["sizes"]),
            node("Slice", ["sizes", "zero", "one"], ["rows"]),
            node("Slice", ["sizes", "one", "two"], ["columns"]),
            node("Mul", ["rows", "columns"], ["product"]),
            node("Concat", ["rest", "product"], ["target"], axis=0),
            node("Reshape", ["x", "target"], ["y"]),
        ],
        [f32("x", "rows", "columns")],
        [any_f32("y")],
        [ints("zero", [0]), ints("one", [1]), ints("two", [2]), ints("rest", [-1])],
        opset=14,
    )


@named
def old():
    """Before opset 5 a target is an attribute; before version 4 of the format initializers are inputs."""
    made = model(
        [
            node("Relu", ["x"], ["a"]),
            node("Reshape", ["a"], ["b"], "b", shape=[6, 4]),
            node("Reshape", ["b"], ["c"], "c", shape=[2, 2, 6]),
            node("Add", ["c", "bias"], ["y"]),
        ],
        [f32("x", 4, 6), f32("bias", 6)],
        [f32("y", 2, 2, 6)],
        [floats("bias", [1, 2, 3, 4, 5, 6])],
        opset=1,
    )
    made.graph.node[3].attribute.append(helper.make_attribute("broadcast", 1))
    made.ir_version = 3
    return made


@named
def in_bodies():
    """A value that a body reads keeps its name; the nodes of a body stay."""
    bodies = [
        helper.make_graph(
            [node("Transpose", ["t"], [f"{name}_i"]), node("Transpose", [f"{name}_i"], [name])],
            name, [], [f32(name, 2, 3)],
        )
        for name in ("one", "other")
    ]
    return model(
        [
            node("Transpose", ["x"], ["s"]),
            node("Transpose", ["s"], ["t"]),
            node("If", ["which"], ["y"], then_branch=bodies[0], else_branch=bodies[1]),
        ],
        [f32("x", 2, 3), value("which", TensorProto.BOOL, [])],
        [f32("y", 2, 3)],
    )


def unknown(number, text):
    """Returns the bytes of a field that no schema has."""
    tag = number << 3 | 2
    return bytes([tag & 127 | 128, tag >> 7, len(text)]) + text.encode()


@named
def unknown_fields():
    """turns() with fields that the schema does not have, in the model, its graph and a node."""
    made = turns()
    made.graph.node[4].MergeFromString(unknown(901, "of a node"))
    made.graph.node[9].MergeFromString(unknown(902, "of a node that is replaced"))
    made.graph.MergeFromString(unknown(903, "of the graph"))
    made.MergeFromString(unknown(904, "of the model"))
    return made


# ---- what is wrong -------------------------------------------------------------------------------


@named
def folded():
    """Known values become constants, equal nodes are merged, nodes that do nothing or are not read are removed."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "one"], ["columns"]),
            node("Unsqueeze", ["columns", "axes"], ["tail"]),
            node("Concat", ["minus", "tail"], ["target"], axis=0),
            node("Concat", ["target"], ["target2"], axis=0),
            node("Relu", ["x"], ["a"], "first"),
            node("Relu", ["x"], ["b"], "again"),
            node("Identity", ["a"], ["c"]),
            node("Cast", ["b"], ["d"], to=F32),
            node("Cast", ["b"], ["e"], "kept", to=TensorProto.BOOL),
            node("Constant", [], ["k"], value=floats("", [2, 3, 4])),
            node("Transpose", ["w"], ["turned"], perm=[1, 0]),
            node("Mul", ["turned", "k"], ["scaled"]),
            node("Add", ["c", "scaled"], ["m"], "sum"),
            node("Expand", ["d", "target2"], ["y"], "wide"),
            node("Neg", ["x"], ["unread"]),
        ],
        [f32("x", "N", 3)],
        [f32("m", "N", 3), f32("y", "N", 3), value("e", TensorProto.BOOL, ["N", 3])],
        [
            numpy_helper.from_array(np.array(1, np.int64), "one"),
            ints("axes", [0]),
            ints("minus", [1]),
            floats("w", [[1], [2], [3]]),
        ],
    )


@named
def in_branches():
    """Two bodies with redundant nodes. Only one of them reads the result of a Cast in the outer graph."""
    there = node("Transpose", ["x"], ["t"], perm=[1, 0])
    back = node("Transpose", ["t"], ["s"], perm=[1, 0])
    then = helper.make_graph([there, back, node("Neg", ["s"], ["n"], "kept")], "then", [], [any_f32("n")])
    other = helper.make_graph(
        [
            node("Constant", [], ["one"], value=floats("", 1)),
            node("Mul", ["c", "one"], ["m"]),
            node("Relu", ["m"], ["r"], "kept_too"),
        ],
        "other", [], [any_f32("r")],
    )
    return model(
        [
            node("Cast", ["x"], ["c"], to=F32),
            node("If", ["which"], ["y"], then_branch=then, else_branch=other),
        ],
        [f32("x", 2, 3), value("which", TensorProto.BOOL, [])],
        [f32("y", 2, 3)],
    )


@named
def twins_in_branches():
    """Equal nodes, each read in another body; two are equal only because their inputs are. A result keeps its node."""
    made = [f32(name, 2, 3) for name in "ab"]
    then = helper.make_graph([node("Neg", ["first"], ["a"]), node("Neg", ["root_2"], ["b"])], "then", [], made)
    other = helper.make_graph([node("Relu", ["second"], ["a"]), node("Add", ["root_1", "kept"], ["b"])], "other", [], made)
    return model(
        [
            node("Abs", ["x"], ["first"]),
            node("Abs", ["x"], ["second"]),
            node("Sqrt", ["first"], ["root_1"]),
            node("Sqrt", ["second"], ["root_2"]),
            node("Sqrt", ["first"], ["kept"]),
            node("If", ["which"], ["a", "b"], then_branch=then, else_branch=other),
        ],
        [f32("x", 2, 3), value("which", TensorProto.BOOL, [])],
        [*made, f32("kept", 2, 3)],
    )


@named
def passed_to_branches():
    """Bodies read the results of Identity nodes, whose inputs are an equal node, a result, and part of a run."""
    made = [f32(name, 2, 3) for name in ("a", "b", "c")]
    read = [node("Sum", ["twin_i", "named_i"], ["a"]), node("Neg", ["run_i"], ["c"])]
    then = helper.make_graph([*read, node("Relu", ["x"], ["b"])], "then", [], made)
    other = helper.make_graph([node("Neg", ["x"], [name]) for name in "abc"], "other", [], made)
    return model(
        [
            node("Abs", ["x"], ["first"]),
            node("Abs", ["x"], ["twin"]),
            node("Identity", ["twin"], ["twin_i"]),
            node("Sqrt", ["first"], ["root"]),
            node("Ceil", ["x"], ["named"]),
            node("Identity", ["named"], ["named_i"]),
            node("Identity", ["named"], ["ceiling"]),
            node("Reshape", ["flat", "size"], ["run"]),
            node("Identity", ["run"], ["run_i"]),
            node("Transpose", ["run_i"], ["turned"], perm=[1, 0]),
            node("If", ["which"], ["a", "b", "c"], then_branch=then, else_branch=other),
        ],
        [f32("x", 2, 3), f32("flat", 6), value("which", TensorProto.BOOL, [])],
        [*made, f32("root", 2, 3), f32("ceiling", 2, 3), f32("turned", 3, 2)], [ints("size", [2, 3])],
    )


@named
def passing_branch():
    """An If that three Identity nodes would replace, which is not an improvement."""
    outputs = [any_f32(name) for name in ("x", "x", "x")]
    bodies = [helper.make_graph([], name, [], outputs) for name in ("then", "else")]
    return model(
        [node("If", ["true"], ["a", "b", "c"], then_branch=bodies[0], else_branch=bodies[1])],
        [f32("x", "N")],
        [f32(name, "N") for name in "abc"],
        [numpy_helper.from_array(np.array(True), "true")],
    )


@named
def known_branch():
    """The rank decides an If. Its branch has a weight whose name the other branch also uses, returns one result twice,
    and returns a value of the outer graph."""
    bodies = [
        helper.make_graph(
            [node(op, ["x", "w"], ["a"], op), node("Relu", ["a"], ["b"])],
            op, [], [any_f32("b"), any_f32("b"), any_f32("x")], [floats("w", 2)],
        )
        for op in ("Mul", "Add")
    ]
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Size", ["s"], ["rank"]),
            node("Equal", ["rank", "two"], ["is_matrix"]),
            node("If", ["is_matrix"], ["y", "z", "v"], then_branch=bodies[0], else_branch=bodies[1]),
        ],
        [f32("x", "N", 6)],
        [f32("y", "N", 6), f32("z", "N", 6), f32("v", "N", 6)],
        [numpy_helper.from_array(np.array(2, np.int64), "two")],
    )


@named
def sinks():
    """Transposes before a Concat become one after it. Those around a product and a sum with a bias are removed, and the
    bias gets the other layout. One before Exp stays, because engines approximate Exp."""
    nhwc, nchw = {"perm": [0, 2, 3, 1]}, {"perm": [0, 3, 1, 2]}
    made = model(
        [
            node("Transpose", ["a"], ["at"], **nhwc),
            node("Transpose", ["b"], ["bt"], **nhwc),
            node("Concat", ["at", "bt"], ["joined"], "join", axis=3),
            node("Softmax", ["joined"], ["y"], "last_axis"),
            node("Mul", ["at", "bt"], ["product"], "scale"),
            node("Add", ["product", "bias"], ["sum"], "shift"),
            node("Transpose", ["sum"], ["back"], **nchw),
            node("Neg", ["back"], ["z"], "flip"),
            node("Transpose", ["c"], ["ct"], **nhwc),
            node("Exp", ["ct"], ["grown"], "grow"),
            node("Transpose", ["grown"], ["w"], **nchw),
        ],
        [f32(name, "N", 4, 5, 6) for name in "abc"],
        [f32("y", "N", 5, 6, 8), f32("z", "N", 4, 5, 6), f32("w", "N", 4, 5, 6)],
        [floats("bias", [1, 2, 3, 4])],
    )
    made.graph.value_info.append(f32("product", "N", 5, 6, 4))  # no node returns it afterwards
    return made


@named
def sinks_both_sides():
    """The second transpose is the inverse of the first, and the same: one side of it is between two of the nodes that the
    first can sink through, which also read its other side."""
    return model(
        [
            node("Transpose", ["a"], ["at"], perm=[1, 0]),
            node("Relu", ["at"], ["b"], "cut"),
            node("Transpose", ["b"], ["bt"], perm=[1, 0]),
            node("Add", ["bt", "b"], ["y"], "join"),
        ],
        [f32("a", 3, 3)],
        [f32("y", 3, 3)],
        [],
    )


@named
def sinks_shared():
    """A transpose sinks through a Concat that then reads what is before it; another one rises through that."""
    return model(
        [
            node("Concat", ["a", "b", "b"], ["rows"], "rows", axis=1),
            node("Transpose", ["rows"], ["columns"], perm=[1, 0]),
            node("Transpose", ["c"], ["ct"], perm=[1, 0]),
            node("Concat", ["c", "columns"], ["both"], "both", axis=0),
            node("Transpose", ["both"], ["y"], perm=[1, 0]),
            node("Concat", ["rows", "ct"], ["wide"], "wide", axis=1),
            node("Transpose", ["wide"], ["z"], perm=[1, 0]),
        ],
        [f32("a", 5, 2), f32("b", 5, 3), f32("c", 8, 5)],
        [f32("y", 5, 16), f32("z", 16, 5)],
        [],
    )


def branches(condition, result, then, other):
    """Returns an If with these two branches."""
    bodies = [
        helper.make_graph([node(op, ["x"], [f"{result}_{op}"])], op, [], [any_f32(f"{result}_{op}")])
        for op in (then, other)
    ]
    return node("If", [condition], [result], then_branch=bodies[0], else_branch=bodies[1])


LAST = 2**63 - 1


@named
def pairs():
    """Pairs of nodes that become one node."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "first_two"], ["a"], "sizes"),
            node("Slice", ["s", "minus_one", "last"], ["b"], "last_size"),
            node("Gather", ["x", "one"], ["c1"], axis=1),
            node("Unsqueeze", ["c1", "axis_1"], ["c"], "row"),
            node("Slice", ["x", "minus_one", "last", "axis_2"], ["d1"]),
            node("Squeeze", ["d1", "axis_2"], ["d"], "column"),
            node("ReduceMax", ["x", "axis_1"], ["e1"], keepdims=0),
            node("Unsqueeze", ["e1", "axis_1"], ["e"], "highest"),
            node("ArgMax", ["x"], ["f1"], axis=-1, keepdims=1),
            node("Squeeze", ["f1", "minus_one"], ["f"], "where"),
            node("Slice", ["x", "one_1", "three", "axis_1"], ["g1"]),
            node("Slice", ["g1", "both_starts", "both_ends", "both_axes"], ["g"], "part"),
            node("Slice", ["w", "one_1", "last", "axis_1"], ["h2"], "tail"),
            node("Slice", ["w", "zero", "one_1", "axis_1"], ["h1"], "head"),
            node("Sub", ["h2", "h1"], ["h"], "difference"),
            node("Squeeze", ["x"], ["i1"]),
            node("Transpose", ["i1"], ["i2"], perm=[2, 0, 1]),
            node("Transpose", ["i2"], ["i3"], perm=[1, 2, 0]),
            node("Neg", ["i3"], ["i"], "same_order"),
            node("ConstantOfShape", ["many"], ["j1"], value=floats("", [0.1])),
            node("Unsqueeze", ["j1", "axis_1"], ["j2"], "fill"),
            node("Add", ["j2", "y"], ["j"]),
            node("Not", ["which"], ["k1"]),
            branches("k1", "k", "Relu", "Neg"),
            branches("k1", "l", "Abs", "Neg"),
        ],
        [f32("x", "tokens", 3, 4), f32("y", 3, 4), f32("w", 2, 4), value("which", TensorProto.BOOL, [])],
        [
            value("a", I64, [2]), value("b", I64, [1]), f32("c", "tokens", 1, 4), f32("d", "tokens", 3),
            f32("e", "tokens", 1, 4), value("f", I64, ["tokens", 3]), f32("g", "tokens", 1, 2), f32("h", 2, 3),
            f32("i", "tokens", 3, 4), f32("j", 1500, 3, 4), f32("k", "tokens", 3, 4), f32("l", "tokens", 3, 4),
        ],
        [
            ints("first_two", [0, 1]), ints("minus_one", [-1]), ints("last", [LAST]), ints("one", 1), ints("zero", [0]),
            ints("one_1", [1]), ints("three", [3]), ints("axis_1", [1]), ints("axis_2", [2]), ints("many", [1500, 4]),
            ints("both_starts", [1, 1]), ints("both_ends", [LAST, 3]), ints("both_axes", [1, 2]),
        ],
    )


@named
def pairs_stay():
    """Pairs that stay: the first node has another reader, other axes, open sizes, or ranges counted from the end."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "apart"], ["a"], "not_one_range"),
            node("Gather", ["x", "one"], ["c1"], "read_twice", axis=1),
            node("Unsqueeze", ["c1", "axis_1"], ["c"]),
            node("Neg", ["c1"], ["c2"]),
            node("Gather", ["x", "one"], ["d1"], "of_another_axis", axis=2),
            node("Unsqueeze", ["d1", "zero"], ["d"]),
            node("ReduceMax", ["x", "axis_1"], ["e1"], "is_result", keepdims=0),
            node("Unsqueeze", ["e1", "axis_1"], ["e"]),
            node("Slice", ["x", "one_1", "minus_one", "two"], ["g1"], "ends_from_the_end"),
            node("Slice", ["g1", "zero", "one_1", "two"], ["g"]),
            node("Slice", ["w", "zero", "two", "axis_1"], ["h1"], "overlaps"),
            node("Slice", ["w", "one_1", "last", "axis_1"], ["h2"]),
            node("Slice", ["v", "zero", "one_1", "axis_1"], ["i1"], "leaves_some"),
            node("Slice", ["v", "two", "last", "axis_1"], ["i2"]),
            node("Slice", ["x", "zero", "one_1", "zero"], ["j1"], "open_size"),
            node("Slice", ["x", "one_1", "last", "zero"], ["j2"]),
            node("Not", ["which"], ["k1"], "is_result_too"),
            branches("k1", "k", "Relu", "Neg"),
        ],
        [f32("x", "tokens", 3, 4), f32("w", 2, 4), f32("v", 2, 4), value("which", TensorProto.BOOL, [])],
        [
            value("a", I64, [2]), f32("c", "tokens", 1, 4), f32("c2", "tokens", 4), f32("d", 1, "tokens", 3),
            f32("e1", "tokens", 4), f32("e", "tokens", 1, 4), f32("g", "tokens", 3, 1), f32("h1", 2, 2), f32("h2", 2, 3),
            f32("i1", 2, 1), f32("i2", 2, 2), f32("j1", "first", 3, 4), f32("j2", "rest", 3, 4),
            value("k1", TensorProto.BOOL, []), f32("k", "tokens", 3, 4),
        ],
        [
            ints("apart", [0, 2]), ints("minus_one", [-1]), ints("last", [LAST]), ints("one", 1), ints("zero", [0]),
            ints("one_1", [1]), ints("two", [2]), ints("axis_1", [1]),
        ],
    )


@named
def pairs_old():
    """Pairs in old opsets: lists are attributes, Shape has no start."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "first"], ["a"], "size"),
            node("Slice", ["x"], ["b1"], starts=[1], ends=[2], axes=[1]),
            node("Slice", ["b1"], ["b"], "part", starts=[1], ends=[LAST], axes=[2]),
            node("Slice", ["w"], ["c1"], "head", starts=[0], ends=[1], axes=[1]),
            node("Slice", ["w"], ["c2"], "tail", starts=[1], ends=[4], axes=[1]),
            node("Sub", ["c2", "c1"], ["c"]),
            node("ReduceMax", ["x"], ["d1"], axes=[-1], keepdims=0),
            node("Unsqueeze", ["d1"], ["d"], "highest", axes=[2]),
        ],
        [f32("x", "tokens", 3, 4), f32("w", 2, 4)],
        [value("a", I64, [1]), f32("b", "tokens", 1, 3), f32("c", 2, 3), f32("d", "tokens", 3, 1)],
        [ints("first", [0])],
        opset=9,
    )


@named
def sizes_again():
    """Sizes that are computed twice: from another tensor, in parts, and as an existing list. The sizes of y differ."""
    return model(
        [
            node("Shape", ["x"], ["s"], "first"),
            node("Gather", ["s", "apart"], ["a"], "two"),
            node("Relu", ["x"], ["r"]),
            node("Shape", ["r"], ["t"]),
            node("Gather", ["t", "apart"], ["b"]),
            node("Slice", ["t", "zero", "one"], ["c1"]),
            node("Slice", ["t", "one", "two"], ["c2"]),
            node("Concat", ["c1", "c2", "four"], ["c"], axis=0),
            node("Add", ["x", "y"], ["z"]),
            node("Shape", ["y"], ["u"], "of_y"),
            node("Neg", ["a"], ["i"]),
            node("Abs", ["b"], ["j"]),
            node("Sign", ["c"], ["k"]),
            node("Sign", ["u"], ["l"]),
        ],
        [f32("x", "N", "M", 4), f32("y", "N2", "M2", 4)],
        [f32("z", "N3", "M3", 4), value("i", I64, [2]), value("j", I64, [2]), value("k", I64, [3]), value("l", I64, [3])],
        [ints("apart", [0, 2]), ints("zero", [0]), ints("one", [1]), ints("two", [2]), ints("four", [4])],
    )


@named
def split_sizes():
    """A node that must stay returns sizes that exist already, and also a result of the model."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "zero"], ["f"]),
            node("Neg", ["f"], ["n"]),
            node("Split", ["s", "parts"], ["a", "r"], axis=0),
            node("Abs", ["a"], ["m"]),
        ],
        [f32("x", "N", "M", 4)],
        [value("n", I64, [1]), value("r", I64, [2]), value("m", I64, [1])],
        [ints("zero", [0]), ints("parts", [1, 2])],
    )


@named
def narrow_indices():
    """Indices of 8 bits that a Cast makes i64; too many to be evaluated as numbers."""
    table = (np.arange(10000) % 251).astype("u1").reshape(100, 100)
    return model(
        [node("Cast", ["table"], ["i"], to=TensorProto.INT64), node("Gather", ["x", "i"], ["y"], axis=0)],
        [f32("x", 256, 2)],
        [f32("y", 100, 100, 2)],
        [numpy_helper.from_array(table, "table")],
    )


@named
def large_twins():
    """Weights of 40,000 bytes: c equals a, d differs in the middle, e in shape; f has the same numbers as fields."""
    a = np.arange(10000, dtype="f4").reshape(100, 100)
    d = a.copy()
    d[50, 50] = 0
    weights = [numpy_helper.from_array(v, n) for v, n in [(a, "a"), (a, "c"), (d, "d"), (a.reshape(1, 100, 100), "e")]]
    weights.append(helper.make_tensor("f", TensorProto.FLOAT, [100, 100], a.reshape(-1)))
    return model(
        [node("Add", ["x", w.name], [f"y_{w.name}"]) for w in weights],
        [f32("x", 100, 100)],
        [f32(f"y_{w.name}", *w.dims) for w in weights],
        weights,
    )


@named
def halved(sizes=("batch", "height", "width")):
    """Concatenates results of two scales: sizes that are halved three and four times."""
    batch, height, width = sizes
    halve = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    return model(
        [
            *(node("MaxPool", [a], [b], **halve) for a, b in zip("xabc", "abcd")),
            node("Flatten", ["c"], ["e"]),
            node("Flatten", ["d"], ["f"]),
            node("Concat", ["e", "f"], ["y"], axis=1),
        ],
        [f32("x", batch, 3, height, width)],
        [f32("y", batch, None)],
    )


@named
def halved_long():
    return halved([f"{name}_of_all_the_images" for name in ("number", "height", "width")])


@named
def nameless_sizes():
    """Exporters' placeholders are not names, and names with the same identifier differ: all these sizes may differ."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "one"], ["a"]),
            node("Gather", ["s", "two"], ["b"]),
            node("Gather", ["s", "three"], ["c"]),
            node("Gather", ["s", "four"], ["d"]),
            node("Concat", ["a", "b", "c", "d"], ["e"], axis=0),
            node("Neg", ["e"], ["y"]),
        ],
        [f32("x", "None", "?", "?", "H/2", "H-2")],
        [value("y", I64, [4])],
        [ints("one", [1]), ints("two", [2]), ints("three", [3]), ints("four", [4])],
    )


@named
def inferred_sizes():
    """Computed sizes next to -1. The first target refuses T = 0, so T is at least 1 in the second; but B may be 0 in
    the third."""
    return model(
        [
            node("Neg", ["x"], ["n"]),
            node("Reshape", ["n", "first"], ["a1"], "proves_T"),
            node("Transpose", ["a1"], ["a"], perm=[1, 0, 2]),
            node("Shape", ["x"], ["s"]),
            node("Slice", ["s", "zero", "one"], ["B"]),
            node("Slice", ["s", "one", "two"], ["T"]),
            node("Mul", ["B", "two"], ["B2"]),
            node("Mul", ["T", "two"], ["T2"]),
            node("Concat", ["B2", "T", "eight"], ["of_B2"], axis=0),
            node("Concat", ["B", "T2", "eight"], ["of_T2"], axis=0),
            node("Reshape", ["n", "of_B2"], ["b"], "by_T"),
            node("Reshape", ["n", "of_T2"], ["c"], "by_B"),
        ],
        [f32("x", "B", "T", 16)],
        [f32("a", "T", "B", 16), f32("b", "B2", "T", 8), f32("c", "B", "T2", 8)],
        [ints("first", [-1, 0, 16]), ints("zero", [0]), ints("one", [1]), ints("two", [2]), ints("eight", [8])],
        opset=14,
    )


def apart_and_together(x, y, count, axis, prefix, rows=None):
    """Returns nodes that gather each row of an axis, negate it, and stack all rows again."""
    nodes = []
    for i in rows or range(count):
        nodes.append(node("Gather", [x, f"i{i}"], [f"{prefix}_g{i}"], axis=axis))
        nodes.append(node("Neg", [f"{prefix}_g{i}"], [f"{prefix}_n{i}"]))
        nodes.append(node("Unsqueeze", [f"{prefix}_n{i}", f"axis_{axis}"], [f"{prefix}_u{i}"]))
    stacked = [f"{prefix}_u{i}" for i in rows or range(count)]
    return [*nodes, node("Concat", stacked, [y], axis=axis)]


def rows_model(opset):
    return model(
        [
            *apart_and_together("x", "a", 4, 0, "r"),
            node("Slice", ["z", "from_end", "to_start", "axis_1", "from_end"], ["back"]),
            *apart_and_together("back", "b", 3, 1, "s"),
        ],
        [f32("x", 4, "tokens", 6), f32("z", 2, 3, 5)],
        [f32("a", 4, "tokens", 6), f32("b", 2, 3, 5)],
        [
            *[ints(f"i{i}", i) for i in range(4)], ints("axis_0", [0]), ints("axis_1", [1]), ints("from_end", [-1]),
            ints("to_start", [-LAST]),
        ],
        opset=opset,
    )


@named
def rows_apart():
    """Splits a tensor into rows and stacks them again; another one in reverse order."""
    return rows_model(18)


@named
def rows_apart_17():
    return rows_model(17)


@named
def rows_stay():
    """Rows that stay: of the last axis, with two open sizes, not all rows, or a row with another reader."""
    made = model(
        [
            *apart_and_together("x", "a", 3, 1, "last_axis"),
            *apart_and_together("y", "b", 3, 0, "two_open"),
            *apart_and_together("z", "c", 4, 0, "not_all", [0, 1, 3]),
            node("Abs", ["not_all_u1"], ["d"]),
        ],
        [f32("x", 4, 3), f32("y", 3, "batch", "tokens"), f32("z", 4, 2, 6)],
        [f32("a", 4, 3), f32("b", 3, "batch", "tokens"), f32("c", 3, 2, 6), f32("d", 1, 2, 6)],
        [*[ints(f"i{i}", i) for i in range(4)], ints("axis_0", [0]), ints("axis_1", [1])],
    )
    return made


@named
def weights_computed():
    """Computed weights stay computed: engines add products in another order if weights are constants."""
    then = helper.make_graph([node("MatMul", ["x", "in_body"], ["t"])], "then", [], [any_f32("t")])
    other = helper.make_graph([node("Neg", ["x"], ["n"])], "other", [], [any_f32("n")])
    return model(
        [
            node("Transpose", ["w"], ["turned"], perm=[1, 0]),
            node("MatMul", ["x", "turned"], ["a"]),
            node("Identity", ["w"], ["same"]),
            node("Gemm", ["x", "same"], ["b"]),
            node("Transpose", ["u"], ["in_body"], perm=[1, 0]),
            node("If", ["which"], ["c"], then_branch=then, else_branch=other),
            node("Transpose", ["w"], ["free"], perm=[0, 1]),
            node("MatMul", ["free", "x"], ["d"], "first_operand"),
        ],
        [f32("x", 3, 3), value("which", TensorProto.BOOL, [])],
        [f32("a", 3, 3), f32("b", 3, 3), f32("c", 3, 3), f32("d", 3, 3)],
        [floats("w", [[1, 2, 3], [4, 5, 6], [7, 8, 9]]), floats("u", [[2, 0, 1], [0, 3, 0], [1, 0, 4]])],
    )


@named
def neutral():
    """Operands that change nothing, and two that do: adding 0 turns -0 into 0, and ones that broadcast."""
    return model(
        [
            node("Mul", ["ones", "x"], ["a"]),
            node("Div", ["a", "one"], ["b"]),
            node("Sub", ["b", "zero"], ["c"]),
            node("Add", ["c", "minus_zero"], ["d"]),
            node("Relu", ["d"], ["u"], "all_neutral"),
            node("Add", ["x", "zero"], ["v"], "makes_0_of_minus_0"),
            node("Mul", ["x", "plane"], ["w"], "broadcasts"),
            node("Slice", ["x", "start", "start", "last"], ["none"]),
            node("Concat", ["none", "x", "none"], ["e"], axis=-1),
            node("Neg", ["e"], ["y"], "without_empty_ones"),
        ],
        [f32("x", "B", 3)],
        [f32("u", "B", 3), f32("v", "B", 3), f32("w", 2, "B", 3), f32("y", "B", 3)],
        [
            floats("ones", [1, 1, 1]),
            floats("one", 1),
            floats("zero", [0]),
            floats("minus_zero", -0.0),
            floats("plane", [[[1]], [[1]]]),
            ints("start", [0]),
            ints("last", [1]),
        ],
    )


@named
def zero_states():
    """An LSTM whose initial states are zeros with the batch's size, as exporters write them."""
    weights = [floats(n, np.linspace(-1, 1, 8 * k).reshape(1, 8, k)) for n, k in (("w", 3), ("r", 2))]
    return model(
        [
            node("Shape", ["x"], ["sizes"], start=1, end=2),
            node("Concat", ["two", "sizes", "two"], ["shape"], axis=0),
            node("ConstantOfShape", ["shape"], ["states"]),
            node("Slice", ["states", "from_0", "to_1", "from_0"], ["h"]),
            node("Slice", ["states", "to_1", "two", "from_0"], ["c"]),
            node("LSTM", ["x", "w", "r", "", "", "h", "c"], ["y"], "layer", hidden_size=2),
        ],
        [f32("x", "T", "B", 3)],
        [f32("y", "T", 1, "B", 2)],
        [*weights, ints("two", [2]), ints("from_0", [0]), ints("to_1", [1])],
    )


@named
def unsorted():
    """Nodes in any order; only a branch reads one of them."""
    then = helper.make_graph([node("Identity", ["late"], ["t"])], "then", [], [any_f32("t")])
    other = helper.make_graph([node("Neg", ["x"], ["n"])], "else", [], [any_f32("n")])
    return model(
        [
            node("Reshape", ["t1", "shape"], ["y"], "rows"),
            node("If", ["which"], ["z"], then_branch=then, else_branch=other),
            node("Transpose", ["x"], ["t1"], "turn", perm=[1, 0]),
            node("Relu", ["x"], ["late"]),
        ],
        [f32("x", 4, 6), value("which", TensorProto.BOOL, [])],
        [f32("y", 24), any_f32("z")],
        [ints("shape", [-1])],
    )


@named
def known_if():
    """Shapes decide the condition: the rank is 2, so the branch with the Transpose is taken."""
    then = helper.make_graph([node("Transpose", ["x"], ["t"], "turn", perm=[1, 0])], "then", [], [any_f32("t")])
    other = helper.make_graph([node("Neg", ["x"], ["n"])], "else", [], [any_f32("n")])
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Size", ["s"], ["rank"]),
            node("Equal", ["rank", "two"], ["is_matrix"]),
            node("If", ["is_matrix"], ["b"], then_branch=then, else_branch=other),
            node("Reshape", ["b", "shape"], ["y"], "flat"),
        ],
        [f32("x", "N", 6)],
        [f32("y", None)],
        [numpy_helper.from_array(np.array(2, np.int64), "two"), ints("shape", [-1])],
    )


@named
def declared():
    """Results of operators of another domain: one with a declared type, and one without, whose shape is unknown."""
    made = model(
        [
            node("Turn", ["x"], ["a"], domain="com.example"),
            node("Transpose", ["a"], ["b"], "turn", perm=[1, 0, 2]),
            node("Turn", ["x"], ["c"], "other", domain="com.example"),
            node("Relu", ["c"], ["d"]),
            node("Transpose", ["d"], ["y"], "lost", perm=[1, 0]),
            node("NonZero", ["x"], ["places"]),
            node("Transpose", ["places"], ["z"], "open", perm=[1, 0]),
            node("Relu", ["b"], ["w"]),
        ],
        [f32("x", "N", 6)],
        [any_f32("y"), value("z", I64, None), any_f32("w")],
        more=[helper.make_opsetid("com.example", 1)],
    )
    made.graph.value_info.extend([f32("a", "N", 3, "rest")])
    return made


@named
def declared_otherwise():
    """Inferred sizes take precedence over declared ones."""
    made = model(
        [node("Relu", ["x"], ["a"], "first"), node("Transpose", ["a"], ["y"], "turn", perm=[1, 0])],
        [f32("x", 4, 6)],
        [f32("y", 4, 6)],
    )
    made.graph.value_info.extend([f32("a", 4, 7)])
    return made


@named
def wrong_perm():
    return model(
        [node("Identity", ["x"], ["i"]), node("Transpose", ["i"], ["y"], "turn", perm=[0, 2, 1])],
        [f32("x", 2, 3)],
        [any_f32("y")],
    )


@named
def wrong_operator():
    return model([node("Conv", ["x", "x"], ["y"], "c1")], [f32("x", 1, 1, 3, 3)], [any_f32("y")])


@named
def scales():
    """A detector: each of seven scales halves the image, and its boxes become rows of one list."""
    nodes, constants, image, rows = [], [floats("turn", np.zeros([8, 8, 3, 3])), floats("see", np.zeros([8, 3, 3, 3]))], "x", []
    for i in range(7):
        nodes.append(node("Conv", [image, "turn" if i else "see"], [f"half{i}"], strides=[2, 2], pads=[1, 1, 1, 1]))
        nodes.append(node("Relu", [f"half{i}"], [f"image{i}"]))
        image = f"image{i}"
        nodes.append(node("Transpose", [image], [f"t{i}"], perm=[0, 2, 3, 1]))
        nodes.append(node("Shape", [image], [f"batch{i}"], start=0, end=1))
        nodes.append(node("Concat", [f"batch{i}", "rest"], [f"target{i}"], axis=0))
        nodes.append(node("Reshape", [f"t{i}", f"target{i}"], [f"r{i}"]))
        rows.append(f"r{i}")
    nodes += [node("Concat", rows, ["all"], axis=1), node("Sigmoid", ["all"], ["y"])]
    return model(nodes, [f32("x", "B", 3, "H", "W")], [any_f32("y")], [*constants, ints("rest", [-1, 4])])


@named
def wrong_domain():
    more = [helper.make_opsetid("com.example", 1)]
    turn = node("Turn", ["x"], ["y"], domain="com.example")
    return model([turn], [f32("x", 2)], [any_f32("y")], more=more)


@named
def wrong_cycle():
    return model(
        [node("Identity", ["b"], ["a"]), node("Identity", ["a"], ["b"])],
        [f32("x", 2)],
        [any_f32("b")],
    )


@named
def wrong_twice():
    return model(
        [node("Identity", ["x"], ["y"]), node("Transpose", ["x"], ["y"])],
        [f32("x", 2)],
        [any_f32("y")],
    )


@named
def wrong_attribute():
    return model(
        [node("Reshape", ["x", "s"], ["y"], allowzero=1)],
        [f32("x", 2)],
        [any_f32("y")],
        [ints("s", [2])],
        opset=13,
    )


@named
def wrong_opset():
    return model([node("Identity", ["x"], ["y"])], [f32("x", 2)], [any_f32("y")], opset=99)


@named
def wrong_young():
    """An operator that is newer than the opset."""
    return model(
        [node("Expand", ["x", "s"], ["y"])], [f32("x", 2)], [any_f32("y")], [ints("s", [2])], opset=7
    )


@named
def wrong_type():
    return model([node("Identity", ["x"], ["y"])], [value("x", 27, [2])], [value("y", 27, [2])])


@named
def wrong_output():
    return model([node("Transpose", ["x"], ["y"])], [f32("x", 2, 3)], [f32("y", 2, 3)])


@named
def wrong_count():
    """No elements, but sizes whose product numpy cannot represent."""
    return model([node("Identity", ["x"], ["y"])], [f32("x", 4, 0, 2**62)], [any_f32("y")])


@named
def copied_zero():
    """[N, M] for f32[N, 4]: if M is 0, the entry copies 4."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "first"], ["n"]),
            node("Shape", ["z"], ["m"]),
            node("Concat", ["n", "m"], ["t"], axis=0),
            node("Reshape", ["x", "t"], ["y"]),
        ],
        [f32("x", "N", 4), f32("z", "M")],
        [any_f32("y")],
        [ints("first", [0])],
    )


@named
def copied_beside_infer():
    """[B-1, -1] for f32[A, B]: if B is 1, the entry copies A."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "one"], ["b"]),
            node("Sub", ["b", "one"], ["rows"]),
            node("Concat", ["rows", "rest"], ["t"], axis=0),
            node("Reshape", ["x", "t"], ["y"]),
        ],
        [f32("x", "A", "B")],
        [any_f32("y")],
        [ints("one", [1]), ints("rest", [-1])],
    )


@named
def copied_beside_infer_of_known():
    """[8*K, -1] for f32[12, K, K]: if K is 0, the entry copies 12."""
    return model(
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "one"], ["k"]),
            node("Mul", ["k", "eight"], ["rows"]),
            node("Concat", ["rows", "rest"], ["t"], axis=0),
            node("Reshape", ["x", "t"], ["y"]),
        ],
        [f32("x", 12, "K", "K")],
        [any_f32("y")],
        [ints("one", [1]), ints("eight", [8]), ints("rest", [-1])],
    )


@named
def copied_beside_infer_of_weight():
    """[K, 0, -1] for a small weight of 3x4x3 integers, which could be sizes: if K is 0, the entry copies 3."""
    return model(
        [
            node("Shape", ["x"], ["k"]),
            node("Concat", ["k", "zero", "rest"], ["t"], axis=0),
            node("Reshape", ["w", "t"], ["y"]),
        ],
        [f32("x", "K")],
        [helper.make_tensor_value_info("y", TensorProto.UINT8, [None] * 3)],
        [ints("zero", [0]), ints("rest", [-1]), numpy_helper.from_array(np.arange(36, dtype="u1").reshape(3, 4, 3), "w")],
    )


@named
def copied_beside_infer_of_data():
    """[0, 0, -1, K], where data decide the size K: if K is 0, -1 becomes 0, not the quotient without K."""
    return model(
        [
            node("Reshape", ["x", "t"], ["w"], allowzero=1),
            node("Shape", ["w"], ["s"], start=4),
            node("Concat", ["copies", "rest", "s"], ["u"], axis=0),
            node("Reshape", ["w", "u"], ["v"]),
            node("Shape", ["v"], ["rows"], start=2, end=3),
            node("Concat", ["copy", "rows", "rest"], ["r"], axis=0),
            node("Reshape", ["z", "r"], ["y"]),
        ],
        [f32("x", 0, 6, 8), helper.make_tensor_value_info("t", TensorProto.INT64, [5]), f32("z", 2, 1, 6, 0)],
        [any_f32("y")],
        [ints("copies", [0, 0]), ints("copy", [0]), ints("rest", [-1])],
        opset=21,
    )


@named
def copied_behind_rank():
    """[1, 3, 24, 1, N'] for f32[3, 24, N'], N' = min(N, 1): there is no fifth size to copy, so N must be at least 1."""
    return model(
        [
            node("Shape", ["n"], ["ends"]),
            node("Slice", ["x", "zero", "ends", "two"], ["v"]),
            node("Shape", ["v"], ["s"], start=2),
            node("Concat", ["sizes", "s"], ["t"], axis=0),
            node("Reshape", ["v", "t"], ["w"]),
            node("Shape", ["w"], ["y"], start=4),
        ],
        [f32("x", 3, 24, 1), f32("n", "N")],
        [any_f32("v"), helper.make_tensor_value_info("y", TensorProto.INT64, None)],
        [ints("zero", [0]), ints("two", [2]), ints("sizes", [1, 3, 24, 1])],
    )


@named
def bound_by_slice():
    """D is N - min(2, N), which the output files state."""
    return model(
        [node("Slice", ["x", "first", "last", "first"], ["v"]), node("Concat", ["z", "v"], ["y"], axis=1)],
        [f32("x", "N", 2), f32("z", "D", 2)],
        [any_f32("y")],
        [ints("first", [0]), ints("last", [-2])],
    )


@named
def bound_by_half():
    """[K / 2, 2] for f32[K]: K is twice a size that the call computes from K."""
    return model(
        [node("Shape", ["x"], ["s"]), node("Div", ["s", "two"], ["h"]), node("Concat", ["h", "two"], ["t"], axis=0), node("Reshape", ["x", "t"], ["y"])],
        [f32("x", "K")],
        [any_f32("y")],
        [ints("two", [2])],
    )


@named
def wrong_counted():
    made = model([node("Identity", ["w"], ["y"])], [], [any_f32("y")], [floats("w", [])])
    made.graph.initializer[0].dims[:] = [2**40, 2**30]
    return made


@named
def wrong_payload():
    """Known bug D1: the payload does not match the sizes."""
    made = model(
        [node("Concat", ["x", "w"], ["y"], axis=0)], [f32("x", 3)], [any_f32("y")], [floats("w", [1, 2])]
    )
    made.graph.initializer[0].dims[0] = 1000000
    return made


@named
def wrong_target():
    """A target with more entries than any shape, which no initializer lists."""
    one = helper.make_tensor("", I64, [1], [1])
    nodes = [node("ConstantOfShape", ["many"], ["c"], value=one), node("Reshape", ["x", "c"], ["y"])]
    return model(nodes, [f32("x", 4)], [any_f32("y")], [ints("many", [2000000])])


@named
def wrong_target_type():
    nodes = [node("ConstantOfShape", ["many"], ["c"]), node("Reshape", ["x", "c"], ["y"])]
    return model(nodes, [f32("x", 4)], [any_f32("y")], [ints("many", [1 << 33])])


@named
def wrong_recursion():
    call = node("F", ["a"], ["b"], domain="own")
    f = helper.make_function("own", "F", ["a"], ["b"], [call], [helper.make_opsetid("", 18)])
    return model(
        [node("F", ["x"], ["y"], domain="own")], [f32("x", 2)], [any_f32("y")], functions=[f],
        more=[helper.make_opsetid("own", 1)],
    )


def main(folder, *names):
    os.makedirs(folder, exist_ok=True)
    for name in names or MODELS:
        with open(os.path.join(folder, name + ".onnx"), "wb") as file:
            file.write(MODELS[name]().SerializeToString())


if __name__ == "__main__":
    main(*sys.argv[1:])
