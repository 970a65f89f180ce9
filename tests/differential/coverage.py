#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures which lines and branches of the compiler and the runtime the net reaches: `make coverage-net COUNT=2000`.

    coverage.py --build build/coverage-net --work DIR --seed 1 --count 2000          runs the net, and lists FILES
    coverage.py --build build/coverage-net --work DIR --count 0 --missed poly.c      what earlier runs did not reach

The build needs `--coverage`. Runs in the same DIR accumulate; a new build needs another DIR.
"""

import argparse
import collections
import glob
import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# The files that emit and run functions with open sizes.
FILES = ["emit_dynamic.c", "emit_code.c", "c_dynamic.c", "c_entry.c", "code_entry.c", "code_dynamic.c", "tape.c", "program.c", "program_cast.c",
         "program_copy.c", "program_edges.c", "program_fold.c", "program_guards.c", "program_tensor.c",
         "program_move.c", "program_pick.c", "program_resolve.c", "lower_dims.c", "lower_pieces.c", "poly.c", "poly_facts.c", "poly_proof.c"]  # fmt: skip


def run(options):
    """Runs COUNT graphs and a tenth as many models, with a C compiler that links gcov."""
    cc = os.path.join(options.work, "cc")
    with open(cc, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {options.cc} "$@" -lgcov\n')
    os.chmod(cc, 0o755)
    given = ["--reshapec", os.path.join(options.build, "reshapec"), "--cc", cc, "--seed", str(options.seed)]
    environment = {**os.environ, "GCOV_PREFIX": os.path.join(options.work, "counts")}
    for script, more in (
        ("net.py", ["--c-compilers", cc, "--batch", "250", "--count", options.count]),
        ("models.py", ["--count", options.count // 10]),
    ):
        work = os.path.join(options.work, script)
        command = [sys.executable, "-B", os.path.join(HERE, script), *given, "--work", work, *map(str, more)]
        subprocess.run(command, check=False, env=environment)


def counts(options):
    """Returns {file: {line: [count, {branch: count}]}}, summed over all objects that contain the file."""
    found = collections.defaultdict(dict)
    below = os.path.join(options.work, "counts")
    for path in glob.glob(below + os.path.abspath(options.build) + "/**/*.gcda", recursive=True):
        notes = path.removesuffix("da") + "no"
        if not os.path.exists(notes):
            os.symlink(notes.removeprefix(below), notes)
        told = subprocess.run([*shlex.split(options.gcov), "-b", "--json-format", "--stdout", path], capture_output=True, text=True, check=True)
        for file in json.loads(told.stdout)["files"]:
            lines = found[file["file"]]
            for line in file["lines"]:
                was = lines.setdefault(line["line_number"], [0, collections.Counter()])
                was[0] += line["count"]
                was[1].update({k: b["count"] for k, b in enumerate(line["branches"])})
    return found


def print_row(name, parts):
    print(f"{name:36}" + "  ".join(f"{reached:5}/{all_:<5}{100 * reached / max(all_, 1):5.1f}%" for reached, all_ in parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--gcov", default="gcov")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--missed", action="store_true", help="print lines, and lines with branches, that were not reached")
    parser.add_argument("files", nargs="*", default=FILES, metavar="FILE", help="ends of file names: poly.c; .c selects all files")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    os.makedirs(options.work, exist_ok=True)
    if options.count:
        run(options)
    print(f"{'':36}{'lines':>16}{'branches':>18}")
    total = [[0, 0], [0, 0]]
    for name, lines in sorted(counts(options).items()):
        if name.startswith("/") or not any(("/" + name).endswith(end if end[0] == "." else "/" + end) for end in options.files):
            continue
        branches = [n for _, b in lines.values() for n in b.values()]
        parts = [(sum(n > 0 for n in some), len(some)) for some in ([n for n, _ in lines.values()], branches)]
        total = [[a + b for a, b in zip(*pair)] for pair in zip(total, parts)]
        print_row(name, parts)
        if options.missed:
            with open(name, encoding="utf-8") as file:
                text = file.read().split("\n")
            for k, (n, b) in sorted(lines.items()):
                if n == 0 or 0 in b.values():
                    what = "line    " if n == 0 else f"{sum(v == 0 for v in b.values())} of {len(b):2}"
                    print(f"  {what} {k:4} {text[k - 1]}")
    print_row("all", total)


if __name__ == "__main__":
    main()