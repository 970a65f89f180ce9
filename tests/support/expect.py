# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the graphs of a file with the expected results in its comments.

    # RUN: %{python} %{root}/tests/support/expect.py %{reshapec} "%{cc}" %t.dir %s

    graph g(x: f32[2, 3]) -> y {
        # EXPECT y static [3, 2] = x.T
        y = transpose(x)
    }

An EXPECT line has the name, tier and sizes of a result, and its elements: either a numpy expression, in which each
input is an array of element numbers (a second input continues after the first), or the numbers in memory order,
`0 3 1 4 ...` (`...` stands for any further numbers). Kernels run with each buffer next to the guard page after it, and
again next to the one before it. Options after the file go to the compiler.
"""

import os
import re
import sys

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402

import harness  # noqa: E402
import oracle  # noqa: E402

GRAPH = re.compile(r"^graph (\w+)\(([^)]*)\)")
INPUT = re.compile(r"(\w+): (\w+)(?:\[([^\]]*)\])?")
EXPECT = re.compile(r"^\s*# EXPECT (\w+) (\w+) \[([^\]]*)\] = (.*)")
NUMBERS = re.compile(r"-?\d+( -?\d+)*( \.\.\.)?$|empty$")


def sizes(text):
    return [int(d) for d in (text or "").split(",") if d.strip()]


def read(path):
    """Returns {graph: ([(input, dtype, dims)], {result: (tier, dims, elements)})}."""
    graphs, current = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if head := GRAPH.match(line):
                inputs = [(n, t, sizes(d)) for n, t, d in INPUT.findall(head[2])]
                current = graphs[head[1]] = (inputs, {})
            elif said := EXPECT.match(line):
                current[1][said[1]] = (said[2], sizes(said[3]), said[4].strip())
            elif "EXPECT" in line and "RUN:" not in line:
                raise SystemExit(f"expect.py: cannot read {line!r}")
    return graphs


def elements(text, inputs, arrays):
    """Returns (expected numbers in memory order, whether more may follow)."""
    if text == "empty":
        return np.array([], np.int64), False
    if NUMBERS.match(text):
        words = text.split()
        return np.array([int(w) for w in words if w != "..."]), words[-1] == "..."
    names = {"np": np, **{i[0]: a for i, a in zip(inputs, arrays)}}
    return np.ascontiguousarray(eval(text, names)).reshape(-1), False  # the expressions are our own


def check(compiler, library, entry, inputs, wanted):
    """Returns what is wrong with one graph, or ""."""
    arrays, bases = oracle.element_numbers([dims for _, _, dims in inputs])
    outputs = entry["outputs"]
    if [o["name"] for o in outputs] != list(wanted):
        return f"results {[o['name'] for o in outputs]}, EXPECT lines for {list(wanted)}"
    expected = []
    for o in outputs:
        tier, dims, text = wanted[o["name"]]
        if (o["tier"], o["dims"]) != (tier, dims):
            return f"{o['name']} is {o['tier']} {o['dims']}, not {tier} {dims}"
        numbers, is_open = elements(text, inputs, arrays)
        if not is_open and numbers.size != np.prod(dims, dtype=np.int64):
            return f"{o['name']}: EXPECT has {numbers.size} elements"
        expected.append(numbers)
        if is_open or tier != "alias" or not numbers.size:
            continue
        source, offset = oracle.view_of(numbers, bases)
        if source is None or o["sources"] != [inputs[source][0]] or o["offset"] != offset:
            return f"{o['name']} is an alias of {o['sources']} at {o['offset']}: wrong data"
    function = getattr(library, entry["name"])
    volumes = [int(np.prod(o["dims"], dtype=np.int64)) for o in outputs]
    for at_end in (True, False):
        caller = harness.Caller()
        got = harness.kernel_maps(caller, function, arrays, volumes, inputs[0][1], at_end)
        for o, numbers, want in zip(outputs, got, expected):
            if numbers is None or not np.array_equal(numbers[: want.size], want):
                return f"{o['name']} is {numbers}, not {want}"
    return ""


def main():
    reshapec, cc, work, path, *options = sys.argv[1:]
    compiler = harness.Compiler(reshapec, cc, work)
    graphs = read(path)
    explained = compiler.explain(path)
    if not graphs or list(graphs) != list(explained):
        sys.exit(f"expect.py: graphs {list(graphs)}, explained are {list(explained)}")
    library = compiler.library(path, "expect", *options)
    wrong = 0
    jobs = list(graphs.items())
    work_one = lambda job: check(compiler, library, explained[job[0]], *job[1])  # noqa: E731
    for (name, _), verdict in harness.isolated(jobs, work_one):
        if verdict:
            wrong += 1
            print(f"{path}: graph {name}: {verdict}")
    sys.exit(wrong > 0)


main()
