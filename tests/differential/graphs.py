# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs with open sizes: as data, as text with symbols, and as text with numbers.

    x: u8[A, 2*B]  roll(x, 1, axes=0)  concat(v0, x, axis=1)

An entry of a list is an integer, or an integer expression as text: "2*B". The compiler's table of operators gives the
names and kinds of a call's arguments.
"""

import functools
import itertools
import math
import pickle
import re
from dataclasses import dataclass, field

import numpy as np
from elements import BITS
from operators import rows

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)


# Arguments that are not expressions.
PLAIN_TEXT = ("pattern", "mode", "dtype", "value", "act", "round_mode", "name", "bits", "min", "max", "scale", "zero_point", "multiplier",
              "shift", "table")


class Operator:
    """A row of --list-ops. `arguments` maps names to kinds, in order."""

    def __init__(self, name, tensors, arguments):
        self.name = name  # tensors: 2, 1-2, 1+
        self.least = int(re.match(r"\d+", tensors).group())
        self.takes_many = tensors.endswith("+")
        self.arguments = {}
        for name, kind in re.findall(r"([\w|]+):(\w+)", arguments):
            self.arguments[name.split("|")[0]] = kind
        self.rule_is_of_elements = not self.arguments and self.name != "identity"
        self.needed = [n.split("|")[0] for n in re.findall(r"([\w|]+):\w+!", arguments)]


def read_table(reshapec):
    """Returns {name: Operator} from the compiler's own table."""
    return {name: Operator(name, tensors, arguments) for name, tensors, arguments, _ in rows(reshapec)}


# ---- integer expressions -------------------------------------------------------------------------


def names_in(entry):
    return re.findall(r"[A-Za-z_]\w*", entry) if isinstance(entry, str) else []


@functools.lru_cache(10000)
def compiled(text):
    return compile(re.sub(r"(?<!/)/(?!/)", "//", text).strip(), text, "eval")


def value_of(text, env):
    """Evaluates an expression or a condition of the language. Its / is exact, so Python's // returns the same."""
    return eval(compiled(text), {}, env)


def holds(fact, env):
    """Whether a condition holds. A condition that divides by a size of 0 does not."""
    try:
        return value_of(fact, env)
    except ZeroDivisionError:
        return False


def number(entry, env):
    """Returns the value of an entry: 6 for "2*B" if B is 3."""
    return entry if isinstance(entry, int) else value_of(entry, env)


def numbers(entries, env):
    return [number(e, env) for e in entries]


def declared_sizes(kind, env):
    """Returns the declared sizes of a result, with None for a `?`; None if the type has any rank."""
    given = re.search(r"\[(.*)\]", kind)
    texts = [t.strip() for t in given[1].split(",") if t.strip()] if given else []
    return None if texts == ["*"] else [None if t == "?" else number(t, env) for t in texts]


def is_declared(kind, env, dims):
    """Whether a result of these sizes is as its type declares."""
    sizes = declared_sizes(kind, env)
    return sizes is None or len(sizes) == len(dims) and all(n in (None, d) for n, d in zip(sizes, dims))


def in_numbers(entry, env):
    """Returns the text with each name of `env` replaced by its value."""
    return re.sub(r"[A-Za-z_]\w*", lambda m: str(env.get(m[0], m[0])), entry)


# ---- graphs --------------------------------------------------------------------------------------


class Order:
    """A layout: the order of a tensor's axes in memory. Used as a storage of elements.py."""

    def __init__(self, perm):
        self.perm = list(perm)

    def text(self, dims=()):
        del dims
        names = "abcdefgh"[: len(self.perm)]
        return f' layout "{" ".join(names)} -> {" ".join(names[i] for i in self.perm)}"'

    def of(self, dims):
        return Placed(self.perm, dims)

    def arranged(self, value):
        return value.transpose(self.perm)


class Placed:
    """A layout of a tensor of known sizes."""

    def __init__(self, perm, dims):
        self.perm, self.dims, self.span = perm, dims, math.prod(dims)

    def load(self, memory):
        return memory.reshape([self.dims[i] for i in self.perm]).transpose([self.perm.index(i) for i in range(len(self.perm))])


