# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""beside_infer.py RESHAPEC: Reshape of x: [S, 12] to targets with -1 and an entry that may be -1, at several S.

The expected shapes and statuses follow ONNX: entries are checked from the left, a 0 copies, two -1 are refused.
"""

import subprocess
import sys

import numpy as np
from onnx import parser, save

# For each target: attributes, the entries, the tier, and for each S the result's shape, or the status.
CASES = [
    ("", "S-1, -1", "alias", {0: "multiple_infer", 1: (1, 12), 3: (2, 18)}),
    ("", "S-2, -1", "alias", {0: "bad_dim", 1: "multiple_infer", 2: (2, 12), 4: (2, 24)}),
    ("", "-1, S-2", "alias", {0: "bad_dim", 1: "multiple_infer", 2: (2, 12), 3: (36, 1)}),
    ("", "2, S-1, -1", "alias", {0: "multiple_infer", 1: "not_divisible", 2: (2, 1, 12), 3: (2, 2, 9)}),
    ("<allowzero = 1>", "S-1, -1", "alias", {0: "multiple_infer", 1: "zero_with_infer", 3: (2, 18)}),
    ("", "S-1, S-2, -1", "dynamic", {0: "bad_dim", 1: "multiple_infer", 2: (1, 12, 2), 3: (2, 1, 18)}),
    ("", "-1, S-1, S-2, S", "dynamic", {0: "multiple_infer", 1: "multiple_infer", 2: "zero_out_of_range", 3: (6, 2, 1, 3)}),
    ("<allowzero = 1>", "-1, S-1, S-2, S", "dynamic", {0: "multiple_infer", 1: "multiple_infer", 2: "zero_with_infer", 3: (6, 2, 1, 3)}),
    ("", "S-1, 12", "dynamic", {0: (0, 12), 1: (1, 12), 2: "volume_mismatch"}),
]


STATUSES = {
    "bad_dim": "target size below -1",
    "multiple_infer": "more than one -1",
    "zero_out_of_range": "0 copies a size that the input does not have",
    "zero_with_infer": "literal 0 and -1 together",
    "not_divisible": "not a multiple of the known sizes",
    "volume_mismatch": "element counts differ",
}


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)


def build(attributes, target):
    names = {"S-1": "less1", "S-2": "less2", "S": "n", "-1": "rest", "2": "two", "12": "twelve"}
    save(parser.parse_model(f"""<ir_version: 8, opset_import: ["" : 18]> m (float[S, 12] x) => (float[{", ".join("ABCD"[: target.count(",") + 1])}] y)
    <int64[1] zero = {{0}}, int64[1] one = {{1}}, int64[1] two = {{2}}, int64[1] twelve = {{12}}, int64[1] rest = {{-1}}> {{
        s = Shape (x)
        n = Gather (s, zero)
        less1 = Sub (n, one)
        less2 = Sub (n, two)
        t = Concat <axis = 0> ({", ".join(names[e] for e in target.split(", "))})
        y = Reshape {attributes} (x, t)
    }}"""), "m.onnx")


def result(rows):
    x = np.arange(rows * 12, dtype="f4").reshape(rows, 12)
    np.save("x.npy", x)
    done = run("run", "m.onnx", "x=x.npy", "y=y.npy")
    if done.returncode:
        return next((status for status, text in STATUSES.items() if text in done.stderr), done.stderr)
    y = np.load("y.npy")
    return y.shape if np.array_equal(y.ravel(), x.ravel()) else "elements differ"


def main():
    for attributes, target, tier, wanted in CASES:
        build(attributes, target)
        if f"  y  {tier}" not in (said := run("explain", "m.onnx").stdout):
            print(f"[{target}] {attributes}: {said}")
        for rows, expected in wanted.items():
            got = result(rows)
            if got != expected:
                print(f"[{target}] {attributes} of S = {rows}: {expected}, but {got}")
        for emit in ("obj", "c"):
            verified = run("verify", "m.onnx", f"--emit={emit}")
            if verified.returncode:
                print(f"[{target}] {attributes}: {verified.stdout}{verified.stderr}")
        print(f"[{target}]{' ' if attributes else ''}{attributes}: tried")


main()
