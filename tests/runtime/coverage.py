#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which lines, branches and conditions of runtime/ the tests of the runtime reach: `make coverage-runtime`.

    coverage.py --build build/coverage-runtime --llvm DIR [--tests] [--missed poly.c]

The build counts (COUNTERS of the Makefile). --tests runs the tests first; the counts of several runs add up.
Inputs/uncovered.txt says why lines of a function are not reached; other functions with such lines are listed, and rows
without such lines are errors.
"""

import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TESTS = ["unit", "runtime", "shape", "fold", "dynamic", "indices", "layout", "cast", "statuses", "ops", "lower", "einops", "script",
         "library", "fuzz/program.c", "differential/graphs-1.test"]  # fmt: skip
KINDS = ("lines", "branches", "mcdc")


def run_tests(options, profiles):
    """A test may fail that looks at the library's bytes or symbols: what counts is another code."""
    folders = [os.path.join("tests", t) for t in TESTS if os.path.exists(os.path.join(ROOT, "tests", t))]
    command = [sys.executable, "scripts/run_tests.py", "--build", options.build, *folders]
    environment = os.environ | {"LLVM_PROFILE_FILE": os.path.join(profiles, "%4m.profraw")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    print(*done.stdout.splitlines()[-1:], sep="\n")


def read_counts(options, profiles):
    """What llvm-cov exports of all counts together."""
    merged = os.path.join(options.build, "profiles.profdata")
    tools = [os.path.join(options.llvm, name) for name in ("llvm-profdata", "llvm-cov")]
    raw = glob.glob(os.path.join(profiles, "*.profraw"))
    # Programs that tests build in other ways have counts of their own, which do not fit: that is said of each.
    subprocess.run([tools[0], "merge", "-sparse", "-o", merged, *raw], check=True, stderr=subprocess.DEVNULL)
    command = [tools[1], "export", os.path.join(options.build, "reshapec"), "-instr-profile", merged, "-sources", "runtime/"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)["data"][0]


def missed_lines(file):
    """Lines on which nothing ran, as llvm-cov counts them: what goes on there, or begins."""
    missed, wrapped, by_line = [], None, collections.defaultdict(list)
    for line, _, count, has_count, is_entry, is_gap in file["segments"]:
        by_line[line].append((count if has_count else None, is_entry and not is_gap))
    for line in range(min(by_line, default=1), max(by_line, default=0) + 1):
        counts = [wrapped, *(count for count, begins in by_line[line] if begins)]
        counts = [count for count in counts if count is not None]
        if counts and max(counts) == 0:
            missed.append(line)
        if by_line[line]:
            wrapped = by_line[line][-1][0]
    return missed


def functions_of(path):
    """(first line, name) of each function of a C file, which clang-format lays out."""
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = re.match(r"[A-Za-z].*?\b(\w+)\(", line)
            if match and not line.rstrip().endswith(";"):
                found.append((number, match[1]))
    return found


def reasons():
    """file function -> why, of uncovered.txt."""
    found = {}
    with open(os.path.join(HERE, "Inputs", "uncovered.txt"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#") and line.strip():
                name, function, why = line.split(None, 2)
                found[name, function] = why
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", required=True)
    options.add_argument("--llvm", required=True, help="folder of llvm-cov")
    options.add_argument("--tests", action="store_true")
    options.add_argument("--missed", help="print the lines of this file that are not reached")
    options = options.parse_args()
    options.build = os.path.abspath(options.build)
    profiles = os.path.join(options.build, "profiles")
    if options.tests:
        run_tests(options, profiles)
    data = read_counts(options, profiles)
    known, seen, open_ones = reasons(), set(), collections.defaultdict(list)
    names = {os.path.basename(file["filename"]) for file in data["files"]}
    for file in sorted((f for f in data["files"] if not f["filename"].endswith(".def")), key=lambda f: f["filename"]):
        name = os.path.basename(file["filename"])
        summary = "  ".join(f"{k} {file['summary'][k]['percent']:5.1f} %" for k in KINDS)
        print(f"{name:20} {summary}")
        functions = functions_of(os.path.join(ROOT, "runtime", name))
        for line in missed_lines(file):
            function = [f for first, f in functions if first <= line][-1:] or ["-"]
            seen.add((name, function[0]))
            if (name, function[0]) not in known:
                open_ones[name, function[0]].append(line)
            if options.missed == name:
                print(f"  {line}: {function[0]}")
    for (name, function), lines in open_ones.items():
        print(f"runtime/{name}:{lines[0]}: {function}: {len(lines)} lines are not reached")
    gone = sorted(row for row in set(known) - seen if row[0] in names)
    for name, function in gone:
        print(f"uncovered.txt: error: {function} of {name} is reached, or gone")
    for kind in KINDS:
        total = data["totals"][kind]
        print(f"{kind}: {total['covered']} of {total['count']}, {total['percent']:.1f} %")
    sys.exit(1 if gone else 0)


main()
