# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Graphs that are correct but hard at particular sizes: smaller than a slice asks for, two sizes equal, a size divisible
# by a divisor, a size of 0. mutants.tsv (group "sizes") puts faults into the compiler that only such sizes show. A
# compile tries few of them, but some of each kind.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} -fverify %s -o %t.o 2>&1 | count 0
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 27 of 27 graphs verified

# Rolled rows next to others: which of two strides is larger is not known.
graph rolled(x: u8[A, B]) -> y { v = roll(x, 1, axes=0); y = concat(v, x, axis=1) }
graph rolled_beside(x: u8[A, B], z: u8[A, B]) -> y { v = roll(x, 1, axes=0); y = concat(v, z, axis=1) }
graph turned(x: u8[A, C]) -> y { v = flip(x, 0); y = concat(roll(v, 1, axes=0), v, axis=0) }

# Slices that yield less than they ask for, then repeated.
graph repeated(x: u8[S, S]) -> y { y = repeat(x[:, -1:3], [1, 2]) }
graph stacked(x: u8[W, 127]) -> y {
    v = flip(x, 1)[-3:7]
    y = stack(transpose(v), transpose(v), axis=0) |> roll(1, axes=1)
}
graph tiled(x: u8[S]) -> y { y = tile(x[3:4], [3]) |> tile([3]) }
graph tiled_where(x: f32[N]) -> y where N >= 4 { y = x[3:4] |> tile([3]) |> tile([3]) }

# A size of 0, in the input and in a target.
graph rows(x: u8[R, C]) -> y { y = concat(x[1:], x[:1], axis=0) }
graph declared(x: f32[N, M], z: f32[K]) -> y: f32[N, M] { y = reshape(x, [K, M]) }
graph any_rows(x: f32[N, M], z: f32[K]) -> y { y = reshape(x, [K, M]) }
graph turned_round(x: u8[R, C]) -> y { y = roll(x, -2, axes=0) }

# Divided sizes, in graphs for the runtime.
graph wrapped(x: f32[L, 4]) -> y where L % 2 == 0 { y = reshape(x, [L/2, 8]) |> pad([1, 0, 1, 0], mode="wrap") }
graph halved(x: f32[L, 4], t: i64[2]) -> (y, z) where L % 2 == 0 {
    y = reshape(x, [L/2, 8])
    z = reshape(x, t)
}
graph merged(x: u8[L, 4, 4], t: i64[2]) -> (y, z) {
    y = reshape(x, [8, 2, -1, 2]) |> rearrange("a b c d -> (a b) c d")
    z = reshape(x, t)
}
graph last_two(x: f32[2, N, K], t: i64[2]) -> (y, z) {
    y = x[..., -2:]
    z = reshape(x, t)
}

# A condition is checked before sizes that overflow.
graph conditioned(z: f32[H, P, Q]) -> w where 2*P <= 6 { w = transpose(z) }
graph equal(x: f32[A, B], y: f32[B, A]) -> z { z = concat(x, transpose(y), axis=1) }

# Values that do not fit in 64 bits: the divisor of a condition; part of a size that the code simplifies to A; and a
# bound past the end.
graph divided(s: u8[A], x: u8[(A + 1)//2, B]) -> y where A % (B + 1) != 0 { y = flip(x, 0) }
graph canceled(s: u8[A], x: u8[-A + 2*A], i: i64[3]) -> y { y = gather(x, i) }
graph bounded(x: u2[A]) -> y { y = x[2:2*A] }

# Sizes that break a condition, taken from tensors.
graph brought(s: u8[A, B], x: f16[*]) -> y where A % 4 == 0 { y = identity(x) }
graph brought_equal(s: u8[A, B], x: f16[*]) -> (y, z) where A == B { y = identity(x); z = transpose(s) }

# A size that a -1 infers is one only if A is at least 1: for 0, the call is refused for that, not for what -1 rows count.
graph inferred(x: u8[A, 3, A, 4]) -> y { y = reshape(x[1:], [2, -1, 3, A, 4]) }

# Twice A overflows where B, and so the number of elements, is 0.
graph doubled(x: u8[A, B]) -> y where B % 2 == 0 { y = reshape(x, [2*A, B/2]) }

# A stride that overflows where there are no elements is not computed.
graph spaced(x: u16[B, A] strides [2*A, 1]) -> y: u16[B, 1] where A >= 2 { y = slice(x, [1], [2], axes=[1]) }
graph apart(z: u8[A, 0], x: u8[B, 2] strides [4611686018427387904*A, 1]) -> y { y = reshape(x, [-1]) }

# Element 1 of [C, 2/C] is in row 0 or in row 1.
graph carried(s: u8[C], x: u8[1], z: u8[1]) -> y { y = concat([z, x], 0) |> reshape([C, -1]) |> flip([0]) }
