# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Innermost loops become whole vectors of the result if that takes less than half of the instructions.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=znver4 -o %t.o | FileCheck %s --check-prefixes=CHECK,WIDE
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v3 -o %t.o | FileCheck %s --check-prefixes=CHECK,WIDE
# RUN: %{reshapec} %s --dump=plan --target=aarch64-linux-gnu -o %t.o | FileCheck %s --check-prefixes=CHECK,NEON
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64 -o %t.o | FileCheck %s --check-prefixes=CHECK,LEAST
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=znver4 -Os -o %t.o | FileCheck %s --check-prefix=SMALL
# SMALL-NOT: shuffle

# Nothing is read outside the source, nor written outside the result, in any tier.
# RUN: for cpu in native x86-64-v2; do %{reshapec} verify %s -mcpu=$cpu | tail -1; done | FileCheck %s --check-prefix=PROVED
# PROVED-COUNT-2: 6 of 6 graphs verified

# With AVX-512 byte shuffles all of it is a load, a permutation and a store.
# RUN: %{reshapec} %s --emit=asm --target=x86_64-linux-gnu -mcpu=znver4 -o - | FileCheck %s --check-prefix=ASM
# ASM-LABEL: {{^}}square:
# ASM:      vmovdqa64
# ASM-NEXT: vpermb (%rdi), %zmm0, %zmm0
# ASM-NEXT: vmovdqu64 %zmm0, (%rsi)
# ASM-NEXT: vzeroupper
# ASM-NEXT: ret
# CHECK-LABEL: graph square
# WIDE:  shuffle 1, align 1
# NEON:  shuffle 1, align 1
# LEAST: transpose 1, align 1
graph square(x: u8[8, 8]) -> y { y = transpose(x, [1, 0]) }

# Loops around it may have open sizes.
# CHECK-LABEL: graph squares
# WIDE: shuffle 1, align 1
graph squares(x: u8[N, 8, 8]) -> y { y = transpose(x, [0, 2, 1]) }

# Rows of 80 bytes in groups of four, which are five vectors. Skipped rows are not read.
# ASM-LABEL: {{^}}picked:
# ASM-COUNT-5: vmovdqu64 %zmm{{[0-9]+}}, {{[0-9]*}}(%rsi
# ASM-NOT: %rsi
# ASM: ret
# CHECK-LABEL: graph picked
# CHECK:      for 12: dst 80, src 320
# WIDE-NEXT:    for 20: dst 4, src 8
# WIDE-NEXT:      shuffle 4, align 4
graph picked(x: f32[3, 8, 40]) -> y { y = x[:, ::2, ::2] }

# A loop of open extent is split into vectors, except for a remainder shorter than one.
# CHECK-LABEL: graph open
# If the result is large and its rows begin at vectors, it goes past the cache, except for the remainder.
# WIDE:  shuffle 2, align 2, streamed from 4194304 bytes on
# NEON:  shuffle 2, align 2{{$}}
# LEAST: copy 2, align 2
graph open(x: f16[N, M]) -> y { y = x[:, ::-1] }

# For wide elements, moving one by one takes as few instructions.
# CHECK-LABEL: graph wide
# CHECK: copy 16, align 8
graph wide(x: c128[3, 8]) -> y { y = x[:, ::2] }

# LLVM itself repeats one element in vectors.
# CHECK-LABEL: graph repeated
# CHECK: copy 4, align 4
graph repeated(x: f32[5, 1]) -> y { y = expand(x, [5, 1000]) }
