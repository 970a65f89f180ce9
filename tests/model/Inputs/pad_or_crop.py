# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pad_or_crop.py RESHAPEC: Pad by amounts of either sign, at several sizes, against numpy."""

import subprocess
import sys

import numpy as np
from onnx import parser, save


def fit(x, before, after, **how):
    """Pads the last axis, or crops it where an amount is below 0."""
    x = x[:, max(-before, 0) : x.shape[1] - max(-after, 0)]
    return np.pad(x, [(0, 0), (max(before, 0), max(after, 0))], **how)


HEAD = """<ir_version: 8, opset_import: ["" : 18]> %s (float[2, N] x%s) => (float[A, B] y)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}, int64[1] four = {4}, int64[1] five = {5},
 float seven = {7}> {
    s = Shape (x)
    n = Gather (s, one)
    d = Sub (four, n)
    %s
}"""
# Another input, nodes, the result for x, z and their lengths, and lengths of x.
CASES = {
    "begin": ("", "p = Concat <axis = 0> (zero, d, zero, zero) y = Pad (x, p)",
              lambda x, z, n, m: fit(x, 4 - n, 0), (0, 1, 4, 9)),
    "end": ("", "p = Concat <axis = 0> (zero, d) y = Pad (x, p, seven, one)",
            lambda x, z, n, m: fit(x, 0, 4 - n, constant_values=7), (0, 1, 4, 9)),
    "both": ("", "e = Sub (five, n) p = Concat <axis = 0> (zero, d, zero, e) y = Pad (x, p)",
             lambda x, z, n, m: fit(x, 4 - n, 5 - n), (0, 1, 4, 5, 9)),
    "other": (", float[2, M] z", """t = Shape (z) m = Gather (t, one) e = Sub (m, n)
        p = Concat <axis = 0> (zero, zero, zero, e) w = Pad (x, p) y = Concat <axis = 0> (w, z)""",
        lambda x, z, n, m: np.concatenate((fit(x, 0, m - n), z)), (0, 1, 3, 5)),
    "middle": (", float[2, M] z", """t = Shape (z) m = Gather (t, one) e = Sub (m, n) l = Div (e, two) r = Sub (e, l)
        p = Concat <axis = 0> (zero, l, zero, r) w = Pad (x, p) y = Concat <axis = 0> (w, z)""",
        lambda x, z, n, m: np.concatenate((fit(x, int((m - n) / 2), m - n - int((m - n) / 2)), z)), (0, 1, 3, 6)),
    "edge": ("", 'p = Concat <axis = 0> (zero, d, zero, zero) y = Pad <mode = "edge"> (x, p)',
             lambda x, z, n, m: fit(x, 4 - n, 0, mode="edge"), (1, 4, 9)),
}  # fmt: skip


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)


for name, (more, nodes, expected, lengths) in CASES.items():
    save(parser.parse_model(HEAD % (name, more, nodes)), f"{name}.onnx")
    verdict = "equal"
    for n in lengths:
        x, z = np.arange(2 * n, dtype="f4").reshape(2, n), np.arange(6, dtype="f4").reshape(2, 3)
        np.save("x.npy", x)
        np.save("z.npy", z)
        done = run("run", f"{name}.onnx", "x=x.npy", *(["z=z.npy"] if more else []), "y=y.npy")
        if done.returncode != 0 or not np.array_equal(np.load("y.npy"), expected(x, z, n, 3)):
            verdict = done.stderr.strip() or f"differs at {n}"
    verified = run("verify", f"{name}.onnx").returncode == 0
    tier = "symbolic" if "y  symbolic" in run("explain", f"{name}.onnx").stdout else "dynamic"
    print(f"{name}: {verdict}, {'verified' if verified else 'not verified'}, {tier}")
