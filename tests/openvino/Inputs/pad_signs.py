# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pad_signs.py RESHAPEC: Pad by amounts of either sign, in modes that repeat elements, against numpy.

The amounts at each end are constants, inputs, or computed from the sizes of x.
"""

import itertools
import subprocess
import sys

import numpy as np
from ir import Ir

X = np.arange(20, dtype="f4").reshape(4, 5)
# Amounts at the beginning and at the end of both axes.
AMOUNTS = [([-2, -3], [3, 4]), ([3, 2], [-2, 1]), ([-1, 4], [-1, -2]), ([-4, 4], [2, -5])]


def amounts(ir, shape, name, kind, values):
    if kind == "constant":
        return ir.const(values)
    if kind == "input":
        return ir.parameter(name, [2], "i64")
    more = ir.const([n - size for n, size in zip(values, X.shape)])
    return ir.layer("Add", [shape, more], [[2]], version="opset1")


def build(mode, kinds, both):
    ir = Ir()
    x = ir.parameter("x", [-1, -1])
    shape = ir.layer("ShapeOf", [x], [[2]], "i64", version="opset3", output_type="i64")
    ends = [amounts(ir, shape, *of) for of in zip(("begin", "end"), kinds, both)]
    ir.result(ir.layer("Pad", [x, *ends], [[-1, -1]], "f32", "y", "opset12", pad_mode=mode))
    ir.write("pad")


def expected(mode, both):
    """Repeats elements of all of X, then crops."""
    pairs = list(zip(*both))
    y = np.pad(X, [(max(begin, 0), max(end, 0)) for begin, end in pairs], mode)
    return y[tuple(slice(max(-begin, 0), size - max(-end, 0)) for (begin, end), size in zip(pairs, y.shape))]


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)


def try_pad(mode, kinds, both):
    """Returns what is wrong, or None."""
    build(mode, kinds, both)
    given = [f"{name}={name}.npy" for name, kind in zip(("begin", "end"), kinds) if kind == "input"]
    done = run("run", "pad.xml", "x=x.npy", *given, "y=y.npy")
    if done.returncode:
        return done.stderr
    return None if np.array_equal(np.load("y.npy"), expected(mode, both)) else "differs"


def main():
    np.save("x.npy", X)
    for mode in ("edge", "reflect", "symmetric"):
        for kinds in itertools.product(("constant", "input", "sizes"), repeat=2):
            if set(kinds) == {"input", "sizes"}:
                continue  # refused
            for both in AMOUNTS:
                for name, values in zip(("begin", "end"), both):
                    np.save(f"{name}.npy", np.array(values))
                if wrong := try_pad(mode, kinds, both):
                    print(f"{mode}, {kinds}, {both}: {wrong}")
            verified = run("verify", "pad.xml")
            if verified.returncode:
                print(f"{mode}, {kinds}: {verified.stdout}{verified.stderr}")
        print(f"{mode}: tried")


main()
