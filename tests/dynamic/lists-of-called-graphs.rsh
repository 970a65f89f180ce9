# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A graph with a list that is data gets it from the calling graph: as a tensor, a part of one, or elements of one. If
# the caller knows the length, the rank of the result is known, too.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} --dump=graph %s | FileCheck --check-prefix=SIZES %s

graph shaped(x: i32[2, 3], s: i64[N]) -> y { y = reshape(x, s) }
graph cut(x: i32[2, 3], s: i64[N], e: i64) -> y { y = slice(x, s, [e, 3]) }
graph tiled(x: i32[2, 3], s: i64[N]) -> y { y = tile(x, s) }

# SIZES: graph part
# SIZES: y: i32[?, ?] = reshape
# CALL part(x=arange(6).reshape(2, 3), s=[7, 3, -1]) is x.reshape(3, 2)
# CALL part(x=arange(6).reshape(2, 3), s=[7, 4, -1]) is not_divisible
graph part(x: i32[2, 3], s: i64[3]) -> y { y = shaped(x, s[1:]) }

# SIZES: graph whole
# SIZES: y: i32[?, ?, ?] = reshape
# CALL whole(x=arange(6).reshape(2, 3), s=[1, 3, -1]) is x.reshape(1, 3, 2)
graph whole(x: i32[2, 3], s: i64[3]) -> y { y = shaped(x, s) }

# CALL elements(x=arange(6).reshape(2, 3), s=[9, 0, 1], e=[9, 1]) is x[0:1, 1:3]
graph elements(x: i32[2, 3], s: i64[3], e: i64[2]) -> y { y = cut(x, s[1:], e[1]) }

# CALL reversed(x=arange(6).reshape(2, 3), s=[3, 2]) is tile(x, (2, 3))
# CALL reversed(x=arange(6).reshape(2, 3), s=[3, -2]) is bad_dim
graph reversed(x: i32[2, 3], s: i64[2]) -> y { y = tiled(x, flip(s, 0)) }
