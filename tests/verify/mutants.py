#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts faults into the compiler, one at a time, and asks whether `reshapec verify` finds them.

mutants.tsv has a row a fault: its group, the file, a line of it and what that becomes, and for one that is not
found why: what the code does is the same, or it is a choice between two right ways. "open" stands where nobody
knows yet. Rows whose line is not in the file any more are counted as stale. A mutant is one
file compiled anew and linked before the rest of the compiler; it is caught when verifying one of the files
of chains fails, and when it does not even come to that: it crashes, hangs or refuses the chains.

    mutants.py ... --sample              one fault of each group
    mutants.py ... --propose 60 GROUP    print random new rows
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
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
LIST = os.path.join(HERE, "mutants.tsv")
CHAINS = [
    ["kernels.rsh"],
    ["operators.rsh"],
    ["kernels.rsh", "-mcpu=native"],  # wider vectors, where this machine has them
    ["tiers.rsh"],
]
TIMEOUT = 60

GROUPS = {
    "fold": ["runtime/fold.c", "runtime/fold_pieces.c", "runtime/moves.c", "runtime/project.c"],
    "plan": ["codegen/plan.c", "codegen/schedule.c", "codegen/packed.c", "codegen/places.c"],
    "tile": ["codegen/emit_tile.c", "codegen/emit_weave.c"],
    "emitter": [
        "codegen/emit_kernel.c",
        "codegen/emit_copy.c",
        "codegen/emit_elementwise.c",
        "codegen/emit_entry.c",
        "codegen/emit_number.c",
        "codegen/emit_step.c",
    ],
    "header": [
        "codegen/emit_header.c",
        "codegen/emit_header_comment.c",
        "codegen/emit_header_size.c",
        "codegen/c_text.c",
    ],
}

# What a token becomes.
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


def read_list():
    with open(LIST, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_code(line):
    text = line.strip()
    return text and not text.startswith(("//", "#", "*", "static const char", "enum"))


def variants_of(line):
    """The line with one token swapped, in every way; comments and texts stay."""
    code = re.sub(r'"[^"]*"|//.*|\'.\'', lambda m: "\0" * len(m[0]), line)
    for pattern, new in SWAPS:
        for m in re.finditer(pattern, code):
            yield line[: m.start()] + new + line[m.end() :]
    if re.match(r"\s+[a-z_0-9>.-]+(\(.*\)|(\.|->)?[a-z_]* [-+*|]?= .*);$", code):
        yield re.match(r"\s*", line)[0] + ";"


def propose(group, count, seed):
    """Rows for random faults, of lines that stand once in their file."""
    known = {(r["file"], r["line"], r["becomes"]) for r in read_list()} if os.path.exists(LIST) else ()
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


# ---- one mutant ----------------------------------------------------------------------------------


class Mill:
    """Makes mutants of the compiler of a build folder and runs them."""

    def __init__(self, options):
        self.options = options
        os.makedirs(options.work, exist_ok=True)
        self.chains = [[os.path.join(HERE, c[0]), *c[1:]] for c in CHAINS]
        self.main = os.path.join(options.build, "driver", "main.o")

    def link(self, label, source, name):
        """The compiler with this text for one file; None when it does not compile."""
        stem = os.path.join(self.options.work, label)
        with open(stem + ".c", "w", encoding="utf-8") as file:
            file.write(source)
        flags = shlex.split(self.options.cflags)
        folder = os.path.join(ROOT, os.path.dirname(name))
        compiler = shlex.split(self.options.cc)
        built = subprocess.run(
            [*compiler, *flags, "-w", "-O0", "-g0", f"-I{ROOT}", f"-I{folder}", "-c", stem + ".c", "-o", stem + ".o"],
            capture_output=True,
            check=False,
        )
        if built.returncode:
            return None
        linked = [*compiler, *flags, "-s", stem + ".o", self.main, *shlex.split(self.options.libs)]
        subprocess.run([*linked, "-o", stem], check=True, capture_output=True)
        return stem

    def judge(self, binary):
        """How the mutant is found: "verify", "scan", "refused" or "" ."""
        for chains in self.chains:
            try:
                done = subprocess.run(
                    [binary, "verify", *chains], capture_output=True, timeout=TIMEOUT, check=False
                )
            except subprocess.TimeoutExpired:
                return "hangs"
            text = done.stderr.decode(errors="replace")
            if b"graphs verified" in done.stdout and done.returncode == 0:
                continue
            if "is not what the graph says" in text:
                return "verify"
            if "error: the code of" in text:
                return "scan"
            return "crashes" if done.returncode < 0 else "refused"
        return ""

    def run(self, row):
        """(row, how it is caught); "stale": the line is not there; "invalid": it does not compile."""
        with open(os.path.join(ROOT, row["file"]), encoding="utf-8") as file:
            source = file.read().split("\n")
        places = [i for i, line in enumerate(source) if line.strip() == row["line"]]
        if len(places) != 1:
            return row, "stale"
        source[places[0]] = row["becomes"]
        label = hashlib.sha256("\t".join(row.values()).encode()).hexdigest()[:12]
        binary = self.link(label, "\n".join(source), row["file"])
        found = self.judge(binary) if binary else "invalid"
        for end in ("", ".c", ".o"):
            if os.path.exists(os.path.join(self.options.work, label + end)):
                os.remove(os.path.join(self.options.work, label + end))
        return row, found


def report(results):
    """The table, and what was not found without a reason."""
    ways = ["verify", "scan", "refused", "crashes", "hangs"]
    rest = ["explained", "open", "stale"]
    counts = collections.defaultdict(collections.Counter)
    missed = []
    for row, found in results:
        group = counts[row["group"]]
        if found == "" and row["why"]:
            found = "open" if row["why"] == "open" else "explained"
        if found in ("", "invalid"):
            missed.append((found or "not found", row))
        group[found] += 1
    print("group     mutants " + "".join(f"{w:>10}" for w in [*ways, *rest]))
    for name, group in counts.items():
        total = sum(group.values())
        print(f"{name:<9} {total:>7} " + "".join(f"{group[w]:>10}" for w in [*ways, *rest]))
    total = len(results)
    caught = sum(group[w] for group in counts.values() for w in ways)
    others = ", ".join(f"{sum(g[w] for g in counts.values())} {w}" for w in rest)
    print(f"{total} mutants, {caught} caught, {others}")
    for what, row in missed:
        print(f"{what}: {row['file']}: {row['line']}  ->  {row['becomes']}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cflags", default="")
    parser.add_argument("--libs", default="")
    parser.add_argument("--build")
    parser.add_argument("--work", default="mutants")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", action="store_true", help="run one row of each group")
    parser.add_argument("--every", type=int, default=1, help="run one row in so many")
    parser.add_argument("--verbose", action="store_true", help="print each row as it is judged")
    parser.add_argument("--rows", help="another list")
    parser.add_argument("--propose", type=int, help="print so many random rows")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("group", nargs="?")
    options = parser.parse_args()
    if options.propose:
        propose(options.group, options.propose, options.seed)
        return 0
    global LIST
    LIST = options.rows or LIST
    rows = [r for r in read_list() if not options.group or r["group"] == options.group]
    rows = rows[:: options.every]
    if options.sample:  # the first of each group
        rows = list({r["group"]: r for r in reversed(rows)}.values())
    mill = Mill(options)
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row, found in pool.map(mill.run, rows):
            results.append((row, found))
            if options.verbose:
                print("\t".join([found, *row.values()]), flush=True)
    return 1 if report(results) else 0


if __name__ == "__main__":
    sys.exit(main())
