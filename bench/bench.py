# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the chains of cases.tsv for this machine and times each kernel against memcpy and numpy.

bench.py --reshapec R --cc CC --runtime A --work W [--only TEXT] [--seconds S]

A row prints the kernel's speed as a part of memcpy's (1.00: as fast as copying the same bytes), how many
times faster it is than numpy's copy of the same view, and the speed of the runtime's engine, which is
given the same loops as data, as a part of the kernel's. Results are checked against numpy first.
The columns of cases.tsv: id, dtype, shape, and the chain, whose operators are those of the chain corpus.
"""
import argparse
import ctypes
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
NUMPY = {"c64": "c8", "f16": "f2", "f32": "f4", "f64": "f8", "u8": "u1", "i8": "i1", "c128": "c16"}


def ints(text):
    return [int(part) for part in text.split(",")]


def ranges(text):
    return [slice(*ints(part.replace(":", ","))) for part in text.split(",")]


def step(name, argument):
    """One operator as .rsh text and as a function on a numpy view."""
    if name == "transpose":
        return f"transpose({ints(argument)})", lambda x: x.transpose(ints(argument))
    if name == "reshape":
        return f"reshape({ints(argument)})", lambda x: x.reshape(ints(argument))
    if name == "expand":
        return f"expand({ints(argument)})", lambda x: np.broadcast_to(x, ints(argument))
    if name == "flip":
        return f"flip({ints(argument)})", lambda x: np.flip(x, ints(argument))
    if name == "slice":
        cut = ranges(argument)
        return (f"slice({[c.start for c in cut]}, {[c.stop for c in cut]}, {list(range(len(cut)))}, "
                f"{[c.step for c in cut]})"), lambda x: x[tuple(cut)]
    if name == "concat-halves":  # the halves lie one after the other: a transpose of two rows
        return "transpose([1, 0, 2]) |> reshape([1024, 512])", lambda x: np.concatenate([x[0], x[1]], axis=1)
    raise SystemExit(f"bench.py: no operator {name}")


def read_cases(only):
    for line in (HERE / "cases.tsv").read_text().splitlines()[1:]:
        name, dtype, shape, chain = line.split("\t")
        if only in name:
            steps = [re.match(r"(\S+) (\S+)", part.strip()).groups() for part in chain.split("|")]
            yield name, dtype, ints(shape), [step(*s) for s in steps]


def aligned(bytes_, offset=0):
    """Zeroed bytes at an address that is a multiple of 64."""
    block = np.zeros(bytes_ + 128, np.uint8)
    start = -block.ctypes.data % 64 + offset
    return block[start:start + bytes_]


def compile_all(cases, options):
    work = Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    text = "".join(f"graph k_{name}(x: {dtype}{shape}) -> y {{\n    y = x |> " +
                   " |> ".join(s[0] for s in steps) + "\n}\n" for name, dtype, shape, steps in cases)
    (work / "cases.rsh").write_text(text)
    subprocess.run([options.reshapec, work / "cases.rsh", "-O3", "-mcpu=native", "-o", work / "cases.o"], check=True)
    subprocess.run([options.cc, "-std=c11", "-O2", "-shared", "-fPIC", "-I", HERE.parent, "-o", work / "cases.so",
                    work / "cases.o", HERE / "timer.c", options.runtime], check=True)
    report = subprocess.run([options.reshapec, "explain", "--json", work / "cases.rsh"], check=True,
                            capture_output=True).stdout
    outputs = [graph["outputs"][0] for graph in json.loads(report)["graphs"]]
    return ctypes.CDLL(os.path.abspath(work / "cases.so")), outputs


def set_engine(library, output, width, source, result):
    numbers = ctypes.c_int64 * len(output["nest"])
    library.set_engine(numbers(*(loop[0] for loop in output["nest"])), numbers(*(loop[1] for loop in output["nest"])),
                       len(output["nest"]), ctypes.c_int64(output["offset"]), width, source, result)


def measure(library, case, output, seconds):
    name, dtype, shape, steps = case
    element = np.dtype(NUMPY[dtype])
    source = aligned(math.prod(shape) * element.itemsize)
    source[:] = np.random.default_rng(3).integers(0, 256, source.size, np.uint8)
    # Moved as integers: numpy would take care of NaNs that are none.
    view = source.view(f"u{element.itemsize}" if element.itemsize <= 8 else element).reshape(shape)
    for _, function in steps[:-1]:
        view = function(view)
    expected = np.ascontiguousarray(steps[-1][1](view))
    result, other = aligned(expected.nbytes), aligned(expected.nbytes)
    kernel = getattr(library, "k_" + name)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (source, result, other)]
    for run in (kernel, lambda *to: set_engine(library, output, element.itemsize, *to)):
        result[:] = 0xCC
        run(pointers[0], pointers[1])
        if result.tobytes() != expected.tobytes():
            raise SystemExit(f"bench.py: {name} is wrong")
    times = (ctypes.c_double * 3)()
    calls = 1
    while True:  # rounds long enough for the clock
        library.time_all(kernel, *pointers, ctypes.c_size_t(expected.nbytes), 1, calls, times)
        if times[0] * calls > 1e-4 or calls >= 1 << 20:
            break
        calls *= 2
    rounds = max(5, min(101, int(seconds / (calls * sum(times)))))
    library.time_all(kernel, *pointers, ctypes.c_size_t(expected.nbytes), rounds, calls, times)
    return tuple(times)


def numpy_seconds(case, calls):
    import timeit
    _, dtype, shape, steps = case
    x = np.zeros(shape, NUMPY[dtype])

    def run():
        view = x
        for _, function in steps:
            view = function(view)
        return np.array(view, order="C", copy=True)
    return min(timeit.repeat(run, number=calls, repeat=3)) / calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("reshapec", "cc", "runtime", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    cases = list(read_cases(options.only))
    library, outputs = compile_all(cases, options)
    labels = "of memcpy", "of numpy", "engine"
    means = [0.0] * len(labels)
    print(f"{'case':34}" + "".join(f" {label:>9}" for label in labels))
    for case, output in zip(cases, outputs):
        kernel, engine, memcpy = measure(library, case, output, options.seconds)
        calls = max(1, min(1000, int(0.05 / max(kernel, 1e-7))))
        row = memcpy / kernel, numpy_seconds(case, calls) / kernel, kernel / engine
        means = [mean + math.log(value) / len(cases) for mean, value in zip(means, row)]
        print(f"{case[0]:34} {row[0]:9.2f} {row[1]:9.1f} {row[2]:9.2f}", flush=True)
    for label, mean in zip(("kernels of memcpy", "kernels of numpy", "engine of kernels"), means):
        print(f"geometric mean, {label}: {math.exp(mean):.2f} over {len(cases)} cases")
    return 0


sys.exit(main())
