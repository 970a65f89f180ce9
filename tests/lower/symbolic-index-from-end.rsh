# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An index that is a size may be below 0 and then counts from the end, as numbers do. An index before the first element
# is bad_index.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# VERIFY: 5 of 5 graphs verified

# CHECK-LABEL: graph back(
# CHECK-NEXT:  needs A-B-1 >= 0 or bad_index
# CHECK-NEXT:  y alias
# CALL back(A=3, B=0, x=arange(3), s=[]) is array(2)
# CALL back(A=3, B=2, x=arange(3), s=[]) is array(0)
# CALL back(A=3, B=3, x=arange(3), s=[]) is bad_index
# CALL back(A=3, B=4, x=arange(3), s=[]) is bad_index
graph back(x: i32[A], s: u8[B, 0]) -> y { y = x[-1 - B] }

# CHECK-LABEL: graph either(
# CHECK-NEXT:  needs A+B-2 >= 0 or bad_index, edge(B-2, A) < A or bad_index
# CALL either(A=3, B=0, x=arange(3), s=[]) is array(1)
# CALL either(A=3, B=1, x=arange(3), s=[]) is array(2)
# CALL either(A=3, B=2, x=arange(3), s=[]) is array(0)
# CALL either(A=3, B=4, x=arange(3), s=[]) is array(2)
# CALL either(A=3, B=5, x=arange(3), s=[]) is bad_index
# CALL either(A=1, B=0, x=arange(1), s=[]) is bad_index
graph either(x: i32[A], s: u8[B, 0]) -> y { y = x[B - 2] }

# The first element, or one from the end.
# CALL from_zero(A=3, B=0, x=arange(3), s=[]) is array(0)
# CALL from_zero(A=3, B=1, x=arange(3), s=[]) is array(2)
# CALL from_zero(A=3, B=4, x=arange(3), s=[]) is bad_index
# CALL from_zero(A=0, B=0, x=arange(0), s=[]) is bad_index
graph from_zero(x: i32[A], s: u8[B, 0]) -> y { y = x[-B] }

# CHECK-LABEL: graph last(
# CHECK-NEXT:  needs A-1 >= 0 or bad_index
# CALL last(A=2, x=arange(2)) is array(1)
# CALL last(A=0, x=arange(0)) is bad_index
graph last(x: i32[A]) -> y { y = x[A - 1] }

# CALL resolved(A=2, B=1, x=arange(6).reshape(2, 3), n=[1, 6], s=[]) is array(5)
# CALL resolved(A=2, B=6, x=arange(6).reshape(2, 3), n=[1, 6], s=[]) is array(0)
# CALL resolved(A=2, B=7, x=arange(6).reshape(2, 3), n=[1, 6], s=[]) is bad_index
graph resolved(x: i32[A, 3], n: i64[2], s: u8[B, 0]) -> y { y = reshape(x, n)[0, -B] }
