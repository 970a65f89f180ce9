# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition is checked also where later ones imply it, which may overflow before they say so: A = 4, B = 2^63-1 breaks
# the first one, and B + 1 does not fit. That max(A, 1) is at most 3 is known of the slice once A <= B + 1 and B == 2 are.
# RUN: %{reshapec} explain %s | FileCheck %s
# CHECK: needs A != 4, A <= B+1, 2*B == 4 or shape_mismatch
graph g(s: u8[A], x: f32[5, B, 3]) -> y: f32[4, 3, 2, 0] where A != 4, A <= B + 1 {
    u = stack([x, x, x], 2)
    v = repeat(u, [1, 2, 1, 1])
    w = transpose(v, [1, 3, 0, 2])
    y = w[:, :, :3:2, A:1]
}
