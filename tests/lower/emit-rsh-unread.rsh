# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --emit=rsh writes an element of a tensor in a list where it is read, without the slice that picks it. Operators that
# nothing reads are left out, unless they have conditions on sizes.
# RUN: %{reshapec} %s --emit=rsh -o %t.rsh && FileCheck %s --match-full-lines < %t.rsh
# RUN: %{reshapec} %t.rsh --emit=rsh -o - | diff %t.rsh -
graph targets(x: u8[A], t: i64[2], s: i64[3]) -> y {
    _z = flip(t, 0)
    _, _ = split(x, 0, sizes=[1, A - 1])
    y = reshape(x, t[1:]) |> reshape([s[1], t[0]]) |> flip(s[:2])
}
#      CHECK:graph targets(x: u8[A], t: i64[2], s: i64[3]) -> y {
# CHECK-NEXT:    _, _ = split(x, axis=0, sizes=[1, A - 1])
# CHECK-NEXT:    v7 = reshape(x, shape=[t[1]])
# CHECK-NEXT:    v12 = reshape(v7, shape=[s[1], t[0]])
# CHECK-NEXT:    y = flip(v12, axes=[s[0], s[1]])
# CHECK-NEXT:}
