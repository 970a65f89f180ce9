# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The size of an axis that an argument of rearrange gives may be below 0: bad_dim, as for a number, before anything that
# is computed from it.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# VERIFY: 5 of 5 graphs verified

# CHECK-LABEL: graph split(
# CHECK-NEXT:  needs A-B >= 0 or bad_dim, A-B >= 1 or ambiguous_infer
# CALL split(A=3, B=1, x=arange(6), s=zeros((3, 1, 0))) is x.reshape(2, 3).T
# CALL split(A=1, B=1, x=arange(6), s=zeros((1, 1, 0))) is ambiguous_infer
# CALL split(A=1, B=2, x=arange(6), s=zeros((1, 2, 0))) is bad_dim
graph split(x: i32[6], s: u8[A, B, 0]) -> y { y = rearrange(x, "(a b) -> b a", a=A - B) }

# Two sizes below 0 whose product is not.
# CALL both(A=1, B=3, x=arange(4), s=zeros((1, 3, 0))) is bad_dim
# CALL both(A=3, B=1, x=arange(4), s=zeros((3, 1, 0))) is x.reshape(2, 2)
graph both(x: i32[4], s: u8[A, B, 0]) -> y { y = rearrange(x, "(a b) -> a b", a=A - B, b=A - B) }

# CALL repeated(A=1, B=3, x=arange(2), s=zeros((1, 3, 0))) is bad_dim
# CALL repeated(A=1, B=1, x=arange(2), s=zeros((1, 1, 0))) is zeros((0,))
graph repeated(x: i32[2], s: u8[A, B, 0]) -> y { y = rearrange(x, "a -> (n m a)", n=A - B, m=A - B) }

# CALL of_data(A=1, B=3, x=arange(6), n=[-1], s=zeros((1, 3, 0))) is bad_dim
# CALL of_data(A=3, B=1, x=arange(6), n=[-1], s=zeros((3, 1, 0))) is x.reshape(2, 3).T
graph of_data(x: i32[6], n: i64[1], s: u8[A, B, 0]) -> y { y = reshape(x, n) |> rearrange("(a b) -> b a", a=A - B) }

# A part of a sum.
# CALL joined(A=0, B=1, x=arange(3), s=zeros((0, 1, 0))) is bad_dim
# CALL joined(A=2, B=1, x=arange(3), s=zeros((2, 1, 0))) is array([1, 2, 0])
graph joined(x: i32[3], s: u8[A, B, 0]) -> y { y = rearrange(x, "(a + b) -> (b + a)", a=A - B) }
