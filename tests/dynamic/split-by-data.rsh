# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The sizes of the parts of a split may be a tensor; its length is the number of parts.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CALL two(x=arange(12).reshape(6, 2), s=[2, 4]) is (x[:2], x[2:])
# CALL two(x=arange(12).reshape(6, 2), s=[0, 6]) is (x[:0], x)
# CALL two(x=arange(12).reshape(6, 2), s=[2, 3]) is bad_parts
# CALL two(x=arange(12).reshape(6, 2), s=[7, -1]) is bad_parts
graph two(x: i32[6, 2], s: i64[2]) -> (a, b) { a, b = split(x, sizes=s) }

# CALL one_known(N=6, x=arange(12).reshape(2, 6), n=1) is (x[:, :1], x[:, 1:3], x[:, 3:])
# CALL one_known(N=5, x=arange(10).reshape(2, 5), n=1) is bad_parts
graph one_known(x: i32[2, N], n: i64) -> (a, b, c) { a, b, c = split(x, axis=1, sizes=[n, 2, 3]) }
