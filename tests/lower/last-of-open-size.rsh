# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `x[-S:]` are the last S elements, but all of them if S is 0, since -0 does not count from the end.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CHECK: graph last(x: i32[S, 2], past: i32[P, 2]) -> y: i32[either(S, S+P), 2]
# CHECK-NEXT: y  symbolic
# CALL last(S=1, P=2, x=[[5, 6]], past=[[1, 2], [3, 4]]) is x
# CALL last(S=1, P=0, x=[[5, 6]], past=zeros((0, 2))) is x
# CALL last(S=0, P=2, x=zeros((0, 2)), past=[[1, 2], [3, 4]]) is past
# CALL last(S=0, P=0, x=zeros((0, 2)), past=zeros((0, 2))) is past
graph last(x: i32[S, 2], past: i32[P, 2]) -> y { y = concat(past, x, axis=0)[-S:] }

# The others: none if S is 0.
# CHECK: graph others(x: i32[S, 2], past: i32[P, 2]) -> y: i32[S+P-either(S, S+P), 2]
# CHECK-NEXT: y  alias
# CALL others(S=1, P=2, x=[[5, 6]], past=[[1, 2], [3, 4]]) is past
# CALL others(S=0, P=2, x=zeros((0, 2)), past=[[1, 2], [3, 4]]) is past[:0]
graph others(x: i32[S, 2], past: i32[P, 2]) -> y { y = concat(past, x, axis=0)[:-S] }

# If there may be fewer than S, the bound is an edge of its own.
# CHECK: graph of_another(x: i32[S], t: i32[T]) -> (y: i32[T-edge(-S, T)], z: i32[S])
# CALL of_another(S=2, T=3, x=[1, 2], t=[3, 4, 5]) is (t[1:], x)
# CALL of_another(S=4, T=3, x=[1, 2, 3, 4], t=[3, 4, 5]) is (t, x)
# CALL of_another(S=0, T=3, x=[], t=[3, 4, 5]) is (t, x)
graph of_another(x: i32[S], t: i32[T]) -> (y, z) {
    y = t[-S:]
    z = x
}
