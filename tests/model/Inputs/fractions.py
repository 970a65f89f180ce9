# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fractions.py RESHAPEC: the end of a slice is a fraction, rounded up, against Python."""

import math
import subprocess
import sys

import numpy as np
from onnx import parser, save

# An expression, and its value for a size n.
CASES = [
    ("Round(a)", lambda n: 2),
    ("Round(b)", lambda n: 4),
    ("Neg(c)", lambda n: 2.5),
    ("Abs(c)", lambda n: 2.5),
    ("Min(a, b, d)", lambda n: 2),
    ("Max(a, b, d)", lambda n: 3.5),
    ("Max(a)", lambda n: 2.5),
    ("Neg(minus)", lambda n: n / 2),
    ("Abs(h)", lambda n: n / 2),
    ("Min(q, h)", lambda n: n / 4),
    ("Max(q, h, c)", lambda n: n / 2),
]
TEXT = """<ir_version: 9, opset_import: ["" : 18]> fractions (float[%s] x) => (float[M] y)
<float a = {2.5}, float b = {3.5}, float c = {-2.5}, float d = {2}, float half = {0.5}, int64[1] zero = {0}> {
    s = Shape(x)  n = Cast <to = 1> (s)  h = Mul(n, half)  q = Mul(h, half)  minus = Neg(h)
    r = %s  up = Ceil(r)  end = Cast <to = 7> (up)  one = Constant <value_ints = [1]> ()
    ends = Reshape(end, one)  y = Slice(x, zero, ends)
}"""

for expression, value in CASES:
    good = True
    for size in (1, 5, 8):
        x = np.arange(size, dtype="f4")
        np.save("x.npy", x)
        for declared in (size, "N"):
            save(parser.parse_model(TEXT % (declared, expression)), "fractions.onnx")
            done = subprocess.run([sys.argv[1], "run", "fractions.onnx", "x=x.npy", "y=y.npy"], capture_output=True, text=True, check=False)
            good = good and done.returncode == 0 and np.array_equal(np.load("y.npy"), x[: math.ceil(value(size))])
    print(f"{expression}: {'equal' if good else done.stderr.strip() or 'differs'}")
