# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Nests that fill each other's gaps become whole vectors of the result if that takes fewer instructions.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=znver4 -o %t.o | FileCheck %s --check-prefixes=CHECK,WIDE
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v3 -o %t.o | FileCheck %s --check-prefixes=CHECK,WIDE
# RUN: %{reshapec} %s --dump=plan --target=aarch64-linux-gnu -o %t.o | FileCheck %s --check-prefix=CHECK
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64 -o %t.o | FileCheck %s --check-prefixes=CHECK,LEAST
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=znver4 -Os -o %t.o | FileCheck %s --check-prefix=SMALL
# SMALL-NOT: zip
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu --multiversion=x86-64-v3 -o %t.o | FileCheck %s --check-prefix=LEVELS
# Nothing is read outside the sources, nor written outside the result, in any tier, and in C.
# RUN: for cpu in native x86-64-v3 x86-64; do %{reshapec} verify %s -mcpu=$cpu | tail -1; done | FileCheck %s --check-prefix=PROVED
# PROVED-COUNT-3: 12 of 12 graphs verified
# RUN: %{reshapec} verify %s --emit=c | FileCheck %s --check-prefix=IN-C
# IN-C: 12 of 12 graphs verified
# RUN: %{reshapec} verify %s --parallel | FileCheck %s --check-prefix=IN-C

# RUN: %{reshapec} %s --emit=asm --target=x86_64-linux-gnu -mcpu=znver4 -o - | FileCheck %s --check-prefix=ASM
# ASM-LABEL: {{^}}stacked:
# ASM-COUNT-2: vpermt2d
# ASM-NOT: ret
# ASM: vmovdqu64 %zmm
# CHECK-LABEL: graph stacked
# CHECK:      from a+0 to 0
# CHECK-NEXT:   for 500: dst 8, src 4
# CHECK-NEXT:     zip 4, align 4
# CHECK-NEXT: from b+0 to 4
# CHECK-NEXT:   for 500: dst 8, src 4
# CHECK-NEXT:     zip 4, align 4
# RUN: echo 'graph stacked(a: f32[500, 1], b: f32[500, 1]) -> y { y = concat(a, b, axis=1) }' | %{reshapec} explain -mcpu=znver4 - | FileCheck %s --check-prefix=EXPLAIN
# EXPLAIN: copy 1 element, zipped with what fills the gaps
graph stacked(a: f32[500, 1], b: f32[500, 1]) -> y { y = concat(a, b, axis=1) }

# A constant needs no loads: half a vector is widened with zeros.
# ASM-LABEL: {{^}}between:
# ASM: vpmovzxbw ({{.*}}), %zmm
# CHECK-LABEL: graph between
# CHECK: zip 1, align 1
# CHECK: zip fill 1, align 1
graph between(x: u8[3, 1, 70, 1]) -> y { y = pad(x, [0, 0, 0, 0, 0, 1, 0, 1]) |> reshape([6, 140]) }

# Runs of several elements, and constants of several. SSE2 splits runs of three into planes, in rounds.
# LEVELS-LABEL: graph rgba
# LEVELS: zip 3, align 1{{$}}
# LEVELS: zip fill 1, align 1{{$}}
# CHECK-LABEL: graph rgba
# CHECK: zip 3, align 1
# CHECK: zip fill 1, align 1
graph rgba(x: u8[300, 3]) -> y { y = pad(x, [0, 0, 0, 1], 255) }

# LEVELS-LABEL: graph every_eighth
# LEVELS: copy 2, align 2; zip at x86-64-v3
# LEVELS: fill 14, align 2; zip fill at x86-64-v3
# CHECK-LABEL: graph every_eighth
# WIDE:  zip 2, align 2
# WIDE:  zip fill 14, align 2
# LEAST: copy 2, align 2
graph every_eighth(x: f16[33, 1]) -> y { y = pad(x, [0, 0, 0, 7]) }

# The loops of one nest are split to match the other's.
# CHECK-LABEL: graph fitted
# CHECK:      for 40: dst 256, src 512
# CHECK-NEXT:   for 32: dst 8, src 8
# WIDE-NEXT:      zip 4, align 4
# CHECK:      for 1280: dst 8
graph fitted(x: f32[40, 128]) -> y {
    y = x[:, :64] |> reshape([40, 32, 2]) |> slice([0], [1], [2]) |> pad([0, 0, 0, 0, 0, 1])
}

# With open sizes, rows may be shorter than a vector.
# CHECK-LABEL: graph open
# CHECK: for {{.*}}N: dst 2, src 1
# CHECK: zip 1, align 1
graph open(a: u8[N, 1], b: u8[N, 1]) -> y { y = concat(a, b, axis=1) }
# CHECK-LABEL: graph open_rows
# WIDE: zip 4, align 4, streamed from 4194304 bytes on
# CHECK: zip 4, align 4
graph open_rows(a: i32[M, N, 1], b: i32[M, N, 1], c: i32[M, N, 1]) -> y { y = concat(a, b, c, axis=2) }

# Too short for a vector; a gap that no such nest fills.
# CHECK-LABEL: graph short
# CHECK-NOT: zip
graph short(a: u8[7, 1], b: u8[7, 1]) -> y { y = concat(a, b, axis=1) }
# CHECK-LABEL: graph computed
# CHECK-NOT: zip
graph computed(a: f32[70, 1], b: f32[70, 1]) -> y { y = concat(relu(a), b, axis=1) }
# Looked-up elements are not contiguous.
# CHECK-LABEL: graph looked_up
# CHECK-NOT: zip
graph looked_up(a: u8[A], b: u8[32]) -> y where A >= 20 {
    y = stack([tile(a, [2]) |> slice([2], [34]), b], axis=1)
}

# The constant may come first, rows may be of any length, and elements may have two bytes.
# CHECK-LABEL: graph argb
# LEAST: zip 3, align 1, streamed from 4194304 bytes on
# CHECK-LABEL: graph rgba_of_two
# CHECK: zip 6, align 2
graph argb(x: u8[N, M, 3]) -> y { y = pad(x, [0, 0, 1, 0, 0, 0], 255) }

graph rgba_of_two(x: u16[50, 3], a: u16[50, 1]) -> y { y = concat(x, a, axis=1) }
