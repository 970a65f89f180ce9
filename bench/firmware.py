#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels for small cores with C written by hand: bytes of code, and executed instructions.

    firmware.py --reshapec R --work W [--core m4] [--write docs] [--check]

The graphs of firmware/kernels.rsh are emitted as an object and as C; firmware/kernels.c does the same, with memcpy and
memset of a C library ("gcc") and without one ("alone"). Programs run under qemu, which logs the address of each
executed instruction; all must write the same bytes. Instructions of a shared routine or of the library count for the
kernel that called it. --write puts the tables between the two marks of a file; --check fails if a kernel for the
Cortex-M4 is larger than C written by hand, or executes more instructions: see `faults`.
"""
import argparse
import bisect
import collections
import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
START = ROOT / "driver/verify/guest"
BOARDS, BOARD_SCRIPT = ROOT / "examples/firmware", ROOT / "tests/cross/Inputs/mps3-an547.ld"
# Identical functions must not be merged.
COMMON = ["-std=c99", "-ffunction-sections"]
GCC = [*COMMON, "-fno-ipa-icf"]
# Loops must stay loops: without a library, there is no memcpy or memset to call.
ALONE = ["-ffreestanding", "-fno-tree-loop-distribute-patterns"]
CLANG = ["clang-19", *COMMON, "-ffreestanding", "-fno-builtin"]
COLUMNS = ("object", "c", "gcc", "alone", "clang")
Cost = collections.namedtuple("Cost", "size executed")
SLACK = 8  # extra bytes that a kernel may have
MARKS = "<!-- made by make bench-firmware -->", "<!-- end -->"


class Core(collections.namedtuple("Core", "title triple cpu gcc machine emulator library is_board", defaults=[False])):
    """A core: its names for compilers, the C library of its gcc, and whether programs are images for a board."""

    def target(self):
        return [f"--target={self.triple}", *([f"-mcpu={self.cpu}"] if self.cpu else [])]


def arm(title, triple, cpu):
    return Core(title, triple, cpu, "arm-none-eabi-gcc", [f"-mcpu={cpu}", "-mthumb"], "qemu-arm", "newlib")


CORES = {
    "m0": arm("Cortex-M0", "thumbv6m-none-eabi", "cortex-m0"),
    "m4": arm("Cortex-M4", "thumbv7em-none-eabi", "cortex-m4"),
    "m33": arm("Cortex-M33", "thumbv8m.main-none-eabi", "cortex-m33"),
    "m55": Core("Cortex-M55", "thumbv8.1m.main-none-eabihf", "cortex-m55", "arm-none-eabi-gcc",
                ["-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard"],
                "qemu-system-arm -M mps3-an547 -display none -monitor none -serial none "
                "-semihosting-config enable=on,target=native", "newlib", True),
    "rv32": Core("RV32IMAC", "riscv32-none-elf", None, "riscv64-unknown-elf-gcc", ["-march=rv32imac", "-mabi=ilp32"],
                 "qemu-riscv32", "picolibc"),
}  # fmt: skip


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, check=False, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr.decode()[-2000:]}")
    return done.stdout or done.stderr  # boards print to stderr


def library_of(core, options):
    """The libc.a for a core, or None."""
    folder = run(core.gcc, *core.machine, "-print-multi-directory").decode().strip()
    given = getattr(options, core.library)
    path = Path(given) / folder / "libc.a" if given else Path(
        run(core.gcc, *core.machine, "-print-file-name=libc.a").decode().strip())  # fmt: skip
    return path if path.is_absolute() and path.exists() else None


# Boards print text: two letters for each byte.
BOARD_WRITE = """#include "board.h"
__attribute__((noinline)) static void guest_write(const char *from, uint32_t bytes) {
  char text[3] = {0};
  for (uint32_t i = 0; i < bytes; i++) {
    text[0] = (char)('a' + ((uint8_t)from[i] >> 4));
    text[1] = (char)('a' + ((uint8_t)from[i] & 15));
    say(text);
  }
}"""


def is_in_place(name):
    return name.startswith("inplace_")


def sizes_of(name):
    """The sizes that a kernel of open sizes is called with: open_40x42_u8 has 40 and 42."""
    return re.findall(r"\d+", name.split("_")[1]) if name.startswith("open_") else []


def has_two_kernels(name):
    """Whether objects have one kernel for a result in its input, and another for separate memory, at -Os, too."""
    return name in ("inplace_slide_49x10_i8", "inplace_crop_24x32_u8", "inplace_ring_256_i16")


def main_program(graphs, header, core):
    """A program that calls all kernels on bytes that differ from their neighbors, and writes their results."""
    lines = [f'#include "{header}"', BOARD_WRITE if core.is_board else '#include "start.h"', "static _Alignas(16) uint8_t in[1 << 15], out[1 << 15];",
             "int main(void) {", "  for (int i = 0; i < 1 << 15; i++)",
             "    in[i] = (uint8_t)(i * 7 + (i >> 8) * 13);"]  # fmt: skip
    for graph in graphs:
        given = sizes_of(graph["name"])
        inputs = [f"(const void *)(in + {1024 * i})" for i in range(len(graph["inputs"]))]
        if is_in_place(graph["name"]):
            lines += [f"  for (int i = 0; i < {graph['name'].upper()}_X_BYTES; i++)", "    out[i] = in[i];"]
            inputs[0] = "(const void *)out"
        lines.append(f"  {graph['name']}({', '.join(given + inputs)}, (void *)out);")
        of = f"({', '.join(given)})" if given else ""
        lines.append(f"  guest_write((const char *)out, {graph['name'].upper()}_Y_BYTES{of});")
    return "\n".join(lines + ["  return 0;", "}", ""])


def symbol_sizes(path):
    """{function: bytes}"""
    found = re.findall(r"(\d+) FUNC +\S+ +\S+ +\S+ (\S+)$", run("llvm-readelf-19", "-sW", path).decode(), re.M)
    return {name: int(size) for size, name in found}


def sizes(path, image):
    """The bytes of each function, with its constants, from its sections: as linked, for calls may become shorter."""
    size, linked = collections.Counter(), symbol_sizes(image)
    for name, before in symbol_sizes(path).items():
        size[name] += linked.get(name, before) - before
    for line in run("llvm-readelf-19", "-SW", path).decode().splitlines():
        found = re.search(r"\] \.(?:text|rodata)\.(\S+) +PROGBITS +\S+ \S+ (\S+)", line)
        if found:
            size[found[1].removesuffix(".places")] += int(found[2], 16)
    return size


def functions(program):
    """The addresses and names of functions."""
    found = []
    for line in run("llvm-nm-19", "-n", program).decode().splitlines():
        address, kind, name = line.split()
        if kind in "tTwW" and not name.startswith(("$", ".L")):
            found.append((int(address, 16) & ~1, name))
    return found


NO_KERNELS = "main", "guest_write", "say", "semihost"


def execute(emulator, program, kernels, work):
    """The output of the program, and the number of instructions that each kernel executed, with its callees."""
    log = work / "trace"
    kernel = ["-kernel"] if "-M" in emulator else []
    written = run(*emulator, "-d", "nochain,exec", "-D", log, *kernel, program)
    table, executed = functions(program), collections.Counter()
    begins = [begin for begin, _ in table]
    owner, caller = {}, None
    with open(log, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if not line.startswith("Trace"):
                continue
            place = line.split("/", 2)[1]
            if place not in owner:
                owner[place] = table[bisect.bisect_right(begins, int(place, 16)) - 1][1]
            name = owner[place]
            caller = name if name in kernels else None if name in NO_KERNELS else caller
            if caller:
                executed[caller] += 1
    log.unlink()
    return written, executed


def one_instruction_a_block(core):
    """The qemu command with blocks of one instruction; the option has had several names."""
    command = core.emulator.split()
    if "one-insn-per-tb" not in run(command[0], "-h").decode():
        return [*command, "-singlestep"]
    return [*command, *(["-accel", "tcg,one-insn-per-tb=on"] if core.is_board else ["-one-insn-per-tb"])]


def build(core, level, options, work):
    """Builds a program for each column; returns the graphs and the columns."""
    source, library = HERE / "firmware/kernels.rsh", library_of(core, options)
    target = [*core.target(), level, "--freestanding"]
    report = json.loads(run(options.reshapec, source, *target, "-o", work / "object.o", "--header", work / "kernels.h",
                            "--report=json"))  # fmt: skip
    run(options.reshapec, source, *target, "--emit=c", "-o", work / "emitted.c", "-fno-verify")
    gcc, hand = [core.gcc, *core.machine, *GCC, level], HERE / "firmware/kernels.c"
    run(*gcc, *ALONE, "-c", work / "emitted.c", "-o", work / "c.o")
    run(*gcc, *ALONE, "-c", hand, "-o", work / "alone.o")
    machine = core.machine if core.library == "newlib" else core.machine[:1]
    clang = [*CLANG, f"--target={core.triple}", *machine]
    run(*clang, "-Oz" if level == "-Os" else level, "-c", hand, "-o", work / "clang.o")
    columns = [c for c in COLUMNS if c != "gcc" or library]
    if library:
        run(*gcc, "-ffreestanding", "-fbuiltin", "-DLIBRARY", "-c", hand, "-o", work / "gcc.o")
    (work / "main.c").write_text(main_program(report["graphs"], "kernels.h", core))
    run(*clang, "-O1", "-std=c11", f"-I{BOARDS}", f"-I{START}", f"-I{work}", "-c", work / "main.c", "-o", work / "main.o")
    link = ["-static"]
    if core.is_board:
        run(*clang, "-O1", "-std=c11", f"-I{BOARDS}", "-c", BOARDS / "cortex-m.c", "-o", work / "board.o")
        link = ["-T", BOARD_SCRIPT, f"-L{BOARDS}", work / "board.o"]
    divider = run(core.gcc, *core.machine, "-print-libgcc-file-name").decode().strip()  # for cores without division
    for column in columns:
        run("ld.lld-19", *link, work / "main.o", work / f"{column}.o", *([library] if library else []), divider,
            "-o", work / column)  # fmt: skip
    return report["graphs"], columns


def measure(core, level, options, work):
    """For each kernel the costs by column; and the bytes that kernels share, by column."""
    work.mkdir(parents=True, exist_ok=True)
    graphs, columns = build(core, level, options, work)
    emulator = one_instruction_a_block(core)
    names = [g["name"] for g in graphs]
    size = {column: sizes(work / f"{column}.o", work / column) for column in columns}
    answers = {column: execute(emulator, work / column, set(names), work) for column in columns}
    if len({answer for answer, _ in answers.values()}) != 1:
        sys.exit(f"kernels for {core.title} at {level} write other bytes than C by hand")
    rows = {n: {c: Cost(size[c][n], answers[c][1][n]) for c in columns} for n in names}
    return rows, {c: sum(size[c].values()) - sum(size[c][n] for n in names) for c in columns}


def faults(name, row, level):
    """At -Os, checks bytes and instructions; at -O2, only instructions. A C library copies long unaligned runs in fewer
    instructions, because its routine is three times as large: up to 15 % more than gcc with a library is allowed.
    Kernels of open sizes check them, which C by hand does not, so only their instructions are compared."""
    most = {"gcc": 1.15, "alone": 1.0, "clang": 1.0 if level == "-Os" else None}
    if is_in_place(name):  # these also test whether input and output differ
        most = {"gcc": 1.05, "alone": 1.05}
    size, own = min(row[c].size for c in ("alone", "clang")), row["object"]
    if level == "-Os" and own.size > size + SLACK and not has_two_kernels(name) and not sizes_of(name):
        yield f"{own.size} bytes, by hand {size}"
    for column in (c for c in row if most.get(c)):
        if own.executed > row[column].executed * most[column]:
            yield f"{own.executed} instructions, {column} {row[column].executed}"


HEADINGS = {"object": "object", "c": "C, gcc {}", "gcc": "by hand, gcc {}, libc", "alone": "by hand, gcc {}, no libc",
            "clang": "by hand, clang {}, no libc"}  # fmt: skip


def table(rows, shared, level):
    columns = list(next(iter(rows.values())))
    heads = [HEADINGS[c].format("-Oz" if c == "clang" and level == "-Os" else level) for c in columns]
    lines = ["| kernel | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(columns)]
    for name, row in rows.items():
        lines.append(f"| {name.replace('_', ' ')} | " + " | ".join(f"{row[c].size} / {row[c].executed}" for c in columns) + " |")
    lines.append("| shared by all | " + " | ".join(f"{shared[c]}" for c in columns) + " |")
    return lines


def ratio(rows, column, other, what):
    """The geometric mean of one column relative to another."""
    logs = [math.log(getattr(r[column], what) / getattr(r[other], what)) for r in rows.values()]
    return math.exp(sum(logs) / len(logs))


def summary(core, level, rows):
    label = {"gcc": "gcc", "alone": "gcc, no libc"}
    for column in ("object", "c"):
        for other in (c for c in ("gcc", "alone") if c in next(iter(rows.values()))):
            worst = max(rows, key=lambda n: rows[n][column].executed / rows[n][other].executed)
            more = rows[worst][column].executed / rows[worst][other].executed
            yield (f"| {core.title} | {level} | {column} | {label[other]} | {ratio(rows, column, other, 'executed'):.2f} | "
                   f"{ratio(rows, column, other, 'size'):.2f} | {worst.replace('_', ' ')}: {more:.2f} |")  # fmt: skip


def write_between(path, lines):
    before, rest = path.read_text().split(MARKS[0])
    path.write_text("\n".join([before + MARKS[0], *lines, MARKS[1]]) + rest.split(MARKS[1])[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--core", action="append", choices=CORES, help="all of them, where none is given")
    parser.add_argument("--level", action="append", choices=["-Os", "-O2"])
    parser.add_argument("--newlib", help="the folder of newlib for Arm, where gcc does not find it")
    parser.add_argument("--picolibc", help="the same of picolibc for RISC-V")
    parser.add_argument("--write", help="the folder of firmware.md and firmware-figures.md, whose tables it replaces")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    tables, summaries, wrong = [], [], []
    for name in options.core or CORES:
        core = CORES[name]
        if not shutil.which(core.gcc):
            print(f"{core.title} is left out: there is no {core.gcc}", file=sys.stderr)
            continue
        for level in options.level or ["-Os", "-O2"]:
            rows, shared = measure(core, level, options, Path(options.work) / f"{name}{level}")
            tables += ["", f"{core.title}, `{level}`:", "", *table(rows, shared, level)]
            summaries += summary(core, level, rows)
            if name == "m4":
                wrong += [f"{n} {level}: {f}" for n, row in rows.items() for f in faults(n, row, level)]
    summaries = ["| core | level | output | compared with | instructions | bytes | worst kernel, by instructions |",
                 "| --- | --- | --- | --- | ---: | ---: | --- |", *summaries]  # fmt: skip
    print("\n".join(summaries + tables))
    if options.write:
        write_between(Path(options.write, "firmware.md"), summaries)
        write_between(Path(options.write, "firmware-figures.md"), tables)
    sys.exit("\n".join(wrong) if options.check and wrong else 0)


main()
