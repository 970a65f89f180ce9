# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A shared kernel assumes only the alignment of the elements that it moves: it may begin within an element of the input,
# and another graph may pass it pointers to bytes. A Cortex-M4 faults on an unaligned ldrd.
# RUN: %{reshapec} %s --dump=llvm | FileCheck %s
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 --emit=asm -fno-verify -o - | FileCheck %s --check-prefix=ASM
# RUN: %{reshapec} verify %s

# CHECK: define void @parts(
# CHECK: call void @copy.0(ptr %first, ptr %y)
# CHECK: call void @copy.0(ptr %first{{.*}}, ptr %z)
# CHECK: define internal void @copy.0(ptr noalias readonly align 1 %first, ptr noalias writeonly align 1 %out)
# ASM-NOT: {{ldrd|ldm|strd|stm}}
graph parts(x: u32[4, 16]) -> (y, z) {
    b = bitcast(x, u8) |> reshape([4, 64])
    y = b[:, 1:9]
    z = b[:, 10:18]
}

# CHECK: define void @words(
# CHECK: call void @copy.1(
# CHECK: define internal void @copy.1(ptr noalias readonly align 1 %first, ptr noalias writeonly align 1 %out)
graph words(x: u8[3, 32]) -> y: u32[3, 4] {
    y = x[:, 4:20] |> reshape([3, 4, 4]) |> bitcast(u32)
}

# CHECK: define void @bytes(
# CHECK: call void @copy.1(
graph bytes(x: u8[3, 32]) -> y {
    y = x[:, 5:21]
}
