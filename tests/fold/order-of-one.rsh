# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An axis of at most one element is not reversed: the result is the input itself. An address that counts from its last
# element, (A - 1)*B, is outside of an input without elements.
# RUN: %{reshapec} %s --dump=moves | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} %s -fno-verify -o %t.o --header %t.h && FileCheck %s --check-prefix=HEADER < %t.h

# VERIFY: 6 of 6 graphs verified
# HEADER-COUNT-5: _Y_OFFSET 0
# HEADER: SECOND_ROW_Y_OFFSET(A, B) ((int64_t)(A) * (int64_t)(B))

# CHECK-LABEL: graph one_axis
# CHECK: %1 y: u8[A]
# CHECK-NEXT: from %0 at 0 to 0: {A, dst 1, src 1}
graph one_axis(x: u8[A]) -> y where A <= 1 { y = x[::-1] }

# CHECK-LABEL: graph outer_axis
# CHECK: %1 y: u8[A, B]
# CHECK-NEXT: from %0 at 0 to 0: {A*B, dst 1, src 1}
graph outer_axis(x: u8[A, B]) -> y where A <= 1 { y = flip(x, 0) }

# CHECK-LABEL: graph inner_axis
# CHECK: %1 y: u8[B, A]
# CHECK-NEXT: from %0 at 0 to 0: {B*A, dst 1, src 1}
graph inner_axis(x: u8[B, A]) -> y where A <= 1 { y = x[:, ::-1] }

# CHECK-LABEL: graph both_axes
# CHECK: %1 y: u8[A, B, 3]
# CHECK-NEXT: from %0 at 0 to 0: {3*A*B, dst 1, src 1}
graph both_axes(x: u8[A, B, 3]) -> y where A <= 1, B < 2 { y = flip(x, [0, 1]) }

# With elements, both sizes are 1.
# CHECK-LABEL: graph in_sum
# CHECK: %1 y: u8[A, B]
# CHECK-NEXT: from %0 at 0 to 0: {A*B, dst 1, src 1}
graph in_sum(x: u8[A, B]) -> y where A + B <= 2 { y = x[::-1] }

# CHECK-LABEL: graph second_row
# CHECK: %1: u8[2, A, B]
# CHECK-NEXT: from %0 at 0 to 0: {2*A*B, dst 1, src 1}
graph second_row(x: u8[2, A, B]) -> y where A <= 1 { y = flip(x, 1)[1] }
