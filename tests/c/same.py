#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C code of a file does the same as its object: the same statuses, the same bytes.

    same.py RESHAPEC CC WORK FILE.rsh [OPTION ...]

Every function is called with random bytes, and functions with sizes are called with several: negative ones, 0
and small ones. With libm the inputs hold no NaN: it is not defined which of two an addition returns. All
output is compared, with the bytes after it. C code compiles without warnings, and includes the header of the
object.
"""

import os
import random
import re
import subprocess
import sys

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
MOST_BYTES = 1 << 24  # of a parameter; larger ones are compiled, and not called
CALLS = 12  # of a function with sizes

HEAD = """
#include "same.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = %d, BEHIND = 64, PARAMETERS = 64 };
static unsigned char *t_in[PARAMETERS], *t_out[2][PARAMETERS];
static int t_calls;

static size_t t_bytes_of(long long n) { return n > 0 && n <= ROOM ? (size_t)n : 0; }

static void t_prepare(void) {
  for (int i = 0; i < PARAMETERS; i++)
    t_out[0][i] = malloc(ROOM + BEHIND), t_out[1][i] = malloc(ROOM + BEHIND);
  unsigned long long state = 88172645463325252u;
  for (int i = 0; i < 16; i++) {
    t_in[i] = malloc(ROOM + BEHIND);
    for (size_t at = 0; at < ROOM + BEHIND; at++) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      t_in[i][at] = (unsigned char)(state >> 32);
      if (NO_NAN && (t_in[i][at] & 0x7C) == 0x7C)
        t_in[i][at] ^= 0x10;
    }
  }
}

static void t_fill(int count, const long long *sizes) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      memset(t_out[k][i], 0xA5, t_bytes_of(sizes[i]) + BEHIND);
}

static int t_differ(const char *name, const char *with, int status, int expected, int count,
                  const long long *sizes) {
  t_calls++;
  if (status != expected)
    return printf("%%s(%%s): status %%d, of the object %%d\\n", name, with, status, expected);
  for (int i = 0; i < count; i++)
    for (size_t at = 0; sizes[i] >= 0 && at < t_bytes_of(sizes[i]) + BEHIND; at++)
      if (t_out[0][i][at] != t_out[1][i][at])
        return printf("%%s(%%s): byte %%zu of output %%d\\n", name, with, at, i);
  return 0;
}
"""


def functions(header):
    """(type, name, parameters, expressions of their bytes) of each graph's function."""
    prototype = re.compile(r"^(void|rsh_status) (\w+)\((.*)\);$", re.M)
    found = [m for m in prototype.finditer(header) if not m.group(2).endswith("_shape")]
    for at, match in enumerate(found):
        kind, name, text = match.groups()
        parameters = [p.rsplit(" ", 1)[-1].lstrip("*") for p in text.split(", ")]
        types = [p[: len(p) - len(n)].strip() for p, n in zip(text.split(", "), parameters)]
        end = found[at + 1].start() if at + 1 < len(found) else len(header)
        sizes = re.findall(r"^#define (\w+_BYTES)(\(.*?\))? ", header[match.end() : end], re.M)
        pointers = [t for t in types if "*" in t]
        if len(sizes) == len(pointers) and "DLTensor" not in text and "plan" not in parameters:
            yield kind, name, types, [a + b for a, b in sizes]


