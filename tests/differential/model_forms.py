# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites a random ONNX model in another form that computes the same.

Some nodes become the body of a function, the taken branch of an If, or the body of a Loop. A value passes through a
sequence, constants get other attributes, and nodes are added whose results are not read. The expected results are those
of the original model, so they do not depend on how the evaluators implement functions.
"""

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper

DOMAIN = "net"
I64_MAX = (1 << 63) - 1
# Operators with optional trailing inputs: since which opset, and the number of inputs with all of them.
OPTIONAL = {
    "Slice": (10, 5), "Pad": (11, 3), "Split": (13, 2), "Squeeze": (13, 2), "Trilu": (14, 2), "Dropout": (12, 3),
    "Clip": (11, 3), "Resize": (13, 4),
}  # fmt: skip
PLAIN = {
    AttributeProto.INT, AttributeProto.FLOAT, AttributeProto.INTS, AttributeProto.FLOATS, AttributeProto.STRING,
    AttributeProto.TENSOR,
}  # fmt: skip


def copy(message):
    return type(message).FromString(message.SerializeToString())


def branches(node):
    return [a.g for a in node.attribute if a.type == AttributeProto.GRAPH]


def all_nodes(nodes):
    """Returns these nodes and those of their branches."""
    return [m for n in nodes for m in [n, *[k for g in branches(n) for k in all_nodes(g.node)]]]


def reads(node):
    """Returns the values that a node reads, including those that its branches read from outside."""
    names = [i for i in node.input if i]
    for graph in branches(node):
        inside = {o for n in graph.node for o in n.output} | {v.name for v in [*graph.initializer, *graph.input]}
        names += [i for n in graph.node for i in reads(n) if i not in inside]
        names += [o.name for o in graph.output if o.name not in inside]
    return names


def rename(nodes, names):
    """Renames values, also in branches."""
    for node in nodes:
        for names_of in (node.input, node.output):
            for i, name in enumerate(names_of):
                names_of[i] = names.get(name, name)
        for graph in branches(node):
            rename(graph.node, names)
            for value in graph.output:
                value.name = names.get(value.name, value.name)


class Forms:
    """Rewrites one model. `random` is a numpy generator."""

    def __init__(self, random, model, prefix):
        self.random, self.model, self.prefix, self.count = random, copy(model), prefix, 0
        self.graph = self.model.graph
        self.opset = self.model.opset_import[0].version

    def draw(self, options):
        return options[int(self.random.integers(len(options)))]

    def chance(self, part):
        return bool(self.random.random() < part)

    def name(self, stem):
        self.count += 1
        return f"{stem}_{self.count}"

    def node_name(self, stem):
        return f"{self.prefix}_{self.name(stem)}"

    # -- the graph --

    def constant(self, array):
        name = self.name("fc")
        self.graph.initializer.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, op, inputs, outputs, **attributes):
        return helper.make_node(op, inputs, outputs, self.node_name(op), **attributes)

    def types(self):
        """Returns {name: element type} of all values with a known type."""
        try:
            graph = onnx.shape_inference.infer_shapes(self.model).graph
        except onnx.shape_inference.InferenceError:
            return {}
        values = [*graph.value_info, *graph.output, *graph.input]
        kinds = {v.name: v.type.tensor_type.elem_type for v in values if v.type.HasField("tensor_type")}
        kinds.update({t.name: t.data_type for t in graph.initializer})
        return {name: kind for name, kind in kinds.items() if kind}

    def replace(self, first, end, nodes):
        """Replaces the nodes from `first` to before `end`."""
        new = [copy(n) for n in self.graph.node]
        new[first:end] = nodes
        self.graph.ClearField("node")
        self.graph.node.extend(new)

    def span(self):
        """Returns a random range of nodes: (first, end, copies of them, inputs, outputs that others read)."""
        first = int(self.random.integers(len(self.graph.node)))
        end = min(len(self.graph.node), first + self.draw([1, 1, 2, 3, 4, 5]))
        nodes = [copy(n) for n in self.graph.node[first:end]]
        made = [o for n in nodes for o in n.output if o]
        others = [*self.graph.node[:first], *self.graph.node[end:]]
        later = {i for n in others for i in reads(n)} | {o.name for o in self.graph.output}
        inputs = dict.fromkeys(i for n in nodes for i in reads(n) if i not in made)
        return first, end, nodes, list(inputs), [o for o in made if o in later]

    # -- functions --

    def function(self):
        first, end, body, inputs, outputs = self.span()
        if not outputs:
            return
        arguments, inner = list(inputs), [f"a{i}" for i in range(len(inputs))]
        names = dict(zip(inputs, inner))
        if self.chance(0.5) and not any(branches(n) for n in body):  # reuse names of values outside
            taken = [o for n in self.graph.node for o in n.output if o]
            made = [o for n in body for o in n.output if o]
            names.update(zip(made, [str(t) for t in self.random.permutation(taken)]))
        rename(body, names)
        self.leave_out(body, arguments, inner)
        given, plain, defaults = self.attributes(body)
        name, overload = self.name("F"), ""
        if self.chance(0.2):
            overload = self.draw(["one", "other"])
            self.model.ir_version = max(self.model.ir_version, 10)
            self.add_function(name, ["a0"], ["r"], [helper.make_node("Shape", ["a0"], ["r"])], "another")
        self.add_function(name, inner, [names.get(o, o) for o in outputs], body, overload, plain, defaults)
        while arguments and not arguments[-1]:
            arguments.pop()
        call = helper.make_node(name, arguments, outputs, self.node_name("call"), domain=DOMAIN)
        call.attribute.extend(given)
        if overload:
            call.overload = overload
        self.replace(first, end, [call])

    def leave_out(self, body, arguments, inner):
        """Turns inputs that a node leaves out into inputs of the function, which its call leaves out."""
        for node in all_nodes(body):
            since, most = OPTIONAL.get(node.op_type, (0, 0))
            if self.opset >= since and self.chance(0.4):
                node.input.extend([""] * (most - len(node.input)))
            for i, name in enumerate(node.input):
                if not name and (self.chance(0.5) or i + 1 == len(node.input)):
                    node.input[i] = f"left_out{len(inner)}"
                    at = self.draw([0, len(inner)])
                    inner.insert(at, node.input[i])
                    arguments.insert(at, "")

    def attributes(self, body):
        """Makes attributes of the body references. Returns (call's attributes, names without default, defaults)."""
        given, plain, defaults = [], [], []
        for node in all_nodes(body):
            for attribute in node.attribute:
                if attribute.type not in PLAIN or not self.chance(0.4):
                    continue
                value, name, kind = copy(attribute), attribute.name, attribute.type
                value.name = f"{name}{len(given) + len(defaults)}"
                attribute.Clear()
                attribute.name, attribute.type, attribute.ref_attr_name = name, kind, value.name
                way = self.draw(["given", "default", "both"])
                if way == "given":
                    plain.append(value.name)
                else:
                    defaults.append(self.other(value) if way == "both" else value)
                if way != "default":
                    given.append(value)
        return given, plain, defaults

    def other(self, value):
        """Returns a different default, which the call overrides."""
        other = copy(value)
        other.i += 1 if value.type == AttributeProto.INT and value.i < I64_MAX else 0
        del other.ints[1:]
        return other

    def add_function(self, name, inputs, outputs, body, overload, plain=(), defaults=()):
        if not any(o.domain == DOMAIN for o in self.model.opset_import):
            self.model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
        sets = [copy(o) for o in self.model.opset_import]
        function = helper.make_function(DOMAIN, name, inputs, outputs, body, sets, list(plain))
        function.attribute_proto.extend(defaults)
        if overload:
            function.overload = overload
        self.model.functions.append(function)

    # -- branches and loops --

    def condition(self, truth):
        """Returns (nodes, name) of a condition with the value `truth`: constant, or computed from constants or sizes."""
        way = self.draw(["constant", "constant", "node", "not", "size"])
        if way == "size" and self.opset >= 9 and self.graph.input:  # a size is never below 0
            size, name = self.name("size"), self.name("is")
            nodes = [self.node("Size", [self.draw([v.name for v in self.graph.input])], [size])]
            op, bound = ("Greater", -1) if truth else ("Less", 0)
            return [*nodes, self.node(op, [size, self.constant(np.array(bound))], [name])], name
        if way == "not":
            name = self.name("is")
            return [self.node("Not", [self.constant(np.array(not truth))], [name])], name
        if way == "node":
            name = self.name("is")
            return [self.node("Constant", [], [name], value=numpy_helper.from_array(np.array(truth)))], name
        return [], self.constant(np.array(truth).reshape(self.draw([(), (1,)])))

    def inside(self, stem):
        """Returns a span with new names: (first, end, nodes, outputs, their names inside, their types)."""
        kinds = self.types()
        first, end, nodes, _, outputs = self.span()
        if not outputs or not all(o in kinds for o in outputs):
            return None
        names = {o: self.name(stem) for n in nodes for o in n.output if o}
        rename(nodes, names)
        return first, end, nodes, outputs, [names[o] for o in outputs], [kinds[o] for o in outputs]

    def branch(self):
        span = self.inside("in")
        if not span:
            return
        first, end, nodes, outputs, made, kinds = span
        truth = self.chance(0.5)
        before, condition = self.condition(truth)
        taken = helper.make_graph(
            nodes, self.name("taken"), [], [helper.make_tensor_value_info(m, k, None) for m, k in zip(made, kinds)]
        )
        others = [self.name("else") for _ in made]
        other = helper.make_graph(
            [self.empty(o, k, [2, 0]) for o, k in zip(others, kinds)], self.name("other"), [],
            [helper.make_tensor_value_info(o, k, None) for o, k in zip(others, kinds)],
        )  # fmt: skip
        both = {"then_branch": taken, "else_branch": other} if truth else {"then_branch": other, "else_branch": taken}
        self.replace(first, end, [*before, self.node("If", [condition], outputs, **both)])

    def empty(self, name, kind, dims):
        return self.node("Constant", [], [name], value=helper.make_tensor(name, kind, dims, []))

    def loop(self):
        span = self.inside("in")
        if not span or self.opset < 11:
            return
        first, end, nodes, outputs, made, kinds = span
        step, going, goes = self.name("step"), self.name("going"), self.name("goes")
        nodes.append(self.node("Identity", [going], [goes]))
        carried = [helper.make_tensor_value_info(self.name("carried"), k, None) for k in kinds]
        body = helper.make_graph(
            nodes, self.name("body"),
            [helper.make_tensor_value_info(step, TensorProto.INT64, []),
             helper.make_tensor_value_info(going, TensorProto.BOOL, []), *carried],
            [helper.make_tensor_value_info(goes, TensorProto.BOOL, []),
             *[helper.make_tensor_value_info(m, k, None) for m, k in zip(made, kinds)]],
        )  # fmt: skip
        started = [self.name("start") for _ in kinds]
        count = self.constant(np.array(self.draw([1, 1, 2])))
        loop = self.node("Loop", [count, self.constant(np.array(True)), *started], outputs, body=body)
        self.replace(first, end, [*[self.empty(s, k, [0]) for s, k in zip(started, kinds)], loop])

    # -- sequences, constants, unread nodes --

    def sequence(self):
        kinds, outputs = self.types(), {o.name for o in self.graph.output}
        made = [(i, o) for i, n in enumerate(self.graph.node) for o in n.output if o in kinds and o not in outputs]
        if self.opset < 11 or not made:
            return
        at, name = self.draw(made)
        beside = [o for i, o in made if i <= at and o != name and kinds[o] == kinds[name]]
        parts, place = [name], 0
        if beside and self.chance(0.6):
            place = self.draw([0, 1])
            parts.insert(1 - place, self.draw(beside))
        all_of_them, taken = self.name("all"), self.name("taken")
        index = np.array(place - (len(parts) if self.chance(0.4) else 0), self.draw([np.int64, np.int32]))
        nodes = [self.node("SequenceConstruct", parts, [all_of_them])]
        if self.chance(0.3):  # insert one more at the front, and erase it again
            longer, start = self.name("all"), self.constant(np.array(0))
            nodes.append(self.node("SequenceInsert", [all_of_them, name, start], [longer]))
            all_of_them = self.name("all")
            nodes.append(self.node("SequenceErase", [longer, start], [all_of_them]))
        nodes.append(self.node("SequenceAt", [all_of_them, self.constant(index)], [taken]))
        for node in self.graph.node[at + 1 :]:
            rename([] if branches(node) else [node], {name: taken})
        self.replace(at + 1, at + 1, nodes)

    def constants(self):
        """Turns initializers into Constant nodes, with the attributes for lists, numbers and sparse tensors."""
        inputs, nodes, rest = {v.name for v in self.graph.input}, [], []
        for tensor in self.graph.initializer:
            attributes = self.constant_attribute(tensor) if self.opset >= 12 and self.chance(0.6) else None
            if not attributes or tensor.name in inputs:
                rest.append(copy(tensor))
            else:
                nodes.append(self.node("Constant", [], [tensor.name], **attributes))
        self.graph.ClearField("initializer")
        self.graph.initializer.extend(rest)
        self.replace(0, 0, nodes)

    def constant_attribute(self, tensor):
        array = numpy_helper.to_array(tensor)
        word = {TensorProto.INT64: "int", TensorProto.FLOAT: "float"}.get(tensor.data_type)
        if not word or array.ndim > 2:
            return None
        if array.ndim == 0:
            return {f"value_{word}": array.item()}
        if array.ndim == 1 and array.size and self.chance(0.6):
            return {f"value_{word}s": array.tolist()}
        flat = array.reshape(-1)
        places = np.flatnonzero((flat != 0) | np.signbit(flat.astype(np.float64)))
        tuples = array.ndim == 2 and self.chance(0.5)
        indices = np.stack(np.unravel_index(places, array.shape), -1) if tuples else places
        return {"sparse_value": helper.make_sparse_tensor(
            helper.make_tensor(tensor.name, tensor.data_type, [len(places)], flat[places].tolist()),
            helper.make_tensor("", TensorProto.INT64, indices.shape, indices.reshape(-1).tolist()), array.shape,
        )}  # fmt: skip

    def unread(self):
        """Inserts nodes whose results are not read."""
        kinds = self.types()
        at = int(self.random.integers(len(self.graph.node) + 1))
        there = [v.name for v in self.graph.input] + [o for n in self.graph.node[:at] for o in n.output if o in kinds]
        there = [n for n in there if kinds.get(n) not in (None, TensorProto.STRING)]
        if not there:
            return
        x, made = self.draw(there), self.name("unread")
        nodes = self.draw([
            [self.node("Gather", [x, self.constant(np.zeros(0, np.int64))], [made])],
            [self.node("Shape", [x], [made]), self.node("Size", [made], [self.name("u")])],
            [self.node("Identity", [x], [made]), self.node("Transpose", [made], [self.name("u")])],
            [self.node("Reshape", [x, self.constant(np.array([-1]))], [made])],
        ])  # fmt: skip
        self.replace(at, at, nodes)

    def made(self):
        """Returns the model in another form."""
        self.model.ir_version = max(self.model.ir_version, 8)
        ways = [self.function] * 4 + [self.branch] * 2 + [self.loop, self.sequence, self.constants, self.unread]
        for _ in range(self.draw([1, 1, 2, 3])):
            self.draw(ways)()
        return self.model
