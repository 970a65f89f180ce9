# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rows of pixels whose channels do not fill a vector, or whose number is open, are permuted in pieces of whole vectors;
# the last piece of a row overlaps the one before it.
# RUN: %{reshapec} %s --dump=plan -mcpu=x86-64-v4 | FileCheck %s
# RUN: %{reshapec} %s --dump=plan -mcpu=x86-64-v3 | FileCheck %s
# RUN: %{reshapec} %s --dump=plan -mcpu=x86-64-v2 | FileCheck %s
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s -mcpu=native
# RUN: %{reshapec} verify %s -mcpu=x86-64-v3
# RUN: %{reshapec} verify %s -mcpu=x86-64-v2
# RUN: %{reshapec} verify %s --parallel

# CHECK: graph mirrored
# CHECK: for W: dst 3, src -3
# CHECK-NEXT: shuffle 3, align 1
# CALL mirrored(H=2, W=200, x=arange(1200).reshape(2, 200, 3)) is x[:, ::-1]
# CALL mirrored(H=3, W=5, x=arange(45).reshape(3, 5, 3)) is x[:, ::-1]
# CALL mirrored(H=0, W=64, x=zeros((0, 64, 3))) is zeros((0, 64, 3), "u1")
graph mirrored(x: u8[H, W, 3]) -> y {
    y = x[:, ::-1]
}

# CHECK: graph without_alpha
# CHECK: for H*W: dst 3, src 4
# CHECK-NEXT: shuffle 3, align 1
# CALL without_alpha(H=3, W=67, x=arange(804).reshape(3, 67, 4)) is x[:, :, :3]
# CALL without_alpha(H=2, W=8, x=arange(64).reshape(2, 8, 4)) is x[:, :, :3]
# CALL without_alpha(H=5, W=0, x=zeros((5, 0, 4))) is zeros((5, 0, 3), "u1")
graph without_alpha(x: u8[H, W, 4]) -> y {
    y = x[:, :, :3]
}

# CHECK: graph doubled
# CHECK: for W: dst 6, src 3
# CHECK-NEXT: for 2: dst 3, src 0
# CHECK-NEXT: shuffle 3, align 1
# CALL doubled(H=2, W=100, x=arange(600).reshape(2, 100, 3)) is x.repeat(2, 0).repeat(2, 1)
# CALL doubled(H=2, W=7, x=arange(42).reshape(2, 7, 3)) is x.repeat(2, 0).repeat(2, 1)
graph doubled(x: u8[H, W, 3]) -> y {
    y = repeat(x, [2, 2, 1])
}

# CHECK: graph third
# CHECK: shuffle 3, align 1
# CALL third(H=2, W=201, x=arange(1206).reshape(2, 201, 3)) is x[:, ::3]
# CALL third(H=2, W=4, x=arange(24).reshape(2, 4, 3)) is x[:, ::3]
graph third(x: u8[H, W, 3]) -> y {
    y = x[:, ::3]
}
