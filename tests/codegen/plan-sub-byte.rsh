# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packed elements move as whole bytes if their runs are whole bytes. Otherwise a short pattern that repeats moves as
# fields, several of them in each byte stored; a long one moves element by element.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v2 | FileCheck %s
# RUN: %{reshapec} %S/Inputs/packed.rsh --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v2 | FileCheck %s --check-prefix=PACKED

# CHECK-LABEL: graph single
# CHECK: from x+0 to 0
# CHECK-NEXT: for 67: dst 7, src 1
# CHECK-NEXT:   for 7: dst 1, src 67
# CHECK-NEXT:     element, align 1
graph single(x: i4[7, 67]) -> y { y = transpose(x) }

# Bits 0 to 3 of bytes 0 and 3 become byte 0, bits 4 to 7 of both become byte 1.
# CHECK-LABEL: graph fields
# CHECK: from x+0 to 0
# CHECK-NEXT: for 3: dst 2, src 1
# CHECK-NEXT: element at 0: 0+4 at 0 0+4 of 3 at 4, align 1
# CHECK-NEXT: element at 1: 4+4 at 0 4+4 of 3 at 4, align 1
graph fields(x: i4[2, 6]) -> y { y = transpose(x) }

# CHECK-LABEL: graph half
# CHECK: element at 0: 0+8 at 0, align 1
# CHECK-NEXT: element at 1: 0+4 of 1 at 0 0+4 of 3 at 4, align 1
graph half(x: u2[3, 2, 2, 3]) -> y { y = transpose(x, [1, 0, 2, 3]) }

# PACKED-LABEL: graph whole
# PACKED: y: i4[2, 3, 4]: static, 12 bytes
# PACKED-NEXT: from x+0 to 0
# PACKED-NEXT:   for 2: dst 6, src 2
# PACKED-NEXT:     for 3: dst 2, src 4
# PACKED-NEXT:       copy 2, align 1

# PACKED-LABEL: graph odd
# PACKED-NEXT: t: u2[5, 1]: alias of s+0, 2 bytes

# Rows that start alternately at a byte and in the middle of one: bytes move, shifted if necessary, and the elements
# that share a byte with the next row are stored separately.
# CHECK-LABEL: graph rows
# CHECK-NEXT: y: u4[4, 79]
# CHECK-NEXT: from x+0 to 0
# CHECK-NEXT:   for 2: dst 79, src 80
# CHECK-NEXT:     copy 39, align 1
# CHECK-NEXT: from x+78 to 78
# CHECK-NEXT:   for 2: dst 158, src 160
# CHECK-NEXT:     element, align 1
# CHECK-NEXT: from x+80 to 79
# CHECK-NEXT:   for 2: dst 158, src 160
# CHECK-NEXT:     element, align 1
# CHECK-NEXT: from x+40 to 40
# CHECK-NEXT:   for 2: dst 79, src 80
# CHECK-NEXT:     copy 39, from bit 4, align 1
graph rows(x: u4[4, 80]) -> y { y = x[:, :79] }
