# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs wrong command lines, and prints each with the first line of its message."""

import subprocess
import sys

SLIPS = """explain two
two.rsh explain
explain join two.rsh
run a=a.npy two.rsh join
two.rsh join a=a.npy
run two.rsh JOIN a=a.npy
run two.rsh join a.npy
run a[0] a=a.npy
run two.rsh join -o out.npy
explain --svg two.rsh -o two.svg
two.rsh --svg
two.rsh -o=two.o
chains two.onnx two.o
chains two.rsh
run -j 0 two.rsh
two.rsh -o folder
two.rsh -o away/two.o"""

for slip in SLIPS.splitlines():
    done = subprocess.run([sys.argv[1], *slip.split()], capture_output=True, text=True, check=False)
    print(slip, done.stderr.splitlines()[0] if done.returncode in (1, 2) else f"exit {done.returncode}", sep="\n")
