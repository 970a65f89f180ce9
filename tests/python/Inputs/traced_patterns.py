# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

import reshapec as rs

x = np.arange(2 * 6 * 8 * 3, dtype="f4").reshape(2, 6, 8, 3)


def refused(error, text, function, *args):
    try:
        function(*args)
    except error as e:
        assert text in str(e), e
        return
    raise AssertionError(f"{text}: not refused")


@rs.jit
def windows(x):
    shifted = np.roll(x, (-1, -1), (1, 2))
    return rs.rearrange(shifted, "b (h p) (w q) c -> (b h w) (p q) c", p=3, q=4) * 2.0


expected = np.roll(x, (-1, -1), (1, 2)).reshape(2, 2, 3, 2, 4, 3).transpose(0, 1, 3, 2, 4, 5).reshape(8, 12, 3) * 2
assert np.array_equal(windows(x), expected)
assert "mul in the same pass" in windows.explain(x)

# The other patterns, with "...", added axes, lists and several results.
rows = rs.jit(lambda a: rs.repeat(a, "b h ... c -> b (h n) c ... 2", n=3))
assert np.array_equal(rows(x), np.repeat(np.repeat(x, 3, 1).transpose(0, 1, 3, 2)[..., None], 2, -1))
batch = rs.jit(lambda a, b: rs.rearrange([a, b], "n b h w c -> b (n c) h w"))
assert np.array_equal(batch(x, x + 1), np.concatenate([x, x + 1], 3).transpose(0, 3, 1, 2))
joined = rs.jit(lambda a, b: rs.pack([a, b], "b *")[0])
assert np.array_equal(joined(x, x[0, :2, 0]), np.concatenate([x.reshape(2, -1), x[0, :2, 0]], 1))
parts = rs.jit(lambda a: rs.unpack(a, [(6,), (2, -1)], "b h * c"))
left, right = parts(x)
assert np.array_equal(left, x[:, :, :6]) and np.array_equal(right, x[:, :, 6:].reshape(2, 6, 2, 1, 3))

refused(rs.PatternError, "is for 3 axes, but the array has 4", rs.jit(lambda a: rs.rearrange(a, "a b c -> c b a")), x)
refused(rs.CallError, "out= cannot be given", rs.jit(lambda a: rs.rearrange(a, "a b c d -> d c b a", out=x)), x)
refused(rs.CallError, "arrays that are traced cannot be joined with others", rs.jit(lambda a: rs.rearrange([a, x], "n ... -> ... n")), x)

# An array that an earlier trace left behind is none of this one, which may have another array of that name.
kept = []
rs.jit(lambda a: kept.append(a) or a.T)(x)
for join in (rs.concat, rs.stack, lambda arrays: rs.pack(arrays, "a b c *")[0]):
    refused(rs.CallError, "the arrays are of different traced calls", rs.jit(lambda a: join([a, kept[0]])), x)
refused(rs.CallError, "threads is 0", rs.jit(lambda a: rs.rearrange(a, "a b c d -> d c b a", threads=0)), x)
