# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The shifts of a roll, and the lengths of a reversed sequence, may be a tensor of known length. Sizes stay.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CALL rolled(x=arange(12).reshape(4, 3), s=[1, -5]) is roll(x, (1, -5), (0, 1))
# CALL rolled(x=arange(12).reshape(4, 3), s=[2**63 - 1, 0]) is roll(x, (2**63 - 1) % 4, 0)
graph rolled(x: i32[4, 3], s: i64[2]) -> y { y = roll(x, s, axes=[0, 1]) }

# CALL flat(N=4, x=arange(12).reshape(4, 3), s=5) is roll(x, 5)
# CALL flat(N=0, x=zeros((0, 3)), s=5) is x
graph flat(x: i32[N, 3], s: i64) -> y { y = roll(x, s) }

# One shift applies to all axes; four axes are shifted one after another.
# CALL all(x=arange(24).reshape(2, 3, 2, 2), s=[1]) is roll(x, (1, 1, 1, 1), (0, 1, 2, 3))
# CALL all(x=arange(24).reshape(2, 3, 2, 2), s=[-2]) is roll(x, (-2, -2, -2, -2), (0, 1, 2, 3))
graph all(x: i32[2, 3, 2, 2], s: i64[1]) -> y { y = roll(x, s, axes=[0, 1, 2, 3]) }
# CALL each(x=arange(24).reshape(2, 3, 2, 2), s=[1, 2, 0, 1]) is roll(x, (1, 2, 0, 1), (0, 1, 2, 3))
graph each(x: i32[2, 3, 2, 2], s: i64[4]) -> y { y = roll(x, s, axes=[0, 1, 2, 3]) }

# CALL reversed(x=arange(12).reshape(4, 3), n=[4, 1, 3]) is stack([x[::-1, 0], x[:, 1], concatenate([x[2::-1, 2], x[3:, 2]])], 1)
# CALL reversed(x=arange(12).reshape(4, 3), n=[0, 0, 0]) is x
# CALL reversed(x=arange(12).reshape(4, 3), n=[4, 5, 4]) is bad_index
# CALL reversed(x=arange(12).reshape(4, 3), n=[4, -1, 4]) is bad_index
graph reversed(x: i32[4, 3], n: i64[3]) -> y { y = reverse_sequence(x, n) }

# More batches than a tensor may have axes.
# CALL many(T=3, x=arange(60).reshape(20, 3), n=full(20, 3)) is x[:, ::-1]
# CALL many(T=3, x=arange(60).reshape(20, 3), n=[1, 2] * 10) is stack([r if i % 2 == 0 else r[[1, 0, 2]] for i, r in enumerate(x)])
# CALL many(T=3, x=arange(60).reshape(20, 3), n=[1] * 19 + [4]) is bad_index
graph many(x: i32[20, T], n: i32[20]) -> y { y = reverse_sequence(x, n, time_axis=1, batch_axis=0) }
