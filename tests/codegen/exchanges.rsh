# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# In place, squares and flips exchange each pair once: loops start after the diagonal, or end in the middle. Other swaps
# check which of the two offsets is lower. A core without division extracts the digits of an offset by multiplication.
# RUN: %{reshapec} --dump=code %s | FileCheck %s
# RUN: %{reshapec} --dump=code --target=thumbv6m-none-eabi %s | FileCheck %s --check-prefix=M0
# So does C for such a core, whose compiler would call a library.
# RUN: %{reshapec} --emit=c -fno-verify --target=thumbv6m-none-eabi %s -o - | FileCheck %s --check-prefix=C
# RUN: %{reshapec} --emit=c -fno-verify --target=thumbv7em-none-eabi %s -o - | FileCheck %s --check-prefix=DIVIDES
# For size, a result elsewhere is a copy of the input in which the pairs change places; longer cycles are not followed there.
# RUN: %{reshapec} --dump=plan --target=thumbv7em-none-eabi -Os %s | FileCheck %s --check-prefix=SMALL
# RUN: %{reshapec} verify --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify -Os --target=thumbv6m-none-eabi %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify -O2 --target=thumbv6m-none-eabi %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify -Os --target=riscv32-none-elf %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify -O2 --target=riscv32-none-elf %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 11 of 11 graphs verified

# Small code leaves it to a routine of the object to compare the addresses, and exchanges pairs from the end that it
# returns. At -O2 the loops of a square step pointers, too.
# RUN: %{reshapec} --emit=asm --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os %s -o - | FileCheck %s --check-prefix=BACK
# RUN: %{reshapec} --emit=asm --target=thumbv7em-none-eabi -mcpu=cortex-m4 -O2 %s -o - | FileCheck %s --check-prefix=STEP
# BACK-LABEL: {{^}}square:
# BACK-NOT: cmp
# BACK: bl copy.apart
# BACK: ldrb r{{[0-9]+}}, [r{{[0-9]+}}, #-24]!
# BACK: bne
# STEP-LABEL: {{^}}square:
# STEP: strb{{.*}}], #24

# SMALL-LABEL: graph square
# SMALL:       in place of x: 276 swaps, piece 1; in other memory after a copy:
# SMALL-NEXT:    from x+0 to 0
# SMALL-NEXT:      copy 576, align 1, walked, the run by a call
# SMALL-LABEL: graph least
# CHECK-LABEL: code square.cycles
# CHECK-NOT: if
# CHECK: = for
# CHECK-NOT: if
# CHECK: = for
# CHECK-NOT: if
# CHECK-LABEL: code least.cycles
graph square(x: u8[24, 24]) -> inplace y { y = transpose(x, [1, 0]) }

# The smallest has one pair.
graph least(x: u8[2, 2]) -> inplace y { y = transpose(x, [1, 0]) }

# CHECK-LABEL: code pixels.cycles
graph pixels(x: f32[B, N, N, 3]) -> inplace y { y = transpose(x, [0, 2, 1, 3]) }
graph across(x: u16[5, 7, 4, 7, 3]) -> inplace y { y = transpose(x, [0, 3, 2, 1, 4]) }

# CHECK-LABEL: code odd.cycles
# CHECK: = extent 2
# CHECK-NEXT: = div
# CHECK: = for
# CHECK-NOT: if
# CHECK-LABEL: code open.cycles
graph odd(x: u8[5, 7, 6]) -> inplace y { y = flip(x, axes=[1]) }
graph open(x: u8[N, M]) -> inplace y { y = flip(x, axes=[1]) }

# CHECK-LABEL: code twice.cycles
# CHECK: = less
# CHECK-NEXT: if
graph twice(x: u8[5, 6, 7]) -> inplace y { y = flip(x, axes=[0, 2]) }
graph crosswise(x: u8[4, 4]) -> inplace y { y = flip(transpose(x, [1, 0]), axes=[0, 1]) }

# 288 offsets: place / 12 is place * 171 / 2048.
# CHECK-LABEL: code rows.cycles
# CHECK: = extent 12
# CHECK-NEXT: = extent 12
# CHECK-NEXT: = div
# C-LABEL: void rows(
# C: place * 171U / 2048U
# DIVIDES-LABEL: void rows(
# DIVIDES: place / 12U
# C-LABEL: void planes(
# M0-LABEL: code rows.cycles
# M0: = extent 171
# M0-NEXT: = mul
# M0-NEXT: = extent 2048
# M0-NEXT: = div
# SMALL-LABEL: graph rows
# SMALL:       in place of x: 4 cycles, piece 1; in other memory:
graph rows(x: u8[12, 24]) -> inplace y { y = transpose(x, [1, 0]) }
graph planes(x: u8[20, 30, 3]) -> inplace y { y = transpose(x, [2, 0, 1]) }

# More offsets than such a product has room for.
# M0-LABEL: code many.cycles
# M0: = extent 257
# M0-NEXT: = extent 257
# M0-NEXT: = div
graph many(x: u8[257, 256]) -> inplace y { y = transpose(x, [1, 0]) }
