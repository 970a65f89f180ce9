#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles random graphs of the net with -fverify, which must not find a fault.

    verified.py --reshapec build/reshapec --work DIR --seed 1 --count 100

Each graph is compiled as it is, for all sizes. Every second one is compiled once more: as C, as tasks, for several
processors, with a target that is data, or with inputs of any rank. With --cores, each is compiled for another machine
instead, most of them small cores or big-endian, as it is, with a target that is data, with inputs of any rank, as tasks,
or as C; and -fverify runs it in an emulator. Refused graphs are counted.
"""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "random")]

from generator import make_graph  # noqa: E402
from graphs import read_table  # noqa: E402

WAYS = [
    ("text", ["--emit=c"]),
    ("text", ["--parallel"]),
    ("text", ["--multiversion=v2,v3"]),
    ("text", ["--multiversion=v3", "--parallel", "-O1"]),
    ("dynamic_text", []),
    ("any_rank_text", []),
]
CORES = [  # with flags for the kernels, flags for the runtime, and the compiler of C code
    ("thumbv7em-none-eabi", "-mcpu=cortex-m4", "-mcpu=cortex-m4", "arm-none-eabi-gcc"),
    ("thumbv6m-none-eabi", "-mcpu=cortex-m0", "-mcpu=cortex-m0", "arm-none-eabi-gcc"),
    ("riscv32-unknown-elf", "", "-march=rv32imc", "clang-19"),
    ("thumbv8.1m.main-none-eabi", "-mcpu=cortex-m55", "-mcpu=cortex-m55", "clang-19"),
    ("s390x-linux-gnu", "", "", "clang-19"),
    ("powerpc-linux-gnu", "", "", "clang-19"),
    ("aarch64-none-elf", "", "", "clang-19"),
    ("riscv64-linux-gnu", "", "", "clang-19"),
]
FORMS = [("text", ""), ("dynamic_text", ""), ("any_rank_text", ""), ("text", "--parallel=hook"), ("text", "--emit=c")]


def runtime_of(target, flags, work):
    """Builds the runtime library for another machine, unless an earlier call has."""
    folder = os.path.abspath(os.path.join(work, f"runtime-{target}"))
    library = os.path.join(folder, "librsh_runtime.a")
    if not os.path.exists(library):
        variables = [f"BUILD={folder}", f"CC=clang-19 --target={target} {flags}", "CFLAGS=-Os", "PIC=", "AR=llvm-ar-19", "SANITIZE=0"]
        subprocess.run(["make", "-s", "-C", os.path.join(HERE, "..", ".."), *variables, "runtime"], check=True, capture_output=True)
    return library


def ways_of(n, options):
    if not options.cores:
        return [("text", [])] + [WAYS[n // 2 % len(WAYS)]] * (n % 2)
    cores = [c for c in CORES if c[0].startswith(tuple(options.cores.split(",")))]
    target, cpu, flags, compiler = cores[n % len(cores)]
    n //= len(cores)
    form, more = FORMS[n % len(FORMS)]
    command = [f"--target={target}", *cpu.split(), ("-Os", "-O2")[n // len(FORMS) % 2], *more.split()]
    if more == "--emit=c":
        command.append(f"--cc={compiler} {flags} {'-ffreestanding --target=' + target if compiler == 'clang-19' else '-mthumb'}")
    return [(form, [*command, "--runtime=" + runtime_of(target, flags, options.work)])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--cores", nargs="?", const=",".join(target for target, *_ in CORES), help="machines, by the beginnings of their triples: riscv32,s390x; all of its list by default")
    parser.add_argument("--swarm", action="store_true", help="few operators in each graph")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    table, path = read_table(options.reshapec), os.path.join(options.work, "graph.rsh")
    counts = {"compiled": 0, "refused": 0, "wrong": 0}
    for n in range(options.first, options.first + options.count):
        graph, _ = make_graph(table, options.seed, n, options.swarm)
        for form, more in ways_of(n, options):
            text = getattr(graph, form)(f"g{n}", table)
            if not text:
                continue
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            command = [options.reshapec, "-fverify", path, "-o", os.path.join(options.work, "graph.o"), *more]
            if "--emit=c" in more and not options.cores:
                command.append("--cc=" + options.cc)
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
            counts["compiled" if not done.returncode else "refused" if done.returncode == 1 else "wrong"] += 1
            if done.returncode not in (0, 1):
                print(f"graph {n} of seed {options.seed} {' '.join(more)}: exit {done.returncode}\n{text}{done.stderr[-1000:]}", flush=True)
    print(", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if counts["wrong"] or not counts["compiled"] else 0


if __name__ == "__main__":
    sys.exit(main())
