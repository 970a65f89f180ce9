#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for a Cortex-M4 against C that is written by hand: bytes of code, and instructions that are executed.

    firmware.py --reshapec R --work W [--write docs/firmware.md] [--check]

The graphs of firmware/kernels.rsh are made as an object and as C; firmware/kernels.c does the same. Programs run under
qemu's user mode, which tells the address of each instruction that it executes; all must write the same bytes.
--write puts the table between the two marks of a file; --check fails where a kernel is larger than the smaller one
by hand by more than 4 bytes, or executes more instructions than either.
"""
import argparse
import bisect
import collections
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
START = HERE.parent / "driver/verify/guest"
CPU = ["-mcpu=cortex-m4", "-mthumb"]
# Loops stay loops: what is freestanding has no memcpy or memset to call. And no function is made of another.
ALONE = ["-std=c99", "-ffreestanding", "-ffunction-sections"]
GCC = ["arm-none-eabi-gcc", *CPU, *ALONE, "-fno-tree-loop-distribute-patterns", "-fno-ipa-icf", "-Os"]
CLANG = ["clang-19", "--target=thumbv7em-none-eabi", *CPU, *ALONE, "-fno-builtin", "-Oz"]
COLUMNS = ("object", "c", "gcc", "clang")
Cost = collections.namedtuple("Cost", "size executed")
SLACK = 4  # bytes that a kernel may be larger by
MARKS = "<!-- made by make bench-firmware -->", "<!-- end -->"


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, check=False, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr.decode()[-2000:]}")
    return done.stdout


def main_program(graphs, header):
    """Calls all kernels on bytes that differ from their neighbours, and writes what they made."""
    lines = [f'#include "{header}"', '#include "start.h"', "static _Alignas(16) uint8_t in[1 << 15], out[1 << 15];",
             "int main(void) {", "  for (int i = 0; i < 1 << 15; i++)",
             "    in[i] = (uint8_t)(i * 7 + (i >> 8) * 13);"]  # fmt: skip
    for graph in graphs:
        inputs = [f"(const void *)(in + {1024 * i})" for i in range(len(graph["inputs"]))]
        lines.append(f"  {graph['name']}({', '.join(inputs)}, (void *)out);")
        lines.append(f"  guest_write((const char *)out, {graph['name'].upper()}_Y_BYTES);")
    return "\n".join(lines + ["  return 0;", "}", ""])


def sizes(path):
    """Bytes of each function with its constants, as its sections have them."""
    size = collections.Counter()
    for line in run("arm-none-eabi-readelf", "-SW", path).decode().splitlines():
        found = re.search(r"\] \.(?:text|rodata)\.(\S+) +PROGBITS +\S+ \S+ (\S+)", line)
        if found:
            size[found[1].removesuffix(".places")] += int(found[2], 16)
    return size


def functions(program):
    """Where functions begin, and their names."""
    found = []
    for line in run("arm-none-eabi-nm", "-n", program).decode().splitlines():
        address, kind, name = line.split()
        if kind in "tT" and not name.startswith("$"):
            found.append((int(address, 16) & ~1, name))
    return found


def execute(emulator, program, work):
    """What the program writes, and how often an instruction of each function was executed."""
    log = work / "trace"
    written = run(*emulator, "-d", "nochain,exec", "-D", log, program)
    table, executed = functions(program), collections.Counter()
    begins = [begin for begin, _ in table]
    with open(log, encoding="utf-8", errors="replace") as lines:
        places = collections.Counter(line.split("/", 2)[1] for line in lines if line.startswith("Trace"))
    for place, count in places.items():
        executed[table[bisect.bisect_right(begins, int(place, 16)) - 1][1]] += count
    return written, executed


def one_instruction_a_block(emulator):
    """qemu, told to count blocks of one instruction: the option has had two names."""
    text = run(emulator, "-h").decode()
    return [emulator, "-one-insn-per-tb" if "one-insn-per-tb" in text else "-singlestep"]


def build(options, work):
    """Programs by column, and the sizes of their kernels."""
    source = HERE / "firmware/kernels.rsh"
    target = ["--target=thumbv7em-none-eabi", "-mcpu=cortex-m4", "-Os", "--freestanding"]
    report = json.loads(run(options.reshapec, source, *target, "-o", work / "object.o", "--header", work / "kernels.h",
                            "--report=json"))  # fmt: skip
    run(options.reshapec, source, *target, "--emit=c", "-o", work / "emitted.c")
    run(*GCC, "-c", work / "emitted.c", "-o", work / "c.o")
    run(*GCC, "-c", HERE / "firmware/kernels.c", "-o", work / "gcc.o")
    run(*CLANG, "-c", HERE / "firmware/kernels.c", "-o", work / "clang.o")
    (work / "main.c").write_text(main_program(report["graphs"], "kernels.h"))
    run(*CLANG, "-std=c11", f"-I{START}", f"-I{work}", "-c", work / "main.c", "-o", work / "main.o")
    for column in COLUMNS:
        run("ld.lld-19", "-static", work / "main.o", work / f"{column}.o", "-o", work / column)
    return report["graphs"]


def faults(row):
    by_hand = row["gcc"], row["clang"]
    size, executed = min(c.size for c in by_hand), min(c.executed for c in by_hand)
    if row["object"].size > size + SLACK:
        yield f"{row['object'].size} bytes, by hand {size}"
    if row["object"].executed > executed:
        yield f"{row['object'].executed} instructions, by hand {executed}"


def table(rows):
    lines = ["| kernel | object | C, gcc -Os | by hand, gcc -Os | by hand, clang -Oz |",
             "| --- | ---: | ---: | ---: | ---: |"]  # fmt: skip
    for name, row in rows.items():
        lines.append(f"| {name.replace('_', ' ')} | " + " | ".join(f"{c.size} / {c.executed}" for c in row.values()) + " |")
    return lines


def write_between(path, lines):
    before, rest = path.read_text().split(MARKS[0])
    path.write_text("\n".join([before + MARKS[0], *lines, MARKS[1]]) + rest.split(MARKS[1])[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--write")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    work = Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    graphs = build(options, work)
    emulator = one_instruction_a_block("qemu-arm")
    size = {column: sizes(work / f"{column}.o") for column in COLUMNS}
    answers = {column: execute(emulator, work / column, work) for column in COLUMNS}
    if len({answer for answer, _ in answers.values()}) != 1:
        sys.exit("kernels write other bytes than C by hand")
    rows = {g["name"]: {c: Cost(size[c][g["name"]], answers[c][1][g["name"]]) for c in COLUMNS} for g in graphs}
    lines = table(rows)
    print("\n".join(lines))
    if options.write:
        write_between(Path(options.write), lines)
    wrong = [f"{name}: {fault}" for name, row in rows.items() for fault in faults(row)] if options.check else []
    sys.exit("\n".join(wrong) or 0)


main()
