# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What numpy and ml_dtypes make of elements, against a program that converts them.

Rounding to a type of up to 16 bits is looked up: all its values are listed, and the nearest one of a
double is found with exact comparisons, the middle of two neighbours being a double too. ml_dtypes,
which converts some pairs by way of float, is a second witness where it is exact.
"""
import subprocess
import sys

import ml_dtypes
import numpy as np

TYPES = {
    "bool": "u1", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8",
    "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8",
    "f16": "f2", "f32": "f4", "f64": "f8", "bf16": ml_dtypes.bfloat16,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn, "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e5m2": ml_dtypes.float8_e5m2, "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e8m0": ml_dtypes.float8_e8m0fnu, "f4e2m1": ml_dtypes.float4_e2m1fn,
    "i4": "i1", "u4": "u1", "i2": "i1", "u2": "u1",
}
TYPES = {name: np.dtype(t) for name, t in TYPES.items()}
SMALL = {"f4e2m1": 4, "i4": 4, "u4": 4, "i2": 2, "u2": 2}
WIDE = ("f16", "bf16", "f32", "f64")
FLOAT8 = ("f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz")
rng = np.random.default_rng(1)


def is_float(name):
    return name.startswith(("f", "bf"))


def bits_type(name):
    return np.dtype(f"u{TYPES[name].itemsize}")


def elements(name):
    """Bit patterns to try."""
    unsigned = bits_type(name)
    if name in SMALL:
        return np.arange(1 << SMALL[name], dtype=unsigned)
    width = 8 * unsigned.itemsize
    if width <= 16:
        return np.arange(1 << width, dtype=unsigned)
    some = rng.integers(0, 1 << 32, 1 << 17, dtype="u8")
    if name == "f32":
        near = narrow_values()  # and their neighbours, and what lies in the middle of two
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


def exact(name, bits):
    """The numbers as doubles, or as they are where those are integers of 64 bits."""
    if name == "bool":
        return (bits != 0).astype("f8")
    if name in ("i4", "i2"):
        top = 1 << (SMALL[name] - 1)
        return ((bits.astype("i1") ^ top) - top).astype("f8")
    values = bits.view(TYPES[name])
    return values if name in ("i64", "u64") else values.astype("f8")


def rounded(name, values, sign):
    """Bits of the nearest values of a float type of up to 16 bits; and which lie beyond all of them."""
    all_bits = np.arange(1 << SMALL.get(name, 8 * TYPES[name].itemsize), dtype=bits_type(name))
    listed = all_bits.view(TYPES[name]).astype("f8")
    good = np.isfinite(listed) & (np.signbit(listed) == False)  # noqa: E712, -0 is left out
    listed, all_bits = listed[good], all_bits[good]
    order = np.argsort(listed)
    listed, all_bits = listed[order], all_bits[order]
    step = listed[-1] - listed[-2]
    listed = np.append(listed, listed[-1] + step)  # where the next one would be
    all_bits = np.append(all_bits, 0 if all_bits[-1] & 1 else 1)
    magnitude = np.abs(values)
    middle = (listed[1:] + listed[:-1]) / 2
    at = np.searchsorted(middle, magnitude, side="left")  # middle[at-1] < magnitude <= middle[at]
    tie = np.isin(magnitude, middle) & (all_bits[np.minimum(at, len(all_bits) - 1)] & 1 == 1)
    at = at + tie
    too_large = at >= len(listed) - 1
    bits = all_bits[np.minimum(at, len(listed) - 2)]
    top = 1 << (SMALL.get(name, 8 * TYPES[name].itemsize) - 1)
    negative = sign & ~(name.endswith("fnuz") & (bits == 0))
    return bits | np.where(negative, top, 0).astype(bits.dtype), too_large


def special_bits(name, what, sign):
    nan = {"f16": 0x7E00, "bf16": 0x7FC0, "f8e4m3fn": 0x7F, "f8e5m2": 0x7E, "f4e2m1": 0}
    infinity = {"f16": 0x7C00, "bf16": 0x7F80, "f8e4m3fn": 0x7F, "f8e5m2": 0x7C, "f4e2m1": 7}
    largest = {"f8e4m3fn": 0x7E, "f8e5m2": 0x7B, "f8e4m3fnuz": 0x7F, "f8e5m2fnuz": 0x7F, "f4e2m1": 7}
    top = 1 << (SMALL.get(name, 8 * TYPES[name].itemsize) - 1)
    if name.endswith("fnuz") and what != "largest":
        return np.full(sign.shape, top)
    flip = name == "f4e2m1" and what == "nan"
    return {"nan": nan, "infinity": infinity, "largest": largest}[what][name] | np.where(sign ^ flip, top, 0)


def to_float(to, values, sign, saturate):
    wide = values.astype("f8")
    if to in ("f32", "f64"):
        return values.astype(TYPES[to]).view(bits_type(to))
    is_nan = np.isnan(wide)
    bits, beyond = rounded(to, np.where(np.isfinite(wide), wide, 0), sign)
    beyond |= np.isinf(wide)
    what = "largest" if saturate and to in FLOAT8 or to == "f4e2m1" else "infinity"
    bits = np.where(beyond, special_bits(to, what, sign), bits)
    return np.where(is_nan, special_bits(to, "nan", sign), bits).astype(bits_type(to))


def to_power(values, saturate, mode):
    """f8e8m0: the sign does not count."""
    v = np.abs(values.astype("f8"))
    with np.errstate(all="ignore"):
        mantissa, exponent = np.frexp(np.where(np.isfinite(v) & (v > 0), v, 1.0))
    mantissa, exponent = mantissa * 2, exponent - 1  # 1 <= mantissa < 2
    up = mantissa > 1 if mode == 0 else mantissa >= 1.5 if mode == 2 else np.zeros(v.shape, bool)
    small, large = v < 2.0**-127, v > 2.0**127
    bits = exponent + 127 + up
    bits = np.where(small, 0 if saturate else 255, np.where(large, 254 if saturate else 255, bits))
    return np.where(np.isnan(v), 255, bits).astype("u1")


def to_integer(to, source, values):
    bits = SMALL.get(to, 8 * TYPES[to].itemsize)
    if not is_float(source):
        return (values.astype("i8") if values.dtype == "f8" else values.view("u8")).astype(bits_type(to)) & ((1 << bits) - 1)
    width, signed = (32, True) if bits < 8 else (bits, to[0] == "i")
    low, high = (-(2**(width - 1)), 2**(width - 1) - 1) if signed else (0, 2**width - 1)
    whole = np.trunc(np.nan_to_num(values, nan=0.0, posinf=1e300, neginf=-1e300))
    inside = (whole > low) & (whole < float(high))
    result = np.where(inside, whole, 0).astype("u8" if not signed and width == 64 else "i8").view("u8")
    result = np.where(whole <= low, np.uint64(low & (2**64 - 1)), np.where(whole >= float(high), np.uint64(high), result))
    return result.astype(bits_type(to)) & ((1 << bits) - 1)


def expected(source, to, bits, saturate, mode):
    if source == to:
        return (bits != 0).astype("u1") if to == "bool" else bits
    values = exact(source, bits)
    if to == "bool":
        return (values != 0).astype("u1")
    if not is_float(to):
        return to_integer(to, source, values)
    if to == "f8e8m0":
        return to_power(values, saturate, mode)
    sign = np.signbit(values.astype("f8")) if is_float(source) else values < 0
    return to_float(to, values, sign, saturate)


def same(source, to, have, want):
    """Equal bits; of NaN in f32 and f64, and in what is left of a payload: NaN and the same sign."""
    equal = have == want
    if to in WIDE and source in WIDE:
        a, b = have.view(TYPES[to]).astype("f8"), want.view(TYPES[to]).astype("f8")
        equal |= np.isnan(a) & np.isnan(b) & (np.signbit(a) == np.signbit(b))
    elif to in ("f32", "f64"):
        a, b = have.view(TYPES[to]), want.view(TYPES[to])
        equal |= np.isnan(a) & np.isnan(b)
    return equal


def witness(source, to, bits, have):
    """What ml_dtypes says by itself, without saturation."""
    if source not in ("f32", "f16") or to not in ("bf16", "f4e2m1") + FLOAT8:
        return
    want = bits.view(TYPES[source]).astype(TYPES[to]).view("u1" if to != "bf16" else "u2")
    is_nan = np.isnan(bits.view(TYPES[source]).astype("f4"))
    assert np.array_equal(have[~is_nan], want[~is_nan]), f"{source} to {to}: ml_dtypes disagrees"


def check(program, source, to, bits, saturate, mode):
    if source in ("i64", "u64") and is_float(to) and to not in ("f32", "f64"):
        bits = np.where(bits << np.uint64(11) >> np.uint64(11) == bits, bits, bits & ~np.uint64(0x7FF))  # a double holds it
    run = subprocess.run([program, source, to, str(saturate), str(mode)], input=bits.tobytes(), stdout=subprocess.PIPE, check=True)
    have = np.frombuffer(run.stdout, bits_type(to))
    want = expected(source, to, bits, saturate, mode)
    wrong = ~same(source, to, have, want)
    if wrong.any():
        i = np.flatnonzero(wrong)[0]
        sys.exit(f"{source} to {to}, saturate={saturate}, mode {mode}: {wrong.sum()} wrong, "
                 f"{bits[i]:#x} gives {have[i]:#x}, not {want[i]:#x}")
    if not saturate:
        witness(source, to, bits, have)


def main(program):
    np.seterr(all="ignore")
    subprocess.run([program], check=True)
    for source in TYPES:
        bits = elements(source)
        for to in TYPES:
            rules = [(1, 0)]
            if to in FLOAT8:
                rules = [(1, 0), (0, 0)]
            if to == "f8e8m0":
                rules = [(s, m) for s in (0, 1) for m in (0, 1, 2)]
            for saturate, mode in rules:
                check(program, source, to, bits, saturate, mode)


main(sys.argv[1])