class Steps:
    """Strides of rows with a gap after each; some axes are reversed."""

    def __init__(self, room, signs):
        self.room, self.signs = room, list(signs)

    def strides(self, dims):
        """Returns the strides of the axes, as texts or numbers: [B + 2, 1] for [A, B] and a gap of 2."""
        found, below = [], None
        for axis in range(len(dims) - 1, -1, -1):
            size = dims[axis]
            found.insert(0, below if below is not None else 1)
            wide = f"({size} + {self.room})" if isinstance(size, str) else size + self.room
            if axis < len(dims) - 1:
                wide = size if not isinstance(size, str) else f"({size})"
            if below is None:
                below = wide
            elif isinstance(below, str) or isinstance(wide, str):
                below = f"{below}*{wide}"
            else:
                below = below * wide
        return found

    def text(self, dims):
        texts = [f"-{s}" if sign < 0 else str(s) for s, sign in zip(self.strides(dims), self.signs)]
        return f" strides [{', '.join(texts)}]"

    def of(self, dims):
        return Stepped([s * sign for s, sign in zip(self.strides(dims), self.signs)], dims)

    def arranged(self, value):
        """Returns a result in the order of its memory. Results have no gaps."""
        return value[tuple(slice(None, None, sign) for sign in self.signs)]


class Stepped:
    """Strides of a tensor of known sizes. Memory begins at the element with the lowest address."""

    def __init__(self, strides, dims):
        reach = [s * (d - 1) for s, d in zip(strides, dims)]
        self.lowest = sum(min(r, 0) for r in reach)
        self.strides, self.dims = strides, dims
        self.span = 0 if 0 in dims else sum(max(r, 0) for r in reach) - self.lowest + 1

    def load(self, memory):
        at = np.full(self.dims, -self.lowest, np.int64)
        for axis, (step, size) in enumerate(zip(self.strides, self.dims)):
            at += (np.arange(size) * step).reshape([-1 if i == axis else 1 for i in range(len(self.dims))])
        return memory[at]


@dataclass
class Input:
    name: str
    dtype: str
    dims: list
    storage: object = None  # as in elements.py
    holds: list = None  # of a target that is data: the entries that the input contains
    picks: bool = False  # its elements are indices, chosen when an operator first gathers by them
    placed: bool = False  # its elements are already stored in the result before the call

    def held(self, env):
        """Returns the entries as numbers of the input's type: -1 is 255 in u8."""
        bits = BITS[self.dtype]
        found = [n & (1 << bits) - 1 for n in numbers(self.holds, env)]
        return [n - (1 << bits) if self.dtype[0] == "i" and n >> bits - 1 else n for n in found]


@dataclass
class Call:
    op: str
    args: list
    attrs: dict
    results: list
    style: int = 0
    home: str = ""  # the graph that the call stands in: "" this one, "a" one that it calls, "ab" one that "a" calls


def listed(value):
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(listed(v) for v in value) + "]"
    return str(value)


def declared_text(sizes):
    return "[*]" if sizes is None else listed(["?" if n is None else n for n in sizes])


def bound(entry):
    return "" if entry is None else str(entry)


def graph_text(name, ins, outs, where, lines):
    outs = outs[0] if len(outs) == 1 else f"({', '.join(outs)})"
    return f"graph {name}({ins}) -> {outs}{where} {{\n" + "".join(f"    {t}\n" for t in lines) + "}\n"


