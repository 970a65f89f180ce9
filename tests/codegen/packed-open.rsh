# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packed elements of open sizes are unpacked and packed in whole bytes, and those of the last byte one by one.
# RUN: %{reshapec} --dump=plan %s | FileCheck %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} verify %s -O1 -mcpu=x86-64-v3
# RUN: %{reshapec} verify %s --emit=c
# RUN: %{reshapec} verify %s --parallel

# CHECK: graph rows
# CHECK-NEXT: cast to u8, with sizes known only at run time
# CHECK-NEXT: from x+0 to 0
# CHECK-NEXT: for 64*H: dst 1, src 1
# CHECK-NEXT: element cast u4 to u8, align 1, 16 at once
graph rows(x: u4[H, 64]) -> y { y = cast(x, u8) }

# W is even, so rows begin at bytes.
# CHECK-NEXT: graph even
# CHECK: for W: dst 1, src 1
# CHECK-NEXT: 16 at once
graph even(x: u4[A, B, W]) -> y where W % 2 == 0 { y = cast(transpose(x, [1, 0, 2]), u8) }

# CHECK: graph all
# CHECK: for 2*(H*W//2): dst 4, src 1
# CHECK-NEXT: element dequantize, align 4, 16 at once
# CHECK-NEXT: from x+2*(H*W//2) to 8*(H*W//2)
# CHECK-NEXT: for H*W-2*(H*W//2): dst 4, src 1
# CHECK-NEXT: element dequantize, align 4
graph all(x: u4[H, W]) -> y { y = dequantize(x, scale=0.5, zero_point=3) }

# CHECK-NEXT: graph packed
# CHECK: for 8*(H*W//8): dst 1, src 1
# CHECK-NEXT: element cast u8 to u1, align 1, 16 at once
# CHECK: for H*W-8*(H*W//8): dst 1, src 1
graph packed(x: u8[H, W]) -> y { y = cast(x, u1) }

# A table of scales with an entry for each row: rows of 5 do not begin at bytes.
# CHECK: graph scaled
# CHECK: for 5*H: dst 4, src 1
# CHECK-NEXT: element dequantize, align 4
graph scaled(x: u4[3, H, 5]) -> y { y = dequantize(x, scale=[0.5, 3, 5], zero_point=[3, 4, 1], axis=0) }

# CHECK-NEXT: graph known
# CHECK: for 224: dst 2, src 1
# CHECK-NEXT: element cast u4 to i16, align 2, 16 at once
# CHECK-NEXT: from x+224 to 448
# CHECK-NEXT: element cast u4 to i16, align 2
graph known(x: u4[15, 15]) -> y { y = cast(x, i16) }

# The elements of a byte are at distances of the other side that are open: one by one.
# CHECK-NEXT: graph turned
# CHECK: for 72: dst 1, src 4*B
# CHECK-NEXT: element cast u8 to u4, align 1
graph turned(x: u8[72, B, 4]) -> y { y = cast(transpose(x, [1, 2, 0]), u4) }
