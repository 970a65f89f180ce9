# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""divided.py RESHAPEC: the end of a slice is a size less 2 or 3, divided by 2, for sizes from 0 on, against Python."""

import math
import subprocess
import sys

import numpy as np
from ir import Ir

CASES = [
    ("Divide", {}, 3, lambda n: n // 2),
    ("Divide", {"m_pythondiv": "true"}, 2, lambda n: n // 2),
    ("Divide", {"m_pythondiv": "false"}, 2, lambda n: int(n / 2)),
    ("FloorMod", {}, 3, lambda n: n % 2),
    ("Mod", {}, 3, lambda n: int(math.fmod(n, 2))),
]


def build(kind, attributes, less, size, by=2):
    ir = Ir()
    x = ir.parameter("x", [size])
    shape = ir.layer("ShapeOf", [x], [[1]], "i64", version="opset3", output_type="i64")
    rest = ir.layer("Subtract", [shape, ir.const([less])], [[1]])
    end = ir.layer(kind, [rest, ir.const([by])], [[1]], auto_broadcast="numpy", **attributes)
    ir.result(ir.layer("Slice", [x, ir.const([0]), end, ir.const([1]), ir.const([0])], [[-1]], name="y", version="opset8"))
    ir.write("divided")


def run(size, end):
    x = np.arange(size, dtype="f4")
    np.save("x.npy", x)
    done = subprocess.run([sys.argv[1], "run", "divided.xml", "x=x.npy", "y=y.npy"], capture_output=True, text=True, check=False)
    return f"refused for {size}" if done.returncode else "equal" if np.array_equal(np.load("y.npy"), x[:end]) else f"differs for {size}"


for kind, attributes, less, wanted in CASES:
    known, opened = set(), set()
    for size in range(6):
        build(kind, attributes, less, size)
        known.add(run(size, wanted(size - less)))
    build(kind, attributes, less, -1)
    for size in range(6):
        opened.add(run(size, wanted(size - less)))
    print(kind, *attributes.values(), *known, "and", *(opened if len(opened) == 1 else ["refused"]))

build("Divide", {}, 3, -1, by=-2)
print(subprocess.run([sys.argv[1], "check", "divided.xml"], capture_output=True, text=True, check=False).stderr.strip())
