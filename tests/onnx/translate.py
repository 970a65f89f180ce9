# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns an ONNX model and the data of one of its tests into a graph of reshapec.

    Reshape(data, shape), shape = [4, -1]   becomes   y0 = onnx.reshape(x0, [4, -1], opset=25)

Only what data flows through becomes code. Sizes, axes, pads, indices and the like are tensors in
ONNX; they are taken from the test's data (or computed from it, where the model does) and stand in
the text as lists. What cannot be said in reshapec raises LeftOut with the reason.
"""

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

TYPES = {
    "FLOAT16": "f16",
    "BFLOAT16": "bf16",
    "FLOAT": "f32",
    "DOUBLE": "f64",
    "COMPLEX64": "c64",
    "COMPLEX128": "c128",
    "FLOAT4E2M1": "f4e2m1",
    "BOOL": "bool",
    "STRING": "string",
    **{f"INT{bits}": f"i{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"UINT{bits}": f"u{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"FLOAT8{f.upper()}": f"f8{f}" for f in ("e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0")},
}
PACKED_BITS = {"i4": 4, "u4": 4, "f4e2m1": 4, "i2": 2, "u2": 2}


class LeftOut(Exception):
    """Why a case is not run."""


def type_name(number):
    """1 (onnx.TensorProto.FLOAT) is "f32"."""
    name = onnx.TensorProto.DataType.Name(number)
    if name not in TYPES:
        raise LeftOut(f"element type {name}")
    return TYPES[name]


class Tensor:
    """Element type and sizes as reshapec spells them, and the elements, packed as it packs them."""

    def __init__(self, proto, handles):
        self.dtype, self.dims = type_name(proto.data_type), list(proto.dims)
        self.array = numpy_helper.to_array(proto)
        if self.dtype == "string":
            # reshapec moves handles. Equal strings get one number, so results can be compared.
            numbers = [handles.setdefault(s, len(handles) + 1) for s in self.array.reshape(-1)]
            self.data = np.array(numbers, "<u8").view(np.uint8)
        elif self.dtype in PACKED_BITS:
            self.data = packed(self.array, PACKED_BITS[self.dtype])
        else:
            flat = np.ascontiguousarray(self.array).reshape(-1)
            self.data = flat.view(np.uint8)

    def text(self):
        return self.dtype + (bracket(self.dims) if self.dims else "")


def packed(array, bits):
    """One element a byte to several, the first in the lowest bits: 4-bit [1, 2, 3] to 0x21 0x03."""
    each = 8 // bits
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8) & ((1 << bits) - 1)
    rows = np.concatenate([flat, np.zeros(-flat.size % each, np.uint8)]).reshape(-1, each)
    return (rows << (np.arange(each, dtype=np.uint8) * bits)).sum(axis=1, dtype=np.uint8)


def bracket(values):
    return "[" + ", ".join(bracket(v) if isinstance(v, list) else str(v) for v in values) + "]"


def element(value, dtype):
    """One element as the text has it; Python's floats print so that reading gives them back."""
    if dtype in ("string", "c64", "c128"):
        raise LeftOut(f"a pad with a value of type {dtype}")
    if dtype == "bool":
        return "true" if value else "false"
    return repr(int(value) if dtype[0] in "iu" else float(value))


# ---- the operators: each gives the name of reshapec's and its arguments after the tensors --------


def reshape(node):
    shape = node.ints("shape", 1)
    given = [f"opset={node.opset}"]
    for name in ("allowzero", "consumed_inputs"):
        if node.attribute(name) is not None:
            given.append(f"{name}={node.attribute(name)}")
    return "onnx.reshape", [bracket(shape), *given]


def axes_of(op):
    def translated(node):
        axes = node.ints("axes", 1)
        return op, [] if axes is None else [f"axes={bracket(axes)}"]

    return translated


def transpose(node):
    perm = node.attribute("perm")
    return "transpose", [] if perm is None else [bracket(perm)]


def flatten(node):
    return "flatten", node.named("axis")


def slice_(node):
    lists = {"starts": 1, "ends": 2, "axes": 3, "steps": 4}
    values = {name: node.ints(name, at) for name, at in lists.items()}
    return "slice", [f"{k}={bracket(v)}" for k, v in values.items() if v is not None]


def concat(node):
    axis = node.attribute("axis")
    return "concat", [f"axis={1 if axis is None else axis}"]  # the default of the first opsets


def split(node):
    sizes, parts = node.ints("split", 1), node.attribute("num_outputs")
    if sizes is not None:
        how = [f"sizes={bracket(sizes)}"]
    elif parts is not None:
        how = [f"num_outputs={parts}"]
    else:
        how = [f"parts={len(node.proto.output)}"]
    return "split", node.named("axis") + how


def expand(node):
    return "expand", [bracket(node.ints("shape", 1))]


def identity(node):
    del node
    return "identity", []


def depth_to_space(node):
    return "depth_to_space", node.named("blocksize", "mode")


def space_to_depth(node):
    return "space_to_depth", node.named("blocksize", "mode")


