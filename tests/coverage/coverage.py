#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which lines, branches and conditions of the sources the tests reach: `make coverage`.

    coverage.py --build build/coverage --llvm DIR --tests                     the tests below, and the floors
    coverage.py --build build/coverage --llvm DIR --tests tests/unit/num.c    only these, without floors
    coverage.py --build build/coverage --llvm DIR --missed runtime/poly.c     what of these files was not reached

The build counts. The counts of several runs add up.

All of the files of HELD is reached, or is in Inputs/uncovered.txt with a reason: a row that is reached is an error, and
so is what is neither reached nor in a row. A row has the text of a line that does not run, or of a condition that is not true and
false, or not shown to decide alone (MC/DC). What does not run at all has a row for its lines, and none for its
conditions. Folders, and the readers of files, have FLOORS.
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
# Those that reach in the runtime or the readers what no other does.
TESTS = ["unit", "frontend", "runtime", "dynamic", "indices", "layout", "repros", "lower", "grammar", "script", "fuzz", "npy",
         "openvino", "onnx", "model", "einops", "fmt", "lsp", "codegen/tuning-errors.test", "codegen/tuning-machine.test",
         "differential/graphs-1.test", "fold/parts-beside-computed.rsh", "driver/check-sarif.test", "driver/dump-ast.test"]  # fmt: skip
READERS = ("frontend/onnx/", "frontend/text/", "grammar/", "frontend/data/npy", "driver/script/named", "codegen/plan/tuning.c")
HELD = [f"runtime/{name}" for name in (
    "calls.c", "calls_long.c", "convert.c", "dlpack.c", "dtype.c", "engine.c", "fold.c", "fold.h", "fold_all.c",
    "fold_pieces.c", "fold_rules.h", "map.c", "map.h", "move.c", "moves.c", "moves.h", "num.c", "op.c", "op.h",
    "picks.c", "picks.h", "program.c", "program_cast.c", "program_copy.c", "program_edges.c", "program_fold.c",
    "program_guards.c", "program_internal.h", "program_move.c", "program_pick.c", "program_resolve.c",
    "program_tensor.c", "reshape.c", "resolve.c", "resolve_all.c", "resolve_ask.c", "resolve_axes.c", "resolve_index.c",
    "resolve_map.c", "resolve_parts.c", "resolve_pieces.c", "shape.c", "status.c", "unknown.c")]
HELD += ["frontend/onnx/onnx_reorder.c", "frontend/text/sha256.c", "frontend/text/uri.c", "frontend/text/words.c"]
FLOORS = {"runtime": {"lines": 99, "branches": 98, "mcdc": 97},
          "readers": {"lines": 97, "branches": 92, "mcdc": 84}}  # percent of a folder, or of READERS
KINDS = ("lines", "branches", "mcdc")


def run_tests(options, tests, profiles):
    """A test may fail that looks at the library's bytes or symbols: what counts is another code.

    Processes of one program share a few files. Programs of tests in C may look like one to clang, which then drops the
    counts of the second, so each of their processes has a file.
    """
    log = os.path.join(options.build, "tests.log")
    programs = [t for t in tests if t.startswith(("tests/unit", "tests/fuzz", "tests/runtime"))]
    for pattern, some in ("%p", programs), ("%4m", [t for t in tests if t not in programs]):
        command = [sys.executable, "scripts/run_tests.py", "--build", options.build, *some]
        environment = os.environ | {"LLVM_PROFILE_FILE": os.path.join(profiles, pattern + ".profraw")}
        if some:
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
            with open(log, "w" if some is programs or not programs else "a", encoding="utf-8") as file:
                file.write(done.stdout)
            print(*done.stdout.splitlines()[-1:], sep="\n")


def read_counts(options, profiles):
    """What llvm-cov exports of all counts together."""
    merged = os.path.join(options.build, "profiles.profdata")
    tools = [os.path.join(options.llvm, name) for name in ("llvm-profdata", "llvm-cov")]
    raw = glob.glob(os.path.join(profiles, "*.profraw"))
    # Programs that tests build in other ways have counts of their own, which do not fit: that is said of each.
    subprocess.run([tools[0], "merge", "-sparse", "-o", merged, *raw], check=True, stderr=subprocess.DEVNULL)
    command = [tools[1], "export", os.path.join(options.build, "reshapec"), "-instr-profile", merged]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)["data"][0]


def name_of(path):
    """Of a file of the tree; of others, and of what is made, there is none."""
    name = os.path.relpath(os.path.join(ROOT, path), ROOT)
    return None if name.startswith(("..", "build")) or name.endswith(".def") else name


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


class Conditions:
    """The conditions of a file, by their places: times they were true and false, and whether they decided alone."""

    def __init__(self):
        self.times = {}  # (line, column, line, column): [true, false]
        self.alone = {}  # the same: whether it was shown that this condition alone decides
        self.ran = collections.Counter()  # place of a region: times

    def add(self, function):
        for *place, count, file, _, kind in function["regions"]:
            if file == 0 and kind == 0:
                self.ran[tuple(place)] += count
        branches = []
        for *place, yes, no, file, _, _ in function["branches"]:
            if file == 0:
                branches.append(tuple(place))
                times = self.times.setdefault(tuple(place), [0, 0])
                times[0] += yes
                times[1] += no
        for *place, _, _, decided in function["mcdc_records"]:
            inside = sorted({b for b in branches if tuple(place[:2]) <= b[:2] and b[2:] <= tuple(place[2:])})
            if len(inside) == len(decided):  # not those of a macro
                for branch, alone in zip(inside, decided):
                    self.alone[branch] = self.alone.get(branch, False) or alone

    def missed(self):
        """(place, what is missed) of conditions in code that runs."""
        for place, (yes, no) in sorted(self.times.items()):
            around = [r for r in self.ran if r[:2] <= place[:2] and place[2:] <= r[2:]]
            innermost = max(around, key=lambda r: (r[:2], [-n for n in r[2:]]), default=None)
            if innermost is None or self.ran[innermost] == 0 or yes == no == 0:  # the last: a constant
                continue
            if yes == 0 or no == 0:
                yield place, "never true" if yes == 0 else "never false"
            elif not self.alone.get(place, True):
                yield place, "decides never alone"


