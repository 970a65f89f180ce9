# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# x86-64 converts vectors of floats only within the range of words, so other floats are replaced before and after. LLVM
# would convert them one by one, by cvttss2si.
# RUN: %{reshapec} %s --emit=asm -mcpu=x86-64 -o - | FileCheck %s --implicit-check-not=cvttss2si --implicit-check-not=cvttsd2si
# RUN: %{reshapec} %s --emit=asm -mcpu=x86-64-v3 -o - | FileCheck %s --implicit-check-not=cvttss2si --implicit-check-not=cvttsd2si
# RUN: %{reshapec} %s --emit=asm -mcpu=x86-64-v4 -o - | FileCheck %s --implicit-check-not=cvttss2si --implicit-check-not=cvttsd2si
# RUN: %{reshapec} verify %s

# CHECK: cvttps2dq
graph bytes(x: f32[1024]) -> y { y = cast(x, u8) }
graph signed_bytes(x: f32[1024]) -> y { y = cast(x, i8) }
graph halves(x: f16[1024]) -> y { y = cast(x, i8) }
graph words(x: f32[1024]) -> y { y = cast(x, i32) }
graph unsigned_words(x: f32[1024]) -> y { y = cast(x, u32) }
graph doubles(x: f64[1024]) -> y { y = cast(x, i16) }
