# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what random chains contain, so that a test fails if the generator loses a step.

This includes every operator of `--list-ops` except softmax, which adds, and those that call libm: their last bit
depends on libm, and tests/cast compares them with a bound.
"""

import collections
import os
import re

import arithmetic
from elements import DTYPES, NUMBERS
from operators import names
from oracle import INDICES_ARE_DATA

ACTIVATIONS = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "activations.def"
)

OTHERS = {
    "mode": [
        "pad constant",
        "pad edge",
        "pad reflect",
        "pad symmetric",
        "pad wrap",
        "pad below 0",
        "DCR",
        "CRD",
        "saturate",
        "no saturate",
        "round up",
        "round down",
        "round nearest",
        "allowzero",
        "special_zero",
        "act",
        "subscript with a negative step",
        "nested indices",
        "sum split",
        "sum joined",
        "repeat",
        "dots",
    ],
    "input": [
        "row-major",
        "layout",
        "blocked layout",
        "strides",
        "padded rows",
        "negative strides",
        "zero strides",
    ],
    "result": [
        "row-major",
        "layout",
        "blocked layout",
        "strides",
        "padded rows",
        "negative strides",
    ],
    "graph": [
        "several inputs",
        "several results",
        "calls a graph",
        "scalar",
        "empty",
        "rank over 6",
    ],
}


def of_call(node):
    """Yields the modes of one call."""
    op, attrs = node.op, node.attrs
    if op == "pad":
        yield f"pad {attrs.get('mode', 'constant')}"
        if min(min(both) for both in attrs["pads"].values()) < 0:
            yield "pad below 0"
    if op == "depth_to_space":
        yield attrs["mode"]
    if op == "cast":
        if "saturate" in attrs:
            yield "saturate" if attrs["saturate"] else "no saturate"
        if "round_mode" in attrs:
            yield f"round {attrs['round_mode']}"
    for flag in ("allowzero", "special_zero", "act"):
        if attrs.get(flag):
            yield flag
    if op == "slice" and node.style % 2 and min(attrs.get("steps") or [1]) < 0:
        yield "subscript with a negative step"
    if (
        op == "gather"
        and isinstance(attrs["indices"], list)
        and isinstance(attrs["indices"][0], list)
    ):
        yield "nested indices"
    if op == "rearrange":
        left, right = attrs["pattern"].split("->")
        for word, is_there in [
            ("sum split", "+" in left),
            ("sum joined", "+" in right),
            ("dots", "..." in left),
            ("repeat", re.search(r"\br\b", right)),
        ]:
            if is_there:
                yield word


def of_graph(case):
    """Yields (kind, name) for everything that one graph contains."""
    graph, values = case.graph, case.work.values
    for node in graph.nodes:
        yield "operator", node.op
        for mode in of_call(node):
            yield "mode", mode
        if node.op == "cast":
            both = case.work.dtypes[node.args[0]], node.attrs["to"]
            yield from [("cast", f"from {both[0]}"), ("cast", f"to {both[1]}"), ("pair", both)]
    for each in graph.inputs:
        yield "type", each.dtype
        for kind in each.storage.kinds() if each.storage else ["row-major"]:
            yield "input", kind
    for name in graph.outputs:
        for kind in graph.storage[name].kinds() if name in graph.storage else ["row-major"]:
            yield "result", kind
    facts = [len(graph.inputs) > 1, len(graph.outputs) > 1, graph.inner > 0]
    facts += [any(v.ndim == 0 for v in values.values()), any(v.size == 0 for v in values.values())]
    facts += [any(v.ndim > 6 for v in values.values())]
    for name, is_so in zip(OTHERS["graph"], facts):
        if is_so:
            yield "graph", name


class Coverage:
    def __init__(self, compiler):
        with open(ACTIVATIONS, encoding="utf-8") as file:
            inexact = re.findall(r'^RSH_ACTIVATION\(\w+, *"(\w+)", *"\w', file.read(), re.MULTILINE)
        listed = names(compiler.reshapec)
        elsewhere = {*inexact, "softmax", "quantize", "dequantize", "requantize", "lookup", *arithmetic.FUNCTIONS}  # tests/cast, the net
        elsewhere.update(INDICES_ARE_DATA)
        self.wanted = {"operator": [n for n in listed if n not in elsewhere]}
        self.wanted["type"] = DTYPES
        self.wanted["cast"] = [f"{way} {t}" for way in ("from", "to") for t in NUMBERS]
        self.wanted.update(OTHERS)
        self.seen = collections.Counter()

    def add(self, cases):
        for case in cases:
            self.seen.update(set(of_graph(case)))

    def missing(self):
        return [
            f"{kind} {name}"
            for kind, names in self.wanted.items()
            for name in names
            if not self.seen[kind, name]
        ]

    def table(self):
        """Returns in how many chains each of these occurs."""
        lines = [
            f"{kind:10} " + ", ".join(f"{n} {self.seen[kind, n]}" for n in names)
            for kind, names in self.wanted.items()
        ]
        pairs = sum(1 for kind, _ in self.seen if kind == "pair")
        return "\n".join(
            lines + [f"pairs      of types that are cast: {pairs} of {len(NUMBERS) ** 2}"]
        )
