# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random valid chains of operators. Many are equal to an identity.

A chain is a Graph that is built call by call together with its element numbers, so every step knows the sizes before
it. Bugs in such compilers occur with unit, equal, zero and prime sizes, rank 0, sizes that straddle each other, and
pairs of operators that cancel: the generator has steps for each. It also has steps for element types, which casts and
other element-wise functions change, and for the memory layouts of inputs and results. `plain` chains have neither
of these two, and no dialect of reshape except `reshape`.
"""

import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import casts  # noqa: E402
import oracle  # noqa: E402
from elements import BITS, DTYPES, NUMBERS, Elements  # noqa: E402
from graph import Graph, Input  # noqa: E402
from layouts import Storage  # noqa: E402

MAX_VOLUME = 6000
MAX_RANK = 8
PRIMES = [2, 3, 5, 7, 11, 13, 17]
# For a type, others that contain all of its values: a cast there and back changes nothing.
WIDER = {
    "bool": ["u8", "f16"],
    "u8": ["i16", "f16", "f32"],
    "i8": ["i32", "bf16"],
    "i16": ["f32", "i64"],
    "u32": ["f64", "u64"],
    "f16": ["f32", "f64"],
    "bf16": ["f32"],
    "f32": ["f64"],
    "i4": ["i8", "f8e4m3fn"],
    "u2": ["u4", "i8"],
    "f8e5m2": ["f16", "f64"],
    "f4e2m1": ["f8e4m3fn", "f32"],
}
FLOAT8 = [name for name in NUMBERS if name.startswith("f8") and name != "f8e8m0"]


def prime_factors(n):
    factors, p = [], 2
    while n > 1:
        while n % p == 0:
            factors.append(p)
            n //= p
        p += 1
    return factors


class Chain:
    """Builds one graph. `value` is the end of the chain."""

    def __init__(self, rng, name, most_ops, plain):
        self.rng = rng
        self.plain = plain
        self.graph = Graph(name, [])
        self.graph.seed = rng.getrandbits(32)  # of the elements
        self.elements = Elements(self.graph.seed)
        self.values = self.elements.values
        self.most_ops = most_ops
        self.was_computed = False  # an element-wise function other than a cast was applied
        self.value = None
        self.value = self.new_input(self.input_dims())
        self.undo = []  # how to invert the calls since the last one that has no inverse

    # -- building blocks --

    def dtype(self):
        return self.elements.dtypes[self.value]

    def new_input(self, dims):
        name = f"x{len(self.graph.inputs)}"
        dtype = self.dtype() if self.value else self.rng.choice(DTYPES)
        storage = None
        if not self.plain and self.rng.random() < 0.25:
            storage = Storage(self.rng, dims, False)
        self.graph.inputs.append(Input(name, dtype, list(dims), storage))
        self.elements.add_input(self.graph.inputs[-1])
        return name

    def add(self, op, *args, results=1, **attrs):
        made = self.graph.add(op, args, results, style=self.rng.randrange(2), **attrs)
        self.elements.step(self.graph.nodes[-1])
        return made

    def room(self):
        return self.most_ops - len(self.graph.nodes)

    def array(self):
        return self.values[self.value]

    def dims(self):
        return list(self.array().shape)

    def input_dims(self):
        rng = self.rng
        policy = rng.choice(
            ["mixed", "mixed", "unit", "equal", "zero", "scalar", "prime", "wide", "image"]
        )
        if policy == "scalar":
            return []
        if policy == "wide":
            return [rng.choice([3, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65]) for _ in range(2)]
        if policy == "image":
            return [
                rng.randint(1, 2),
                rng.choice([3, 4, 8, 9, 12]),
                rng.choice([2, 3, 4, 6]),
                rng.choice([2, 4, 5, 6]),
            ]
        rank = rng.randint(1, 5)
        if policy == "equal":
            return [rng.choice([2, 3, 4, 5, 7])] * min(rank, 4)
        sizes = {
            "mixed": [1, 2, 3, 4, 5, 6, 8],
            "unit": [1, 1, 1, 2, 5],
            "prime": PRIMES,
            "zero": [1, 2, 3, 4],
        }
        dims = [
            rng.choice(sizes[policy]) for _ in range(rank if policy != "prime" else min(rank, 3))
        ]
        if policy == "zero":
            dims[rng.randrange(rank)] = 0
        return dims

    def refactored(self, count):
        """Returns sizes with the product `count`, some of them 1."""
        rng = self.rng
        bins = [1] * rng.randint(1, 5)
        for p in prime_factors(count):
            bins[rng.randrange(len(bins))] *= p
        if rng.random() < 0.6:
            bins = [b for b in bins if b > 1] or [1]
        while rng.random() < 0.25 and len(bins) < MAX_RANK:
            bins.insert(rng.randint(0, len(bins)), 1)
        return bins

    def reshape_to(self, value, dims):
        """Appends a reshape whose target has sizes, a -1, or zeros that copy."""
        rng, old = self.rng, self.values[value].shape
        if 0 in old:
            op = self.rng.choice(["reshape", "onnx.reshape"])
            op = "reshape" if self.elements.dtypes[value] == "u1" else op
            return self.add(op, value, dims=list(dims), allowzero=1)
        spelled = list(dims)
        for i, d in enumerate(spelled):
            if i < len(old) and old[i] == d and rng.random() < 0.3:
                spelled[i] = 0
        if spelled and rng.random() < 0.3:
            spelled[rng.randrange(len(spelled))] = -1
        op, flags = self.dialect(value, len(old), spelled)
        return self.add(op, value, dims=spelled, **flags)

    def dialect(self, value, rank, target):
        """Returns the name of a reshape that accepts this target, mostly the plain one, and its flags."""
        rng, dtype = self.rng, self.elements.dtypes[value]
        op = (
            rng.choice(list(oracle.DIALECTS))
            if not self.plain and rng.random() < 0.3
            else "reshape"
        )
        if op == "onnx.reshape" and dtype == "u1":
            return "reshape", {}
        if op == "onnx.reshape":
            opsets = [
                n for n in (5, 13, 14, 19, 21, 23, 24, 25, 28) if dtype in oracle.onnx_types(n)
            ]
            return op, {"opset": rng.choice(opsets)} if rng.random() < 0.8 else {}
        if op == "openvino.reshape":
            return op, {"special_zero": 0 in target or rng.random() < 0.5}
        if op.startswith("onednn") and dtype in oracle.ONEDNN_TYPES:
            return op, {"special_zero": 0 in target or rng.random() < 0.5}
        if op == "paddle.reshape" and dtype in oracle.PADDLE_TYPES and 0 < rank and target:
            if dtype in ("f16", "f32", "f64", "bf16") and rng.random() < 0.3:
                self.was_computed = True
                return op, {"act": rng.choice(list(casts.EXACT))}
            return op, {"inplace": False} if rng.random() < 0.5 else {}
        return "reshape", {}

    # -- steps: each appends calls to the chain, or returns False if it cannot --

    def step_reshape(self):
        dims = self.dims()
        if 0 in dims:
            new = [self.rng.randint(0, 4) for _ in range(self.rng.randint(1, 4))]
            new[self.rng.randrange(len(new))] = 0
        elif not dims and self.rng.random() < 0.3:
            new = []
        else:
            new = self.refactored(math.prod(dims))
        self.value = self.reshape_to(self.value, new)
        self.undo.append(lambda v: self.reshape_to(v, dims))
        return True

    def step_straddle(self):
        """Reshapes [.., p, q, ..] to [.., f, p*q/f, ..]: the new sizes straddle the old ones."""
        dims = self.dims()
        if len(dims) < 2 or 0 in dims:
            return False
        at = self.rng.randrange(len(dims) - 1)
        both = dims[at] * dims[at + 1]
        factor = self.rng.choice([f for f in range(1, both + 1) if both % f == 0])
        self.value = self.reshape_to(
            self.value, dims[:at] + [factor, both // factor] + dims[at + 2 :]
        )
        self.undo.append(lambda v: self.reshape_to(v, dims))
        return True

    def step_transpose(self):
        rank = len(self.dims())
        perm = list(range(rank))
        self.rng.shuffle(perm)
        if perm == list(range(rank))[::-1] and self.rng.random() < 0.5:
            self.value = self.add("transpose", self.value)
        else:
            self.value = self.add("transpose", self.value, perm=perm)
        inverse = [perm.index(i) for i in range(rank)]
        self.undo.append(lambda v: self.add("transpose", v, perm=inverse))
        return True

    def step_swap_straddle(self):
        """Appends a transpose and then a reshape that straddles the permuted sizes."""
        return (
            len(self.dims()) > 1
            and self.room() > 1
            and self.step_transpose()
            and self.step_straddle()
        )

    def axis_spelling(self, axis, rank):
        return axis - rank if self.rng.random() < 0.25 else axis

    def some_axes(self, axes, least=1):
        picked = self.rng.sample(axes, self.rng.randint(min(least, len(axes)), len(axes)))
        return sorted(picked) if self.rng.random() < 0.7 else picked

    def step_flip(self):
        rank = len(self.dims())
        if not rank:
            return False
        axes = [self.axis_spelling(a, rank) for a in self.some_axes(list(range(rank)))]
        self.value = self.add("flip", self.value, axes=axes)
        self.undo.append(lambda v: self.add("flip", v, axes=axes))
        return True

    def step_squeeze(self):
        dims = self.dims()
        units = [i for i, d in enumerate(dims) if d == 1]
        if not units:
            return False
        if self.rng.random() < 0.3:
            axes = units
            self.value = self.add("squeeze", self.value)
        else:
            axes = self.some_axes(units)
            spelled = [self.axis_spelling(a, len(dims)) for a in axes]
            self.value = self.add("squeeze", self.value, axes=spelled)
        self.undo.append(lambda v: self.add("unsqueeze", v, axes=sorted(axes)))
        return True

    def step_unsqueeze(self):
        rank = len(self.dims())
        more = self.rng.randint(1, 2)
        if rank + more > MAX_RANK:
            return False
        axes = self.some_axes(list(range(rank + more)), more)[:more]
        self.value = self.add(
            "unsqueeze", self.value, axes=[self.axis_spelling(a, rank + more) for a in axes]
        )
        self.undo.append(lambda v: self.add("squeeze", v, axes=axes))
        return True

    def step_flatten(self):
        dims = self.dims()
        self.value = self.add("flatten", self.value, axis=self.rng.randint(-len(dims), len(dims)))
        self.undo.append(lambda v: self.reshape_to(v, dims))
        return True

    def step_identity(self):
        self.value = self.add("identity", self.value)
        self.undo.append(lambda v: v)
        return True

    def step_blocks(self):
        """Appends depth_to_space or space_to_depth, after a reshape to rank 4 if necessary."""
        dims = self.dims()
        block = self.rng.choice([1, 2, 2, 3])
        if 0 in dims:
            return False
        count, square = math.prod(dims), block * block
        if len(dims) != 4 and self.room() > 1 and count % square == 0:
            rest = [1, 1, 1]
            for p in prime_factors(count // square):
                rest[self.rng.randrange(3)] *= p
            if self.rng.random() < 0.5:
                dims = [1, rest[0] * square, rest[1], rest[2]]
            else:
                dims = [1, rest[0], rest[1] * block, rest[2] * block]
            old = self.dims()
            self.value = self.reshape_to(self.value, dims)
            self.undo.append(lambda v: self.reshape_to(v, old))
        if len(dims) != 4:
            return False
        if dims[1] % (block * block) == 0 and self.rng.random() < 0.5:
            mode = self.rng.choice(["DCR", "CRD"])
            self.value = self.add("depth_to_space", self.value, block=block, mode=mode)
            if mode == "DCR":
                self.undo.append(lambda v: self.add("space_to_depth", v, block=block))
            else:
                self.undo.clear()
            return True
        if dims[2] % block or dims[3] % block:
            return False
        mode = ["DCR", "CRD"][dims[1] % 2]
        self.value = self.add("space_to_depth", self.value, block=block, mode=mode)
        self.undo.append(lambda v: self.add("depth_to_space", v, block=block, mode=mode))
        return True

    def step_rearrange(self):
        """Appends a pattern with split and merged axes: "a (b c) ... -> c ... (a b) r", b=2, r=3."""
        rng, dims = self.rng, self.dims()
        if not dims or 0 in dims or len(dims) > 4:
            return False
        letters, left, sizes = iter("abcdefghij"), [], {}
        dots = (
            rng.randint(0, len(dims)) if rng.random() < 0.2 else None
        )  # `...` stands for the rest
        for d in dims[:dots]:
            factors = [f for f in range(2, d) if d % f == 0]
            if factors and rng.random() < 0.5:
                first, second = next(letters), next(letters)
                spelled = first
                size = rng.choice(factors)
                if rng.random() < 0.3:
                    spelled = f"{first}={size}"
                else:
                    sizes[first] = size
                left.append(f"({spelled} {second})")
            elif d == 1 and rng.random() < 0.5:
                left.append("1")
            elif rng.random() < 0.1:
                left.append(str(d))
            else:
                left.append(next(letters))
        if dots is not None:
            left.append("...")
        names = re.sub(r"=\d+", "", " ".join(left)).replace("(", " ").replace(")", " ").split()
        numbers = [n for n in names if n.isdigit()]
        if len(set(numbers)) < len(numbers):
            return False  # the rearrange tests cover the order of several
        names = [n for n in names if n != "1"]
        if math.prod(dims) * 3 < MAX_VOLUME and rng.random() < 0.25:
            names.append(rng.choice(["r", "r=2", "2" if "2" not in names else "r"]))
            if names[-1] == "r":
                sizes["r"] = rng.randint(1, 3)
        rng.shuffle(names)
        right, open_group = [], []
        for name in names:
            open_group.append(name)
            if rng.random() < 0.6:
                right.append(self.bracketed(open_group))
                open_group = []
        if open_group:
            right.append(self.bracketed(open_group))
        if rng.random() < 0.2:
            right.insert(rng.randint(0, len(right)), rng.choice(["1", "()"]))
        if len(right) + len(dims) > MAX_RANK + 4:
            return False
        pattern = f"{' '.join(left)} -> {' '.join(right)}"
        self.value = self.add("rearrange", self.value, pattern=pattern, **sizes)
        self.undo.clear()
        return True

    @staticmethod
    def bracketed(names):
        return names[0] if len(names) == 1 else f"({' '.join(names)})"

    def step_rearrange_split(self):
        """Splits an axis into two terms, which become two results: "a b (p + q) -> q a b, b a p"."""
        rng, dims = self.rng, self.dims()
        wide = [i for i, d in enumerate(dims) if d > 1]
        if not wide or 0 in dims or len(dims) > 5:
            return False
        axis = rng.choice(wide)
        names = list("abcdefgh"[: len(dims)])
        left = names[:axis] + ["(p + q)"] + names[axis + 1 :]
        sides = []
        for term in "pq":
            side = names[:axis] + [term] + names[axis + 1 :]
            if rng.random() < 0.5:
                rng.shuffle(side)
            sides.append(" ".join(side))
        size = rng.randint(1, dims[axis] - 1)
        if rng.random() < 0.4:  # join them again
            pattern = f"{' '.join(left)} -> {' '.join(left).replace('p + q', 'q + p')}"
            self.value = self.add("rearrange", self.value, pattern=pattern, p=size)
        else:
            both = self.add(
                "rearrange",
                self.value,
                results=2,
                pattern=f"{' '.join(left)} -> {', '.join(sides)}",
                p=size,
            )
            self.value = rng.choice(both)
        self.undo.clear()
        return True

    def step_rearrange_join(self):
        """Joins with a tensor that has the same axes except one, or one axis less: "a b, b c -> b (a + c)"."""
        rng, dims = self.rng, self.dims()
        if not dims or 0 in dims or len(dims) > 4 or len(self.graph.inputs) > 3:
            return False
        if math.prod(dims) * 2 > MAX_VOLUME:
            return False
        axis = rng.randrange(len(dims))
        names = list("abcdefgh"[: len(dims)])
        other = list(names)
        less = rng.random() < 0.4  # "a b, b -> (a + 1) b"
        other_dims = list(dims)
        if less:
            del other[axis], other_dims[axis]
            if not other:
                return False
        else:
            other[axis], other_dims[axis] = "z", rng.randint(1, 3)
        order = list(range(len(other)))
        rng.shuffle(order)
        made = self.new_input([other_dims[i] for i in order])
        result = list(names)
        result[axis] = f"({names[axis]} + {'1' if less else 'z'})"
        if rng.random() < 0.5:
            rng.shuffle(result)
        pattern = f"{' '.join(names)}, {' '.join(other[i] for i in order)} -> {' '.join(result)}"
        self.value = self.add("rearrange", self.value, made, pattern=pattern)
        self.undo.clear()
        return True

    # -- element-wise functions --

    def step_cast(self):
        """Casts to any type, by any rule; complex numbers and strings only to their own type."""
        rng, dtype = self.rng, self.dtype()
        if dtype not in NUMBERS:
            if dtype == "string" or rng.random() < 0.8:
                return False
            self.value = self.add("cast", self.value, to=dtype)
            return True
        types = [t for t in NUMBERS if t != "f4e2m1" or not self.was_computed]
        to = rng.choice(types)
        rules = {}
        if to == "f8e8m0" and rng.random() < 0.8:
            rules["round_mode"] = rng.choice(["up", "down", "nearest"])
        if (to == "f8e8m0" or to in FLOAT8) and rng.random() < 0.5:
            rules["saturate"] = rng.random() < 0.5
        self.value = self.add("cast", self.value, to=to, **rules)
        self.undo.clear()
        return True

    def step_bitcast(self):
        """Casts bits to another type of the same size. The bits of a NaN after a cast are unspecified."""
        dtype = self.dtype()
        types = [t for t in NUMBERS if BITS[t] == BITS[dtype] and t != "bool"]
        if dtype not in NUMBERS or not types or self.was_computed or self.elements.was_cast:
            return False
        self.value = self.add("bitcast", self.value, to=self.rng.choice(types))
        self.undo.clear()
        return True

    def step_cast_and_back(self):
        """Casts to a type that contains all values, adds some more steps, and casts back: both casts can be removed."""
        dtype = self.dtype()
        if dtype not in WIDER or self.room() < 2:
            return False
        self.value = self.add("cast", self.value, to=self.rng.choice(WIDER[dtype]))
        if self.room() > 2:
            self.rng.choice([self.step_transpose, self.step_reshape, self.step_slice])()
        self.value = self.add("cast", self.value, to=dtype)
        self.undo.clear()
        return True

    def step_function(self):
        """Appends an element-wise function that does not call libm."""
        dtype = self.dtype()
        if dtype in ("f16", "bf16", "f32", "f64"):
            names = list(casts.EXACT)
        elif dtype in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"):
            names = casts.OF_INTEGERS
        else:
            return False
        self.value = self.add(self.rng.choice(names), self.value)
        self.was_computed = True
        self.undo.clear()
        return True

    def bounds(self, size):
        """Returns a random range of an axis as (start, end, step), in one of many spellings."""
        rng = self.rng
        step = rng.choice([1, 1, 1, 2, 3, -1, -1, -2])
        low = rng.randint(0, max(size - 1, 0))
        high = (
            rng.randint(low, size) if rng.random() < 0.1 else rng.randint(min(low + 1, size), size)
        )
        start, end = (low, high) if step > 0 else (high - 1, low - 1)
        if end < 0 or (end >= size and rng.random() < 0.5):
            end = (
                None if rng.random() < 0.7 else (oracle.INT64_MAX if step > 0 else oracle.INT64_MIN)
            )
        elif end < size and rng.random() < 0.25 and end - size < 0:
            end -= size
        if start < 0:
            start = None
        elif start < size and rng.random() < 0.25:
            start -= size
        return start, end, step

    def slice_by(self, ranges):
        """Appends a slice for {axis: (start, end, step)}."""
        axes = list(ranges)
        starts, ends, steps = ([ranges[a][i] for a in axes] for i in range(3))
        rank = len(self.dims())
        plain = all(s == 1 for s in steps) and self.rng.random() < 0.7
        whole = axes == list(range(len(axes))) and self.rng.random() < 0.5
        self.value = self.add(
            "slice",
            self.value,
            starts=starts,
            ends=ends,
            steps=None if plain else steps,
            axes=None if whole else [self.axis_spelling(a, rank) for a in axes],
        )
        self.undo.clear()

    def step_slice(self):
        dims = self.dims()
        if not dims:
            return False
        self.slice_by({a: self.bounds(dims[a]) for a in self.some_axes(list(range(len(dims))))})
        return True

    def step_slice_run(self):
        """Appends a slice that keeps one contiguous run: single indices, one range, then whole axes."""
        dims = self.dims()
        if not dims or 0 in dims:
            return False
        at = self.rng.randrange(len(dims))
        ranges = {}
        for axis in range(at):
            index = self.rng.randrange(dims[axis])
            ranges[axis] = (index, index + 1, 1)
        low = self.rng.randrange(dims[at])
        ranges[at] = (low, self.rng.randint(low + 1, dims[at]), 1)
        self.slice_by(ranges)
        return True

    def step_slice_all(self):
        dims = self.dims()
        if not dims:
            return False
        self.slice_by(
            {
                a: self.rng.choice([(0, d, 1), (None, None, 1), (-d, oracle.INT64_MAX, 1)])
                for a, d in enumerate(dims)
                if d
            }
        )
        return True

    def step_expand(self):
        """Broadcasts axes of 1, occasionally with new leading axes, or to the present sizes."""
        rng, dims = self.rng, self.dims()
        new = [rng.randint(1, 4) if d == 1 and rng.random() < 0.6 else d for d in dims]
        while rng.random() < 0.3 and len(new) < MAX_RANK:
            new.insert(0, rng.randint(1, 3))
        if math.prod(new) > MAX_VOLUME:
            return False
        asked = [
            1 if rng.random() < 0.2 and len(new) - i <= len(dims) and d == dims[i - len(new)] else d
            for i, d in enumerate(new)
        ]
        self.value = self.add("expand", self.value, dims=asked)
        self.undo.clear()
        return True

    def parts_of(self, size, least=1):
        """Returns random sizes of parts of an axis, rarely with an empty part."""
        cuts = sorted(self.rng.randint(0, size) for _ in range(self.rng.randint(least, 3)))
        if self.rng.random() < 0.8:
            cuts = sorted({c for c in cuts if 0 < c < size})
        edges = [0] + cuts + [size]
        return [b - a for a, b in zip(edges, edges[1:])]

    def split_value(self, axis):
        """Appends a split along an axis, by sizes or a number of parts. Returns the names of the parts."""
        size = self.dims()[axis]
        spelled = self.axis_spelling(axis, len(self.dims()))
        counts = [n for n in (1, 2, 3, 4) if size - -(-size // n) * (n - 1) >= 0]
        if self.rng.random() < 0.3 and counts:
            n = self.rng.choice(counts)
            made = self.add("split", self.value, results=n, axis=spelled, parts=n)
        else:
            sizes = self.parts_of(size)
            made = self.add("split", self.value, results=len(sizes), axis=spelled, sizes=sizes)
        return [made] if isinstance(made, str) else made

    def fill(self):
        """Returns the fill value of a pad as text, or None."""
        dtype = self.dtype()
        if self.rng.random() < 0.2:
            return None
        if dtype == "bool":
            return self.rng.choice(["true", "false"])
        if casts.is_float(dtype) or dtype in ("c64", "c128"):
            values = ["0", "1", "0.75", "inf", "nan", "1e-3"]
            values += [] if dtype == "f8e8m0" else ["-2.5", "-inf"]
            values += ["70000.0"] if dtype in ("bf16", "f32", "f64", "c64", "c128") else []
            return self.rng.choice(values)
        least = -1 if dtype.startswith("i") else 0
        return str(self.rng.randint(least, 1 if dtype in ("i2", "u2", "u1") else 7))

    def step_pad(self):
        """Pads one or two axes, and occasionally slices the border off again."""
        rng, dims = self.rng, self.dims()
        if not dims:
            return False
        pads, grown, back = {}, list(dims), {}
        mode = rng.choice(["constant", "constant", "edge", "reflect", "symmetric", "wrap"])
        for axis in rng.sample(range(len(dims)), min(len(dims), rng.randint(1, 2))):
            before, after = (rng.choice([0, 1, 1, 2, 3, 5, -1]) for _ in range(2))
            kept = dims[axis] - max(0, -before) - max(0, -after)
            if kept < 0 or (kept == 0 and mode != "constant"):
                continue
            pads[axis] = (before, after)
            grown[axis] += before + after
            back[axis] = (max(before, 0), max(before, 0) + kept, 1)
        if not pads or math.prod(grown) > MAX_VOLUME:
            return False
        if mode == "constant" and self.dtype() == "string":
            return False
        if mode == "constant":
            self.value = self.add("pad", self.value, pads=pads, value=self.fill())
        else:
            self.value = self.add("pad", self.value, pads=pads, mode=mode)
        if self.room() and rng.random() < 0.25:
            self.slice_by(back)
        self.undo.clear()
        return True

    def step_center_crop_pad(self):
        """Makes one or two axes slightly smaller or larger."""
        rng, dims = self.rng, self.dims()
        if not dims or self.dtype() == "string":
            return False
        axes = rng.sample(range(len(dims)), min(len(dims), rng.randint(1, 2)))
        shape = [max(0, dims[a] + rng.choice([-3, -2, -1, 0, 1, 2, 5])) for a in axes]
        made = list(dims)
        for axis, size in zip(axes, shape):
            made[axis] = size
        if math.prod(made) > MAX_VOLUME:
            return False
        self.value = self.add("center_crop_pad", self.value, shape=shape, axes=axes)
        self.undo.clear()
        return True

    def step_tile(self):
        dims = self.dims()
        repeats = [self.rng.choice([1, 1, 1, 2, 3]) for _ in dims]
        if math.prod(dims) * math.prod(repeats) > MAX_VOLUME:
            return False
        self.value = self.add(self.rng.choice(["tile", "repeat"]), self.value, repeats=repeats)
        self.undo.clear()
        return True

    def step_roll(self):
        rng, rank = self.rng, len(self.dims())
        shifts = [rng.randint(-9, 9) for _ in range(rng.randint(1, 2))]
        axes = None
        if rank and rng.random() < 0.7:
            axes = [self.axis_spelling(rng.randrange(rank), rank) for _ in shifts]
        self.value = self.add("roll", self.value, shifts=shifts, axes=axes)
        back = [-s for s in shifts]
        self.undo.append(lambda v: self.add("roll", v, shifts=back, axes=axes))
        return True

    def indices(self, size):
        """Returns indices of an axis: random ones, a progression, a permutation, or a pattern."""
        rng = self.rng
        how = rng.choice(["random", "progression", "permutation", "pattern"])
        count = rng.randint(1, 12)
        if how == "random":
            return [rng.randint(-size, size - 1) for _ in range(count)]
        if how == "progression":
            first, step = rng.randrange(size), rng.randint(-2, 3)
            return [(first + i * step) % size for i in range(count)]
        if how == "permutation":
            return rng.sample(range(size), size)
        columns = rng.choice([c for c in range(1, size + 1) if size % c == 0])
        return [r * columns + c for c in range(columns) for r in range(size // columns)]

    def step_gather(self):
        rng, dims = self.rng, self.dims()
        axes = [a for a, d in enumerate(dims) if d]
        if not axes:
            return False
        axis = rng.choice(axes)
        chosen = self.indices(dims[axis])
        if math.prod(dims) // dims[axis] * len(chosen) > MAX_VOLUME:
            return False
        if rng.random() < 0.15:
            chosen = chosen[0]
        elif len(dims) < MAX_RANK and len(chosen) % 2 == 0 and rng.random() < 0.3:
            half = len(chosen) // 2
            chosen = [chosen[:half], chosen[half:]]
        spelled = self.axis_spelling(axis, len(dims))
        self.value = self.add("gather", self.value, indices=chosen, axis=spelled)
        self.undo.clear()
        return True

    def step_reverse_sequence(self):
        rng, dims = self.rng, self.dims()
        if len(dims) < 2:
            return False
        time = rng.randrange(2)
        lengths = [rng.randint(0, dims[time]) for _ in range(dims[1 - time])]
        if lengths and rng.random() < 0.3:
            lengths = [lengths[0]] * len(lengths)
        both = {"lengths": lengths, "time_axis": time, "batch_axis": 1 - time}
        self.value = self.add("reverse_sequence", self.value, **both)
        self.undo.append(lambda v: self.add("reverse_sequence", v, **both))
        return True

    def step_split_pick(self):
        if not self.dims():
            return False
        parts = self.split_value(self.rng.randrange(len(self.dims())))
        self.value = self.rng.choice(parts)
        self.undo.clear()
        return True

    def step_split_concat(self):
        """Splits an axis and concatenates the parts again, in order (an identity) or not."""
        rank = len(self.dims())
        if not rank or self.room() < 2:
            return False
        axis = self.rng.randrange(rank)
        parts = self.split_value(axis)
        if self.rng.random() < 0.35:
            self.rng.shuffle(parts)
        elif self.rng.random() < 0.2:
            parts = [p for p in parts if self.rng.random() < 0.7] or parts
        self.value = self.add("concat", *parts, axis=self.axis_spelling(axis, rank))
        self.undo.clear()
        return True

    def step_unstack(self):
        """Takes the slices of an axis and stacks them again, at the same or another axis."""
        dims = self.dims()
        axes = [a for a, d in enumerate(dims) if 1 <= d <= 4]
        if not axes or self.room() < 2:
            return False
        axis = self.rng.choice(axes)
        size = dims[axis]
        if self.room() < size + 2:
            return False
        parts = self.add("split", self.value, results=size, axis=axis, parts=size)
        parts = [self.add("squeeze", p, axes=[axis]) for p in ([parts] if size == 1 else parts)]
        place = axis if self.rng.random() < 0.5 else self.rng.randrange(len(dims))
        self.value = self.add("stack", *parts, axis=self.axis_spelling(place, len(dims)))
        self.undo.clear()
        return True

    def step_join(self):
        """Concatenates or stacks the value with itself, an earlier value, or a new input."""
        dims = self.dims()
        if math.prod(dims) * 2 > MAX_VOLUME:
            return False
        kinds, dtype = self.elements.dtypes, self.dtype()
        same = [n for n, a in self.values.items() if list(a.shape) == dims and kinds[n] == dtype]
        if self.rng.random() < 0.4 and len(self.graph.inputs) < 4:
            same = [self.new_input(dims)]
        pair = [self.value, self.rng.choice(same)]
        if math.prod(dims) * 3 < MAX_VOLUME and self.rng.random() < 0.2:
            pair.append(self.rng.choice(same))
        self.rng.shuffle(pair)
        if dims and self.rng.random() < 0.6:
            axis = self.rng.randrange(len(dims))
            self.value = self.add("concat", *pair, axis=self.axis_spelling(axis, len(dims)))
        elif len(dims) < MAX_RANK:
            self.value = self.add("stack", *pair, axis=self.rng.randint(0, len(dims)))
        self.undo.clear()
        return True

    def step_and_back(self):
        """Appends some steps that have an inverse, and then their inverses: an identity."""
        count = self.room() // 2
        if not count:
            return False
        self.undo.clear()
        start = len(self.graph.nodes)
        for _ in range(self.rng.randint(1, count)):
            choices = [
                self.step_reshape,
                self.step_straddle,
                self.step_transpose,
                self.step_transpose,
                self.step_flip,
                self.step_unsqueeze,
                self.step_squeeze,
                self.step_blocks,
                self.step_flatten,
                self.step_roll,
                self.step_reverse_sequence,
            ]
            if len(self.graph.nodes) - start < count:
                self.rng.choice(choices)()
        for back in reversed(self.undo):
            self.value = back(self.value)
        self.undo.clear()
        return True


STEPS = {
    "reshape": (6, Chain.step_reshape),
    "straddle": (4, Chain.step_straddle),
    "transpose": (6, Chain.step_transpose),
    "swap_straddle": (4, Chain.step_swap_straddle),
    "flip": (3, Chain.step_flip),
    "squeeze": (3, Chain.step_squeeze),
    "unsqueeze": (3, Chain.step_unsqueeze),
    "flatten": (2, Chain.step_flatten),
    "identity": (1, Chain.step_identity),
    "blocks": (4, Chain.step_blocks),
    "rearrange": (4, Chain.step_rearrange),
    "rearrange_split": (2, Chain.step_rearrange_split),
    "rearrange_join": (2, Chain.step_rearrange_join),
    "slice": (4, Chain.step_slice),
    "slice_run": (3, Chain.step_slice_run),
    "slice_all": (1, Chain.step_slice_all),
    "expand": (3, Chain.step_expand),
    "pad": (3, Chain.step_pad),
    "center_crop_pad": (1, Chain.step_center_crop_pad),
    "tile": (2, Chain.step_tile),
    "roll": (2, Chain.step_roll),
    "gather": (4, Chain.step_gather),
    "reverse_sequence": (2, Chain.step_reverse_sequence),
    "split_pick": (2, Chain.step_split_pick),
    "split_concat": (3, Chain.step_split_concat),
    "unstack": (2, Chain.step_unstack),
    "join": (2, Chain.step_join),
    "and_back": (5, Chain.step_and_back),
    "cast": (5, Chain.step_cast),
    "bitcast": (2, Chain.step_bitcast),
    "cast_and_back": (2, Chain.step_cast_and_back),
    "function": (3, Chain.step_function),
}
FULL_ONLY = (
    "cast",
    "bitcast",
    "cast_and_back",
    "function",
    "rearrange_split",
    "rearrange_join",
)  # not for plain chains


def make(rng, name, leave_out=(), plain=False):
    """Returns a random graph of 1 to 12 calls, and its Elements."""
    chain = Chain(rng, name, rng.randint(1, rng.choice([4, 8, 12])), plain)
    names = [n for n in STEPS if n not in leave_out and not (plain and n in FULL_ONLY)]
    weights = [STEPS[n][0] for n in names]
    # Repeating a few steps finds more bugs than using each step once.
    if rng.random() < 0.3:
        names = rng.choices(names, weights, k=3) + ["reshape"]
        weights = [1] * len(names)
    for _ in range(4 * chain.most_ops):
        if chain.room() > 0:
            STEPS[rng.choices(names, weights)[0]][1](chain)
    graph = chain.graph
    if chain.value not in {r for n in graph.nodes for r in n.results}:
        chain.value = chain.add("identity", chain.value)
    graph.outputs = [chain.value]
    made = [r for n in graph.nodes for r in n.results if r != chain.value]
    while made and len(graph.outputs) < 4 and rng.random() < 0.1:
        graph.outputs.append(made.pop(rng.randrange(len(made))))
    if not plain:
        for output in graph.outputs:
            if rng.random() < 0.25:
                graph.storage[output] = Storage(rng, chain.values[output].shape, True)
        graph.inner = rng.randrange(len(graph.nodes)) if rng.random() < 0.1 else 0
    return graph, chain.elements
