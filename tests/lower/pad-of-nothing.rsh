# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An axis of size 0 may be padded with its own elements if the amount, which is a size, is 0.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# VERIFY: 5 of 5 graphs verified

# CHECK-LABEL: graph extended(
# CHECK-NEXT:  needs P == 0 or bad_dim
# CALL extended(P=0, x=zeros((0, 0))) is zeros((0, 0))
# CALL extended(P=1, x=zeros((1, 0))) is bad_dim
graph extended(x: i32[P, 0]) -> y { y = pad(x, [P, 0], mode="edge", axes=[1]) }

# The first axis needs P >= 1, so that the amount is 0 or crops.
# CHECK-LABEL: graph cropped(
# CHECK-NEXT:  needs P >= 1 or bad_dim
# CALL cropped(P=0, x=zeros((0, 0))) is bad_dim
# CALL cropped(P=1, x=zeros((1, 0))) is zeros((2, 0))
# CALL cropped(P=2, x=zeros((2, 0))) is bad_dim
graph cropped(x: i32[P, 0]) -> y { y = pad(x, [1, 2 - 2*P, 0, 0], mode="wrap", axes=[0, 1]) }

# CALL both(P=0, B=1, x=zeros((0, 0)), s=zeros((1, 0))) is bad_dim
# CALL both(P=0, B=0, x=zeros((0, 0)), s=zeros((0, 0))) is zeros((0, 0))
graph both(x: i32[P, 0], s: u8[B, 0]) -> y { y = pad(x, [0, P, 0, B], mode="reflect") }

# Amounts that crop what the others add: those that add need elements, even if another axis leaves nothing to write.
# CHECK-LABEL: graph cropped_last(
# CHECK-NEXT:  needs B+A-1 >= 0 or bad_dim, B*A >= A or bad_dim
# CHECK-NEXT:  y alias
# CALL cropped_last(B=0, A=1, x=zeros((1, 0)), s=zeros((1,))) is bad_dim
# CALL cropped_last(B=1, A=0, x=zeros((1, 1)), s=zeros((0,))) is zeros((0, 0))
# CALL cropped_last(B=1, A=3, x=zeros((1, 1)), s=zeros((3,))) is zeros((0, 3))
graph cropped_last(x: i32[1, B], s: u8[A]) -> y { y = pad(x, [1, A, -2, -1], mode="wrap", crop_last=true) }

# If nothing tells whether an amount adds, the call decides.
# CHECK-LABEL: graph either(
# CHECK-NEXT:  y dynamic
# CALL either(B=0, A=3, x=zeros((1, 0)), s=zeros((3,))) is bad_dim
# CALL either(B=0, A=2, x=zeros((1, 0)), s=zeros((2,))) is zeros((0, 0))
# CALL either(B=2, A=1, x=zeros((1, 2)), s=zeros((1,))) is zeros((0, 1))
graph either(x: i32[1, B], s: u8[A]) -> y { y = pad(x, [1, A - 2, -2, 0], mode="wrap", crop_last=true) }
