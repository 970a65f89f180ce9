#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random chains: explain and the compiled kernels must agree with numpy, element by element and bit by bit.

    random_chains.py --reshapec build/reshapec --work DIR --seed 1 --count 1000

Chain N of seed S depends only on N and S: `--seed S --first N --count 1` generates it again. Its inputs contain random
bits, including NaN payloads and negative zeros. Its kernel runs between guard pages, and every byte of a result's
memory is compared, including those between strided elements. For each result, explain must report the type, the sizes,
the inputs, the nest, and the tier: an alias exactly if the result's elements are already in the memory of one input in
the right order (it may miss an alias if element-wise functions are applied, or if several inputs meet in more pieces
than are folded).

All chains are compiled with -O0, which takes LLVM a fifteenth of the time and shows the compiler's own decisions. Every
n-th chain (`--optimize`) is also compiled with the default options. A failing chain is reduced and printed as .rsh.
"""

import gc
import os
import random
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import chains  # noqa: E402
import coverage_of_chains  # noqa: E402
import elements  # noqa: E402
import harness  # noqa: E402
import layouts  # noqa: E402
import oracle  # noqa: E402
from graph import Input, write_file  # noqa: E402


MOST_FAILURES = 100  # more failures would not help


class Case:
    """A graph, its elements, and the expected memory after the call."""

    def __init__(self, graph, work):
        self.graph, self.work, self.name = graph, work, graph.name
        self.memory = {name: self.stored(name) for name in graph.outputs}

    def stored(self, name):
        storage = self.graph.storage.get(name)
        return (
            storage.store(self.work.values[name]) if storage else self.work.values[name].reshape(-1)
        )

    def text(self):
        number = sum(self.name.encode())
        return self.graph.text(self.work.values, pipes=number % 2 == 0)


def is_elementwise(node):
    return node.op in ("cast", *chains.casts.EXACT) or "act" in node.attrs


# ---- explain -------------------------------------------------------------------------------------


def nest_numbers(nest, offset):
    """Returns the element map of a nest [[extent, stride], ..] in the order of the result."""
    numbers = np.array([offset], dtype=np.int64)
    for extent, stride in nest:
        numbers = (numbers[:, None] + np.arange(extent, dtype=np.int64) * stride).reshape(-1)
    return numbers


def run_of(origin, places, bases):
    """Returns (input, offset) if each `origin` is the element at `places` + offset of one input's memory, else None."""
    first = origin[0] - places[0]
    if (origin < 0).any() or not np.array_equal(origin, places + first):
        return None
    owners = np.searchsorted(bases, [origin[0], origin[-1]], side="right") - 1
    return (int(owners[0]), int(first - bases[owners[0]])) if owners[0] == owners[1] else None


def may_miss_alias(graph, out):
    """Whether explain may miss an alias: elements are changed, or several inputs meet in too many pieces."""
    in_pieces = out["why"].startswith("too many pieces") and len(graph.inputs) > 1
    return in_pieces or any(map(is_elementwise, graph.nodes))


def judge_result(case, out):
    """Yields (field of explain, expected value) for one result."""
    graph, work, memory = case.graph, case.work, case.memory[out["name"]]
    yield "dims", list(work.values[out["name"]].shape)
    yield "dtype", work.dtypes[out["name"]]
    places = np.flatnonzero(memory != layouts.GAP)
    if not places.size:
        yield "tier", "alias"
        return
    origin = work.origin[memory[places]]
    run = run_of(origin, places, work.bases)
    if run is not None and run[1] * elements.BITS[work.dtypes[out["name"]]] % 8:
        run = None  # begins within a byte
    if run is None or out["tier"] == "alias" or not may_miss_alias(graph, out):
        yield "tier", "static" if run is None else "alias"
    if run is not None and out["tier"] == "alias":
        yield "sources", [graph.inputs[run[0]].name]
        yield "offset", run[1]
    elif not any(map(is_elementwise, graph.nodes)):
        used = np.unique(np.searchsorted(work.bases, origin[origin >= 0], side="right") - 1)
        missing = {graph.inputs[i].name for i in used} - set(out["sources"])
        if missing:  # there may be more: a stage reads them for other elements
            yield "sources", sorted(missing)
    if "nest" in out and len(out["sources"]) == 1:
        base = work.bases[[i.name for i in graph.inputs].index(out["sources"][0])]
        if not np.array_equal(nest_numbers(out["nest"], out["offset"] + base), origin):
            yield "nest", "another map"


def judge_explain(case, entry):
    """Returns what is wrong in explain's entry of a graph, as text."""
    names = [o["name"] for o in entry["outputs"]]
    if names != case.graph.outputs:
        return f"outputs: got {names}, expected {case.graph.outputs}"
    return "; ".join(
        f"{out['name']}: {what} is {out[what]}, expected {want}"
        for out in entry["outputs"]
        for what, want in judge_result(case, out)
        if out[what] != want
    )


