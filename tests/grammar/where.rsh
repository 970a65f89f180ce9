# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every comparison, with expressions on both sides, and lists of values.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      where H <= 1080
# CHECK-NEXT: where (W % 16) == 0
# CHECK-NEXT: where N == (B * S)
# CHECK-NEXT: where H < W
# CHECK-NEXT: where H > 1
# CHECK-NEXT: where H >= 2
# CHECK-NEXT: where W != 3
# CHECK-NEXT: where B in [1, 8, (2 * S)]
graph g(x: f32[H, W, N, B, S]) -> y
    where H <= 1080, W % 16 == 0, N == B*S, H < W, H > 1, H >= 2, W != 3,
          B in [1, 8, 2*S,] {
    y = x
}
