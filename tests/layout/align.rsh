# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `align` promises more than the alignment of an element: the header requires it, and if memory on both sides keeps it
# at every step, words move. `align` is an ordinary name everywhere else.
# RUN: %{reshapec} %s --dump=plan | FileCheck %s --check-prefix=PLAN
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -o %t.o --header - | FileCheck %s --check-prefix=HEADER
# RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=CODE
# RUN: %{reshapec} %s --emit=rsh -o - | FileCheck %s --check-prefix=TEXT
# RUN: %{reshapec} %s --emit=rsh -o - | %{reshapec} - --emit=rsh -o - | FileCheck %s --check-prefix=TEXT

# PLAN-LABEL: graph rows
# PLAN: copy 64, align 4
# HEADER: x: input, 2560 bytes, aligned to 4 bytes
# HEADER: y: output, 1280 bytes, aligned to 16 bytes
# CODE-LABEL: <rows>:
# CODE-NOT: ldrb
# CODE: ldr
# TEXT: graph rows(x: u8[40, 64] align 4) -> y: u8[20, 64] align 16 {
graph rows(x: u8[40, 64] align 4) -> y: u8[20, 64] align 16 { y = x[::2, :] }

# Rows of 62 bytes start at even addresses only; alignment of only one side gains nothing.
# PLAN-LABEL: graph even
# PLAN: copy 62, align 2
graph even(x: u8[40, 62] align 4) -> y: u8[20, 62] align 4 { y = x[::2, :] }
# PLAN-LABEL: graph one
# PLAN: copy 64, align 1
graph one(x: u8[40, 64] align 4) -> y { y = x[::2, :] }

# PLAN-LABEL: graph heads
# PLAN: copy 128, align 8
# HEADER: x: input, 1536*B*S bytes, aligned to 8 bytes
graph heads(x: f16[B, S, 768] align 8) -> y: f16[B, 12, S, 64] align 8 {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}

# PLAN-LABEL: graph named
graph named(align: u8[4]) -> y { y = flip(align, [0]) }
