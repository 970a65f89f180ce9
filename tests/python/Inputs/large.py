# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants of u64 from 2^63 to 2^64 - 1, in every tier, against NumPy."""
import numpy as np

import reshapec as rs

HALF, MOST = 1 << 63, (1 << 64) - 1
x = np.array([0, 1, HALF - 1, HALF, HALF + 12345, MOST], "u8")
big = np.array([HALF, MOST], "u8")
CASES = [
    (f"x + {HALF}", lambda x: x + np.uint64(HALF)),
    (f"x - {HALF}", lambda x: x - np.uint64(HALF)),
    (f"{MOST} - x", lambda x: np.uint64(MOST) - x),
    (f"x * {MOST}", lambda x: x * np.uint64(MOST)),
    (f"x / {HALF + 1}", lambda x: x // np.uint64(HALF + 1)),
    (f"x % {HALF + 1}", lambda x: x % np.uint64(HALF + 1)),
    (f"rem(x, {MOST})", lambda x: x % np.uint64(MOST)),
    (f"min(x, {HALF})", lambda x: np.minimum(x, np.uint64(HALF))),
    (f"max(x, {HALF})", lambda x: np.maximum(x, np.uint64(HALF))),
    (f"clip(x, {HALF}, {MOST - 1})", lambda x: np.clip(x, np.uint64(HALF), np.uint64(MOST - 1))),
    (f"x & {HALF}", lambda x: x & np.uint64(HALF)),
    (f"x | {HALF}", lambda x: x | np.uint64(HALF)),
    (f"x ^ {MOST}", lambda x: x ^ np.uint64(MOST)),
    (f"x << {HALF}", lambda x: np.zeros_like(x)),
    (f"x >> {HALF}", lambda x: np.zeros_like(x)),
    (f"add(x, [{MOST}, 1, {HALF}, 0, 5, 6])", lambda x: x + np.array([MOST, 1, HALF, 0, 5, 6], "u8")),
    (f"pad(x, [1, 1], value={MOST})", lambda x: np.pad(x, 1, constant_values=np.uint64(MOST))),
    (f"lookup(cast(x, bool), [{HALF}, {MOST}], u64)", lambda x: np.where(x != 0, np.uint64(MOST), np.uint64(HALF))),
    (f"cast(x, f64) * {HALF}", lambda x: x.astype("f8") * 2.0**63),
    (f"cast(x, f32) + {MOST}", lambda x: x.astype("f4") + np.float32(MOST)),
]
for expression, by_numpy in CASES:
    want = by_numpy(x)
    for size, rest in (("6", ""), ("N", ""), ("N", ", s: i64[1]"), ("*", ", s: i64[1]")):
        after = f"({expression}) |> reshape(s)" if rest else expression
        if size == "*" and ("[" in expression):
            continue  # lists need the sizes of x
        kernel = rs.compile(f"graph f(x: u64[{size}]{rest}) -> y {{ y = {after} }}")
        got = kernel(x, np.array([-1])) if rest else kernel(x)
        assert got.dtype == want.dtype and np.array_equal(got, want), (expression, size, rest, got, want)
traced = rs.jit(lambda a: np.pad(a + np.uint64(HALF), 1, constant_values=MOST))
assert np.array_equal(traced(x), np.pad(x + np.uint64(HALF), 1, constant_values=np.uint64(MOST)))
assert rs.pad(x, 1, constant_values=MOST)[0] == MOST
