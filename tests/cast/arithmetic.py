#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic with constants against numpy, bit for bit.

    arithmetic.py RESHAPEC CC WORK [--wide N]

All values of types of 8 and 16 bits; of wider ones those at the ends of their ranges, around each power of two and the
constants, and N of random bits. Each constant stands alone in a graph, and all of an operator and type in one graph as a
table, a column of x for each. Each graph runs as machine code for any machine of the kind and for this one, and as C.
"""

import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import arithmetic  # noqa: E402
import casts  # noqa: E402
import numpy as np  # noqa: E402
from harness import tiers_of  # noqa: E402

FLOAT = ["0.1", "-3", "255.0", "inf", "nan", "0.0", "1e-3"]
WHOLE = {"u": ["1", "3", "7", "100", "128"], "i": ["1", "3", "-1", "-7", "100", "-128"]}
BOUNDS = {"f": [("-1.5", "6"), ("2", "-2"), (None, "0.5"), ("nan", None)], "i": [("-5", "100"), ("3", None)], "u": [("5", "100"), (None, "9")]}
SHIFTS = ["0", "1", "7", "9", "31", "64"]


def constants(name, dtype):
    kind = "f" if dtype in arithmetic.FLOATS else dtype[0]
    if name in ("neg", "bitwise_not", "round_even"):
        return [{}]
    if name == "clip":
        return [{n: t for n, t in zip(("min", "max"), pair) if t} for pair in BOUNDS[kind]]
    if name.startswith("shift"):
        return [{"bits": t} for t in SHIFTS]
    if dtype == "bool":
        return [{"value": "true"}, {"value": "false"}]
    texts = FLOAT if kind == "f" else WHOLE[kind]
    return [{"value": t} for t in texts if not (name in ("min", "max") and t == "0.0")]


def samples(dtype, wide):
    bits = 8 * casts.bits_type(dtype).itemsize
    if dtype == "bool":
        return np.array([0, 1] * 50, "u1")
    if bits <= 16:
        return np.arange(1 << bits).astype(casts.bits_type(dtype))
    rng = np.random.default_rng(5)
    powers = [(1 << k) + d for k in range(bits) for d in (-2, -1, 0, 1, 2)]
    found = np.concatenate([
        np.array([n & (1 << bits) - 1 for n in powers], casts.bits_type(dtype)),
        rng.integers(0, 1 << bits, wide, "u8", endpoint=False).astype(casts.bits_type(dtype)) if bits < 64
        else rng.integers(0, (1 << 64) - 1, wide, "u8", endpoint=True)])
    if dtype in arithmetic.FLOATS:  # small numbers are met most, and have all their neighbors
        near = (rng.integers(-2000, 2000, wide) / 8).astype(casts.TYPES[dtype])
        return np.concatenate([found, near.view(casts.bits_type(dtype))])
    return np.concatenate([found, rng.integers(0, 300, wide, "i8").astype(casts.bits_type(dtype)),
                           (-rng.integers(0, 300, wide, "i8")).astype(casts.bits_type(dtype))])


def same(dtype, found, wanted):
    if dtype in arithmetic.FLOATS:
        return (found == wanted) | (casts.is_nan(dtype, wanted) & casts.is_nan(dtype, found))
    return found == wanted


def texts_of(name, dtype, given):
    """The constants of one element, in order, with those that were left out."""
    if name != "clip":
        return [given[n] for n in ("value", "bits") if n in given]
    ends = ("-inf", "inf")
    if dtype not in arithmetic.FLOATS:
        ends = tuple(str(n) for n in (np.iinfo(casts.TYPES[dtype]).min, np.iinfo(casts.TYPES[dtype]).max))
    return [given.get("min", ends[0]), given.get("max", ends[1])]


def main(reshapec, cc, work, wide=20000):
    os.chdir(work)
    graphs, text = [], ""
    values = {t: samples(t, wide) for t in arithmetic.FLOATS + arithmetic.INTEGERS + ("bool",)}

    def add(dtype, name, shape, said, columns):
        nonlocal text
        text += f"graph g{len(graphs)}(x: {dtype}{shape}) -> y {{\n    y = {name}(x{said})\n}}\n"
        graphs.append((f"g{len(graphs)}", dtype, name, columns))

    for dtype, x in values.items():
        for name in [n for n in arithmetic.FUNCTIONS if arithmetic.takes(n, dtype)]:
            each = constants(name, dtype)
            for given in each:
                add(dtype, name, [x.size], "".join(f", {n}={t}" for n, t in given.items()), [texts_of(name, dtype, given)])
            if each[0]:
                columns = [texts_of(name, dtype, given) for given in each]
                lists = "".join(f", [{', '.join(c[k] for c in columns)}]" for k in range(len(columns[0])))
                add(dtype, name, [x.size, len(each)], lists, columns)
    with open("all.rsh", "w", encoding="utf-8") as file:
        file.write(text)
    libraries = tiers_of(reshapec, cc, "all.rsh")
    wrong = 0
    for label, dtype, name, columns in graphs:
        x = np.repeat(values[dtype].reshape(-1, 1), len(columns), axis=1)
        wanted = np.stack([arithmetic.apply(name, dtype, values[dtype], texts) for texts in columns], axis=1)
        for tier, library in libraries.items():
            found = np.zeros_like(wanted)
            getattr(library, label)(x.ctypes.data_as(ctypes.c_void_p), found.ctypes.data_as(ctypes.c_void_p))
            bad = np.argwhere(~same(dtype, found, wanted))
            if bad.size:
                at, wrong = tuple(bad[0]), wrong + 1
                print(f"{tier}: {name} of {dtype} {columns[at[1]]}, one of {len(columns)}: {x[at]:#x} is {found[at]:#x}, not {wanted[at]:#x}; {len(bad)} are wrong")
    print(f"{len(graphs)} graphs, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(*sys.argv[1:4], *[int(n) for n in sys.argv[5:]])
