# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --dump=plan shows what is emitted for the target, not what another one would get.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu | FileCheck %s --check-prefixes=CHECK,X86
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu --multiversion=x86-64-v2,v3 | FileCheck %s --check-prefixes=CHECK,LEVELS
# RUN: %{reshapec} %s --dump=plan --target=aarch64-linux-gnu | FileCheck %s --check-prefixes=CHECK,ARM
# RUN: %{reshapec} %s --dump=plan --target=thumbv7em-none-eabi -Os | FileCheck %s --check-prefixes=CHECK,THUMB

# Three planes of bytes take shuffles of any pattern, which x86-64 has from its second level on.
# CHECK-LABEL: graph planes
# X86:    copy 1, align 1{{$}}
# LEVELS: copy 1, align 1; weave at x86-64-v2{{$}}
# ARM:    copy 1, align 1{{$}}
# THUMB:  copy 1, align 1, walked{{$}}
graph planes(x: u8[28, 28, 3]) -> y { y = transpose(x, [2, 0, 1]) }

# Without vectors there are no tiles: two pointers walk through the matrix.
# CHECK-LABEL: graph matrix
# X86:   transpose 4 in prefetched blocks of 512 by 64, near, in strips, align 4, streamed
# ARM:   transpose 4 in prefetched blocks of 512 by 64, near, in strips, align 4{{$}}
# THUMB: copy 4, align 4, walked
graph matrix(x: f32[2, 512, 16, 1024]) -> y { y = transpose(x, [0, 1, 3, 2]) }

# What is large enough for stores past the cache is a plan of its own where the target has these.
# CHECK-LABEL: graph rows
# X86:       in whole lines
# ARM-NOT:   in whole lines
# THUMB-NOT: in whole lines
graph rows(x: f32[B, S, 16]) -> y { y = transpose(x, [1, 0, 2]) }

# CHECK-LABEL: graph activated
# X86:   element relu, align 4{{$}}
# ARM:   element relu, align 4{{$}}
# THUMB: element relu, align 4, walked
graph activated(x: f32[8, 3]) -> y { y = relu(transpose(x)) }
