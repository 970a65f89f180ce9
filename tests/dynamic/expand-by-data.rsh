# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The shape of an expand may be a tensor.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} --dump=graph %s | FileCheck --check-prefix=SIZES %s

# SIZES: y: i32[?, ?, 3] = expand(%0, shape=i64 [?, ?, ?])
# CALL three(x=arange(3).reshape(1, 3), s=[2, 4, 1]) is broadcast_to(x, (2, 4, 3))
# CALL three(x=arange(3).reshape(1, 3), s=[2, 0, 3]) is broadcast_to(x, (2, 0, 3))
# CALL three(x=arange(3).reshape(1, 3), s=[2, 1, 2]) is not_broadcastable
# CALL three(x=arange(3).reshape(1, 3), s=[-1, 1, 3]) is bad_dim
# CALL three(x=arange(3).reshape(1, 3), s=[2**40, 2**40, 3]) is overflow
graph three(x: i32[1, 3], s: i64[3]) -> y { y = expand(x, s) }

# An unknown size may be 1.
# CALL of_open_size(N=1, x=arange(2).reshape(1, 2), s=[5, 2]) is broadcast_to(x, (5, 2))
# CALL of_open_size(N=3, x=arange(6).reshape(3, 2), s=[1, 1]) is x
# CALL of_open_size(N=3, x=arange(6).reshape(3, 2), s=[5, 2]) is not_broadcastable
graph of_open_size(x: i32[N, 2], s: i32[2]) -> y { y = expand(x, s) }

# The length of the tensor decides the rank.
# SIZES: y: i32[*] = expand(%0, shape=i64 [...])
# CALL any_rank(K=1, x=arange(3), s=[3]) is x
# CALL any_rank(K=4, x=arange(3), s=[2, 1, 2, 1]) is broadcast_to(x, (2, 1, 2, 3))
# CALL any_rank(K=0, x=arange(3), s=[]) is x
# CALL any_rank(K=17, x=arange(3), s=ones(17)) is rank_limit
# CALL any_rank(K=1000, x=arange(3), s=ones(1000)) is rank_limit
graph any_rank(x: i32[3], s: i64[K]) -> y { y = expand(x, s) }

# CALL mixed(x=arange(3).reshape(3, 1), n=4) is broadcast_to(x, (3, 4)).T
graph mixed(x: i32[3, 1], n: i64[1]) -> y { y = expand(x, [1, n]) |> transpose([1, 0]) }
