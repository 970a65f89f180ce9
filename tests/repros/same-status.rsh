# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For H = 2^60 and P = 100 the condition is violated, and the start of the slice overflows 64 bits. The condition comes
# first, so a call returns guard_failed; emitted C returned `overflow`. verify calls both with such sizes.
# RUN: %{reshapec} verify %s | grep '2 of 2 graphs verified'
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | grep '2 of 2 graphs verified'
graph first(z: f32[H, P, Q], x: f32[H, 5]) -> (y, w) where 2*P <= 6 {
    y = x[15*H - Q:]
    w = identity(z)
}

# If A is 0, it divides no B. A graph for the runtime accepted that.
graph left_open(a: u8[A], b: u8[B], t: i64[1]) -> (y, z) where B % A == 0 {
    y = reshape(a, t)
    z = identity(b)
}
