# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# * / % bind tighter than + -, a sign tighter than both, a subscript tightest; all are left-associative.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK: input x: f32[((1 + (2 * 3)) - 4), (((8 / 2) % 3) * 5), ((-A) * B), (-A[0]), ((1 + 2) * 3), (1 - (2 - 3)), (-(-2))]
graph g(x: f32[1 + 2*3 - 4, 8/2 % 3 * 5, -A*B, -A[0], (1 + 2)*3, 1 - (2 - 3), --2]) -> y {
    y = x
}
