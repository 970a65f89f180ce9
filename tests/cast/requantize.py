#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""requantize.py RESHAPEC CC WORK [N]: requantize against TensorFlow Lite's integer formula, for 3 N 32-bit numbers
(300,000) and many multipliers and shifts; as machine code for any machine of the kind and for this one, as C, and as C
for a machine whose products have 32 bits."""

import ctypes
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import arithmetic  # noqa: E402
import casts  # noqa: E402
import numpy as np  # noqa: E402
from harness import C_FLAGS  # noqa: E402


def main(reshapec, cc, work, count=100000):
    os.chdir(work)
    rng = np.random.default_rng(4)
    x = np.concatenate([rng.integers(-(2**31), 2**31, count), rng.integers(-5000, 5000, count),
                        rng.integers(-(2**20), 2**20, count - 1000),
                        [s * 2**k + d for k in range(31) for s in (1, -1) for d in range(-8, 8)], [-(2**31)] * 8]).astype("i4")
    jobs = []
    for shift in (-31, -30, -17, -9, -8, -2, -1, 0, 1, 7, 30):
        for multiplier in (0, 65535, 1 << 30, 1518500250, int(rng.integers(2**30)), 2**31 - 1, int(rng.integers(2**30, 2**31))):
            to = rng.choice(["i8", "u8", "i16", "u16"])
            jobs.append((str(to), multiplier, shift, int(rng.integers(-100, 100)) if to[0] == "i" else int(rng.integers(0, 200))))
    tables = [[job for job in jobs if job[0] == to] for to in ("i8", "u8", "i16", "u16")]
    with open("all.rsh", "w", encoding="utf-8") as file:
        for i, rows in enumerate(tables):
            lists = ", ".join(str([job[k] for job in rows]) for k in (1, 2, 3))
            file.write(f"graph t{i}(x: i32[{len(rows)}, {x.size}]) -> y {{\n    y = requantize(x, {lists}, {rows[0][0]}, axis=0)\n}}\n")
        for i, (to, multiplier, shift, zero) in enumerate(jobs):
            file.write(f"graph g{i}(x: i32[{x.size}]) -> y {{\n    y = requantize(x, {multiplier}, {shift}, {zero}, {to})\n}}\n")
    wrong = 0
    for tier, flags in {"object": [], "native": ["-mcpu=native"], "c": ["--emit=c"],
                        "halves": ["--emit=c", "--target=thumbv6m-none-eabi"]}.items():  # fmt: skip
        is_c = "--emit=c" in flags
        out = f"{tier}.c" if is_c else f"{tier}.o"
        subprocess.run([reshapec, "all.rsh", *flags, "-o", out], check=True)
        extra = [*C_FLAGS, "-O2"] if is_c else []
        subprocess.run([*cc.split(), *extra, "-shared", "-fPIC", out, "-o", f"{tier}.so"], check=True)
        library = ctypes.CDLL(os.path.abspath(f"{tier}.so"))
        for i, (to, multiplier, shift, zero) in enumerate(jobs):
            wanted = arithmetic.requantize(to, x, multiplier, shift, zero)
            found = np.zeros(x.size, casts.bits_type(to))
            getattr(library, f"g{i}")(x.ctypes.data_as(ctypes.c_void_p), found.ctypes.data_as(ctypes.c_void_p))
            bad = np.flatnonzero(found != wanted)
            if bad.size:
                wrong += 1
                print(f"{tier}: {jobs[i]}: of {x[bad[0]]} {found[bad[0]]}, not {wanted[bad[0]]}; {bad.size} are wrong")
        for i, rows in enumerate(tables):
            given = np.repeat(x.reshape(1, -1), len(rows), axis=0)
            found = np.zeros(given.shape, casts.bits_type(rows[0][0]))
            getattr(library, f"t{i}")(given.ctypes.data_as(ctypes.c_void_p), found.ctypes.data_as(ctypes.c_void_p))
            for row, job in enumerate(rows):
                bad = np.flatnonzero(found[row] != arithmetic.requantize(job[0], x, *job[1:]))
                if bad.size:
                    wrong += 1
                    print(f"{tier}: {job} among {len(rows)}: of {x[bad[0]]} {found[row][bad[0]]}; {bad.size} are wrong")
    print(f"{len(jobs)} graphs of {x.size} elements, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(*sys.argv[1:4], *[int(n) for n in sys.argv[4:]])
