#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks random chains with one wrong argument: exactly one error, of the kind that the numpy oracle expects.

One argument of one call in a valid random chain is changed. Chains that stay valid are dropped. The compiler must
report one error for each of the others, at the wrong call, and no follow-up error.
"""

import argparse
import collections
import os
import random
import sys

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import chains  # noqa: E402
import harness  # noqa: E402
import oracle  # noqa: E402
from graph import Graph  # noqa: E402


def spoil_list(rng, values):
    """Returns a list of axes or sizes with one entry changed, repeated, added or removed."""
    values = list(values)
    at = rng.randrange(len(values)) if values else 0
    how = rng.choice(["far", "near", "twice", "less", "negative"])
    if not values or how == "twice":
        values.append(rng.choice(values or [0, 1, -1]))
    elif how == "far":
        values[at] = rng.choice([9, -9, 2**32, 2**62, oracle.INT64_MIN])
    elif how == "near":
        values[at] += rng.choice([1, -1])
    elif how == "less":
        del values[at]
    else:
        values[at] = -1 - values[at]
    return values


def spoil(rng, node):
    """Changes one argument of a call. Returns False if it has none."""
    attrs = node.attrs
    left_alone = ("parts", "allowzero", "mode", "value", "pads", "shifts")
    names = [n for n, v in attrs.items() if v is not None and n not in left_alone]
    names = [n for n in names if not (isinstance(attrs[n], list) and list in map(type, attrs[n]))]
    if node.op == "rearrange":
        names = [n for n in names if n != "pattern"]
    if not names:
        return False
    name = rng.choice(names)
    value = attrs[name]
    if name in ("starts", "ends"):
        return False  # every number is a valid bound
    if name == "sizes":  # one per result
        attrs[name] = [s + rng.choice([0, 1, -1, -s - 1]) for s in value]
    elif name == "steps":
        attrs[name] = [0 if i == 0 else s for i, s in enumerate(value)]
    elif isinstance(value, list):
        attrs[name] = spoil_list(rng, value)
    else:
        attrs[name] = rng.choice([value + 1, value - 1, value + 7, -value - 1, 2**32 + value])
    return True


ALIKE = [{"duplicate_axis", "bad_axis"}, {"overflow", "bad_block"}, {"bad_rank", "bad_axis"}]


def refused_kind(graph, values):
    """Returns the kind of error of the first wrong call, or None. `values` receives the values before it."""
    arrays, _ = oracle.element_numbers([i.dims for i in graph.inputs])
    values.update({i.name: a for i, a in zip(graph.inputs, arrays)})
    for node in graph.nodes:
        try:
            Graph.step(node, values)
        except oracle.Refused as refused:
            return refused.kind
        except (ValueError, MemoryError):  # sizes that fit int64, but not numpy
            return None
    return None


def make(rng, name):
    """Returns a graph with one wrong call, the values of its valid form, and the kind of the error."""
    while True:
        graph, _ = chains.make(rng, name, plain=True)
        values, _ = graph.evaluate()
        node = rng.choice(graph.nodes)
        if node.op == "rearrange":  # its arguments are names of axes
            continue
        for each in graph.nodes:  # only calls: most of these errors are impossible in a subscript
            each.style -= each.style % 2
        if not spoil(rng, node):
            continue
        # The sizes may be huge: only keep the graph if its shapes are refused.
        sizes = node.attrs.get("dims", [])
        sizes = sizes or node.attrs.get("repeats", [])
        if node.op in ("expand", "tile") and any(s > 64 for s in sizes):
            continue
        kind = refused_kind(graph, {})
        if kind:
            return graph, values, kind


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--reshapec")
    parser.add_argument("--work", default=".")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--show", type=int, default=8, help="how many wrong verdicts to print")
    parser.add_argument("--oracle", action="store_true", help="only count the kinds")
    options = parser.parse_args()

    rng = random.Random(options.seed)
    made = [make(rng, f"g_{i}") for i in range(options.count)]
    if options.oracle:
        print(collections.Counter((kind) for _, _, kind in made))
        return 0
    compiler = harness.Compiler(options.reshapec, None, options.work)
    texts = [graph.text(values) for graph, values, _ in made]
    errors = compiler.errors_by_graph("refusals", texts)
    wrong = 0
    for text, (_, _, kind), found in zip(texts, made, errors):
        kinds = [d["kind"] for d in found]
        # One error may occur in several statements (a split whose parts are all squeezed wrongly). If a call has two
        # errors, the compiler may report either.
        if not kinds or any({k, kind} not in ALIKE and k != kind for k in kinds):
            wrong += 1
            if wrong <= options.show:
                print(f"got {kinds or 'no error'}, expected one {kind}\n{text}")
    print(f"{len(made) - wrong} of {len(made)} wrong calls refused as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
