# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""targets.py RESHAPEC: Reshape of x: [B, C, 2] to targets that are computed from B and C, at several sizes.

The expected shapes are those of Model.evaluate() of OpenVINO 2025.4 and 2026.4.
"""

import subprocess
import sys

import numpy as np
from ir import Ir

# special_zero, the target, and for each input shape the result's
CASES = [
    ("true", ["B*C", -1], {(2, 3, 2): (6, 2), (0, 3, 2): (0, 6), (2, 0, 2): (2, 0)}),
    ("true", ["B", -1], {(2, 3, 2): (2, 6), (0, 3, 2): (0, 6), (2, 0, 2): (2, 0)}),
    ("true", ["B*2", -1], {(2, 3, 2): (4, 3), (0, 3, 2): (0, 6), (2, 0, 2): (4, 0)}),
    ("true", ["B*C", -1, 2], {(2, 3, 2): (6, 1, 2), (0, 3, 2): (0, 3, 2), (2, 0, 2): (2, 0, 2)}),
    ("true", ["B", "C*2", -1], {(2, 3, 2): (2, 6, 1), (0, 3, 2): (0, 6, 1), (2, 0, 2): (2, 0, 2)}),
    ("true", ["B", -1, "C"], {(2, 3, 2): (2, 2, 3), (0, 3, 2): (0, 2, 3), (2, 0, 2): (2, 0, 2)}),
    ("true", ["B-2", "C", 2], {(2, 3, 2): (2, 3, 2), (1, 3, 2): (1, 3, 2), (3, 3, 2): None, (0, 3, 2): None}),
    ("true", ["B-2", -1], {(3, 3, 2): (1, 18), (2, 3, 2): (2, 6), (1, 3, 2): None, (0, 3, 2): None}),
    ("false", ["B-2", -1], {(3, 3, 2): (1, 18), (2, 3, 2): None, (1, 3, 2): None, (0, 3, 2): None}),
    ("false", ["B-2", 6], {(1, 3, 2): (1, 6), (0, 3, 2): None}),
]


def build(special_zero, target, rank):
    ir = Ir()
    x = ir.parameter("x", [-1, -1, 2])
    shape = ir.layer("ShapeOf", [x], [[3]], "i64", version="opset3", output_type="i64")
    size = {name: ir.layer("Gather", [shape, ir.const([at]), ir.const(0)], [[1]], version="opset8") for name, at in (("B", 0), ("C", 1))}
    size["B*C"] = ir.layer("Multiply", [size["B"], size["C"]], [[1]], version="opset1")
    for name in "BC":
        size[f"{name}*2"] = ir.layer("Multiply", [size[name], ir.const([2])], [[1]], version="opset1")
    size["B-2"] = ir.layer("Subtract", [size["B"], ir.const([2])], [[1]], version="opset1")
    entries = [size[t] if isinstance(t, str) else ir.const([t]) for t in target]
    made = ir.layer("Concat", entries, [[len(entries)]], version="opset1", axis=0)
    ir.result(ir.layer("Reshape", [x, made], [[-1] * rank], "f32", "y", "opset1", special_zero=special_zero))
    ir.write("target")


def main():
    for special_zero, target, shapes in CASES:
        build(special_zero, target, len(target))
        verified = subprocess.run([sys.argv[1], "target.xml", "-fverify", "-o", "target.o"], capture_output=True, text=True, check=False)
        tier = subprocess.run([sys.argv[1], "explain", "target.xml"], capture_output=True, text=True, check=True).stdout.split("\n  y  ")[1].split()[0]
        print(target, f"{tier}, verified" if verified.returncode == 0 else verified.stderr)
        for given, wanted in shapes.items():
            x = np.arange(np.prod(given), dtype="f4").reshape(given)
            np.save("x.npy", x)
            done = subprocess.run([sys.argv[1], "run", "target.xml", "x=x.npy", "y=y.npy"], capture_output=True, check=False)
            y = np.load("y.npy") if done.returncode == 0 else None
            right = y is None if wanted is None else y is not None and np.array_equal(y, x.reshape(wanted))
            print(f"  {given}: {wanted}: {'right' if right else done.stderr.decode() or y.shape}")


main()