def call_of(kind, name, types, sizes, values):
    """C code of one call of both."""
    names = [f"t_s{i}" for i, t in enumerate(types) if t == "int64_t"]
    lines = [f"  {{ const int64_t {', '.join(f'{n} = {v}' for n, v in zip(names, values))};"]
    lines = lines if names else ["  {"]
    args, outputs, place, used = list(names), [], 0, 0
    pointers = [t for t in types if "*" in t]
    for text, size in zip(pointers, sizes):
        bytes_ = re.sub(r"\((.*?)\)$", f"({', '.join(names)})", size)
        if text.startswith("const "):
            args.append(f"(const void *)t_in[{place % 16}]")
            place += 1
        else:
            args.append(f"(void *)t_out[K][{used}]")  # what scratch holds is not compared
            outputs.append("-64" if text.startswith("void") else f"(long long){bytes_}")
            used += 1
    every = [re.sub(r"\((.*?)\)$", f"({', '.join(names)})", s) for s in sizes]
    fits = " && ".join(f"(long long){e} <= ROOM" for e in every) or "1"
    shown = ", ".join(map(str, values))
    lines.append(f"    const long long t_bytes[] = {{{', '.join(outputs)}}};")
    lines.append("    int t_a = 0, t_b = 0;")
    lines.append(f"    if ({fits}) {{")
    lines.append(f"      t_fill({used}, t_bytes);")
    first, second = (", ".join(a.replace("[K]", f"[{k}]") for a in args) for k in (0, 1))
    give = ("t_a = (int)", "t_b = (int)") if kind == "rsh_status" else ("", "")
    lines.append(f"      {give[0]}{name}({first}); {give[1]}o_{name}({second});")
    lines.append(f'      t_wrong += t_differ("{name}", "{shown}", t_a, t_b, {used}, t_bytes) != 0;')
    lines.append("    }\n  }")
    return "\n".join(lines)


def driver(header, no_nan):
    rng = random.Random(1)
    declared, calls = [], []
    for kind, name, types, sizes in functions(header):
        declared.append(f"{kind} o_{name}({', '.join(types).replace('RSH_RESTRICT', '')});")
        count = types.count("int64_t")
        for _ in range(CALLS if count else 1):
            values = [rng.choice([-1, 0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16]) for _ in range(count)]
            calls.append(call_of(kind, name, types, sizes, values))
    bodies = [calls[i : i + 100] for i in range(0, len(calls), 100)]
    text = f"enum {{ NO_NAN = {int(no_nan)} }};\n" + HEAD % MOST_BYTES + "\n".join(declared) + "\nstatic int t_wrong;\n"
    for i, body in enumerate(bodies):
        text += f"static void t_part_{i}(void) {{\n" + "\n".join(body) + "\n}\n"
    text += "int main(void) {\n  t_prepare();\n"
    text += "".join(f"  t_part_{i}();\n" for i in range(len(bodies)))
    return text + '  printf("%d calls, %d wrong\\n", t_calls, t_wrong);\n  return t_wrong != 0;\n}\n'


def main():
    reshapec, cc, work, path, *options = sys.argv[1:]
    os.makedirs(work, exist_ok=True)
    path = os.path.abspath(path)
    runtime = os.path.join(os.path.dirname(os.path.abspath(reshapec)), "librsh_runtime.a")

    def run(*command):
        subprocess.run(command, cwd=work, check=True)

    run(reshapec, path, "-O0", "-o", "same.o", "--header", "same.h", *options)
    run(reshapec, path, "--emit=c", "-o", "same.c", "--header", "same_c.h", *options)
    with open(os.path.join(work, "same.h"), encoding="utf-8") as file:
        header = file.read()
    with open(os.path.join(work, "same_c.h"), encoding="utf-8") as file:
        if file.read().replace("SAME_C_", "SAME_").replace('"-O2', '"-O0') != header:
            sys.exit("same.py: another header")
    with open(os.path.join(work, "driver.c"), "w", encoding="utf-8") as file:
        file.write(driver(header, "--libm" in options))
    run(cc, *WARNINGS, "-O1", "-c", "same.c", "-o", "same_c.o")
    run("objcopy", "--prefix-symbols=o_", "same.o", "prefixed.o")
    symbols = subprocess.run(["nm", "-u", "-P", "prefixed.o"], cwd=work, check=True, capture_output=True, text=True)
    undo = [f"--redefine-sym={s}={s[2:]}" for s in re.findall(r"^(o_\w+)", symbols.stdout, re.M)]
    run("objcopy", *undo, "prefixed.o")
    run(cc, "-O0", "-w", "-o", "driver", "driver.c", "same_c.o", "prefixed.o", runtime, "-lm")
    sys.exit(subprocess.run(["./driver"], cwd=work, check=False).returncode)


main()
