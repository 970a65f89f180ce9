# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""split_rest.py RESHAPEC: VariadicSplit into lengths computed from a size, one of which is -1, against numpy."""

import subprocess
import sys

import numpy as np
from ir import Ir


def build(rows, lengths):
    """x: [rows, 6] is split along axis 1; an entry "rows" is the number of rows."""
    ir = Ir()
    x = ir.parameter("x", [rows, 6])
    shape = ir.layer("ShapeOf", [x], [[2]], "i64", version="opset3", output_type="i64")
    first = ir.layer("Gather", [shape, ir.const([0]), ir.const(0)], [[1]], version="opset8")
    parts = [first if n == "rows" else ir.const([n]) for n in lengths]
    both = ir.layer("Concat", parts, [[len(parts)]], axis=0)
    outputs = [[rows, -1]] * len(lengths)
    for part in ir.layer("VariadicSplit", [x, ir.const(1), both], outputs, name="y"):
        ir.result(part)
    ir.write("rest")


def run(size, lengths):
    x = np.arange(size * 6, dtype="f4").reshape(size, 6)
    np.save("x.npy", x)
    files = [f"y.{i}=y{i}.npy" for i in range(len(lengths))]
    done = subprocess.run([sys.argv[1], "run", "rest.xml", "x=x.npy", *files], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.splitlines()[0]
    known = [size if n == "rows" else n for n in lengths]
    known = [n if n >= 0 else 6 - (sum(known) + 1) for n in known]
    ends = np.cumsum(known)
    return all(np.array_equal(np.load(f"y{i}.npy"), x[:, e - n : e]) for i, (n, e) in enumerate(zip(known, ends)))


for lengths in (["rows", -1], [-1, "rows"], [1, -1, "rows"], ["rows", -1, -1]):
    for rows in (4, -1):
        build(rows, lengths)
        print(lengths, rows, run(4, lengths))
build(-1, ["rows", -1])
print(run(6, ["rows", -1]), run(7, ["rows", -1]))
