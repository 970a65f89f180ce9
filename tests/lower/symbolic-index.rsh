# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An index that is a size: the call checks that the axis has that entry, and returns bad_index, as for numbers.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s
# RUN: echo 'graph numbers(x: u8[7]) -> y { y = x[9] }' > %t.rsh
# RUN: not %{reshapec} check --json %t.rsh | FileCheck %s --check-prefix=NUMBERS
# NUMBERS: "bad_index"

# CHECK-LABEL: graph known_axis(
# CHECK-NEXT: needs  B < 7 or bad_index
graph known_axis(x: u8[7], s: u8[B]) -> y { y = x[B] }

# CHECK-LABEL: graph open_axis(
# CHECK-NEXT: needs  B < A or bad_index
graph open_axis(x: u8[A, 3], s: u8[B]) -> y { y = x[B, 1] }

# Half of 0 is 0, which is out of bounds for an axis of size 0.
# CHECK-LABEL: graph middle(
# CHECK-NEXT: needs  A//2 < A or bad_index
graph middle(x: u8[A, 3]) -> y { y = x[A//2] }
