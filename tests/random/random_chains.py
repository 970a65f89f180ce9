#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random chains: explain and the compiled kernels must agree with the element map that numpy finds.

A result is an alias exactly when its map is one contiguous run of one input (or empty); the offset,
the sizes, the nest if one is given, and every element that the kernel moves must be right, and no
byte outside the result written. A chain that fails is made smaller and printed as .rsh.
"""

import argparse
import collections
import math
import os
import random
import sys

import numpy as np

sys.dont_write_bytecode = True  # the sources stay as they are
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import chains  # noqa: E402
import harness  # noqa: E402
import oracle  # noqa: E402
from graph import Input, write_file  # noqa: E402


def nest_numbers(nest, offset):
    """The element map of a nest [[extent, stride], ..] in order of destination."""
    numbers = np.array([offset], dtype=np.int64)
    for extent, stride in nest:
        numbers = (numbers[:, None] + np.arange(extent, dtype=np.int64) * stride).reshape(-1)
    return numbers


def judge_explain(graph, values, bases, entry):
    """What explain has wrong about a graph, as text."""
    wrong = []
    if [o["name"] for o in entry["outputs"]] != graph.outputs:
        return f"outputs: got {[o['name'] for o in entry['outputs']]}, expected {graph.outputs}"
    for out in entry["outputs"]:
        numbers = values[out["name"]]
        view = oracle.view_of(numbers, bases)
        expected = {
            "dims": list(numbers.shape),
            "tier": "static" if view is None else "alias",
            "dtype": graph.inputs[0].dtype,
        }
        if view is not None and numbers.size:
            expected["sources"] = [graph.inputs[view[0]].name]
            expected["offset"] = view[1]
        for what, want in expected.items():
            if out[what] != want:
                wrong.append(f"{out['name']}: {what} is {out[what]}, expected {want}")
        if "nest" in out and numbers.size and len(out["sources"]) == 1:
            base = bases[[i.name for i in graph.inputs].index(out["sources"][0])]
            if not np.array_equal(
                nest_numbers(out["nest"], out["offset"] + base), numbers.reshape(-1)
            ):
                wrong.append(f"{out['name']}: nest {out['nest']} at {out['offset']} is another map")
    return "; ".join(wrong)


class Judge:
    """Judges lists of graphs, several hundred in one object."""

    def __init__(self, compiler, options):
        self.compiler, self.options = compiler, options
        self.stem = 0

    def verdicts(self, graphs):
        """One text a graph, "" when it is right; a break is narrowed to what causes it."""
        try:
            return self.attempt(graphs)
        except (RuntimeError, OSError, KeyError, ValueError) as broken:
            if len(graphs) == 1:
                return [f"{type(broken).__name__}: {broken}"]
            half = len(graphs) // 2
            return self.verdicts(graphs[:half]) + self.verdicts(graphs[half:])

    def attempt(self, graphs):
        self.stem += 1
        stem = f"chains{self.stem}"  # a library that was loaded keeps its name
        path = self.compiler.path(stem + ".rsh")
        worked = [g.evaluate() for g in graphs]
        texts = [self.text(g, values) for g, (values, _) in zip(graphs, worked)]
        errors = self.compiler.errors_by_graph(stem, texts)
        verdicts = [
            "; ".join(f"refused: {d['kind']}: {d['message']}" for d in found) for found in errors
        ]
        good = [i for i, v in enumerate(verdicts) if not v]
        if not good:
            return verdicts
        write_file(path, [texts[i] for i in good])
        explained = self.compiler.explain(path)
        for i in good:
            verdicts[i] = judge_explain(graphs[i], *worked[i], explained[graphs[i].name])
        library = self.compiler.library(path, stem, *self.options)
        caller = harness.Caller()

        def call(i):
            graph, (values, _) = graphs[i], worked[i]
            wanted = [values[n].reshape(-1) for n in graph.outputs]
            arrays = [values[x.name] for x in graph.inputs]
            sizes = [w.size for w in wanted]
            function = getattr(library, graph.name)
            dtype = graph.inputs[0].dtype
            fills = {n.attrs.get("value") or 0 for n in graph.nodes if n.op == "pad"}
            fill = harness.fill_bytes(max(fills), dtype) if fills else None
            made = harness.kernel_maps(
                caller, function, arrays, sizes, dtype, at_end=i % 2 == 0, fill=fill
            )
            for name, got, want in zip(graph.outputs, made, wanted):
                if got is None:
                    return f"{name}: torn elements"
                if not np.array_equal(got, want):
                    at = int(np.flatnonzero(got != want)[0])
                    return f"{name}: element {at} of {want.size} is {got[at]}, expected {want[at]}"
            return ""

        for i, verdict in harness.isolated(good, call):
            verdicts[i] = "; ".join(v for v in (verdicts[i], verdict) if v)
        for suffix in (".rsh", ".o", ".h", ".so"):
            if os.path.exists(self.compiler.path(stem + suffix)):
                os.remove(self.compiler.path(stem + suffix))
        return verdicts

    @staticmethod
    def text(graph, values):
        pipes = int(graph.name.rsplit("_", 1)[1]) % 2 == 0
        return graph.text(values, pipes=pipes)


# ---- making a failing chain smaller --------------------------------------------------------------


def pruned(graph):
    """The graph without calls and inputs that no output needs; None if no call is left."""
    needed, kept = set(graph.outputs), []
    for node in reversed(graph.nodes):
        if needed & set(node.results):
            needed |= set(node.args)
            kept.append(node)
    graph.nodes = kept[::-1]
    graph.inputs = [i for i in graph.inputs if i.name in needed]
    made = {r for n in graph.nodes for r in n.results}
    return graph if set(graph.outputs) <= made else None


def without(names, name, instead):
    return [instead if n == name else n for n in names]


def smaller(graph):
    """Valid graphs that are simpler by a cut: of tail, head, output, operand, call or size."""
    values, _ = graph.evaluate()
    made = [r for n in graph.nodes for r in n.results]
    cuts = []
    for name in made:
        cut = graph.copy()
        cut.outputs = [name]
        cuts.append(cut)
        cut = graph.copy()
        cut.inputs.append(Input("z" + name, graph.inputs[0].dtype, list(values[name].shape)))
        for node in cut.nodes:
            node.args = without(node.args, name, "z" + name)
        cuts.append(cut)
    for at, node in enumerate(graph.nodes):
        if len(node.args) > 1:
            for drop in range(len(node.args)):
                cut = graph.copy()
                del cut.nodes[at].args[drop]
                cuts.append(cut)
        for result in node.results:
            cut = graph.copy()
            for other in cut.nodes:
                other.args = without(other.args, result, node.args[0])
            cut.outputs = without(cut.outputs, result, node.args[0])
            cuts.append(cut)
    for at, each in enumerate(graph.inputs):
        for axis, size in enumerate(each.dims):
            for less in sorted({n for n in (1, 2, size // 2, size - 1) if 0 < n < size}):
                cut = graph.copy()
                cut.inputs[at].dims[axis] = less
                cuts.append(cut)
    for number, cut in enumerate(cuts):
        cut = pruned(cut)
        try:
            if cut and cost(cut) < cost(graph):
                cut.name = f"smaller_{2 * number}"
                yield cut
        except (oracle.Refused, ValueError, IndexError, TypeError, ZeroDivisionError):
            pass  # the cut does not fit what follows it


def cost(graph):
    values, _ = graph.evaluate()
    sizes = sum(values[i.name].size + sum(i.dims) for i in graph.inputs)
    calls = sum(len(n.args) + len(n.results) for n in graph.nodes)
    return (len(graph.nodes), calls, sum(values[n].size for n in graph.outputs) + sizes)


def reduced(judge, graph, verdict):
    """The smallest graph found that still fails, and how it fails."""
    for _ in range(30):
        tries = sorted(smaller(graph), key=cost)[:60]
        failing = [(t, v) for t, v in zip(tries, judge.verdicts(tries)) if v] if tries else []
        if not failing:
            break
        graph, verdict = failing[0]
    return graph, verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--reshapec")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--work", default=".")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=400, help="graphs in one object")
    parser.add_argument(
        "--leave-out", default="", help="steps not to use, such as rearrange,blocks"
    )
    parser.add_argument(
        "--option", action="append", default=[], help="handed to reshapec when it compiles"
    )
    parser.add_argument(
        "--show", type=int, default=3, help="how many failures to make smaller and print"
    )
    parser.add_argument(
        "--oracle", action="store_true", help="only make the chains and say what they are"
    )
    options = parser.parse_args()

    rng = random.Random(options.seed)
    leave_out = options.leave_out.split(",")
    graphs = [chains.make(rng, f"g_{i}", leave_out) for i in range(options.count)]
    if options.oracle:
        seen = collections.Counter()
        for graph in graphs:
            values, bases = graph.evaluate()
            seen.update(n.op for n in graph.nodes)
            seen[f"with {len(graph.nodes):2} calls"] += 1
            for name in graph.outputs:
                view, size = oracle.view_of(values[name], bases), values[name].size
                seen["empty" if not size else "moved" if view is None else "alias"] += 1
                seen["alias behind an offset"] += bool(size and view and view[1])
        for what, n in sorted(seen.items()):
            print(f"{n:6} {what}")
        return 0
    judge = Judge(harness.Compiler(options.reshapec, options.cc, options.work), options.option)
    failed = []
    for start in range(0, len(graphs), options.batch):
        batch = graphs[start : start + options.batch]
        failed += [(g, v) for g, v in zip(batch, judge.verdicts(batch)) if v]
    for graph, verdict in failed[: options.show]:
        print(f"chain {graph.name[2:]} of seed {options.seed}: {verdict}")
        graph, verdict = reduced(judge, graph, verdict)
        print(f"made smaller: {verdict}\n{judge.text(graph, None)}")
    aliases = sum(
        oracle.view_of(v[n], b) is not None
        for g in graphs
        for v, b in [g.evaluate()]
        for n in g.outputs
    )
    outputs = sum(len(g.outputs) for g in graphs)
    largest = max(math.prod(i.dims) for g in graphs for i in g.inputs)
    print(
        f"{len(graphs) - len(failed)} of {len(graphs)} chains right "
        f"(seed {options.seed}: {outputs} results, {aliases} aliases, inputs to {largest} elements)"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
