# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of ONNX's node tests, as reshapec takes them.

The inputs that a model's data flows through belong to the code; its other inputs (sizes, axes, pads, indices) are
tensors in ONNX too. They become initializers with the values of the test's data: the static tier. Targets of Reshape
and indices can be inputs as well: a case with known targets or indices is run again with these as data.
"""

import numpy as np
import onnx
from onnx import numpy_helper

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


def packed(array, bits):
    """One element a byte to several, the first in the lowest bits: 4-bit [1, 2, 3] to 0x21 0x03."""
    each = 8 // bits
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8) & ((1 << bits) - 1)
    rows = np.concatenate([flat, np.zeros(-flat.size % each, np.uint8)]).reshape(-1, each)
    return (rows << (np.arange(each, dtype=np.uint8) * bits)).sum(axis=1, dtype=np.uint8)


# Operators that a value flows through in their first input; in all of Concat's and SequenceConstruct's.
MOVING = set(
    "Reshape Squeeze Unsqueeze Transpose Flatten Slice Concat Split Expand Identity DepthToSpace "
    "SpaceToDepth Tile Pad CenterCropPad Gather GatherND GatherElements ReverseSequence Cast CastLike "
    "BitCast Dropout Resize Upsample Trilu Compress Col2Im Einsum "
    "SequenceAt SequenceConstruct SequenceErase ConcatFromSequence SplitToSequence".split()
)
# For these in other inputs: the indices are known.
PICKING = {"Where": [1, 2], "ScatterND": [0, 2], "ScatterElements": [0, 2], "Scatter": [0, 2],
           "TensorScatter": [0, 1], "OneHot": [2], "SequenceInsert": [0, 1]}  # fmt: skip
# Functions of an element; of these the last bits are not laid down.
INEXACT = set(
    "Sigmoid Tanh Softplus Softsign Mish Gelu Exp Log Sqrt Reciprocal Sin Cos Tan Sinh Cosh Asin Acos "
    "Atan Asinh Acosh Atanh HardSwish LeakyRelu Elu Celu HardSigmoid Swish Softmax".split()
)
EXACT = set("Relu Abs Ceil Floor ThresholdedRelu".split())
# A tensor and a constant of one element, which becomes an initializer.
WITH_CONSTANT = set(
    "Add Sub Mul Div Mod Min Max Clip Neg Round BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitShift And Or Xor Not "
    "QuantizeLinear DequantizeLinear".split()
)
# Computed at compile time, if the numbers are known.
ARITHMETIC = set(
    "Add Sub Mul Div Mod Min Max Sum Equal Less Greater LessOrEqual GreaterOrEqual And Or Not Neg Abs "
    "Floor Ceil Round Where Shape Size Range ReduceProd ReduceSum ReduceMax ReduceMin".split()
)


INDEXED = {"Gather", "GatherElements", "GatherND"}
# Which inputs are lists that may be data.
LISTS = {"Reshape": [1], "Slice": [1, 2, 3, 4], "Expand": [1], "Tile": [1], "Pad": [1], "CenterCropPad": [1],
         "ReverseSequence": [1], "Squeeze": [1], "Unsqueeze": [1], "Split": [1]}  # fmt: skip


def targets_as_inputs(model, inputs):
    """The model with each list that is an input as an input, targets of Reshape that are constants, and indices that are
    inputs. A constant list of another operator can be part of the sizes that the model computes.

    (model, inputs, names of the targets); there are no names where no target is known.
    """
    model = onnx.ModelProto.FromString(model.SerializeToString())
    graph, inputs = model.graph, list(inputs)
    targets = {n.input[1] for n in graph.node if n.op_type == "Reshape" and len(n.input) > 1}
    lists = {n.input[i] for n in graph.node for i in LISTS.get(n.op_type, []) if i < len(n.input)}
    indices = {n.input[1] for n in graph.node if n.op_type in INDEXED}
    constants = [
        n
        for n in graph.node
        if n.op_type == "Constant" and n.output[0] in targets and n.attribute[0].name == "value"
    ]
    names = [i.name for i in graph.input if i.name in lists | indices]
    for node in constants:
        tensor, name = node.attribute[0].t, node.output[0]
        info = onnx.helper.make_tensor_value_info(name, tensor.data_type, tensor.dims)
        graph.input.insert(0, info)
        inputs.insert(0, tensor)
        names.append(name)
        graph.node.remove(node)
    return model, inputs, names


class Case:
    """One model, its data inputs and its outputs; the other inputs have become initializers."""

    def __init__(self, name, model, inputs, outputs, targets=()):
        """`inputs` and `outputs` are TensorProtos; `targets` names inputs that stay inputs."""
        self.name, handles = name, {}
        self.model = onnx.ModelProto.FromString(model.SerializeToString())
        graph = self.model.graph
        flowing = self.flowing().union(targets)
        weights = {t.name for t in graph.initializer}
        self.inputs = []
        for info, tensor in zip(graph.input, inputs):
            if info.name in weights:
                continue
            if info.name in flowing:
                self.inputs.append(Tensor(tensor, handles))
            else:
                graph.initializer.add().CopyFrom(tensor)
                graph.initializer[-1].name = info.name
        self.outputs = [Tensor(t, handles) for t in outputs]
        self.is_exact = not any(n.op_type in INEXACT for n in graph.node)

    def tensor_of(self, node):
        """The input that is a tensor where the others are constants of one element; None where several are."""
        sizes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in self.model.graph.input}
        many = [n for n in node.input if n and (n not in sizes or np.prod(sizes[n], dtype=np.int64) != 1)]
        return None if len(many) > 1 else many[0] if many else node.input[0]

    def flowing(self):
        """Names of what outputs are made of, as far as operators move it."""
        makers = {o: n for n in self.model.graph.node for o in n.output if o}
        todo, seen = [o.name for o in self.model.graph.output], set()
        while todo:
            name = todo.pop()
            maker = makers.get(name)
            if name in seen:
                continue
            seen.add(name)
            if maker is not None and maker.op_type in WITH_CONSTANT:
                todo += [n for n in [self.tensor_of(maker)] if n]
            elif maker is not None and maker.op_type in MOVING | INEXACT | EXACT:
                todo += maker.input if maker.op_type in ("Concat", "SequenceConstruct") else list(maker.input)[:1]
            elif maker is not None and maker.op_type in PICKING:
                todo += [maker.input[i] for i in PICKING[maker.op_type]]
        return seen
