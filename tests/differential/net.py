#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random graphs with open sizes in every tier, and compares them with numpy.

    net.py --reshapec build/reshapec --work /tmp/net --seed 1 --first 0 --count 200

Graph N of seed S depends only on N and S: `--seed S --first N --count 1` generates it again, `--print` shows it.
Each graph runs as

    static      with numbers in its text, for each of a few sizes
    symbolic    one object for all sizes; also as tasks, in a random order
    c           as C, compiled by gcc and by clang; gcc's also as tasks
    dynamic     through the runtime's tape, by adding a reshape whose target is data
    library     with the runtime only, operator by operator
    text        with an error in its text (spoilt.py), which the compiler must report

or, with `--folded`, as

    folded      only its moves, for all sizes (folded.py)
    dynamic     through the runtime's tape, without an object

and each must return numpy's sizes and bytes. If the compiler refuses the same graph with numbers, each must return that
status. A failure is reduced and printed. A graph that the compiler refuses although its sizes are valid is counted as
refused, not as a failure.
"""

import argparse
import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "random")]

import tiers  # noqa: E402
from folded import Folded  # noqa: E402
from generator import make_graph  # noqa: E402
from graphs import holds, read_table  # noqa: E402
from harness import Compiler  # noqa: E402
from library import Runtime  # noqa: E402
from meaning import Meaning, TooLarge, has_meaning  # noqa: E402
from shrink import kind_of, shrink  # noqa: E402
from spoilt import spoil  # noqa: E402

SIZES = [0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9]
LARGER = [*SIZES, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 67, 130]  # for --swarm wide and long: also larger than a block of elements
LEVELS = [["-O0"], ["-O2"], ["-Os"], ["-O2", "-mcpu=native"], ["-O0", "-mcpu=native"], ["-O1", "-mcpu=x86-64-v3"]]  # by batch of --swarm
HUGE = [2**31, 2**31 - 1, 2**62, 2**63 - 1, 2**32]
MOST_TOLD = 6  # graphs that fail in the same way
OF_MEMORY = ("ok", "overflow", "unknown_size")  # equivalent to null_pointer: memory is checked after all conditions
NOT_TOLD = ("limit", "unsupported", "not_placed", "not_in_place")  # limits of the compiler, which the tiers do not have


class Case:
    """A graph and the sizes it is called with."""

    def __init__(self, n, graph, seed, bindings=None, sizes=SIZES):
        has_large_number = any(re.search(r"\d{10}", f) for f in graph.facts)  # which fits only with sizes below 10
        self.n, self.graph, self.seed, self.sizes = n, graph, seed, SIZES if has_large_number else sizes
        self.findings, self.refused, self.tiers = [], None, set()
        self.wants, self.huge = [], []
        dice = random.Random(f"sizes {seed}")
        for symbols in self.choose(dice) if bindings is None else bindings:
            try:
                self.wants.append(Meaning(graph, symbols, seed))
            except (TooLarge, ZeroDivisionError):
                pass
        symbols = graph.symbols()
        if symbols and bindings is None:
            self.huge = [{s: dice.choice(HUGE if dice.random() < 0.6 else self.sizes) for s in symbols} for _ in range(2)]
            if len(symbols) > 1:  # and one without elements
                self.huge.append({s: dice.choice(HUGE) for s in symbols} | {dice.choice(symbols): 0})

    def choose(self, dice):
        symbols = self.graph.symbols()
        found = [{s: self.graph.witness[s] for s in symbols}]
        wanted = 7 if symbols else 1
        for k in range(80):
            if len(found) >= wanted:
                break
            some = {s: dice.choice(self.sizes) for s in symbols}
            is_met = all(holds(f, some) for f in self.graph.facts)
            if some not in found and (is_met or k % 10 == 9):
                found.append(some)
        return found


class Net:
    def __init__(self, options):
        self.options = options
        self.table = read_table(options.reshapec)
        self.compiler = Compiler(options.reshapec, options.cc, options.work, timeout=300)
        self.runtime = os.path.join(os.path.dirname(os.path.abspath(options.reshapec)), "librsh_runtime.a")
        listed = subprocess.run([options.reshapec, "--list-statuses"], capture_output=True, text=True, check=True).stdout
        self.statuses = [line.split()[0] for line in listed.splitlines()]
        self.library_alone = Runtime(options.cc, self.runtime, options.work, self.statuses)
        self.label, self.caller = tiers.Label(), tiers.Caller()
        self.counts, self.kinds, self.told = collections.Counter(), collections.Counter(), collections.Counter()
        self.seconds = collections.Counter()
        self.only = None  # the tier to run while a graph is shrunk
        self.level, self.level_of_c = ["-O0"], []

    def path(self, name):
        return os.path.join(self.options.work, name)

    # -- errors of the compiler --

    def errors(self, stem, texts):
        return self.compiler.errors_by_graph(stem, texts) if texts else []

    def check(self, cases):
        for case in cases:
            case.texts = {
                "symbolic": case.graph.text(f"g{case.n}", self.table),
                "dynamic": case.graph.dynamic_text(f"d{case.n}", self.table),
            }
            any_rank = case.graph.any_rank_text(f"a{case.n}", self.table) if self.has_tensors(case) else None
            if any_rank:
                case.texts["any rank"] = any_rank
            case.statics = []
        both = [(c, t) for c in cases for t in c.texts]
        for (case, tier), errors in zip(both, self.errors("checked", [c.texts[t] for c, t in both])):
            if not errors:
                case.tiers.add(tier)
            elif tier == "symbolic":
                case.refused = errors[0]
        self.check_spoilt(cases)
        jobs = []
        for case in cases:
            for k, want in enumerate(case.wants):
                want.kind, want.static_name = None, None
                static = case.graph.static(want.symbols, want.shapes())
                text = static.text(f"k{case.n}_{k}", self.table) if static else ""
                if text and all(int(n) < 2**63 for n in re.findall(r"\d{19,}", text)):
                    jobs.append((case, want, text, f"k{case.n}_{k}"))
        # graphs that are refused are compiled apart: the compiler reports a limited number of errors per file
        for expected in (True, False):
            group = [j for j in jobs if (j[1].status == "ok") == expected]
            size = 500 if expected else 45
            for first in range(0, len(group), size):
                part = group[first : first + size]
                for (case, want, text, name), errors in zip(part, self.errors("numbers", [p[2] for p in part])):
                    self.judge(case, want, errors[0]["kind"] if errors else "ok", text, name)
        for case in cases:
            if any(c.home for c in case.graph.calls):
                case.wants = [w for w in case.wants if w.status == "ok" or self.is_first(case.graph, w)]

    @staticmethod
    def is_first(graph, want):
        """Whether the status of a graph that calls others is the first in the order of the text. If a condition stands
        only in a called graph, the graph with numbers tells; but not if numbers of data are wrong in a called graph."""
        has_data = any(i.holds for i in graph.inputs)
        return want.is_of_result or not has_data and (graph.outer_facts or want.kind is not None)

    def check_spoilt(self, cases):
        """Puts an error into the text of every second valid graph: the compiler must report it."""
        made = [(c, spoil(c.graph, random.Random(f"spoilt {c.seed}"))) for c in cases if c.seed % 2 == 1 and not c.refused]
        made = [(c, kinds, g.text(f"g{c.n}", self.table)) for c, (g, kinds) in [m for m in made if m[1]]]
        for first in range(0, len(made), 45):
            part = made[first : first + 45]
            for (case, kinds, text), errors in zip(part, self.errors("spoilt", [p[2] for p in part])):
                said = [e["kind"] for e in errors]
                if not set(kinds.split()) & set(said):
                    case.findings.append(("text", {}, f"{said}, not {kinds}\n{text}"))

    @staticmethod
    def judge(case, want, kind, text, name):
        """Compares numpy's status with `kind`, the compiler's for the graph with numbers, which becomes the status."""
        want.kind = kind
        # A called graph keeps its symbols, and so its conditions, whose factors of 2^40 and more may not fit.
        is_of_called = kind == "overflow" and want.status == "ok" and text.count("graph ") > 1
        # Results that are always wrong in a called graph are an error there, before any in its operators.
        is_of_called |= bool(case.refused and case.graph.stated)
        if kind in NOT_TOLD or is_of_called:
            want.kind = None
        elif (kind == "ok") != (want.status == "ok"):
            case.findings.append(("check", want.symbols, f"{kind}, not {want.status}\n{text}"))
            want.kind = None
        elif kind == "ok":
            case.statics.append((want, text, name))
        elif want.is_of_result:
            if kind != "shape_mismatch" and "graph in" not in text:
                case.findings.append(("check", want.symbols, f"{kind}, not {want.status}\n{text}"))
        elif kind != "bad_arg" or want.status != "guard_failed":  # bad_arg: `% 0` in the text
            want.status = kind

    @staticmethod
    def has_tensors(case):
        """Whether a graph also runs with inputs of any rank: every third graph does, if DLPack has its types."""
        types = {t for w in case.wants for t in w.dtypes.values()}
        known = {"bool", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "c64", "c128"}
        return case.seed % 3 == 0 and types <= known and not case.graph.layouts

    def library(self, stem, texts, *options):
        path, header, obj = self.path(stem + ".rsh"), self.path(stem + ".h"), self.path(stem + ".o")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(texts))
        self.compile(path, "-o", obj, "--header", header, *options)
        tiers.link(self.options.cc, [obj], self.path(stem + ".so"), self.runtime)
        return tiers.Library(self.path(stem + ".so"), header)

    def compile(self, *args):
        done = self.compiler.call(*args)
        if done.returncode:
            raise RuntimeError(f"compile: exit {done.returncode}\n{done.stderr[-2000:]}")

    def timed(self, what, function, *args):
        """Calls a function and adds its processor time, including child processes, which other load does not change."""
        start = sum(os.times()[:4])
        try:
            return function(*args)
        finally:
            self.seconds[what] += sum(os.times()[:4]) - start

    def build(self, cases):
        """Compiles the graphs for all tiers: sets `libraries`, a Library by tier, and `macros`."""
        texts = [c.texts[t] for c in cases for t in c.texts if t in c.tiers]
        statics = [text for c in cases for _, text, _ in c.statics[: self.options.statics]]
        self.libraries = {}
        if texts:
            lib = self.timed("object", self.library, "symbolic", texts, *self.level, "--parallel")
            self.libraries.update({"symbolic": lib, "tasks": lib})
            self.counts["in place"] += sum(not lib.homes.get(f"g{c.n}", {}).keys().isdisjoint(c.graph.inplace) for c in cases)
        if texts:
            self.macros = self.caller.macros = self.timed("macros", tiers.Macros, self.options.c_compilers.split(",")[0], self.path("symbolic.h"), self.path("macros"))
        if texts and self.only in (None, "c"):
            c, header = self.path("c.c"), self.path("c.h")
            self.timed("emit c", self.compile, self.path("symbolic.rsh"), "-o", c, "--header", header, "--emit=c", "--parallel", *self.level_of_c)
            for k, cc in enumerate(self.options.c_compilers.split(",")):
                so = self.path(f"c{k}.so")
                self.timed(cc, tiers.link, cc, [c], so, self.runtime, tiers.C_FLAGS)
                self.libraries["c by " + cc] = tiers.Library(so, header)
                if k == 0:
                    self.libraries["tasks c by " + cc] = self.libraries["c by " + cc]
        if statics and self.only in (None, "static"):
            self.libraries["static"] = self.timed("static", self.library, "static", statics, *self.level)

    # -- calls --

    def call_all(self, case):
        findings = []

        def attempt(tier, want, lib, name, tasks=None):
            self.label.write(tier, want.symbols)
            try:
                self.caller.run(lib, name, want, sum(want.symbols.values()) % 2 == 0, tasks)
                if case.graph.inplace and name[0] != "d":
                    tasks = tasks and random.Random(case.seed)
                    self.caller.run(lib, name, want, sum(want.symbols.values()) % 2 == 1, tasks, case.graph.inplace)
            except tiers.Wrong as wrong:
                findings.append((tier, want.symbols, str(wrong)))

        for want, _, name in case.statics[: self.options.statics] if "static" in self.libraries else []:
            attempt("static", want, self.libraries["static"], name)
        for form, letter in (("symbolic", "g"), ("dynamic", "d")):
            if form not in case.tiers:
                continue
            name = f"{letter}{case.n}"
            for tier, lib in self.libraries.items():
                in_tasks = tier.startswith("tasks")
                if tier == "static" or in_tasks and name + "_task" not in lib.parameters:
                    continue
                for want in case.wants:
                    dice = random.Random(case.seed) if in_tasks else None
                    attempt(tier if form == "symbolic" else f"dynamic {tier}".replace(" symbolic", ""), want, lib, name, dice)
        if "symbolic" in case.tiers:
            self.call_others(case, findings)
        for want in case.wants if self.only in (None, "library") else []:
            self.label.write("library", want.symbols)
            try:
                self.library_alone.run(self.table, want)
            except tiers.Wrong as wrong:
                findings.append(("library", want.symbols, str(wrong)))
        self.call_huge(case, findings)
        return findings[:6]

    def call_others(self, case, findings):
        """Calls with tensors of any rank, macros, and `reshapec run` for one graph in twelve."""
        name = f"g{case.n}"
        for want in case.wants:
            work = []
            if "any rank" in case.tiers:
                work.append(("tensors", lambda w: self.caller.run_tensors(self.libraries["symbolic"], f"a{case.n}", w, random.Random(case.seed))))
            if want.status == "ok" and self.only in (None, "macros"):
                work.append(("macros", lambda w: self.macros.check(name, w)))
            if self.only == "run" or case.seed % 12 == 0 and want is case.wants[case.seed // 12 % len(case.wants)]:
                with open(self.path("run.rsh"), "w", encoding="utf-8") as file:
                    file.write(case.texts["symbolic"])
                work.append(("run", lambda w: tiers.run_files(self.options.reshapec, self.path("run.rsh"), case.graph, name, w, self.options.work)))
            for tier, call in work:
                self.label.write(tier, want.symbols)
                try:
                    call(want)
                except tiers.Wrong as wrong:
                    findings.append((tier, want.symbols, str(wrong)))

    def call_huge(self, case, findings):
        """Calls with sizes that no memory can hold: all tiers must return the same status."""
        if any(i.holds for i in case.graph.inputs):
            return
        for symbols in case.huge:
            said = {}
            for tier, lib in self.libraries.items():
                for letter, form in (("g", "symbolic"), ("d", "dynamic")):
                    name, in_tasks = f"{letter}{case.n}", tier.startswith("tasks")
                    if form not in case.tiers or tier == "static" or in_tasks and name + "_task" not in lib.parameters:
                        continue
                    self.label.write(f"huge {form} {tier}", symbols)
                    for task in self.caller.ends_of_tasks(lib, name, symbols) if in_tasks else [None]:
                        said[f"{form} {tier}{'' if task is None else f' {task}'}"] = self.caller.nothing(lib, name, symbols, task=task)
            # Where a number does not fit, a tier may return `overflow` and another one a later refusal: compiled code
            # computes sums of products, and a dynamic graph arguments that compiled code does not need
            # (grammar/language.md).
            told = [s for s in said.values() if s != "overflow"]
            alike = {"null_pointer" if s in OF_MEMORY else s for s in told}
            compiled = {s for tier, s in said.items() if tier.startswith("symbolic")}
            if len(alike) > 1 or len(compiled) > 1:
                findings.append(("huge", symbols, f"statuses differ: {said}"))

    def run(self, cases):
        """Runs these graphs and adds their findings. If the compiler crashes, runs each half of them again."""
        try:
            self.timed("check", self.check, cases)
            self.build(cases)
        except (RuntimeError, subprocess.SubprocessError) as died:
            if len(cases) == 1:
                text = getattr(died, "stderr", b"") or str(died)
                text = text.decode(errors="replace") if isinstance(text, bytes) else text
                cases[0].findings.append(("compiler", {}, f"{type(died).__name__}: {text[-1500:]}"))
                return
            for part in (cases[: len(cases) // 2], cases[len(cases) // 2 :]):
                for case in part:
                    case.findings, case.refused, case.tiers = [], None, set()
                self.run(part)
            return
        self.timed("calls", self.run_calls, cases)

    def run_calls(self, cases):
        for case, findings in tiers.isolated(cases, self.call_all, self.label):
            case.findings += [tuple(f) for f in findings]

    def case(self, n, graph, seed, symbols, is_huge):
        """Returns a case of a graph and the sizes for which another graph failed."""
        made = Case(n, graph, seed, [] if is_huge else [symbols])
        made.huge = [symbols] if is_huge else []
        if not is_huge and not made.wants:
            raise ValueError("too large")
        return made

    def run_again(self, cases, tier):
        self.only = tier
        self.run(cases)
        self.only = None

    def report(self, case):
        for tier, symbols, what in case.findings[:3]:
            print(f"  {tier} {json.dumps(symbols)}: {what}")

    def make(self, n):
        graph, seed = make_graph(self.table, self.options.seed, n, self.options.swarm)
        return Case(n, graph, seed, sizes=LARGER if self.options.swarm in ("wide", "long") else SIZES)

    def batch(self, numbers):
        cases = [self.timed("numpy", self.make, n) for n in numbers]
        at = numbers[0] // self.options.batch
        self.level = ["-O2"] if at % 8 == 7 else ["-O0"]
        if self.options.swarm:
            self.level = self.level_of_c = LEVELS[at % len(LEVELS)]
        self.run(cases)
        for case in cases:
            self.counts["graphs"] += 1
            self.counts["calls"] += len(case.wants)
            self.counts["accepted"] += sum(w.status == "ok" for w in case.wants)
            if case.refused and case.wants and case.wants[0].status == "ok" and case.wants[0].kind == "ok":
                self.counts["refused"] += 1
                self.counts["refused " + case.refused["kind"] + ": " + shape_of(case.refused["message"])] += 1
                if self.options.refused:
                    print(f"refused: {case.refused['kind']}: {case.refused['message']}\n{case.texts['symbolic']}")
            for op in {c.op for c in case.graph.calls}:
                self.counts["op " + op] += 1
            if case.findings:
                self.tell(case)

    def tell(self, case):
        """Prints the findings of a graph and the smallest graph that fails in the same way, unless printed before."""
        self.counts["wrong"] += 1
        kind = kind_of(case.findings[0])
        self.kinds[kind] += 1
        if self.kinds[kind] > (1 if kind[0] == "huge" else MOST_TOLD):
            return
        text = f"graph {case.n} of seed {self.options.seed}:\n{case.texts['symbolic']}"
        if self.options.shrink:
            small = shrink(self, case)
            alike = (kind_of(small.findings[0]), *(c.op for c in small.graph.calls))
            self.told[alike] += 1
            if self.told[alike] > 1:
                print(f"graph {case.n} of seed {self.options.seed}: as before: {alike}\n", flush=True)
                return
        print(text, end="")
        self.report(case)
        if self.options.shrink:
            print(f"smallest:\n{small.texts['symbolic']}", end="")
            self.report(small)
        print(flush=True)


class FoldedNet(Net):
    """Runs only the moves of graphs, without emitting code."""

    def __init__(self, options):
        super().__init__(options)
        self.folded = Folded(options.cc, options.cflags, options.libs, options.work, self.statuses)

    def run(self, cases):
        for case in cases:
            case.texts = {"symbolic": case.graph.text(f"g{case.n}", self.table), "dynamic": case.graph.dynamic_text(f"d{case.n}", self.table)}
            for want in case.wants:
                want.kind = None
        self.timed("folded", self.run_calls, cases)

    def run_calls(self, cases):
        for case, findings in tiers.isolated(cases, self.call_all, self.label):
            case.findings += [tuple(f) for f in findings if f[0] != "counts"]
            self.counts.update(*[f[1] for f in findings if f[0] == "counts"])

    def call_all(self, case):
        findings, counts = [], collections.Counter()
        self.label.write("compiler", {})
        self.folded.open("".join(case.texts.values()))
        for want, (tier, letter) in itertools.product(case.wants, [("folded", "g"), ("dynamic", "d")]):
            self.label.write(tier, want.symbols)
            try:
                counts[self.folded.run(f"{letter}{case.n}", want)] += 1
            except tiers.Wrong as wrong:
                findings.append((tier, want.symbols, str(wrong)))
        return [*findings[:6], ("counts", counts, "")]


def shape_of(message):
    """Returns a message without its names and numbers, to count messages of the same kind."""
    return re.sub(r"'[^']*'|\([^)]*\)|\d+", "_", message)[:90]


def parser_of(doc, compilers, batch, statics):
    """A parser for the options that every Net has; the other arguments are their defaults."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--c-compilers", default=compilers)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=batch, help="graphs that are compiled together")
    parser.add_argument("--statics", type=int, default=statics, help="sizes of a graph that are compiled as numbers")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false")
    return parser


