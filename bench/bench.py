# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the chains of a table for this machine and times each kernel against memcpy and others.

bench.py --reshapec R --cc CC --runtime A --work W [--table cases|ttc57|sizes] [--only TEXT] [--seconds S]
         [--threads 1|2]

A row prints the kernel's speed as a part of memcpy's (1.00: as fast as copying the same bytes) and of that of
a copy by streaming stores, how many times faster it is than numpy and, where it is installed, torch, and the
speed of the runtime's engine, which is given the same loops as data, as a part of the kernel's. With --threads 2
kernels are run in tasks by two threads, and memcpy in parts. Results are checked against numpy first. W gets
the same as TABLE-THREADS.json and, as a picture, .svg.

cases.tsv has an id, a dtype, a shape and a chain, whose operators are those of the chain corpus; ttc57.tsv the
transpositions that HPTT was published with; sizes are square transpositions from 4 KiB to 256 MiB.
"""
import argparse
import ctypes
import json
import math
import os
import re
import subprocess
import sys
import timeit
from pathlib import Path

import numpy as np
import picture

try:
    import torch
except ImportError:
    torch = None

HERE = Path(__file__).parent
NUMPY = {"c64": "c8", "f16": "f2", "f32": "f4", "f64": "f8", "u8": "u1", "i8": "i1", "c128": "c16"}
RUNNERS = "kernel", "memcpy", "stream", "engine", "kernel on 2", "memcpy on 2"
MOST_ENGINE = 64 << 20  # bytes; the engine would take seconds for more


class Subject(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_void_p), ("task", ctypes.c_void_p), ("tasks", ctypes.c_int32),
                ("src", ctypes.c_void_p), ("dst", ctypes.c_void_p), ("other", ctypes.c_void_p),
                ("bytes", ctypes.c_size_t)]


def ints(text):
    return [int(part) for part in text.split(",")]


def ranges(text):
    return [slice(*ints(part.replace(":", ","))) for part in text.split(",")]


def step(name, argument):
    """One operator as .rsh text, as a function on a numpy view, and as one on a tensor of torch (or None)."""
    if name == "transpose":
        return (f"transpose({ints(argument)})", lambda x: x.transpose(ints(argument)),
                lambda x: x.permute(ints(argument)))
    if name == "reshape":
        return f"reshape({ints(argument)})", lambda x: x.reshape(ints(argument)), lambda x: x.reshape(ints(argument))
    if name == "expand":
        return (f"expand({ints(argument)})", lambda x: np.broadcast_to(x, ints(argument)),
                lambda x: x.expand(ints(argument)))
    if name == "flip":
        return f"flip({ints(argument)})", lambda x: np.flip(x, ints(argument)), lambda x: x.flip(ints(argument))
    if name == "slice":
        cut = ranges(argument)
        return (f"slice({[c.start for c in cut]}, {[c.stop for c in cut]}, {list(range(len(cut)))}, "
                f"{[c.step for c in cut]})"), lambda x: x[tuple(cut)], lambda x: x[tuple(cut)]
    if name == "concat-halves":  # the halves lie one after the other: a transpose of two rows
        return ("transpose([1, 0, 2]) |> reshape([1024, 512])", lambda x: np.concatenate([x[0], x[1]], axis=1),
                lambda x: torch.cat([x[0], x[1]], dim=1))
    raise SystemExit(f"bench.py: no operator {name}")


def table_rows(table):
    """Ids, element types, shapes and chains as text."""
    if table == "sizes":
        for power in range(5, 14):
            yield f"f32_{2 ** power}", "f32", [2 ** power] * 2, "transpose 1,0"
        return
    for line in (HERE / f"{table}.tsv").read_text().splitlines()[1:]:
        if table == "ttc57":
            name, perm, shape, dtype = line.split("\t")
            yield name, dtype, ints(shape), f"transpose {perm}"
        else:
            name, dtype, shape, chain = line.split("\t")
            yield name, dtype, ints(shape), chain


def read_cases(table, only):
    for name, dtype, shape, chain in table_rows(table):
        if only in name:
            steps = [re.match(r"(\S+) (\S+)", part.strip()).groups() for part in chain.split("|")]
            yield name, dtype, shape, [step(*s) for s in steps]


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
    subprocess.run([options.reshapec, work / "cases.rsh", "-O3", "-mcpu=native", "--parallel", "-o", work / "cases.o"],
                   check=True)
    subprocess.run([*options.cc.split(), "-std=gnu11", "-O2", "-shared", "-fPIC", "-pthread", "-I", HERE.parent, "-o",
                    work / "cases.so", work / "cases.o", HERE / "timer.c", options.runtime], check=True)
    report = subprocess.run([options.reshapec, "explain", "--json", work / "cases.rsh"], check=True,
                            capture_output=True).stdout
    outputs = [graph["outputs"][0] for graph in json.loads(report)["graphs"]]
    return ctypes.CDLL(os.path.abspath(work / "cases.so")), outputs


def set_engine(library, output, width, source, result):
    numbers = ctypes.c_int64 * len(output["nest"])
    library.set_engine(numbers(*(loop[0] for loop in output["nest"])), numbers(*(loop[1] for loop in output["nest"])),
                       len(output["nest"]), ctypes.c_int64(output["offset"]), width, source, result)


def run_tasks(library, name, source, result):
    for i in range(getattr(library, f"k_{name}_tasks")()):
        getattr(library, f"k_{name}_task")(ctypes.c_int32(i), source, result)


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def measure(library, case, output, options):
    """Median seconds of each runner that takes part, and the bytes of the result."""
    name, dtype, shape, steps = case
    element = np.dtype(NUMPY[dtype])
    source = aligned(math.prod(shape) * element.itemsize)
    source[:] = np.random.default_rng(3).integers(0, 256, source.size, np.uint8)
    # Moved as integers: numpy would take care of NaNs that are none.
    view = source.view(f"u{element.itemsize}" if element.itemsize <= 8 else element).reshape(shape)
    for _, function, _ in steps[:-1]:
        view = function(view)
    expected = np.ascontiguousarray(steps[-1][1](view))
    result, other = aligned(expected.nbytes), aligned(expected.nbytes)
    kernel = getattr(library, "k_" + name)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (source, result, other)]
    has_engine = expected.nbytes <= MOST_ENGINE
    checks = [kernel, lambda *to: run_tasks(library, name, *to)]
    if has_engine:
        checks.append(lambda *to: set_engine(library, output, element.itemsize, *to))
    for run in checks:
        result[:] = 0xCC
        run(pointers[0], pointers[1])
        if not np.array_equal(result, expected.reshape(-1).view(np.uint8)):
            raise SystemExit(f"bench.py: {name} is wrong")
    subject = Subject(address(kernel), address(getattr(library, f"k_{name}_task")),
                      getattr(library, f"k_{name}_tasks")(), *pointers, expected.nbytes)
    runners = 0b111 | has_engine << 3 | (0b110000 if options.threads == 2 else 0)
    times, calls = (ctypes.c_double * len(RUNNERS))(), 1
    while True:  # rounds long enough for the clock
        library.time_all(ctypes.byref(subject), runners, 1, calls, times)
        if times[0] * calls > 1e-4 or calls >= 1 << 20:
            break
        calls *= 2
    rounds = max(5, min(101, int(options.seconds / (calls * sum(times)))))
    library.time_all(ctypes.byref(subject), runners, rounds, calls, times)
    return {runner: seconds for runner, seconds in zip(RUNNERS, times) if seconds}, expected.nbytes


def best_of(run, calls):
    return min(timeit.repeat(run, number=calls, repeat=3)) / calls


def peer_seconds(case, calls, threads):
    _, dtype, shape, steps = case
    x = np.zeros(shape, NUMPY[dtype])

    def by_numpy():
        view = x
        for _, function, _ in steps:
            view = function(view)
        return np.array(view, order="C", copy=True)
    peers = {"numpy": best_of(by_numpy, calls)}
    if torch:
        torch.set_num_threads(threads)
        tensor = torch.from_numpy(x)

        def by_torch():
            view = tensor
            for _, _, function in steps:
                view = function(view)
            return view.contiguous() if view.data_ptr() != tensor.data_ptr() or not view.is_contiguous() else view.clone()
        peers["torch"] = best_of(by_torch, calls)
    return peers


def ratios(seconds, threads):
    """What is printed of a case: names and numbers."""
    kernel = seconds["kernel on 2"] if threads == 2 else seconds["kernel"]
    row = {"of memcpy": seconds["memcpy on 2" if threads == 2 else "memcpy"] / kernel,
           "of stream": seconds["stream"] / kernel}
    if threads == 2:
        row["of 1"] = seconds["kernel"] / kernel
    row.update({f"of {peer}": seconds[peer] / kernel for peer in ("numpy", "torch") if peer in seconds})
    row["engine"] = seconds["kernel"] / seconds["engine"] if "engine" in seconds else float("nan")
    return row


def mean(values):
    values = [v for v in values if v == v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("reshapec", "cc", "runtime", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--table", choices=("cases", "ttc57", "sizes"), default="cases")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--threads", type=int, choices=(1, 2), default=1)
    options = parser.parse_args()
    cases = list(read_cases(options.table, options.only))
    library, outputs = compile_all(cases, options)
    report, rows = [], []
    for case, output in zip(cases, outputs):
        seconds, size = measure(library, case, output, options)
        calls = max(1, min(1000, int(0.05 / max(seconds["kernel"], 1e-7))))
        seconds.update(peer_seconds(case, calls, options.threads))
        rows.append(ratios(seconds, options.threads))
        report.append({"case": case[0], "dtype": case[1], "bytes": size, "seconds": seconds, "ratios": rows[-1]})
        if len(rows) == 1:
            print(f"{'case':34}" + "".join(f" {label:>9}" for label in rows[0]))
        print(f"{case[0]:34}" + "".join(f" {value:9.2f}" for value in rows[-1].values()), flush=True)
    print(f"{f'geometric mean of {len(rows)}':34}" + "".join(f" {mean(r[label] for r in rows):9.2f}" for label in rows[0]))
    name = f"{options.table}-{options.threads}"
    whole = {"table": options.table, "threads": options.threads, "cases": report}
    (Path(options.work) / f"{name}.json").write_text(json.dumps(whole, indent=1) + "\n")
    drawn = picture.curve(report) if options.table == "sizes" else picture.bars(report)
    (Path(options.work) / f"{name}.svg").write_text(drawn)
    return 0


sys.exit(main())
