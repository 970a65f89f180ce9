# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The bounds of a slice on an axis of open size are sizes too, computed on entry: `min(4, S)`. The conditions that later
# operators have on them are checked on entry as well.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} %s --emit=rsh -o - | FileCheck --check-prefix=TEXT %s

# CHECK: graph begin(x: f32[S]) -> y: f32[min(4, S)]
# CHECK-NEXT: y  alias
# CHECK-NEXT: is     x from element 0 on; nothing moves
# TEXT: y = slice(x, starts=[0], ends=[4], axes=[0], steps=[1])
graph begin(x: f32[S]) -> view y { y = x[:4] }

# CHECK: graph end(x: f32[S]) -> y: f32[min(4, S)]
# CHECK-NEXT: y  alias
# CHECK-NEXT: is     x from element S-min(4, S) on; nothing moves
graph end(x: f32[S]) -> y { y = x[-4:] }

# The end is never before the start.
# CHECK: graph both(x: f32[S]) -> y: f32[S-min(2, S)-min(2, S-min(2, S))]
graph both(x: f32[S]) -> y { y = x[2:-2] }

# The part cut off and the rest make up the whole.
# CHECK: graph turned(x: f32[H, W]) -> y: f32[H, W]
# CHECK-NEXT: y  symbolic
graph turned(x: f32[H, W]) -> y { y = concat(x[3:], x[:3], axis=0) }

# An index that may be below 0 then counts from the end.
# CHECK: graph two_sizes(x: f32[S], t: f32[T]) -> (y: f32[edge(S-T, S)], z: f32[T])
graph two_sizes(x: f32[S], t: f32[T]) -> (y, z) {
    y = x[:S - T]
    z = t
}

# What `where` says of two sizes is used.
# CHECK: graph ordered(x: f32[S], t: f32[T]) -> (y: f32[S-T], z: f32[T])
# CHECK-NEXT: needs  T <= S
# CHECK-NEXT: y  alias
graph ordered(x: f32[S], t: f32[T]) -> (y, z) where T <= S {
    y = x[:S - T]
    z = t
}

# CHECK: graph divided(x: f32[S, 6]) -> y: f32[3*min(9, S)/2, 4]
# CHECK-NEXT: needs  min(9, S) % 2 == 0 or not_divisible
graph divided(x: f32[S, 6]) -> y { y = x[:9] |> reshape([-1, 4]) }

# CHECK: graph pairs(x: f32[S]) -> y: f32[min(6, S)/2, 2]
# CHECK-NEXT: needs  min(6, S) % 2 == 0 or not_divisible
graph pairs(x: f32[S]) -> y { y = x[-6:] |> reshape([-1, 2]) }

# CHECK: graph declared(x: f32[S, 6]) -> y: f32[4, 6]
# CHECK-NEXT: needs  min(4, S) == 4 or shape_mismatch
graph declared(x: f32[S, 6]) -> y: f32[4, 6] { y = x[:4] }

# CHECK: graph known(x: f32[S, 6]) -> y: f32[4, 6]
# CHECK-NEXT: needs  S >= 4
graph known(x: f32[S, 6]) -> y where S >= 4 { y = x[:4] }

# CHECK: graph left_open(x: f32[S], s: i64[1]) -> y: f32[?]
# CHECK-NEXT: y  dynamic
graph left_open(x: f32[S], s: i64[1]) -> y { y = x[:4] |> reshape(s) }
