# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# C code for another machine is compiled by the compiler of --cc, and runs under the emulator of that machine.
# RUN: %{reshapec} verify %s --emit=c --target=thumbv7em-none-eabi --cc='arm-none-eabi-gcc -mcpu=cortex-m4' -Os | FileCheck %s
# RUN: %{reshapec} verify %s --emit=c --target=s390x-linux-gnu --cc='clang-19 --target=s390x-linux-gnu -ffreestanding' --parallel=hook | FileCheck %s
# CHECK: open sampled{{( in 2 ways)?}} for {{[0-9]+}} choices of sizes
# CHECK: whole sampled{{( in 2 ways)?}}:
# CHECK: C code of {{[0-9]+}} bytes for {{thumbv7em|s390x}}-unknown-{{none-eabi|linux-gnu}}, run by qemu-{{arm|s390x}}, compiled by {{arm-none-eabi-gcc|clang-19}}
# CHECK: 2 of 2 graphs verified

# It may call the libraries of that compiler, here for a division of 64 bits.
# RUN: echo 'graph divided(x: u8[A], y: u8[B]) -> z where A % B == 0, B >= 1 { z = reshape(x, [A//B, B]) }' > %t.rsh
# RUN: %{reshapec} %t.rsh --emit=c --target=thumbv7em-none-eabi -fno-verify -o %t.c --header %t.h && arm-none-eabi-gcc -mcpu=cortex-m4 -I%T -c %t.c -o %t.o && llvm-nm-19 %t.o | grep -q 'U __aeabi_ldivmod'
# RUN: %{reshapec} verify %t.rsh --emit=c --target=thumbv7em-none-eabi --cc='arm-none-eabi-gcc -mcpu=cortex-m4' | FileCheck %s --check-prefix=LIBGCC
# LIBGCC: 1 of 1 graphs verified

# RUN: not %{reshapec} verify %s --emit=c --target=thumbv7em-none-eabi 2>&1 | FileCheck %s --check-prefix=NONE
# NONE: error: C code for 'thumbv7em-none-eabi' needs a C compiler for it: name one, as in --cc='arm-none-eabi-gcc -mcpu=cortex-m4'
# RUN: not %{reshapec} verify %s --emit=c --target=thumbv7em-none-eabi --cc=no-such-cc 2>&1 | FileCheck %s --check-prefix=MISSING
# MISSING: error: the C compiler 'no-such-cc' is missing: name another with --cc=
# A compiler for another machine than that of --target.
# RUN: not %{reshapec} verify %s --emit=c --target=thumbv7em-none-eabi --cc=gcc 2>&1 | FileCheck %s --check-prefix=OTHER
# OTHER: error: cannot build the program that runs the code for 'thumbv7em-unknown-none-eabi': {{.*}}incompatible

graph open(x: u16[A, 33]) -> y {
    y = transpose(x)
}

graph whole(x: f32[64, 48, 3]) -> (y, z) {
    y = transpose(x, [2, 0, 1])
    z = flip(x, 1)
}
