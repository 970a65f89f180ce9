# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A called graph declares a size of its result that only the call knows: the calling graph compares it too, where the
# called graph ends.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} explain %s | FileCheck %s
# CHECK-LABEL: graph deep(
# CHECK: needs reshape(...).shape[0] == 2 or shape_mismatch, reshape(...).shape[1] == 3 or shape_mismatch
# CHECK-LABEL: graph any(
# CHECK: needs y.ndim == 2 or shape_mismatch, y.shape[0] == 2 or shape_mismatch, y.shape[1] == 3 or shape_mismatch

graph fixed(x: i32[N], s: i64[2]) -> y: i32[2, 3] { y = reshape(x, s) }
graph last(x: i32[N], s: i64[2]) -> y: i32[?, N//2] { y = reshape(x, s) }
graph parts(x: i32[N], s: i64[2]) -> (y: i32[?, 3], z: i32[1, 2, 3]) {
    y = reshape(x, s)
    z = unsqueeze(y, axes=[0])
}
graph within(x: i32[N], s: i64[2]) -> y { y = fixed(x, s) }

# CALL f(N=6, x=arange(6), s=[2, 3]) is x.reshape(2, 3)
# CALL f(N=6, x=arange(6), s=[3, 2]) is shape_mismatch
# CALL f(N=6, x=arange(6), s=[2, -1]) is x.reshape(2, 3)
graph f(x: i32[N], s: i64[2]) -> y { y = fixed(x, s) }

# CALL deep(N=6, x=arange(6), s=[2, 3]) is x.reshape(2, 3).T
# CALL deep(N=6, x=arange(6), s=[1, 6]) is shape_mismatch
graph deep(x: i32[N], s: i64[2]) -> y { y = transpose(within(x, s), [1, 0]) }

# CALL halves(N=6, x=arange(6), s=[2, 3]) is x.reshape(2, 3)
# CALL halves(N=6, x=arange(6), s=[3, 2]) is shape_mismatch
# CALL halves(N=7, x=arange(7), s=[7, 1]) is shape_mismatch
graph halves(x: i32[N], s: i64[2]) -> y { y = last(x, s) }

# CALL both(N=6, x=arange(6), s=[2, 3]) is concatenate((x.reshape(2, 3), x.reshape(2, 3)))
# CALL both(N=6, x=arange(6), s=[3, 2]) is shape_mismatch
# CALL both(N=9, x=arange(9), s=[3, 3]) is shape_mismatch
graph both(x: i32[N], s: i64[2]) -> y {
    a, b = parts(x, s)
    y = concat(a, squeeze(b, axes=[0]), axis=0)
}

# The called graph ends before the gather.
# CALL before(N=6, x=arange(6), s=[3, 2], k=9) is shape_mismatch
# CALL before(N=6, x=arange(6), s=[2, 3], k=9) is bad_index
# CALL before(N=6, x=arange(6), s=[2, 3], k=1) is x.reshape(2, 3)[:, 1]
graph before(x: i32[N], s: i64[2], k: i64) -> y { y = gather(fixed(x, s), k, axis=1) }

# The tile ends before the called graph begins.
# CALL after(N=6, x=arange(6), s=[3, 2], r=[-1]) is bad_dim
# CALL after(N=6, x=arange(6), s=[3, 2], r=[1]) is shape_mismatch
# CALL after(N=6, x=arange(6), s=[2, 3], r=[2]) is (tile(x, 2), x.reshape(2, 3))
graph after(x: i32[N], s: i64[2], r: i64[1]) -> (z, y) {
    z = tile(x, r)
    y = fixed(x, s)
}

graph ranked(x: i32[N], s: i64[K]) -> y: i32[2, 3] { y = reshape(x, s) }
graph sized(x: i32[N], s: i64[K]) -> y: i32[?, ?, K] { y = reshape(x, s) }

# The rank of the result is the length of s.
# CALL any(N=6, K=2, x=arange(6), s=[2, 3]) is x.reshape(2, 3)
# CALL any(N=6, K=2, x=arange(6), s=[3, 2]) is shape_mismatch
# CALL any(N=6, K=3, x=arange(6), s=[2, 3, 1]) is shape_mismatch
# CALL any(N=6, K=1, x=arange(6), s=[6]) is shape_mismatch
graph any(x: i32[N], s: i64[K]) -> y: i32[2, 3] { y = ranked(x, s) }

# CALL anywhere(N=6, K=2, x=arange(6), s=[2, 3], k=3) is roll(x, 3)
# CALL anywhere(N=6, K=2, x=arange(6), s=[3, 2], k=3) is shape_mismatch
# CALL anywhere(N=0, K=0, x=zeros(0), s=zeros(0), k=3) is volume_mismatch
# CALL anywhere(N=1, K=0, x=zeros(1), s=zeros(0), k=3) is shape_mismatch
graph anywhere(x: i32[N], s: i64[K], k: i64) -> y { y = reshape(ranked(x, s), [-1]) |> roll(k) }

# CALL three(N=6, K=3, x=arange(6), s=[2, 1, 3]) is x.reshape(2, 1, 3)
# CALL three(N=6, K=3, x=arange(6), s=[1, 3, 2]) is shape_mismatch
# CALL three(N=6, K=2, x=arange(6), s=[3, 2]) is shape_mismatch
graph three(x: i32[N], s: i64[K]) -> y: i32[*] { y = sized(x, s) }
