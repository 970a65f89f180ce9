# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition is checked even if later ones imply it, because these may overflow first: A = 4, B = 2^63-1 violates the
# first, and B + 1 does not fit. The slice derives max(A, 1) <= 3 from A <= B + 1 and B == 2.
# RUN: %{reshapec} explain %s | FileCheck %s
# CHECK: needs A != 4, A <= B+1, 2*B == 4 or shape_mismatch
graph g(s: u8[A], x: f32[5, B, 3]) -> y: f32[4, 3, 2, 0] where A != 4, A <= B + 1 {
    u = stack([x, x, x], 2)
    v = repeat(u, [1, 2, 1, 1])
    w = transpose(v, [1, 3, 0, 2])
    y = w[:, :, :3:2, A:1]
}
