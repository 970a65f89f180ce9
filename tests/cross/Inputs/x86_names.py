# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: x86_names.py SAYS CLANG: compares x86.def with the macros that clang defines for each processor."""

import subprocess
import sys

says, clang = sys.argv[1:]

# In the order of codegen/machine/x86.h.
sets = ["SSE2", "SSE3", "SSSE3", "SSE4_1", "SSE4_2", "AVX", "AVX2", "AVX512F", "AVX512BW", "AVX512VBMI"]
# What the planner queries.
asked = {"SSSE3", "AVX2", "AVX512BW", "AVX512VBMI"}


def names():
    listed = subprocess.run([clang, "--target=x86_64", "-print-supported-cpus"], capture_output=True, text=True, check=True)
    return [line.strip() for line in (listed.stdout + listed.stderr).splitlines() if line.startswith("\t")]


def macros(name):
    made = subprocess.run([clang, "--target=x86_64-linux-gnu", "-march=" + name, "-dM", "-E", "-x", "c", "/dev/null"],
                          capture_output=True, text=True)
    return None if made.returncode else {line.split()[1].strip("_") for line in made.stdout.splitlines()}


compared = 0
for name in names():
    defined = macros(name)
    if defined is None:  # a 32-bit processor, or a name that clang lacks
        continue
    vectors, has_half = subprocess.run([says, name, ""], capture_output=True, text=True, check=True).stdout.split()
    said = {s for s in sets[:sets.index(vectors) + 1] if s in asked} | ({"F16C"} if has_half == "1" else set())
    true = defined & (asked | {"F16C"})
    if said != true:
        sys.exit(f"{name}: x86.def says {sorted(said)}, clang {sorted(true)}")
    compared += 1
print(f"{compared} processors")
