# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clang compiles freestanding C for Arm to code that calls no library, at every level. It would turn a __builtin_memcpy
# of 20 bytes at any address into a call.
# RUN: mkdir -p %t && cd %t && %{reshapec} %s --target=thumbv7em-none-eabi -Os --emit=c -o out.c --header out.h
# RUN: cd %t && for level in s z 1 2 3; do clang-19 --target=thumbv7em-none-eabi -mcpu=cortex-m4 -ffreestanding -O$level -c out.c -o out.o && llvm-nm -u out.o | count 0 || exit 1; done
graph run(x: u8[3, 21]) -> y: u8[3, 20] {
    y = x[:, :20]
}

graph words(x: u8[3, 64] align 4) -> y: u8[3, 60] align 4 {
    y = x[:, :60]
}

graph long(x: u8[3, 301], z: u8[3, 300] align 4) -> (y: u8[3, 300], w: u8[2, 300] align 4) {
    y = x[:, :300]
    w = z[::2]
}
