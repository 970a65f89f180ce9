# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""optimize_seen.py RESHAPEC: what `optimize` leaves of models that are more than the nodes of a graph.

A line per model: the nodes that are left, as operator and result, or the message.
"""

import subprocess
import sys

import onnx
from onnx import AttributeProto, helper, parser, save

TURNS = "(float[2,3] x) => (float[2,3] y) { t = Transpose(x) u = Transpose(t) i = Identity(u) y = Neg(i) }"
BODY = "(float[2,3] x, bool c) => (float[2,3] y) { i = Identity(x) y = If(c) <then_branch = t () => (float[2,3] a) " \
       "{ j = Identity(i) a = Neg(j) }, else_branch = e () => (float[2,3] b) { b = Abs(i) }> }"  # fmt: skip
CYCLE = "(float[2,3] x) => (float[2,3] y) { j = Identity(k) k = Identity(j) y = Neg(j) }"


def model(graph, opset=17, ir_version=8):
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("com.example", 1)]
    return helper.make_model(parser.parse_graph("g " + graph), opset_imports=imports, ir_version=ir_version)


def training():
    made = model(TURNS)
    made.training_info.add().algorithm.CopyFrom(parser.parse_graph("a () => (float[2,3] z) { z = Neg(i) }"))
    return made


def quantized():
    made = model(TURNS)
    annotation = made.graph.quantization_annotation.add(tensor_name="i")
    annotation.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="u")
    return made


def bodies():
    """An attribute with two bodies, of which one reads a result, and one a result that another name would do for."""
    made = model(TURNS)
    node = helper.make_node("Choose", [], ["z"], domain="com.example")
    attribute = node.attribute.add(name="bodies", type=AttributeProto.GRAPHS)
    attribute.graphs.append(parser.parse_graph("b () => (float[2,3] z1) { z1 = MatMul(x, t) }"))
    attribute.graphs.append(parser.parse_graph("b () => (float[2,3] z2) { w = Identity(u) z2 = Neg(w) }"))
    made.graph.node.append(node)
    made.graph.output.append(helper.make_tensor_value_info("z", 1, [2, 3]))
    return made


def function():
    """A chain that begins in the graph, and ends in a function with more nodes than the graph."""
    made = model("(float[2,3] x) => (float[2,3] y) { t = Transpose(x) y = com.example.F(t) }")
    nodes = [helper.make_node("Identity", ["a"], [f"a{i}"]) for i in range(3)] + [helper.make_node("Transpose", ["a"], ["b"])]
    made.functions.append(helper.make_function("com.example", "F", ["a"], ["b"], nodes, [helper.make_opsetid("", 17)]))
    return made


def negative():
    """A size of -1, as some writers have it, is open: the rows are taken by one Split."""
    taken = " ".join(f"r{i} = Gather(x, i{i}) n{i} = Neg(r{i})" for i in range(3))
    constants = ", ".join(f"int64 i{i} = {{{i}}}" for i in range(3))
    made = model(f"(float[3,N,5] x) => (float[A,B] y) <{constants}> {{ {taken} y = Sum(n0, n1, n2) }}")
    made.graph.input[0].type.tensor_type.shape.dim[1].dim_value = -1
    return made


def sparse():
    """A sparse constant: nodes read it as a dense tensor, but as a result of the model it would be a sparse one."""
    made = model("(float[3] x) => (float[3] y, float[3] z) { y = Identity(c) z = Add(x, c) }")
    values = helper.make_tensor("v", 1, [1], [2.0]), helper.make_tensor("i", 7, [1], [1])
    made.graph.node.insert(0, helper.make_node("Constant", [], ["c"], sparse_value=helper.make_sparse_tensor(*values, [3])))
    return made


def begin():
    """One of two elements of a constant: which one is data."""
    return model("(float[9] x, int64[1] a, int64[1] b) => (float[3] y) <float[2] c = {1, 2}, int64[1] z = {0}, int64[1] k = {2}, "
                 "int64[2] p = {1, 1}> { s = Slice(x, a, b, z) n = Shape(s) i = Slice(c, n, k, z, k) "
                 "y = Pad <mode = \"wrap\"> (i, p) }", 19)  # fmt: skip


def copied():
    """The rows of y: N/2*K, or 2 if that is 0."""
    return model("(float[1,N] a, float[K] b, float[2,M] x) => (float[P,Q] y, int64[1] z) <int64[2] half = {2, -1}, "
                 "int64[1] zero = {0}> { h = Reshape(a, half) n = Shape <start = 1> (h) k = Shape(b) p = Mul(n, k) "
                 "t = Concat <axis = 0> (p, zero) y = Reshape(x, t) s = Shape <end = 1> (y) z = Neg(s) }", 19)  # fmt: skip


def without(field, part):
    """A damaged model: a part of it lacks a field."""
    made = model(TURNS)
    part(made).ClearField(field)
    return made


MODELS = {
    "training": training(),
    "quantized": quantized(),
    "bodies": bodies(),
    "function": function(),
    "sequence": model("(float[2,3] x, seq(float[2,3]) s, int64 k) => (float[2,3] y) "
                      "{ i = Identity(s) t = SequenceAt(i, k) y = Add(t, x) }"),
    "negative size": negative(),
    "sparse": sparse(),
    "unknown begin": begin(),
    "copied size": copied(),
    "old body": model(BODY, opset=8, ir_version=3),
    "body": model(BODY),
    "no operator": without("op_type", lambda made: made.graph.node[2]),
    "no type": without("type", lambda made: made.graph.input[0]),
    "no value": model("(float[2,3] x) => (float[2,3] y) { c = Constant() y = Add(x, c) }"),
    "cycle": model(CYCLE),
    "cycle, opset 99": model(CYCLE, opset=99),
}  # fmt: skip

for name, given in MODELS.items():
    save(given, "given.onnx")
    done = subprocess.run([sys.argv[1], "optimize", "given.onnx", "-o", "made.onnx"], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{name}: {done.stderr.strip()}")
        continue
    left = onnx.load("made.onnx")
    print(f"{name}: " + ", ".join(" ".join([node.op_type, *node.output]).strip() for node in left.graph.node))
