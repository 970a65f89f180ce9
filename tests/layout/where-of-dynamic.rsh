# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# In a dynamic graph too, the size that a layout divides is checked before the conditions after `where`, also if these
# imply that it is a multiple.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# VERIFY: 3 of 3 graphs verified

# CHECK-LABEL: graph product(
# CHECK-NEXT:  needs A*B % 2 == 0 or not_divisible, A % 2 == 0
# CALL product(A=3, B=1, x=zeros(3), t=[3], s=zeros((3, 1, 0))) is not_divisible
# CALL product(A=3, B=2, x=zeros(6), t=[6], s=zeros((3, 2, 0))) is guard_failed
# CALL product(A=2, B=3, x=arange(6), t=[6], s=zeros((2, 3, 0))) is array([0, 3, 1, 4, 2, 5])
graph product(s: u8[A, B, 0], x: i32[A*B] layout "(a 2) -> 2 a", t: i64[1]) -> y where A % 2 == 0 {
    y = reshape(x, t)
}

# CHECK-LABEL: graph divided(
# CHECK-NEXT:  needs A % 2 == 0 or not_divisible, A % 4 == 0
# CALL divided(A=3, x=zeros(3), t=[3]) is not_divisible
# CALL divided(A=2, x=zeros(2), t=[2]) is guard_failed
# CALL divided(A=4, x=arange(4), t=[4]) is array([0, 2, 1, 3])
graph divided(x: i32[A] layout "(a 2) -> 2 a", t: i64[1]) -> y where A % 4 == 0 { y = reshape(x, t) }

# CHECK-LABEL: graph of_sizes(
# CHECK-NEXT:  needs A*B % 2 == 0 or not_divisible, A % 2 == 0
# CALL of_sizes(A=1, B=3, x=zeros(3), s=zeros((1, 3, 0))) is not_divisible
# CALL of_sizes(A=2, B=2, x=arange(4), s=zeros((2, 2, 0))) is array([2, 1])
graph of_sizes(s: u8[A, B, 0], x: i32[A*B] layout "(a 2) -> 2 a") -> y where A % 2 == 0 {
    y = center_crop_pad(x, [B])
}
