#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes calls that break one or several conditions: every tier must return the status of the first.

    breaking.py --reshapec build/reshapec --work /tmp/breaking --seed 1 --calls 400

The graphs are those of net.py with more conditions: after `where`, and as declared sizes of results. Each is called
with sizes near its witness, and with sizes that no memory can hold. The compiler's error for the graph with numbers is
the expected status. The object and its tasks, C, the dynamic form, tensors of any rank, the library and `reshapec run`
must return it, both from the call and from NAME_shape. A call that breaks no condition is not counted.
"""

import ast
import math
import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from net import HUGE, NOT_TOLD, OF_MEMORY, Net, make_graph, parser_of  # noqa: E402
import harness  # noqa: E402
import numpy as np  # noqa: E402
from elements import BITS  # noqa: E402
from graphs import Steps, numbers  # noqa: E402
from meaning import Meaning  # noqa: E402

BINDINGS = 24  # per graph


def with_conditions(graph, dice):
    """Adds conditions on the symbols of a graph; most of them hold for its witness."""
    symbols = graph.symbols()
    for each in graph.inputs:
        if isinstance(each.storage, Steps):
            each.storage = None  # strides are checked together with memory, last
    graph.outer_facts = True  # else they are checked at the call, after the numbers of elements of inputs
    for _ in range(dice.choice([0, 1, 1, 2])):
        s, t = dice.choice(symbols), dice.choice(symbols)
        n, m = graph.witness[s], graph.witness[t]
        graph.facts.insert(dice.randint(0, len(graph.facts)), dice.choice(
            [f"{s} == {n}", f"{s} >= {n}", f"{s} <= {n}", f"{s}*{t} == {n * m}", f"{s} <= {t} + {max(n - m, 0)}",
             f"{s} % {max(n, 1)} == 0", f"{s} in [{n}, {n + 1}]", f"{s} != {n + 1}", f"2*{s} + {t} >= {2 * n + m + 1}"]))
    shapes = Meaning(graph, graph.witness, 0)
    for name in graph.outputs:
        if name not in graph.declared and name in shapes.values and dice.random() < 0.4:
            dims = shapes.values[name].shape
            graph.declared[name] = shapes.dtypes[name] + (f"[{', '.join(map(str, dims))}]" if dims else "")
    return graph


class Sizes:
    """A call of a graph: only its sizes, no elements."""

    is_of_result = False

    def __init__(self, graph, symbols):
        self.graph, self.symbols = graph, symbols
        self.env = graph.data_env(symbols)
        self.held = {i.name: i.held(symbols) for i in graph.inputs if i.holds}
        self.dtypes = {i.name: i.dtype for i in graph.inputs}
        self.status = "?"

    def shapes(self):
        return {}

    def sizes(self):
        return {i.name: numbers(i.dims, self.symbols) for i in self.graph.inputs}

    def has_wide_part(self):
        """Whether a part of a size or condition is above 2^63, which its value does not show."""
        texts = [*self.graph.facts, *(d for i in self.graph.inputs for d in i.dims if isinstance(d, str))]
        return any(abs(n) >= 2**63 for text in texts for n in parts_of(text, self.symbols))

    def is_possible(self):
        """Whether all sizes of inputs are valid: none is negative."""
        return all(n >= 0 for dims in self.sizes().values() for n in dims)

    def targets(self):
        """Returns the memory of inputs that contain targets."""
        return {n: packed(v, BITS[self.dtypes[n]]) for n, v in self.held.items()}


def parts_of(text, env):
    """Yields the values of an expression and of its subexpressions."""
    tree = ast.parse(re.sub(r"(?<!/)/(?!/)", "//", text).strip(), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            try:
                yield eval(compile(ast.Expression(node), text, "eval"), {}, env)
            except ZeroDivisionError:
                pass


def packed(integers, bits):
    """Returns the bytes of packed integers of `bits` bits, the first in the lowest bits."""
    word = sum((n & (1 << bits) - 1) << i * bits for i, n in enumerate(integers))
    return np.array(list(word.to_bytes(-(-len(integers) * bits // 8), "little")), "u1")


class Case:
    def __init__(self, n, graph, seed, bindings):
        self.n, self.graph, self.seed = n, graph, seed
        self.findings, self.refused, self.tiers = [], None, set()
        self.wants = [Sizes(graph, b) for b in bindings]


def bindings_of(graph, dice, count):
    """Returns bindings near the witness; every fourth one has sizes that no memory can hold."""
    symbols, found = graph.symbols(), []
    for k in range(count):
        some = {s: graph.witness[s] for s in symbols}  # in the order of the parameters
        for s in symbols:
            if dice.random() < 0.6:
                some[s] = dice.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 12, max(some[s] - 1, 0), some[s] + 1, 2 * some[s]])
            if k % 4 == 3 and dice.random() < 0.5:
                some[s] = dice.choice(HUGE)
        held = [n for i in graph.inputs if i.holds for n in i.held(some)]
        if some not in found and all(abs(n) < 2**31 for n in held):
            found.append(some)
    return found


class Breaker(Net):
    """A Net whose calls pass sizes but no tensors, and compare only statuses."""

    def __init__(self, options):
        super().__init__(options)
        self.only = "c"  # no macros: they check no conditions
        listed = subprocess.run([options.reshapec, "--list-statuses"], capture_output=True, text=True, check=True).stdout
        self.texts_of_statuses = dict(line.split(maxsplit=1) for line in listed.splitlines())

    def judge(self, case, want, kind, text, name):
        is_told = kind not in (*NOT_TOLD, "bad_arg") and not want.has_wide_part()  # bad_arg: `% 0`
        want.status = want.kind = kind if is_told else "?"

    def case(self, n, graph, seed, symbols, is_huge):
        return Case(n, graph, seed, [symbols])

    def call_all(self, case):
        findings = []
        for want in case.wants:
            said = dict(self.said(case, want))
            if want.status == "?":  # no text with numbers means the same
                want.status = next((s for s in said.values() if s not in ("ok", *OF_MEMORY, "null_pointer")), "ok")
            if want.status == "unsupported":
                continue
            right, is_huge = {want.status}, any(n > 2**30 for n in want.symbols.values())
            if want.status == "ok":
                right |= {"null_pointer"} | ({"overflow", "unknown_size"} if is_huge else set())  # of memory
                right |= {"bad_index"} if any(i.picks for i in case.graph.inputs) else set()
            for tier, status in said.items():
                if status not in right and not (status == "overflow" and is_huge and case.graph.has_difference()):
                    findings.append((tier, want.symbols, f"status {status}, not {want.status}"))
            want.is_broken = want.status != "ok"
            if want.is_broken:
                self.counts["broken"] += 1
        return findings[:6]

    def said(self, case, want):
        """Yields (tier, status) for all tiers that can make this call."""
        held = want.targets()
        for form, letter in (("symbolic", "g"), ("dynamic", "d")):
            name = f"{letter}{case.n}"
            for tier, lib in self.libraries.items() if form in case.tiers else []:
                if tier == "static" or name not in lib.parameters:
                    continue
                tier = tier if form == "symbolic" else f"dynamic {tier}".replace(" symbolic", "")
                if tier.endswith("tasks"):
                    if name + "_task" in lib.parameters:
                        yield tier, self.ask(tier, want, lib, name, held, 0)
                    continue
                yield tier, self.ask(tier, want, lib, name, held)
                if name + "_shape" in lib.parameters:
                    yield tier + " shape", self.ask(tier, want, lib, name + "_shape", held)
        is_small = max(want.symbols.values()) < 2**20
        if "any rank" in case.tiers and is_small and want.is_possible():
            self.label.write("tensors", want.symbols)
            sizes = {**want.sizes(), "s0": list(want.symbols.values())}
            yield "tensors", self.caller.no_tensors(self.libraries["symbolic"], f"a{case.n}", sizes, {**want.dtypes, "s0": "u8"})
        if "symbolic" in case.tiers and is_small and self.is_run(case, want):
            status = self.run_files(case, want)
            if status is not None:
                yield "run", status
        if want.status not in ("guard_failed", "overflow", "?"):
            status = self.library_alone.status(self.table, want)
            is_stated = case.graph.declared or case.graph.stated or case.graph.named
            if status is not None and not (want.status == "shape_mismatch" and is_stated):
                yield "library", status

    def is_run(self, case, want):
        """Whether `reshapec run` makes this call: one in fifty."""
        return want.status != "?" and (case.seed + sum(want.symbols.values())) % 50 == 0

    def run_files(self, case, want):
        """Returns the status that `reshapec run` reports; None if it cannot make this call."""
        graph = case.graph
        if not want.is_possible() or any(i.dtype not in harness.NUMPY_TYPES for i in graph.inputs):
            return None
        if any(i.holds or i.storage or i.placed for i in graph.inputs) or graph.layouts:
            return None
        files = []
        for name, dims in want.sizes().items():
            if math.prod(dims) > 100000:
                return None
            files.append(f"{name}={self.path(name + '.npy')}")
            np.save(self.path(name + ".npy"), np.zeros(dims, harness.NUMPY_TYPES[want.dtypes[name]]))
        done = subprocess.run([self.options.reshapec, "run", self.path("symbolic.rsh"), f"g{case.n}", *files,
                               *[f"{o}={self.path(o + '.npy')}" for o in graph.outputs]],
                              capture_output=True, text=True, check=False, timeout=60)
        if done.returncode == 0:
            return "ok"
        said = [s for s, text in self.texts_of_statuses.items() if text in done.stderr and s != "ok"]
        if not said and "takes only sizes with" in done.stderr:
            return "guard_failed"
        return said[0] if said else None

    def ask(self, tier, want, lib, name, held, task=None):
        self.label.write(tier, want.symbols)
        return self.caller.nothing(lib, name, want.symbols, held, task)

    def run_again(self, cases, tier):
        self.run(cases)

    def cases(self, numbers_of_graphs):
        for n in numbers_of_graphs:
            graph, seed = make_graph(self.table, self.options.seed, n)
            if not graph.symbols():
                continue
            dice = random.Random(f"breaking {seed}")
            graph = with_conditions(graph, dice)
            yield Case(n, graph, seed, bindings_of(graph, dice, BINDINGS))


def main():
    parser = parser_of(__doc__, compilers="gcc", batch=40, statics=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--calls", type=int, default=400, help="calls that break a condition")
    options = parser.parse_args()
    net = Breaker(options)
    first = options.first
    while net.counts["broken"] < options.calls:
        cases = list(net.cases(range(first, first + options.batch)))
        first += options.batch
        net.run(cases)
        for case in cases:
            net.counts["graphs"] += 1
            net.counts["calls"] += len(case.wants)
            net.counts["broken"] += sum(w.status not in ("ok", "?") for w in case.wants)
            if case.findings:
                net.tell(case)
    c = net.counts
    print(f"{c['graphs']} graphs, {c['calls']} calls, {c['broken']} broken, {c['wrong']} wrong")
    print("seconds:", ", ".join(f"{k} {v:.1f}" for k, v in net.seconds.most_common()))
    print(*[f"{n} wrong: {' '.join(k)}" for k, n in net.kinds.most_common()], sep="\n")
    return 1 if c["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
