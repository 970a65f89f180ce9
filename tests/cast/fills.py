# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares functions of constants, which the compiler works out, with the same functions of elements in memory.

    fills.py RESHAPEC CC FOLDER

Each graph pads its operand with several constants in turn, one at its start each time, and applies a function. The
operand holds the same numbers, so the first half of the result must have the bits of the second, as an object and as C.
"""
import ctypes
import re
import subprocess
import sys

import ml_dtypes
import numpy as np

RESHAPEC, CC, FOLDER = sys.argv[1:]
NUMPY = {"bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8",
         "f16": "f2", "f32": "f4", "f64": "f8", "bf16": ml_dtypes.bfloat16, "f8e4m3fn": ml_dtypes.float8_e4m3fn,
         "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "f8e5m2": ml_dtypes.float8_e5m2, "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
         "f8e8m0": ml_dtypes.float8_e8m0fnu}
FLOATS = [t for t in NUMPY if "f" in t]
WIDE = ["f16", "bf16", "f32", "f64"]
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.1, 100.7, -129.0, 255.5, 40000.0, -7e4, 3e9, 5e9, -1.9e19, 1e-6, -3e-8, 1e-40, 2e38, float("inf"), float("-inf"),
           float("nan")]


def values(dtype):
    """Values of a type, each exactly as it is written."""
    if dtype == "bool":
        return [False, True]
    kind = np.dtype(NUMPY[dtype])
    if dtype not in FLOATS:
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        return sorted({0, 1, 2, 3, 7, 100, high // 3, high - 1, high, low, low + 1, max(low, -5)})
    with np.errstate(all="ignore"):
        held = [float(np.array(n).astype(kind).astype("f8")) for n in NUMBERS if dtype != "f8e8m0" or n > 0]
    # What a type of 8 bits has no number for, a constant is the nearest of.
    return list({repr(n): n for n in held if not (dtype.startswith("f8") and np.isinf(n))}.values())


def functions():
    """Yields (operand type, result type, call)."""
    for a in NUMPY:
        for b in NUMPY:
            yield a, b, f"cast(v, {b})"
            if b == "f8e8m0":
                yield a, b, f'cast(v, {b}, round_mode="nearest")'
            elif b.startswith("f8"):
                yield a, b, f"cast(v, {b}, saturate=0)"
    with open("runtime/activations.def", encoding="utf-8") as file:
        for name in re.findall(r'^RSH_ACTIVATION\(\w+, *"(\w+)"', file.read(), re.M):
            yield from ((t, t, f"{name}(v)") for t in WIDE)
    with open("runtime/arithmetic.def", encoding="utf-8") as file:
        for name, arguments, takes in re.findall(r'^RSH_ARITHMETIC\(\w+, *"(\w+)", *"(.*?)", *(\w+)', file.read(), re.M):
            for t in NUMPY:
                is_float = t in WIDE
                if t in FLOATS and not is_float or (t == "bool" and takes != "BITS") or (is_float and takes in ("BITS", "INTEGERS")):
                    continue
                if not is_float and takes == "FLOATS":
                    continue
                for n in ("1",) if t == "bool" else ("3", "0.7" if is_float else "5"):
                    given = [n, "9"][: arguments.count(":")]
                    yield t, t, f"{name}({', '.join(['v', *given])})"
    for t in ("f32", "f16"):
        yield t, "i8", "quantize(v, 0.1, 3, i8)"
    yield "i8", "f32", "dequantize(v, 0.1, 3)"


def text_of(n, dtype):
    if dtype not in FLOATS:
        return str(n).lower() if dtype == "bool" else str(n)
    return repr(float(n))


def main():
    graphs, cases = [], []
    for a, b, call in functions():
        given = values(a)
        lines = [f"v = pad({'v' if i else 'x'}, pads=[1, 0], value={text_of(n, a)})" for i, n in enumerate(given)]
        body = "\n    ".join(line.replace("v = pad(v", f"v{i} = pad(v{i - 1}").replace("v = pad(x", "v0 = pad(x") for i, line in enumerate(lines))
        body += f"\n    y = {call.replace('(v', f'(v{len(given) - 1}', 1)}"
        graphs.append(f"graph g{len(cases)}(x: {a}[{len(given)}]) -> y: {b}[{2 * len(given)}] {{\n    {body}\n}}\n")
        cases.append((a, b, call, given))
    path = f"{FOLDER}/fills.rsh"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(graphs)
    subprocess.run([RESHAPEC, path, "-O0", "--emit=so", "-fno-verify", "-o", f"{FOLDER}/object.so"], check=True)
    subprocess.run([RESHAPEC, path, "--emit=c", "-fno-verify", "-o", f"{FOLDER}/fills.c"], check=True)
    subprocess.run([*CC.split(), "-O0", "-w", "-fPIC", "-shared", f"{FOLDER}/fills.c", "-o", f"{FOLDER}/c.so", "-lm"], check=True)
    wrong = 0
    for way in ("object", "c"):
        library = ctypes.CDLL(f"{FOLDER}/{way}.so")
        for i, (a, b, call, given) in enumerate(cases):
            with np.errstate(all="ignore"):
                x = np.array(given[::-1], "f8" if a in FLOATS else NUMPY[a]).astype(NUMPY[a])
            y = np.zeros(2 * len(given), NUMPY[b])
            library[f"g{i}"](ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data))
            worked_out, computed = y[: len(given)], y[len(given):]
            different = (worked_out.view("u1") != computed.view("u1")).reshape(len(given), -1).any(axis=1)
            if b in FLOATS:  # machines make different NaNs
                different &= ~(np.isnan(worked_out.astype("f8")) & np.isnan(computed.astype("f8")))
            for k in np.flatnonzero(different):
                print(f"{way}: {call} of {a} {x[k]}: {worked_out[k]}, in memory {computed[k]}")
                wrong += 1
    print(f"{len(cases)} functions, {wrong} wrong")


main()
