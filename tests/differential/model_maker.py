# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random valid ONNX models, each with the arrays of several calls.

Sizes of inputs are numbers or names. Each name has a value in each call (often 0 or 1), and the size of every tensor is
known while the model is made: as a vector, one number per call. So a node is added if it is valid in all calls, or
occasionally in only some. A number of the model
becomes a constant if its vector is the same in all calls. If it is 7 in one call and 12 in the next, like a size of x,
it is computed: Shape -> Gather.
"""

import math

import ml_dtypes  # noqa: F401  (numpy's names of bfloat16 and others)
import numpy as np
from model_forms import Forms
from model_repeats import Repeats
from onnx import TensorProto, helper, numpy_helper

CALLS = 4
OPSETS = [6, 7, 8, 9, 10, 11, 11, 12, 13, 13, 14, 15, 16, 17, 18, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28]
MAX_VOLUME = 3000
MAX_RANK = 6
ONE = helper.make_tensor("one", TensorProto.INT64, [1], [1])
I64_MAX, I64_MIN, I32_MAX = (1 << 63) - 1, -(1 << 63), (1 << 31) - 1

# For each type: the largest number that tests use in it, and the first opset in which Reshape supports it.
TYPES = {
    "FLOAT": (100000, 1), "DOUBLE": (100000, 1), "FLOAT16": (2000, 1), "BFLOAT16": (200, 13), "BOOL": (1, 1),
    "INT8": (127, 1), "INT16": (9999, 1), "INT32": (99999, 1), "INT64": (99999, 1),
    "UINT8": (255, 1), "UINT16": (9999, 1), "UINT32": (99999, 1), "UINT64": (99999, 1),
    "COMPLEX64": (99999, 1), "COMPLEX128": (99999, 1), "STRING": (0, 1),
    "FLOAT8E4M3FN": (15, 21), "FLOAT8E5M2": (7, 21), "FLOAT8E4M3FNUZ": (15, 21), "FLOAT8E5M2FNUZ": (7, 21),
    "INT4": (7, 21), "UINT4": (15, 21), "FLOAT4E2M1": (4, 23), "INT2": (1, 25), "UINT2": (3, 25),
}  # fmt: skip
COMMON = ["FLOAT"] * 8 + ["INT64", "INT32", "UINT8", "INT8", "FLOAT16", "DOUBLE", "BOOL"]
FLOATS = {"FLOAT", "DOUBLE", "FLOAT16"}
SIGNED = FLOATS | {"INT8", "INT16", "INT32", "INT64"}
UNSIGNED_AND_MORE = {t for t in TYPES if t.startswith(("UINT", "COMPLEX", "STRING", "BOOL"))}


def numpy_type(name):
    return helper.tensor_dtype_to_np_dtype(getattr(TensorProto, name))


def elements(random, name, dims, low=0):
    """Returns an array whose elements differ as far as the type allows."""
    count = math.prod(dims)
    most = TYPES[name][0]
    first = int(random.integers(0, 1000))
    if name == "BOOL":
        return random.integers(0, 2, dims).astype(bool)
    if name == "STRING":
        return np.array([f"s{first + i}" for i in range(count)], object).reshape(dims)
    numbers = (first + np.arange(count)) % (most + 1 - low) + low
    return numbers.reshape(dims).astype(numpy_type(name))


class Value:
    """A tensor of the model in all calls: `dims` are vectors with one number per call."""

    def __init__(self, name, kind, dims, low, high, exact=True, is_constant=False):
        self.name, self.kind, self.dims = name, kind, [tuple(d) for d in dims]
        self.low, self.high, self.exact, self.is_constant = low, high, exact, is_constant

    @property
    def rank(self):
        return len(self.dims)

    def volume(self):
        return [math.prod(d[c] for d in self.dims) for c in range(CALLS)]


def same(number):
    return (int(number),) * CALLS


def is_same(vector):
    return len(set(vector)) == 1


class Maker(Repeats):
    """Generates one model. With `swarm`, it has few operators in longer chains, and other probabilities of options."""

    def __init__(self, seed, number, swarm=False):
        self.few, self.odds = None, None
        self.random = np.random.default_rng([seed, number])
        self.more = np.random.default_rng([seed, number, 1])  # for later additions: other models stay as they were
        self.has_forms, self.has_late_steps = self.more.random() < 0.25, self.more.random() < 0.25
        self.prefix = f"m{number}"
        self.opset = int(self.draw(OPSETS))
        self.version = int(self.draw([3, 4, 8, 8, 10])) if self.opset < 9 else int(self.draw([4, 8, 10, 12]))
        if self.has_late_steps and self.more.random() < 0.4:
            self.opset, self.version = int(self.more.integers(5, 29)), max(self.version, 4)
        self.nodes, self.constants, self.inputs, self.pool = [], [], [], []
        self.feeds = [{} for _ in range(CALLS)]
        self.count = self.constant_count = 0
        self.targets = 0
        self.is_valid, self.is_doubtful = [True] * CALLS, [False] * CALLS
        self.symbols = self.new_symbols()
        self.is_mixed = self.chance(0.2)  # also has nodes that compute
        self.has_functions = self.chance(0.3)
        self.way = self.draw(["any", "any", "any", "views", "slices", "borders", "targets", "constants"])
        self.computed = self.draw([0.1, 0.2, 0.6])  # probability of computing a number instead of a constant
        self.has_ranks = not self.chance(0.08)  # of inputs
        self.suffix = self.draw(["", ":0", "/out"]) if self.chance(0.08) else ""
        if swarm:
            self.few, self.odds = self.below(1, 5), {}

    # -- drawing --

    def draw(self, options):
        return options[int(self.random.integers(len(options)))]

    def chance(self, part):
        if self.odds is not None:
            part **= self.odds.setdefault(part, self.draw([0.25, 0.5, 1, 1, 3]))
        return bool(self.random.random() < part)

    def below(self, least, most):
        """Returns a random integer from least to most, inclusive."""
        return int(self.random.integers(least, most + 1))

    def name(self):
        self.count += 1
        return f"v{self.count}{self.suffix}"

    def new_symbols(self):
        """Returns {name of a size: vector}."""
        names = ["N", "M", "K", "batch size", "a.b", "a/b", "seq+1", "N_1", "x0_1"]  # some become the same identifier
        symbols = {}
        for _ in range(self.draw([0, 1, 1, 1, 2, 2, 3])):
            first = self.draw([2, 3, 4, 4, 6, 6, 8, 12])
            vector = [first] + [self.draw([0, 1, 1, 2, 3, 4, 5, 6, 8, 9]) for _ in range(CALLS - 1)]
            symbols[self.draw(names[:4] if self.chance(0.9) else names[4:])] = tuple(vector)
        return symbols

    # -- inputs and constants --

    def dim(self):
        """Returns the vector of an input's size, and its declaration."""
        if self.symbols and self.chance(0.6):
            name = self.draw(list(self.symbols))
            return self.symbols[name], name
        size = self.draw([1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 12, 16] if self.chance(0.97) else [0])
        return same(size), size

    def kind(self):
        kinds = [k for k, (_, since) in TYPES.items() if since <= self.opset]
        if not self.has_ranks:  # tensors of any rank: only numpy's own types
            kinds = [k for k in kinds if numpy_type(k).kind in "biufc"]
        return self.draw(COMMON) if self.chance(0.8) else self.draw(kinds)

    def low(self, kind):
        return -TYPES[kind][0] // 2 if kind in SIGNED and self.chance(0.3) else 0

    def new_input(self, dims=None, kind=None):
        kind = kind or self.kind()
        declared = [self.dim() for _ in range(self.draw([1, 2, 2, 3, 3, 4, 4]))]
        if dims:
            declared = [(d, d[0] if is_same(d) else self.symbol_of(d)) for d in dims]
        while any(math.prod(d[0][c] for d in declared) > MAX_VOLUME for c in range(CALLS)):
            declared.pop()
        name, low = f"x{len(self.inputs)}", self.low(kind)
        shape = [d[1] for d in declared]
        if not dims and declared and self.chance(0.03):  # sizes without names
            shape[-1] = None
        if not self.has_ranks and self.chance(0.7):
            shape = None
        self.inputs.append(helper.make_tensor_value_info(name, getattr(TensorProto, kind), shape))
        value = Value(name, kind, [d[0] for d in declared], low, TYPES[kind][0])
        for call in range(CALLS):
            sizes = [max(d[call], 0) for d in value.dims]  # negative ones only in a call that is not valid
            self.feeds[call][name] = elements(self.random, kind, sizes, low)
        self.pool.append(value)
        return value

    def symbol_of(self, vector):
        for name, known in self.symbols.items():
            if known == vector:
                return name
        name = f"D{len(self.symbols)}"
        self.symbols[name] = vector
        return name

    def constant(self, array, kind=None):
        """Returns the name of a constant tensor: an initializer, or a node's result."""
        self.constant_count += 1
        name = f"c{self.constant_count}"
        tensor = numpy_helper.from_array(array, name) if kind is None else tensor_of(array, kind, name)
        if self.chance(0.2) and self.opset >= 1:
            self.nodes.append(helper.make_node("Constant", [], [name], self.node_name(name), value=tensor))
        else:
            self.constants.append(tensor)
        return name

    def weight(self, kind, dims):
        """Returns a random constant as a value."""
        low = self.low(kind)
        array = elements(self.random, kind, dims, low)
        name = self.constant(array, kind)
        return Value(name, kind, [same(d) for d in dims], low, TYPES[kind][0], is_constant=True)

    # -- nodes --

    def node_name(self, name):
        return f"{self.prefix}_{name.removesuffix(self.suffix)}"

    def emit(self, op, inputs, outputs=1, **attributes):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, self.node_name(names[0]), **attributes))
        return names if outputs > 1 else names[0]

    def fits(self, dims, conditions=None):
        """Whether a step with these result sizes may be added. Records the calls in which it is invalid."""
        good = conditions or [True] * CALLS
        good = [bool(g) and all(d[c] >= 0 for d in dims) for c, g in enumerate(good)]
        small = all(math.prod(d[c] for d in dims) <= MAX_VOLUME for c in range(CALLS) if good[c])
        if not small or len(dims) > MAX_RANK or not good[0]:
            return False
        lost = any(v and not g for v, g in zip(self.is_valid, good))
        if lost and not self.chance(0.1):
            return False
        self.is_valid = [v and g for v, g in zip(self.is_valid, good)]
        return True

    def add(self, op, x, inputs, dims, conditions=None, low=None, high=None, kind=None, exact=None, **attributes):
        """Appends a node with one result, if fits() allows it."""
        dims = [tuple(d) for d in dims]
        if not self.fits(dims, conditions):
            return False
        name = self.emit(op, inputs, **attributes)
        low, high = x.low if low is None else low, x.high if high is None else high
        exact = x.exact if exact is None else exact
        self.pool.append(Value(name, kind or x.kind, dims, low, high, exact, x.is_constant and len(inputs) == 1))
        return True

    # -- numbers that nodes compute --

    def size_node(self, value, axis):
        """Adds nodes that compute a 1-D tensor of one number: the size of an axis."""
        axis = axis - value.rank if self.chance(0.3) else axis
        if self.opset >= 15 and self.chance(0.3):
            end = {} if axis == -1 else {"end": axis + 1}
            return self.emit("Shape", [value.name], start=axis, **end)
        shape = self.emit("Shape", [value.name])
        axis = axis + value.rank if axis < 0 and self.opset < 11 else axis
        if self.chance(0.4):
            return self.slice_node(shape, axis, axis + 1 if axis != -1 else I64_MAX)
        if self.chance(0.5):
            return self.emit("Gather", [shape, self.constant(np.array([axis], np.int64))], axis=0)
        picked = self.emit("Gather", [shape, self.constant(np.array(axis, np.int64))], axis=0)
        if self.chance(0.2):
            picked = self.emit("Identity", [picked])
        return self.unsqueeze_node(picked, [0])

    def slice_node(self, x, start, end):
        if self.opset < 10:
            return self.emit("Slice", [x], starts=[start], ends=[end], axes=[0])
        return self.emit("Slice", [x, *[self.constant(np.array([n], np.int64)) for n in (start, end, 0)]])

    def unsqueeze_node(self, x, axes):
        if self.opset < 13:
            return self.emit("Unsqueeze", [x], axes=axes)
        return self.emit("Unsqueeze", [x, self.constant(np.array(axes, np.int64))])

    def number_node(self, vector, depth=0):
        """Returns a 1-D tensor of one number that is `vector`, a constant or computed; None if no way was found."""
        if is_same(vector) and not self.chance(self.computed):
            return self.constant(np.array([vector[0]], np.int64))
        sizes = [(v, i) for v in self.pool for i, d in enumerate(v.dims) if d == vector]
        if sizes:
            return self.size_node(*self.draw(sizes))
        if is_same(vector):
            return self.constant(np.array([vector[0]], np.int64))
        if depth > 1 or self.opset < 7:
            return None
        return self.computed_node(vector, depth)

    def computed_node(self, vector, depth):
        """Computes a number from known sizes: half of one, two more than one, the product of two."""
        known = sorted({d for v in self.pool for d in v.dims if not is_same(d)})
        ways = []
        for d in known:
            for k in (2, 3, 4, 5, 6, 8):
                ways += [("Div", d, k)] if tuple(n // k for n in d) == vector else []
                ways += [("Mul", d, k)] if tuple(n * k for n in d) == vector else []
            for k in (1, 2, 3, 4):
                ways += [("Add", d, k)] if tuple(n + k for n in d) == vector else []
                ways += [("Sub", d, k)] if tuple(n - k for n in d) == vector else []
            bounds = [same(k) for k in (1, 2, 3, 4, 5)] + known
            for e in bounds if self.opset >= 8 else ():
                ways += [("Min", d, e)] if d != e and tuple(map(min, d, e)) == vector else []
                ways += [("Max", d, e)] if d != e and tuple(map(max, d, e)) == vector else []
            ways += [("Mod", d, k) for k in (2, 3) if self.opset >= 10 and tuple(n % k for n in d) == vector]
        ways += [("Mul", d, e) for d in known for e in known if tuple(a * b for a, b in zip(d, e)) == vector]
        for d in {d for v in self.pool for d in v.dims}:
            if is_same(d) or not all(d):
                continue
            rest = tuple(a // b for a, b in zip(vector, d))
            if rest != vector and tuple(a * b for a, b in zip(rest, d)) == vector:
                ways.append(("Mul", d, rest))
        if not ways:
            return None
        op, left, right = self.draw(ways)
        a = self.number_node(left, depth + 1)
        b = self.number_node(same(right) if isinstance(right, int) else right, depth + 1)
        return self.emit(op, [a, b]) if a and b else None

    def list_input(self, vectors):
        """Returns a 1-D tensor of these numbers: a constant, or computed from sizes. None if no way was found."""
        if all(is_same(v) for v in vectors) and (not vectors or not self.chance(self.computed)):
            return self.constant(np.array([v[0] for v in vectors], np.int64))
        parts, plain = [], []
        for v in vectors:
            if is_same(v) and not self.chance(self.computed):
                plain.append(v[0])
                continue
            if plain:
                parts.append(self.constant(np.array(plain, np.int64)))
            plain = []
            parts.append(self.number_node(v))
        parts += [self.constant(np.array(plain, np.int64))] if plain else []
        if not all(parts):
            return None
        made = parts[0] if len(parts) == 1 and self.chance(0.5) else self.emit("Concat", parts, axis=0)
        if self.chance(0.05):
            made = self.emit("Cast", [self.emit("Cast", [made], to=TensorProto.INT32)], to=TensorProto.INT64)
        elif self.chance(0.05) and self.opset >= 9:  # as exporters write a size that may be -1
            ones = self.emit("ConstantOfShape", [self.constant(np.array([len(vectors)], np.int64))], value=ONE)
            other = self.constant(np.array([-77], np.int64))
            where = self.emit("Equal", [made, other])
            made = self.emit("Where", [where, ones, made])
        return made

    # -- steps: each adds nodes, or returns False --

    def regrouped(self, x):
        """Returns other sizes for the same elements."""
        dims = list(x.dims)
        for _ in range(self.below(1, 4)):
            at = self.below(0, len(dims) - 1) if dims else 0
            way = self.draw(["split", "split", "join", "join", "one", "drop", "all", "swap"])
            if way == "split" and dims:
                fits = [f for f in (2, 3, 4, 5, 6, 8) if all(n % f == 0 for n in dims[at]) and dims[at][0] >= f]
                if fits:
                    factor = self.draw(fits)
                    rest = tuple(n // factor for n in dims[at])
                    dims[at : at + 1] = [same(factor), rest] if self.chance(0.5) else [rest, same(factor)]
            elif way == "join" and at + 1 < len(dims):
                dims[at : at + 2] = [tuple(a * b for a, b in zip(dims[at], dims[at + 1]))]
            elif way == "one" and len(dims) < MAX_RANK:
                dims.insert(at, same(1))
            elif way == "drop" and dims and dims[at] == same(1):
                del dims[at]
            elif way == "all" and self.chance(0.3):
                dims = [tuple(x.volume())]
            elif way == "swap" and len(dims) > 1 and self.chance(0.2):  # reorder the sizes
                dims = [dims[i] for i in self.random.permutation(len(dims))]
        return dims

    def step_reshape(self, x):
        dims = self.regrouped(x)
        if len(dims) > MAX_RANK:
            return False
        entries = [("copy" if i < x.rank and d == x.dims[i] and self.chance(0.4) else d) for i, d in enumerate(dims)]
        zeros = any(0 in d for d in dims)
        allowzero = self.opset >= 14 and (self.chance(0.1) or zeros and self.chance(0.5))
        if allowzero:
            entries = list(dims)
        elif any(e != "copy" and 0 in e for e in entries):  # in a target without allowzero, 0 only copies
            entries = ["copy" if i < x.rank and d == x.dims[i] else d for i, d in enumerate(dims)]
        open_ones = [i for i, e in enumerate(entries) if e != "copy" and not is_same(e)]
        if entries and (self.chance(0.3) or open_ones and self.chance(0.6)) and not (allowzero and zeros):
            at = self.draw(open_ones) if open_ones and self.chance(0.8) else self.below(0, len(entries) - 1)
            entries[at] = same(-1)
        entries = [same(0) if e == "copy" else e for e in entries]
        flags = {"allowzero": 1} if allowzero else {}
        if self.opset < 5:
            if not all(is_same(e) for e in entries):
                return False
            return self.add("Reshape", x, [x.name], dims, shape=[e[0] for e in entries])
        data = 0.4 if self.way == "targets" else 0.06
        if self.chance(data) and self.targets < 3 and self.is_reshape_type(x):
            target = self.target_input(entries)
        else:
            target = self.list_input(entries)
        return target and self.add("Reshape", x, [x.name, target], dims, **flags)

    def is_reshape_type(self, x):
        return not x.is_constant

    def target_input(self, entries):
        """Adds an input that contains a target with these entries."""
        self.targets += 1
        name = f"t{self.targets}"
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.INT64, [len(entries)]))
        for call in range(CALLS):
            self.feeds[call][name] = np.array([e[call] for e in entries], np.int64)
        if entries and self.chance(0.2):  # as two slices, concatenated
            return self.emit("Concat", [self.slice_node(name, 0, 1), self.slice_node(name, 1, I32_MAX)], axis=0)
        return name

    def index_input(self, shape, sizes):
        """Adds an input of indices, new in each call: into an axis of `sizes`, or tuples for several such axes."""
        self.targets += 1
        name, kind = f"i{self.targets}", self.draw([np.int64, np.int32])
        stated = None if not self.has_ranks and self.chance(0.7) else shape
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(kind)), stated))
        for call in range(CALLS):
            n = np.array([s[call] for s in sizes], np.int64)
            self.feeds[call][name] = self.random.integers(-n if self.opset >= 11 else 0, n, shape).astype(kind)
        return name

    def picks_by_data(self, sizes):
        return self.chance(0.4) and self.targets < 3 and all(0 not in s for s in sizes)

    def step_transpose(self, x):
        if x.rank < 2:
            return False
        perm = [int(i) for i in self.random.permutation(x.rank)]
        if self.chance(0.1):
            return self.add("Transpose", x, [x.name], x.dims[::-1])
        return self.add("Transpose", x, [x.name], [x.dims[i] for i in perm], perm=perm)

    def with_list(self, op, x, dims, numbers, since, argument="axes", conditions=None):
        """Adds a node whose list is an attribute before opset `since`, and an input from then on."""
        if self.opset < since:
            return self.add(op, x, [x.name], dims, conditions, **{argument: numbers})
        return self.add(op, x, [x.name, self.constant(np.array(numbers, np.int64))], dims, conditions)

    def step_unsqueeze(self, x):
        count = self.draw([1, 1, 2])
        if x.rank + count > MAX_RANK:
            return False
        axes = [int(a) for a in sorted(self.random.permutation(x.rank + count)[:count])]
        dims = list(x.dims)
        for a in axes:
            dims.insert(a, same(1))
        negative = self.opset >= 11 and self.chance(0.3)
        if self.opset < 13 and count > 1:
            negative = False  # the evaluator inserts axes one after another, onnxruntime all at once
        spelled = [a - len(dims) for a in axes] if negative else axes
        return self.with_list("Unsqueeze", x, dims, spelled, 13)

    def step_squeeze(self, x):
        ones = [i for i, d in enumerate(x.dims) if d == same(1)]
        if not ones:
            return False
        if self.chance(0.15) and all(is_same(d) for d in x.dims):
            return self.add("Squeeze", x, [x.name], [d for d in x.dims if d != same(1)])
        axes = [a for a in ones if self.chance(0.6)] or ones[:1]
        dims = [d for i, d in enumerate(x.dims) if i not in axes]
        spelled = [a - x.rank for a in axes] if self.opset >= 11 and self.chance(0.3) else axes
        return self.with_list("Squeeze", x, dims, spelled, 13)

    def step_flatten(self, x):
        axis = self.below(-x.rank if self.opset >= 11 else 0, x.rank)
        at = axis + x.rank if axis < 0 else axis
        sides = [[math.prod(d[c] for d in part) for c in range(CALLS)] for part in (x.dims[:at], x.dims[at:])]
        return self.add("Flatten", x, [x.name], sides, axis=axis)

    def bound(self, size, is_end):
        """Returns the start or end of a slice as a vector: the same number in all calls, or computed from a size."""
        far = [I64_MAX, I32_MAX, 1000000000, I64_MIN] if is_end else [0, I64_MAX, -1000]
        first = size[0]
        way = self.random.random()
        if way < 0.15:
            return same(self.draw(far))
        if way < 0.3 and not is_same(size):
            return self.draw([tuple(n // 2 for n in size), tuple(n - 1 for n in size), size, tuple(-n for n in size)])
        if way < 0.38 and self.symbols:
            return self.draw(list(self.symbols.values()))
        return same(self.below(-first - 2, first + 2))

    def step_slice(self, x):
        if x.rank == 0:
            return False
        axes = [int(a) for a in self.random.permutation(x.rank)[: self.draw([1, 1, 1, 2, 3])]]
        steps = [self.draw([1, 1, 1, 1, 2, 3, -1, -1, -2]) if self.opset >= 10 else 1 for _ in axes]
        starts, ends, dims, good = [], [], list(x.dims), [True] * CALLS
        for axis, step in zip(axes, steps):
            size = x.dims[axis]
            for _ in range(3):  # an empty result is rare
                start, end = self.bound(size, False), self.bound(size, True)
                dims[axis] = tuple(
                    len(range(*slice(s, e, step).indices(max(n, 0)))) for s, e, n in zip(start, end, size)
                )
                if dims[axis][0] > 0:
                    break
            # A negative step from before the first element is invalid, but ONNX's evaluator does what numpy does.
            good = [g and (step > 0 or n == 0 or s >= -n) for g, s, n in zip(good, start, size)]
            self.is_doubtful = [d or not g for d, g in zip(self.is_doubtful, good)]
            starts.append(start)
            ends.append(end)
        negative = self.opset >= 11 or self.opset == 10
        spelled = [a - x.rank if negative and self.chance(0.3) else a for a in axes]
        if self.opset < 10:
            if not all(is_same(v) for v in starts + ends):
                return False
            lists = {"starts": [v[0] for v in starts], "ends": [v[0] for v in ends], "axes": spelled}
            return self.add("Slice", x, [x.name], dims, good, **lists)
        inputs = [self.list_input(starts), self.list_input(ends), self.list_input([same(a) for a in spelled])]
        if any(s != 1 for s in steps) or self.chance(0.2):
            inputs.append(self.list_input([same(s) for s in steps]))
        return all(inputs) and self.add("Slice", x, [x.name, *inputs], dims, good)

    def step_pad(self, x):
        if x.rank == 0 or x.kind == "STRING" or self.opset < 2:
            return False
        modes = ["constant", "constant", "edge", "reflect"] + ["wrap"] * 2 * (self.opset >= 19)
        mode = self.draw(modes)
        some = self.opset >= 18 and self.chance(0.4)
        axes = [int(a) for a in self.random.permutation(x.rank)[: self.draw([1, 2])]] if some else list(range(x.rank))
        before, after = ([self.draw([0, 0, 1, 1, 2, 3]) if self.chance(0.6) else 0 for _ in axes] for _ in range(2))
        if mode == "constant" and self.chance(0.1):
            before[0] = -1
        dims, good = list(x.dims), [True] * CALLS
        for i, axis in enumerate(axes):
            dims[axis] = tuple(n + before[i] + after[i] for n in x.dims[axis])
            most = max(before[i], after[i])
            for c, n in enumerate(x.dims[axis]):
                need = {"constant": 0, "edge": min(1, most), "reflect": most + 1 if most else 0, "wrap": most}[mode]
                good[c] = good[c] and n >= need
        low, high = min(x.low, 0), x.high
        if self.opset < 11:
            extra = {"value": 3.0} if mode == "constant" and x.kind in FLOATS and self.chance(0.4) else {}
            high = max(high, 3)
            return self.add("Pad", x, [x.name], dims, good, low, high, pads=before + after, mode=mode, **extra)
        inputs = [x.name, self.list_input([same(p) for p in before + after])]
        if not inputs[1]:
            return False
        if mode == "constant" and self.chance(0.5) and x.kind in FLOATS | {"INT64", "INT32", "UINT8", "INT8"}:
            inputs.append(self.constant(np.array(7, numpy_type(x.kind))))
            high = max(high, 7)
        elif some:
            inputs.append("")
        if some:
            inputs.append(self.constant(np.array([a - x.rank if self.chance(0.3) else a for a in axes], np.int64)))
        return self.add("Pad", x, inputs, dims, good, low, high, mode=mode)

    def step_concat(self, x):
        if x.rank == 0 or self.opset < 4:
            return False
        axis = self.below(0, x.rank - 1)
        parts = [x]
        for _ in range(self.draw([1, 1, 2])):
            beside = [
                v for v in self.pool
                if v.kind == x.kind and v.rank == x.rank
                and all(a == b for i, (a, b) in enumerate(zip(v.dims, x.dims)) if i != axis)
            ]  # fmt: skip
            if all(is_same(d) for i, d in enumerate(x.dims) if i != axis) and self.chance(0.5):
                dims = [d[0] for d in x.dims]
                dims[axis] = self.below(1, 3)
                parts.append(self.weight(x.kind, dims))
            else:
                parts.append(self.draw(beside or [x]))
        self.random.shuffle(parts)
        dims = list(x.dims)
        dims[axis] = tuple(sum(p.dims[axis][c] for p in parts) for c in range(CALLS))
        low, high = min(p.low for p in parts), max(p.high for p in parts)
        made = self.add(
            "Concat", x, [p.name for p in parts], dims, None, low, high, exact=all(p.exact for p in parts),
            axis=axis - x.rank if self.opset >= 11 and self.chance(0.3) else axis,
        )  # fmt: skip
        if made:
            self.pool[-1].is_constant = all(p.is_constant for p in parts)
        return made

    def step_split(self, x):
        if x.rank == 0:
            return False
        axis = self.below(0, x.rank - 1)
        size, parts = x.dims[axis], self.draw([1, 2, 2, 3])
        how, good, attributes, inputs = self.draw(["equal", "sizes", "number"]), [True] * CALLS, {}, [x.name]
        if how == "number" and self.opset < 18:
            how = "equal"
        if how == "sizes":
            cuts = sorted(self.below(0, size[0]) for _ in range(parts - 1))
            sizes = [same(b - a) for a, b in zip([0, *cuts], [*cuts, size[0]])]
            if not is_same(size):
                half = tuple(n // 2 for n in size)
                sizes = [half, tuple(a - b for a, b in zip(size, half))]
            if self.opset < 13:
                if not is_same(size):
                    return False
                attributes["split"] = [s[0] for s in sizes]
            else:
                inputs.append(self.list_input(sizes))
                if not inputs[-1]:
                    return False
        else:
            good = [n % parts == 0 for n in size]
            sizes = [tuple(n // parts for n in size)] * parts
            if how == "number":
                each = tuple(-(-n // parts) for n in size)
                last = tuple(n - e * (parts - 1) for n, e in zip(size, each))
                good = [n >= 0 for n in last]
                sizes = [each] * (parts - 1) + [last]
            if self.opset >= 18:
                attributes["num_outputs"] = parts
        results = [[*x.dims[:axis], s, *x.dims[axis + 1 :]] for s in sizes]
        if not self.fits(results[0], good) or not all(self.fits(r) for r in results):
            return False
        axis = axis - x.rank if self.opset >= 11 and self.chance(0.3) else axis
        names = self.emit("Split", inputs, len(results), axis=axis, **attributes)
        for name, dims in zip(names if len(results) > 1 else [names], results):
            self.pool.append(Value(name, x.kind, dims, x.low, x.high, x.exact))
        return True

    def step_tile(self, x):
        if self.opset < 6 or x.rank == 0:
            return False
        repeats = [same(self.draw([1, 1, 1, 2, 3] if self.chance(0.98) else [0])) for _ in x.dims]
        others = [d for v in self.pool for d in v.dims if not is_same(d)]
        if others and self.chance(0.15):
            repeats[self.below(0, x.rank - 1)] = self.draw(others)
        target = self.list_input(repeats)
        dims = [tuple(a * b for a, b in zip(d, r)) for d, r in zip(x.dims, repeats)]
        return target and self.add("Tile", x, [x.name, target], dims)

    def step_expand(self, x):
        if self.opset < 8:
            return False
        others = [d for v in self.pool for d in v.dims if not is_same(d)]
        spelled, dims = [], []
        for d in x.dims:
            wide = self.draw(others) if others and self.chance(0.3) else same(self.below(1, 4))
            grown = d == same(1) and self.chance(0.7)
            dims.append(wide if grown else d)
            spelled.append(wide if grown else self.draw([same(1), d]))
        if self.chance(0.4) and len(dims) < MAX_RANK:
            lead = self.draw(others) if others and self.chance(0.3) else same(self.below(1, 3))
            dims.insert(0, lead)
            spelled.insert(0, lead)
        if 1 < len(spelled) == x.rank and spelled[0] == same(1) and self.chance(0.3):  # the rank stays that of x
            spelled = spelled[1:]
        target = self.list_input(spelled)
        return target and self.add("Expand", x, [x.name, target], dims)

    def step_gather(self, x):
        if x.rank == 0:
            return False
        axis = self.below(0, x.rank - 1)
        size = x.dims[axis][0]
        if size == 0:
            return False
        shape = self.draw([[], [1], [2], [3], [5], [2, 2], [0]] if self.chance(0.1) else [[], [1], [2], [3], [2, 2]])
        if self.picks_by_data([x.dims[axis]]):
            dims = [*x.dims[:axis], *[same(n) for n in shape], *x.dims[axis + 1 :]]
            return self.add("Gather", x, [x.name, self.index_input(shape, [x.dims[axis]])], dims, axis=axis)
        most = size - 1 if is_same(x.dims[axis]) else min(size - 1, 1)
        low = -most - 1 if self.opset >= 11 else 0
        indices = self.random.integers(low, most + 1, shape).astype(self.draw([np.int64, np.int32]))
        needs = int(max([i + 1 if i >= 0 else -i for i in indices.reshape(-1).tolist()], default=0))
        good = [n >= needs for n in x.dims[axis]]
        dims = [*x.dims[:axis], *[same(n) for n in shape], *x.dims[axis + 1 :]]
        axis = axis - x.rank if self.opset >= 11 and self.chance(0.3) else axis
        if not self.add("Gather", x, [x.name, self.constant(indices)], dims, good, axis=axis):
            return False
        # The ONNX specification forbids an index out of range, but the evaluators accept it if there are no elements.
        empty = [any(d[c] == 0 for d in dims) for c in range(CALLS)]
        self.is_doubtful = [d or e and not g for d, e, g in zip(self.is_doubtful, empty, good)]
        return True

    def step_gather_nd(self, x):
        if self.opset < 11 or x.rank == 0:
            return False
        depth, many = self.below(1, x.rank), self.below(1, 4)
        if self.picks_by_data(x.dims[:depth]):
            dims = [same(many), *x.dims[depth:]]
            return self.add("GatherND", x, [x.name, self.index_input([many, depth], x.dims[:depth])], dims)
        if not all(is_same(d) and d[0] for d in x.dims):
            return False
        tuples = [[self.below(-x.dims[a][0], x.dims[a][0] - 1) for a in range(depth)] for _ in range(many)]
        dims = [same(many), *x.dims[depth:]]
        return self.add("GatherND", x, [x.name, self.constant(np.array(tuples, np.int64))], dims)

    def step_gather_elements(self, x):
        if self.opset < 11 or x.rank == 0 or not all(is_same(d) and d[0] for d in x.dims):
            return False
        axis = self.below(0, x.rank - 1)
        shape = [self.below(1, d[0]) for d in x.dims]
        if math.prod(shape) > 200:
            return False
        size = x.dims[axis][0]
        dims = [same(n) for n in shape]
        if self.picks_by_data([x.dims[axis]]):
            return self.add("GatherElements", x, [x.name, self.index_input(shape, [x.dims[axis]])], dims, axis=axis)
        indices = self.random.integers(-size, size, shape)
        return self.add("GatherElements", x, [x.name, self.constant(indices)], dims, axis=axis)

    def step_trilu(self, x):
        if self.opset < 14 or x.rank < 2 or x.kind not in FLOATS | {"INT32", "INT64", "BOOL", "UINT8"}:
            return False
        if not all(is_same(d) for d in x.dims[-2:]):
            return False
        k = self.draw([None, 0, 1, -1, 2, -3, 9])
        inputs = [x.name] if k is None else [x.name, self.constant(np.array(k, np.int64))]
        return self.add("Trilu", x, inputs, x.dims, low=min(0, x.low), upper=self.below(0, 1))

    def beside(self, x, dims):
        """Returns a value of these sizes and of the type of x, an earlier one or a constant, or None. One that is broadcast
        is a constant: a size of another may be open, and 1 in all calls."""
        there = [v for v in self.pool if v.kind == x.kind and v.dims == dims and dims == x.dims]
        if there and self.chance(0.7):
            return self.draw(there)
        return self.weight(x.kind, [d[0] for d in dims]) if all(is_same(d) for d in dims) else None

    def step_where(self, x):
        if self.opset < 9 or x.rank == 0:
            return False
        known = [i for i, d in enumerate(x.dims) if is_same(d) and d[0] > 0]
        varied = set(known[self.below(0, len(known)) :]) if known else set()
        lead = min(varied, default=x.rank - 1) if self.chance(0.5) else 0
        shape = [d[0] if i in varied else 1 for i, d in enumerate(x.dims)][lead:]
        mask = self.constant(self.random.integers(0, 2, shape).astype(bool))
        y = self.beside(x, x.dims if self.chance(0.5) else [same(1)])
        if y is None:
            return False
        pair = [x.name, y.name] if self.chance(0.5) else [y.name, x.name]
        return self.add("Where", x, [mask, *pair], x.dims, low=min(x.low, y.low), high=max(x.high, y.high))

    def step_compress(self, x):
        if self.opset < 9 or x.rank == 0:
            return False
        axis = self.below(0, x.rank - 1)
        kept = self.random.integers(0, 2, self.below(1, max(1, x.dims[axis][0]))).astype(bool)
        flat = self.chance(0.2)
        size = x.volume() if flat else x.dims[axis]
        good = [n >= len(kept) for n in size]
        count = same(kept.sum())
        dims = [count] if flat else [*x.dims[:axis], count, *x.dims[axis + 1 :]]
        spelled = axis - x.rank if self.opset >= 11 and self.chance(0.3) else axis
        where = {} if flat else {"axis": spelled}
        return self.add_doubtful("Compress", x, [x.name, self.constant(kept)], dims, good, **where)

    def step_scatter_nd(self, x):
        if self.opset < 11 or x.rank == 0:
            return False
        depth, many = self.below(1, x.rank), self.below(1, 4)
        if not all(is_same(d) and d[0] for d in x.dims[:depth]):
            return False
        places = [tuple(self.below(0, d[0] - 1) for d in x.dims[:depth]) for _ in range(many)]
        places = list(dict.fromkeys(places))  # ONNX does not say which of two updates at one place wins
        updates = self.beside(x, [same(len(places)), *x.dims[depth:]])
        if updates is None:
            return False
        tuples = self.constant(np.array(places, np.int64))
        high, low = max(x.high, updates.high), min(x.low, updates.low)
        return self.add("ScatterND", x, [x.name, tuples, updates.name], x.dims, low=low, high=high)

    def step_scatter_elements(self, x):
        if self.opset < 11 or x.rank == 0 or not all(is_same(d) and d[0] for d in x.dims):
            return False
        axis = self.below(0, x.rank - 1)
        shape = [self.below(1, d[0]) for d in x.dims]
        size = x.dims[axis][0]
        order = np.argsort(self.random.random(shape[:axis] + [size] + shape[axis + 1 :]), axis)
        indices = np.take(order, range(shape[axis]), axis)  # no index twice
        indices = np.where(self.random.random(shape) < 0.3, indices - size, indices).astype(np.int64)
        updates = self.beside(x, [same(n) for n in shape])
        high, low = max(x.high, updates.high), min(x.low, updates.low)
        inputs = [x.name, self.constant(indices), updates.name]
        return self.add("ScatterElements", x, inputs, x.dims, low=low, high=high, axis=axis)

    def step_one_hot(self, x):
        if self.opset < 11 or x.dims != [same(2)] or x.kind not in FLOATS | {"INT32", "INT64", "STRING"}:
            return False
        shape, depth = self.draw([[2], [2], [2, 3]]), self.below(1, 5)  # of a scalar, ONNX infers no shape
        indices = self.constant(self.random.integers(-depth, depth, shape).astype(np.int64))
        axis = self.below(0, len(shape))
        dims = [same(n) for n in shape]
        dims.insert(axis, same(depth))
        axis = axis - len(dims) if self.chance(0.3) else axis
        return self.add("OneHot", x, [indices, self.constant(np.array(depth, np.int64)), x.name], dims, axis=axis)

    def step_einsum(self, x):
        if self.opset < 12 or x.rank == 0 or x.kind not in FLOATS | {"INT32", "INT64"}:
            return False
        if any(0 in d for d in x.dims):  # onnxruntime 1.32 divides by this size
            return False
        letters = list("ijkKLm"[: x.rank])
        twice = [(a, b) for a in range(x.rank) for b in range(a) if x.dims[a] == x.dims[b] and is_same(x.dims[a])]
        if twice and self.chance(0.5):
            a, b = self.draw(twice)
            letters[a] = letters[b]
        sizes = dict(zip(letters, x.dims))
        wanted = [str(w) for w in self.random.permutation(list(sizes))]
        equation = f"{''.join(letters)}->{''.join(wanted)}"
        return self.add("Einsum", x, [x.name], [sizes[w] for w in wanted], equation=equation)

    def step_col2im(self, x):
        if self.opset < 18 or x.rank != 4 or x.kind not in FLOATS or not all(is_same(d) and d[0] for d in x.dims[1:]):
            return False
        n, c, h, w = x.dims
        channels = max(k for k in (1, 2, 3) if c[0] % k == 0)
        block = c[0] // channels
        steps = h[0] * w[0]
        target = self.list_input([(0,) * CALLS, c, same(steps)])
        flat = target and self.emit("Reshape", [x.name, target])
        if not flat:
            return False
        image = self.constant(np.array([h[0], w[0] * block], np.int64))
        blocks = self.constant(np.array([1, block], np.int64))
        dims = [n, same(channels), h, same(w[0] * block)]
        return self.add("Col2Im", x, [flat, image, blocks], dims, strides=[1, block])

    def step_blocks(self, x):
        if x.rank != 4 or x.kind == "STRING" and self.opset < 13:
            return False
        n, c, h, w = x.dims
        block = self.draw([1, 2, 2, 3])
        modes = {"mode": self.draw(["DCR", "CRD"])} if self.opset >= 11 and self.chance(0.6) else {}
        if self.chance(0.5):
            good = [a % (block * block) == 0 for a in c]
            dims = [n, tuple(a // block // block for a in c), *[tuple(a * block for a in d) for d in (h, w)]]
            return self.add_doubtful("DepthToSpace", x, [x.name], dims, good, blocksize=block, **modes)
        good = [a % block == 0 and b % block == 0 for a, b in zip(h, w)]
        dims = [n, tuple(a * block * block for a in c), *[tuple(a // block for a in d) for d in (h, w)]]
        modes = modes if self.opset >= 28 else {}
        return self.add_doubtful("SpaceToDepth", x, [x.name], dims, good, blocksize=block, **modes)

    def add_doubtful(self, op, x, inputs, dims, good, **attributes):
        """Adds a node. ONNX forbids sizes that are not `good`, but its evaluator accepts them without elements."""
        if not self.add(op, x, inputs, dims, good, **attributes):
            return False
        empty = [any(d[c] == 0 for d in x.dims) for c in range(CALLS)]
        self.is_doubtful = [d or e and not g for d, e, g in zip(self.is_doubtful, empty, good)]
        return True

    def step_cast(self, x):
        if x.kind in ("STRING", "COMPLEX64", "COMPLEX128") or not x.exact or self.opset < 6:
            return False
        kinds = [
            k for k, (most, since) in TYPES.items()
            if since <= self.opset and k not in ("STRING", "COMPLEX64", "COMPLEX128")
            and (k == "BOOL" or most >= x.high and (x.low >= 0 or k in SIGNED and most >= -x.low))
        ]  # fmt: skip
        if not kinds:
            return False
        to = self.draw(kinds)
        while not self.has_ranks and numpy_type(to).kind not in "biufc":  # not one of numpy's own types
            to = self.draw([x.kind, *kinds])
        low, high = (0, 1) if to == "BOOL" else (x.low, x.high)
        if self.opset >= 15 and self.chance(0.2):
            like = self.constant(elements(self.random, to, [1]), to)
            return self.add("CastLike", x, [x.name, like], x.dims, low=low, high=high, kind=to)
        return self.add("Cast", x, [x.name], x.dims, low=low, high=high, kind=to, to=getattr(TensorProto, to))

    def step_reverse(self, x):
        if self.opset < 10 or x.rank < 2:
            return False
        batch = self.below(0, 1)
        time = 1 - batch
        if not is_same(x.dims[batch]) or x.dims[time][0] == 0:
            return False
        most = x.dims[time][0] if is_same(x.dims[time]) else 1
        lengths = self.random.integers(1, most + 1, x.dims[batch][0])
        good = [n >= most for n in x.dims[time]]
        inputs = [x.name, self.constant(lengths)]
        if not self.add("ReverseSequence", x, inputs, x.dims, good, time_axis=time, batch_axis=batch):
            return False
        # ONNX forbids lengths above the size, but the evaluators accept them if there are no elements.
        self.is_doubtful = [d or not g for d, g in zip(self.is_doubtful, good)]
        return True

    def step_center(self, x):
        if self.opset < 18 or x.rank == 0 or x.kind == "STRING":
            return False
        axes = [int(a) for a in self.random.permutation(x.rank)[: self.draw([1, 2])]]
        sizes = [max(0, x.dims[a][0] + self.draw([-3, -2, -1, 0, 1, 2, 3])) for a in axes]
        dims = list(x.dims)
        for axis, size in zip(axes, sizes):
            dims[axis] = same(size)
        target = self.list_input([same(s) for s in sizes])
        spelled = [a - x.rank if self.chance(0.3) else a for a in axes]
        return target and self.add(
            "CenterCropPad", x, [x.name, target], dims, low=min(0, x.low), axes=spelled
        )

    def step_resize(self, x):
        # onnxruntime has none of f64, and ONNX's evaluator adds weighted elements, which makes 0 of -0
        if self.opset < 10 or x.rank == 0 or x.kind not in FLOATS - {"DOUBLE"} | {"INT32", "UINT8", "INT8"}:
            return False
        factors = [self.draw([1, 1, 2, 3]) for _ in x.dims]
        dims = [tuple(f * n for n in d) for f, d in zip(factors, x.dims)]
        good = [all(d[c] for d in x.dims) for c in range(CALLS)]
        scales = self.constant(np.array(factors, np.float32))
        if self.opset == 10:
            return self.add("Resize", x, [x.name, scales], dims, good)
        how = self.draw([
            {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
            {"coordinate_transformation_mode": "half_pixel"}, {},
        ])  # fmt: skip
        if self.opset >= 13 and self.chance(0.3) and all(is_same(d) for d in dims):
            sizes = self.constant(np.array([d[0] for d in dims], np.int64))
            return self.add("Resize", x, [x.name, "", "", sizes], dims, good, **how)
        regions = self.constant(np.zeros(0, np.float32)) if self.opset < 13 else ""
        return self.add("Resize", x, [x.name, regions, scales], dims, good, **how)

    def step_function(self, x):
        """Adds an element-wise function. For some of them, ONNX does not specify the last bits."""
        if x.kind not in SIGNED:
            return False
        exact = ["Identity", "Relu", "Abs", "Neg", "Dropout"]
        if self.opset >= 6 and x.exact:  # one bit of tanh(19) decides whether its floor is 0
            exact += ["Ceil", "Floor"]
        if x.kind in FLOATS and self.chance(0.3):
            op = self.draw(["Sigmoid", "Tanh", "LeakyRelu", "Softsign", "HardSigmoid"])
            return self.add(op, x, [x.name], x.dims, low=-10, high=10, exact=False)
        op = self.draw(exact if x.kind in FLOATS else ["Identity", "Abs", "Neg"] + ["Relu"] * (self.opset >= 14))
        low, high = {
            "Relu": (0, x.high), "Abs": (0, max(-x.low, x.high)), "Neg": (-x.high, -x.low),
        }.get(op, (x.low, x.high))  # fmt: skip
        return self.add(op, x, [x.name], x.dims, low=low, high=high)

    def step_filled(self, x):
        """Concatenates a value with a ConstantOfShape of computed sizes."""
        if self.opset < 9 or x.rank == 0 or x.kind not in FLOATS | {"INT32", "INT64", "UINT8"}:
            return False
        axis = self.below(0, x.rank - 1)
        dims = [same(self.below(1, 2)) if i == axis else d for i, d in enumerate(x.dims)]
        is_data = self.chance(0.15) and self.targets < 3
        target = self.target_input(dims) if is_data else self.list_input(dims)
        if not target or not self.fits(dims):
            return False
        number = getattr(TensorProto, x.kind)
        value = helper.make_tensor("", number, [1], np.array([3], numpy_type(x.kind)))
        filled = self.emit("ConstantOfShape", [target], value=value)
        both = list(x.dims)
        both[axis] = tuple(a + b for a, b in zip(x.dims[axis], dims[axis]))
        parts = [x.name, filled] if self.chance(0.5) else [filled, x.name]
        return self.add("Concat", x, parts, both, low=min(x.low, 3), high=max(x.high, 3), axis=axis)

    def step_compute(self, x):
        """Adds a node that computes on floats; its results are not exact, so the chain usually ends there."""
        if x.kind not in FLOATS or not x.exact or self.opset < 7:
            return False
        beside = [v for v in self.pool if v.kind == x.kind and v.dims == x.dims]
        op = self.draw(["Add", "Mul", "Sqrt"] if beside else ["Sqrt"])
        if op == "Sqrt" or x.high > 300:
            return self.add("Sqrt", x, [self.emit("Abs", [x.name])], x.dims, low=0, exact=False)
        return self.add(op, x, [x.name, self.draw(beside).name], x.dims, exact=False)

    # -- later additions, which draw from `more` --

    def unlike(self, kind, dims):
        """Returns a constant operand that broadcasts to these sizes."""
        shape = [d[0] if is_same(d) and self.chance(0.6) else 1 for d in dims]
        shape = shape[self.below(0, len(shape)) :]
        of_type = numpy_type(kind)
        numbers = [1, 2, 3, 5, 7]
        numbers += [-1, -3] if of_type.kind in "if" else []
        numbers += [-0.0, 0.0, 0.5, -2.5] if of_type.kind == "f" else []
        array = np.array([self.draw(numbers) for _ in range(math.prod(shape))]).astype(of_type).reshape(shape)
        return self.constant(array, kind), array

    def step_left(self, x):
        """Adds an operator with a constant as the left or right operand."""
        if self.opset < 7 or x.kind not in FLOATS | {"INT32", "INT64", "UINT8", "BOOL"}:
            return False
        name, array = self.unlike(x.kind, x.dims)
        ops = ["Add", "Sub", "Mul"]
        if np.all(array != 0):  # ONNX does not say which of 0 and -0 is larger
            ops += ["Max", "Min"] * (self.opset >= (8 if x.kind in FLOATS else 12))
        ops += ["Less", "Greater", "Equal"] * (self.opset >= 11)
        ops += ["LessOrEqual", "GreaterOrEqual"] * (self.opset >= 16)
        is_left = self.chance(0.6)
        if x.kind in FLOATS or not is_left and np.all(array > 0):  # onnxruntime crashes if it divides an integer by 0
            ops += ["Div", "Div"]
        op = self.draw(["And", "Or", "Xor", "Equal"] if x.kind == "BOOL" else ops)
        kind = "BOOL" if op in ("Less", "Greater", "Equal", "LessOrEqual", "GreaterOrEqual") else x.kind
        pair = [name, x.name] if is_left else [x.name, name]
        return self.add(op, x, pair, x.dims, low=-99999, high=99999, kind=kind, exact=False)

    def step_shift(self, x):
        if self.opset < 11 or x.kind == "STRING" or len(self.inputs) > 3:
            return False
        kind = self.draw(["UINT8", "UINT16", "UINT32", "UINT64"])
        of_type = np.dtype(kind.lower())
        x = self.new_input(x.dims, kind)
        direction = self.draw(["LEFT", "RIGHT"])
        if self.chance(0.5):
            bits = self.constant(np.array(self.draw([0, 1, 3, 7, 8 * of_type.itemsize - 1]), of_type))
            return self.add("BitShift", x, [x.name, bits], x.dims, exact=False, direction=direction)
        for feed in self.feeds:  # shift amounts below the number of bits
            feed[x.name] = feed[x.name] % np.array(8 * of_type.itemsize, of_type)
        number = self.constant(np.array(self.draw([0, 1, 5, 255]), of_type))
        return self.add("BitShift", x, [number, x.name], x.dims, exact=False, direction=direction)

    def step_zeros(self, x):
        """Concatenates a value with functions of a constant that contains 0 and -0."""
        if x.rank == 0 or x.kind not in FLOATS or self.opset < 7:
            return False
        axis = self.below(0, x.rank - 1)
        if not all(is_same(d) for i, d in enumerate(x.dims) if i != axis):
            return False
        shape = [self.below(1, 3) if i == axis else d[0] for i, d in enumerate(x.dims)]
        numbers = [self.draw([-0.0, -0.0, 0.0, 1.0, -1.0]) for _ in range(math.prod(shape))]
        name = self.constant(np.array(numbers, numpy_type(x.kind)).reshape(shape))
        for _ in range(self.draw([1, 2, 3])):
            op = self.draw(["Neg", "Abs", "Ceil", "Floor", "Identity", "Mul", "Add", "Sub"])
            if op in ("Neg", "Abs", "Ceil", "Floor", "Identity"):
                name = self.emit(op, [name])
                continue
            beside = self.constant(np.array(self.draw([-0.0, 0.0, -1.0]), numpy_type(x.kind)))
            name = self.emit(op, [name, beside] if self.chance(0.5) else [beside, name])
        dims = list(x.dims)
        dims[axis] = tuple(n + shape[axis] for n in x.dims[axis])
        return self.add("Concat", x, [x.name, name], dims, low=min(x.low, -9), high=max(x.high, 9), axis=axis)

    def step_number(self, x):
        """Adds a first axis whose size is computed with a constant as the left operand."""
        sizes = [d for v in self.pool for d in v.dims if 0 not in d]
        if self.opset < 10 or not sizes or x.rank >= MAX_RANK:
            return False
        size, k = self.draw(sizes), self.draw([1, 2, 3, 5, 7, 12, 24])
        op = self.draw(["Sub", "Div", "Mod", "Max", "Min", "Mul", "Add"] + ["BitShift"] * (self.opset >= 11))
        ways = {
            "Sub": lambda n: k - n, "Div": lambda n: k // n, "Mod": lambda n: k % n, "Max": lambda n: max(k, n),
            "Min": lambda n: min(k, n), "Mul": lambda n: k * n, "Add": lambda n: k + n, "BitShift": lambda n: k << n,
        }  # fmt: skip
        number = self.number_node(size)
        left = np.array([k], np.int64)
        if not number or op in ("Max", "Min") and self.opset < 12:
            return False
        if op == "BitShift":
            number = self.emit("Cast", [number], to=TensorProto.UINT64)
            number = self.emit(op, [self.constant(left.astype(np.uint64)), number], direction="LEFT")
            number = self.emit("Cast", [number], to=TensorProto.INT64)
        else:
            number = self.emit(op, [self.constant(left), number])
        lead = tuple(ways[op](n) for n in size)
        target = self.emit("Concat", [number, self.constant(np.ones(x.rank, np.int64))], axis=0)
        return self.add("Expand", x, [x.name, target], [lead, *x.dims], [n >= 0 for n in lead])

    def step_list(self, x):
        """Adds an operator whose list is an input of the model."""
        ways = ["Tile"] + ["Expand"] * (self.opset >= 8) + ["Unsqueeze"] * (self.opset >= 13)
        ways += ["Slice"] * (self.opset >= 10) + ["Pad"] * (self.opset >= 11 and x.kind != "STRING")
        if x.rank == 0 or x.rank >= MAX_RANK or self.targets > 2 or x.is_constant:
            return False
        op, axis, dims = self.draw(ways), self.below(0, x.rank - 1), list(x.dims)
        others = [same(1), same(2), same(3)] + list(self.symbols.values())
        if op == "Tile":
            repeats = [self.draw(others) if self.chance(0.5) else same(1) for _ in dims]
            dims = [tuple(a * b for a, b in zip(d, r)) for d, r in zip(dims, repeats)]
            return self.add(op, x, [x.name, self.target_input(repeats)], dims)
        if op == "Expand":
            lead = self.draw(others)
            spelled = [lead, *[self.draw([same(1), d]) for d in dims]]
            return self.add(op, x, [x.name, self.target_input(spelled)], [lead, *dims])
        if op == "Unsqueeze":
            dims.insert(axis, same(1))
            return self.add(op, x, [x.name, self.target_input([same(axis)])], dims)
        if op == "Pad":
            before, after = ([self.draw([*[same(0)] * 4, *others]) for _ in dims] for _ in range(2))
            dims = [tuple(map(sum, zip(*three))) for three in zip(dims, before, after)]
            return self.add(op, x, [x.name, self.target_input(before + after)], dims, low=min(x.low, 0))
        start, end = self.bound(dims[axis], False), self.bound(dims[axis], True)
        step = self.draw([1, 1, 2])
        dims[axis] = tuple(len(range(*slice(s, e, step).indices(max(n, 0)))) for s, e, n in zip(start, end, dims[axis]))
        rest = [self.constant(np.array([n], np.int64)) for n in (axis, step)]
        return self.add(op, x, [x.name, self.target_input([start]), self.target_input([end]), *rest], dims)

    def step_old(self, x):
        """Adds Upsample or Scatter, which later opsets lack."""
        if 7 <= self.opset < 10 and x.rank and x.kind in FLOATS | {"INT32", "UINT8"} and self.chance(0.7):
            factors = [self.draw([1, 1, 2, 3]) for _ in x.dims]
            dims = [tuple(f * n for n in d) for f, d in zip(factors, x.dims)]
            good = [all(d[c] for d in x.dims) for c in range(CALLS)]
            if self.opset < 9:
                return self.add("Upsample", x, [x.name], dims, good, scales=[float(f) for f in factors])
            return self.add("Upsample", x, [x.name, self.constant(np.array(factors, np.float32))], dims, good)
        if not 9 <= self.opset < 11 or x.rank == 0 or not all(is_same(d) and d[0] for d in x.dims):
            return False
        axis = self.below(0, x.rank - 1)
        shape = [d[0] for d in x.dims]
        shape[axis] = self.below(1, shape[axis])
        at = np.argsort(self.random.random([d[0] for d in x.dims]), axis)
        indices = np.take(at, range(shape[axis]), axis).astype(np.int64)
        updates = self.weight(x.kind, shape)
        low, high = min(x.low, updates.low), max(x.high, updates.high)
        inputs = [x.name, self.constant(indices), updates.name]
        return self.add("Scatter", x, inputs, x.dims, low=low, high=high, axis=axis)

    def step(self):
        ways = {
            "reshape": 6, "transpose": 4, "slice": 4, "pad": 3, "concat": 4, "split": 2, "tile": 2, "expand": 2,
            "gather": 2, "gather_nd": 1, "gather_elements": 1, "blocks": 2, "cast": 1, "reverse": 1, "center": 1,
            "resize": 1, "flatten": 1, "squeeze": 2, "unsqueeze": 2, "filled": 1,
            "trilu": 1, "where": 1, "compress": 1, "scatter_nd": 1, "scatter_elements": 1, "one_hot": 1, "einsum": 1,
            "col2im": 1,
        }  # fmt: skip
        more = {
            "views": {"reshape": 12, "transpose": 10, "squeeze": 4, "unsqueeze": 4},
            "slices": {"slice": 14, "concat": 8, "split": 6},
            "borders": {"pad": 12, "tile": 8, "expand": 6, "concat": 6, "slice": 6},
            "targets": {"reshape": 14},
            "constants": {"concat": 12, "filled": 6, "expand": 6, "pad": 6},
        }.get(self.way, {})  # fmt: skip
        ways.update(more)
        ways["function"] = 4 if self.has_functions else 0
        ways["compute"] = 4 if self.is_mixed else 0
        names = [n for n, weight in ways.items() for _ in range(weight)]
        if isinstance(self.few, int):
            self.few = [self.draw(names) for _ in range(self.few)]
        return self.attempt(self.few or names)

    def late_step(self):
        """Adds one of the later steps, which draw only from `more`."""
        random, self.random = self.random, self.more
        made = self.attempt(["shift", "left", "left", "zeros", "number", "number", "list", "list", "list", "old",
                             "mask", "mask", "mask", "loop", "scan"])  # fmt: skip
        self.random = random
        return made

    def attempt(self, names):
        """Tries one of these steps. If it fails, removes what it added."""
        recent = self.pool[-3:]
        at = (len(self.nodes), len(self.constants), len(self.inputs), len(self.pool), self.targets, list(self.is_valid))
        kinds = [v.kind for v in self.pool if not v.is_constant]
        if self.chance(0.3 if self.way == "constants" or not self.has_ranks else 0.06):
            x = self.weight(self.draw(kinds), [self.below(1, 4) for _ in range(self.draw([1, 2, 2, 3]))])
            if self.chance(0.5):
                self.pool.append(x)
        elif self.chance(0.04) and len(self.inputs) < 4:
            x = self.new_input(self.draw([None, self.draw(recent).dims]), self.draw(kinds))
        else:
            x = self.draw(recent if self.chance(0.8) else self.pool)
        made = getattr(self, f"step_{self.draw(names)}")(x)
        if not made:
            if len(self.inputs) > at[2]:
                for value in self.inputs[at[2] :]:
                    self.feeds = [{n: a for n, a in f.items() if n != value.name} for f in self.feeds]
            del self.nodes[at[0] :], self.constants[at[1] :], self.inputs[at[2] :], self.pool[at[3] :]
            self.targets, self.is_valid = at[4], at[5]
        return made

    def model(self):
        """Returns (model, {name: array} of each call, {output: is exact}, the model of the expected results)."""
        for _ in range(self.draw([1, 1, 1, 2, 2, 3])):
            self.new_input()
        wanted = self.draw([4, 6, 8, 10, 12, 16] if self.few else [1, 2, 2, 3, 3, 4, 5, 6, 8, 10])
        made = 0
        for _ in range(6 * wanted):
            is_late = self.has_late_steps and self.more.random() < 0.3
            made += bool(self.late_step() if is_late else self.step())
            if made == wanted:
                break
        model, feeds, exact = self.finish()
        return Forms(self.more, model, self.prefix).made() if self.has_forms else model, feeds, exact, model

    def finish(self):
        by_name = {v.name: v for v in self.pool}
        results = [
            o for n in self.nodes for o in n.output
            if o in by_name and (not by_name[o].is_constant or self.chance(0.05))
        ]  # fmt: skip
        read = {i for n in self.nodes for i in n.input}
        chosen = {n for n in results if n not in read and self.chance(0.9) or self.chance(0.08)}
        chosen |= set(results[-1:])
        names = [n for n in results if n in chosen]
        used = needed(self.nodes, names)
        if not names:
            names = [self.emit("Identity", [self.inputs[0].name])]
            first = self.pool[0]
            by_name[names[0]] = Value(names[0], first.kind, first.dims, first.low, first.high)
            used = needed(self.nodes, names)
        nodes = [n for n in self.nodes if self.chance(0.03) or used.intersection(n.output)]
        read = {i for n in nodes for i in n.input}
        constants = [c for c in self.constants if c.name in read]
        inputs = [i for i in self.inputs if i.name in read or self.chance(0.5)]
        outputs = [self.declared(by_name[n]) for n in names]
        made = {o for n in nodes for o in n.output} | {i.name for i in inputs} | {c.name for c in constants}
        nodes = [n for n in nodes if all(i in made or not i for i in n.input)]
        if self.version < 4:  # there, initializers are also inputs
            inputs += [helper.make_tensor_value_info(c.name, c.data_type, c.dims) for c in constants]
        graph = helper.make_graph(nodes, self.prefix, inputs, outputs, constants)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=self.version
        )
        given = {i.name for i in inputs} - {c.name for c in constants}
        feeds = [
            {n: a for n, a in f.items() if n in given} for f, doubt in zip(self.feeds, self.is_doubtful) if not doubt
        ]  # fmt: skip
        exact = {n: by_name[n].exact for n in names}
        return model, feeds, exact

    def declared(self, value):
        """Returns an output's type, with the sizes that are numbers or have names, or without sizes."""
        known = self.chance(0.3)
        names = {d: n for n, d in self.symbols.items()}
        dims = [(d[0] if is_same(d) else names.get(d)) if known else None for d in value.dims]
        return helper.make_tensor_value_info(value.name, getattr(TensorProto, value.kind), dims)


def needed(nodes, names):
    """Returns the names of all values that these are computed from, and their own."""
    makers = {o: n for n in nodes for o in n.output}
    todo, seen = list(names), set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += [i for i in makers[name].input if i] if name in makers else []
    return seen


def tensor_of(array, kind, name):
    number = getattr(TensorProto, kind)
    if kind == "STRING":
        return helper.make_tensor(name, number, array.shape, [s.encode() for s in array.reshape(-1)])
    return numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