@dataclass
class Graph:
    inputs: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    outputs: list = field(default_factory=list)  # names
    declared: dict = field(default_factory=dict)  # name: type with sizes
    layouts: dict = field(default_factory=dict)  # of declared results
    inplace: dict = field(default_factory=dict)  # results that may share the memory of an input: {name: input}
    facts: list = field(default_factory=list)
    witness: dict = field(default_factory=dict)  # sizes for which the generator made the graph valid
    types: dict = field(default_factory=dict)  # of values that a called graph reads: {name: "u8[P0, ?]"}
    stated: dict = field(default_factory=dict)  # of results of called graphs: {(home, name): type with sizes}
    named: dict = field(default_factory=dict)  # of values that the graph itself names: {name: type with sizes}
    outer_facts: bool = True  # whether graphs that call others have the conditions, too
    own_symbols: bool = False  # whether called graphs have names of their own for the symbols
    open_form: object = None  # of a graph with numbers: the one with symbols, which called graphs keep

    def copy(self):
        return pickle.loads(pickle.dumps(self))  # several times faster than copy.deepcopy

    def symbols(self):
        """Returns the symbols in order of first appearance, which is the order of the C function's parameters."""
        seen = [d for i in self.inputs for d in i.dims if isinstance(d, str) and re.fullmatch(r"[A-Z]\w*|size_\d+", d)]
        return list(dict.fromkeys(seen))

    def data_env(self, env):
        """Returns `env` with the contents of inputs that are data: a number for n0 with one entry, else a list."""
        held = {i.name: i.held(env) for i in self.inputs if i.holds}
        return {**env, **{name: n[0] if len(n) == 1 and name[0] == "n" else n for name, n in held.items()}}

    def has(self, *ops):
        return any(c.op in ops for c in self.calls)

    def has_difference(self):
        """Whether sizes are differences or remainders. Compiled code computes these as sums of products, and one
        product may be above 2^64 though the size is not: S - 3*(S//3) for S % 3, and 3*A*B - 3*A for 3 times B*A - A."""
        dims = str([i.dims for i in self.inputs])
        return "-" in dims or "%" in dims + str([c.attrs for c in self.calls])

    # -- text --

    def argument(self, kind, value):
        if kind in ("text", "name"):
            return f'"{value}"'
        if isinstance(value, bool):
            return str(value).lower()
        return listed(value)

    def call_text(self, call, table):
        args, attrs = list(call.args), call.attrs
        if call.op == "subscript":
            at = [":".join(bound(b) for b in item[: 3 if item[2] not in (None, 1) else 2])
                  if isinstance(item, (list, tuple)) else str(item) for item in attrs["at"]]
            return f"{args[0]}[{', '.join(at)}]"
        if call.op == "rearrange":
            rest = [f"{k}={listed(v)}" for k, v in attrs.items() if k != "pattern"]
            return f"rearrange({', '.join(args + [chr(34) + attrs['pattern'] + chr(34)] + rest)})"
        kinds = table[call.op].arguments
        order = list(kinds)
        texts, by_place = [], call.style % 2 == 0
        for i, name in enumerate(order):
            if name not in attrs:
                by_place = False
                continue
            text = self.argument(kinds[name], attrs[name])
            texts.append(text if by_place else f"{name}={text}")
        if len(args) > 1 and table[call.op].takes_many and call.style % 3 == 0:
            args = [f"[{', '.join(args)}]"]
        return f"{call.op}({', '.join(args + texts)})"

    def type_text(self, each, with_storage=True):
        dims = ", ".join("?" if str(d).startswith("size_") else str(d) for d in each.dims)
        plain = f"{each.name}: {each.dtype}{f'[{dims}]' if dims else ''}"
        if not with_storage:
            return plain
        return plain + (each.storage.text(each.dims) if each.storage else "") + (" placed" if each.placed else "")

    def result_text(self, name):
        before = "inplace " if name in self.inplace else ""
        if name not in self.declared:
            return before + name
        dims = self.declared[name].partition("[")[2].rstrip("]").split(", ")
        return f"{before}{name}: {self.declared[name]}" + (self.layouts[name].text(dims) if name in self.layouts else "")

    def text(self, name, table, more_inputs=(), more_lines=(), more_outputs=()):
        """Returns the text with symbols. Additional inputs, lines and outputs make the graph dynamic."""
        ins = ", ".join([self.type_text(i) for i in self.inputs] + list(more_inputs))
        outs = [self.result_text(o) for o in self.outputs] + list(more_outputs)
        where = f" where {', '.join(self.facts)}" if self.facts else ""
        called, lines = self.body(self.calls, 0, name, table)
        where = where if self.outer_facts or not called else ""
        return "".join(called) + graph_text(name, ins, outs, where, [*lines, *more_lines])

    def target_text(self, name):
        return f"{name}: {self.named[name]}" if name in self.named else name

    def body(self, calls, depth, name, table):
        """Returns the lines for calls that stand in one graph of this depth, and the graphs that these lines call."""
        called, lines = [], []
        for home, part in itertools.groupby(calls, lambda c: c.home[depth : depth + 1]):
            part = list(part)
            if home and self.read_after(part):
                texts, line = self.called_text(part, depth + 1, f"in{depth}_{part[0].results[0]}_{name}", table)
                called += texts
                lines.append(line)
            else:
                lines += [f"{', '.join(map(self.target_text, c.results))} = {self.call_text(c, table)}" for c in part]
        return called, lines

    def homes(self):
        """Yields (home, calls, index of the last one) of each called graph, in the order in which they end."""

        def walk(calls, depth, first):
            for home, part in itertools.groupby(calls, lambda c: c.home[depth : depth + 1]):
                part = list(part)
                if home and self.read_after(part):
                    yield from walk(part, depth + 1, first)
                    yield part[0].home[: depth + 1], part, first + len(part) - 1
                first += len(part)

        return walk(self.calls, 0, 0)

    def read_by(self, part):
        """Returns the values, other than inputs of this graph, that these calls read from before them."""
        known = {*(r for c in part for r in c.results), *(i.name for i in self.inputs)}
        return list(dict.fromkeys(a for c in part for a in c.args if a not in known))

    def read_after(self, part):
        """Returns the results of these calls that the graph returns or other calls read."""
        read = {*self.outputs, *(a for c in self.calls if not any(c is p for p in part) for a in c.args)}
        return [r for c in part for r in c.results if r in read]

    def called_text(self, part, depth, name, table):
        """Returns a graph of these calls, after those that it calls, and the line that calls it.

        It gets all inputs of this graph, since their sizes give the symbols, and the values that the calls read.
        """
        form, read = self.open_form or self, self.read_by(part)
        inputs = [i for i in form.inputs if i.name in {j.name for j in self.inputs}]
        ins = ", ".join([self.type_text(i, with_storage=False) for i in inputs] + [f"{v}: {self.types[v]}" for v in read])
        called, lines = self.body(part, depth, name, table)
        where = f" where {', '.join(form.facts)}" if form.facts and (self.outer_facts or not called) else ""
        results = self.read_after(part)
        kinds = {r: self.stated.get((part[0].home[:depth], r)) for r in results}
        text = graph_text(name, ins, [f"{r}: {kinds[r]}" if kinds[r] else r for r in results], where, lines)
        if self.own_symbols and '"' not in text:
            text = re.sub(r"\b([ABC])\b", r"\1\1", text)
        return [*called, text], f"{', '.join(results)} = {name}({', '.join([i.name for i in inputs] + read)})"

    def dynamic_text(self, name, table):
        """Returns the text with one more reshape, whose target is data, so that the whole graph is dynamic."""
        g = self.copy()
        g.inplace = {}  # the runtime does not permute in place
        return g.text(name, table, ["q_: u8[2]", "t_: i64[1]"], ["zz_ = reshape(q_, t_)"], ["zz_"])

    def any_rank(self):
        """Returns the names of the inputs that any_rank_text() declares with any rank."""
        names = [i.name for i in self.inputs if i.name != "s0"]
        return names if len(names) == 1 else [n for k, n in enumerate(names) if (len(self.calls) + k) % 2]

    def any_rank_text(self, name, table):
        """Returns the text with inputs of any rank, or None if operators need a known rank. s0 declares the symbols."""
        if self.has("subscript", "rearrange") or any(i.holds or i.storage or i.placed for i in self.inputs):
            return None
        g = self.copy()
        g.inplace = {}
        wanted = self.symbols()
        g.inputs = [i for i in g.inputs if i.name != "s0"]
        for each in g.inputs:
            if each.name in self.any_rank():
                each.dims = ["*"]
        first = [Input("s0", "u8", wanted)] if wanted else []
        g.inputs = first + g.inputs
        return g.text(name, table)

    def static(self, env, shapes):
        """Returns the graph with numbers, or None if numbers in the text would have another meaning.

        `shapes` are the known sizes of values. A symbol in a target is a size even if it is 0, but a 0 in the text
        copies a size. So such a target gets allowzero=1, and its zeros that copy are replaced by the sizes they copy.
        Called graphs keep symbols: with numbers, the compiler would find what is wrong with them before it finds what is wrong with the caller.
        """
        env = self.data_env(env)
        g = self.copy()
        g.open_form = self
        whole = {i.name: i.held(env) for i in g.inputs if i.holds}
        g.inputs = [i for i in g.inputs if not i.holds]
        for each in g.inputs:
            each.dims = numbers(each.dims, env)
        data = {name: n for name, n in env.items() if name not in self.symbols()}
        for call in g.calls:
            for name, value in list(call.attrs.items()):
                if name in PLAIN_TEXT:
                    continue
                if call.home:
                    call.attrs[name] = self.in_numbers(value, data)
                elif name == "shape" and "reshape" in call.op:
                    call.attrs[name] = target = self.static_target(call, value, env, whole, shapes)
                    if target is None:
                        return None
                else:
                    call.attrs[name] = self.in_numbers(value, env)
            if "reshape" in call.op and call.attrs.pop("zeros_", None):
                call.attrs["allowzero"] = 1
        for kinds in (g.declared, g.named):
            kinds.update({k: re.sub(r"\[.*\]", lambda m: declared_text(declared_sizes(m[0], env)), v) for k, v in kinds.items()})
        g.facts = [in_numbers(f, {k: f"({v})" for k, v in env.items()}) for f in g.facts]
        return g

    def in_numbers(self, value, env):
        if isinstance(value, (list, tuple)):
            return [self.in_numbers(v, env) for v in value]
        if not isinstance(value, str):
            return value
        return number(value, env) if set(names_in(value)) <= env.keys() else in_numbers(value, env)

    def static_target(self, call, entries, env, whole, shapes):
        if isinstance(entries, str):
            return number(entries, env)
        if not isinstance(entries, list):
            return entries
        target, zero_is_size = [], False
        for entry in entries:
            is_size = any(n not in whole for n in names_in(entry))
            n = number(entry, env)
            if is_size and n < 0:
                return None
            zero_is_size |= is_size and n == 0
            target.append(n)
        if not zero_is_size:
            return target
        if call.op != "reshape" or -1 in target or call.attrs.get("allowzero"):
            return None
        before = shapes.get(call.args[0])
        for i, entry in enumerate(entries):
            if target[i] == 0 and not any(n not in whole for n in names_in(entry)):
                if before is None or i >= len(before):
                    return None
                target[i] = before[i]
        call.attrs["zeros_"] = True
        return target