def tile(node):
    if node.opset < 6:
        raise LeftOut("Tile before opset 6 repeats one axis")
    return "tile", [bracket(node.ints("repeats", 1))]


def pad(node):
    pads = node.attribute("paddings") if node.opset < 2 else node.ints("pads", 1)
    given, value = node.named("mode"), node.attribute("value")
    if value is None and node.has(2):
        value = node.value(2).array.reshape(-1)[0]
    if value is not None and node.attribute("mode") in (None, "constant"):
        given.append(f"value={element(value, node.type(0))}")
    axes = node.ints("axes", 3)
    return "pad", [bracket(pads), *given] + ([] if axes is None else [f"axes={bracket(axes)}"])


def gather(node):
    indices = node.value(1).array
    if indices.size == 0 and indices.ndim != 1:
        raise LeftOut("indices without entries of several dimensions")
    text = bracket(indices.tolist()) if indices.ndim else str(int(indices))
    return "gather", [text, *node.named("axis")]


def reverse_sequence(node):
    return "reverse_sequence", [
        bracket(node.ints("sequence_lens", 1)),
        *node.named("time_axis", "batch_axis"),
    ]


def cast(node):
    return "cast", [type_name(node.attribute("to")), *node.named("saturate", "round_mode")]


def cast_like(node):
    return "cast", [node.type(1), *node.named("saturate", "round_mode")]


def activation(op, **numbers):
    """A function of an element, with what reshapec has in place of ONNX's attributes."""

    def translated(node):
        schema = onnx.defs.get_schema(node.proto.op_type, node.opset)
        for name, number in numbers.items():
            value = node.attribute(name)
            if value is None:
                value = helper.get_attribute_value(schema.attributes[name].default_value)
            if np.float32(value) != np.float32(number):
                raise LeftOut(f"{op} with another {name} than {number}")
        if node.attribute("approximate") not in (None, "none"):
            raise LeftOut(f"{op}, approximate")
        return op, []

    return translated


def softmax(node):
    if node.opset < 13:
        raise LeftOut("Softmax before opset 13 flattens its operand")
    if node.attribute("axis") not in (None, -1):
        raise LeftOut("softmax along another axis than -1")
    return "softmax", []


# What means the same in both. Round does not: ONNX takes halves to even.
ACTIVATIONS = {
    **{n: activation(n.lower()) for n in "Relu Sigmoid Tanh Softplus Softsign Mish Gelu".split()},
    **{n: activation(n.lower()) for n in "Exp Log Sqrt Reciprocal Abs Ceil Floor".split()},
    **{n: activation(n.lower()) for n in "Sin Cos Tan Sinh Cosh".split()},
    **{f"A{n}": activation(f"a{n}") for n in "sin cos tan sinh cosh tanh".split()},
    "HardSwish": activation("hard_swish"),
    "LeakyRelu": activation("leaky_relu", alpha=0.02),
    "Elu": activation("elu", alpha=1),
    "Celu": activation("celu", alpha=1),
    "HardSigmoid": activation("hard_sigmoid", alpha=0.2, beta=0.5),
    "Swish": activation("swish", alpha=1),
    "ThresholdedRelu": activation("thresholded_relu", alpha=1),
    "Softmax": softmax,
}
# Of these the last bits are not laid down.
INEXACT = set(ACTIVATIONS) - {"Relu", "Abs", "Ceil", "Floor", "ThresholdedRelu"}

# ONNX's name -> how many of its inputs are tensors that flow (None: all), and the function above.
OPERATORS = {
    "Reshape": (1, reshape),
    "Squeeze": (1, axes_of("squeeze")),
    "Unsqueeze": (1, axes_of("unsqueeze")),
    "Transpose": (1, transpose),
    "Flatten": (1, flatten),
    "Slice": (1, slice_),
    "Concat": (None, concat),
    "Split": (1, split),
    "Expand": (1, expand),
    "Identity": (1, identity),
    "DepthToSpace": (1, depth_to_space),
    "SpaceToDepth": (1, space_to_depth),
    "Tile": (1, tile),
    "Pad": (1, pad),
    "Gather": (1, gather),
    "ReverseSequence": (1, reverse_sequence),
    "Cast": (1, cast),
    "CastLike": (1, cast_like),
    **{name: (1, translated) for name, translated in ACTIVATIONS.items()},
}


