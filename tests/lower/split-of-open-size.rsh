# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A split in `parts` of an axis of open size: all parts but the last have the size divided by their number, rounded up,
# which the function computes at entry. More than two parts need an axis long enough: 1 element in 3 parts would be 1,
# 1 and -1.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CHECK: graph halves(x: i32[S, 2]) -> (a: i32[(S+1)//2, 2], b: i32[S-(S+1)//2, 2])
# CHECK-NEXT: a  alias
# CALL halves(S=5, x=arange(10).reshape(5, 2)) is (x[:3], x[3:])
# CALL halves(S=4, x=arange(8).reshape(4, 2)) is (x[:2], x[2:])
# CALL halves(S=1, x=arange(2).reshape(1, 2)) is (x, x[1:])
# CALL halves(S=0, x=zeros((0, 2))) is (x, x)
graph halves(x: i32[S, 2]) -> (a, b) { a, b = split(x, parts=2) }

# CHECK: graph thirds(x: i32[2, S]) -> (a: i32[2, (S+2)//3], b: i32[2, (S+2)//3], c: i32[2, S-2*((S+2)//3)])
# CHECK-NEXT: needs  S >= 2*((S+2)//3) or bad_parts
# CHECK-NEXT: a  symbolic
# CALL thirds(S=7, x=arange(14).reshape(2, 7)) is (x[:, :3], x[:, 3:6], x[:, 6:])
# CALL thirds(S=4, x=arange(8).reshape(2, 4)) is (x[:, :2], x[:, 2:], x[:, 4:])
# CALL thirds(S=3, x=arange(6).reshape(2, 3)) is (x[:, :1], x[:, 1:2], x[:, 2:])
# CALL thirds(S=1, x=arange(2).reshape(2, 1)) is bad_parts
# CALL thirds(S=0, x=zeros((2, 0))) is (x, x, x)
graph thirds(x: i32[2, S]) -> (a, b, c) { a, b, c = split(x, axis=1, parts=3) }

# The parts make up the whole.
# CHECK: graph swapped(x: i32[S, 2]) -> y: i32[S, 2]
# CHECK-NEXT: y  symbolic
# CALL swapped(S=5, x=arange(10).reshape(5, 2)) is concatenate((x[3:], x[:3]))
# CALL swapped(S=1, x=arange(2).reshape(1, 2)) is x
graph swapped(x: i32[S, 2]) -> y {
    a, b = split(x, parts=2)
    y = concat(b, a, axis=0)
}
