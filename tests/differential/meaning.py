# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes what a graph means for given sizes: numpy's results with their bytes, or the status of a refused call.

Each operator is a function of arrays of element numbers and of its arguments, with the names of the table of operators.
Most functions come from support/oracle.py. The net cannot test an operator that is missing here.
"""

import os
import re
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "random")]

import arithmetic  # noqa: E402
import casts  # noqa: E402
import oracle  # noqa: E402
from elements import BITS, FILLED, Elements, constant  # noqa: E402
from graphs import PLAIN_TEXT, holds, is_declared, names_in, number, numbers  # noqa: E402

# The additional inputs of a dynamic graph: zz_ = reshape(q_, t_).
EXTRA = {"q_": np.array([1, 2], "u1"), "t_": np.array([2], "i8").view("u1")}
MOST_ELEMENTS = 60000  # of one value; larger values are not computed


class TooLarge(Exception):
    """A value has too many elements to compute."""


def as_list(value):
    return None if value is None else value if isinstance(value, list) else [value]


def check_volume(dims):
    volume = oracle.volume(dims)
    if volume > MOST_ELEMENTS:
        raise TooLarge


def slice_(x, starts, ends, axes=None, steps=None):
    check_volume([max(x.shape, default=0)])
    return oracle.slice_(x, as_list(starts), as_list(ends), as_list(axes), as_list(steps))


def pad(x, pads, value=0, mode="constant", axes=None, crop_last=False):
    del value  # fill elements get their numbers later
    pads, axes = as_list(pads), list(range(x.ndim)) if axes is None else as_list(axes)
    if len(pads) != 2 * len(axes):
        raise oracle.Refused("bad_length")
    axes = [oracle.axis_of(a, x.ndim) for a in axes]
    if len(set(axes)) != len(axes):
        raise oracle.Refused("duplicate_axis")
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise oracle.Refused("bad_mode")
    dims = list(x.shape)
    for axis, i in sorted(zip(axes, range(len(axes)))):  # errors are reported by the order of axes
        dims[axis] = oracle.padded(dims[axis], pads[i], pads[len(axes) + i], mode, crop_last)
    check_volume(dims)
    return oracle.pad(x, {a: (pads[i], pads[len(axes) + i]) for i, a in enumerate(axes)}, mode, crop_last=crop_last)


def split(x, axis=0, parts=None, sizes=None, results=1):
    axis = oracle.axis_of(axis, x.ndim)
    if sizes is None:
        if parts is None:
            if x.shape[axis] % results:
                raise oracle.Refused("bad_parts")
            parts = results
        return oracle.split(x, axis, None, parts)
    sizes = as_list(sizes)
    if len(sizes) != results:
        raise oracle.Refused("bad_parts")
    return oracle.split(x, axis, sizes)


def roll(x, shifts, axes=None):
    return oracle.roll(x, as_list(shifts), as_list(axes))


def tile(x, repeats):
    repeats = as_list(repeats)
    if len(repeats) == x.ndim and all(r >= 0 for r in repeats):
        check_volume([d * r for d, r in zip(x.shape, repeats)])
    return oracle.tile(x, repeats)


def repeat(x, repeats):
    tile(x[:0] if x.ndim else x, repeats)
    check_volume([d * r for d, r in zip(x.shape, as_list(repeats))])
    return oracle.repeat(x, as_list(repeats))


def expand(x, shape):
    shape = as_list(shape)
    if all(d >= 0 for d in shape):
        wide = [1] * (len(shape) - x.ndim) + list(x.shape), [1] * (x.ndim - len(shape)) + list(shape)
        check_volume([b if a == 1 else a for a, b in zip(*wide)])
    return oracle.expand(x, shape)


def center_crop_pad(x, shape, axes=None):
    check_volume([max(0, s) for s in as_list(shape)])
    return oracle.center_crop_pad(x, as_list(shape), as_list(axes))


def stack(*xs, axis=0):
    if len({x.shape for x in xs}) > 1:
        raise oracle.Refused("shape_mismatch")
    return oracle.stack(*xs, axis=axis)


def concat(*xs, axis):
    if xs[0].ndim < 1:
        raise oracle.Refused("bad_rank")
    return oracle.concat(*xs, axis=axis)


def subscript(x, at):
    """Computes x[1:, -1]: a slice for each range and a gather for each index, from the last axis to the first."""
    if len(at) > x.ndim:
        raise oracle.Refused("bad_rank")
    for axis in range(len(at) - 1, -1, -1):
        item = at[axis]
        if isinstance(item, (list, tuple)):
            check_volume([x.shape[axis]])  # a size may be huge if another is 0
            step = 1 if item[2] is None else item[2]
            kept = oracle.slice_indices(x.shape[axis], item[0], item[1], step)
            x = oracle.take(x, kept, axis)
        else:
            x = oracle.gather(x, item, axis)
    return x


class Target(list):
    """Entries of a target. Those at the indices `sizes` are sizes: their 0 and -1 do not copy or infer."""

    sizes = ()


def reshape_dims(dims, target, **rules):
    """Returns the shape of a reshape whose target has a size of 0; None if the rule for plain targets applies."""
    if not target.sizes:
        return None
    if any(target[i] < 0 for i in target.sizes):
        raise oracle.Refused("bad_dim")
    if not any(target[i] == 0 for i in target.sizes):
        return None
    out = list(target)
    for i, n in enumerate(out):
        if n == 0 and i not in target.sizes and not rules.get("allowzero"):
            if i >= len(dims):
                raise oracle.Refused("zero_out_of_range")
            out[i] = dims[i]
    if out.count(-1) > 1:
        raise oracle.Refused("multiple_infer")
    if -1 in out:
        raise oracle.Refused("zero_with_infer" if rules.get("allowzero") else "ambiguous_infer")
    if any(n < -1 for n in out):
        raise oracle.Refused("bad_dim")
    if oracle.volume(dims) != oracle.volume(out):
        raise oracle.Refused("volume_mismatch")
    return out


def reshape(x, shape, allowzero=0):
    dims = reshape_dims(list(x.shape), shape, allowzero=allowzero)
    return x.reshape(dims) if dims is not None else oracle.reshape(x, list(shape), allowzero)


def dialect(name):
    def reshape_as(x, shape, act=None, inplace=None, name_=None, dtype="f32", **flags):
        del act, inplace, name_
        if any(shape[i] <= 0 for i in shape.sizes):
            raise TooLarge  # other tests cover sizes of 0 in targets of dialects
        dims = oracle.reshape_dialect(name, list(x.shape), list(shape), dtype=dtype, **flags)
        return x.reshape(dims)

    return reshape_as


def gather_elements(x, indices, axis=0):
    """Gathers along one axis. Along the others, the indices may be smaller than the data."""
    if x.ndim != indices.ndim:  # after a squeeze, the rank of x depends on its sizes
        raise oracle.Refused("bad_rank")
    places = list(np.indices(indices.shape, sparse=True))
    places[axis] = indices
    return x[tuple(places)]


def gather_nd(x, indices, batch_dims=0):
    check_volume([*indices.shape[:-1], *x.shape[batch_dims + indices.shape[-1] :]])
    batches = np.indices(indices.shape[:-1], sparse=True)[:batch_dims]
    return np.asarray(x[(*batches, *np.moveaxis(indices, -1, 0))])


def axes_picked(call, dims, at, axis=0, batch_dims=0):
    """Returns the axes of the data that the indices refer to. Refuses shapes that do not match."""
    if call.op == "gather_nd":
        if list(at[:batch_dims]) != list(dims[:batch_dims]):
            raise oracle.Refused("shape_mismatch")
        return range(batch_dims, batch_dims + at[-1])
    axis = oracle.axis_of(axis, len(dims))
    if call.op == "gather_elements" and any(n > m for i, (n, m) in enumerate(zip(at, dims)) if i != axis):
        raise oracle.Refused("shape_mismatch")
    return [axis]


def integers_of(dtype):
    """Returns the least and the greatest number of a type."""
    half = 1 << BITS[dtype] - 1
    return (-half, half - 1) if dtype.startswith("i") else (0, 2 * half - 1)


def listing(function):
    """Returns an operator whose list of axes may also be one integer."""

    def with_list(x, axes=None):
        return function(x, as_list(axes))

    return with_list


OPERATORS = {
    "reshape": reshape,
    **{name: dialect(system) for name, system in oracle.DIALECTS.items()},
    "flatten": oracle.flatten,
    "squeeze": listing(oracle.squeeze),
    "unsqueeze": listing(oracle.unsqueeze),
    "transpose": lambda x, perm=None: oracle.transpose(x, as_list(perm)),
    "slice": slice_,
    "subscript": subscript,
    "flip": listing(oracle.flip),
    "expand": expand,
    "concat": concat,
    "stack": stack,
    "split": split,
    "depth_to_space": lambda x, blocksize, mode="DCR": oracle.depth_to_space(x, blocksize, mode),
    "space_to_depth": lambda x, blocksize, mode="DCR": oracle.space_to_depth(x, blocksize, mode),
    "pad": pad,
    "center_crop_pad": center_crop_pad,
    "tile": tile,
    "repeat": repeat,
    "roll": roll,
    "gather": lambda x, indices, axis=0: oracle.gather(x, np.array(indices, np.int64), axis),
    "gather_elements": gather_elements,
    "gather_nd": gather_nd,
    "reverse_sequence": lambda x, lengths, **axes: oracle.reverse_sequence(x, as_list(lengths), **axes),
    "identity": oracle.identity,
    "rearrange": oracle.rearrange,
}
# Arguments of element-wise functions that may be tables.
CONSTANTS = ("value", "bits", "min", "max", "scale", "zero_point", "multiplier", "shift")
OF_ELEMENTS = {"cast", "bitcast", "quantize", "dequantize", "requantize", "lookup", *casts.EXACT, *arithmetic.FUNCTIONS}

f1 = np.float64
ROUNDED = {
    "elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "logsigmoid": lambda x: np.where(x < 0, x - np.log1p(np.exp(-np.abs(x))), -np.log1p(np.exp(-np.abs(x)))),
    "tanh": np.tanh,
    "tanh_shrink": lambda x: x - np.tanh(x),
    "softplus": lambda x: np.where(x > 20, x, np.log1p(np.exp(np.minimum(x, 20)))),
    "swish": lambda x: x / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "soft_relu": lambda x: np.log1p(np.exp(np.clip(x, -40, 40))),
    "stanh": lambda x: 1.7159 * np.tanh(0.67 * x),
    "celu": lambda x: np.maximum(x, 0) + np.minimum(0, np.expm1(x)),
    "gelu": lambda x: x / 2 * (1 + np.vectorize(__import__("math").erf, otypes=[f1])(x / np.sqrt(2))),
    **{name: getattr(np, name) for name in "exp expm1 log log2 log10 log1p sin cos tan sinh cosh".split()},
    **{name: getattr(np, "arc" + name[1:]) for name in "asin acos atan asinh acosh atanh".split()},
}
ROWWISE = {"softmax"}


def has_meaning(name):
    return name in OPERATORS or name in OF_ELEMENTS or name in ROUNDED or name in ROWWISE


class Meaning(Elements):
    """All values of a graph for one binding of its symbols, and the status of the call."""

    def __init__(self, graph, symbols, seed):
        super().__init__(seed)
        self.graph, self.symbols = graph, symbols
        self.env = graph.data_env(symbols)
        self.held = {i.name: i.held(symbols) for i in graph.inputs if i.holds}
        self.is_rounded, self.given, self.right = False, None, {}
        self.chosen = set()  # names of inputs whose indices are chosen
        self.status = "ok"  # from sizes and shapes
        self.of_indices = "ok"  # of the indices, if the shapes are valid
        self.is_of_result = False  # whether the status is that of a declared result
        self.is_of_fact = False  # whether the status is that of a condition; in a called graph, another may come first
        try:
            self.evaluate()
        except oracle.Refused as why:
            self.status = why.kind
            self.give_the_rest()

    def bytes_given(self):
        """Returns the memory of each input, and of the additional inputs of dynamic graphs."""
        if self.given is None:
            self.given = {n: self.stored(at, self.dtypes[n]) for n, at in self.memory.items()}
            self.given.update(EXTRA)
        return self.given

    def shapes(self):
        return {name: list(v.shape) for name, v in self.values.items()}

    def give_the_rest(self):
        """Gives memory to the other inputs of a refused call, of the right size if it is possible and not too large."""
        for each in self.graph.inputs:
            if each.name in self.memory:
                continue
            dims = numbers(each.dims, self.symbols)
            fits = all(n >= 0 for n in dims) and np.prod(dims, dtype="f8") < MOST_ELEMENTS
            self.add_given(each, dims if fits else [1] * len(dims))

    def evaluate(self):
        dims = {i.name: numbers(i.dims, self.symbols) for i in self.graph.inputs}
        if any(n < 0 for sizes in dims.values() for n in sizes) or any(n < 0 for n in self.symbols.values()):
            raise oracle.Refused("bad_dim")
        for fact in self.graph.facts:
            if not holds(fact, self.symbols):
                self.is_of_fact = True
                raise oracle.Refused("guard_failed")
        for sizes in dims.values():
            check_volume(sizes)
        for each in self.graph.inputs:
            self.add_given(each, dims[each.name])
        homes = list(self.graph.homes()) if self.graph.stated else []
        for k, call in enumerate(self.graph.calls):
            self.apply(call)
            self.check_results({n: self.graph.named[n] for n in call.results if n in self.graph.named})
            for home, part, last in homes:
                if last == k:
                    stated = {n: self.graph.stated.get((home, n), "[*]") for n in self.graph.read_after(part)}
                    self.check_results(stated)
        self.check_results(self.graph.declared)

    def check_results(self, kinds):
        env = {**self.symbols, **self.own_sizes()}
        for name, kind in kinds.items():
            if not is_declared(kind, env, self.values[name].shape):
                self.is_of_result = True
                raise oracle.Refused("shape_mismatch")

    def own_sizes(self):
        """Returns the symbols of called graphs for the sizes of values that they read."""
        found = {}
        for name, kind in self.graph.types.items():
            if name in self.values:
                found.update(zip(re.findall(r"[?\w]+", kind.partition("[")[2]), self.values[name].shape))
        return {s: n for s, n in found.items() if s != "?"}

    def add_given(self, each, dims):
        if each.holds is None:
            known = type(each)(each.name, each.dtype, dims, each.storage and each.storage.of(dims))
            if known.storage and known.storage.span > MOST_ELEMENTS:
                raise TooLarge
            self.add_input(known)
            return
        bits = np.array([n & (1 << BITS[each.dtype]) - 1 for n in self.held[each.name]], "u8")
        first = self.add(bits, np.arange(bits.size))
        self.bases.append(first)
        at = np.arange(first, first + bits.size).reshape(dims)
        self.memory[each.name], self.values[each.name], self.dtypes[each.name] = at.reshape(-1), at, each.dtype

    def check_entries(self, value):
        """Refuses entries that are data, of u64, and too large for a size: even if the result has no elements."""
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, str) and any(n in self.held for n in names_in(entry)):
                n = number(entry, self.env)
                if max(n if isinstance(n, list) else [n], default=0) >= 2**63:
                    raise oracle.Refused("overflow")

    def argument(self, call, name, value):
        self.check_entries(value)
        if name == "shape" and "reshape" in call.op:
            if isinstance(value, str):
                return Target(number(value, self.env))
            target = Target(numbers(value, self.env))
            target.sizes = [i for i, e in enumerate(value) if any(n not in self.held for n in names_in(e))]
            return target
        return value if name in PLAIN_TEXT else self.known(value)

    def known(self, value):
        if isinstance(value, (list, tuple)):
            return [self.known(v) for v in value]
        return number(value, self.env) if isinstance(value, str) else value

    def apply(self, call):
        dtype = self.dtypes[call.args[0]]
        attrs = {k: self.argument(call, k, v) for k, v in call.attrs.items()}
        arrays = [self.values[a] for a in call.args]
        if self.is_picked(call):
            check_volume(arrays[1].shape)
            arrays = self.indices(call, arrays, attrs)
        elif any(self.dtypes[a] != dtype for a in call.args):
            raise oracle.Refused("type_mismatch")
        to = dtype
        no_numbers = ("string", "c64", "c128")
        if call.op in ("cast", "bitcast") and (dtype in no_numbers or attrs["dtype"] in no_numbers):
            raise oracle.Refused("bad_type")
        if call.op == "cast":
            to = attrs["dtype"]
            made = self.cast(arrays[0], dtype, to, attrs.get("saturate", True), attrs.get("round_mode", "up"))
        elif call.op == "bitcast":
            to = attrs["dtype"]
            made = self.resized(self.as_bits(arrays[0], dtype), BITS[dtype], BITS[to])
        elif call.op in casts.EXACT:
            made = self.activation(call.op, dtype, arrays[0])
        elif call.op in ("quantize", "dequantize"):
            to = attrs.get("dtype") or ("u8" if call.op == "quantize" else "f32")
            made = self.scaled(call, dtype, to, arrays[0])
        elif call.op == "requantize":
            to = attrs.get("dtype") or "i8"
            made = self.requantized(call, dtype, to, arrays[0])
        elif call.op == "lookup":
            to = attrs.get("dtype") or dtype
            made = self.looked_up(call, dtype, to, arrays[0])
        elif call.op in arithmetic.FUNCTIONS:
            made = self.arithmetic(call, dtype, arrays[0])
        elif call.op in ROUNDED or call.op in ROWWISE:
            made = self.rounded(call.op, dtype, arrays[0])
        else:
            if call.op == "split":
                attrs["results"] = len(call.results)
            if call.op in oracle.DIALECTS:
                attrs["dtype"] = dtype
            if call.op in ("concat", "stack"):
                check_volume([sum(a.size for a in arrays)])
            try:
                made = OPERATORS[call.op](*arrays, **attrs)
            except ValueError as why:  # numpy refuses huge sizes, even of a tensor without elements
                raise (TooLarge if "too big" in str(why) else why) from why
        made = made if isinstance(made, list) else [made]
        if call.op in ("pad", "center_crop_pad"):
            word = np.array([constant(call.attrs.get("value"), dtype)], "u8")
            fill = self.add(word, np.array([FILLED], "i8"))
            made = [np.where(made[0] == FILLED, fill, made[0])]
        if call.attrs.get("act") not in (None, "None"):
            made = [self.activation(call.attrs["act"], dtype, made[0])]
        if len(made) != len(call.results):
            raise oracle.Refused("bad_parts")
        for name, array in zip(call.results, made):
            check_volume(array.shape)
            self.values[name], self.dtypes[name] = array, to

    @staticmethod
    def is_picked(call):
        return call.op in oracle.INDICES_ARE_DATA or call.op == "gather" and len(call.args) == 2

    def indices(self, call, arrays, attrs):
        """Returns the data, and the indices without negative numbers. If one is out of range, the call fails after all
        shapes are checked. An axis without elements gets one, so that later shapes can be computed."""
        data, numbers = arrays
        dtype = self.dtypes[call.args[1]]
        if dtype not in ("i32", "i64"):
            raise oracle.Refused("bad_type")
        picked = axes_picked(call, data.shape, numbers.shape, **attrs)
        size = np.array([data.shape[a] for a in picked], np.int64)
        size = np.broadcast_to(size if call.op == "gather_nd" else size[0], numbers.shape)
        self.choose(numbers, size, dtype)
        found = self.bits[numbers].astype(casts.bits_type(dtype)).view(casts.TYPES[dtype]).astype(np.int64)
        if ((found < -size) | (found >= size)).any():
            self.of_indices = "bad_index"
        if (size == 0).any() and found.size:
            nothing = self.add(np.zeros(1, "u8"), np.array([FILLED], "i8"))
            data = np.full([max(n, 1) if a in picked else n for a, n in enumerate(data.shape)], nothing)
        return data, found % np.maximum(size, 1)

    def choose(self, numbers, size, dtype):
        """Draws the indices of an input when an operator first gathers by them: from either end of an axis, with
        occasionally one out of range. They fit the input's type and the type to which it was cast."""
        at, sizes = numbers.reshape(-1), size.reshape(-1)
        for each in self.graph.inputs:
            if not each.picks or each.name in self.chosen or each.name not in self.memory:
                continue
            those = np.flatnonzero(np.isin(self.origin[at], self.memory[each.name]))
            if not those.size:
                continue
            self.chosen.add(each.name)
            (least, most), (low, high) = integers_of(each.dtype), integers_of(dtype)
            if BITS[each.dtype] >= BITS[dtype]:  # 2^32 - 1 of u32 becomes the last element in i32
                least, most = low, high
            least, most = max(least, low), min(most, high)
            drawn = [min(max(self.dice.randrange(-n if least < 0 else 0, n) if n else 0, least), most) for n in sizes[those].tolist()]
            if self.dice.random() < 0.15:
                k = self.dice.randrange(len(drawn))
                n = int(sizes[those[k]])
                drawn[k] = self.dice.choice([i for i in (n, -n - 1, n + 7, least, most) if least <= i <= most])
            origins = self.origin[at[those]].tolist()
            last = dict(zip(origins, drawn))  # an element that is used twice has one number
            if not np.isin(np.flatnonzero(np.isin(self.origin, origins)), [*origins, *at[those]]).all():
                raise TooLarge  # another cast of these elements has been computed already
            for elements, kind in ((origins, each.dtype), (at[those], dtype)):
                self.bits[elements] = np.array([last[o] & (1 << BITS[kind]) - 1 for o in origins], "u8")

    @staticmethod
    def fill_of(call, dtype):
        """Returns the bytes of the fill value of a call."""
        word = constant(call.attrs.get("value"), dtype) if dtype != "string" else 0
        return np.array([word, 0], "u8").view("u1")

    def activation(self, name, dtype, at):
        return self.each(at, lambda bits: casts.apply(name, dtype, bits.astype(casts.bits_type(dtype))), True)

    def by_entry(self, call, at, work):
        """Applies `work` to elements and constants, once for each combination of entries of the tables."""
        tables = {n: np.array(v, object) for n, v in call.attrs.items() if n in CONSTANTS and isinstance(v, list)}
        if not tables:
            return work(call.attrs, at)
        axis, names = call.attrs.get("axis"), list(tables)
        if axis is not None:
            if not -at.ndim <= axis < at.ndim:
                raise oracle.Refused("bad_axis")
            for n, table in tables.items():
                if table.ndim == 1:
                    tables[n] = table.reshape([-1] + [1] * (at.ndim - 1 - axis % at.ndim))
        try:
            joint = np.broadcast_arrays(*tables.values())
            wide = np.broadcast_shapes(at.shape, joint[0].shape)
        except ValueError as why:
            raise oracle.Refused("not_broadcastable") from why
        if axis is not None and wide != at.shape:
            raise oracle.Refused("not_broadcastable")
        check_volume(wide)
        number = np.broadcast_to(np.arange(joint[0].size).reshape(joint[0].shape), wide)
        at = np.broadcast_to(at, wide)
        made = np.zeros(wide, at.dtype)
        for k in range(joint[0].size):
            those = number == k
            given = {**call.attrs, **{n: str(table.reshape(-1)[k]) for n, table in zip(names, joint)}}
            made[those] = work(given, at[those])
        return made

    def as_bits(self, at, dtype):
        """Returns the elements as bits. The bits of a NaN that a function computed are unspecified."""
        flat = at.reshape(-1)
        if dtype not in casts.TYPES or not self.is_loose[flat].any():
            return at
        nan = casts.is_nan(dtype, self.bits[flat].astype(casts.bits_type(dtype)))
        first = self.add(self.bits[flat], self.origin[flat], None, self.is_loose[flat],
                         self.is_open[flat] | (self.is_loose[flat] & nan))
        return np.arange(first, first + flat.size, dtype=np.int64).reshape(at.shape)

    def resized(self, at, have, want):
        """Returns the same bits as elements of another size, the lowest bits first: u16[2] is u4[2, 4], and back."""
        if have == want:
            return at
        ratio = max(have, want) // min(have, want)
        shifts = np.arange(ratio, dtype="u8") * np.uint64(min(have, want))
        if have > want:
            check_volume([*at.shape, ratio])
            words = self.bits[at.reshape(-1)][:, None] >> shifts & np.uint64((1 << want) - 1)
            origin = np.repeat(self.origin[at.reshape(-1)], ratio)
            first = self.add(words.reshape(-1), origin, is_open=np.repeat(self.is_open[at.reshape(-1)], ratio))
            return np.arange(first, first + words.size, dtype=np.int64).reshape([*at.shape, ratio])
        if not at.ndim:
            raise oracle.Refused("bad_rank")
        if at.shape[-1] != ratio:
            raise oracle.Refused("shape_mismatch")
        parts = at.reshape(-1, ratio)
        first = self.add((self.bits[parts] << shifts).sum(axis=1, dtype="u8"), self.origin[parts[:, 0]],
                         is_open=self.is_open[parts].any(axis=1))
        return np.arange(first, first + parts.shape[0], dtype=np.int64).reshape(at.shape[:-1])

    def scaled(self, call, dtype, to, at):
        kinds = (dtype, to) if call.op == "quantize" else (to, dtype)
        if kinds[0] not in arithmetic.SCALES or kinds[1] not in arithmetic.QUANTIZED:
            raise oracle.Refused("bad_type")
        work = getattr(arithmetic, call.op)
        kind = casts.bits_type(dtype)

        def one(attrs, part):
            given = [attrs["scale"], attrs.get("zero_point", None if call.op == "quantize" else "0")]
            given += [attrs.get("saturate", True)] if call.op == "quantize" else []
            return self.each(part, lambda bits: work(dtype, to, bits.astype(kind), *given), True)

        return self.by_entry(call, at, one)

    def requantized(self, call, dtype, to, at):
        if dtype != "i32" or to[0] not in "iu" or to not in arithmetic.QUANTIZED:
            raise oracle.Refused("bad_type")

        def one(attrs, part):
            given = int(attrs["multiplier"]), int(attrs["shift"]), int(attrs.get("zero_point", "0"))
            return self.each(part, lambda bits: arithmetic.requantize(to, bits.astype("u4").view("i4"), *given), True)

        return self.by_entry(call, at, one)

    def looked_up(self, call, dtype, to, at):
        """Looks elements up in a table, whose first entry is for the least number of the type."""
        if dtype not in arithmetic.TABLED or to in ("string", "c64", "c128"):
            raise oracle.Refused("bad_type")
        size = 2 if dtype == "bool" else 1 << BITS[dtype]
        if len(call.attrs["table"]) != size:
            raise oracle.Refused("bad_length")
        entries = np.array([constant(text, to) for text in call.attrs["table"]], "u8")
        least = size // 2 if dtype.startswith("i") else 0
        at_entry = (lambda bits: bits != 0) if dtype == "bool" else (lambda bits: (bits.astype("i8") + least) % size)
        return self.each(at, lambda bits: entries[at_entry(bits).astype("i8")], True)

    def arithmetic(self, call, dtype, at):
        if not arithmetic.takes(call.op, dtype):
            raise oracle.Refused("bad_type")
        kind = casts.bits_type(dtype)

        def one(attrs, part):
            texts = [attrs[name] for name in ("value", "bits", "min", "max") if name in attrs]
            return self.each(part, lambda bits: arithmetic.apply(call.op, dtype, bits.astype(kind), texts), True)

        return self.by_entry(call, at, one)

    def rounded(self, name, dtype, at):
        """Applies a function that rounds: later comparisons have a tolerance."""
        self.is_rounded = True

        def work(bits):
            x = casts.convert(dtype, "f64", bits.astype(casts.bits_type(dtype))).view("f8")
            if name == "softmax":
                x = x.reshape(at.shape or (1,))
                e = np.exp(x - x.max(axis=-1, keepdims=True)) if x.size else x
                x = (e / e.sum(axis=-1, keepdims=True) if x.size else x).reshape(-1)
            else:
                x = ROUNDED[name](x)
            return casts.convert("f64", dtype, x.astype("f8").view("u8"))

        return self.each(at, work, True)

    def placed_in(self, name):
        """Returns which elements of a result are stored there before the call, or None if there are none."""
        placed = [self.memory[i.name] for i in self.graph.inputs if i.placed]
        return np.isin(self.in_memory(name), np.concatenate(placed)) if placed else None

    def in_memory(self, name):
        """Returns the elements of a result in the order of its memory."""
        value, layout = self.values[name], self.graph.layouts.get(name)
        return (layout.arranged(value) if layout else value).reshape(-1)

    def differs(self, name, data):
        """Returns the index of the first wrong element in a result's bytes, or None."""
        dtype = self.dtypes[name]
        if name not in self.right:
            self.right[name] = self.stored(self.in_memory(name), dtype).tobytes()
        if data.tobytes() == self.right[name]:
            return None
        numbers_ = self.in_memory(name)
        wrong = self.difference(numbers_, dtype, data)
        if wrong is None or not self.is_rounded or dtype not in casts.WIDE:
            return wrong
        kind = casts.bits_type(dtype)
        want, came = (casts.convert(dtype, "f64", d.view(kind)).view("f8") for d in (self.stored(numbers_, dtype), data))
        near = {"f16": 4e-3, "bf16": 3e-2, "f32": 1e-4, "f64": 1e-10}[dtype]
        same = np.isclose(came, want, rtol=near, atol=near, equal_nan=True)
        return None if same.all() else int(np.flatnonzero(~same)[0])
