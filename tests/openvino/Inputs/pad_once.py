# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pad_once.py RESHAPEC: Pad of x: [?, 4] in modes that repeat elements, for several numbers of rows.

The expected shapes are those of Model.evaluate() of OpenVINO 2026.4; None: it fails.
"""

import subprocess
import sys

import numpy as np
from ir import Ir

# The mode, the amounts at the beginning and at the end, and for each number of rows the result's.
CASES = [
    ("reflect", [3, 0], [0, 1], {4: 7, 3: None, 1: None, 0: None}),
    ("reflect", [-1, 0], [1, 0], {2: 2, 1: None, 0: None}),
    ("symmetric", [0, 0], [3, 0], {4: 7, 3: 6, 2: None, 0: None}),
    ("symmetric", [0, 1], [0, 0], {1: 1, 0: 0}),
    ("edge", [0, 0], [5, 0], {2: 7, 1: 6}),
]


def main():
    for mode, begin, end, rows in CASES:
        ir = Ir()
        x = ir.parameter("x", [-1, 4])
        ir.result(ir.layer("Pad", [x, ir.const(begin), ir.const(end)], [[-1, -1]], "f32", "y", "opset12", pad_mode=mode))
        ir.write("pad")
        subprocess.run([sys.argv[1], "verify", "pad.xml"], stdout=subprocess.DEVNULL, check=True)
        told = subprocess.run([sys.argv[1], "explain", "pad.xml"], capture_output=True, text=True, check=True).stdout
        print(mode, begin, end, told.split("\n  y  ")[1].split()[0])
        for height, wanted in rows.items():
            np.save("x.npy", np.arange(4 * height, dtype="f4").reshape(height, 4))
            done = subprocess.run([sys.argv[1], "run", "pad.xml", "x=x.npy", "y=y.npy"], capture_output=True, check=False)
            got = len(np.load("y.npy")) if done.returncode == 0 else None
            print(f"  {height} rows: {got}{'' if got == wanted else f', not {wanted}'}")


main()
