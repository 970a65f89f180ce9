# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A bound of a slice on an axis of 4*H elements is none of them, or as written: 2*min(1, H). It divides into windows, for
# an axis without elements, too.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CHECK: graph joined(h: u8[H], x: i32[4*H, 6]) -> y: i32[4, H, 6]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 2 parts
# CALL joined(H=3, h=zeros(3), x=arange(72).reshape(12, 6)) is roll(x, -2, 0).reshape(3, 4, 6).transpose(1, 0, 2)
# CALL joined(H=1, h=zeros(1), x=arange(24).reshape(4, 6)) is roll(x, -2, 0).reshape(1, 4, 6).transpose(1, 0, 2)
# CALL joined(H=0, h=zeros(0), x=zeros((0, 6))) is zeros((4, 0, 6))
graph joined(h: u8[H], x: i32[4*H, 6]) -> y {
    y = concat(x[2:], x[:2], axis=0) |> reshape([H, 4, 6]) |> transpose([1, 0, 2])
}

# CHECK: graph rolled(h: u8[H], x: i32[4*H, 6]) -> y: i32[4, H, 6]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 3 parts
# CALL rolled(H=2, h=zeros(2), x=arange(48).reshape(8, 6)) is roll(x, -1, 0).reshape(2, 4, 6).transpose(1, 0, 2)
# CALL rolled(H=0, h=zeros(0), x=zeros((0, 6))) is zeros((4, 0, 6))
graph rolled(h: u8[H], x: i32[4*H, 6]) -> y {
    y = roll(x, [-1], axes=[0]) |> reshape([H, 4, 6]) |> transpose([1, 0, 2])
}

# More than one of the multiples, and a number that has a factor in common with them
# CHECK: graph first(h: u8[H], x: i32[4*H]) -> y: i32[2*min(3, 2*H)]
# CALL first(H=3, h=zeros(3), x=arange(12)) is x[:6]
# CALL first(H=1, h=zeros(1), x=arange(4)) is x
# CALL first(H=0, h=zeros(0), x=zeros(0)) is x
graph first(h: u8[H], x: i32[4*H]) -> y {
    y = x[:6]
}

# CHECK: graph last(h: u8[H], x: i32[4*H]) -> y: i32[3*min(1, H)]
# CALL last(H=2, h=zeros(2), x=arange(8)) is x[5:]
# CALL last(H=0, h=zeros(0), x=zeros(0)) is x
graph last(h: u8[H], x: i32[4*H]) -> y {
    y = x[-3:]
}
