#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""quantize and dequantize against ONNX's reference evaluator, bit for bit.

    quantize.py RESHAPEC CC WORK

All values of types of up to 16 bits; of f32 and i32 edges and 100,000 random ones. Each graph runs as machine code for any
machine of the kind and for this one, and as C.
"""

import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import casts  # noqa: E402
import numpy as np  # noqa: E402
from harness import tiers_of  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

ONNX = {"f16": "FLOAT16", "bf16": "BFLOAT16", "f32": "FLOAT", "i32": "INT32", "f8e4m3fn": "FLOAT8E4M3FN",
        "f8e4m3fnuz": "FLOAT8E4M3FNUZ", "f8e5m2": "FLOAT8E5M2", "f8e5m2fnuz": "FLOAT8E5M2FNUZ", "f4e2m1": "FLOAT4E2M1",
        **{f"{k}{b}": f"{w}INT{b}" for k, w in (("i", ""), ("u", "U")) for b in (4, 8, 16)}}
NARROW = [t for t in ONNX if t not in ("f16", "bf16", "f32", "i32")]
WIDE = ("f16", "bf16", "f32")


def is_integer(t):
    return t[0] in "iu"


def kind(t):
    return helper.tensor_dtype_to_np_dtype(getattr(TensorProto, ONNX[t]))


def reference(op, x, scale, zero, to):
    """By the model: the scale and the zero point are initializers."""
    given = ["x", "s"] + (["z"] if zero is not None else [])
    attributes = {"output_dtype": getattr(TensorProto, ONNX[to])} if op == "DequantizeLinear" or zero is None else {}
    node = helper.make_node(op, given, ["y"], **attributes)
    info = [helper.make_tensor_value_info(n, TensorProto.UNDEFINED, None) for n in given]
    graph = helper.make_graph([node], "g", info, [helper.make_tensor_value_info("y", TensorProto.UNDEFINED, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)])
    feed = {"x": x, "s": scale, **({"z": zero} if zero is not None else {})}
    return ReferenceEvaluator(model).run(None, feed)[0]


def samples(t):
    bits = {"f4e2m1": 4}.get(t) or casts.SMALL.get(t) or 8 * casts.bits_type(t).itemsize
    if bits <= 16:
        x = np.arange(1 << bits).astype(casts.bits_type(t))
        return x
    rng = np.random.default_rng(3)
    if t == "i32":
        return np.concatenate([rng.integers(-(2**31), 2**31, 50000), rng.integers(-70000, 70000, 50000)]).astype("i4").view("u4")
    near = (rng.integers(-70000, 70000, 60000) / 16).astype("f4")
    return np.concatenate([near.view("u4"), rng.normal(0, 30, 40000).astype("f4").view("u4"), rng.integers(0, 2**32, 40000, "u8").astype("u4")])


def graphs():
    for x in WIDE:
        for y in NARROW:
            scales = ("0.5", "0.05", "3.0") if x == "f32" else ("0.5", "0.1")
            for scale in scales:
                zeros = ("0", "1", "-3") if y[0] == "i" else ("0", "5", "11") if y[0] == "u" else (None,)
                for zero in zeros:
                    yield "quantize", x, y, scale, zero
    for x in [*NARROW, "i32"]:
        for y in WIDE:
            for scale in ("0.5", "0.1", "3e-3"):
                zeros = (None,) if not is_integer(x) or x == "i32" else ("0", "5") if x[0] == "u" else ("-7", "3")
                for zero in zeros:
                    yield "dequantize", x, y, scale, zero


def pack(x, t):
    """Elements of 4 bits two in a byte, the first in the low bits."""
    if t not in casts.SMALL:
        return x
    x = x.astype("u1") & 15
    return x[0::2] | x[1::2] << 4


def unpack(x, t, count):
    if t not in casts.SMALL:
        return x
    return np.stack([x & 15, x >> 4], axis=1).reshape(-1)[:count]


def to_numpy(bits, t):
    if t in casts.SMALL:
        value = bits.astype("u1")
        if t == "i4":
            value = ((value ^ 8).astype("i1") - 8).astype("i1")
        return value.view(kind(t)) if t == "f4e2m1" else value.astype(kind(t))
    return bits.view(kind(t))


def main(reshapec, cc, work):
    os.chdir(work)
    todo, text = list(graphs()), ""
    values = {t: samples(t) for t in ONNX}
    for i, (op, x, y, scale, zero) in enumerate(todo):
        said = f", scale={scale}" + (f", zero_point={zero}" if zero else "") + f", dtype={y}"
        text += f"graph g{i}(x: {x}[{values[x].size}]) -> y {{\n    y = {op}(x{said})\n}}\n"
    with open("all.rsh", "w", encoding="utf-8") as file:
        file.write(text)
    libraries = tiers_of(reshapec, cc, "all.rsh")
    wrong = 0
    for i, (op, x, y, scale, zero) in enumerate(todo):
        bits = values[x]
        of_scale, of_zero = (x, y) if op == "quantize" else (y, x)
        zero_is = None if zero is None else np.array(int(zero)).astype(kind(of_zero))
        with np.errstate(all="ignore"):
            wanted = reference("QuantizeLinear" if op == "quantize" else "DequantizeLinear", to_numpy(bits, x),
                               np.array(float(scale)).astype(kind(of_scale)), zero_is, y)
        wanted = wanted.view("u1") & 15 if y in casts.SMALL else wanted.view(casts.bits_type(y))
        sure = np.ones(bits.size, bool)
        if op == "quantize" and is_integer(y):  # rint(x / scale) past 32 bits, and NaN, are left open there
            with np.errstate(all="ignore"):
                ratio = (to_numpy(bits, x) / np.array(float(scale)).astype(kind(x))).astype("f8")
            sure = np.isfinite(ratio) & (np.abs(ratio) < 2**30)
        for tier, library in libraries.items():
            found = np.zeros(pack(wanted, y).size, wanted.dtype)
            given = np.ascontiguousarray(pack(bits, x))
            getattr(library, f"g{i}")(given.ctypes.data_as(ctypes.c_void_p), found.ctypes.data_as(ctypes.c_void_p))
            found = unpack(found, y, bits.size)
            same = found == wanted
            if y not in casts.SMALL and not is_integer(y):
                same |= casts.is_nan(y, found) & casts.is_nan(y, wanted)
            bad = np.flatnonzero(~same & sure)
            if bad.size:
                at, wrong = bad[0], wrong + 1
                print(f"{tier}: {op} {x} to {y} scale {scale} zero {zero}: {bits[at]:#x} is {found[at]:#x}, not {wanted[at]:#x}; {bad.size} are wrong")
    print(f"{len(todo)} graphs, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(*sys.argv[1:4])
