# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --emit=rsh writes a text that reads back as the same graph, however conditions have changed the sizes.
# RUN: %{reshapec} %s --emit=rsh -o %t.rsh && FileCheck %s < %t.rsh
# RUN: %{reshapec} %t.rsh --emit=rsh -o %t.again.rsh && diff %t.rsh %t.again.rsh
# RUN: %{reshapec} verify %t.rsh

# With A == B sizes of B become those of A; the text introduces both.
# CHECK-LABEL: graph equal(x: u8[A], z: u8[B]) -> (y, w) where A == B {
graph equal(x: u8[A], z: u8[B]) -> (y, w) where A == B {
    y = flip(x, 0)
    w = flip(z, 0)
}

# CHECK-LABEL: graph product(x: u8[A, B]) -> y where A//2 % 2 == 0, A == B*(A//2) {
graph product(x: u8[A, B]) -> y where A//2 % 2 == 0, A == (A//2)*B { y = transpose(x) }

# CHECK-LABEL: graph number(x: u8[A, ?], z: u8[C]) -> (y, w) where A == 3
graph number(x: u8[A, ?], z: u8[C]) -> (y, w) where A == 3 {
    y = transpose(x)
    w = flip(z, 0)
}

# What rearrange divides is divided in the text, if a condition says that it is divisible.
# CHECK-LABEL: graph divided(x: u8[A, B]) -> y where B % 2 == 0 {
# CHECK-NEXT: v1 = reshape(x, shape=[A, B/2, 2], allowzero=1)
graph divided(x: u8[A, B]) -> y { y = rearrange(x, "a (b c) -> b a c", c=2) }

# With A == 2*B sizes of A become those of B, which a text must introduce before it contains sums of it.
# CHECK-LABEL: graph sums(x: u8[A], z: u8[((A + 1)*2) - (A//3), A, B]) -> y where A == 2*B {
graph sums(x: u8[A], z: u8[(A + 1)*2 - A//3, A, B]) -> y where A == 2*B { y = transpose(z) }
# CHECK-LABEL: graph halves(x: u8[A], z: u8[A/2, (-A) + (2*A), B]) -> y where A % 2 == 0, A == 4*B {
graph halves(x: u8[A], z: u8[A/2, -A + 2*A, B]) -> y where A % 2 == 0, A == 4*B { y = transpose(z) }
# CHECK-LABEL: graph rows(x: u8[A], z: u8[A, 2] strides [1, A + 1], w: u8[B]) -> (y, v) where A == 2*B {
graph rows(x: u8[A], z: u8[A, 2] strides [1, A + 1], w: u8[B]) -> (y, v) where A == 2*B {
    y = transpose(z)
    v = flip(w, 0)
}
# The stack needs as many rows in x as in z.
# CHECK-LABEL: graph unnamed(x: u8[?, 4], z: u8[B, 4], u: u8[C]) -> (y, w) where C % 2 == 0 {
graph unnamed(x: u8[?, 4], z: u8[B, 4], u: u8[C]) -> (y, w) {
    y = rearrange(u, "(b c) -> b c", c=2)
    w = stack(x, z)
}

# A size that is 0 copies nothing, unlike a 0 in a text.
# CHECK-LABEL: graph empty(x: u8[A, B, C]) -> y where B == 0 {
# CHECK-NEXT: y = reshape(x, shape=[0, C, C], allowzero=1)
graph empty(x: u8[A, B, C]) -> y where B == 0 { y = reshape(x, [B, C, 0]) }

graph swapped(x: f32[A, B]) -> y { y = paddle.reshape(x, [B, A]) }
# CHECK-LABEL: graph called(x: f32[0, 3]) -> y: f32[3, 0] {
# CHECK-NEXT: y = reshape(x, shape=[3, 0], allowzero=1)
graph called(x: f32[0, 3]) -> y { y = swapped(x) }
