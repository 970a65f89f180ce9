# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A statement declares a size of its value that only the call knows: the call is refused before anything is written.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} %s --emit=rsh -o %t.rsh
# RUN: %{reshapec} verify %t.rsh
# RUN: %{reshapec} explain %s | FileCheck %s
# CHECK-LABEL: graph f(
# CHECK: needs t.shape[0] == 2 or shape_mismatch, t.shape[1] == 3 or shape_mismatch
# CHECK-LABEL: graph any(
# CHECK: needs t.ndim == 2 or shape_mismatch, t.shape[0] == 2 or shape_mismatch, t.shape[1] == 3 or shape_mismatch

# CALL f(N=6, x=arange(6), s=[2, 3]) is x.reshape(2, 3).T
# CALL f(N=6, x=arange(6), s=[3, 2]) is shape_mismatch
# CALL f(N=6, x=arange(6), s=[2, -1]) is x.reshape(2, 3).T
graph f(x: i32[N], s: i64[2]) -> y {
    t: i32[2, 3] = reshape(x, s)
    y = transpose(t, [1, 0])
}

# CALL halves(N=6, x=arange(6), s=[2, 3]) is x.reshape(2, 3).T
# CALL halves(N=6, x=arange(6), s=[3, 2]) is shape_mismatch
# CALL halves(N=7, x=arange(7), s=[7, 1]) is shape_mismatch
graph halves(x: i32[N], s: i64[2]) -> y {
    t: i32[?, N//2] = reshape(x, s)
    y = transpose(t, [1, 0])
}

# CALL any(N=6, K=2, x=arange(6), s=[2, 3]) is x
# CALL any(N=6, K=2, x=arange(6), s=[3, 2]) is shape_mismatch
# CALL any(N=6, K=3, x=arange(6), s=[2, 3, 1]) is shape_mismatch
graph any(x: i32[N], s: i64[K]) -> y {
    t: i32[2, 3] = reshape(x, s)
    y = reshape(t, [-1])
}

# What follows knows the declared rank and sizes: subscripts and patterns can be used.
# CALL known(N=6, K=2, x=arange(6), s=[2, 3]) is concatenate([x.reshape(2, 3)[1], x.reshape(2, 3)[:, 0]])
# CALL known(N=6, K=2, x=arange(6), s=[3, 2]) is shape_mismatch
# CALL known(N=6, K=1, x=arange(6), s=[6]) is shape_mismatch
# CALL known(N=3, K=2, x=arange(3), s=[1, 3]) is bad_index
# CALL known(N=0, K=2, x=arange(0), s=[0, 3]) is bad_index
graph known(x: i32[N], s: i64[K]) -> y {
    t: i32[?, 3] = reshape(x, s)
    y = concat(t[1], t[:, 0], axis=0)
}

# CALL heads(N=2, x=arange(12).reshape(2, 6), s=[2, 6]) is x.reshape(2, 2, 3).transpose(1, 0, 2)
# CALL heads(N=2, x=arange(12).reshape(2, 6), s=[3, 4]) is shape_mismatch
# CALL heads(N=0, x=arange(0).reshape(0, 6), s=[0, 6]) is x.reshape(0, 2, 3).transpose(1, 0, 2)
graph heads(x: i32[N, 6], s: i64[2]) -> y {
    t: i32[N, 6] = reshape(x, s)
    y = rearrange(t, "n (k c) -> k n c", k=2)
}

# A size known at entry.
# CALL entry(N=2, M=3, x=arange(6).reshape(2, 3)) is x.T
# CALL entry(N=3, M=2, x=arange(6).reshape(3, 2)) is shape_mismatch
graph entry(x: i32[N, M]) -> y {
    t: i32[N, N + 1] = x
    y = transpose(t)
}

# Each of several results, one that is dropped, and a value that has two declarations.
# CALL parts(N=6, x=arange(6), s=[2, 3], r=[1, 6]) is shape_mismatch
# CALL parts(N=16, x=arange(16), s=[4, 4], r=[4, 4]) is x.reshape(4, 4)[:, :2]
# CALL parts(N=16, x=arange(16), s=[4, 4], r=[2, 8]) is shape_mismatch
# CALL parts(N=16, x=arange(16), s=[8, 2], r=[4, 4]) is shape_mismatch
graph parts(x: i32[N], s: i64[2], r: i64[2]) -> y {
    _: i32[4, ?] = reshape(x, r)
    t: i32[?, 4] = reshape(x, s)
    _: i32[4, ?] = t
    a: i32[4, 2], _: i32[4, 2] = split(t, parts=2, axis=1)
    y = flip(flip(a, [0]), [0])
}

# The declaration is checked before the gather, and after the tile.
# CALL order(N=6, x=arange(6), s=[3, 2], k=9, r=[1]) is shape_mismatch
# CALL order(N=6, x=arange(6), s=[2, 3], k=9, r=[1]) is bad_index
# CALL order(N=6, x=arange(6), s=[3, 2], k=1, r=[-1]) is bad_dim
# CALL order(N=6, x=arange(6), s=[2, 3], k=1, r=[2]) is (tile(x, 2), x.reshape(2, 3)[:, 1])
graph order(x: i32[N], s: i64[2], k: i64, r: i64[1]) -> (z, y) {
    z = tile(x, r)
    t: i32[2, 3] = reshape(x, s)
    y = gather(t, k, axis=1)
}

# A called graph declares a value, too.
# CALL calls(N=6, x=arange(6), s=[2, 3]) is x.reshape(2, 3)
# CALL calls(N=6, x=arange(6), s=[3, 2]) is shape_mismatch
graph calls(x: i32[N], s: i64[2]) -> y { y = transpose(f(x, s), [1, 0]) }
