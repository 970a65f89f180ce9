#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The maximum stack of functions of the runtime, from the call graph that gcc writes.

    stack.py [--cc "arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb"] [--option -D...] [--by-pointer NAME=FUNCTION,...]...
             [--at-most NAME=BYTES]... [FUNCTION...]

Prints the deepest chain of calls below each function, with the frame of each. Implicit calls of compilers (divisions)
are those of calls_long.c. --by-pointer names the functions that a function calls by pointer; patterns with * match
several functions, and "" none. Recursion, other calls by pointer and frames without a bound are errors.
"""

import argparse
import fnmatch
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


def call_graph(cc, options, work):
    """Returns {function: frame} and {function: [callees]} for all files of the runtime."""
    frames, calls = {}, {}
    for source in sorted(glob.glob(os.path.join(ROOT, "runtime", "*.c"))):
        if os.path.basename(source).startswith(("poly", "unknown")):
            continue
        code = os.path.join(work, os.path.basename(source)[:-2] + ".o")
        subprocess.run(
            [*cc.split(), "-std=c11", "-Os", *options, f"-I{ROOT}", "-ffreestanding", "-fno-tree-loop-distribute-patterns",
             "-include", f"{ROOT}/runtime/calls.h", "-fcallgraph-info=su", "-c", source, "-o", code],
            check=True, env={**os.environ, "CCACHE_DISABLE": "1"},  # ccache keeps only objects
        )  # fmt: skip
        with open(code[:-2] + ".ci", encoding="utf-8") as file:
            text = file.read()
        for name, label in re.findall(r'node: \{ title: "([^"]*)" label: "([^"]*)"', text):
            used = re.search(r"(\d+) bytes \((\w[^)]*)\)", label)
            if used:
                if used[2] not in ("static", "dynamic,bounded"):
                    sys.exit(f"{name}: its frame has no bound")
                frames[name] = int(used[1])
        for caller, callee in re.findall(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', text):
            calls.setdefault(caller, []).append(callee)
    return frames, calls


# Functions in assembly, which save registers and call a C function.
ASSEMBLY = {"rsh_both": (24, "rsh_divide_signed"), "rsh_both_unsigned": (24, "rsh_divide")}


def add_calls_of_compilers(frames, calls):
    """Adds the functions that compilers call implicitly, under the names in calls.h."""
    with open(os.path.join(ROOT, "runtime", "calls.h"), encoding="utf-8") as file:
        names = re.findall(r"\.set (\w+), (\w+)", file.read())
    for name, (frame, callee) in ASSEMBLY.items():
        frames[name], calls[name] = frame, [callee]
    for name, meant in names:
        calls[name] = [meant]


def short(name):
    return name.rsplit(":", 1)[-1]


def deepest(name, frames, calls, known, above=()):
    """The chain of calls below a function that uses the most stack: [(function, frame)...]."""
    if name in above:
        sys.exit(f"recursion: {' '.join(map(short, above))} {short(name)}")
    if name == "__indirect_call":
        sys.exit(f"a call by pointer: {' '.join(map(short, above))}")
    if name not in known:
        chains = [deepest(n, frames, calls, known, (*above, name)) for n in calls.get(name, [])]
        most = max(chains, key=lambda chain: sum(frame for _, frame in chain), default=[])
        known[name] = [(short(name), frames.get(name, 0)), *most]
    return known[name]


def lead_pointers(frames, calls, pairs):
    """Replaces calls by pointer by calls of the given functions."""
    for caller, patterns in (pair.split("=") for pair in pairs):
        meant = [n for n in frames if any(fnmatch.fnmatchcase(short(n), p) for p in patterns.split(","))]
        found = [n for n in calls if short(n) == caller and "__indirect_call" in calls[n]]
        if not found or (patterns and not meant):
            sys.exit(f"--by-pointer {caller}={patterns}: there is no such call")
        for name in found:
            calls[name] = [n for n in calls[name] if n != "__indirect_call"] + meant


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", default="arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--at-most", action="append", default=[])
    parser.add_argument("--by-pointer", action="append", default=[])
    parser.add_argument("functions", nargs="*")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        frames, calls = call_graph(args.cc, args.option, work)
    add_calls_of_compilers(frames, calls)
    lead_pointers(frames, calls, args.by_pointer)
    limits = dict(limit.split("=") for limit in args.at_most)
    known, too_much = {}, 0
    for function in [*limits, *args.functions]:
        matches = [n for n in frames if short(n) == function]
        if not matches:
            sys.exit(f"there is no function {function}")
        chain = deepest(matches[0], frames, calls, known)
        total = sum(frame for _, frame in chain)
        print(f"{total:5} {' '.join(f'{name}:{frame}' for name, frame in chain)}")
        if total > int(limits.get(function, total)):
            print(f"{function}: more than {limits[function]} bytes")
            too_much = 1
    sys.exit(too_much)


main()
