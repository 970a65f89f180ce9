# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Registers transpose, and weave, elements of the narrower side: a cast to a narrower type is applied to the vectors that
# are loaded, one to a wider type to those that are stored.
# RUN: %{reshapec} %s --dump=plan -mcpu=x86-64-v3 | FileCheck %s
# RUN: %{reshapec} verify %s -mcpu=x86-64
# RUN: %{reshapec} verify %s -mcpu=x86-64-v3
# RUN: %{reshapec} verify %s -mcpu=native

# CHECK: graph narrower
# CHECK: for 100: dst 120, src 4
# CHECK-NEXT: for 60: dst 2, src 400
# CHECK-NEXT: transpose 2, cast f32 to f16, align 2
graph narrower(x: f32[60, 100]) -> y { y = cast(transpose(x), f16) }

# CHECK: graph wider
# CHECK: transpose 1, cast u8 to f32, align 4
graph wider(x: u8[60, 100]) -> y { y = cast(transpose(x), f32) }

# A chain of functions as a whole: it takes f32 and makes u8.
# CHECK: graph computed
# CHECK: transpose 1, mul, cast f32 to u8, align 1
graph computed(x: f32[60, 100]) -> y { y = cast(transpose(x)*2.0, u8) }

# CHECK: graph planes
# CHECK: for 1000: dst 2, src 4
# CHECK-NEXT: for 2: dst 1, src 4000
# CHECK-NEXT: weave 1, cast f32 to u8, align 1
graph planes(x: f32[2, 1000]) -> y { y = cast(transpose(x), u8) }

# Where a conversion is many instructions, a tile would be too much code.
# CHECK: graph large
# CHECK: element cast f64 to f8e4m3fn, align 1
graph large(x: f64[60, 100]) -> y { y = cast(transpose(x), f8e4m3fn) }

# Sizes may be open: whether a tile fits is tested.
# CHECK: graph any
# CHECK: transpose 2 in blocks of 512 by 128, cast f32 to f16, align 2
graph any(x: f32[A, B]) -> y { y = cast(transpose(x), f16) }
