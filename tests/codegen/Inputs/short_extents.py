# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""short_extents.py RESHAPEC WORK OPTION...: kernels of open sizes at all extents around the widths of vectors and the
lengths of runs that are copied inline, compared with numpy; memory around results stays unchanged."""
import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np

MARGIN, POISON = 64, 0xA5
KINDS = {"u8": "u1", "f16": "u2", "f32": "u4", "f64": "u8"}  # the bits of floats
SHORT, RUNS = [*range(1, 35), 47, 48, 63, 64, 65, 66, 67], [*range(0, 70), 95, 96, 127, 128, 129, 191, 192, 193, 255, 256, 257, 300]
# Graph: the dims of its input, its text, numpy's result, the extents of A and of B.
CASES = {
    "turned": ("A, B", "transpose(x)", np.transpose, SHORT, SHORT),
    "matrices": ("2, A, B", "transpose(x, [0, 2, 1])", lambda x: x.transpose(0, 2, 1), SHORT, SHORT[::3]),
    "to_planes": ("A, B, 3", "transpose(x, [2, 0, 1])", lambda x: x.transpose(2, 0, 1), [1, 3], RUNS[:70]),
    "to_pixels": ("2, A, B", "transpose(x, [1, 2, 0])", lambda x: x.transpose(1, 2, 0), [1, 3], RUNS[:70]),
    "mirrored": ("A, B", "flip(x, [1])", lambda x: x[:, ::-1], [1, 3], RUNS),
    "doubled": ("A, B", "repeat(x, [1, 2]) |> flip([1])", lambda x: np.repeat(x, 2, 1)[:, ::-1], [2], RUNS[:70]),
    "upside_down": ("A, B", "flip(x, [0])", lambda x: x[::-1], [1, 4], RUNS),
    "cropped": ("A, B", "x[:, 1:]", lambda x: x[:, 1:], [1, 3], RUNS),
    "tiled": ("A, B", "tile(x, [1, 3])", lambda x: np.tile(x, (1, 3)), [1, 3], RUNS),
    "rolled": ("A, B", "roll(x, 3, axes=1)", lambda x: np.roll(x, 3, 1), [3], RUNS),
}


def build(reshapec, work, options):
    work.mkdir(parents=True, exist_ok=True)
    source, library = work / "kernels.rsh", work / "kernels.so"
    source.write_text("".join(
        f"graph {name}_{t}(x: {t}[{dims}]) -> y {{\n    y = {text}\n}}\n"
        for name, (dims, text, *_) in CASES.items() for t in KINDS))
    subprocess.run([reshapec, source, "--emit=so", "-o", library, "--header", work / "kernels.h", "-fno-verify", *options], check=True)
    return ctypes.CDLL(str(library))


def is_wrong(function, x, want, a, b):
    out = np.full(want.nbytes + 2 * MARGIN, POISON, np.uint8)
    status = function(ctypes.c_int64(a), ctypes.c_int64(b), ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(out.ctypes.data + MARGIN))
    inside = out[MARGIN : MARGIN + want.nbytes]
    return status or (inside != want.reshape(-1).view("u1")).any() or np.count_nonzero(out[:MARGIN] != POISON) or np.count_nonzero(out[MARGIN + want.nbytes :] != POISON)


def main():
    reshapec, work, *options = sys.argv[1:]
    library, dice, calls, wrong = build(reshapec, Path(work).resolve(), options), np.random.default_rng(7), 0, 0
    for name, (dims, _, function, rows, columns) in CASES.items():
        for t, kind in KINDS.items():
            for a in rows:
                for b in columns:
                    shape = [{"A": a, "B": b}.get(d) or int({"A": a, "B": b}.get(d, d)) for d in dims.split(", ")]
                    x = dice.integers(0, 256, (*shape, int(kind[1])), np.uint8).view(kind)[..., 0]
                    calls += 1
                    if is_wrong(getattr(library, f"{name}_{t}"), x, np.ascontiguousarray(function(x)), a, b):
                        wrong += 1
                        print(f"{name} of {t}: A = {a}, B = {b}")
    print(f"{calls} calls, {wrong} wrong")


main()
