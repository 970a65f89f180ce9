# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""models.py FOLDER: writes models of several layers."""
import os
import sys

import numpy as np

from ir import Ir


# A convolution between two chains; pooling, which the compiler does not know, before a third.
def chains(batch):
    ir = Ir()
    x = ir.parameter("x", [batch, 4, 8, 8])
    a = ir.layer("Reshape", [x, ir.const([0, 2, 2, 8, 8])], [[batch, 2, 2, 8, 8]], name="a", special_zero="true")
    b = ir.layer("Transpose", [a, ir.const([0, 2, 1, 3, 4])], [[batch, 2, 2, 8, 8]], name="b")
    c = ir.layer("Reshape", [b, ir.const([0, 4, 8, 8])], [[batch, 4, 8, 8]], name="c", special_zero="true")
    weights = ir.const(np.zeros([4, 4, 3, 3]), "f4")
    d = ir.layer("Convolution", [c, weights], [[batch, 4, 8, 8]], name="d", strides="1,1", pads_begin="1,1",
                 pads_end="1,1", dilations="1,1", auto_pad="explicit")
    e = ir.layer("Transpose", [d, ir.const([0, 2, 3, 1])], [[batch, 8, 8, 4]], name="e")
    f = ir.layer("MaxPool", [e], [[batch, 4, 4, 4]], name="f", strides="2,2", kernel="2,2", pads_begin="0,0",
                 pads_end="0,0", rounding_type="floor")
    g = ir.layer("Transpose", [f, ir.const([0, 3, 1, 2])], [[batch, 4, 4, 4]], name="g")
    h = ir.layer("Pad", [g, ir.const([0, 0, 1, 1]), ir.const([0, 0, 1, 1])], [[batch, 4, 6, 6]], name="h",
                 pad_mode="wrap")
    ir.result(h)
    return ir


# x: [N, 3, 4] to [N*3, 4], by arithmetic on its shape in i32; the layers are in no order.
def sizes():
    ir = Ir()
    x = ir.parameter("x", [-1, 3, 4])
    shape = ir.layer("ShapeOf", [x], [[3]], "i32", version="opset3", output_type="i32")
    first = ir.layer("Gather", [shape, ir.const(0), ir.const(0)], [[]], version="opset8")
    second = ir.layer("Gather", [shape, ir.const([1]), ir.const(0)], [[1]], version="opset8")
    both = ir.layer("Multiply", [first, second], [[1]], auto_broadcast="numpy")
    target = ir.layer("Concat", [both, ir.const([4], "i4")], [[2]], axis=0)
    ir.result(ir.layer("Reshape", [x, target], [[-1, 4]], name="y", special_zero="false"))
    ir.layers.reverse()
    return ir


# The same value twice, a Parameter and a constant as results; two layers of one name.
def results():
    ir = Ir()
    x = ir.parameter("x", [2, 3])
    y = ir.layer("Transpose", [x, ir.const([1, 0])], [[3, 2]], name="y")
    again = ir.layer("Transpose", [y, ir.const([1, 0])], [[2, 3]], name="y")
    for value in (y, y, again, x, ir.const([1, 2])):
        ir.result(value)
    return ir


# Constants of each type that has a counterpart here are joined to inputs of the type.
def types():
    ir = Ir()
    for kind in ("f4", "f2", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        constant = ir.const([1, 2], kind)
        x = ir.parameter(f"x_{constant.dtype}", [1], constant.dtype)
        ir.result(ir.layer("Concat", [x, constant], [[3]], name=constant.dtype, axis=0))
    for dtype in ("boolean", "bf16", "u4", "i4", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1", "string"):
        x = ir.parameter(f"x_{dtype}", [2, 4], dtype)
        ir.result(ir.layer("Transpose", [x, ir.const([1, 0])], [[4, 2]], name=dtype))
    return ir


# A parameter of any rank, a layer that the compiler does not know, and two that it does. As for a scalar, the file lists
# no sizes of the first two.
def ranks(shape):
    ir = Ir()
    x = ir.layer("Parameter", [], [[]], "f32", "x", shape=shape, element_type="f32")
    clamped = ir.layer("Clamp", [x], [[]], name="clamped", min="0", max="1")
    rows = ir.layer("Reshape", [clamped, ir.const([-1, 1])], [[-1, 1]], name="rows", special_zero="false")
    ir.result(ir.layer("Transpose", [rows, ir.const([1, 0])], [[1, -1]], name="columns"))
    sliced = [ir.const([0]), ir.const([1]), ir.const([1])]
    ir.result(ir.layer("StridedSlice", [x, *sliced], [[]], name="part", begin_mask="0", end_mask="0"))
    return ir


os.makedirs(sys.argv[1], exist_ok=True)
MADE = {"chains": chains(1), "open": chains(-1), "sizes": sizes(), "results": results(), "types": types(),
        "any_rank": ranks("..."), "scalar": ranks("")}
for name, ir in MADE.items():
    ir.write(os.path.join(sys.argv[1], name))
