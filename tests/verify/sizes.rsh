# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Graphs that are right but for sizes about numbers of their own: below what a slice asks for, where two sizes are
# one, where a divisor divides, where a size is 0. Faults that only such sizes show are put into the compiler by
# mutants.tsv (group "sizes"). A compile tries few of them, and still some of each kind.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} -fverify %s -o %t.o 2>&1 | count 0
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 21 of 21 graphs verified

# Rows that go around, beside others: which of two strides is the larger is open.
graph rolled(x: u8[A, B]) -> y { v = roll(x, 1, axes=0); y = concat(v, x, axis=1) }
graph rolled_beside(x: u8[A, B], z: u8[A, B]) -> y { v = roll(x, 1, axes=0); y = concat(v, z, axis=1) }
graph turned(x: u8[A, C]) -> y { v = flip(x, 0); y = concat(roll(v, 1, axes=0), v, axis=0) }

# Slices that give less than they ask for, and what repeats it.
graph repeated(x: u8[S, S]) -> y { y = repeat(x[:, -1:3], [1, 2]) }
graph stacked(x: u8[W, 127]) -> y {
    v = flip(x, 1)[-3:7]
    y = stack(transpose(v), transpose(v), axis=0) |> roll(1, axes=1)
}
graph tiled(x: u8[S]) -> y { y = tile(x[3:4], [3]) |> tile([3]) }
graph tiled_where(x: f32[N]) -> y where N >= 4 { y = x[3:4] |> tile([3]) |> tile([3]) }

# A size of 0, of the input and of a target.
graph rows(x: u8[R, C]) -> y { y = concat(x[1:], x[:1], axis=0) }
graph declared(x: f32[N, M], z: f32[K]) -> y: f32[N, M] { y = reshape(x, [K, M]) }
graph any_rows(x: f32[N, M], z: f32[K]) -> y { y = reshape(x, [K, M]) }
graph turned_round(x: u8[R, C]) -> y { y = roll(x, -2, axes=0) }

# Sizes that are divided, in graphs of the runtime.
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

# A condition comes before sizes that cannot be counted.
graph conditioned(z: f32[H, P, Q]) -> w where 2*P <= 6 { w = transpose(z) }
graph equal(x: f32[A, B], y: f32[B, A]) -> z { z = concat(x, transpose(y), axis=1) }

# What does not fit 64 bits: a divisor of a condition; a part of a size in the text, which to code is A, and a bound that is
# past the end.
graph divided(s: u8[A], x: u8[(A + 1)//2, B]) -> y where A % (B + 1) != 0 { y = flip(x, 0) }
graph cancelled(s: u8[A], x: u8[-A + 2*A], i: i64[3]) -> y { y = gather(x, i) }
graph bounded(x: u2[A]) -> y { y = x[2:2*A] }

# Sizes that break a condition, brought along by tensors.
graph brought(s: u8[A, B], x: f16[*]) -> y where A % 4 == 0 { y = identity(x) }
