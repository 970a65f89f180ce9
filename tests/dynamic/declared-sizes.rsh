# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Declared sizes of a result are compared at run time, also if the graph has quotients: a size that a node computes
# cannot be checked on entry.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s

# CALL target(A=2, B=3, x=zeros((2, 3, 2)), s=[6, 2], b=zeros(3)) is x.reshape(6, 2)
# CALL target(A=2, B=3, x=zeros((2, 3, 2)), s=[4, 3], b=zeros(3)) is shape_mismatch
graph target(b: u8[B], x: i32[A, A*B//2, 2], s: i64[2]) -> y: i32[6, 2] {
    t = reshape(x, s)
    y = t[:, :3]
}

# CALL repeats(A=2, B=3, x=zeros((2, 3, 2)), s=[3, 1, 1], b=zeros(3)) is zeros((6, 3, 2))
# CALL repeats(A=2, B=3, x=zeros((2, 3, 2)), s=[2, 1, 1], b=zeros(3)) is shape_mismatch
graph repeats(b: u8[B], x: i32[A, A*B//2, 2], s: i64[3]) -> y: i32[6, 3, 2] {
    t = tile(x, s)
    y = t[:, ::-1, :2]
}
