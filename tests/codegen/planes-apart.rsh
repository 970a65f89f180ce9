# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rows that are so far apart that they share few sets of L2, of 1 MiB here, are first copied to a buffer if there are
# more of them than lines fit. Others are read where they are.
# RUN: %{reshapec} %s --dump=plan -mcpu=znver4 | FileCheck %s
# RUN: %{reshapec} verify %s -mcpu=native

# CHECK: graph few
# CHECK: for 16: dst 4, src 65536
# CHECK-NEXT: transpose 4 in
# CHECK-NOT: packed
graph few(x: f32[2, 16, 128, 128]) -> y { y = transpose(x, [0, 2, 3, 1]) }

# CHECK: graph many
# CHECK: for 17: dst 4, src 65536
# CHECK-NEXT: transpose 4 in packed blocks
graph many(x: f32[2, 17, 128, 128]) -> y { y = transpose(x, [0, 2, 3, 1]) }
