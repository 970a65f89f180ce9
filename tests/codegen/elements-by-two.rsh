# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Without vectors, loops over elements that are computed take two at a time at -O2, if their number is even; small code
# takes one.
# RUN: %{reshapec} --emit=asm --target=thumbv6m-none-eabi -O2 %s -o - | FileCheck %s
# RUN: %{reshapec} --emit=asm --target=thumbv6m-none-eabi -Os %s -o - | FileCheck %s --check-prefix=SMALL
# RUN: %{reshapec} verify --target=thumbv6m-none-eabi -O2 %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --target=riscv32-none-elf -O2 %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 3 of 3 graphs verified

# CHECK-LABEL: {{^}}even:
# CHECK-COUNT-2: ldrsh
# CHECK: b{{ne|hs|hi|lo|pl}}
# SMALL-LABEL: {{^}}even:
# SMALL: ldr{{s?}}h
# SMALL-NOT: ldr{{s?}}h
# SMALL-LABEL: {{^}}odd:
graph even(x: u16[24, 32]) -> y {
    y = relu(bitcast(x, i16))
}

graph odd(x: u16[23, 31]) -> y {
    y = relu(bitcast(x, i16))
}

graph packed(x: u4[6, 10]) -> y {
    y = cast(x, u16)
}
