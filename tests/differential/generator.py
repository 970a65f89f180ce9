# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random graphs with open sizes. Each is valid for its witness, an assignment of numbers to its symbols.

Most graphs are short chains of common operators over one to three symbols, since wrong results occurred there: after a
roll, a slice past the end of an axis, or a pad that repeats elements. Every operator of the table occurs.
"""

import math
import random
import re

import arithmetic
import casts
import oracle
from elements import BITS, DTYPES
from graphs import INT64_MAX, INT64_MIN, Call, Graph, Input, Order, Steps, names_in, number, numbers, value_of
from meaning import ROUNDED, ROWWISE, Meaning, TooLarge

MOST_AT_WITNESS = 1500  # elements of one value; MOST_OF_LONG with a long axis
MOST_OF_LONG = 20000
LONG = [33, 63, 64, 65, 72, 96, 128, 130]
OF_TABLES = ["arithmetic", "quantize", "dequantize", "requantize"]
SLIDES = 0.03  # share of graphs whose result is moved within an input
EVERYDAY = ["roll", "tile", "repeat", "pad", "slice", "subscript", "concat", "split", "stack", "flip", "reshape", "transpose"]
DENSE = ["concat", "split", "stack", "flip", "slice", "subscript", "transpose", "roll", "pad", "tile", "repeat", "gather", "expand", "squeeze",
         "unsqueeze", "rearrange", "depth_to_space"]
SOMETIMES = [
    "expand", "gather", "gather_elements", "gather_nd", "rearrange", "squeeze", "unsqueeze", "flatten", "center_crop_pad",
    "reverse_sequence", "depth_to_space", "space_to_depth", "constant", "identity", "cast", "bitcast", "bitcast", "arithmetic", "quantize",
    "dequantize", "requantize", "lookup",
]
FACTS = [
    (["A % 4 == 0"], {"A": [4, 8]}),
    (["A % 2 == 0"], {"A": [2, 4, 6]}),
    (["A >= 2", "A <= 6"], {"A": [2, 3, 5]}),
    (["A in [2, 4]"], {"A": [2, 4]}),
    (["A != 1"], {"A": [0, 2, 3]}),
    (["A == 4"], {"A": [4]}),
    (["A <= B"], {"A": [1, 2, 3], "B": [3, 4, 5]}),
    (["A < B"], {"A": [1, 2], "B": [3, 4, 5]}),
    (["A == B"], {"A": [3], "B": [3]}),
    (["A == 2*B"], {"A": [4], "B": [2]}),
    (["B == A + 1"], {"A": [2, 3], "B": [3, 4]}),
    (["A*B == 12"], {"A": [3], "B": [4]}),
    (["A >= 1"], {"A": [1, 2, 3]}),
    (["A // 2 >= 1"], {"A": [2, 3, 4, 5]}),
    (["1 == A % 3"], {"A": [1, 4]}),
    (["A // 3 == B"], {"A": [3, 4, 5], "B": [1]}),
    (["2 <= A", "6 > B"], {"A": [2, 3], "B": [1, 4]}),
    (["A*B % 4 == 0"], {"A": [2, 4], "B": [2, 4]}),
    (["A % (B + 1) != 0"], {"A": [3, 5], "B": [1, 3]}),
    (["A % B == 0"], {"A": [2, 4, 6], "B": [1, 2]}),
    (["A*576460752303423488 >= B"], {"A": [1, 2], "B": [1, 4]}),
    (["A >= 3", "A*576460752303423488 > B*A*B + 5"], {"A": [3, 4], "B": [1, 2]}),
    (["B >= 2", "72057594037927936*A*B - 3*A >= A*A"], {"A": [1], "B": [2, 3]}),
    (["1 <= A % 3"], {"A": [1, 2, 4]}),
    (["0 < A % 4"], {"A": [1, 3, 5]}),
    (["2 > A % 3"], {"A": [1, 3, 4]}),
]


class Dead(Exception):
    """This operator cannot be applied here."""


class Maker:
    """Generates one graph.

    With `swarm`, a graph has only a few operators, in longer chains. Some options are rarer than usual and others more
    frequent, so that combinations of two rare options occur. With "dense", each graph has reshapes between a few
    operators that move elements, and small inputs, most of whose sizes are numbers. Its targets then give sizes that
    depend on each other. With "long", inputs have an axis that is longer than a block of elements; tables of constants
    may be as long.
    """

    def __init__(self, table, seed, number_of_graph, swarm=False):
        self.table = table
        self.rng = random.Random(f"{seed} {number_of_graph}")
        self.more = random.Random(f"more {seed} {number_of_graph}")  # for later additions: keeps other graphs the same
        self.newest = random.Random(f"newest {seed} {number_of_graph}")  # for what `more` would change
        self.signed = random.Random(f"signed {seed} {number_of_graph}")  # for what `newest` would change
        self.windowed = random.Random(f"windowed {seed} {number_of_graph}")  # for windows of padded sizes
        self.bordered = random.Random(f"bordered {seed} {number_of_graph}")  # for pads longer than vectors
        self.late = 0.08  # probability that a list is data
        self.nested = 0.08  # probability that indices are gathered as well
        self.seed = self.rng.getrandbits(32)
        self.graph = Graph()
        self.texts = {}  # {value: the text of each size, None if there is none}
        self.count = 0
        self.few, self.odds = None, None  # with `swarm`: its operators, and exponents of probabilities
        self.is_wide, self.is_dense, self.is_long = swarm == "wide", swarm == "dense", swarm == "long"
        self.most_entries = 150 if self.is_long else 6  # of an axis of a table
        if self.is_dense:
            self.few = ["reshape", "reshape", "concat"] + self.more.choices(DENSE, k=self.more.randint(1, 4))
            self.odds, self.late, self.nested = {}, 0, 0
        elif self.is_long:
            self.few = ["transpose", self.more.choice(OF_TABLES)] + self.more.choices(EVERYDAY + OF_TABLES, k=self.more.randint(0, 2))
            self.odds, self.late = {}, 0
        elif swarm:
            self.few = [self.more.choice(self.more.choice([EVERYDAY, EVERYDAY, SOMETIMES, list(table)])) for _ in range(self.more.randint(1, 5))]
            self.odds = {}
            self.late, self.nested = self.more.choice([0, 0, 0.3, 0.8]), self.more.choice([0, 0.1, 0.6])

    # -- building blocks --

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        if self.odds is not None:
            p **= self.odds.setdefault(p, self.more.choice([0.25, 0.5, 1, 1, 3]))
        return self.rng.random() < p

    def dims(self, value):
        return list(self.meaning.values[value].shape)

    def dtype(self, value):
        return self.meaning.dtypes[value]

    def fresh(self, n=1):
        self.count += n
        return [f"v{self.count - n + i}" for i in range(n)]

    def choose_sizes(self):
        rng, g = self.rng, self.graph
        letters = "ABC"[: self.pick(1, 1, 2, 2, 2, 3)]
        g.witness = {s: rng.choice([1, 2, 2, 3, 3, 4, 5]) for s in letters}
        if self.chance(0.35):
            facts, sizes = rng.choice(FACTS)
            if set(sizes) <= set(letters):
                g.facts = list(facts)
                for _ in range(50):
                    g.witness.update({s: rng.choice(n) for s, n in sizes.items()})
                    if all(value_of(f, g.witness) for f in facts):
                        break
                else:
                    g.facts = []
        elif self.chance(0.15):
            g.facts = [self.comparison() for _ in range(self.pick(1, 1, 2))]
        if self.newest.random() < 0.04:
            a, part = self.newest.choice(list(g.witness)), self.newest.choice(["{}//2", "{}//3", "{} + 1", "2*{}", "{} % 4"])
            listed = {value_of(part.format(a), g.witness), *self.newest.sample(range(12), 2)}
            g.facts += [f"{part.format(a)} in [{', '.join(map(str, sorted(listed)))}]"]
        if self.more.random() < 0.1:
            g.facts += [self.comparison_of_sums() for _ in range(self.more.choice([1, 2, 3]) if self.more.random() < 0.97 else 40)]

    def sum_text(self):
        """Returns a random sum: 3*A*B - 1125899906842624*B + 2."""
        text = ""
        for _ in range(self.more.choice([1, 2, 2, 3])):
            factor = self.more.choice([1, 1, 1, 2, 3, 5, 2**40, 2**50])
            names = self.more.choices(list(self.graph.witness), k=self.more.choice([0, 1, 1, 1, 2, 2, 3]))
            term = "*".join(([str(factor)] if factor > 1 or not names else []) + names)
            text += (self.more.choice([" + ", " - "]) if text else "") + term
        return text

    def comparison_of_sums(self):
        """Returns a comparison of two sums that holds for the witness. Proofs subtract such sums from others."""
        left, right = self.sum_text(), self.sum_text()
        right = str(value_of(left, self.graph.witness)) if self.more.random() < 0.25 else right
        return self.more.choice([c for c in (f"{left} {o} {right}" for o in ("<", "<=", "==", ">=", ">")) if value_of(c, self.graph.witness)])

    def comparison(self):
        """Returns a comparison of two expressions, occasionally one of them a number, that holds for the witness."""
        witness, letters = self.graph.witness, list(self.graph.witness)
        a, b = self.rng.choice(letters), self.rng.choice(letters)
        sides = [a, self.pick(a, f"2*{a}", f"{a} + 1", f"{a} % 3", f"{a}//2", f"{a}*{b}"),
                 self.pick(b, str(self.rng.randint(0, 6)), f"{b} + 2", f"{a} % 4", f"3*{b}")]
        left, right = self.rng.sample(sides, 2)
        operators = ["<", "<=", "==", "!=", ">=", ">"]
        return self.rng.choice([c for c in (f"{left} {o} {right}" for o in operators) if value_of(c, witness)])

    def size_text(self):
        """Returns a random size of an input."""
        if self.is_dense and self.more.random() < 0.6:
            return self.more.choice([1, 1, 2, 2, 3, 4, 6])
        a, b = self.rng.choice(list(self.graph.witness)), self.rng.choice(list(self.graph.witness))
        halves = [f"{s}/2" for s in self.graph.witness if f"{s} % 2 == 0" in self.graph.facts]
        if self.signed.random() < 0.02:
            return self.signed.choice([f"-{a} % {n}" for n in (2, 3, 16)] + [f"-(-{a}//4)", f"({a} - {b}) % 3"])
        return self.rng.choice(
            [a] * 12 + [2, 3, 1, 4, 5, 0] + [f"2*{a}", f"{a} + 1", f"{a}*{b}", f"3*{a}", f"{a} + {b}"] + halves * 3
            + [f"{a}//2", f"({a} + 1)//2", f"{a} % 3", f"{a}//({b} + 1)", f"{a}*{b}*{a}//4"]
            + ["9//2", "9 % 4", "7//-2 + 6", "7 % -4 + 2", "-4//-1", f"-{a} + 2*{a}", f"9 - {a}", f"{a}*{b} - {b}"])

    def new_input(self, dims, dtype):
        name = f"x{len(self.graph.inputs)}"
        each = Input(name, dtype, dims)
        self.graph.inputs.append(each)
        self.meaning.add_given(each, numbers(dims, self.graph.witness))
        self.texts[name] = [None if str(d).startswith("size_") else str(d) for d in dims]
        return name

    def start(self):
        self.choose_sizes()
        rng, g = self.rng, self.graph
        self.meaning = Meaning(Graph(witness=g.witness), g.witness, self.seed)
        everyday = self.chance(0.6)
        self.dtype_first = self.pick("u8", "u8", "u8", "f32", "i32", "u16") if everyday else rng.choice(DTYPES)
        rank = self.pick(1, 1, 1, 2, 2, 2, 2, 3, 3, 4) if self.chance(0.9) else rng.randint(0, 6)
        for _ in range(20):
            dims = [self.size_text() for _ in range(rank)]
            sizes = numbers(dims, g.witness)
            if min(sizes, default=0) >= 0 and math.prod(sizes) <= 400:
                break
        else:
            dims = [1] * rank
        if self.is_long and rank:
            dims[rng.randrange(rank)] = rng.choice(LONG)
        for i in range(rank if self.chance(0.05) else 0):
            if self.chance(0.5):
                dims[i] = f"size_{90 - i}"  # a `?` in the text; no name that the compiler gives to one, such as size_2
                g.witness[dims[i]] = rng.choice([1, 2, 3])
        value = self.new_input(dims, self.dtype_first)
        self.store(g.inputs[0])
        self.ends = [value]
        return value

    def store(self, each):
        """Occasionally gives an input a layout or strides."""
        rank, dims = len(each.dims), each.dims
        if 1 < rank < 8 and self.chance(0.08) and BITS[each.dtype] >= 8:
            each.storage = Order(self.rng.sample(range(rank), rank))
        elif rank and all(isinstance(d, int) or names_in(d) for d in map(self.simple, map(str, dims))) and self.chance(0.05) \
                and BITS[each.dtype] >= 8 and not any("size_" in str(d) or "-" in str(d) for d in dims):
            each.storage = Steps(self.pick(0, 1, 2), [self.pick(1, 1, -1) for _ in dims])

    def add_symbols(self):
        """Adds an input s0 whose sizes are the symbols that are used before an input has them as a whole size."""
        g, seen, missing = self.graph, set(), []
        for dim in [d for i in g.inputs for d in i.dims]:
            names = names_in(dim)
            if names == [dim]:
                seen.add(dim)
            missing += [n for n in names if n not in seen]
        others = " ".join([str(c.attrs) for c in g.calls] + g.facts + [str(i.holds) for i in g.inputs])
        missing += [s for s in g.witness if s not in seen and re.search(rf"\b{s}\b", others)]
        if missing:
            g.inputs.insert(0, Input("s0", "u8", list(dict.fromkeys(missing))))
        g.witness = {s: n for s, n in g.witness.items() if s in g.symbols()}

    def call(self, op, args, results=1, **attrs):
        if op in ("pad", "center_crop_pad") and self.dtype(args[0]) == "string":
            raise Dead  # a string cannot be a fill value
        attrs, late = self.late_lists(op, {k: v for k, v in attrs.items() if v is not None})
        try:
            return self.call_as_it_is(op, args, results, attrs)
        except Dead:
            for each in late:
                self.graph.inputs.remove(each)
            raise

    def late_lists(self, op, attrs):
        """Returns the arguments, with some of their lists as data, and the inputs that contain these lists."""
        kinds, late = self.table[op].arguments if op in self.table else {}, []
        for name, value in attrs.items():
            entries = value if isinstance(value, list) else [value]
            if kinds.get(name) != "data" or not entries or not self.chance(self.late):
                continue
            held = numbers(entries, self.graph.data_env(self.graph.witness))
            types = [t for t in ("i64", "i64", "i64", "i32", "i32", "i16", "i8", "i4", "u64", "u32", "u8", "u4")
                     if all((-(1 << BITS[t] - 1) if t[0] == "i" else 0) <= n < 1 << BITS[t] - (t[0] == "i") for n in held)]
            each, attrs[name] = self.as_data(entries, self.rng.choice(types))
            late.append(each)
        return attrs, late

    def call_as_it_is(self, op, args, results, attrs):
        names = self.fresh(results)
        call = Call(op, list(args), attrs, names, self.rng.randrange(6))
        self.meaning.env = self.graph.data_env(self.graph.witness)
        self.meaning.held = {i.name: i.held(self.graph.witness) for i in self.graph.inputs if i.holds}
        try:
            self.meaning.apply(call)
        except (oracle.Refused, TooLarge) as why:
            raise Dead from why
        if any(self.meaning.values[n].size > (MOST_OF_LONG if self.is_long else MOST_AT_WITNESS) or self.meaning.values[n].ndim > 8 for n in names):
            for n in names:
                del self.meaning.values[n], self.meaning.dtypes[n]
            raise Dead
        self.graph.calls.append(call)
        for n in names:
            self.texts[n] = [None] * self.meaning.values[n].ndim
        return names[0] if results == 1 else names

    def axis(self, value):
        rank = len(self.dims(value))
        if not rank:
            raise Dead
        at = self.rng.randrange(rank)
        return at, at - rank if self.chance(0.2) else at

    def symbol(self):
        return self.rng.choice([s for s in self.graph.witness if s.isupper()])

    def small(self, *plain):
        """Returns a number for an argument, occasionally an expression with a symbol."""
        if self.chance(0.15):
            s = self.symbol()
            return self.signed_quotient() or self.pick(s, s, s, f"{s} - 1", f"{s} + 1", f"2*{s}", f"{s}//2", f"{s} % 2")
        return self.rng.choice(plain)

    def signed_quotient(self):
        """Occasionally returns a quotient or a remainder of a size that may be below 0, else None."""
        if self.signed.random() > 0.15:
            return None
        a, b = self.signed.choices([s for s in self.graph.witness if s.isupper()], k=2)
        n = self.signed.choice([2, 3, 4, 16])
        return self.signed.choice([f"-{a} % {n}", f"-(-{a}//{n})", f"-{a}//{n}", f"({a} - {b}) % {n}", f"({a} - 5)//{n}",
                                   f"(2*{b} - {a} - 1)//{n}", f"-{a} % ({b} + 1)", f"({b} - {a})//({a} + 2)"])

    # -- steps: each adds one operator and returns the value that the chain continues with --

    def step_roll(self, v):
        rank = len(self.dims(v))
        if self.chance(0.12) or not rank:
            return self.call("roll", [v], shifts=self.pick(1, -1, 2, 5, [1, 2]))
        if self.chance(0.2) and rank > 1:
            axes = self.rng.sample(range(rank), 2)
            y = self.call("roll", [v], shifts=[self.pick(1, -1, 2, 3), self.pick(1, -2, 0)], axes=axes)
        else:
            y = self.call("roll", [v], shifts=self.pick(1, 1, 1, -1, 2, -2, 3, 7, -5), axes=self.axis(v)[1])
        self.texts[y] = self.texts[v]
        return y

    def step_tile(self, v):
        d = self.dims(v)
        times = [self.small(1, 1, 2, 2, 3, 0 if self.chance(0.1) else 1) for _ in d]
        y = self.call("tile", [v], repeats=times)
        self.texts[y] = [f"({t})*({n})" if t is not None else None for t, n in zip(self.texts[v], times)]
        return y

    def step_repeat(self, v):
        times = [self.pick(1, 1, 2, 2, 3, 0 if self.chance(0.1) else 1) for _ in self.dims(v)]
        y = self.call("repeat", [v], repeats=times)
        self.texts[y] = [f"({t})*({n})" if t is not None else None for t, n in zip(self.texts[v], times)]
        return y

    def step_pad(self, v):
        rank = len(self.dims(v))
        mode = self.pick("constant", "edge", "reflect", "wrap", "wrap", None)
        mode = "symmetric" if mode in ("reflect", "wrap") and self.more.random() < 0.3 else mode
        axes = self.rng.sample(range(rank), self.rng.randint(1, rank)) if rank and self.chance(0.6) else None
        count = rank if axes is None else len(axes)
        amounts = [self.small(0, 0, 1, 1, 2, 3, -1, -2) for _ in range(2 * count)]
        if self.is_wide and amounts and self.bordered.random() < 0.3:
            amounts[self.bordered.randrange(len(amounts))] = self.bordered.choice([12, 17, 33, 66, 110])
        value = self.fill(self.dtype(v)) if mode in ("constant", None) and self.chance(0.5) else None
        crop_last = True if self.more.random() < 0.2 else None
        return self.call("pad", [v], pads=amounts, mode=mode, axes=axes, value=value, crop_last=crop_last)

    def step_windows(self, v):
        """Splits padded axes into whole windows, moves an axis, and perhaps joins windows again and crops them."""
        dice, texts = self.windowed, [str(n) if t is None else t for t, n in zip(self.texts[v], self.dims(v))]
        open_axes = [i for i, t in enumerate(texts) if names_in(t)]
        if not open_axes:
            raise Dead
        n, rank = dice.choice([2, 2, 3, 4, 7]), len(texts)
        axes = dice.sample(open_axes, min(len(open_axes), dice.choice([1, 1, 2])))
        counts = {i: f"(({texts[i]}) + {n - 1})//{n}" for i in axes}
        amounts = [f"({n} - ({texts[i]}) % {n}) % {n}" if dice.random() < 0.7 else f"{n}*({counts[i]}) - ({texts[i]})" for i in axes]
        y = self.call("pad", [v], pads=[0] * len(axes) + amounts, axes=axes, mode=dice.choice([None, None, "edge", "wrap"]))
        split = [self.simple(e) for i, t in enumerate(texts) for e in ([counts[i], str(n)] if i in axes else [t])]
        y = self.call("reshape", [y], shape=split)
        self.texts[y] = [str(e) for e in split]
        if dice.random() < 0.2:
            return y
        perm = list(range(len(split)))
        perm.insert(dice.randrange(len(perm)), perm.pop(dice.randrange(len(perm))))
        y = self.call("transpose", [y], perm=perm)
        self.texts[y] = [str(split[i]) for i in perm]
        if dice.random() < 0.5:
            return y
        y = self.call("flip", [y], axes=[dice.randrange(len(perm))])  # else the transposes cancel
        y = self.call("transpose", [y], perm=[perm.index(i) for i in range(len(perm))])
        y = self.call("reshape", [y], shape=[f"{n}*({counts[i]})" if i in axes else self.simple(t) for i, t in enumerate(texts)])
        y = self.call("slice", [y], starts=[0] * len(axes), ends=[texts[i] for i in axes], axes=axes)
        self.texts[y] = list(self.texts[v])
        return y

    def fill(self, dtype):
        if dtype == "bool":
            return self.pick("true", "false")
        if dtype == "string":
            return None
        if dtype == "f8e8m0":
            return self.pick("1.0", "4.0")
        if dtype in ("c64", "c128") or casts.is_float(dtype):
            return self.pick("1.0", "2.0", "0.5") if dtype.startswith("u") else self.pick("1.0", "2.0", "0.5", "3.0")
        return self.pick("1", "0", "1")

    def bound(self, d):
        if self.chance(0.3):
            return None
        if self.chance(0.15):
            s = self.symbol()
            return self.signed_quotient() or self.pick(s, f"{s} - 1", f"{s} + 1", f"-{s}", f"2*{s}", f"{s}//2", f"({s} + 1)//2", f"-({s}//2)")
        return self.pick(0, 1, 1, 2, 3, -1, -1, -2, -3, d, d - 1, d + 2, 5, 9, -9)

    def step_slice(self, v):
        d = self.dims(v)
        if not d:
            raise Dead
        axes = self.rng.sample(range(len(d)), self.pick(1, 1, min(2, len(d))))
        if self.chance(0.1):
            axes = list(range(len(d)))
        steps = [self.pick(1, 1, 1, 1, -1, -1, 2, 3, -2) for _ in axes]
        starts = [self.bound(d[a]) for a in axes]
        ends = [self.bound(d[a]) for a in axes]
        starts = [(0 if t > 0 else INT64_MAX) if s is None else s for s, t in zip(starts, steps)]
        ends = [(INT64_MAX if t > 0 else INT64_MIN) if e is None else e for e, t in zip(ends, steps)]
        y = self.call("slice", [v], starts=starts, ends=ends, axes=axes,
                      steps=steps if any(t != 1 for t in steps) or self.chance(0.2) else None)
        self.texts[y] = [None if i in axes else t for i, t in enumerate(self.texts[v])]
        if self.meaning.values[y].size == 0 and self.chance(0.7):
            return self.drop(y)
        return y

    def index_text(self, n):
        """Returns an index that depends on a symbol, and that an axis of size `n` has for the witness; else -1."""
        s = self.newest.choice([s for s in self.graph.witness if s.isupper()])
        texts = [s, f"-{s}", f"{s} - 1", f"{s} - 2", f"1 - {s}", f"{s}//2", f"-({s}//2)", f"{s} % 2", f"-({s} % 2)"]
        valid = [t for t in texts if -n <= value_of(t, self.graph.witness) < n]
        return self.newest.choice(valid) if valid else -1

    def step_subscript(self, v):
        d = self.dims(v)
        if not d:
            raise Dead
        at = []
        texts = []
        for i, n in enumerate(d):
            what = self.pick("all", "all", "range", "range", "flip", "index" if self.chance(0.3) else "range")
            if what == "index" and n:
                plain = self.pick(0, -1, self.rng.randrange(n))
                at.append(self.index_text(n) if self.newest.random() < 0.3 else plain)
                continue
            if what == "all":
                at.append([None, None, None])
                texts.append(self.texts[v][i])
                continue
            at.append([None, None, -1] if what == "flip" else
                      [self.bound(n), self.bound(n), self.pick(None, None, None, None, 2, -1, 3)])
            texts.append(self.texts[v][i] if what == "flip" else None)
        y = self.call("subscript", [v], at=at)
        self.texts[y] = texts
        if self.meaning.values[y].size == 0 and self.chance(0.7):
            return self.drop(y)
        return y

    def drop(self, value):
        call = self.graph.calls.pop()
        for n in call.results:
            del self.meaning.values[n], self.meaning.dtypes[n], self.texts[n]
        del value
        raise Dead

    def others(self, v, axis):
        """Returns the values that can be concatenated with this one along the axis."""
        d = self.dims(v)
        return [n for n in self.meaning.values if len(self.dims(n)) == len(d) and self.dtype(n) == self.dtype(v)
                and n != v and all(i == axis or a == b for i, (a, b) in enumerate(zip(self.dims(n), d)))]

    def step_concat(self, v):
        at, axis = self.axis(v)
        others = self.others(v, at)
        values = [v] + [self.rng.choice(others) if others and self.chance(0.75) else v for _ in range(self.pick(1, 1, 1, 2))]
        if self.chance(0.15) and len(self.graph.inputs) < 3 and None not in self.texts[v]:
            values[-1] = self.new_input([self.simple(t) for t in self.texts[v]], self.dtype(v))
        if self.chance(0.4):
            self.rng.shuffle(values)
        y = self.call("concat", values, axis=axis)
        self.texts[y] = list(self.texts[v])
        parts = [self.texts[n][at] for n in values]
        self.texts[y][at] = " + ".join(f"({p})" for p in parts) if None not in parts else None
        return y

    @staticmethod
    def simple(text):
        return int(text) if re.fullmatch(r"\d+", text) else text

    def step_stack(self, v):
        rank = len(self.dims(v))
        others = [n for n in self.others(v, -1) if self.dims(n) == self.dims(v)]
        values = [v] + [self.rng.choice(others) if others and self.chance(0.7) else v for _ in range(self.pick(1, 1, 2))]
        at = self.rng.randint(0, rank)
        y = self.call("stack", values, axis=at if self.chance(0.9) else at - rank - 1)
        self.texts[y] = self.texts[v][:at] + [str(len(values))] + self.texts[v][at:]
        return y

    def step_split(self, v):
        at, axis = self.axis(v)
        d = self.dims(v)[at]
        text = self.texts[v][at]
        kind = self.pick("parts", "sizes", "symbols")
        if kind == "parts":
            n = self.pick(2, 2, 3)
            parts = self.call("split", [v], n, axis=axis, parts=n)
        elif kind == "symbols" and text:
            k = self.pick(1, 2)
            sizes = [k, f"{text} - {k}"] if self.chance(0.5) else [f"{text} - {k}", k]
            parts = self.call("split", [v], 2, axis=axis, sizes=sizes)
        else:
            k = self.rng.randint(0, d)
            parts = self.call("split", [v], 2, axis=axis, sizes=[k, d - k])
        self.ends += parts
        for p in parts:
            self.texts[p] = [None if i == at else t for i, t in enumerate(self.texts[v])]
        return self.rng.choice(parts)

    def step_flip(self, v):
        at, axis = self.axis(v)
        y = self.call("flip", [v], axes=self.pick(axis, [axis]))
        self.texts[y] = self.texts[v]
        return y

    def step_transpose(self, v):
        perm = list(range(len(self.dims(v))))
        self.rng.shuffle(perm)
        if self.chance(0.2):
            perm = perm and sorted(perm, reverse=True)
            y = self.call("transpose", [v])
        else:
            y = self.call("transpose", [v], perm=perm)
        self.texts[y] = [self.texts[v][i] for i in perm]
        return y

    def target(self, v):
        """Returns the entries of a random target for a reshape of this value."""
        d, texts = self.dims(v), list(self.texts[v])
        kind = self.pick("flat", "split", "split", "infer", "merge", "merge", "numbers", "copy", "any")
        kind = "any" if self.is_dense and self.more.random() < 0.5 else kind
        if kind == "flat":
            return [-1]
        i = self.rng.randrange(len(d)) if d else 0
        entries = [self.pick(t if t is not None else 0, 0) for t in texts]
        if kind == "split" and d:
            divisors = [k for k in (2, 3, 4, d[i]) if k and d[i] % k == 0]
            factor = self.rng.choice(divisors) if divisors else 1
            factor = self.pick(factor, self.symbol()) if self.chance(0.3) else factor
            entries = [t if t is not None else n for t, n in zip(texts, d)]
            entries[i : i + 1] = self.pick([-1, factor], [factor, -1])
        elif kind == "infer" and d:
            entries[i] = -1
        elif kind == "merge" and len(d) > 1:
            i = self.rng.randrange(len(d) - 1)
            both = texts[i : i + 2]
            entries = [t if t is not None else n for t, n in zip(texts, d)]
            entries[i : i + 2] = [f"({both[0]})*({both[1]})"] if None not in both and self.chance(0.6) else [-1]
        elif kind == "numbers":
            entries = self.factors(math.prod(d))
        elif kind == "copy":
            entries = [0] * len(d)
            if entries and self.chance(0.5):
                entries[-1] = -1
        else:
            n = math.prod(d)
            k = self.pick(*[k for k in (1, 2, 3, 4, 6) if n % k == 0])
            entries = self.pick([-1, k], [k, -1], [-1, self.symbol()], [self.symbol(), -1])
            if self.is_dense and self.more.random() < 0.2:
                entries.insert(self.more.randrange(3), self.more.choice([1, 2, self.symbol()]))
        return [self.simple(e) if isinstance(e, str) else e for e in entries]

    def factors(self, n):
        if not n:
            return [0]
        out = []
        for p in (2, 3, 5, 7):
            while n % p == 0 and len(out) < 4:
                out.append(p)
                n //= p
        out = out + ([n] if n > 1 or not out else [])
        while len(out) > 3:
            out[-2:] = [out[-2] * out[-1]]
        self.rng.shuffle(out)
        return out

    def step_reshape(self, v):
        entries = self.target(v)
        is_data = self.chance(0.15)
        if is_data and entries:
            return self.step_reshape_to_data(v, entries)
        op, flags = "reshape", {}
        if self.chance(0.08) and all(isinstance(e, int) for e in entries):
            op, flags = self.dialect(v)
        elif self.newest.random() < 0.06:
            op, flags = self.dialect(v)
        y = self.call(op, [v], shape=entries, **flags)
        out = self.dims(y)
        self.texts[y] = [str(e) if e not in (0, -1) and number(e, self.graph.witness) == n else None
                         for e, n in zip(entries, out)]
        if entries and len(out) == len(entries):
            for i, e in enumerate(entries):
                if e == 0 and i < len(self.texts[v]):
                    self.texts[y][i] = self.texts[v][i]
        return y

    def step_reshape_to_data(self, v, entries):
        """Adds a reshape whose target is data: the whole list is an input, or one entry is."""
        op, dtype = "reshape", "i64"
        if self.chance(0.6):  # it accepts a target of any integer type
            op, dtype = "openvino.reshape", self.pick("i32", "i16", "i8", "i4", "i2", "u64", "u32", "u16", "u8", "u4", "u2")
        each, target = self.as_data(entries, dtype)
        try:
            return self.call(op, [v], shape=target, special_zero=None if op == "reshape" else True)
        except Dead:
            self.graph.inputs.remove(each)
            raise

    def as_data(self, entries, dtype):
        """Adds an input that contains a list, or one entry of it. Returns the input and the list's text."""
        if self.chance(0.5):
            name = f"t{len(self.graph.inputs)}"
            more = [self.pick(1, 2)] * self.pick(0, 0, 1)
            each = Input(name, dtype, [len(more + entries)], None, more + entries)
            target = f"{name}[1:]" if more else name
            if len(each.holds) > 1 and self.chance(0.3):
                i = self.rng.randrange(len(entries))
                target = list(entries)
                target[i] = f"{name}[{len(more) + i}]"
        else:
            name = f"n{len(self.graph.inputs)}"
            i = self.rng.randrange(len(entries))
            each = Input(name, dtype, self.pick([1], []), None, [entries[i]])
            target = list(entries)
            target[i] = name
        self.graph.inputs.append(each)
        self.meaning.held[name] = each.held(self.graph.witness)
        self.meaning.add_given(each, each.dims)
        del self.meaning.values[name]
        return each, target

    def dialect(self, v, op=None):
        dtype = self.dtype(v)
        op = op or self.rng.choice(list(oracle.DIALECTS))
        if op == "onnx.reshape":
            opsets = [n for n in (5, 13, 14, 19, 21, 23, 24, 25, 28) if dtype in oracle.onnx_types(n)]
            return op, {"opset": self.rng.choice(opsets)} if opsets and self.chance(0.7) else {}
        if op == "openvino.reshape":
            return op, {"special_zero": self.chance(0.5)}
        if op.startswith("onednn"):
            return op, {"special_zero": self.chance(0.5)}
        if dtype in ("f16", "f32", "f64", "bf16") and self.chance(0.4):
            return op, {"act": self.rng.choice(list(casts.EXACT))}
        return op, {"inplace": False} if self.chance(0.5) else {}

    def step_expand(self, v):
        d = self.dims(v)
        ones = [i for i, n in enumerate(d) if n == 1 and self.texts[v][i] == "1"]
        if not ones or self.chance(0.3):
            v = self.call("unsqueeze", [v], axes=self.rng.randint(0, len(d)))
            d = self.dims(v)
            ones = [i for i, n in enumerate(d) if n == 1]
        shape = [self.pick(n, 1) for n in d]
        i = self.rng.choice(ones)
        shape[i] = self.small(2, 3, 1)
        extra = [self.small(2, 1)] if self.chance(0.2) else []
        return self.call("expand", [v], shape=extra + [1 if j != i else n for j, n in enumerate(shape)])

    def indices(self, dims):
        """Returns indices for one operator: an input, occasionally after a cast, flip, roll, slice or gather."""
        if len(self.graph.inputs) > 3:
            raise Dead
        to = self.pick("i32", "i64")
        if self.chance(self.nested):
            table = self.new_input(self.some_sizes(1), to)
            self.graph.inputs[-1].picks = True
            return self.moved_pick(self.call("gather", [table, self.indices(dims)]), dims)
        at = self.rng.randrange(len(dims)) if dims and self.chance(0.12) else None
        larger = [d if k != at else f"{d} + 1" if isinstance(d, str) else d + 1 for k, d in enumerate(dims)]
        i = self.new_input(larger, to if self.chance(0.6) else self.rng.choice(oracle.INTEGERS))
        each = self.graph.inputs[-1]
        each.picks = self.chance(0.9)
        self.store(each)
        moved = self.pick("flip", "roll") if self.chance(0.15) and dims else None
        late = self.chance(0.5)
        if at is not None:
            start, end = self.pick((0, -1), (1, INT64_MAX))
            i = self.call("slice", [i], starts=[start], ends=[end], axes=[at])
        for is_late in (False, True):
            if moved and late == is_late:
                axis = self.rng.randrange(len(dims))
                i = self.call("flip", [i], axes=axis) if moved == "flip" else self.call("roll", [i], shifts=1, axes=axis)
            if not is_late and each.dtype != to:
                i = self.call("cast", [i], dtype=to)
        return i if each.picks else self.call("clip", [i], min=self.pick("0", "-1"), max="0")

    def moved_pick(self, i, dims):
        """Returns gathered indices, in graphs that mainly gather also after operators that move them."""
        if self.nested < 0.5 or self.chance(0.5):
            return i
        rank = len(dims)
        way = self.pick("flip", "there and back", "join", "fill")
        if way == "flip" and rank:
            return self.call("flip", [i], axes=self.rng.randrange(rank))
        if way == "fill" and rank:  # drops the first index, and appends the constant 0
            axis = self.rng.randrange(rank)
            filled = self.call("pad", [i], pads=[0, 1], axes=[axis], value="0")
            return self.call("slice", [filled], starts=[1], ends=[INT64_MAX], axes=[axis])
        if way == "join" and rank:
            axis = self.rng.randrange(rank)
            twice = self.call("concat", [i, i], axis=axis)
            return self.call("slice", [twice], starts=[dims[axis]], ends=[INT64_MAX], axes=[axis])
        return self.call("squeeze", [self.call("unsqueeze", [i], axes=[0])], axes=[0])

    def gather_by(self, op, v, dims, **attrs):
        before = len(self.graph.inputs), len(self.graph.calls)
        try:
            return self.call(op, [v, self.indices(dims)], **attrs)
        except Dead:
            for call in self.graph.calls[before[1] :]:
                self.forget(call.results)
            self.forget([i.name for i in self.graph.inputs[before[0] :]])
            del self.graph.inputs[before[0] :], self.graph.calls[before[1] :]
            raise

    def forget(self, names):
        for n in names:
            for known in (self.meaning.values, self.meaning.dtypes, self.texts, self.meaning.memory):
                known.pop(n, None)  # a list that is data is not in all of these

    def size_or_text(self, v, axis):
        """Returns the text of a size if it is known, else its number for the witness."""
        text = self.texts[v][axis]
        return self.dims(v)[axis] if text is None else self.simple(text)

    def some_sizes(self, rank):
        return [self.pick(self.symbol(), self.symbol(), 1, 2, 3) for _ in range(rank)]

    def step_gather_elements(self, v):
        at, axis = self.axis(v)
        dims = [self.size_or_text(v, a) if self.chance(0.8) else 1 for a in range(len(self.dims(v)))]
        dims[at] = self.some_sizes(1)[0]
        return self.gather_by("gather_elements", v, dims, axis=axis if axis or self.chance(0.5) else None)

    def step_gather_nd(self, v):
        rank = len(self.dims(v))
        if not rank:
            raise Dead
        batches = self.pick(0, 0, 0, 1, 2)
        if batches >= rank:
            raise Dead
        dims = [self.size_or_text(v, a) for a in range(batches)] + self.some_sizes(self.pick(0, 1, 1, 2))
        return self.gather_by("gather_nd", v, dims + [self.rng.randint(1, rank - batches)], batch_dims=batches or None)

    def step_gather(self, v):
        at, axis = self.axis(v)
        d = self.dims(v)[at]
        if not d:
            raise Dead
        there = [n for n in self.meaning.values if self.dtype(n) in ("i32", "i64") and len(self.dims(n)) < 3]
        if there and self.chance(0.2):  # indices that were used before, or data as indices
            return self.call("gather", [v, self.rng.choice(there)], axis=axis)
        if self.chance(0.3):
            return self.gather_by("gather", v, self.some_sizes(self.pick(0, 1, 1, 2)), axis=axis if axis or self.chance(0.5) else None)
        one = lambda: self.rng.randrange(-d, d)
        indices = self.pick(one(), [one() for _ in range(self.pick(1, 2, 3, 5))], [[one(), one()], [one(), one()]],
                            list(range(d - 1, -1, -1)), [0, 0, 0])
        y = self.call("gather", [v], indices=indices, axis=axis)
        depth = 0 if isinstance(indices, int) else 2 if isinstance(indices[0], list) else 1
        self.texts[y] = self.texts[v][:at] + [None] * depth + self.texts[v][at + 1 :]
        return y

    def step_squeeze(self, v):
        ones = [i for i, n in enumerate(self.dims(v)) if n == 1]
        if not ones:
            raise Dead
        return self.call("squeeze", [v], axes=self.pick(ones[:1], ones) if self.chance(0.85) else None)

    def step_unsqueeze(self, v):
        rank = len(self.dims(v))
        i = self.rng.randint(0, rank)
        y = self.call("unsqueeze", [v], axes=self.pick([i], i, [i - rank - 1]))
        self.texts[y] = self.texts[v][:i] + ["1"] + self.texts[v][i:]
        return y

    def step_flatten(self, v):
        return self.call("flatten", [v], axis=self.pick(None, self.rng.randint(-len(self.dims(v)), len(self.dims(v)))))

    def step_center_crop_pad(self, v):
        rank = len(self.dims(v))
        if not rank:
            raise Dead
        axes = self.rng.sample(range(rank), self.rng.randint(1, rank)) if self.chance(0.7) else None
        sizes = [self.small(1, 2, 3, 4, 6, 0) for _ in (axes if axes is not None else range(rank))]
        return self.call("center_crop_pad", [v], shape=sizes, axes=axes)

    def step_reverse_sequence(self, v):
        d = self.dims(v)
        if len(d) < 2:
            raise Dead
        time = self.pick(0, 1)
        if self.texts[v][1 - time] != str(d[1 - time]) and self.chance(0.8):
            v = self.call("slice", [v], starts=[0], ends=[2], axes=[1 - time])
            d = self.dims(v)
        lengths = [self.rng.randint(0, d[time]) for _ in range(d[1 - time])]
        return self.call("reverse_sequence", [v], lengths=lengths, time_axis=time, batch_axis=1 - time)

    def blocks(self, op, v):
        d = self.dims(v)
        if len(d) != 4:
            k = self.pick(4, 4, 1)
            v = self.call("reshape", [v], shape=[1, k, -1, self.pick(1, 2)] if op == "depth_to_space"
                          else [1, -1, 2, self.pick(2, 4)])
        return self.call(op, [v], blocksize=self.pick(2, 2, 1), mode=self.pick(None, "DCR", "CRD"))

    def step_depth_to_space(self, v):
        return self.blocks("depth_to_space", v)

    def step_space_to_depth(self, v):
        return self.blocks("space_to_depth", v)

    def step_constant(self, v):
        """Concatenates a value with a constant: an empty slice of it, padded. Texts have no other weights."""
        rank = len(self.dims(v))
        if not rank:
            raise Dead
        none = self.call("slice", [v], starts=[0], ends=[0], axes=[self.axis(v)[0]])
        at = [i for i, n in enumerate(self.dims(none)) if n == 0][0]
        amounts = [0] * (2 * rank)
        amounts[at + rank * self.pick(0, 1)] = self.pick(1, 2, 3)
        filled = self.call("pad", [none], pads=amounts, value=self.fill(self.dtype(v)))
        self.texts[filled] = [None if i == at else t for i, t in enumerate(self.texts[v])]
        self.ends.append(filled)
        return self.call("concat", [v, filled] if self.chance(0.5) else [filled, v], axis=at)

    def step_identity(self, v):
        return self.call("identity", [v])

    def step_cast(self, v):
        if self.chance(0.5) and self.dtype(v) not in ("string", "c64", "c128"):
            same = [t for t in casts.TYPES if BITS[t] == BITS[self.dtype(v)] and t != "bool"]
            if self.dtype(v) != "bool":
                y = self.call("bitcast", [v], dtype=self.rng.choice(same))
                self.texts[y] = self.texts[v]
                return y
        if self.dtype(v) in ("string", "c64", "c128"):
            raise Dead
        to = self.pick("u8", "i32", "f32", "f16", "bool", self.rng.choice(list(casts.TYPES)))
        y = self.call("cast", [v], dtype=to,
                      saturate=self.pick(None, False) if to in casts.FLOAT8 else None,
                      round_mode=self.pick(None, "down", "nearest") if to == "f8e8m0" else None)
        self.texts[y] = self.texts[v]
        return y

    def table_shape(self, v):
        """Returns the sizes of a table that is broadcast with v, or None, and None as its axis."""
        dims, way = [int(d) for d in self.meaning.values[v].shape], self.rng.random()
        if way < 0.6 or not all(dims):
            return None, None
        shape = [d if d <= self.most_entries and self.chance(0.6) else 1 for d in dims][self.rng.randint(0, len(dims)) :]
        if math.prod(shape) > 2 * self.most_entries ** 2:
            return None, None
        if self.chance(0.1) and len(dims) < 4:
            shape = [self.rng.choice([1, 2])] + [1] * (len(dims) - len(shape)) + shape
        return (shape or None), None

    def channel_shape(self, v):
        dims = self.meaning.values[v].shape
        at = [k for k, d in enumerate(dims) if 0 < d <= self.most_entries]
        if not at or not self.chance(0.4):
            return self.table_shape(v)
        axis = self.rng.choice(at)
        return [int(dims[axis])], axis - len(dims) if self.chance(0.3) else axis

    def entries(self, shape, texts):
        """Returns one of these texts, or nested lists of them."""
        if not shape:
            return self.rng.choice(texts)
        return [self.entries(shape[1:], texts) for _ in range(shape[0])]

    def kept_texts(self, y, v):
        if self.meaning.values[y].shape == self.meaning.values[v].shape:
            self.texts[y] = self.texts[v]

    def step_bitcast(self, v):
        """Casts bits to elements of another size, which adds or removes a last axis."""
        if self.dtype(v) in ("string", "c64", "c128", "bool"):
            raise Dead
        bits = BITS[self.dtype(v)]
        ratios = [r for r in (2, 4, 8, 16, 32) if bits * r <= 64]
        if bits > 1 and (not ratios or self.chance(0.5)):
            to = self.rng.choice([t for t in casts.TYPES if BITS[t] < bits])
            y = self.call("bitcast", [v], dtype=to)
            self.texts[y] = [*self.texts[v], str(bits // BITS[to])]
            return y
        if self.dims(v)[-1:] == [1] or self.dims(v)[-1:] and self.dims(v)[-1] not in ratios or not self.dims(v):
            rank, ratio = len(self.dims(v)), self.pick(*[r for r in ratios if r <= 8])
            texts = self.texts[v]
            turned = self.call("flip", [v], axes=[self.rng.randrange(rank)]) if rank and self.chance(0.7) else v
            v = self.call("stack", [self.pick(v, turned) for _ in range(ratio)], axis=rank)
            self.texts[v] = [*texts, str(ratio)]
        ratio = self.dims(v)[-1]
        y = self.call("bitcast", [v], dtype=self.rng.choice([t for t in casts.TYPES if BITS[t] == bits * ratio and t != "bool"]))
        self.texts[y] = self.texts[v][:-1]
        return y

    def step_arithmetic(self, v, op=None):
        """Adds an operator with constants. A float constant is never 0: no rule says which of 0 and -0 is smaller."""
        dtype = self.dtype(v)
        if dtype != "bool" and dtype not in arithmetic.FLOATS + arithmetic.INTEGERS:
            if dtype in ("string", "c64", "c128"):
                raise Dead
            v, dtype = self.call("cast", [v], dtype="f32"), "f32"
        if op is None or not arithmetic.takes(op, dtype):
            op = self.rng.choice([n for n in arithmetic.FUNCTIONS if n in self.table and arithmetic.takes(n, dtype)])
        whole = ["1", "2", "3", "7", "10", "100"] + (["-1", "-3", "-100"] if dtype.startswith("i") else [])
        texts = {"bool": ["true", "false"]}.get(dtype) or (
            ["0.5", "1.5", "-2.0", "0.1", "255.0", "3", "inf", "-0.3"] if dtype in arithmetic.FLOATS else whole)
        if op.startswith("shift"):
            texts = ["0", "1", "3", "7", "8", "63", "100"]
        low, high = sorted(self.rng.sample(texts, 2), key=float) if op == "clip" else (None, None)
        shape, _ = self.table_shape(v)
        if op == "clip" and shape and self.chance(0.5):
            low, high = self.entries(shape, texts[:4]), self.entries(shape, texts[4:] or texts)
        y = self.call(op, [v], min=low, max=high, **{
            n: self.entries(shape, texts) for n in ("value", "bits") if n in self.table[op].arguments})
        self.kept_texts(y, v)
        return y

    def step_quantize(self, v):
        if self.dtype(v) not in arithmetic.SCALES:
            if self.dtype(v) in ("string", "c64", "c128"):
                raise Dead
            v = self.call("cast", [v], dtype="f32")
        to = self.pick("i8", "u8", None, self.rng.choice(arithmetic.QUANTIZED))
        zero = {"i": ["-1", "1"], "u": ["1", "3"]}.get((to or "u8")[0], ["0"])
        shape, axis = self.channel_shape(v)
        y = self.call("quantize", [v], scale=self.entries(shape, ["0.5", "0.1", "3.0"]),
                      zero_point=self.pick(None, self.entries(shape, zero), self.rng.choice(zero)), dtype=to, axis=axis,
                      saturate=self.pick(None, False) if to in casts.FLOAT8 else None)
        self.kept_texts(y, v)
        return self.step_dequantize(y) if self.chance(0.3) else y

    def step_dequantize(self, v):
        if self.dtype(v) not in arithmetic.QUANTIZED:
            raise Dead
        zero = {"i": ["-1", "1"], "u": ["1", "3"]}.get(self.dtype(v)[0], ["0"])
        shape, axis = self.channel_shape(v)
        y = self.call("dequantize", [v], scale=self.entries(shape, ["0.5", "0.1", "3.0"]),
                      zero_point=self.pick(None, self.entries(shape, zero), self.rng.choice(zero)),
                      dtype=self.pick(None, None, "f16", "bf16"), axis=axis)
        self.kept_texts(y, v)
        return y

    def step_requantize(self, v):
        if self.dtype(v) != "i32":
            if self.dtype(v) in ("string", "c64", "c128"):
                raise Dead
            v = self.call("cast", [v], dtype="i32")
        to = self.pick("i8", "u8", None, "i16", "u16", "i4", "u4")
        shape, axis = self.channel_shape(v)
        y = self.call("requantize", [v], multiplier=self.entries(shape, ["1073741824", "1518500250", "2147483647"]),
                      shift=self.entries(shape, ["-20", "-8", "-1", "0", "3"]), zero_point=self.pick(None, "1", self.entries(shape, ["1", "3"])),
                      dtype=to, axis=axis)
        self.kept_texts(y, v)
        return y

    def step_lookup(self, v):
        if self.dtype(v) not in arithmetic.TABLED:
            if self.dtype(v) in ("string", "c64", "c128"):
                raise Dead
            v = self.call("cast", [v], dtype=self.pick("u8", "i8", "u4", "i2", "u1", "bool"))
        dtype = self.dtype(v)
        to = self.pick(None, "u8", "i16", "f32", self.rng.choice([t for t in casts.TYPES if t != "f8e8m0"]))
        entries = [self.fill(to or dtype) for _ in range(2 if dtype == "bool" else 1 << BITS[dtype])]
        y = self.call("lookup", [v], table=entries, dtype=to)
        self.texts[y] = self.texts[v]
        return y

    def step_activation(self, v, op=None):
        dtype = self.dtype(v)
        if dtype not in casts.WIDE:
            if dtype in ("string", "c64", "c128"):
                raise Dead
            if op or not (dtype in ("u8", "i8", "i32", "i64", "u16", "i16", "u32", "u64") and self.chance(0.4)):
                v = self.call("cast", [v], dtype=self.pick("f32", "f32", "f64", "f16", "bf16"))
            else:
                return self.call(self.pick("relu", "abs"), [v])
        y = self.call(op or self.rng.choice([n for n in casts.EXACT if n in self.table]), [v])
        self.texts[y] = self.texts[v]
        return y

    def step_rearrange(self, v):
        d, rank = self.dims(v), len(self.dims(v))
        names = list("abcdefgh"[:rank])
        if not rank or rank > 5:
            raise Dead
        left, right = list(names), list(names)
        kind = self.pick("order", "merge", "split", "sum", "repeat", "dots", "sized", "join")
        sizes = {}
        if kind == "sized":  # splits an axis, or the rest of it, into as many parts as a symbol says, or of its size
            s, i = self.symbol(), self.rng.randrange(rank)
            less = self.pick(0, 0, *[n for n in (1, 2) if n < d[i]])
            if (d[i] - less) % max(self.graph.witness[s], 1):
                raise Dead
            parts = [f"{names[i]} k", f"k {names[i]}"]
            left[i] = self.pick(*parts) if not less else f"{less} + {self.pick(*parts)}"
            right[i] = self.pick(*parts) if not less else f"{less} + {self.pick(*parts)}"
            left[i], right[i] = f"({left[i]})", f"({right[i]})"
            return self.call("rearrange", [v], pattern=f"{' '.join(left)} -> {' '.join(right)}", k=s)
        if kind == "join":
            i = self.rng.randrange(rank)
            others = [v, *self.others(v, i)]
            left[i], right[i] = "z", f"({names[i]} + z)"
            self.rng.shuffle(right)
            return self.call("rearrange", [v, self.rng.choice(others)], pattern=f"{' '.join(names)}, {' '.join(left)} -> {' '.join(right)}")
        if kind == "split":
            i = self.rng.randrange(rank)
            k = self.pick(*[k for k in (1, 2, 3) if d[i] % k == 0])
            left[i] = self.pick(f"({names[i]} k)", f"(k {names[i]})")
            if self.chance(0.5):
                sizes["k"] = k
            else:
                left[i] = left[i].replace("k", f"k={k}")
            right.insert(self.rng.randint(0, rank), "k")
        if kind == "repeat":
            for _ in range(self.pick(1, 1, 2)):
                right.insert(self.rng.randint(0, rank), self.pick("2", "3", "1"))
            if self.more.random() < 0.4:
                right.insert(self.more.randint(0, rank), "times")
                sizes["times"] = self.more.choice([1, 2, *(s for s in self.graph.witness if s.isalpha())])
        if kind == "sum" and d[-1] > 1:
            left[-1] = f"({names[-1]} + {names[-1]})" if d[-1] % 2 == 0 and self.chance(0.5) else f"(1 + {names[-1]})"
            right[-1] = left[-1] if left[-1][1] != "1" else f"({names[-1]} + 1)"
            self.rng.shuffle(right[:-1])
            return self.call("rearrange", [v], pattern=f"{' '.join(left)} -> {' '.join(right)}")
        self.rng.shuffle(right)
        if kind == "dots" and rank > 1:
            return self.call("rearrange", [v], pattern=self.pick("a ... -> ... a", "a ... -> a (...)", "... a -> a ..."))
        if kind == "merge" and rank > 1:
            i = self.rng.randrange(len(right) - 1)
            right[i : i + 2] = [f"({right[i]} {right[i + 1]})"]
        return self.call("rearrange", [v], pattern=f"{' '.join(left)} -> {' '.join(right)}", **sizes)

    def any_arguments(self, op, v):
        """Adds an operator without a step of its own, with arguments of the kinds that the table gives."""
        row, d = self.table[op], self.dims(v)
        axes = lambda: self.rng.sample(range(len(d)), self.rng.randint(0, len(d)))
        make = {
            "int": lambda: self.rng.randint(-2, 4),
            "bool": lambda: self.chance(0.5),
            "text": lambda: "constant",
            "dtype": lambda: self.rng.choice(DTYPES),
            "ints": lambda: self.pick(axes(), [self.rng.randint(0, 3) for _ in d]),
            "data": lambda: self.pick(axes(), [self.rng.randint(0, 3) for _ in d]),
            "target": lambda: self.target(v),
            "name": lambda: self.rng.choice(list(casts.EXACT)),
            "indices": lambda: [0],
            "value": lambda: self.fill(self.dtype(v)),
            "values": lambda: [self.fill(self.dtype(v))] * 256,
        }
        for _ in range(20):
            attrs = {n: make[k]() for n, k in row.arguments.items() if n in row.needed or self.chance(0.3)}
            try:
                return self.call(op, [v] * row.least, **attrs)
            except (Dead, TypeError, ValueError, IndexError):
                pass
        raise Dead

    def step(self, v):
        if self.few:
            return self.step_of(self.rng.choice(self.few), v)
        if self.more.random() < 0.005:
            return self.step_rounded(self.more.choice(sorted(ROWWISE)), v)
        if self.chance(0.78):
            op = self.rng.choice(EVERYDAY)
        elif self.chance(0.75):
            op = self.rng.choice(SOMETIMES)
        else:
            op = self.rng.choice(list(self.table) + ["activation"] * 8)
            op = "activation" if op in casts.EXACT else op
        return self.step_of(op, v)

    def step_of(self, op, v):
        """Adds this operator of the table."""
        if op in casts.EXACT:
            return self.step_activation(v, op)
        if op in arithmetic.FUNCTIONS:
            return self.step_arithmetic(v, op)
        if op in oracle.DIALECTS:
            _, flags = self.dialect(v, op)
            return self.call(op, [v], shape=[e for e in self.target(v) if isinstance(e, int)], **flags)
        if op in ROUNDED or op in ROWWISE:
            return self.step_rounded(op, v)
        method = getattr(self, "step_" + op, None)
        return method(v) if method else self.any_arguments(op, v)

    def step_rounded(self, op, v):
        """Adds a rounding function, the last element-wise function of a graph: later ones would enlarge its error."""
        if self.dtype(v) not in casts.WIDE:
            if self.dtype(v) in ("string", "c64", "c128"):
                raise Dead
            v = self.call("cast", [v], dtype=self.pick("f32", "f64"))
        y = self.call(op, [v])
        self.texts[y] = self.texts[v]
        self.is_closed = True
        return y

    def make_in_place(self):
        """Generates a permutation of one input, which may be in place: it tests the cycles of elements."""
        self.choose_sizes()
        self.meaning = Meaning(Graph(witness=self.graph.witness), self.graph.witness, self.seed)
        self.is_closed = False
        dtype = self.pick("u8", "u16", "f32", "i64", "c128", "f16", "bf16", "string")
        a, b = self.symbol(), self.symbol()
        dims = self.pick([a, b], [a, a], [a, 3], [a, b, 4], [2, a, b], [a, 2, b, 2], [6, 4], [2, 3, 5], [a, 16], [4, f"2*{a}"],
                         [16, 12], [a, a, 2], [f"{a}*{b}", 3], [9, 7], [a], [5, 5], [a, b, a], [a, 7, 7, 3], [a, b, b], [17])
        v = first = self.new_input(dims, dtype)
        for _ in range(self.pick(1, 1, 1, 2, 3)):
            rank, op = len(self.dims(v)), self.pick("transpose", "transpose", "flip", "merge", "identity", "split", "roll")
            texts = self.texts[v]
            if None in texts:
                break
            try:
                if op == "merge" and rank > 1:
                    v = self.call("reshape", [v], shape=[-1, *[self.simple(t) for t in texts[2:]]])
                    self.texts[v] = [f"({texts[0]})*({texts[1]})", *texts[2:]]
                elif op == "split" and rank < 5 and self.dims(v)[-1] % 2 == 0:
                    v = self.call("reshape", [v], shape=[*[self.simple(t) for t in texts[:-1]], -1, 2])
                    self.texts[v] = [*texts[:-1], f"({texts[-1]})//2", "2"]
                elif op in ("transpose", "flip", "roll"):
                    v = getattr(self, "step_" + op)(v)
            except Dead:
                pass
        return self.made_in(v, first)

    def made_in(self, v, first):
        """Returns the graph whose result is `v`, in place of the input `first`."""
        v = self.step_identity(v) if v == first else v
        self.graph.outputs, self.graph.inplace = [v], {v: first}
        self.prune()
        self.add_symbols()
        return self.graph

    def make_slide(self):
        """Generates a result moved within an input: windows, crops, gathers, casts. Some are too large or unordered."""
        self.choose_sizes()
        self.meaning = Meaning(Graph(witness=self.graph.witness), self.graph.witness, self.seed)
        self.is_closed = False
        dtype = self.pick("u8", "u8", "i16", "f32", "f32", "i8", "f64", "c64", "f16", "u4", "string")
        a, b = self.symbol(), self.symbol()
        dims = self.pick([a, b], [a, 10], [7, 6], [5, 4, 3], [a, b, 3], [40], [a], [a, 8, 4], [9, 9, 2], [3, 5, 2, 4], [12, 16])
        v = first = self.new_input(dims, dtype)
        if self.chance(0.4) and self.dims(v)[0] > 1:  # a window: drops some rows and appends or prepends new ones
            rows = self.rng.randint(1, min(2, self.dims(v)[0] - 1))
            new = self.new_input([rows, *[self.simple(t) for t in self.texts[v][1:]]], dtype)
            kept = self.call("slice", [v], **self.pick({"starts": [rows], "ends": [INT64_MAX]}, {"starts": [0], "ends": [-rows]}), axes=[0])
            v = self.call("concat", self.pick([kept, new], [kept, new], [new, kept]), axis=0)
            self.texts[v] = [None, *self.texts[first][1:]]
        for _ in range(self.pick(0, 1, 1, 2) if v != first else self.pick(1, 1, 2, 2, 3)):
            op = self.pick("slice", "subscript", "subscript", "gather", "cast", "pad", "concat", "relu", "window", "ascending", "reshape",
                           "repeat", "squeeze")
            try:
                if not self.dims(v):
                    break
                if op == "ascending":
                    at = self.rng.randrange(len(self.dims(v)))
                    d = self.dims(v)[at]
                    picks = sorted(self.rng.sample(range(d), self.rng.randint(1, d))) if 0 < d < 40 else []
                    v = self.call("gather", [v], indices=picks, axis=at) if picks else v
                    self.texts[v] = [None] * len(self.dims(v))
                elif op == "window":
                    at = self.rng.randrange(len(self.dims(v)))
                    v = self.call("slice", [v], starts=[self.pick(0, 1, 2)], ends=[self.pick(INT64_MAX, -1)], axes=[at], steps=[self.pick(1, 1, 2)])
                    self.texts[v] = [None] * len(self.dims(v))
                elif op == "relu":
                    v = self.call("relu", [v]) if self.dtype(v) in ("f32", "f64", "f16") else v
                else:
                    v = getattr(self, "step_" + op)(v)
            except Dead:
                pass
        return self.made_in(v, first)

    def make_cut(self):
        """Generates a pad that repeats elements, or a roll, of many axes, which the tape handles one axis at a time."""
        self.choose_sizes()
        self.meaning = Meaning(Graph(witness=self.graph.witness), self.graph.witness, self.seed)
        self.late, rank, a = 0.4, self.pick(4, 4, 5, 6), self.symbol()
        v = self.new_input([self.pick(1, 2, 2, 3 if rank < 6 else 1, a if i == 0 else 2) for i in range(rank)], self.pick("u8", "f32", "u16"))
        self.ends = [v]
        axes = [i - self.pick(0, 0, rank) for i in self.rng.sample(range(rank), self.rng.randint(3, rank))]
        if self.chance(0.5):
            shifts = self.pick(1, [self.pick(1, -1, 2, 0, 3) for _ in axes])
            v = self.call("roll", [v], shifts=shifts, axes=axes)
        else:
            axes = self.pick(None, axes)
            amounts = [self.pick(0, 1, 1, 1, -1, 2) for _ in range(2 * len(axes or range(rank)))]
            v = self.call("pad", [v], pads=amounts, mode=self.pick("edge", "reflect", "wrap"), axes=axes)
        self.is_closed = False
        for _ in range(self.pick(0, 0, 1)):
            v = self.step(v)
        self.finish(v)
        return self.graph

    def make_scattered(self):
        """Generates a result of many pieces that end within rows; some results have strides."""
        self.choose_sizes()
        g = self.graph
        self.meaning = Meaning(Graph(witness=g.witness), g.witness, self.seed)
        dtype = self.pick("u8", "u8", "i4", "f32", "u1")
        v = self.new_input([self.pick(3, 5, 6, 7, 7, self.symbol())], dtype)
        parts = [v, self.step_flip(v), self.call("slice", [v], starts=[1], ends=[INT64_MAX])]
        y = self.call("concat", [self.rng.choice(parts) for _ in range(self.pick(3, 12, 24, 40, 40))], axis=0)
        if self.chance(0.3) and self.dims(y)[0]:
            y = self.call("gather", [y], indices=[self.rng.randrange(self.dims(y)[0]) for _ in range(self.pick(12, 24, 36, 48))])
        y = self.call("reshape", [y], shape=self.factors(self.dims(y)[0]))
        g.outputs = [y, *([self.step_flip(y)] if self.chance(0.3) else [])]
        self.rng.shuffle(g.outputs)
        for name in [] if isinstance(g.inputs[0].dims[0], str) else g.outputs:
            texts = [str(n) for n in self.dims(name)]
            g.declared[name] = f"{dtype}[{', '.join(texts)}]"
            if len(texts) > 1 and BITS[dtype] >= 8:
                g.layouts[name] = self.pick(Order(self.rng.sample(range(len(texts)), len(texts))), Steps(0, [self.pick(1, -1) for _ in texts]))
        self.prune()
        self.add_symbols()
        return g

    def make_picked(self):
        """Generates gathers of gathered values by gathered indices. The first index out of range decides the status."""
        self.choose_sizes()
        self.meaning = Meaning(Graph(witness=self.graph.witness), self.graph.witness, self.seed)
        self.is_closed, self.nested = False, 0.6
        rank = self.pick(1, 1, 2, 2, 3)
        v = self.new_input([self.pick(self.symbol(), self.symbol(), 2, 3, 5) for _ in range(rank)],
                           self.pick("u8", "f32", "i4", "i64", "u16", "u2", "c128", "string"))
        self.store(self.graph.inputs[0])
        self.ends, picks = [v], 0
        for _ in range(12):
            try:
                op = self.pick("gather", "gather", "gather_elements", "gather_nd")
                at = self.axis(v)[0]
                if op == "gather":
                    v = self.gather_by(op, v, self.some_sizes(self.pick(0, 1, 1, 2)), axis=at)
                else:
                    v = self.step_of(op, v)
                picks += 1
                self.ends.append(v)
            except Dead:
                pass
            if picks >= self.pick(1, 2, 2, 3):
                break
        for _ in range(self.pick(0, 0, 1) if picks else 1):
            v = self.step(v)
        self.finish(v)
        return self.graph

    def make(self):
        if (other := self.more.random()) < 0.06 or 0.06 <= other < 0.06 + SLIDES:
            before = vars(self).copy()
            try:
                return self.make_slide() if other >= 0.06 else self.make_cut() if other < 0.015 else self.make_scattered() if other < 0.04 else self.make_picked()
            except Dead:
                vars(self).update(before, graph=Graph(), texts={}, count=0)
        if self.chance(0.04):
            return self.make_in_place()
        v = self.start()
        self.is_closed = False
        steps = self.pick(*([2, 3, 4, 5, 6, 8, 12] if self.few else [1, 1, 2, 2, 2, 3, 3, 4, 5, 8]))
        made = tries = 0
        while made < steps and tries < 40:
            tries += 1
            before = self.rng.choice([v] * 5 + self.ends)
            if before not in self.meaning.values:
                before = v
            try:
                if self.windowed.random() < 0.03:
                    v = self.step_windows(before)
                elif self.is_closed:
                    op = self.rng.choice(EVERYDAY)
                    v = getattr(self, "step_" + op)(before)
                else:
                    v = self.step(before)
                self.ends.append(v)
                made += 1
            except Dead:
                pass
        self.finish(v)
        return self.graph

    def make_alone(self, op):
        """Generates a graph with this operator, and the operators that it needs before it."""
        v = self.start()
        self.is_closed = False
        self.finish(self.step_of(op, v))
        return self.graph

    def finish(self, v):
        g = self.graph
        inputs = {i.name for i in g.inputs}
        made = [r for c in g.calls for r in c.results]
        if not made:
            v = self.step_identity(v)
            made = [v]
        g.outputs = [v if v not in inputs else made[-1]]
        if self.chance(0.25):
            more = self.rng.choice(made)
            if more not in g.outputs:
                g.outputs.append(more)
        self.prune()
        self.place()
        if self.chance(0.15) and None not in self.texts[g.outputs[0]]:
            name = g.outputs[0]
            texts = self.texts[name]
            if numbers([self.simple(t) for t in texts], g.witness) == self.dims(name):
                if self.chance(0.2):
                    texts = ["*"] if self.chance(0.2) else [self.pick(t, t, "?") for t in texts]
                g.declared[name] = self.dtype(name) + (f"[{', '.join(texts)}]" if texts else "")
                if "*" not in texts and 1 < len(texts) < 8 and self.chance(0.3) and BITS[self.dtype(name)] >= 8:
                    g.layouts[name] = Order(self.rng.sample(range(len(texts)), len(texts)))
                elif texts and "*" not in texts and not set("-?") & set(str(texts)) and self.chance(0.4) and BITS[self.dtype(name)] >= 8:
                    g.layouts[name] = Steps(0, [self.pick(1, -1) for _ in texts])
        self.add_symbols()

    def prune(self):
        prune(self.graph)

    def place(self):
        """Occasionally makes an input that only the last call reads `placed`: already stored in the result."""
        g, last = self.graph, self.graph.calls[-1]
        if len(g.outputs) > 1 or last.op not in ("concat", "stack", "pad") or not self.chance(0.25):
            return
        used = [a for c in g.calls for a in c.args]
        alone = [i for i in g.inputs if i.name in last.args and used.count(i.name) == 1 and not i.holds and not i.storage]
        if alone and BITS[alone[0].dtype] >= 8 and last.attrs.get("mode", "constant") == "constant":
            self.rng.choice(alone).placed = True


def prune(g):
    """Removes calls and inputs that no result needs."""
    wanted, kept = set(g.outputs), []
    for call in reversed(g.calls):
        if wanted & set(call.results):
            kept.append(call)
            wanted |= set(call.args)
            for value in call.attrs.values():
                entries = value if isinstance(value, list) else [value]
                wanted |= {n for e in entries for n in names_in(e) if re.fullmatch(r"[nt]\d+", n)}
    g.calls = kept[::-1]
    for call in g.calls:
        call.results = [r if r in wanted else "_" + r.lstrip("_") for r in call.results]
    g.inputs = [i for i in g.inputs if i.name in wanted or i.name == "s0"]
    g.declared = {k: v for k, v in g.declared.items() if k in g.outputs}
    g.layouts = {k: v for k, v in g.layouts.items() if k in g.declared}
    g.stated = {(h, k): v for (h, k), v in g.stated.items() if k in wanted}
    g.inplace = {k: v for k, v in g.inplace.items() if k in g.outputs and v in [i.name for i in g.inputs]}


def split(g, meaning, dice):
    """Occasionally puts calls of a graph into graphs that it calls, and some of these into graphs that those call."""
    gives_rank = any(c.op == "gather_nd" or c.op == "squeeze" and "axes" not in c.attrs for c in g.calls)  # by sizes of an operand
    if dice.random() >= 0.2 or any(i.placed for i in g.inputs) or gives_rank:
        return
    for home in "ab"[: dice.choice([1, 1, 2])]:
        first = 0 if home == "a" and dice.random() < 0.5 else dice.randrange(len(g.calls))
        part = g.calls[first : dice.randint(first + 1, len(g.calls))]
        for call in part:
            call.home = home
        if dice.random() < 0.4:
            first = dice.randrange(len(part))
            for call in part[first : dice.randint(first + 1, len(part))]:
                call.home = home + "a"
    for value in [r for c in g.calls for r in c.results if r in meaning.values]:
        dims = [dice.choice(["?", f"P{len(g.types)}_{k}"]) for k in range(meaning.values[value].ndim)]
        g.types[value] = meaning.dtypes[value] + (f"[{', '.join(dims)}]" if dims else "")
    needs_facts = re.search(r"[^/]/[^/]", str([i.dims for i in g.inputs]))  # A/2 is a size only where A is even
    g.outer_facts, g.own_symbols = dice.random() < 0.5 or bool(needs_facts), dice.random() < 0.5


def stated_size(n, text, env, dice):
    """Returns the text of a declared size: `?`, or a size that is mostly right for the symbols in `env`."""
    if dice.random() < 0.04:
        return str(dice.choice([n + 1, 2 * n, max(n - 1, 0)]))
    way = dice.random()
    if way < 0.2 or way < 0.7 and text and not set(names_in(text)) <= set(env):
        return "?"
    if way < 0.7 and text and number(text, env) == n:
        return text
    if way < 0.35 or not env:
        return str(n)
    a, b = dice.choice(list(env)), dice.choice(list(env))
    forms = [a, f"2*{a}", f"{a} + 1", f"{a}//3", f"{a} % 4", f"{a}//2", f"({a} + 1)//2", f"{a}*{b}", f"{a} + {b}", f"9 - {a}",
             f"{a}//({b} + 1)", f"-{a} % 4", f"({a} + {b})//3", f"{a}*{b}//4", f"({a} - {b}) % 3", f"{a}*{b} - {b}"]
    right = [f for f in forms if number(f, env) == n]
    if right and dice.random() < 0.8:
        return dice.choice(right)
    form = dice.choice(forms)
    more = n - number(form, env)
    return form if not more else f"{form} {'+' if more > 0 else '-'} {abs(more)}"


def stated_type(maker, name, env, dice):
    dims, texts = maker.dims(name), maker.texts.get(name)
    if not dims:
        return maker.dtype(name)
    texts = texts if texts is not None and len(texts) == len(dims) else [None] * len(dims)
    sizes = [stated_size(n, text, env, dice) for n, text in zip(dims, texts)]
    if dice.random() < 0.02:
        sizes = dice.choice([sizes[1:], [*sizes, "1"], [*sizes, "?"]])
    return f"{maker.dtype(name)}[{'*' if dice.random() < 0.07 else ', '.join(sizes)}]"


def state_results(g, maker, dice):
    """Occasionally declares results of a graph and of graphs that it calls, and adds a condition on a quotient."""
    env = {s: n for s, n in g.witness.items() if s.isupper() and s in g.symbols()}
    if env and dice.random() < 0.05:
        a, b = dice.choice(list(env)), dice.choice(list(env))
        part = dice.choice(["{}//2", "{}//3", "{} % 4", "{} % 3", "({} + 1)//2", "{}*{}//4", "({} + {})//3", "{}//4"]).format(a, b)
        g.facts.append(f"{part} in [{', '.join(map(str, sorted({value_of(part, env), *dice.sample(range(6), 2)})))}]")
    for home, part, _ in list(g.homes()):
        read = [(s, n) for v in g.read_by(part) for s, n in zip(re.findall(r"[?\w]+", g.types[v].partition("[")[2]), maker.dims(v))]
        known = {**env, **{s: n for s, n in read if s != "?"}}
        if dice.random() < 0.6:
            g.stated.update({(home, r): stated_type(maker, r, known, dice) for r in g.read_after(part) if dice.random() < 0.8})
    if dice.random() < 0.3:
        own = [r for c in g.calls if not c.home for r in c.results if r[0] != "_"]
        g.named.update({r: stated_type(maker, r, env, dice) for r in own if dice.random() < 0.4})
    if not g.declared and dice.random() < 0.15:
        g.declared.update({r: stated_type(maker, r, env, dice) for r in g.outputs if dice.random() < 0.8})


def make_graph(table, seed, n, swarm=False):
    """Returns graph n of a seed, and the seed of its elements. Both depend only on the arguments."""
    for attempt in ("", " again", " once more"):
        maker = Maker(table, seed, f"{n}{attempt}", swarm)
        try:
            graph = maker.make()
            split(graph, maker.meaning, random.Random(f"split {seed} {n}"))
            state_results(graph, maker, random.Random(f"stated {seed} {n}"))
            return graph, maker.seed
        except Dead:  # no step can be applied
            pass
    raise RuntimeError(f"no graph {n} of seed {seed}")


def make_alone(table, seed, op, n):
    """Returns what make_graph() does, for one operator of the table; None if it cannot be applied."""
    maker = Maker(table, seed, f"{op} {n}")
    try:
        return maker.make_alone(op), maker.seed
    except Dead:
        return None
