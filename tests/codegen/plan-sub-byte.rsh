# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packed elements are copied as whole bytes where they run along; single ones go one by one, counted in elements.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v2 | FileCheck %s
# RUN: %{reshapec} %S/Inputs/packed.rsh --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v2 | FileCheck %s --check-prefix=PACKED

# CHECK-LABEL: graph single
# CHECK: from x+0 to 0
# CHECK-NEXT: for 6: dst 2, src 1
# CHECK-NEXT:   for 2: dst 1, src 6
# CHECK-NEXT:     element, align 1
graph single(x: i4[2, 6]) -> y { y = transpose(x) }

# CHECK-LABEL: graph half
# CHECK: element, align 1
graph half(x: u2[3, 2, 2, 3]) -> y { y = transpose(x, [1, 0, 2, 3]) }

# PACKED-LABEL: graph whole
# PACKED: y: i4[2, 3, 4]: static, 12 bytes
# PACKED-NEXT: from x+0 to 0
# PACKED-NEXT:   for 2: dst 6, src 2
# PACKED-NEXT:     for 3: dst 2, src 4
# PACKED-NEXT:       copy 2, align 1

# PACKED-LABEL: graph odd
# PACKED-NEXT: t: u2[5, 1]: alias of s+0, 2 bytes

# Rows that begin at a byte and in the middle of one by turns: bytes move, shifted where they must be, and
# what shares a byte with the next row is stored by itself.
# CHECK-LABEL: graph rows
# CHECK-NEXT: y: u4[4, 7]
# CHECK-NEXT: from x+0 to 0
# CHECK-NEXT:   for 2: dst 7, src 8
# CHECK-NEXT:     copy 3, align 1
# CHECK-NEXT: from x+6 to 6
# CHECK-NEXT:   for 2: dst 14, src 16
# CHECK-NEXT:     element, align 1
# CHECK-NEXT: from x+8 to 7
# CHECK-NEXT:   for 2: dst 14, src 16
# CHECK-NEXT:     element, align 1
# CHECK-NEXT: from x+4 to 4
# CHECK-NEXT:   for 2: dst 7, src 8
# CHECK-NEXT:     copy 3, from bit 4, align 1
graph rows(x: u4[4, 8]) -> y { y = x[:, :7] }
