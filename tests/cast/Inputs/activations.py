# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""activations.py RESHAPEC TABLE: every row of the table against numpy in double precision.

The bounds are in units in the last place of the result: 8 where libm is called (swish far below 0, where
e^x is subnormal, comes near it, all others stay below 3); without it 1.5 of f32 and 2 of f64; of f16 and
bf16, which are rounded from f32 once, 1. Where a result is the small difference of two large numbers, as
of tanh_shrink near 0, the unit is that of the operand.
"""
import math
import re
import subprocess
import sys

import ml_dtypes
import numpy as np

D = np.longdouble
np.seterr(all="ignore")


def each(function):
    return lambda x: np.array([function(float(v)) for v in x], D)


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def sigmoid(x):
    return np.exp(-softplus(-x))


def half_away(x):
    return np.copysign(np.floor(np.abs(x)) + (np.abs(x) - np.floor(np.abs(x)) >= 0.5), x)


WANTED = {
    "relu": lambda x: np.maximum(x, 0), "relu6": lambda x: np.minimum(np.maximum(x, 0), 6),
    "leaky_relu": lambda x: np.where(x > 0, x, D(0.02) * x), "elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "sigmoid": sigmoid, "logsigmoid": lambda x: -softplus(-x), "tanh_shrink": lambda x: x - np.tanh(x),
    "softplus": lambda x: np.where(x > 20, x, softplus(x)), "softsign": lambda x: x / (1 + np.abs(x)),
    "softshrink": lambda x: np.where(x > 0.5, x - 0.5, np.where(x < -0.5, x + 0.5, 0)),
    "hard_shrink": lambda x: np.where(np.abs(x) > 0.5, x, 0),
    "hard_sigmoid": lambda x: np.maximum(0, np.minimum(1, D(0.2) * x + D(0.5))),
    "hard_swish": lambda x: x * np.minimum(np.maximum(x + 3, 0), 6) / 6,
    "swish": lambda x: x * sigmoid(x), "silu": lambda x: x * sigmoid(x), "mish": lambda x: x * np.tanh(softplus(x)),
    "brelu": lambda x: np.minimum(np.maximum(x, 0), 24), "soft_relu": lambda x: softplus(np.clip(x, -40, 40)),
    "thresholded_relu": lambda x: np.where(x > 1, x, 0), "stanh": lambda x: D(1.7159) * np.tanh(D(0.67) * x),
    "pow": lambda x: x, "celu": lambda x: np.maximum(x, 0) + np.minimum(0, np.expm1(x)),
    "gelu": lambda x: x / 2 * each(lambda v: math.erfc(-v / math.sqrt(2)))(x),
    "rsqrt": lambda x: 1 / np.sqrt(x), "square": lambda x: x * x, "reciprocal": lambda x: 1 / x, "round": half_away,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}
INSIDE = {"asin": (-1, 1), "acos": (-1, 1), "atanh": (-1, 1), "acosh": (1, 1e4), "log": (0, 1e4), "log2": (0, 1e4),
          "log10": (0, 1e4), "log1p": (-1, 1e4), "sqrt": (0, 1e4), "rsqrt": (0, 1e4)}
# Differences: their error is that of what is subtracted.
DIFFERENCES = {"tanh_shrink", "softshrink", "hard_swish", "hard_sigmoid", "gelu", "stanh", "logsigmoid"}
TYPES = {"f32": np.dtype("f4"), "f64": np.dtype("f8"), "f16": np.dtype("f2"), "bf16": np.dtype(ml_dtypes.bfloat16)}
BITS = {"f32": 24, "f64": 53, "f16": 11, "bf16": 8}
LEAST = {"f32": -149, "f64": -1074, "f16": -24, "bf16": -133}


def operands(name, kind):
    low, high = INSIDE.get(name, (-30, 30))
    x = np.concatenate([np.linspace(low, high, 4000), np.linspace(max(low, -2), min(high, 2), 4000)])
    special = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 20.0, 24.0, 1e-6, -1e-6, -90.0, 90.0, 1e4]
    special = [v for v in special if low <= v <= high or name not in INSIDE]
    return np.concatenate([x, special, [np.nan, np.inf, -np.inf]]).astype(TYPES[kind])


def run(reshapec, path, name, kind, x):
    stored = x if kind != "bf16" else x.view("u2")
    np.save("x.npy", stored)
    subprocess.run([reshapec, "run", path, f"{name}_{kind}", "x=x.npy", "y=y.npy"], check=True)
    y = np.load("y.npy")
    return y if kind != "bf16" else y.view(TYPES[kind])


def worst(name, kind, x, y):
    """The largest error in units in the last place, and where."""
    precise = x.astype("f8").astype(D)
    want = WANTED.get(name, getattr(np, name, None))(precise)
    want = np.where(np.isnan(precise), D(np.nan), want)  # NaN stays NaN in all of them
    rounded = want.astype("f8").astype(TYPES[kind]).astype("f8")
    found = y.astype("f8")
    finite = np.isfinite(rounded) & np.isfinite(want) & np.isfinite(found)
    either = finite | (np.isnan(rounded) & np.isnan(found)) | (rounded == found)
    # inf * 0: the limit of x * sigmoid(x) at -inf is 0, what is computed is NaN
    either |= np.isneginf(precise) & (name in ("swish", "silu", "mish", "gelu", "hard_swish"))
    either |= np.isinf(precise) & (name == "tanh_shrink")
    near_end = np.isfinite(want) & (np.abs(want) > 0.99 * float(ml_dtypes.finfo(TYPES[kind]).max))
    if not (either | near_end).all():
        i = np.flatnonzero(~(either | near_end))[0]
        sys.exit(f"{name} of {kind} {x[i]} is {found[i]}, not {rounded[i]}")
    size = np.maximum(np.abs(want), np.abs(precise) if name in DIFFERENCES else 0)
    unit = np.exp2(np.maximum(np.floor(np.log2(np.where(size > 0, size, 1))) - BITS[kind] + 1, LEAST[kind]))
    error = np.where(finite, np.abs(found.astype(D) - want) / unit, 0)
    return float(error.max()), x[error.argmax()]


def main(reshapec, table):
    rows = re.findall(r'^RSH_ACTIVATION\(\w+, *"(\w+)", *"([^"]*)"', open(table, encoding="utf-8").read(), re.MULTILINE)
    for name, libm in rows:
        with open("one.rsh", "w", encoding="utf-8") as out:
            for kind in TYPES:
                n = operands(name, kind).size
                out.write(f"graph {name}_{kind}(x: {kind}[{n}]) -> y {{ y = {name}(x) }}\n")
        for kind in TYPES:
            x = operands(name, kind)
            error, at = worst(name, kind, x, run(reshapec, "one.rsh", name, kind, x))
            bound = {"f32": 8 if libm else 1.5, "f64": 8 if libm else 2}.get(kind, 1)
            if "-v" in sys.argv:
                print(f"{name} of {kind}: {error:.2f} units at {at}")
            elif error > bound:
                sys.exit(f"{name} of {kind}: wrong by {error:.2f} units at {at}; {bound} allowed")
    print(len(rows), "functions")


main(*sys.argv[1:3])
