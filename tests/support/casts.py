# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Casts and the exact element functions in numpy, on the bits of elements.

    convert("f32", "u8", np.array([0x40200000], "u4"))      2.5 to 2: array([2], "u1")

Elements smaller than a byte are its low bits. Rounding to a type of up to 16 bits uses a table: all its values are
listed, and the nearest one to a double is found with exact comparisons, since the midpoint of two neighbors is a
double too.
"""

import functools

import ml_dtypes
import numpy as np

np.seterr(all="ignore")  # NaN and infinity are expected here

TYPES = {
    "bool": "u1",
    "i8": "i1",
    "i16": "i2",
    "i32": "i4",
    "i64": "i8",
    "u8": "u1",
    "u16": "u2",
    "u32": "u4",
    "u64": "u8",
    "f16": "f2",
    "f32": "f4",
    "f64": "f8",
    "bf16": ml_dtypes.bfloat16,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e5m2": ml_dtypes.float8_e5m2,
    "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e8m0": ml_dtypes.float8_e8m0fnu,
    "f4e2m1": ml_dtypes.float4_e2m1fn,
    "i4": "i1",
    "u4": "u1",
    "i2": "i1",
    "u2": "u1",
    "u1": "u1",
}
TYPES = {name: np.dtype(t) for name, t in TYPES.items()}
SMALL = {"f4e2m1": 4, "i4": 4, "u4": 4, "i2": 2, "u2": 2, "u1": 1}
WIDE = ("f16", "bf16", "f32", "f64")
FLOAT8 = ("f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz")


def is_float(name):
    return name.startswith(("f", "bf"))


def bits_type(name):
    return np.dtype(f"u{TYPES[name].itemsize}")


def exact(name, bits):
    """Returns the numbers as doubles; integers of 64 bits stay integers."""
    if name == "bool":
        return (bits != 0).astype("f8")
    if name in ("i4", "i2"):
        top = 1 << (SMALL[name] - 1)
        return ((bits.astype("i1") ^ top) - top).astype("f8")
    values = bits.view(TYPES[name])
    return values if name in ("i64", "u64") else values.astype("f8")


def as_double(values):
    """Returns 64-bit integers as doubles that round further like the integers: lost bits set the last bit."""
    if values.dtype.kind not in "iu":
        return values
    magnitude = np.where(values < 0, 0 - values.view("u8"), values.view("u8"))
    lost = (magnitude & np.uint64(0x7FF) != 0) & (magnitude >> np.uint64(53) != 0)
    magnitude = np.where(
        magnitude >> np.uint64(53) != 0,
        magnitude & ~np.uint64(0x7FF) | lost.astype("u8") << np.uint64(11),
        magnitude,
    )
    return np.where(values < 0, -magnitude.astype("f8"), magnitude.astype("f8"))


@functools.cache
def values_of(name):
    """Returns the finite values of a float type from 0 upward, the value that would follow, and their bits."""
    all_bits = np.arange(1 << SMALL.get(name, 8 * TYPES[name].itemsize), dtype=bits_type(name))
    listed = all_bits.view(TYPES[name]).astype("f8")
    good = np.isfinite(listed) & ~np.signbit(listed)
    listed, all_bits = listed[good], all_bits[good]
    order = np.argsort(listed)
    listed, all_bits = listed[order], all_bits[order]
    listed = np.append(listed, 2 * listed[-1] - listed[-2])
    return listed, np.append(all_bits, 0 if all_bits[-1] & 1 else 1)


def rounded(name, values, sign):
    """Returns the bits of the nearest values of a float type of up to 16 bits, and which numbers are out of range."""
    listed, all_bits = values_of(name)
    middle = (listed[1:] + listed[:-1]) / 2
    magnitude = np.abs(values)
    at = np.searchsorted(middle, magnitude, side="left")  # middle[at-1] < magnitude <= middle[at]
    tie = magnitude == middle[np.minimum(at, len(middle) - 1)]
    at = at + (tie & (all_bits[np.minimum(at, len(all_bits) - 1)] & 1 == 1))
    too_large = at >= len(listed) - 1
    bits = all_bits[np.minimum(at, len(listed) - 2)]
    top = 1 << (SMALL.get(name, 8 * TYPES[name].itemsize) - 1)
    negative = sign & ~(name.endswith("fnuz") & (bits == 0))
    return bits | np.where(negative, top, 0).astype(bits.dtype), too_large


def special_bits(name, what, sign):
    nan = {"f16": 0x7E00, "bf16": 0x7FC0, "f8e4m3fn": 0x7F, "f8e5m2": 0x7E, "f4e2m1": 0}
    infinity = {"f16": 0x7C00, "bf16": 0x7F80, "f8e4m3fn": 0x7F, "f8e5m2": 0x7C, "f4e2m1": 7}
    largest = {
        "f8e4m3fn": 0x7E,
        "f8e5m2": 0x7B,
        "f8e4m3fnuz": 0x7F,
        "f8e5m2fnuz": 0x7F,
        "f4e2m1": 7,
    }
    top = 1 << (SMALL.get(name, 8 * TYPES[name].itemsize) - 1)
    if name.endswith("fnuz") and what != "largest":
        return np.full(sign.shape, top)
    flip = name == "f4e2m1" and what == "nan"
    return {"nan": nan, "infinity": infinity, "largest": largest}[what][name] | np.where(
        sign ^ flip, top, 0
    )


def to_float(to, values, sign, saturate):
    if to in ("f32", "f64"):
        bits = values.astype(TYPES[to]).view(bits_type(to))
        if values.dtype.kind != "f":
            return bits
        quiet, top = (0x7FC00000, 1 << 31) if to == "f32" else (0x7FF8 << 48, 1 << 63)
        return np.where(
            np.isnan(values), np.where(sign, top | quiet, quiet).astype(bits.dtype), bits
        )
    wide = as_double(values)
    is_nan = np.isnan(wide)
    bits, beyond = rounded(to, np.where(np.isfinite(wide), wide, 0), sign)
    beyond |= np.isinf(wide)
    what = "largest" if saturate and to in FLOAT8 or to == "f4e2m1" else "infinity"
    bits = np.where(beyond, special_bits(to, what, sign), bits)
    return np.where(is_nan, special_bits(to, "nan", sign), bits).astype(bits_type(to))


def to_power(values, saturate, mode):
    """Converts to f8e8m0, which ignores the sign."""
    v = np.abs(as_double(values))
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
        return (values.astype("i8") if values.dtype == "f8" else values.view("u8")).astype(
            bits_type(to)
        ) & ((1 << bits) - 1)
    width, signed = (32, True) if bits < 8 else (bits, to[0] == "i")
    low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if signed else (0, 2**width - 1)
    whole = np.trunc(np.nan_to_num(values, nan=0.0, posinf=1e300, neginf=-1e300))
    inside = (whole > low) & (whole < float(high))
    result = (
        np.where(inside, whole, 0).astype("u8" if not signed and width == 64 else "i8").view("u8")
    )
    result = np.where(
        whole <= low,
        np.uint64(low & (2**64 - 1)),
        np.where(whole >= float(high), np.uint64(high), result),
    )
    return result.astype(bits_type(to)) & ((1 << bits) - 1)


LAYOUT = {
    "f16": (5, 10),
    "bf16": (8, 7),
    "f32": (8, 23),
    "f64": (11, 52),
}  # bits of exponent, mantissa


def with_payload(source, to, bits, sign):
    """Converts a NaN between wide types: it becomes quiet and keeps the upper bits of the payload that fit."""
    have, (exponent, mantissa) = LAYOUT[source][1], LAYOUT[to]
    payload = bits.astype("u8") & np.uint64((1 << have) - 1)
    payload = payload >> np.uint64(max(0, have - mantissa)) << np.uint64(max(0, mantissa - have))
    quiet = ((1 << exponent) - 1) << mantissa | 1 << (mantissa - 1)
    return (
        payload | np.uint64(quiet) | sign.astype("u8") << np.uint64(exponent + mantissa)
    ).astype(bits_type(to))


def convert(source, to, bits, saturate=1, mode=0):
    """Returns the bits of the elements after a cast. `mode` rounds f8e8m0 only: 0 up, 1 down, 2 nearest."""
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
    result = to_float(to, values, sign, saturate)
    if source in WIDE and to in WIDE:
        result = np.where(np.isnan(values), with_payload(source, to, bits, sign), result)
    return result


def is_nan(name, bits):
    return np.isnan(exact(name, bits)) if is_float(name) else np.zeros(bits.shape, bool)


# ---- exact functions of one element: no libm, and each step rounds once --------------------------


def whole(x, function):
    """Rounds to integers and keeps the sign of zeros: the ceiling of -0.2 is -0."""
    return np.copysign(function(x), x)


def half_away(x):
    down = np.floor(np.abs(x))
    return down + (np.abs(x) - down >= 0.5)


EXACT = {
    "relu": lambda x: np.where(x < 0, 0, x),
    "relu6": lambda x: np.where(x < 0, 0, np.where(x > 6, 6, x)),
    "brelu": lambda x: np.where(x < 0, 0, np.where(x > 24, 24, x)),
    "leaky_relu": lambda x: np.where(x > 0, x, x.dtype.type(0.02) * x),
    "thresholded_relu": lambda x: np.where(x <= 1, 0, x),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "softshrink": lambda x: np.where(np.abs(x) <= 0.5, 0, x - np.copysign(x.dtype.type(0.5), x)),
    "hard_shrink": lambda x: np.where(np.abs(x) <= 0.5, 0, x),
    "hard_sigmoid": lambda x: np.clip((x + x.dtype.type(2.5)) / 5, 0, 1),
    "hard_swish": lambda x: x * (np.clip(x + 3, 0, 6) / 6),
    "pow": lambda x: x,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "square": lambda x: x * x,
    "reciprocal": lambda x: 1 / x,
    "abs": np.abs,
    "ceil": lambda x: whole(x, np.ceil),
    "floor": lambda x: whole(x, np.floor),
    "round": lambda x: whole(x, half_away),
}
OF_INTEGERS = ("relu", "abs")


def apply(name, dtype, bits):
    """Returns the bits of the elements after a function. f16 and bf16 are computed in f32."""
    if dtype in ("f16", "bf16"):
        wide = EXACT[name](convert(dtype, "f32", bits).view("f4")).astype("f4")
        return convert("f32", dtype, wide.view("u4"))
    return EXACT[name](bits.view(TYPES[dtype])).astype(TYPES[dtype]).view(bits_type(dtype))