class Node:
    """What an operator's function may ask of its node."""

    def __init__(self, model, proto):
        self.model, self.proto, self.opset = model, proto, model.opset
        self.attributes = {a.name: helper.get_attribute_value(a) for a in proto.attribute}
        self.asked = set()  # attribute names and input numbers

    def attribute(self, name):
        self.asked.add(name)
        value = self.attributes.get(name)
        return value.decode() if isinstance(value, bytes) else value

    def has(self, at):
        return at < len(self.proto.input) and self.proto.input[at] != ""

    def value(self, at):
        self.asked.add(at)
        return self.model.value(self.proto.input[at])

    def refuse_rest(self, tensors):
        """Nothing that a node says may be dropped silently."""
        for name in self.attributes:
            if name not in self.asked:
                raise LeftOut(f"attribute {name} of {self.proto.op_type}-{self.opset}")
        for at in range(len(self.proto.input)):
            if tensors is not None and at >= tensors and self.has(at) and at not in self.asked:
                raise LeftOut(f"input {at} of {self.proto.op_type}-{self.opset}")

    def type(self, at):
        return self.value(at).dtype

    def ints(self, name, at):
        """A list: an attribute in old opsets, an input in new ones; None if it is left out."""
        given = self.attribute(name)
        if given is None and self.has(at):
            given = self.value(at).array.reshape(-1).tolist()
        return None if given is None else list(given)

    def named(self, *names):
        """These attributes, as far as they are given, as arguments by name."""
        given = [(name, self.attribute(name)) for name in names]
        return [
            f'{name}="{value}"' if isinstance(value, str) else f"{name}={value}"
            for name, value in given
            if value is not None
        ]


# ---- models --------------------------------------------------------------------------------------


class Model:
    """One model with the data of one test: its text, and the tensors that go in and come out."""

    def __init__(self, name, model, inputs, outputs, operators):
        """`inputs` and `outputs` are TensorProtos; `operators` is {reshapec's name: arguments}."""
        self.name, self.operators = name, operators
        self.opset_imports = list(model.opset_import)
        versions = {o.domain: o.version for o in self.opset_imports}
        self.opset = versions.get("", versions.get("ai.onnx"))
        handles = {}
        given = {t.name: t for t in model.graph.initializer}
        given.update({i.name: t for i, t in zip(model.graph.input, inputs)})
        self.known = {n: Tensor(t, handles) for n, t in given.items()}
        self.outputs = [Tensor(t, handles) for t in outputs]
        self.makers = {o: n for n in model.graph.node for o in n.output if o}
        self.names = {}  # a value of the model that flows -> its name in the text
        self.inputs, self.calls, self.called = [], [], []
        self.is_exact = True
        for i, out in enumerate(model.graph.output):
            self.names.setdefault(out.name, f"y{i}")
        for i, out in enumerate(model.graph.output):
            value = self.operand(out.name)
            if value != f"y{i}":  # an input as it is, or what is a result already
                self.calls.append(f"y{i} = identity({value})")

    def operand(self, name):
        """The name in the text of a value that flows; what makes it is written first."""
        maker = self.makers.get(name)
        if maker is None or maker.op_type == "Constant":
            tensor = self.value(name)
            if tensor not in self.inputs:
                self.inputs.append(tensor)
            return f"x{self.inputs.index(tensor)}"
        if not any(maker is called for called in self.called):
            self.called.append(maker)
            self.calls.append(self.call(maker))
        return self.names[name]

    def call(self, maker):
        """The text of one node: `v2 = transpose(x0, [1, 0])`."""
        if maker.domain not in ("", "ai.onnx") or maker.op_type not in OPERATORS:
            raise LeftOut(f"operator {maker.op_type}")
        tensors, translated = OPERATORS[maker.op_type]
        node = Node(self, maker)
        op, arguments = translated(node)
        if op not in self.operators:
            raise LeftOut(f"operator {maker.op_type}")
        node.refuse_rest(tensors)
        for name in (a.split("=")[0] for a in arguments if "=" in a):
            if name not in self.operators[op]:
                raise LeftOut(f"{op} without {name}")
        args = [self.operand(n) for n in list(maker.input)[:tensors]]
        for out in maker.output:
            self.names.setdefault(out, f"v{len(self.names)}" if out else "_")
        self.is_exact = self.is_exact and maker.op_type not in INEXACT
        results = ", ".join("_" if not out else self.names[out] for out in maker.output)
        return f"{results} = {op}({', '.join(args + arguments)})"

    def value(self, name):
        """What a value of the model is in this test; by ONNX's own evaluator, node by node."""
        if name not in self.known:
            maker = self.makers[name]
            fed = {n: self.value(n).array for n in maker.input if n}
            graph = helper.make_graph(
                [maker],
                "one",
                [onnx.ValueInfoProto(name=n) for n in fed],
                [onnx.ValueInfoProto(name=n) for n in maker.output if n],
            )
            model = helper.make_model(graph, opset_imports=self.opset_imports)
            made = ReferenceEvaluator(model).run(None, fed)
            for out, array in zip([n for n in maker.output if n], made):
                self.known[out] = Tensor(numpy_helper.from_array(np.asarray(array)), {})
        return self.known[name]

    def text(self):
        ins = ", ".join(f"x{i}: {t.text()}" for i, t in enumerate(self.inputs))
        outs = ", ".join(f"y{i}: {t.text()}" for i, t in enumerate(self.outputs))
        if len(self.outputs) > 1:
            outs = f"({outs})"
        lines = "".join(f"    {call}\n" for call in self.calls)
        return f"graph {self.name}({ins}) -> {outs} {{\n{lines}}}\n"
