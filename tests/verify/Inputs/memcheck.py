#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a C program that calls every function of a header under memcheck (memcheck.h).

    memcheck.py kernels.h --without casts --bytes woven --sizes W=8

Functions of --bytes pack vectors with saturation, which memcheck follows by whole elements: bytes are undefined there, not bits.
"""

import argparse
import os
import re

parser = argparse.ArgumentParser()
parser.add_argument("header")
parser.add_argument("--without", nargs="*", default=[])
parser.add_argument("--bytes", nargs="*", default=[])
parser.add_argument("--sizes", nargs="*", default=[], help="of symbols; of others 5")
args = parser.parse_args()
with open(args.header, encoding="utf-8") as file:
    text = file.read()
sizes = dict(size.split("=") for size in args.sizes)


def bytes_of(function, name):
    macro = f"{function}_{name}_BYTES".upper()
    found = re.search(rf"#define {macro}(\([^)]*\))?", text)
    return f"(size_t){macro}{found[1] or ''}"


def calls(function, parameters, has_status):
    """Returns the body of `static int function_is_good(void)`: blocks, two calls, comparisons."""
    symbols = [p[8:] for p in parameters if p.startswith("int64_t ") and "*" not in p]
    pointers = {re.search(r"\w+$", p)[0]: p for p in parameters if "*" in p}
    names = list(pointers)
    # "const float *x", "const char *const *x" of strings; "float *y", "const char **y"
    inputs = [n for n, p in pointers.items() if p.startswith("const ") and "**" not in p]
    outputs = [n for n in names if n not in inputs]
    yield from (f"const int64_t {s} = {sizes.get(s, 5)};" for s in symbols)
    yield "int good = 1;"
    yield from (f"Block b_{n} = block({bytes_of(function, n)});" for n in names)
    yield "for (int turn = 0; turn < 2; turn++) {"
    yield from (f"  fill(&b_{n}, turn, {int(function in args.bytes)});" for n in inputs)
    call = f"{function}({', '.join(symbols + [f'(void *)b_{n}.data' for n in names])})"
    yield f"  good = good && {call} == RSH_ok;" if has_status else f"  {call};"
    yield from (f"  take(&b_{n}, turn);" for n in outputs)
    yield "}"
    yield from (f"good = good && is_expected(&b_{n});" for n in outputs if n != "scratch")
    yield from (f"discard(&b_{n});" for n in names)
    yield "return good;"


functions = []
for status, name, parameters in re.findall(r"^(void|rsh_status) (\w+)\((.*)\);", text, re.MULTILINE):
    if not name.endswith("_shape") and name not in args.without:
        functions.append((name, [p.replace("RSH_RESTRICT ", "") for p in parameters.split(", ")], status != "void"))

print(f'#include "{os.path.basename(args.header)}"\n#include "memcheck.h"\n')
for name, parameters, has_status in functions:
    body = "\n  ".join(calls(name, parameters, has_status))
    print(f"static int {name}_is_good(void) {{\n  {body}\n}}\n")
print("int main(void) {\n  int wrong = 0;")
for name, _, _ in functions:
    print(f'  if (!{name}_is_good())\n    wrong++, printf("{name}: other bits are undefined\\n");')
print(f'  printf("%d of {len(functions)} kernels\\n", {len(functions)} - wrong);\n  return wrong > 0;\n}}')
