#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds files that call each other in a cycle, from the objects of a build: cycles.py BUILD

Files call only downward, unless the work itself is recursive: scripts/cycles.txt lists these cycles, with reasons.
Prints each cycle, and fails if the list differs.
"""
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def lines(name):
    return [line for line in (HERE / name).read_text().splitlines() if not line.startswith("#")]


def calls(build):
    """Returns {file: the files whose functions it calls}."""
    files = [f"{layer}/{source.stem}" for layer in lines("layers.txt") for source in sorted((HERE.parent / layer).glob("*.c"))]
    objects = [f"{build}/{file}.o" for file in files]
    symbols = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout
    defined, needed = {}, {file: set() for file in files}
    for entry in symbols.splitlines():
        path, _, rest = entry.removeprefix(f"{build}/").partition(".o:")
        kind, name = rest.split()[-2:]
        if kind in "TDRBC":  # codegen/llvm and codegen/no_llvm define the same symbols
            defined.setdefault(name, set()).add(path)
        elif kind == "U":
            needed[path].add(name)
    return {file: set().union(*(defined.get(name, ()) for name in names)) - {file} for file, names in needed.items()}


def reach(graph, start):
    seen, todo = set(), [start]
    while todo:
        for file in graph[todo.pop()] - seen:
            seen.add(file)
            todo.append(file)
    return seen


def cycles(graph):
    reached = {file: reach(graph, file) for file in graph}
    found = []
    for file in sorted(graph):
        if file in reached[file] and not any(file in cycle for cycle in found):
            found.append(sorted(other for other in reached[file] if file in reached[other]))
    return found


def main():
    listed = sorted((line.split()[0], int(line.split()[1])) for line in lines("cycles.txt"))
    found = cycles(calls(sys.argv[1]))
    for cycle in found:
        print(len(cycle), *cycle)
    made = sorted((cycle[0].rpartition("/")[0], len(cycle)) for cycle in found)
    for entry in sorted(set(made) ^ set(listed)):
        print(f"error: {'a cycle of' if entry in made else 'scripts/cycles.txt lists'} {entry[1]} files in {entry[0]}")
    return made != listed


sys.exit(main())