def functions_of(text):
    """(first line, name) of each function of a C file, which clang-format lays out."""
    found = [(0, "-")]
    for number, line in enumerate(text, 1):
        match = re.match(r"[A-Za-z].*?\b(\w+)\(", line)
        if match and not line.rstrip().endswith(";"):
            found.append((number, match[1]))
    return found


def text_at(text, place):
    """Of a condition, on one line."""
    first, begin, last, end = place
    lines = [line.encode() for line in text[first - 1 : last]]
    lines[-1] = lines[-1][: end - 1]
    lines[0] = lines[0][begin - 1 :]
    return " ".join(b" ".join(lines).decode().split())


def is_default(text, place):
    """Whether the condition is the default that a switch does not have: enumerators that it lacks are compile errors."""
    return text[place[0] - 1][: place[1] - 1].endswith("switch (")


def all_missed(data):
    """{file: [(line, function, text, what)]}"""
    conditions, missed = collections.defaultdict(Conditions), {}
    for function in data["functions"]:
        conditions[name_of(function["filenames"][0])].add(function)
    for file in data["files"]:
        name = name_of(file["filename"])
        if name is None:
            continue
        with open(os.path.join(ROOT, name), encoding="utf-8") as source:
            text = source.read().split("\n")
        functions = functions_of(text)
        found = [(line, text[line - 1].strip(), "does not run") for line in missed_lines(file)]
        found = [row for row in found if re.search(r"\w", row[1])]  # closing braces go with what is before them
        conditions_missed = [c for c in conditions[name].missed() if not is_default(text, c[0])]
        found += [(place[0], text_at(text, place), what) for place, what in conditions_missed]
        file["summary"]["branches"]["count"] -= len({tuple(b[:4]) for b in file["branches"] if is_default(text, b)})
        missed[name] = [(line, [f for first, f in functions if first <= line][-1], *row) for line, *row in sorted(found)]
    return missed


def reasons():
    """{(file, function, text): why} of uncovered.txt."""
    found = {}
    with open(os.path.join(HERE, "Inputs", "uncovered.txt"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#") and line.strip():
                *key, why = line.rstrip("\n").split("\t")
                found[tuple(key)] = why
    return found


def percent(some, kind):
    covered, count = (sum(file["summary"][kind][key] for file in some) for key in ("covered", "count"))
    return covered, count, 100 * covered / count if count else 100.0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", required=True)
    options.add_argument("--llvm", required=True, help="folder of llvm-cov")
    options.add_argument("--tests", nargs="*", help="tests to run first; none: those that the floors are for")
    options.add_argument("--missed", nargs="*", default=[], help="files of which to print what is not reached")
    options = options.parse_args()
    options.build = os.path.abspath(options.build)
    profiles = os.path.join(options.build, "profiles")
    if options.tests is not None:
        run_tests(options, options.tests or [os.path.join("tests", t) for t in TESTS], profiles)
    data = read_counts(options, profiles)
    files = {name_of(file["filename"]): file for file in data["files"]}
    files.pop(None, None)
    missed, known, errors = all_missed(data), reasons(), []

    folders = collections.defaultdict(list)
    for name, file in sorted(files.items()):
        folders[os.path.dirname(name)].append(file)
        if name.startswith("runtime/") or name in options.missed:
            print(f"{name:32}" + "".join(f"  {kind} {percent([file], kind)[2]:5.1f} %" for kind in KINDS))
        for line, function, text, what in missed[name]:
            row = (name, function, text)
            if name in options.missed:
                print(f"{name}:{line}: {function}: {text}: {what}{'  # ' + known[row] if row in known else ''}")
            elif name in HELD and row not in known:
                errors.append(f"{name}:{line}: error: {function}: {text}: {what}")
    reached = set(known) - {(name, *row[1:3]) for name, rows in missed.items() for row in rows}
    errors += [f"uncovered.txt: error: {' '.join(row)}: is reached, or gone" for row in sorted(reached) if row[0] in files]
    print("\n".join(errors))
    folders["readers"] = [file for name, file in sorted(files.items()) if name.startswith(READERS)]
    for folder, some in [*folders.items(), ("all", files.values())]:
        print(f"{folder:20}" + "".join(f"  {kind} {c} of {n}, {p:.1f} %" for kind in KINDS for c, n, p in [percent(some, kind)]))
    if options.tests == []:  # of other tests, or earlier ones, no more is expected
        below = [f"{folder}: error: less than {least} % of {kind}" for folder, floors in FLOORS.items()
                 for kind, least in floors.items() if percent(folders[folder], kind)[2] < least]  # fmt: skip
        print("\n".join(below))
        sys.exit(1 if errors or below else 0)


main()
