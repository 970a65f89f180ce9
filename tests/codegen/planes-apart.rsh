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

# Without tiles, a block has as many rows of the source as fit the sets of L1, of 32 KiB, that they share; at least 16.
# CHECK: graph thinned
# CHECK: for 16: dst 4, src 2048
# CHECK: graph wide
# CHECK: for 32: dst 4, src 3072

# A cast does not hinder tiles: these have elements of the narrower side, and so has the buffer.
# CHECK: graph rounded
# CHECK: for 512: dst 2, src 4096
# CHECK-NEXT: transpose 2 in packed blocks of 256 by 256, cast f32 to bf16
graph thinned(x: f32[512, 512]) -> y { y = transpose(x)[::2] }
graph wide(x: f32[512, 768]) -> y { y = transpose(x)[::2] }
graph rounded(x: f32[512, 1024]) -> y { y = transpose(cast(x, bf16)) }
