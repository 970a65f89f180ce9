# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random nodes of every operator of ai.onnx, for shapes.py: which operands and attributes each may have.

A size is a number or the name of a symbol. An operand is (element type, sizes), an array (a constant), or None.
"""

import numpy as np
from onnx import TensorProto, helper

F, I, B, S = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING
SYMBOLS = ["N", "M", "H", "W"]


def ints(*numbers):
    return np.array(numbers, np.int64)


def body(outputs, nodes, inputs=()):
    return helper.make_graph(nodes, "body", list(inputs), list(outputs))


def value(name, kind=F, dims=None):
    return helper.make_tensor_value_info(name, kind, dims)


class Draw:
    """Random choices for one node of an opset."""

    def __init__(self, random, opset):
        self.random, self.opset = random, opset

    def one(self, *options):
        return options[int(self.random.integers(len(options)))]

    def chance(self, part=0.5):
        return bool(self.random.random() < part)

    def below(self, low, high):
        return int(self.random.integers(low, high + 1))

    def size(self):
        return self.one(1, 2, 3, 4, 6, 8, *SYMBOLS)

    def dims(self, low=1, high=4):
        return [self.size() for _ in range(self.below(low, high))]

    def axis(self, rank, extra=0):
        return self.below(-rank - extra, rank + extra - 1)

    def some(self, **attributes):
        """Each with a chance of one half."""
        return {k: v for k, v in attributes.items() if self.chance()}

    def axes(self, rank):
        count = self.below(1, rank)
        chosen = [int(a) for a in self.random.permutation(rank)[:count]]
        return [a - rank if self.chance(0.3) else a for a in chosen]

    def hidden(self, array):
        """A constant, or an input that nobody knows."""
        return array if self.chance(0.8) else (I, list(array.shape))

    def broadcast(self, kind=F, count=2):
        whole = self.dims(1, 4)
        operands = []
        for _ in range(count):
            dims = [1 if self.chance(0.2) else d for d in whole[self.below(0, len(whole)) :]]
            operands.append((kind, dims))
        return operands


def windows(d, rank, auto=True):
    axes = rank - 2
    attributes = d.some(strides=[d.below(1, 3) for _ in range(axes)], pads=[d.below(0, 2) for _ in range(2 * axes)])
    if auto and d.chance(0.3):
        attributes.pop("pads", None)
        attributes["auto_pad"] = d.one("SAME_UPPER", "SAME_LOWER", "VALID")
    return attributes


def image(d):
    rank = d.one(3, 4, 4, 5)
    return rank, [d.one("N", 1, 2), d.one(2, 4)] + [d.one("H", "W", 9, 12, 17) for _ in range(rank - 2)]


def conv(d, types=(F, F)):
    rank, x = image(d)
    kernel = [d.below(1, 3) for _ in range(rank - 2)]
    attributes = {**windows(d, rank), **d.some(kernel_shape=kernel)}
    if attributes.get("auto_pad", "VALID") == "VALID":
        attributes.update(d.some(dilations=[d.below(1, 2) for _ in kernel]))
    return [(types[0], x), (types[1], [6, x[1], *kernel])], attributes


def conv_transpose(d):
    rank, x = image(d)
    kernel = [d.below(1, 3) for _ in range(rank - 2)]
    attributes = windows(d, rank)
    if "auto_pad" not in attributes and d.chance(0.3):
        attributes["output_padding"] = [0] * (rank - 2)
    return [(F, x), (F, [x[1], 3, *kernel])], attributes


def qlinear_conv(d):
    (x, w), attributes = conv(d, (TensorProto.UINT8, TensorProto.UINT8))
    scale, zero = (F, []), (TensorProto.UINT8, [])
    return [x, scale, zero, w, scale, zero, scale, zero], attributes


def pool(d, name):
    rank, x = image(d)
    kernel = [d.below(1, 3) for _ in range(rank - 2)]
    attributes = {**windows(d, rank), "kernel_shape": kernel}
    # Before opset 22 onnx infers one window too many, if the last one would start past the input.
    if name != "LpPool" and d.opset >= 22 and "auto_pad" not in attributes:
        attributes.update(d.some(ceil_mode=1))
    if name == "MaxPool" and d.opset >= 10 and "auto_pad" not in attributes:
        attributes.update(d.some(dilations=[d.below(1, 2) for _ in kernel]))
    return [(F, x)], attributes, d.below(1, 2) if name == "MaxPool" and d.opset >= 8 else 1


def matmul(d):
    k = d.size()
    a, b = d.broadcast()
    left, right = [*a[1], d.size(), k], [*b[1], k, d.size()]
    return [(F, d.one(left, [k])), (F, d.one(right, [k]))], {}


def quantized(operands):
    """Of MatMul: with scales and zero points."""
    a, b = [(TensorProto.UINT8, o[1]) for o in operands]
    scale, zero = (F, []), (TensorProto.UINT8, [])
    return [a, scale, zero, b, scale, zero, scale, zero]


def gemm(d):
    m, k, n = d.size(), d.size(), d.size()
    ta, tb = d.below(0, 1), d.below(0, 1)
    c = (F, [1]) if d.opset < 11 or d.chance() else None
    return [(F, [k, m] if ta else [m, k]), (F, [n, k] if tb else [k, n]), *([c] if c else [])], {"transA": ta, "transB": tb}


def reduce(d, name):
    x = d.dims()
    axes = d.axes(len(x))
    by_input = d.opset >= (13 if name == "ReduceSum" else 18)
    if d.opset < 11:
        axes = [a % len(x) for a in axes]
    operands, attributes = [(F, x)], d.some(keepdims=d.below(0, 1))
    if by_input:
        attributes.update(d.some(noop_with_empty_axes=d.below(0, 1)))
        if d.chance(0.8):
            operands.append(d.hidden(ints(*axes)))
    elif d.chance(0.8):
        attributes["axes"] = axes
    return operands, attributes


def arg(d):
    x = d.dims()
    axis = d.axis(len(x)) if d.opset >= 11 else d.below(0, len(x) - 1)
    return [(F, x)], {**d.some(axis=axis, keepdims=d.below(0, 1))}


def recurrent(d, gates, outputs):
    batch, length, width, hidden = d.size(), d.size(), d.one(3, 5), d.one(2, 4)
    double = d.chance(0.4)
    layout = 1 if d.opset >= 14 and d.chance(0.4) else 0
    x = [batch, length, width] if layout else [length, batch, width]
    attributes = {"hidden_size": hidden, **({"direction": "bidirectional"} if double else {})}
    attributes.update({"layout": 1} if layout else {})
    n = 2 if double else 1
    return [(F, x), (F, [n, gates * hidden, width]), (F, [n, gates * hidden, hidden])], attributes, outputs


def einsum(d):
    sizes = {c: d.size() for c in "abcij"}
    equation = d.one("ij,jb->ib", "ab,bc", "aij,ajc->aic", "...i,...i->...", "ii->i", "ij -> ji", "a,b->ab", "ij", "...ij->...ji", "ab,ab,b->a", "ii")
    left = equation.split("->")[0]
    operands = []
    for term in left.replace(" ", "").split(","):
        dims = []
        while term:
            dims += [4, 1] if term.startswith("...") else [sizes[term[0]]]
            term = term[3:] if term.startswith("...") else term[1:]
        operands.append((F, dims))
    return operands, {"equation": equation}


def normalized(d, extra, name=None):
    x = [d.size(), d.one(4, 6), *d.dims(1, 2)]
    return [(F, x)] + [(F, [x[1]])] * extra, {}


def layer_norm(d):
    x = d.dims(2, 4)
    axis = d.axis(len(x))
    return [(F, x), (F, x[axis % len(x) :])], {"axis": axis}, d.below(1, 3)


def attention(d):
    b, heads, q, k, size, vsize = d.size(), 4, d.size(), d.size(), d.one(2, 8), d.one(2, 6)
    past = d.chance(0.3)
    if d.chance():
        operands = [(F, [b, heads, q, size]), (F, [b, 2, k, size]), (F, [b, 2, k, vsize])]
        attributes = {}
    else:
        operands = [(F, [b, q, heads * size]), (F, [b, k, 2 * size]), (F, [b, k, 2 * vsize])]
        attributes = {"q_num_heads": heads, "kv_num_heads": 2}
    if past:
        p = d.size()
        operands += [None, (F, [b, 2, p, size]), (F, [b, 2, p, vsize])]
    return operands, attributes, 3 if past else 1


def reshape(d):
    x = d.dims(2, 4)
    known = [s for s in x if isinstance(s, int)]
    target = d.one([-1], [0, -1], [-1, 1], [1, -1, known[0] if known else 1], [*[0] * len(x)], [*[0] * len(x), 1])
    if d.opset < 5:
        return [(F, x)], {"shape": target}
    return [(F, x), d.hidden(ints(*target))], {}


def squeeze(d):
    x = d.dims(1, 3)
    at = d.below(0, len(x))
    x.insert(at, 1)
    if d.opset < 13:
        return [(F, x)], {"axes": [at]}
    return [(F, x), d.hidden(ints(at))], {}


def unsqueeze(d):
    x = d.dims(1, 3)
    axes = sorted({d.below(0, len(x)), d.below(0, len(x))})
    if d.opset < 13:
        return [(F, x)], {"axes": axes}
    return [(F, x), d.hidden(ints(*axes))], {}


def slice_of(d):
    x = d.dims(1, 3)
    axes = [a % len(x) for a in d.axes(len(x))]
    starts, ends = [d.below(-4, 3) for _ in axes], [d.below(-3, 9) for _ in axes]
    if d.opset < 10:
        return [(F, x)], {"starts": starts, "ends": ends, "axes": axes}
    operands = [(F, x), d.hidden(ints(*starts)), d.hidden(ints(*ends)), ints(*axes)]
    return operands + ([ints(*[d.one(1, 2, -1) for _ in axes])] if d.chance() else []), {}


def split(d):
    axis, parts = 1, d.below(2, 3)
    x = [d.size(), d.one(6, 12), d.size()]
    sizes = [1, 2, x[1] - 3] if parts == 3 else [x[1] - 1, 1]
    given = d.chance()
    if d.opset < 13:
        return [(F, x)], {"axis": axis, **({"split": sizes} if given else {})}, parts
    if d.opset >= 18 and not given:
        x[1] = d.one(6, 7, 11)
        return [(F, x)], {"axis": axis, "num_outputs": parts}, parts
    return [(F, x), *([d.hidden(ints(*sizes))] if given else [])], {"axis": axis}, parts


def concat(d):
    x = d.dims(1, 4)
    axis = d.axis(len(x)) if d.opset >= 11 else d.below(0, len(x) - 1)
    operands = []
    for _ in range(d.below(1, 3)):
        one = list(x)
        one[axis] = d.size()
        operands.append((F, one))
    return operands, {"axis": axis}


def pad(d):
    x = d.dims(1, 3)
    pads = [d.below(0, 3) for _ in range(2 * len(x))]
    if d.opset < 2:
        return [(F, x)], {"paddings": pads}
    if d.opset < 11:
        return [(F, x)], {"pads": pads}
    if d.opset >= 18 and d.chance():
        axis = d.axis(len(x))
        return [(F, x), d.hidden(ints(1, 2)), None, ints(axis)], {}
    return [(F, x), d.hidden(ints(*pads))], {}


def resize(d):
    _, x = image(d)
    axes = len(x) - 2
    scales = [1.0, 1.0] + [d.one(0.5, 1.5, 2.0, 3.0) for _ in range(axes)]
    array = np.array(scales, np.float32)
    if d.opset < 11:
        return [(F, x), array], {}
    if d.chance():
        return [(F, x), None, array], {}
    sizes = d.hidden(ints(*[1 if s == 1.0 else d.below(3, 9) for s in scales]))
    if d.opset >= 18 and d.chance():
        chosen = list(range(2, len(x)))
        return [(F, x), None, None, ints(*[d.below(3, 9) for _ in chosen])], {"axes": chosen}
    if d.opset < 13:  # the input has to be there
        return [(F, x), np.zeros(0, np.float32), np.zeros(0, np.float32), sizes], {}
    return [(F, x), None, None, sizes], {}


def gather(d):
    x = d.dims(1, 3)
    axis = d.axis(len(x)) if d.opset >= 11 else d.below(0, len(x) - 1)
    return [(F, x), (I, d.dims(0, 2))], {"axis": axis}


def gather_nd(d):
    batch = d.below(0, 1) if d.opset >= 12 else 0
    x = d.dims(2 + batch, 4)
    named = d.below(1, len(x) - batch)
    indices = x[:batch] + [d.size(), named]
    return [(F, x), (I, indices)], {"batch_dims": batch} if d.opset >= 12 else {}


def top_k(d):
    x = d.dims(1, 3)
    axis = d.axis(len(x)) if d.opset >= 11 else d.below(0, len(x) - 1)
    x[axis] = 8
    k = d.below(1, 8)
    if d.opset < 10:
        return [(F, x)], {"axis": axis, "k": k}, 2
    return [(F, x), d.hidden(ints(k))], {"axis": axis}, 2


def compress(d):
    x = d.dims(1, 3)
    axis = d.below(0, len(x) - 1)
    return [(F, x), (B, [x[axis]])], d.some(axis=axis)


def unique(d):
    x = d.dims(1, 3)
    return [(F, x)], d.some(axis=d.below(0, len(x) - 1)), d.below(1, 4)


def one_hot(d):
    x = d.dims(1, 3)
    depth = d.hidden(ints(5))
    return [(I, x), depth if d.chance() else (I, [1]), (F, [2])], {"axis": d.axis(len(x), 1)} if d.chance() else {}


def loss(d, is_nll):
    n, c, rest = d.size(), d.one(3, 5), d.dims(0, 2)
    return [(F, [n, c, *rest]), (I, [n, *rest])], {"reduction": d.one("none", "sum", "mean")}, 1 if is_nll else d.below(1, 2)


def branches(d):
    dims = d.one([2, 3], [4], [1, 5, 2])
    other = list(dims)
    if d.chance():
        other[0] += 1
    made = [helper.make_node("RandomNormal", [], [f"r{k}"], shape=s) for k, s in enumerate((dims, other))]
    graphs = [body([value(f"r{k}")], [made[k]]) for k in range(2)]
    return [(B, [])], {"then_branch": graphs[0], "else_branch": graphs[1]}


def loop(d):
    nodes = [helper.make_node("Identity", ["c"], ["c2"]), helper.make_node("RandomNormal", [], ["r"], shape=[3, 2])]
    inputs = [value("i", I, []), value("c", B, [])]
    return [(I, []), (B, [])], {"body": body([value("c2", B), value("r")], nodes, inputs)}


def scan(d):
    x = [d.one(4, 6, "N"), 3, 2]
    nodes = [helper.make_node("Add", ["s", "e"], ["s2"]), helper.make_node("Identity", ["e"], ["y"])]
    inputs = [value("s", F, [3, 2]), value("e", F, [3, 2])]
    graph = body([value("s2"), value("y")], nodes, inputs)
    return [(F, [3, 2]), (F, x)], {"body": graph, "num_scan_inputs": 1}, 2


def dft(d):
    x = [d.size(), d.one(8, 9, "H"), d.one(4, 5), d.one(1, 2)]
    attributes = d.some(onesided=1) if x[-1] == 1 else d.some(inverse=1)
    if d.opset < 20:
        return [(F, x)], {**attributes, **d.some(axis=d.one(1, 2))}
    return [(F, x), None, *([ints(d.one(1, 2, -2))] if d.chance() else [])], attributes


def stft(d):
    n = d.one(4, 5, 8)  # without `onesided` onnx infers both sides, against the default
    operands = [(F, [d.one(1, 2), d.one(20, 33), 1]), ints(d.one(2, 3)).reshape(())]
    return operands + ([(F, [n])] if d.chance() else [None, ints(n).reshape(())]), {"onesided": d.below(0, 1)}


def same(d, *attributes):
    return [(F, d.dims(0, 4))], {}


def typed(kind):
    return lambda d: ([(kind, d.dims(0, 4))], {})


def random_attribute(d):
    return [], {"shape": [d.below(1, 4) for _ in range(d.below(1, 3))], **d.some(dtype=TensorProto.DOUBLE)}


def scatter(d):
    x = d.dims(1, 3)
    return [(F, x), (I, x), (F, x)], {}


def scatter_nd(d):
    x = d.dims(2, 3)
    return [(F, x), (I, [2, 1]), (F, [2, *x[1:]])], {}


def elementwise(kind=F, since=7):
    def make(d):
        if d.opset >= since:
            return d.broadcast(kind), {}
        x = d.dims(1, 3)
        return [(kind, x), (kind, x)], {}

    return make


def variadic(d):
    if d.opset >= 8:
        return d.broadcast(F, d.below(1, 3)), {}
    x = d.dims(1, 3)
    return [(F, x)] * d.below(1, 3), {}


def col2im(d):
    image_size, block = ints(5, 6), ints(2, 3)
    return [(F, [d.size(), 3 * 6, 4 * 4]), d.hidden(image_size), block], {}


CASES = {
    "AffineGrid": lambda d: ([(F, [d.size(), 2, 3]), d.hidden(ints(2, 3, 5, 6))], {}),
    "And": elementwise(B),
    "ArgMax": arg,
    "ArgMin": arg,
    "Attention": attention,
    "AveragePool": lambda d: pool(d, "AveragePool"),
    "BatchNormalization": lambda d: normalized(d, 4),
    "BitCast": lambda d: ([(F, d.dims())], {"to": TensorProto.INT32}),
    "BitShift": lambda d: (d.broadcast(TensorProto.UINT8), {"direction": "LEFT"}),
    "BlackmanWindow": lambda d: ([ints(7).reshape(())], d.some(output_datatype=TensorProto.DOUBLE)),
    "HammingWindow": lambda d: ([(I, [])], d.some(output_datatype=TensorProto.DOUBLE)),
    "HannWindow": lambda d: ([ints(9).reshape(())], {}),
    "Cast": lambda d: ([(F, d.dims())], {"to": "DOUBLE" if d.opset < 6 else TensorProto.DOUBLE}),
    "CastLike": lambda d: ([(F, d.dims()), (I, [2])], {}),
    "CenterCropPad": lambda d: ([(F, [d.size(), 5, 6]), d.hidden(ints(4, 7))], {"axes": d.one([1, 2], [0, 2], [-1, 0])}),
    "Clip": lambda d: ([(F, d.dims())], {}),
    "Col2Im": col2im,
    "Compress": compress,
    "Concat": concat,
    "ConstantOfShape": lambda d: ([d.hidden(ints(2, 3))], {}),
    "Conv": conv,
    "ConvInteger": lambda d: conv(d, (TensorProto.UINT8, TensorProto.UINT8)),
    "ConvTranspose": conv_transpose,
    "CumProd": lambda d: ([(F, d.dims()), ints(0).reshape(())], {}),
    "CumSum": lambda d: ([(F, d.dims()), ints(0).reshape(())], {}),
    "DFT": dft,
    "DepthToSpace": lambda d: ([(F, [d.size(), 8, d.size(), d.size()])], {"blocksize": 2}),
    "DequantizeLinear": lambda d: ([(TensorProto.UINT8, d.dims()), (F, [])], {}),
    "Det": lambda d: ([(F, [*d.dims(0, 2), 3, 3])], {}),
    "Dropout": lambda d: ([(F, d.dims())], {}, d.below(1, 2) if d.opset >= 7 else 1),
    "DynamicQuantizeLinear": lambda d: ([(F, d.dims())], {}, 3),
    "Einsum": einsum,
    "Expand": lambda d: ([(F, d.dims(1, 3)), d.hidden(ints(2, 1, 1))], {}),
    "EyeLike": lambda d: ([(F, [d.size(), d.size()])], d.some(dtype=TensorProto.DOUBLE)),
    "Flatten": lambda d: ([(F, d.dims(2, 4))], d.some(axis=d.below(0, 2))),
    "GRU": lambda d: recurrent(d, 3, 2),
    "Gather": gather,
    "GatherElements": lambda d: ([(F, [8, 8]), (I, [d.size(), d.size()])], {"axis": d.axis(2)}),
    "GatherND": gather_nd,
    "Gemm": gemm,
    "GlobalAveragePool": lambda d: ([(F, image(d)[1])], {}),
    "GlobalLpPool": lambda d: ([(F, image(d)[1])], {}),
    "GlobalMaxPool": lambda d: ([(F, image(d)[1])], {}),
    "GridSample": lambda d: ([(F, ["N", 3, d.size(), d.size()]), (F, ["N", d.size(), d.size(), 2])], {}),
    "GroupNormalization": lambda d: ([(F, [d.size(), 4, d.size()]), (F, [4 if d.opset >= 21 else 2]), (F, [4 if d.opset >= 21 else 2])], {"num_groups": 2}),
    "Identity": same,
    "If": branches,
    "InstanceNormalization": lambda d: normalized(d, 2),
    "IsInf": same,
    "IsNaN": same,
    "LRN": lambda d: ([(F, image(d)[1])], {"size": 3}),
    "LSTM": lambda d: recurrent(d, 4, d.below(1, 3)),
    "LayerNormalization": layer_norm,
    "Loop": loop,
    "LpPool": lambda d: pool(d, "LpPool"),
    "MatMul": matmul,
    "MatMulInteger": lambda d: ([(TensorProto.UINT8, o[1]) for o in matmul(d)[0]], {}),
    "MaxPool": lambda d: pool(d, "MaxPool"),
    "MaxRoiPool": lambda d: ([(F, [1, d.size(), 9, 9]), (F, [d.size(), 5])], {"pooled_shape": [2, 3]}),
    "MaxUnpool": lambda d: ([(F, [1, 1, 4, 5]), (I, [1, 1, 4, 5])], {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "MelWeightMatrix": lambda d: ([ints(8).reshape(()), ints(d.one(16, 17)).reshape(()), ints(8192).reshape(()), (F, []), (F, [])], {}),
    "Multinomial": lambda d: ([(F, [d.size(), 4])], {"sample_size": 5, **d.some(dtype=TensorProto.INT64)}),
    "NegativeLogLikelihoodLoss": lambda d: loss(d, True),
    "NonMaxSuppression": lambda d: ([(F, [1, d.size(), 4]), (F, [1, 2, d.size()])], {}),
    "NonZero": lambda d: ([(F, d.dims())], {}),
    "Not": typed(B),
    "OneHot": one_hot,
    "Or": elementwise(B),
    "PRelu": lambda d: ([(F, [d.size(), 4, 3]), (F, [4, 1] if d.opset >= 7 else [4])], {}),
    "Pad": pad,
    "QLinearConv": qlinear_conv,
    "QLinearMatMul": lambda d: (quantized(matmul(d)[0]), {}),
    "QuantizeLinear": lambda d: ([(F, d.dims()), (F, []), *([(TensorProto.INT8, [])] if d.chance() else [])], {}),
    "RMSNormalization": lambda d: ([(F, [d.size(), 4]), (F, [4])], {}),
    "RNN": lambda d: recurrent(d, 1, d.below(1, 2)),
    "RandomNormal": random_attribute,
    "RandomUniform": random_attribute,
    "Range": lambda d: ([ints(d.below(-3, 3)).reshape(()), ints(d.below(0, 9)).reshape(()), ints(d.one(1, 2, 3, -1)).reshape(())], {}),
    "RegexFullMatch": lambda d: ([(S, d.dims())], {"pattern": "a"}),
    "Reshape": reshape,
    "Resize": resize,
    "ReverseSequence": lambda d: ([(F, [d.size(), "N", 3]), (I, ["N"])], {}),
    "RoiAlign": lambda d: ([(F, [2, d.size(), 9, 9]), (F, ["N", 4]), (I, ["N"])], d.some(output_height=3, output_width=2)),
    "RotaryEmbedding": lambda d: ([(F, [2, 3, "N", 8]), (F, [2, "N", 4]), (F, [2, "N", 4])], {}),
    "STFT": stft,
    "Scan": scan,
    "Scatter": scatter,
    "ScatterElements": scatter,
    "ScatterND": scatter_nd,
    "Shape": lambda d: ([(F, d.dims(0, 4))], d.some(start=d.below(-2, 2), end=d.below(-2, 3)) if d.opset >= 15 else {}),
    "Slice": slice_of,
    "SoftmaxCrossEntropyLoss": lambda d: loss(d, False),
    "SpaceToDepth": lambda d: ([(F, [d.size(), 3, 8, 12])], {"blocksize": d.one(2, 4)}),
    "Split": split,
    "Squeeze": squeeze,
    "StringConcat": lambda d: (d.broadcast(S), {}),
    "StringNormalizer": lambda d: ([(S, d.one([4], [1, 4]))], {}),
    "StringSplit": lambda d: ([(S, d.dims(1, 3))], {"delimiter": ","}, 2),
    "TensorScatter": lambda d: ([(F, [2, 3, 8, 4]), (F, [2, 3, 2, 4])], {}),
    "TfIdfVectorizer": lambda d: ([(I, [d.size()] if d.chance() else [d.size(), 6])], {"max_gram_length": 1, "max_skip_count": 0, "min_gram_length": 1, "mode": "TF", "ngram_counts": [0], "ngram_indexes": [0, 2, 1], "pool_int64s": [4, 5, 6]}),
    "Tile": lambda d: ([(F, [d.size(), d.size()]), d.hidden(ints(2, 3))] if d.opset >= 6 else [(F, [3, 4]), ints(2).reshape(()).astype(np.float32), ints(1).reshape(()).astype(np.float32)], {}),
    "TopK": top_k,
    "Transpose": lambda d: ((lambda x: ([(F, x)], d.some(perm=[int(p) for p in d.random.permutation(len(x))])))(d.dims())),
    "Trilu": lambda d: ([(F, [*d.dims(0, 2), 3, d.size()])], {}),
    "Unique": unique,
    "Unsqueeze": unsqueeze,
    "Upsample": lambda d: (lambda x, s: ([(F, x)], {"scales": s}) if d.opset < 9 else ([(F, x), np.array(s, np.float32)], {}))([d.size(), 2, d.size(), 5], [1.0, 1.0, 2.0, d.one(2.0, 1.5)]),
    "Where": lambda d: ((lambda b: ([(B, b[0][1]), b[1], b[2]], {}))(d.broadcast(F, 3))),
    "Xor": elementwise(B),
}  # fmt: skip
CASES.update({n: elementwise() for n in ["Add", "Div", "Mod", "Mul", "Pow", "Sub", "Equal", "Greater", "Less"]})
CASES.update({n: elementwise(since=1) for n in ["GreaterOrEqual", "LessOrEqual"]})
CASES.update({n: elementwise(TensorProto.UINT8, 1) for n in ["BitwiseAnd", "BitwiseOr", "BitwiseXor"]})
CASES.update({n: variadic for n in ["Max", "Min", "Mean", "Sum"]})
CASES.update({n: (lambda name: lambda d: reduce(d, name))(n) for n in [
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
    "ReduceSum", "ReduceSumSquare",
]})  # fmt: skip
CASES.update({n: same for n in [
    "Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Bernoulli", "Ceil", "Celu", "Cos", "Cosh", "Elu", "Erf", "Exp",
    "Floor", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "Log", "LpNormalization", "Mish",
    "Neg", "RandomNormalLike", "RandomUniformLike", "Reciprocal", "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin",
    "Sinh", "Size", "Softplus", "Softsign", "Sqrt", "Swish", "Tan", "Tanh", "ThresholdedRelu",
]})  # fmt: skip
CASES.update({n: (lambda d: ([(F, d.dims(2, 4))], {})) for n in ["Hardmax", "LogSoftmax", "MeanVarianceNormalization", "Softmax"]})
CASES["BitwiseNot"] = typed(TensorProto.UINT8)

# No tensors, or nothing that onnx infers of them.
WITHOUT = {
    "ConcatFromSequence", "Constant", "DeformConv", "ImageDecoder", "Optional", "OptionalGetElement", "OptionalHasElement",
    "SequenceAt", "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert", "SequenceLength", "SequenceMap",
    "SplitToSequence",
}  # fmt: skip
