# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --dump=plan shows what is emitted for the given target, not for another one.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu | FileCheck %s --check-prefixes=CHECK,X86
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu --multiversion=x86-64-v2,v3 | FileCheck %s --check-prefixes=CHECK,LEVELS
# RUN: %{reshapec} %s --dump=plan --target=aarch64-linux-gnu | FileCheck %s --check-prefixes=CHECK,ARM
# RUN: %{reshapec} %s --dump=plan --target=thumbv7em-none-eabi -Os | FileCheck %s --check-prefixes=CHECK,THUMB

# Three planes need shuffles of any pattern, which x86-64 has from its second level on; before it, bytes are merged in
# rounds, and so are elements of two bytes if they become planes. Pixels of them are made as fast one by one.
# CHECK-LABEL: graph pixels
# X86:    copy 2, align 2{{$}}
# LEVELS: copy 2, align 2; weave at x86-64-v2{{$}}
# ARM:    copy 2, align 2{{$}}
# THUMB:  copy 2, align 2, walked{{$}}
graph pixels(x: f16[3, 28, 28]) -> y { y = transpose(x, [1, 2, 0]) }
# CHECK-LABEL: graph planes
# X86:    weave 2, align 2{{$}}
# LEVELS: weave 2, align 2{{$}}
# ARM:    copy 2, align 2{{$}}
# THUMB:  copy 2, align 2, walked{{$}}
graph planes(x: f16[28, 28, 3]) -> y { y = transpose(x, [2, 0, 1]) }
# CHECK-LABEL: graph planes_of_bytes
# X86:    weave 1, align 1{{$}}
# LEVELS: weave 1, align 1{{$}}
# ARM:    copy 1, align 1{{$}}
# THUMB:  copy 1, align 1, walked{{$}}
graph planes_of_bytes(x: u8[28, 28, 3]) -> y { y = transpose(x, [2, 0, 1]) }

# Without vectors there are no tiles: two pointers walk through the matrix.
# CHECK-LABEL: graph matrix
# X86:   transpose 4 in prefetched blocks of 512 by 64, in strips, align 4, streamed
# ARM:   transpose 4 in prefetched blocks of 512 by 64, in strips, align 4{{$}}
# THUMB: copy 4, align 4, walked
graph matrix(x: f32[2, 512, 16, 1024]) -> y { y = transpose(x, [0, 1, 3, 2]) }

# Results large enough for stores past the cache have a plan of their own if the target has such stores.
# CHECK-LABEL: graph rows
# X86:       in whole lines
# ARM-NOT:   in whole lines
# THUMB-NOT: in whole lines
graph rows(x: f32[B, S, 16]) -> y { y = transpose(x, [1, 0, 2]) }

# Functions are applied to the vectors that planes are split into.
# CHECK-LABEL: graph activated
# X86:   weave 4, relu, align 4{{$}}
# ARM:   element relu, align 4{{$}}
# THUMB: element relu, align 4, walked
graph activated(x: f32[8, 3]) -> y { y = relu(transpose(x)) }

# If elements are transposed, functions are applied to the vectors: the matrix has its own loops. A call of libm is not.
# CHECK-LABEL: graph tiled
# X86:        for 512: dst 2048, src 4
# X86-NEXT:     for 512: dst 4, src 2048
# X86-NEXT:       transpose 4 in blocks of 128 by 128, relu, align 4, streamed
# ARM:        transpose 4 in blocks of 128 by 128, relu, align 4{{$}}
# THUMB:      element relu, align 4, walked{{$}}
graph tiled(x: f32[512, 512]) -> y { y = relu(transpose(x)) }

# CHECK-LABEL: graph called
# CHECK: element sigmoid, align 4
graph called(x: f32[512, 512]) -> y { y = sigmoid(transpose(x)) }

# Small code fills a border first, and overwrites the rest.
# CHECK-LABEL: graph border
# X86:        00 to 0
# X86:        00 to 10
# THUMB:      00 to 0
# THUMB-NEXT:   fill 100, align 1
# THUMB-NOT:  00 to
graph border(x: u8[8, 8]) -> y { y = pad(x, [1, 1, 1, 1]) }

# Packed elements are copied in whole bytes, or in vectors.
# CHECK-LABEL: graph packed
# X86:    element cast i4 to i8, align 1, 16 at once{{$}}
# LEVELS: element cast i4 to i8, align 1, 16 at once; 32 at once at x86-64-v3{{$}}
# ARM:    element cast i4 to i8, align 1, 16 at once{{$}}
# THUMB: element cast i4 to i8, align 1, walked, 2 of a byte at once{{$}}
graph packed(x: i4[2048]) -> y { y = cast(x, i8) }

# If the caller passes one buffer for both, pieces are swapped within it.
# CHECK-LABEL: graph swapped
# CHECK: in place of x: 28 swaps, piece 4; in other memory
# THUMB-SAME: after a copy:
graph swapped(x: f32[8, 8]) -> inplace y { y = transpose(x) }
