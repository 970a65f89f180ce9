# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models that call their own functions, and NumPy's results."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def refers(node, **attributes):
    """Makes attributes of a node refer to those of the call: refers(node, mode="how")."""
    for name, to in attributes.items():
        kind = {"mode": "STRING", "value_ints": "INTS", "value": "TENSOR", "axis": "INT"}[name]
        node.attribute.append(onnx.AttributeProto(name=name, ref_attr_name=to, type=kind))
    return node


def function(name, inputs, nodes, attributes=(), defaults=None, **more):
    made = helper.make_function(
        "own", name, inputs, ["r"], nodes, [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)], list(attributes), **more
    )
    made.attribute_proto.extend(helper.make_attribute(n, v) for n, v in (defaults or {}).items())
    return made


def call(name, inputs, output="y", overload="", **attributes):
    return helper.make_node(name, inputs, [output], "call", domain="own", overload=overload, **attributes)


def save(name, nodes, functions, y, x=np.arange(6, dtype=np.float32).reshape(2, 3)):
    info = [helper.make_tensor_value_info(n, TensorProto.FLOAT, a.shape) for n, a in (("x", x), ("y", y))]
    graph = helper.make_graph(nodes, name, info[:1], info[1:])
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, functions=functions, ir_version=10), f"{name}.onnx")
    np.save(f"{name}.x.npy", x)
    np.save(f"{name}.npy", y)
    return x


ONE_EACH = helper.make_node("Constant", [], ["p"], value_ints=[0, 1, 0, 2])
pad = function("Border", ["a"], [ONE_EACH, refers(helper.make_node("Pad", ["a", "p"], ["r"]), mode="how")], [], {"how": "wrap"})
x = np.arange(6, dtype=np.float32).reshape(2, 3)
wrapped, held = np.pad(x, ((0, 0), (1, 2)), "wrap"), np.pad(x, ((0, 0), (1, 2)), "edge")
save("default", [call("Border", ["x"])], [pad], wrapped)
save("given", [call("Border", ["x"], how="edge")], [pad], held)

# A function that passes its own attribute on, whose default holds in the one that it calls.
outer = function("Outer", ["a"], [call("Border", ["a"], "r")], [], {"way": "edge"})
outer.node[0].attribute.append(onnx.AttributeProto(name="how", ref_attr_name="way", type="STRING"))
save("passed", [call("Outer", ["x"])], [pad, outer], held)

# A weight that is a default.
weight = np.arange(100, 300, dtype=np.float32).reshape(2, 100)
held_weight = refers(helper.make_node("Constant", [], ["w"]), value="weight")
beside = function("Beside", ["a"], [held_weight, helper.make_node("Concat", ["a", "w"], ["r"], axis=1)], [],
                  {"weight": numpy_helper.from_array(weight)})  # fmt: skip
save("weight", [call("Beside", ["x"])], [beside], np.concatenate([x, weight], 1))

# The list of a Constant, which the call has by another name.
target = refers(helper.make_node("Constant", [], ["t"]), value_ints="sizes")
reshape = function("To", ["a"], [target, helper.make_node("Reshape", ["a", "t"], ["r"])], ["sizes"])
save("list", [call("To", ["x"], sizes=[3, 1, 2])], [reshape], x.reshape(3, 1, 2))

# Functions of one name.
turn = function("Turn", ["a"], [helper.make_node("Transpose", ["a"], ["r"])], overload="all")
keep = function("Turn", ["a"], [helper.make_node("Identity", ["a"], ["r"])], overload="none")
save("overload", [call("Turn", ["x"], "z", "none"), call("Turn", ["z"], overload="all")], [turn, keep], np.ascontiguousarray(x.T))

# Inputs that the call leaves out; two functions pass one on.
fill = function("Fill", ["a", "v", "p"], [helper.make_node("Pad", ["a", "p", "v"], ["r"])])
one_more = helper.make_node("Constant", [], ["p"], value_ints=[0, 0, 0, 1])
passing = function("Pass", ["a", "v", "w"], [one_more, call("Fill", ["a", "v", "p"], "b"), helper.make_node("Clip", ["b", "w"], ["r"])])
save("omitted", [call("Pass", ["x"])], [fill, passing], np.pad(x, ((0, 0), (0, 1))))