# ---- kernels -------------------------------------------------------------------------------------


def judge_kernel(case, function, caller, at_end):
    """Returns what the kernel of a graph does wrong, as text."""
    work = case.work
    inputs = [work.stored(work.memory[i.name], i.dtype) for i in case.graph.inputs]
    sizes = [-(-m.size * elements.BITS[work.dtypes[n]] // 8) for n, m in case.memory.items()]
    made = caller.run(function, inputs, sizes, 1, at_end)
    for (name, memory), data in zip(case.memory.items(), made):
        at = work.difference(memory, work.dtypes[name], data)
        if at is not None:
            near = [
                d[max(0, at - 1) * d.size // max(1, memory.size) :][:32].tobytes().hex()
                for d in (data, work.stored(memory, work.dtypes[name]))
            ]
            return f"{name}: element {at} of {memory.size} in memory; found ..{near[0]}.., expected ..{near[1]}.."
    return ""


class Judge:
    """Tests lists of cases, several hundred in one object."""

    def __init__(self, compiler, options, optimize):
        self.compiler, self.options, self.optimize = compiler, options, optimize
        self.stem = 0

    def verdicts(self, cases):
        """Returns a text for each case, "" if it is right. If a run of many breaks, halves it to find the cause."""
        try:
            return self.attempt(cases)
        except (RuntimeError, OSError, KeyError, ValueError) as broken:
            if len(cases) == 1:
                return [f"{type(broken).__name__}: {broken}"]
            half = len(cases) // 2
            return self.verdicts(cases[:half]) + self.verdicts(cases[half:])

    def refusals(self, cases):
        """Returns the errors of the compiler for each case."""
        errors = self.compiler.errors_by_graph(f"chains{self.stem}", [c.text() for c in cases])
        return [
            "; ".join(f"refused: {d['kind']}: {d['message']}" for d in found) for found in errors
        ]

    def attempt(self, cases):
        self.stem += 1
        path = self.compiler.path(f"chains{self.stem}.rsh")
        write_file(path, [c.text() for c in cases])
        try:
            explained = self.compiler.explain(path)
        except harness.Refused:  # test the others
            verdicts = self.refusals(cases)
            good = [i for i, v in enumerate(verdicts) if not v]
            for i, v in zip(good, self.attempt([cases[i] for i in good]) if good else []):
                verdicts[i] = v
            return verdicts
        verdicts = [[judge_explain(c, explained[c.name])] for c in cases]
        for i, verdict in self.run(cases, range(len(cases)), path, ["-O0", *self.options]):
            verdicts[i].append(verdict)
        some = [i for i in range(len(cases)) if i % self.optimize == 0]
        write_file(path, [cases[i].text() for i in some])
        for i, verdict in self.run(cases, some, path, self.options):
            verdicts[i].append(verdict and "optimized: " + verdict)
        os.remove(path)
        return ["; ".join(v for v in verdict if v) for verdict in verdicts]

    def run(self, cases, some, path, options):
        """Yields (index, verdict) for the kernels of some cases, which are in the file at `path`."""
        self.stem += 1
        stem = f"chains{self.stem}"  # a loaded library cannot be replaced
        library = self.compiler.library(path, stem, *options)
        caller = harness.Caller()

        def call(i):
            return judge_kernel(cases[i], getattr(library, cases[i].name), caller, i % 2 == 0)

        yield from harness.isolated(list(some), call)
        for suffix in (".c" if "--emit=c" in options else ".o", ".h", ".so"):
            os.remove(self.compiler.path(stem + suffix))


# ---- making a failing chain smaller --------------------------------------------------------------


def case_of(graph):
    """Returns the case of a changed graph, without layouts that no longer fit."""
    work = elements.Elements(graph.seed)
    for each in graph.inputs:
        work.add_input(each)
    for node in graph.nodes:
        work.step(node)
    graph.inner = min(graph.inner, len(graph.nodes) - 1)
    for name, storage in list(graph.storage.items()):
        if name not in graph.outputs or storage.dims != list(work.values[name].shape):
            del graph.storage[name]
    return Case(graph, work)


def pruned(graph):
    """Returns the graph without calls and inputs that no output needs; None if no call is left."""
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


def cuts_of(case):
    """Yields graphs with one thing less: tail, head, output, operand, call, size, layout, or the called graph."""
    graph, work = case.graph, case.work

    def cut(change):
        less = graph.copy()
        change(less)
        return less

    def start_at(name):
        dims = list(work.values[name].shape)

        def change(less):
            less.inputs.append(Input("z" + name, work.dtypes[name], dims))
            for node in less.nodes:
                node.args = without(node.args, name, "z" + name)

        return change

    def bypass(result, operand):
        def change(less):
            for node in less.nodes:
                node.args = without(node.args, result, operand)
            less.outputs = without(less.outputs, result, operand)

        return change

    for name in [r for n in graph.nodes for r in n.results]:
        yield cut(lambda less: setattr(less, "outputs", [name]))
        yield cut(start_at(name))
    yield cut(lambda less: setattr(less, "inner", 0))
    for name in graph.storage:
        yield cut(lambda less: less.storage.pop(name))
    for at, node in enumerate(graph.nodes):
        if len(node.args) > 1:
            for drop in range(len(node.args)):
                yield cut(lambda less: less.nodes[at].args.pop(drop))
        for result in node.results:
            yield cut(bypass(result, node.args[0]))
    for at, each in enumerate(graph.inputs):
        if each.storage:
            yield cut(lambda less: setattr(less.inputs[at], "storage", None))
            continue
        for axis, size in enumerate(each.dims):
            for few in sorted({n for n in (1, 2, size // 2, size - 1) if 0 < n < size}):
                yield cut(lambda less: less.inputs[at].dims.__setitem__(axis, few))


def smaller(case):
    """Yields valid cases that are simpler than this one."""
    for number, cut in enumerate(cuts_of(case)):
        cut = pruned(cut)
        try:
            tried = cut and case_of(cut)
            if tried and cost(tried) < cost(case):
                cut.name = tried.name = f"smaller_{number}"
                yield tried
        except (oracle.Refused, ValueError, IndexError, TypeError, KeyError, ZeroDivisionError):
            pass  # later calls are invalid after the cut


def cost(case):
    graph, values = case.graph, case.work.values
    sizes = sum(values[i.name].size + sum(i.dims) for i in graph.inputs)
    calls = sum(len(n.args) + len(n.results) for n in graph.nodes)
    stored = (
        len(graph.storage) + sum(i.storage is not None for i in graph.inputs) + (graph.inner > 0)
    )
    return (len(graph.nodes), calls, stored, sum(values[n].size for n in graph.outputs) + sizes)


def reduced(judge, case, verdict):
    """Returns the smallest case found that still fails in the same way, and its failure."""
    is_refused = verdict.startswith("refused")
    for _ in range(40):
        tries = sorted(smaller(case), key=cost)[:60]
        failing = zip(tries, judge.verdicts(tries)) if tries else []
        failing = [(t, v) for t, v in failing if v and v.startswith("refused") == is_refused]
        if not failing:
            break
        case, verdict = failing[0]
    return case, verdict


# ---- the run -------------------------------------------------------------------------------------


def make(seed, number, leave_out):
    graph, work = chains.make(random.Random(f"{seed}.{number}"), f"g_{number}", leave_out)
    return Case(graph, work)


def main():
    parser = harness.parser_of(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first chain")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=1000, help="graphs in one object")
    parser.add_argument(
        "--optimize", type=int, default=40, help="every n-th chain is also compiled with -O2"
    )
    parser.add_argument(
        "--leave-out", default="", help="steps not to use, such as rearrange,blocks"
    )
    parser.add_argument(
        "--option", action="append", default=[], help="an option for reshapec when it compiles"
    )
    parser.add_argument(
        "--show", type=int, default=3, help="how many failures to reduce and print"
    )
    parser.add_argument(
        "--all", action="store_true", help="fail if the chains lack anything in the table"
    )
    options = parser.parse_args()

    compiler = harness.Compiler(options.reshapec, options.cc, options.work)
    judge = Judge(compiler, options.option, options.optimize)
    coverage = coverage_of_chains.Coverage(compiler)
    gc.disable()  # saves a tenth of the time; cycles are collected after each batch
    failed = []
    for start in range(options.first, options.first + options.count, options.batch):
        numbers = range(start, min(start + options.batch, options.first + options.count))
        batch = [make(options.seed, n, options.leave_out.split(",")) for n in numbers]
        coverage.add(batch)
        for number, case, verdict in zip(numbers, batch, judge.verdicts(batch)):
            if verdict:
                print(f"chain {number} of seed {options.seed}: {verdict}", flush=True)
                failed.append((number, case, verdict))
        gc.collect()
        if len(failed) > MOST_FAILURES:
            break
    print(coverage.table())
    for number, case, verdict in failed[: options.show]:
        print(
            f"\nchain {number}, to be made again by: {sys.argv[0]} --reshapec {options.reshapec} "
            f"--work {options.work} --seed {options.seed} --first {number} --count 1"
        )
        case, verdict = reduced(judge, case, verdict)
        print(f"made smaller: {verdict}\n{case.text()}")
    done = numbers.stop - options.first
    print(
        f"seed {options.seed}: {done - len(failed)} of {done} chains right, one in {options.optimize} "
        "also with optimization"
    )
    missing = coverage.missing() if options.all else []
    if missing:
        print(f"never made: {', '.join(missing)}")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
