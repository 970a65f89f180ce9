# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the error of every element function: all values of f16 and bf16, values of all exponents of f32 and f64.

activations.py RESHAPEC TABLE PAGE           fails where an error is above the bound that PAGE (docs/activations.md) has
activations.py RESHAPEC TABLE PAGE --write   measures with a million values of f32, and writes the table of PAGE

The reference is the definition (activations.def), computed in numpy's longdouble in a form that loses no digits, and
never rounded. Errors are in units in the last place of the element type, at the exact value: half a unit is due to
rounding alone. Exact values beyond the largest number count as the power of two there, and so does infinity.
"""
import math
import platform
import re
import subprocess
import sys

import ml_dtypes
import numpy as np

D = np.longdouble
np.seterr(all="ignore")
TYPES = {"f16": np.dtype("f2"), "bf16": np.dtype(ml_dtypes.bfloat16), "f32": np.dtype("f4"), "f64": np.dtype("f8")}
WORDS = {"f16": "u2", "bf16": "u2", "f32": "u4", "f64": "u8"}  # the type of their bits
DIGITS = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
LEAST = {"f16": -24, "bf16": -133, "f32": -149, "f64": -1074}  # powers of two: the smallest number,
MOST = {"f16": 16, "bf16": 128, "f32": 128, "f64": 1024}  # and what is above the largest one
HALF_PI, TWO_OVER_ROOT_PI = 2 * np.arctan(D(1)), 2 / np.sqrt(4 * np.arctan(D(1)))


# ---- The functions, where numpy has none or the definition loses digits

def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def tanh_shrink(x):
    """x - tanh x; near 0 it is (x cosh x - sinh x) / cosh x, whose series has no differences."""
    small = np.where(np.abs(x) < 1, x, 0)
    term, total = small, np.zeros_like(x)
    for k in range(1, 14):
        term = term * small * small / (2 * k * (2 * k + 1))
        total = total + 2 * k * term
    return np.where(np.abs(x) < 1, total / np.cosh(small), x - np.tanh(x))


def gelu(x):
    """x/2 * erfc(z) of z = -x / sqrt 2, with e^(-z*z) from x: its square is exact in two parts."""
    within = np.where(np.abs(x) < 40, x, 0)  # past it erfc is 0
    high = within.astype("f4").astype(D)
    low = within - high
    power = np.where(within == x, np.exp(-high * high / 2) * np.exp(-low * (2 * high + low) / 2), 0)
    z = np.minimum(np.abs(x), 40) / np.sqrt(D(2))
    near, term = np.zeros_like(x), np.where(z < 1.5, z, 0)
    for n in range(60):  # erf = 2/sqrt(pi) e^(-z*z) * sum of 2^n z^(2n+1) / (1*3*..(2n+1))
        near = near + term
        term = term * 2 * z * z / (2 * n + 3)
    far = z
    for n in range(200, 0, -1):  # erfc = e^(-z*z) / sqrt(pi) / (z + 1/2 / (z + 2/2 / (z + 3/2 / ...)))
        far = z + D(n) / 2 / far
    erf = np.where(z < 1.5, TWO_OVER_ROOT_PI * power * near, 1)
    erfc = np.where(z < 1.5, 1 - erf, TWO_OVER_ROOT_PI / 2 * power / far)
    return x / 2 * np.where(np.isnan(x), x, np.where(x < 0, erfc, 2 - erfc))


def half_away(x):
    return np.copysign(np.floor(np.abs(x)) + (np.abs(x) - np.floor(np.abs(x)) >= 0.5), x)


WANTED = {
    "relu": lambda x: np.maximum(x, 0), "relu6": lambda x: np.minimum(np.maximum(x, 0), 6),
    "leaky_relu": lambda x: np.where(x > 0, x, x * 2 / 100), "elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "sigmoid": sigmoid, "logsigmoid": lambda x: -softplus(-x), "tanh_shrink": tanh_shrink,
    "softplus": lambda x: np.where(x > 20, x, softplus(x)), "softsign": lambda x: x / (1 + np.abs(x)),
    "softshrink": lambda x: np.where(x > 0.5, x - 0.5, np.where(x < -0.5, x + 0.5, 0 * x)),
    "hard_shrink": lambda x: np.where(np.abs(x) <= 0.5, 0, x),
    "hard_sigmoid": lambda x: np.maximum(0, np.minimum(1, (x + 2.5) / 5)),
    "hard_swish": lambda x: x * (np.minimum(np.maximum(x + 3, 0), 6) / 6),
    "swish": lambda x: x * sigmoid(x), "silu": lambda x: x * sigmoid(x), "mish": lambda x: x * np.tanh(softplus(x)),
    "brelu": lambda x: np.minimum(np.maximum(x, 0), 24), "soft_relu": lambda x: softplus(np.clip(x, -40, 40)),
    "thresholded_relu": lambda x: np.where(x <= 1, 0, x), "stanh": lambda x: D(17159) / 10000 * np.tanh(D(67) / 100 * x),
    "pow": lambda x: x, "celu": lambda x: np.maximum(x, 0) + np.minimum(0, np.expm1(x)), "gelu": gelu,
    "rsqrt": lambda x: 1 / np.sqrt(x), "square": lambda x: x * x, "reciprocal": lambda x: 1 / x, "round": half_away,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}


# ---- Operands

EDGES = [0.5, 1, 1.5, 2.5, 3, 6, 20, 24, 40, 64, 512, 80, 87.3, 88.8, 103.3, 104, 709.8, 745.2, 14.2, 38.6, float(HALF_PI),
         1e-3, 1e-6, 1e-30, 0, math.inf]


def operands(kind, count):
    """Every value, or some: any bits, all exponents alike; numbers about 0; edges, and what is beside them."""
    if WORDS[kind] == "u2":
        return np.arange(1 << 16).astype("u2").view(TYPES[kind])
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 1 << 8 * TYPES[kind].itemsize, count // 2, dtype=WORDS[kind])
    wide, near = 800 if kind == "f64" else 110, count // 4
    edges = np.array(EDGES + [2.0 ** LEAST[kind], 2.0 ** (LEAST[kind] + DIGITS[kind] - 1)], TYPES[kind])
    edges = np.concatenate([edges, np.nextafter(edges, TYPES[kind].type(np.inf)), np.nextafter(edges, TYPES[kind].type(0))])
    parts = [bits.view(TYPES[kind]), rng.uniform(-wide, wide, near), rng.normal(0, 2, near), edges, -edges, [np.nan]]
    return np.concatenate([np.asarray(part).astype(TYPES[kind]) for part in parts])


def run(reshapec, names, kind, x):
    """What each function makes of x."""
    results = ", ".join(f"y_{name}" for name in names)
    with open("all.rsh", "w", encoding="utf-8") as out:
        out.write(f"graph all_of(x: {kind}[{x.size}]) -> ({results}) {{\n")
        out.writelines(f"    y_{name} = {name}(x)\n" for name in names)
        out.write("}\n")
    np.save("x.npy", x.view("u2") if kind == "bf16" else x)
    files = [f"y_{name}={name}.npy" for name in names]
    subprocess.run([reshapec, "run", "all.rsh", "x=x.npy", *files], check=True)
    return {name: np.load(f"{name}.npy").view(TYPES[kind]) for name in names}


def worst(name, kind, x, y):
    """The largest error, and where."""
    precise, found = x.astype("f8").astype(D), y.astype("f8").astype(D)
    want = np.where(np.isnan(precise), precise, WANTED.get(name, getattr(np, name, None))(precise))
    if (np.isnan(want) != np.isnan(found)).any():
        i = np.flatnonzero(np.isnan(want) != np.isnan(found))[0]
        sys.exit(f"{name} of {kind} {x[i]} is {y[i]}, not {want[i]}")
    end = D(2) ** MOST[kind]
    want, found = np.clip(want, -end, end), np.clip(found, -end, end)
    exponent = np.maximum(np.frexp(want)[1] - DIGITS[kind], LEAST[kind])
    error = np.where(np.isnan(want), 0, np.abs(np.ldexp(found - want, -exponent)))
    error = np.where(want == found, 0, error)
    return float(error.max()), x[error.argmax()]


# ---- The page

def bound_of(kind, libm, error):
    """What is held: another libm may be a little worse. Two-byte types are computed in f32 and rounded once."""
    if error == 0:
        return 0
    if TYPES[kind].itemsize == 2:
        return 0.51
    return math.ceil(2 * error) / 2 + (1 if libm else 0)


def read_bounds(page):
    bounds = {}
    for row in re.findall(r"^\| `(\w+)` \|(.*)\|$", page, re.MULTILINE):
        cells = re.findall(r"\(([\d.]+)\)", row[1])
        bounds.update({(row[0], kind): float(cell) for kind, cell in zip(TYPES, cells)})
    return bounds


def cell_of(kind, libm, error, at):
    shown = f"{error:.2f} at {at}" if error else "0"
    return f"{shown} ({bound_of(kind, libm, error):g})"


def write_page(path, rows, found):
    """The rows of the table, in place of those that are there."""
    page = open(path, encoding="utf-8").read()
    parts = re.match(r"(.*?\n\| --- .*?\n).*?\nMeasured on [^\n]*\n(.*)", page, re.DOTALL)
    head, rest = parts.groups()
    with open(path, "w", encoding="utf-8") as out:
        out.write(head)
        for name, libm in rows:
            cells = [cell_of(kind, libm, *worst) for kind, worst in zip(TYPES, found[name])]
            out.write(f"| `{name}` | {' | '.join(cells)} |\n")
        out.write(f"\nMeasured on {platform.machine()} with {' '.join(platform.libc_ver())}.\n")
        out.write(rest)


def main(reshapec, table, path, write=False):
    rows = re.findall(r'^RSH_ACTIVATION\(\w+, *"(\w+)", *"([^"]*)"', open(table, encoding="utf-8").read(), re.MULTILINE)
    found, bad = {name: [] for name, _ in rows}, 0
    for kind in TYPES:
        x = operands(kind, 1_000_000 if write and kind == "f32" else 100_000)
        y = run(reshapec, list(found), kind, x)
        for name in found:
            found[name].append(worst(name, kind, x, y[name]))
    if write:
        return write_page(path, rows, found)
    bounds = read_bounds(open(path, encoding="utf-8").read())
    for name, cells in found.items():
        for kind, (error, at) in zip(TYPES, cells):
            bound = bounds.get((name, kind), -1)
            if error > bound:
                print(f"{name} of {kind} is wrong by {error:.3f} units at {at}; the bound is {bound}")
                bad = 1
    print(len(rows), "functions")
    return bad


sys.exit(main(*sys.argv[1:4], write=sys.argv[4:] == ["--write"]))
