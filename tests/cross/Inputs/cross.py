#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares kernels of another machine, under an emulator, with those of this one.

    cross.py --reshapec R --target TRIPLE --emulator "qemu-riscv32" [--options "-Os"] [--clang "-march=..."] FILE...

Every graph of the files becomes a kernel for both machines, for the other one as an object and as C, and a call in a C
program, which fills its inputs with labels and prints a checksum of each output. All must print the same.
"""

import argparse
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
BOARDS = os.path.join(ROOT, "examples", "firmware")
LINUX = os.path.join(HERE, "linux.c")
WIDTHS = {"bool": 1, "bf16": 2, "c64": 4, "c128": 8}  # of what is counted, in bytes
BITS = {"bool": 8, "bf16": 16, "c64": 64, "c128": 128}


def bits(dtype):
    return BITS.get(dtype) or int(re.match(r"[a-z](\d)", dtype)[1] if dtype[:2] in ("f4", "f8") else dtype[1:])


def width(dtype):
    return WIDTHS.get(dtype) or max(bits(dtype) // 8, 1)


def volume(dims, sizes):
    n = 1
    for dim in dims:
        n *= eval(str(dim), {}, sizes)  # "B", "3*S": of our own files
    return n


class Graph:
    """A graph of a file: inputs and outputs as (name, dtype, bytes), and sizes."""

    def __init__(self, text, given, explained):
        self.name = explained["name"]
        self.text = text
        told = dict(part.split("=") for part in given if "=" in part)
        self.data = dict(part.split(":") for part in given if ":" in part)
        bytes_of = {o["name"]: told.pop(o["name"]) for o in explained["outputs"] if o["name"] in told}
        self.sizes = {k: int(v) for k, v in told.items()}
        self.is_dynamic = any(o["tier"] == "dynamic" for o in explained["outputs"])
        found = re.findall(r"(\w+): (\w+)(?:\[([^\]]*)\])?( placed)?", text[: text.index("->")])
        self.inputs = [self.tensor(n, t, d.split(",") if d else []) for n, t, d, placed in found if not placed]
        self.outputs = [
            (o["name"], o["dtype"], int(bytes_of[o["name"]]))
            if o["name"] in bytes_of
            else self.tensor(o["name"], o["dtype"], o["dims"])
            for o in explained["outputs"]
        ]

    def tensor(self, name, dtype, dims):
        count = volume(dims, self.sizes)
        return name, dtype, max((count * bits(dtype) + 7) // 8, 0) if count < 1 << 16 else 0

    def calls(self, prefix):
        """Returns the C statements that call it, and call it again in one buffer if that is allowed."""
        lines = self.call(prefix, [*range(len(self.inputs) + len(self.outputs))])
        return lines + (self.call(f"{prefix}in place ", [0, 0]) if "-> inplace" in self.text else [])

    def call(self, prefix, buffers):
        """Returns a call with these buffers as inputs and outputs."""
        lines, arguments = ["  {"], [f"INT64_C({n})" for n in self.sizes.values()]
        declared = max([1, *map(int, re.findall(r"align (\d+)", self.text))])
        takes_numbers = "cast(" in self.text or "relu" in self.text or "swish" in self.text
        for i, (name, dtype, size) in zip(buffers, self.inputs + self.outputs):
            arguments.append(f"(void *)b{i}.at")
            if len(arguments) - len(self.sizes) > i + 1:
                continue
            lines.append(f"    Buffer b{i} = buffer(room[{i}], {size}, {max(width(dtype), declared)});")
            if i >= len(self.inputs):
                continue
            if name in self.data:
                lines.append(f"    FILL_DATA(b{i}, {self.data[name]});")
            elif takes_numbers and dtype in ("f32", "f64"):
                lines.append(f"    FILL_NUMBERS({'float' if dtype == 'f32' else 'double'}, b{i}, {i * 7});")
            else:
                lines.append(f"    fill(b{i}, {width(dtype)}, {1000 * i});")
        if self.is_dynamic:
            lines.append(f"    static _Alignas(8) unsigned char plan[{self.name.upper()}_PLAN_BYTES];")
            lines.append("    static int64_t dims[8];")
            arguments += ["dims", "plan"]
        call = f"{self.name}({', '.join(arguments)})"
        lines.append(f"    int status = {'(int)' + call if self.sizes or self.is_dynamic else '0'};")
        if not self.sizes and not self.is_dynamic:
            lines.append(f"    {call};")
        for i, (name, dtype, _) in zip(buffers[len(self.inputs) :], self.outputs):
            lines.append(
                f'    tell("{prefix}{self.name}.{name}", status, summary(b{i}, {width(dtype)}), is_kept(room[{i}], b{i}));'
            )
        if self.is_dynamic:
            lines.append(f'    tell("{prefix}{self.name} dims", status, sum_of(dims), 1);')
        return lines + ["  }"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout or done.stderr  # qemu prints semihosting output as errors


def graphs_of(reshapec, path):
    explained = {g["name"]: g for g in json.loads(run(reshapec, "explain", path, "--json"))["graphs"]}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    pattern = r"(?:^# sizes (.*)\n)?^graph (\w+)((?:.*\n)*?.*\}$)"
    found = re.findall(pattern, text, re.MULTILINE)
    return [Graph(body, given.split(), explained[name]) for given, name, body in found]


def runtime_of(cc, build, *variables):
    run("make", "-C", ROOT, f"BUILD={build}", f"CC={cc}", "CFLAGS=-Os", "PIC=", "AR=llvm-ar", "SANITIZE=0", *variables, "runtime")
    return os.path.join(build, "librsh_runtime.a")


def write_program(path, stem, graphs, program):
    if program:
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#include "{stem}.h"\n#include "{os.path.basename(program)}"\n')
        return
    lines = [f'#include "{stem}.h"\n#include "check.h"\n']
    lines.append("static _Alignas(32) unsigned char room[8][ROOM];\n\nint main(void) {")
    for graph in graphs:
        lines += graph.calls(f"{stem}.")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["  return 0;\n}\n"]))


BARE = ["-ffreestanding", "-fno-builtin", "-fno-stack-protector"]
STRICT = ["-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]


class Machine:
    """A machine for kernels, and the files to link with them."""

    def __init__(self, target, board, options="", clang="", emulator="", script=None):
        self.target, self.options, self.emulator = target, options.split(), emulator.split()
        self.clang = ["clang-19", f"--target={target}", *clang.split(), *BARE]
        self.link = ["-T", script, f"-L{os.path.dirname(board)}", f"-L{BOARDS}"] if script else []
        self.libraries = [self.compile(board, f"board-{target}.o", "-O1", f"-I{BOARDS}", f"-I{ROOT}")]

    def compile(self, source, code, *options):
        run(*self.clang, *options, "-c", source, "-o", code)
        return code

    def answers(self, stem, *kernels):
        """Returns what the program `stem`.c prints with these objects."""
        program = self.compile(f"{stem}.c", "main.o", "-std=c11", "-O1", "-fno-inline", "-Wall", "-Wextra", "-Werror",
                               f"-I{HERE}", f"-I{BOARDS}", f"-I{ROOT}", "-I.")  # fmt: skip
        linker = ["wasm-ld-19"] if self.target.startswith("wasm") else ["ld.lld-19", "-static"]
        run(*linker, *self.link, program, *kernels, *self.libraries, "-o", "program")
        return run(*self.emulator, "./program").splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--options", default="")
    parser.add_argument("--clang", default="")
    parser.add_argument("--runtime", help="variables of make for the runtime library, which is then linked too")
    parser.add_argument("--board", default=LINUX, help="a C file that starts programs and prints text")
    parser.add_argument("--script", help="a linker script for that board")
    parser.add_argument("--program", help="a C file beside this one that calls the kernels, and prints what they give")
    parser.add_argument("--libgcc", help="the C compiler's library, where the runtime's divisions are not enough")
    parser.add_argument("--work", required=True)
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    os.chdir(args.work)
    host = Machine("x86_64-linux-gnu", LINUX)
    cross = Machine(args.target, args.board, args.options, args.clang, args.emulator, args.script)
    if args.runtime is not None:
        host.libraries.append(os.path.join(os.path.dirname(args.reshapec), "librsh_runtime.a"))
        cc = f"clang-19 --target={args.target} {args.clang}"
        cross.libraries.append(runtime_of(cc, os.path.join(args.work, "runtime"), *args.runtime.split()))
    if args.libgcc:
        cross.libraries.append(args.libgcc)
    libgcc = cross.compile(os.path.join(HERE, "libgcc.c"), "libgcc.o", "-std=c11", "-O1", f"-I{ROOT}")
    kernels = 0
    for path in args.files:
        stem = os.path.splitext(os.path.basename(path))[0]
        graphs = graphs_of(args.reshapec, path)
        write_program(f"{stem}.c", stem, graphs, args.program)

        def emit(machine, code):
            run(args.reshapec, path, f"--target={machine.target}", *machine.options, "--freestanding",
                f"--emit={'c' if code.endswith('.c') else 'obj'}", "-o", code, "--header", f"{stem}.h")  # fmt: skip
            return code

        answers = [machine.answers(stem, emit(machine, "kernels.o")) for machine in (host, cross)]
        in_c = cross.compile(emit(cross, "kernels.c"), "kernels.o", "-std=c99", "-O1", *STRICT)
        answers.append(cross.answers(stem, in_c, libgcc))
        for on_host, on_cross, as_c in zip(*answers):
            if not on_host == on_cross == as_c or "wrote" in on_host:
                print(f"{args.target}: {on_cross}, in C {as_c}, on this machine {on_host}")
        if not answers[0] == answers[1] == answers[2] or len(answers[0]) < len(graphs):
            sys.exit(f"{args.target}: {stem}: not the same")
        kernels += len(graphs)
    print(f"{args.target}: {kernels} kernels, objects and C, give the same bytes")


main()
