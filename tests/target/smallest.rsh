# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# At -Oz a run that does not consist of whole words is copied byte by byte: its last word takes more code than the loop
# over words saves.
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Oz --dump=plan | FileCheck %s --check-prefixes=CHECK,OZ
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os --dump=plan | FileCheck %s --check-prefixes=CHECK,OS

# CHECK-LABEL: graph rest
# OZ: fill 22, align 1, walked{{$}}
# OZ: copy 17, align 1, walked{{$}}
# OS: fill 22, align 1, walked by 4{{$}}
# OS: copy 17, align 1, walked by 4{{$}}
graph rest(x: u8[17]) -> y {
    y = pad(x, [3, 2], 7)
}

# CHECK-LABEL: graph whole
# CHECK: copy 16, align 1, walked by 4{{$}}
graph whole(x: u8[9, 20]) -> y {
    y = x[:, 3:19]
}
