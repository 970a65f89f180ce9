#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts faults into the compiler, one at a time, and checks whether `reshapec verify` finds them.

mutants.tsv has a row for each fault: its group, the file, a line of it and the replacement (several, separated by AND,
if one fault hides another). A fault that is not found also has the reason why that is right, or "open" if that is not
yet known. A mutant is the compiler with these files recompiled and linked before the others. It is caught if verifying
one of the files of chains fails, or if it crashes, hangs or refuses the chains. A mutant that is not caught either
emits the same code as the compiler without the fault, or other code that verify proves.

Former faults of the compiler have a description (`fault`). Another test than verify may catch them (`by`): the part of
the net that the suite runs, with graphs (`net`) or models (`models`), or the path of a test.

    mutants.py ... --sample              one fault of each group
    mutants.py ... --compile             test what a compile with -fverify finds
    mutants.py ... --by net sizes        test whether the net catches them
    mutants.py ... --write               write the table, or the row of GROUP, to docs/verify.md
    mutants.py --check                   check that each line still exists, and the counts in docs/verify.md
    mutants.py --propose 60 GROUP        print random new rows
"""

import argparse
import collections
import concurrent.futures
import csv
import hashlib
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
LIST = os.path.join(HERE, "mutants.tsv")
PAGE = os.path.join(ROOT, "docs", "verify.md")
CHAINS = [  # fast ones first
    ["operators.rsh"],
    ["kernels.rsh"],
    ["tiers.rsh"],
    ["kernels.rsh", "-mcpu=native"],  # wider vectors, if this machine has them
    ["memory.rsh"],
    ["symbols.rsh"],
    ["memory.rsh", "-mcpu=native"],
    ["large.rsh"],
    ["large.rsh", "-mcpu=native"],
    ["sizes.rsh"],
]
C_CHAINS = [[chains[0], "--emit=c"] for chains in CHAINS if chains[1:] == [] and chains[0] != "large.rsh"]
NET = {  # as many as the suite runs
    "net": ["net.py", "--no-shrink", "--count", "2000"],
    "models": ["models.py", "--shrink", "0", "--count", "300"],
}
# A test also catches undefined behavior: the suite runs in a sanitized build.
TRAPS = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
MODELS = "../repros/Inputs/onnx"
SIZE_CHAINS = [["sizes.rsh"], *([f"../repros/{name}.rsh"] for name in ("roll-concat", "bounded-slices", "steps-between-rows", "implied-condition", "quotient-of-inputs", "quotient-of-where", "quantized-twice")), *([f"{MODELS}/{name}.onnx"] for name in ("dynconst1", "j1", "crash_min", "refused_21146"))]
ELEMENT_CHAINS = [["elements.rsh"]]
BIT_CHAINS = [["bits.rsh"], ["bits.rsh", "-mcpu=native"], ["bits.rsh", "--emit=c"]]
PICK_CHAINS = [["picks.rsh"], ["picks.rsh", "--emit=c"]]
TABLE_CHAINS = [["tables.rsh"], ["tables.rsh", "--emit=c"]]
RUNS = "../cross/Inputs/runs.rsh"  # without vectors: for other machines, in emulators
OPEN = "../cross/Inputs/open.rsh"
RUN_CHAINS = [[OPEN, "--target=thumbv7em-none-eabi", "-Os"], [OPEN, "--target=thumbv6m-none-eabi", "-O2"], [RUNS, "--target=thumbv7em-none-eabi", "-Os"], [RUNS, "--target=thumbv6m-none-eabi", "-Os"], [RUNS, "--target=thumbv7em-none-eabi", "-O2"], [RUNS, "--target=riscv32-none-elf", "-Os"]]
ZIP_CHAINS = [["zips.rsh"], ["zips.rsh", "-mcpu=x86-64-v3"], ["zips.rsh", "-mcpu=native"]]
SLIDE_CHAINS = [["slides.rsh"], ["slides.rsh", "--emit=c"]]
VECTOR_CHAINS = [["vectors.rsh"], ["vectors.rsh", "-mcpu=x86-64-v3"], ["vectors.rsh", "-mcpu=native"], ["kernels.rsh", "-mcpu=native"]]
TASK_CHAINS = [["tasks.rsh", "--parallel"], ["tasks.rsh", "--parallel", "--multiversion=v2,v3,v4"], ["tasks.rsh", "--parallel", "--emit=c"]]
DYNAMIC = ("tiers.rsh", "sizes.rsh", "quantized-twice.rsh", "picks.rsh", ".onnx")  # some of these run in the runtime
CPU_SECONDS = 30  # of one process, so that other load does not matter
LIMITS = ["prlimit", f"--cpu={CPU_SECONDS}:{2 * CPU_SECONDS}"]
TIMEOUT = 600
RUNTIME = "librsh_runtime.a"

GROUPS = {
    "fold": ["runtime/fold.c", "runtime/fold_pieces.c", "runtime/moves.c", "runtime/project.c"],
    "plan": ["codegen/plan/plan.c", "codegen/plan/plan_moves.c", "codegen/plan/plan_nests.c", "codegen/plan/plan_stage.c", "codegen/plan/plan_value.c", "codegen/plan/schedule.c", "codegen/plan/choice.c", "codegen/plan/packed.c", "codegen/plan/places.c", "codegen/plan/cycles.c", "codegen/plan/plan_passes.c"],
    "tile": ["codegen/llvm/emit_tile.c", "codegen/llvm/emit_weave.c", "codegen/plan/strategy.c"],
    "emitter": [
        "codegen/llvm/emit_nest.c",
        "codegen/llvm/emit_loops.c",
        "codegen/llvm/emit_piece.c",
        "codegen/llvm/emit_stage.c",
        "codegen/llvm/emit_source.c",
        "codegen/llvm/emit_data.c",
        "codegen/llvm/emit_copy.c",
        "codegen/llvm/emit_elementwise.c",
        "codegen/code/code.c",
        "codegen/code/code_entry.c",
        "codegen/code/code_number.c",
        "codegen/code/code_stage.c",
        "codegen/code/code_cycles.c",
        "codegen/llvm/emit_code.c",
        "codegen/element/element.c",
        "codegen/element/element_cast.c",
        "codegen/element/element_soft.c",
        "codegen/element/element_activation.c",
        "codegen/llvm/emit_element.c",
        "codegen/llvm/emit_stream.c",
    ],
    "element": ["codegen/element/element_arithmetic.c", "codegen/element/element_quantize.c"],
    "bits": ["codegen/plan/fields.c", "codegen/plan/lanes.c", "codegen/llvm/emit_fields.c", "codegen/element/element_step.c"],
    "vectors": ["codegen/llvm/emit_lookup.c", "codegen/llvm/emit_vectors.c"],
    "zip": ["codegen/plan/zip.c", "codegen/plan/shuffle.c", "codegen/llvm/emit_zip.c", "codegen/llvm/emit_shuffle.c"],
    "slides": ["codegen/plan/slides.c", "codegen/code/code_slides.c"],
    "tables": ["codegen/plan/entries.c", "codegen/element/element_constant.c"],
    "header": [
        "codegen/header/header.c",
        "codegen/header/header_comment.c",
        "codegen/header/header_size.c",
        "codegen/header/header_task.c",
        "codegen/header/c_text.c",
    ],
    "task": ["codegen/plan/split.c", "codegen/code/code_task.c"],
    "run": ["codegen/llvm/emit_run.c", "codegen/llvm/emit_walk.c", "codegen/plan/strategy.c"],
    "c": [
        "codegen/c/c_run.c",
        "codegen/c/c_nest.c",
        "codegen/c/c_literal.c",
        "codegen/c/c_number.c",
        "codegen/c/c_code.c",
        "codegen/c/c_entry.c",
        "codegen/c/c_step.c",
        "codegen/c/c_stage.c",
        "codegen/c/c_data.c",
    ],
}

AND = " AND "  # separates the files, lines and texts of a fault in several places

# Replacements of a token.
SWAPS = [
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " + "),
    (r" / ", " * "),
    (r" % ", " / "),
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"\bsrc\b", "dst"),
    (r"\bdst\b", "src"),
    (r"_offset\b", "_offset + 1"),
    (r"\b0\b", "1"),
    (r"\b1\b", "2"),
    (r"\b1\b", "0"),
    (r"\+\+", "--"),
]


# ---- the list ------------------------------------------------------------------------------------


def read_list(path=LIST):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, restval=""))


def is_code(line):
    text = line.strip()
    return text and not text.startswith(("//", "#", "*", "static const char", "enum"))


def variants_of(line):
    """Yields the line with one token replaced, in every way. Comments and strings stay."""
    code = re.sub(r'"[^"]*"|//.*|\'.\'', lambda m: "\0" * len(m[0]), line)
    for pattern, new in SWAPS:
        for m in re.finditer(pattern, code):
            yield line[: m.start()] + new + line[m.end() :]
    if re.match(r"\s+[a-z_0-9>.-]+(\(.*\)|(\.|->)?[a-z_]* [-+*|]?= .*);$", code):
        yield re.match(r"\s*", line)[0] + ";"


def propose(group, count, seed):
    """Prints rows for random faults, in lines that occur once in their file."""
    known = {(r["file"], r["line"], r["becomes"]) for r in read_list()}
    found = []
    for name in GROUPS[group]:
        path = os.path.join(ROOT, name)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for line in lines:
            if is_code(line) and lines.count(line) == 1 and line.startswith("  "):
                found += [
                    (name, line.strip(), new.strip())
                    for new in variants_of(line)
                    if (name, line.strip(), new.strip()) not in known
                ]
    random.Random(seed).shuffle(found)
    for row in found[:count]:
        print("\t".join([group, *row, ""]))


def run_limited(command):
    """Runs a command. It counts as hanging after CPU_SECONDS of processor time, or after TIMEOUT."""
    done = subprocess.run([*LIMITS, *command], capture_output=True, timeout=TIMEOUT, check=False)
    if done.returncode == -signal.SIGXCPU:
        raise subprocess.TimeoutExpired(command, CPU_SECONDS)
    return done


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def mutated(row):
    """Returns {file: text with the fault}, or None if a line does not occur exactly once."""
    sources = {}
    for name, line, becomes in zip(*(row[column].split(AND) for column in ("file", "line", "becomes")), strict=True):
        if name not in sources:
            with open(os.path.join(ROOT, name), encoding="utf-8") as file:
                sources[name] = file.read().split("\n")
        places = [i for i, text in enumerate(sources[name]) if text.strip() == line]
        if len(places) != 1:
            return None
        sources[name][places[0]] = becomes
    return {name: "\n".join(lines) for name, lines in sources.items()}


# ---- one mutant ----------------------------------------------------------------------------------


class Mill:
    """Builds mutants of the compiler in a build folder and runs them."""

    def __init__(self, options):
        self.options = options
        os.makedirs(options.work, exist_ok=True)
        self.main = os.path.join(options.build, "driver", "main.o")
        self.compiler = os.path.join(options.build, "reshapec")
        self.emitted = {}
        self.lock = threading.Lock()

    def compile(self, stem, source, name, more):
        """Compiles this text in place of a file. Returns the object, or None if it does not compile."""
        with open(stem + ".c", "w", encoding="utf-8") as file:
            file.write(source)
        flags = [*shlex.split(self.options.cflags), "-w", "-O0", "-g0", *more]
        folders = [f"-I{ROOT}", f"-I{os.path.join(ROOT, os.path.dirname(name))}"]
        command = [*shlex.split(self.options.cc), *flags, *folders, "-c", stem + ".c", "-o", stem + ".o"]
        done = subprocess.run(command, capture_output=True, check=False)
        os.remove(stem + ".c")
        return None if done.returncode else stem + ".o"

    def link(self, folder, sources, more=()):
        """Links the compiler and its runtime with these texts of files. Returns None if one does not compile."""
        os.makedirs(folder, exist_ok=True)
        stems = [os.path.join(folder, os.path.basename(name).removesuffix(".c")) for name in sources]
        objects = [self.compile(stem, text, name, more) for stem, (name, text) in zip(stems, sources.items())]
        if None in objects:
            return None
        made, runtime = os.path.join(folder, "reshapec"), os.path.join(folder, RUNTIME)
        flags = [*shlex.split(self.options.cc), *shlex.split(self.options.cflags), "-s"]
        command = [*flags, *objects, self.main, *shlex.split(self.options.libs), "-o", made]
        subprocess.run(command, check=True, capture_output=True)
        shutil.copy(os.path.join(self.options.build, RUNTIME), runtime)
        of_runtime = [o for o, name in zip(objects, sources) if name.startswith("runtime/")]
        if of_runtime:
            subprocess.run(["ar", "r", runtime, *of_runtime], check=True, capture_output=True)
        return made

    def emit(self, binary, chains):
        """Compiles a file of chains. Returns (status, [unoptimized IR or C, header])."""
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, name) for name in ("made.ll", "made.h")]
            level = [] if any(option.startswith("-O") for option in chains) else ["-O0"]
            kind = [] if "--emit=c" in chains else ["--emit=llvm-ir", *level]
            command = [binary, *chains, *kind, "-o", files[0], "--header", files[1]]
            done = run_limited(command)
            return done.returncode, [read_bytes(name) for name in files if os.path.exists(name)]

    def own(self, chains):
        """Returns what the compiler without faults emits, which is cached."""
        with self.lock:
            key = tuple(chains)
            if key not in self.emitted:
                self.emitted[key] = self.emit(self.compiler, chains)
            return self.emitted[key]

    def judge(self, binary, row):
        """Returns how the mutant is found, one of WAYS, or "same" or "other". Code that does not change is not run,
        unless the fault may be in the runtime."""
        found = "same"
        runs_always = "runtime/" in row["file"]
        for chains in {"c": C_CHAINS, "task": TASK_CHAINS, "sizes": SIZE_CHAINS, "element": ELEMENT_CHAINS, "bits": BIT_CHAINS, "vectors": VECTOR_CHAINS, "zip": ZIP_CHAINS, "slides": SLIDE_CHAINS, "tables": TABLE_CHAINS, "picks": PICK_CHAINS, "run": RUN_CHAINS}.get(row["group"], CHAINS):
            chains = [os.path.join(HERE, chains[0]), *chains[1:]]
            emitted = self.emit(binary, chains)
            if emitted[0]:
                return "crashes" if emitted[0] < 0 else "refused"
            is_same = emitted == self.own(chains)
            if is_same and not (runs_always and chains[0].endswith(DYNAMIC)):
                continue
            verify = [binary, "-fverify", *chains, "-o", "/dev/null"] if self.options.compile else [binary, "verify", *chains]
            done = run_limited(verify)
            text = done.stderr.decode(errors="replace")
            if "does not match the graph" in text:
                return "verify"
            if "error: the code of" in text:
                return "scan"
            if done.returncode:
                return "crashes" if done.returncode < 0 else "refused"
            found = found if is_same else "other"
        return found

    def ask_net(self, binary, by):
        """Returns "net" if the part of the net that the suite runs catches the mutant, else "other"."""
        script, *more = NET[by]
        command = [sys.executable, "-B", os.path.join(ROOT, "tests", "differential", script), "--reshapec", binary, "--cc", self.options.cc,
                   "--work", os.path.dirname(binary), "--seed", "1", "--most", "1", *more]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        said = re.findall(r"^\d+ (?:graphs|models).*", done.stdout, re.M)
        if not said:
            raise RuntimeError(f"{script}: exit {done.returncode}\n{done.stderr[-2000:]}")
        if self.options.verbose:
            print(said[-1], flush=True)
        return "net" if done.returncode else "other"

    def ask_test(self, binary, path):
        """Returns "test" if a test catches it, else "other". Tests run one at a time: they share folders."""
        lit = os.path.join(os.path.dirname(sys.executable), "lit")
        build = os.path.relpath(self.options.build, ROOT)
        command = [*LIMITS, lit, "-q", "--param", f"build={build}", "--param", f"reshapec={binary}", os.path.join(ROOT, path)]
        with self.lock:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
        return "test" if done.returncode else "other"

    def found(self, binary, row, by):
        if by == "verify":
            return self.judge(binary, row)
        return self.ask_net(binary, by) if by in NET else self.ask_test(binary, by)

    def run(self, row):
        """Returns (row, how it is caught). "stale": the line does not exist; "invalid": it does not compile; "same" and
        "other": it is not caught, and emits the same or other code."""
        sources = mutated(row)
        if sources is None:
            return row, "stale"
        label = hashlib.sha256("\t".join(row.values()).encode()).hexdigest()[:12]
        by = self.options.by or row["by"] or "verify"
        with tempfile.TemporaryDirectory(prefix=label, dir=self.options.work) as folder:
            binary = self.link(os.path.abspath(folder), sources, TRAPS if by != "verify" and by not in NET else ())
            try:
                found = self.found(binary, row, by) if binary else "invalid"
            except subprocess.TimeoutExpired:
                found = "hangs"
        return row, found


# ---- the report ------------------------------------------------------------------------------------

WAYS = ["verify", "scan", "refused", "crashes", "hangs", "net", "test"]
KEPT = ["same", "other"]
TITLES = ["runs or header", "scan", "refused", "crashes", "hangs", "differential tests", "another test", "explained", "open"]
NAMES = {
    "fold": "fold, moves",
    "plan": "plan, schedule",
    "tile": "tiles and weaves",
    "emitter": "the other emitters",
    "element": "arithmetic and quantization",
    "bits": "bits, lookups",
    "vectors": "elements in vectors",
    "zip": "vectors of several sources, or parts of one",
    "slides": "moves within an input",
    "tables": "tables of constants",
    "header": "the header",
    "c": "emitters of C",
    "task": "tasks",
    "run": "runs without vectors",
    "data": "dependence on data, alignment",
    "picks": "gathers by tensors of indices",
    "sizes": "open sizes: former faults",
}


def table(results):
    """Yields the lines of a table: how many mutants of each group are found in which way."""
    counts = collections.defaultdict(collections.Counter)
    for row, found in results:
        way = found if found not in KEPT else "explained" if row["why"] not in ("", "open") else "open"
        counts[row["group"]][way] += 1
        counts["all"][way] += 1
    counts["all"] = counts.pop("all")
    yield "| fault in | mutants | " + " | ".join(TITLES) + " |"
    yield "| --- " * (len(TITLES) + 2) + "|"
    for name, group in counts.items():
        cells = [sum(group.values()), *(group[w] for w in [*WAYS, "explained", "open"])]
        yield f"| {NAMES.get(name, name)} | " + " | ".join(str(n) for n in cells) + " |"


def joined(old, new):
    """Returns the old table with the rows of `new`. Rows of other groups stay."""
    rows = {line.split(" | ", 1)[0]: line for line in [*old[:-1], *new[2:-1]]}
    kept = list(rows.values())
    numbers = [[int(n) for n in row.strip("| ").split(" | ")[1:]] for row in kept[2:]]
    return [*kept, "| all | " + " | ".join(str(sum(column)) for column in zip(*numbers, strict=True)) + " |"]


def write_page(path, lines):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    old = re.search(r"^\| fault in .*?\n(?!\|)", text, re.M | re.S)
    lines = joined(old[0].strip().split("\n"), lines)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[: old.start()] + "\n".join(lines) + "\n" + text[old.end() :])


def miscounted(rows):
    """Yields a message for each row of the page's table whose count differs from the list."""
    with open(PAGE, encoding="utf-8") as file:
        said = dict(re.findall(r"^\| ([^|]+) \| (\d+) \|(?: \d+ \|){9}$", file.read(), re.M))
    counts = collections.Counter(NAMES[row["group"]] for row in rows)
    counts["all"] = len(rows)
    for name in sorted({*said, *counts}):
        if int(said.get(name, 0)) != counts[name]:
            yield f"docs/verify.md counts {said.get(name, 0)} faults in '{name}', the list {counts[name]}: --write GROUP measures them"


