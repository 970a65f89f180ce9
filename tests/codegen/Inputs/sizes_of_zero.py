# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles n inputs of n open sizes that are reshaped, and compares the output for n = 1 to 12.

    sizes_of_zero.py RESHAPEC DIRECTORY
"""

import pathlib
import subprocess
import sys

reshapec, directory = sys.argv[1], pathlib.Path(sys.argv[2])


def made(n):
    """(functions, bytes of the object's code, bytes of the header) for n results."""
    inputs = ", ".join(f"x{i}: f32[N{i}, 8]" for i in range(n))
    results = ", ".join(f"y{i}" for i in range(n))
    body = "".join(f"    y{i} = reshape(x{i}, [-1, 4])\n" for i in range(n))
    text, code, header = (directory / f"many.{end}" for end in ("rsh", "s", "h"))
    text.write_text(f"graph many({inputs}) -> ({results}) {{\n{body}}}\n")
    command = [reshapec, text, "-fno-verify", "--header", header]
    subprocess.run([*command, "--emit=asm", "-o", code], check=True)
    lines = code.read_text().splitlines()
    functions = [line for line in lines if line.strip().startswith(".type") and "@function" in line]
    return len(functions), len(lines), header.stat().st_size


def say(what, good, otherwise):
    print(f"{what}: {'' if good else 'not '}{otherwise}")


all_made = [made(n) for n in range(1, 13)]
functions, code, header = zip(*all_made)
say("functions of 1 to 12 results", len(set(functions)) == 1, "the same")
say("code of 12 results", code[11] <= 12 * code[0], "at most 12 times that of 1")
say("header of 12 results", header[11] <= 12 * header[0], "at most 12 times that of 1")
