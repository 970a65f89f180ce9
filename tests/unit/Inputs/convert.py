# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a program that converts elements with numpy and ml_dtypes.

casts.py has the reference. ml_dtypes, which converts some pairs by way of float, is a second reference if it is
exact.
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))

import numpy as np  # noqa: E402

from casts import FLOAT8, SMALL, TYPES, bits_type, convert  # noqa: E402

rng = np.random.default_rng(1)


def elements(name):
    """Returns bit patterns to test."""
    unsigned = bits_type(name)
    if name in SMALL:
        return np.arange(1 << SMALL[name], dtype=unsigned)
    width = 8 * unsigned.itemsize
    if width <= 16:
        return np.arange(1 << width, dtype=unsigned)
    some = rng.integers(0, 1 << 32, 1 << 17, dtype="u8")
    if name == "f32":
        near = narrow_values()  # with their neighbors and midpoints
        near = np.concatenate([near, (near[1:] + near[:-1]) / 2]).astype("f4")
        near = np.concatenate([near, np.nextafter(near, np.float32(-9e9)), np.nextafter(near, np.float32(9e9))])
        return np.concatenate([some.astype("u4"), near.view("u4"), specials(32)])
    if name == "f64":
        near = np.concatenate([narrow_values(), [2.0**63, 2.0**64, -(2.0**63), 2.0**31, 2.0**32, 1e300]])
        near = np.concatenate([near, (near[1:] + near[:-1]) / 2])
        near = np.concatenate([near, np.nextafter(near, -np.inf), np.nextafter(near, np.inf)])
        return np.concatenate([near.view("u8"), some << 32 | some[::-1], specials(64)])
    shift = rng.integers(0, width, some.size, dtype="u8")
    shifted = (some << np.uint64(32) | some[::-1]) >> shift
    return np.concatenate([shifted.astype(unsigned), (~shifted).astype(unsigned), specials(width)])


def narrow_values():
    every = np.arange(1 << 16, dtype="u2").view("f2").astype("f8")
    return np.sort(every[np.isfinite(every)])


def specials(width):
    exponent, mantissa = {32: (0xFF << 23, 23), 64: (0x7FF << 52, 52)}[width]
    values = [0, 1, exponent, exponent - 1, exponent | 1, exponent | 1 << (mantissa - 1), 1 << mantissa]
    values += [v | 1 << (width - 1) for v in values]
    return np.array(values, dtype=f"u{width // 8}")


def witness(source, to, bits, have):
    """Returns the result of ml_dtypes alone, without saturation."""
    if source not in ("f32", "f16") or to not in ("bf16", "f4e2m1") + FLOAT8:
        return
    want = bits.view(TYPES[source]).astype(TYPES[to]).view("u1" if to != "bf16" else "u2")
    is_nan = np.isnan(bits.view(TYPES[source]).astype("f4"))
    assert np.array_equal(have[~is_nan], want[~is_nan]), f"{source} to {to}: ml_dtypes disagrees"


def check(program, source, to, bits, saturate, mode):
    run = subprocess.run([program, source, to, str(saturate), str(mode)], input=bits.tobytes(), stdout=subprocess.PIPE, check=True)
    have = np.frombuffer(run.stdout, bits_type(to))
    want = convert(source, to, bits, saturate, mode)
    wrong = have != want
    if wrong.any():
        i = np.flatnonzero(wrong)[0]
        sys.exit(f"{source} to {to}, saturate={saturate}, mode {mode}: {wrong.sum()} wrong, "
                 f"{bits[i]:#x} gives {have[i]:#x}, not {want[i]:#x}")
    if not saturate:
        witness(source, to, bits, have)


def main(program, step):
    np.seterr(all="ignore")
    subprocess.run([program], check=True)
    for source in TYPES:
        bits = elements(source)
        if bits.size > 256:
            bits = bits[:: int(step)]
        for to in TYPES:
            rules = [(1, 0)]
            if to in FLOAT8:
                rules = [(1, 0), (0, 0)]
            if to == "f8e8m0":
                rules = [(s, m) for s in (0, 1) for m in (0, 1, 2)]
            for saturate, mode in rules:
                check(program, source, to, bits, saturate, mode)


main(*sys.argv[1:])
