# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares graphs with layouts and strides with the memory contents that the file states.

    # RUN: %{python} %{root}/tests/layout/Inputs/stored.py %{root} %{reshapec} "%{cc}" %t.dir %s

    graph g(x: f32[2, 3] layout "a b -> b a") -> y {
        # STORED x [3, 2]
        # EXPECT y static [2, 3] = x.T
        y = x
    }

STORED gives the sizes of an input in memory; its elements are 1, 2, 3 .... EXPECT gives a result's tier and
sizes, and after = what its memory holds, in numpy, where each input is its memory. view(x, offset, sizes,
strides) is an array at strides; spread(array, offset, strides) is an array put at strides, with gaps that
must stay as they were. Kernels are called between guard pages.
"""

import os
import re
import sys

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(sys.argv[1], "tests", "support"))

import numpy as np  # noqa: E402

import harness  # noqa: E402

GRAPH = re.compile(r"^graph (\w+)\(")
STORED = re.compile(r"^\s*# STORED (\w+) \[([^\]]*)\]$")
EXPECT = re.compile(r"^\s*# EXPECT (\w+) (\w+) \[([^\]]*)\] = (.*)")
TYPE = re.compile(r"\b(u8|i16|i32|f32|f64)\b")


def sizes(text):
    return [int(d) for d in text.split(",") if d.strip()]


def view(x, offset, dims, strides):
    flat = x.reshape(-1)
    steps = [s * flat.itemsize for s in strides]
    return np.lib.stride_tricks.as_strided(flat[offset:], dims, steps)


def spread(values, offset, strides):
    reach = [(d - 1) * abs(s) for d, s in zip(values.shape, strides)]
    memory = np.full((1 + sum(reach)) * values.itemsize, harness.POISON, np.uint8)
    memory = memory.view(values.dtype)
    for index in np.ndindex(values.shape):
        memory[offset + sum(i * s for i, s in zip(index, strides))] = values[index]
    return memory


def read(path):
    """Returns {graph: (element type, {input: sizes in memory}, {result: (tier, sizes, expression)})}."""
    graphs, current = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if head := GRAPH.match(line):
                current = graphs[head[1]] = (TYPE.search(line)[1], {}, {})
            elif said := STORED.match(line):
                current[1][said[1]] = sizes(said[2])
            elif said := EXPECT.match(line):
                current[2][said[1]] = (said[2], sizes(said[3]), said[4])
            elif re.search("EXPECT|STORED", line) and "RUN:" not in line:
                raise SystemExit(f"stored.py: cannot read {line!r}")
    return graphs


def check(library, entry, dtype, inputs, wanted):
    """Returns what is wrong with one graph, or ""."""
    element = harness.NUMPY_TYPES[dtype]
    names, at = {"np": np, "view": view, "spread": spread}, 1
    for name, dims in inputs.items():
        count = int(np.prod(dims))
        names[name] = np.arange(at, at + count).astype(element).reshape(dims)
        at += count
    if [o["name"] for o in entry["outputs"]] != list(wanted):
        return f"results {[o['name'] for o in entry['outputs']]}, EXPECT lines for {list(wanted)}"
    expected = []
    for o in entry["outputs"]:
        tier, dims, text = wanted[o["name"]]
        if (o["tier"], o["dims"]) != (tier, dims):
            return f"{o['name']} is {o['tier']} {o['dims']}, not {tier} {dims}"
        memory = np.ascontiguousarray(eval(text, names))  # the expressions are our own
        expected.append(memory.reshape(-1).view(np.uint8))
    data = [names[name].reshape(-1).view(np.uint8) for name in inputs]
    function, width = getattr(library, entry["name"]), np.dtype(element).itemsize
    for at_end in (True, False):
        got = harness.Caller().run(function, data, [e.size for e in expected], width, at_end)
        for o, out, want in zip(entry["outputs"], got, expected):
            if not np.array_equal(out, want):
                return f"{o['name']} is {out.view(element)}, not {want.view(element)}"
    return ""


def main():
    _, reshapec, cc, work, path = sys.argv[1:]
    compiler = harness.Compiler(reshapec, cc, work)
    graphs, explained = read(path), compiler.explain(path)
    if not graphs or list(graphs) != list(explained):
        sys.exit(f"stored.py: graphs {list(graphs)}, explained are {list(explained)}")
    library = compiler.library(path, "stored")
    wrong = 0
    work_one = lambda job: check(library, explained[job[0]], *job[1])  # noqa: E731
    for (name, _), verdict in harness.isolated(list(graphs.items()), work_one):
        if verdict:
            wrong += 1
            print(f"{path}: graph {name}: {verdict}")
    sys.exit(wrong > 0)


main()
