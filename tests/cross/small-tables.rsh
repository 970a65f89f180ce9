# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# At -Os, three unequal moves from one source are a loop over a table. Entries are as narrow as the largest offset, and
# equal distances in the result have no entries.
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os --emit=asm -o - | FileCheck %s --check-prefix=ASM
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os --emit=c -o - | FileCheck %s --check-prefix=C
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -O2 --dump=plan | FileCheck %s --check-prefix=FAST
# RUN: %{reshapec} verify %s -Os --target=thumbv6m-none-eabi | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify %s -Os --target=riscv32-unknown-elf | FileCheck %s --check-prefix=VERIFY

# 15, 0, 75, 35, 35 and 10; the result is at 5*i.
# ASM-LABEL: .Lrows.places:
# ASM-NEXT: .ascii "\017\000K##\n"
# ASM-NEXT: .size .Lrows.places, 6
# C-LABEL: static const uint8_t rows_places[6] = {
# C-NEXT: 15U, 0U, 75U, 35U, 35U, 10U
# FAST-LABEL: graph rows
# FAST-NOT: at {src
# VERIFY: rows
graph rows(x: u8[16, 5]) -> y {
    y = gather(x, [3, 0, 15, 7, 7, 2])
}

# The largest offset is 12,000.
# ASM-LABEL: .Lfar.places:
# ASM-NEXT: .short 12000
# C-LABEL: static const uint16_t far_places[7] = {
# VERIFY: far
graph far(x: f32[512, 8]) -> y {
    y = gather(x, [375, 0, 16, 7, 7, 2, 360])
}

# A row of another input is between them, so the distances differ.
# ASM-LABEL: .Lgaps.places:
# C-LABEL: static const uint8_t gaps_places[6][2] = {
# VERIFY: gaps
graph gaps(x: u8[16, 5], z: u8[1, 5]) -> y {
    y = concat(gather(x, [3, 0, 15]), z, gather(x, [7, 2, 11]), axis=0)
}