def report(results):
    """Prints the table. Returns the rows whose result differs from the list."""
    print("\n".join(table(results)))
    caught = sum(found in WAYS for _, found in results)
    left = [row["why"] for row, found in results if found in KEPT and row["why"]]
    print(f"{len(results)} mutants, {caught} caught, {len(left) - left.count('open')} explained, {left.count('open')} open")
    wrong = [(f, r) for r, f in results if f not in WAYS and not (f in KEPT and r["why"])]
    for found, row in wrong:
        said = {"same": "not found, same code", "other": "not found, other code"}.get(found, found)
        print(f"{said}: {row['file']}: {row['line']}  ->  {row['becomes']}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cflags", default="")
    parser.add_argument("--libs", default="")
    parser.add_argument("--build")
    parser.add_argument("--work", default="mutants")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", action="store_true", help="run one row of each group")
    parser.add_argument("--check", action="store_true", help="run none; compare the list with sources and docs/verify.md")
    parser.add_argument("--write", action="store_true", help="write the table to docs/verify.md")
    parser.add_argument("--compile", action="store_true", help="use -fverify, which runs fewer cases, not verify")
    parser.add_argument("--by", help="run this test on all rows: verify, net, models, or the path of a test")
    parser.add_argument("--verbose", action="store_true", help="print each row as it is judged")
    parser.add_argument("--rows", default=LIST, help="a list of mutants, instead of mutants.tsv")
    parser.add_argument("--propose", type=int, help="print this number of random rows")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("group", nargs="?")
    options = parser.parse_args()
    if options.propose:
        propose(options.group, options.propose, options.seed)
        return 0
    rows = [r for r in read_list(options.rows) if not options.group or r["group"] == options.group]
    if options.sample:  # the first row of each group
        rows = list({r["group"]: r for r in reversed(rows)}.values())
    stale = [r for r in rows if mutated(r) is None]
    for row in stale:
        print(f"stale: {row['file']} has no such line, or several: {row['line']}")
    if options.check:
        wrong = list(miscounted(rows))
        print(*wrong, sep="\n", end="")
        return 1 if stale or wrong else 0
    mill = Mill(options)
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row, found in pool.map(mill.run, rows):
            results.append((row, found))
            if options.verbose:
                print("\t".join([found, *row.values()]), flush=True)
    if options.write:
        write_page(PAGE, list(table(results)))
    return 1 if report(results) or stale else 0


if __name__ == "__main__":
    sys.exit(main())
