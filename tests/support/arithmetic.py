# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of elements and constants in numpy, on the bits of elements.

    apply("add", "u8", np.array([250], "u1"), ["10"])      wraps: array([4], "u1")

numpy rounds to the type after each operator (so does bfloat16 of ml_dtypes), and integers wrap.
"""

import casts
import numpy as np

np.seterr(all="ignore")

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")


def divided(x, c):
    """Divides integers and rounds toward zero."""
    x, c = x.astype(object), int(c)
    return np.array([abs(n) // abs(c) * (-1 if (n < 0) != (c < 0) else 1) for n in x.reshape(-1)], object).reshape(x.shape)


def division(x, c):
    return x / c if x.dtype.kind not in "iu" else divided(x, c)


FUNCTIONS = {
    "add": lambda x, c: x + c,
    "sub": lambda x, c: x - c,
    "rsub": lambda x, c: c - x,
    "mul": lambda x, c: x * c,
    "div": division,
    "rdiv": lambda x, c: c / x,
    "mod": np.mod,
    "rem": np.fmod,
    "min": np.minimum,
    "max": np.maximum,
    "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "neg": np.negative,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "bitwise_not": np.invert,
    "shift_left": np.left_shift,
    "shift_right": np.right_shift,
    "round_even": np.rint,
}
OF_FLOATS = ("rdiv", "round_even")
OF_INTEGERS = ("shift_left", "shift_right")
OF_BITS = ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not")


def takes(name, dtype):
    if name in OF_BITS and dtype == "bool":
        return True
    if name in OF_FLOATS:
        return dtype in FLOATS
    return dtype in INTEGERS or (name not in OF_INTEGERS + OF_BITS and dtype in FLOATS)


def number(dtype, text):
    if dtype == "bool":
        return np.bool_(text == "true")
    kind = casts.TYPES[dtype]
    return np.array([float(text)]).astype(kind)[0] if dtype in FLOATS else np.array([int(text)]).astype(kind)[0]


def apply(name, dtype, bits, texts):
    """Returns the bits of the elements after an operator, whose constants are given as texts."""
    x = bits != 0 if dtype == "bool" else bits.view(casts.TYPES[dtype])
    made = FUNCTIONS[name](x, *[number(dtype, t) for t in texts])
    if made.dtype == object:
        made = np.array([int(n) & (2**64 - 1) for n in made.reshape(-1)], "u8").astype(casts.bits_type(dtype))
    return made.astype(x.dtype if dtype != "bool" else "u1").view(casts.bits_type(dtype))


def quantize(dtype, to, bits, scale, zero=None, saturate=True):
    """Like ONNX's QuantizeLinear. Values out of range, and infinities, become the nearest end, NaN the least."""
    ratio = bits.view(casts.TYPES[dtype]) / number(dtype, scale)
    if to == "f4e2m1" and zero is not None:  # ONNX adds the zero point to these: -0 becomes 0
        ratio = ratio + ratio.dtype.type(0)
    if casts.is_float(to):
        return casts.convert(dtype, to, ratio.view(casts.bits_type(dtype)), saturate)
    width = casts.SMALL.get(to) or 8 * casts.bits_type(to).itemsize
    least = -(1 << width - 1) if to[0] == "i" else 0
    whole = np.rint(ratio.astype("f8")) + int(zero or 0)
    whole = np.clip(np.where(np.isnan(whole), least, whole), least, least + (1 << width) - 1)
    return (whole.astype("i8") & (1 << width) - 1).astype(casts.bits_type(to))


def dequantize(dtype, to, bits, scale, zero="0"):
    """Like ONNX's DequantizeLinear."""
    x = casts.convert(dtype, "f32", bits).view("f4") if casts.is_float(dtype) else casts.exact(dtype, bits).astype("f4")
    y = (x - np.float32(int(zero))) * casts.convert(to, "f32", number(to, scale).reshape(1).view(casts.bits_type(to))).view("f4")[0]
    return casts.convert("f32", to, np.asarray(y, "f4").view("u4"))


TABLED = ("bool", "u1", "i2", "u2", "i4", "u4", "i8", "u8")  # types that can index a table
QUANTIZED = ("i4", "u4", "i2", "u2", "i8", "u8", "i16", "u16", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f4e2m1")
SCALES = ("f16", "bf16", "f32")


def requantize(to, x, multiplier, shift, zero=0):
    """MultiplyByQuantizedMultiplier of TensorFlow Lite (tensorflow/lite/kernels/internal/common.h in
    tensorflow/tensorflow). Then adds the zero point and clamps to the type, like its kernels. x are 32-bit integers."""
    left, right = max(shift, 0), max(-shift, 0)
    ab = (x.astype("i8") << left).astype("i4").astype("i8") * multiplier
    nudge = np.where(ab >= 0, 1 << 30, 1 - (1 << 30))
    high = np.sign(ab + nudge) * (np.abs(ab + nudge) >> 31)
    mask = (1 << right) - 1
    threshold = (mask >> 1) + (high < 0)
    y = (high >> right) + ((high & mask) > threshold) + zero
    width = casts.SMALL.get(to) or 8 * casts.bits_type(to).itemsize
    least = -(1 << width - 1) if to[0] == "i" else 0
    return (np.clip(y, least, least + (1 << width) - 1) & (1 << width) - 1).astype(casts.bits_type(to))
