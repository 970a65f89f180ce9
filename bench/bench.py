# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the chains of a table for this machine and times each kernel against memcpy and other libraries.

bench.py --reshapec R --cc CC --runtime A --work W [--table cases|ttc57|sizes|images|elements] [--only REGEX] [--seconds S]
         [--threads 1|2] [--peers NAME,...] [--hptt FOLDER] [--cxx CXX]

A row prints speeds relative to memcpy (1.00: as fast as copying the same bytes): of the kernel, of a copy with
streaming stores, of the runtime's engine with the same loops as data, and of the installed peers (peers.py); then the
best peer, and the kernel's speed relative to it. With --threads 2, two threads run the tasks of the kernel, and memcpy
in parts. All take turns in one run; medians are printed, and results are first compared with NumPy's. At the end:
geometric means, the cases where the kernel is below 0.95 of the best peer, and those where it is below 0.40 of memcpy.
The same is written to W as TABLE-THREADS.json and, as a picture, .svg.

cases.tsv has an id, a dtype, a shape and a chain of the operators of the chain corpus; ttc57.tsv has the transpositions
of HPTT's publication; sizes are square transpositions from 4 KiB to 256 MiB; images.tsv has images that are turned;
elements are chains that also change elements (elements.py).
"""
import argparse
import ctypes
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import elements
import numpy as np
import peers
import picture

HERE = Path(__file__).parent
NUMPY = {"c64": "c8", "f16": "f2", "f32": "f4", "f64": "f8", "u8": "u1", "i8": "i1", "c128": "c16"}
RUNNERS = "kernel", "memcpy", "stream", "engine", "kernel on 2", "memcpy on 2"
PAGE = 4096
MOST_ENGINE = 64 << 20  # bytes; the engine would take seconds for more
ROUND = 1e-4  # seconds of one runner in a round, long enough for the clock
BEHIND_PEER, BEHIND_MEMCPY = 0.95, 0.40


class Subject(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_void_p), ("task", ctypes.c_void_p), ("tasks", ctypes.c_int32),
                ("src", ctypes.c_void_p), ("dst", ctypes.c_void_p), ("other", ctypes.c_void_p),
                ("bytes", ctypes.c_size_t)]


def ints(text):
    return [int(part) for part in text.split(",")]


def ranges(text):
    return [slice(*ints(part.replace(":", ","))) for part in text.split(",")]


def step(name, argument):
    """One operator: its name and numbers, as .rsh text, and as a function on a numpy view."""
    if name == "slice":
        cut = ranges(argument)
        text = (f"slice({[c.start for c in cut]}, {[c.stop for c in cut]}, {list(range(len(cut)))}, "
                f"{[c.step for c in cut]})")
        return name, cut, text, lambda x: x[tuple(cut)]
    if name == "concat-halves":  # the halves are stored one after the other: a transpose of two rows
        return (name, None, "transpose([1, 0, 2]) |> reshape([1024, 512])",
                lambda x: np.concatenate([x[0], x[1]], axis=1))
    numbers = ints(argument)
    function = {"transpose": lambda x: x.transpose(numbers), "reshape": lambda x: x.reshape(numbers),
                "expand": lambda x: np.broadcast_to(x, numbers), "flip": lambda x: np.flip(x, numbers)}[name]
    return name, numbers, f"{name}({numbers})", function


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
        if re.search(only, name):
            steps = [re.match(r"(\S+) (\S+)", part.strip()).groups() for part in chain.split("|")]
            yield name, dtype, shape, [step(*s) for s in steps]


def aligned(bytes_):
    """Zeroed bytes at the beginning of a page, where malloc also puts large blocks. Otherwise the relative position of
    two small blocks would be random, and change the speed by up to a third."""
    block = np.zeros(bytes_ + 2 * PAGE, np.uint8)
    start = -block.ctypes.data % PAGE
    return block[start:start + bytes_]


def compile_all(cases, options):
    work = Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    text = "".join(f"graph k_{name}(x: {dtype}{shape}) -> y {{\n    y = x |> " +
                   " |> ".join(s[2] for s in steps) + "\n}\n" for name, dtype, shape, steps in cases)
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


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def check_kernel(library, name, source, result, expected):
    """Checks the kernel, and its tasks."""
    def in_tasks(*to):
        for i in range(getattr(library, f"k_{name}_tasks")()):
            getattr(library, f"k_{name}_task")(ctypes.c_int32(i), *to)
    for run in getattr(library, "k_" + name), in_tasks:
        result.view(np.uint8)[:] = 0xCC
        run(ctypes.c_void_p(source.ctypes.data), ctypes.c_void_p(result.ctypes.data))
        if not is_same(result, expected):
            raise SystemExit(f"bench.py: {name} is wrong")


def is_same(result, expected):
    return np.array_equal(result.reshape(-1).view(np.uint8), expected.reshape(-1).view(np.uint8))


def own_runners(library, name, source, result, other, threads):
    """The runners of timer.c: functions of a number of calls that return the seconds of one call."""
    subject = Subject(address(getattr(library, "k_" + name)), address(getattr(library, f"k_{name}_task")),
                      getattr(library, f"k_{name}_tasks")(), source.ctypes.data, result.ctypes.data,
                      other.ctypes.data, result.nbytes)
    library.time_calls.restype = ctypes.c_double

    def timer(index):
        return lambda calls: library.time_calls(index, ctypes.byref(subject), calls)
    return {runner: timer(i) for i, runner in enumerate(RUNNERS)
            if (runner != "engine" or result.nbytes <= MOST_ENGINE) and (threads == 2 or "2" not in runner)}


def peer_runners(found, name_of_case, case, expected):
    """The peers that support the case and have the right result."""
    runners = {}
    for name, peer in found.items():
        run = peer(case)
        if not run:
            continue
        case.result.view(np.uint8)[:] = 0xCC
        run(1)
        if is_same(case.result, expected):
            runners[name] = run
        else:
            print(f"bench.py: the result of {name} for {name_of_case} is wrong, so it is left out", file=sys.stderr)
    return runners


def take_turns(runners, seconds, pause):
    """Median seconds of one call of each runner. Peers ten times as slow as the kernel take one turn in ten."""
    calls = 1
    while calls < 1 << 20 and runners["kernel"](calls) * calls < ROUND:
        calls *= 2
    each = {"kernel": runners["kernel"](calls)}
    span, counts, samples = max(ROUND, calls * each["kernel"]), {}, {runner: [] for runner in runners}
    for runner, run in runners.items():
        once = each.setdefault(runner, run(1))
        if once < span:
            once = run(max(1, int(span / once / 4)))  # a first call may be far from typical
        counts[runner] = max(1, min(1 << 20, int(span / once)))
        each[runner] = once
    slow = {runner for runner in runners if each[runner] > 10 * each["kernel"] and runner not in RUNNERS}
    usual = sum((counts[r] + 1) * each[r] for r in runners if r not in slow)
    for turn in range(max(5, min(101, int(seconds / usual)))):
        for runner, run in runners.items():
            if runner not in slow or turn % 10 == 0:
                samples[runner].append(run(counts[runner]))
                time.sleep(pause)
    return {runner: statistics.median(times) for runner, times in samples.items()}


def measure(library, found, row, output, options):
    """Median seconds of each runner, and the bytes of the result."""
    name, dtype, shape, steps = row
    element = np.dtype(NUMPY[dtype])
    bytes_ = aligned(math.prod(shape) * element.itemsize)
    # Two bits of each byte are 0, so no element is a NaN or infinite: peers that multiply by 1 would change these.
    bytes_[:] = np.random.default_rng(3).integers(0, 64, bytes_.size, np.uint8)
    source = expected = bytes_.view(element).reshape(shape)
    for _, _, _, function in steps:
        expected = function(expected)
    expected = np.ascontiguousarray(expected)
    result, other = (aligned(expected.nbytes).view(element) for _ in range(2))
    check_kernel(library, name, source, result, expected)
    runners = own_runners(library, name, source, result, other, options.threads)
    if "engine" in runners:
        set_engine(library, output, element.itemsize, ctypes.c_void_p(source.ctypes.data),
                   ctypes.c_void_p(result.ctypes.data))
        if not is_same(result, expected):
            raise SystemExit(f"bench.py: the engine is wrong of {name}")
    case = peers.Case(dtype, source, result.reshape(expected.shape), [loop[0] for loop in output["nest"]],
                      [loop[1] for loop in output["nest"]], output["offset"], [s[:2] for s in steps], options.threads)
    runners.update(peer_runners(found, name, case, expected))
    if options.threads == 1:
        return take_turns(runners, options.seconds, 0), expected.nbytes
    # Pins this thread to a processor, so that it does not share one with another thread. Threads of a library may spin
    # for a while waiting for the next call: hence the pause.
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})
    seconds = take_turns(runners, options.seconds, 0.003)
    os.sched_setaffinity(0, processors)
    return seconds, expected.nbytes


def speeds(seconds, threads):
    """The printed columns of a case: names, and speeds relative to memcpy."""
    base = seconds["memcpy on 2" if threads == 2 else "memcpy"]
    shown = (["kernel on 2"] if threads == 2 else []) + ["kernel", "stream", "engine", *peers.NAMES]
    return {name: base / seconds[name] for name in shown if name in seconds}


def best_peer(seconds):
    return min((name for name in peers.NAMES if name in seconds), key=seconds.get, default=None)


def means(rows, columns, speed):
    """Geometric means over the rows that have the column."""
    lists = {c: [math.log(speed(row, c)) for row in rows if c in row] for c in columns}
    return {c: math.exp(sum(logs) / len(logs)) for c, logs in lists.items() if logs}


def print_row(title, columns, row, last):
    print(f"{title:34}" + "".join(f" {row[c]:{max(8, len(c))}.2f}" if c in row else f" {'-':>{max(8, len(c))}}"
                                  for c in columns) + last, flush=True)


def print_summary(report, columns, kernel):
    """Prints means over the cases that each supports, and the cases where the kernel is slow."""
    rows = [r["speeds"] for r in report]
    print_row(f"geometric mean of {len(rows)}", columns, means(rows, columns, lambda row, c: row[c]), "")
    print_row("kernel to it, on the same", columns, means(rows, columns, lambda row, c: row[kernel] / row[c]), "")
    behind = [f"{r['case']} ({r['of best']:.2f} of {r['best']})" for r in report if r.get("of best", 1) < BEHIND_PEER]
    slow = [f"{r['case']} ({r['speeds'][kernel]:.2f})" for r in report if r["speeds"][kernel] < BEHIND_MEMCPY]
    for title, cases in ((f"below {BEHIND_PEER} of the best peer", behind), (f"below {BEHIND_MEMCPY:.2f} of memcpy", slow)):
        print(f"{title}: {', '.join(cases) or 'none'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("reshapec", "cc", "runtime", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--table", choices=("cases", "ttc57", "sizes", "images", "elements"), default="cases")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--threads", type=int, choices=(1, 2), default=1)
    parser.add_argument("--peers", default=",".join(peers.NAMES))
    parser.add_argument("--hptt", help="the folder of HPTT, built: include/hptt.h, lib/libhptt.so")
    parser.add_argument("--cxx", default="c++")
    options = parser.parse_args()
    if options.table == "elements":
        return elements.main(options)
    rows = list(read_cases(options.table, options.only))
    library, outputs = compile_all(rows, options)
    found = peers.find_peers(options, library)
    kernel = "kernel on 2" if options.threads == 2 else "kernel"
    columns = (["kernel on 2"] if options.threads == 2 else []) + ["kernel", "stream", "engine", *found]
    print(f"{'case':34}" + "".join(f" {c:>8}" for c in columns) + f" {'best peer':>17}")
    report = []
    for row, output in zip(rows, outputs):
        seconds, size = measure(library, found, row, output, options)
        result = {"case": row[0], "dtype": row[1], "bytes": size, "seconds": seconds,
                  "speeds": speeds(seconds, options.threads)}
        best = best_peer(seconds)
        if best:
            result.update({"best": best, "of best": seconds[best] / seconds[kernel]})
        report.append(result)
        print_row(row[0], columns, result["speeds"], f" {best:>11} {result['of best']:5.2f}" if best else "")
    print_summary(report, columns, kernel)
    name = f"{options.table}-{options.threads}"
    whole = {"table": options.table, "threads": options.threads, "cases": report}
    (Path(options.work) / f"{name}.json").write_text(json.dumps(whole, indent=1) + "\n")
    drawn = picture.curve(report, kernel) if options.table == "sizes" else picture.bars(report, kernel)
    (Path(options.work) / f"{name}.svg").write_text(drawn)
    return 0


if __name__ == "__main__":
    sys.exit(main())
