# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares graphs that gather by an input of indices with numpy.

    # RUN: %{python} %{root}/tests/support/indices.py %{reshapec} "%{cc}" %t.dir %t/file.rsh

    # SIZES B=2 S=3
    # SIZES B=0 S=1
    # INDEX i 50
    # EXPECT y = np.take(w, i, axis=0)
    graph embed(w: f32[50, 8], i: i64[B, S]) -> y {
        y = gather(w, i)
    }

The comments describe the graph below them. `INDEX i 50` says that the numbers of input i are from -50 to 49. Other
inputs contain the numbers of their elements. `NUMBERS t 7` also draws the numbers of t, but none is out of range.
Indices are drawn five times, including both ends, and once more with one that is out of range: this call must return
bad_index and write nothing. Objects and C are compared. Options after the file go to the compiler. EXPECT may call
gather_nd(x, i, batch_dims), which is implemented here.
"""

import itertools
import os
import re
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import dynamic  # noqa: E402
import harness  # noqa: E402

GRAPH = re.compile(r"^graph (\w+)\((.*)\) -> ")
INPUT = re.compile(r"(\w+): (\w+)(?:\[([^\]]*)\])?")
TYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "i64": "i8", "u32": "u4", "u64": "u8"}


def gather_nd(x, indices, batch_dims=0):
    """Implements ONNX's definition, tuple by tuple."""
    batch, rest = x.shape[:batch_dims], indices.shape[batch_dims:-1]
    result = np.zeros(batch + rest + x.shape[batch_dims + indices.shape[-1] :], x.dtype)
    for place in itertools.product(*(range(n) for n in batch + rest)):
        result[place] = x[place[:batch_dims] + tuple(indices[place])]
    return result


def read(path):
    """Returns [(name, [(input, type, dims)], [sizes], {index: bound}, {input: bound}, {result: expression})]."""
    graphs, sizes, bounds, numbers, wanted = [], [], {}, {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if said := re.match(r"# SIZES (.*)", line):
                sizes.append({n: int(v) for n, v in (p.split("=") for p in said[1].split())})
            elif said := re.match(r"# INDEX (\w+) (.*)", line):
                bounds[said[1]] = said[2]
            elif said := re.match(r"# NUMBERS (\w+) (.*)", line):
                numbers[said[1]] = said[2]
            elif said := re.match(r"# EXPECT (\w+) = (.*)", line):
                wanted[said[1]] = said[2]
            elif head := GRAPH.match(line):
                graphs.append((head[1], INPUT.findall(head[2]), sizes or [{}], bounds, numbers, wanted))
                sizes, bounds, numbers, wanted = [], {}, {}, {}
    return graphs


def arrays_of(inputs, sizes, bounds, rng):
    arrays, first = {}, 0
    for name, kind, dims in inputs:
        shape = [int(eval(d, {}, sizes)) for d in dims.split(",") if d.strip()]
        count = int(np.prod(shape, dtype=np.int64))
        if name in bounds:
            bound = int(eval(bounds[name], {}, sizes))
            numbers = rng.integers(-bound, bound, count) if bound else np.zeros(count)
            if count and bound:
                numbers[0], numbers[-1] = -bound, bound - 1
        else:
            numbers = np.arange(first, first + count)
            first += count
        arrays[name] = numbers.astype(TYPES[kind]).reshape(shape)
    return arrays


def call(program, name, sizes, arrays, expected):
    """Makes a call. Returns its status and {result: elements}."""
    outputs = {n: np.full(a.shape, 0, a.dtype) for n, a in expected.items()}
    for a in outputs.values():
        a.reshape(-1).view(np.uint8)[:] = harness.POISON
    values = {**sizes, **arrays, **outputs, "scratch": np.zeros(1 << 14, np.uint8)}
    status = program.call(name, values)
    dims = {n + "_dims": np.zeros(16, np.int64) for n in outputs}
    told = program.call(name + "_shape", {**values, **dims})
    if told != "ok":
        raise RuntimeError(f"{name}_shape says {told}")
    for n, a in outputs.items():
        if list(dims[n + "_dims"][: a.ndim]) != list(a.shape):
            raise RuntimeError(f"{name}_shape says {dims[n + '_dims'][: a.ndim]}, not {a.shape}")
    return status, outputs


def check(program, graph, sizes, rng):
    name, inputs, _, bounds, numbers, wanted = graph
    arrays = arrays_of(inputs, sizes, {**bounds, **numbers}, rng)
    if any(a.size and not int(eval(bounds[n], {}, sizes)) for n, a in arrays.items() if n in bounds):
        return ""  # an axis without elements has no indices
    given = {"np": np, "gather_nd": gather_nd, **sizes, **arrays}
    expected = {n: np.array(eval(text, given), order="C") for n, text in wanted.items()}
    status, made = call(program, name, sizes, arrays, expected)
    if status != "ok":
        return f"{name} {sizes}: status {status}"
    for n, a in expected.items():
        if made[n].tobytes() != a.tobytes():
            return f"{name} {sizes}: {n} is {made[n].tolist()}, expected {a.tolist()}"
    for n in bounds:
        if not arrays[n].size:
            continue
        broken = {**arrays, n: arrays[n].copy()}
        bound, most = int(eval(bounds[n], {}, sizes)), np.iinfo(arrays[n].dtype)
        bad = [bound, -bound - 1, most.min, most.max][rng.integers(4)]
        broken[n].reshape(-1)[rng.integers(arrays[n].size)] = bad
        status, made = call(program, name, sizes, broken, expected)
        if status != "bad_index":
            return f"{name} {sizes}: status {status} with {bad} in {n}"
        if any((a.reshape(-1).view(np.uint8) != harness.POISON).any() for a in made.values()):
            return f"{name} {sizes}: written although {n} has {bad}"
    return ""


def main():
    reshapec, cc, work, path, *options = sys.argv[1:]
    compiler, wrong, runs = harness.Compiler(reshapec, cc, work), 0, 0
    rng = np.random.default_rng(1)
    for form in ([], ["--emit=c"]):
        program = dynamic.Program(compiler, path, "indices", *form, *options)
        for graph in read(path):
            for sizes in graph[2]:
                for _ in range(5):
                    verdict = check(program, graph, sizes, rng)
                    runs += 1
                    if verdict:
                        wrong += 1
                        print(" ".join([*form, verdict]))
    print(f"{runs} runs, {wrong} wrong")
    sys.exit(wrong > 0 or runs == 0)


main()