def main():
    parser = parser_of(__doc__, compilers="gcc,clang-19", batch=125, statics=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--having", default="", help="run only graphs with one of these operators: gather,gather_nd")
    parser.add_argument("--folded", action="store_true", help="run only the moves of graphs, without code")
    parser.add_argument("--cflags", default="", help="with --folded: the flags of the compiler's own sources")
    parser.add_argument("--libs", default="", help="with --folded: libreshapec.a and its libraries")
    parser.add_argument("--swarm", nargs="?", const="wide", choices=["wide", "dense", "long"], help="few operators in each graph, larger sizes, other compiler options in each batch; dense: each graph reshapes small inputs, with small sizes; long: each graph transposes, and applies tables of constants to, an input with a long axis")
    parser.add_argument("--most", type=int, default=0, help="stop after a batch if at least MOST graphs are wrong")
    parser.add_argument("--print", action="store_true", help="only print the graphs")
    parser.add_argument("--refused", action="store_true", help="also print graphs that are refused")
    options = parser.parse_args()
    net = FoldedNet(options) if options.folded else Net(options)
    missing = [name for name in net.table if not has_meaning(name)]
    for name in missing:
        print(f"operator '{name}' has no meaning in tests/differential/meaning.py")
    if missing:
        return 1
    numbers = range(options.first, options.first + options.count)
    if options.having:
        wanted = options.having.split(",")
        numbers = [n for n in numbers if make_graph(net.table, options.seed, n, options.swarm)[0].has(*wanted)]
    if options.print:
        print("".join(make_graph(net.table, options.seed, n, options.swarm)[0].text(f"g{n}", net.table) for n in numbers), end="")
        return 0
    for first in range(0, len(numbers), options.batch):
        net.batch(numbers[first : first + options.batch])
        if 0 < options.most <= net.counts["wrong"]:
            break
    c = net.counts
    print(f"{c['graphs']} graphs, {c['calls']} bindings, {c['accepted']} accepted, {c['refused']} refused, "
          f"{c['wrong']} wrong")
    if options.folded:
        print(f"calls: {c['run']} run, {c['refused by the compiler']} refused by the compiler, {c['beyond moves']} beyond moves")
    if options.refused:
        print(*[f"{n} {k}" for k, n in c.most_common() if k.startswith(("refused ", "op "))], sep="\n")
    print("seconds:", ", ".join(f"{k} {v:.1f}" for k, v in net.seconds.most_common()))
    print(*[f"{n} wrong: {' '.join(k)}" for k, n in net.kinds.most_common()], sep="\n")
    if not options.folded and not options.having and c["graphs"] >= 250 and not c["in place"]:
        print("no result was written to the memory of an input: read_homes() in tiers.py does not match headers")
        return 1
    return 1 if c["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
