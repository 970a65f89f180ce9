# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A quotient, rounded down, of a size that is itself a part of another size.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 6 of 6 graphs verified

# CHECK-LABEL: graph half(
# CHECK-SAME: -> y: u8[B//8]
graph half(s: u8[B], x: u8[B/4]) -> y where B % 4 == 0 { y = x[:B/4//2] }

# CHECK-LABEL: graph twice(
# CHECK-SAME: -> y: u8[2*(B//8)]
graph twice(s: u8[B], x: u8[B/4]) -> y where B % 4 == 0 { y = concat(x[:B/4//2], x[:B/4//2], axis=0) }

# CHECK-LABEL: graph sum(
# CHECK-SAME: -> y: u8[(B+4*A)//12]
graph sum(s: u8[B, A], x: u8[B/4 + A]) -> y where B % 4 == 0 { y = x[:(B/4 + A)//3] }

# Every second element.
# CHECK-LABEL: graph steps(
# CHECK: y symbolic
graph steps(s: u8[B], x: u8[B/4]) -> y where B % 4 == 0 { y = x[::2] }

# CHECK-LABEL: graph called(
graph called(x: u8[P]) -> y { y = x[:P//2] }

# CHECK-LABEL: graph calling(
# CHECK-SAME: -> y: u8[B//8]
graph calling(s: u8[B], x: u8[B/4]) -> y where B % 4 == 0 { y = called(x) }
