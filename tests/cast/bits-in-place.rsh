# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parts of elements permuted in place: whole bytes of elements along cycles, and bits within each element by shifts.
# Bits that move to other elements are refused.
# RUN: split-file %s %t && cd %t
# RUN: %{reshapec} verify good.rsh | FileCheck %s
# RUN: %{reshapec} verify good.rsh -mcpu=native | FileCheck %s
# RUN: %{reshapec} verify --emit=c good.rsh | FileCheck %s
# RUN: %{reshapec} verify --emit=c --freestanding good.rsh | FileCheck %s
# CHECK: 6 of 6 graphs verified
# RUN: not %{reshapec} bad.rsh -o bad.o 2>&1 | FileCheck %s --check-prefix=BAD
# BAD: error: 'y' cannot be computed in place: elements smaller than a byte cannot be exchanged

#--- good.rsh
graph nibbles(x: u8[N]) -> inplace y: u8[N] { y = bitcast(flip(bitcast(x, u4), 1), u8) }
graph bits(x: u16[33]) -> inplace y: u16[33] { y = bitcast(flip(bitcast(x, u1), 1), u16) }
graph bytes(x: u32[N]) -> inplace y: u32[N] { y = bitcast(flip(bitcast(x, u8), 1), u32) }
graph fixed(x: u32[9]) -> inplace y: u32[9] { y = bitcast(flip(bitcast(x, u8), 1), u32) }
graph halves(x: u32[7, 3]) -> inplace y: u32[7, 3] { y = bitcast(flip(bitcast(x, u16), 2), u32) }
graph both(x: u32[A, 4]) -> inplace y: u32[A, 4] { y = bitcast(flip(bitcast(flip(x, 1), u8), 2), u32) }
#--- bad.rsh
graph turned(x: u8[8]) -> inplace y: u8[8] { y = bitcast(transpose(bitcast(x, u1)), u8) }
