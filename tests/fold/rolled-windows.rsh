# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shifted windows, as Swin has them: an image is rolled by half a window and taken apart, put together and rolled back.
# Rows and columns of the windows at which the image continues have loops of their own.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CHECK: graph forward(h: u8[H], x: i32[4*H, 6]) -> y: i32[4, H, 6]
# CHECK-NEXT: needs  H >= 1
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 2 parts
# CALL forward(H=3, h=zeros(3), x=arange(72).reshape(12, 6)) is roll(x, 2, 0).reshape(3, 4, 6).transpose(1, 0, 2)
# CALL forward(H=1, h=zeros(1), x=arange(24).reshape(4, 6)) is roll(x, 2, 0).reshape(1, 4, 6).transpose(1, 0, 2)
graph forward(h: u8[H], x: i32[4*H, 6]) -> y where H >= 1 {
    y = roll(x, [2], axes=[0]) |> reshape([H, 4, 6]) |> transpose([1, 0, 2])
}

# By more than half a window
# CHECK: graph by_three(h: u8[H], x: i32[4*H, 6]) -> y: i32[4, H, 6]
# CHECK: moves {{.*}} from x, in 3 parts
# CALL by_three(H=2, h=zeros(2), x=arange(48).reshape(8, 6)) is roll(x, 3, 0).reshape(2, 4, 6).transpose(1, 0, 2)
# CALL by_three(H=1, h=zeros(1), x=arange(24).reshape(4, 6)) is roll(x, 3, 0).reshape(1, 4, 6).transpose(1, 0, 2)
graph by_three(h: u8[H], x: i32[4*H, 6]) -> y where H >= 1 {
    y = roll(x, [3], axes=[0]) |> reshape([H, 4, 6]) |> transpose([1, 0, 2])
}

# CHECK: graph windows(h: u8[H], w: u8[W], x: i32[B, 4*H, 4*W, C]) -> y: i32[B, H, W, 4, 4, C]
# CHECK-NEXT: needs  H >= 1, W >= 1
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 4 parts
# CALL windows(B=2, H=3, W=2, C=5, h=zeros(3), w=zeros(2), x=arange(960).reshape(2, 12, 8, 5)) is roll(x, (-2, -2), (1, 2)).reshape(2, 3, 4, 2, 4, 5).transpose(0, 1, 3, 2, 4, 5)
# CALL windows(B=1, H=1, W=1, C=1, h=zeros(1), w=zeros(1), x=arange(16).reshape(1, 4, 4, 1)) is roll(x, (-2, -2), (1, 2)).reshape(1, 1, 4, 1, 4, 1).transpose(0, 1, 3, 2, 4, 5)
# CALL windows(B=0, H=1, W=2, C=1, h=zeros(1), w=zeros(2), x=zeros((0, 4, 8, 1))) is zeros((0, 1, 2, 4, 4, 1))
graph windows(h: u8[H], w: u8[W], x: i32[B, 4*H, 4*W, C]) -> y where H >= 1, W >= 1 {
    y = roll(x, [-2, -2], axes=[1, 2]) |> reshape([B, H, 4, W, 4, C]) |> transpose([0, 1, 3, 2, 4, 5])
}

# CHECK: graph image(x: i32[B, H, W, 4, 4, C]) -> y: i32[B, 4*H, 4*W, C]
# CHECK-NEXT: needs  H >= 1, W >= 1
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 4 parts
# CALL image(B=2, H=3, W=2, C=5, x=arange(960).reshape(2, 3, 2, 4, 4, 5)) is roll(x.transpose(0, 1, 3, 2, 4, 5).reshape(2, 12, 8, 5), (2, 2), (1, 2))
# CALL image(B=1, H=1, W=1, C=3, x=arange(48).reshape(1, 1, 1, 4, 4, 3)) is roll(x.transpose(0, 1, 3, 2, 4, 5).reshape(1, 4, 4, 3), (2, 2), (1, 2))
# CALL image(B=1, H=2, W=1, C=0, x=zeros((1, 2, 1, 4, 4, 0))) is zeros((1, 8, 4, 0))
graph image(x: i32[B, H, W, 4, 4, C]) -> y where H >= 1, W >= 1 {
    y = transpose(x, [0, 1, 3, 2, 4, 5]) |> reshape([B, 4*H, 4*W, C]) |> roll([2, 2], axes=[1, 2])
}

# The last row and the one before it, of windows
# CHECK: graph last(x: i32[H, W, 3, 2]) -> y: i32[2, W, 2]
# CHECK: moves {{.*}} from x{{$}}
# CALL last(H=3, W=2, x=arange(36).reshape(3, 2, 3, 2)) is x.transpose(0, 2, 1, 3).reshape(9, 2, 2)[7:]
# CALL last(H=1, W=1, x=arange(6).reshape(1, 1, 3, 2)) is x.transpose(0, 2, 1, 3).reshape(3, 1, 2)[1:]
graph last(x: i32[H, W, 3, 2]) -> y where H >= 1 {
    y = (transpose(x, [0, 2, 1, 3]) |> reshape([3*H, W, 2]))[3*H - 2:]
}

# Elements that begin inside a window, and may be none: nothing is known of the number of those in that window.
# CALL between(K=2, k=zeros(2), x=arange(8), z=array([8, 9]), u=array([10, 11])) is concatenate((z, x, u)).reshape(3, 4).T
# CALL between(K=0, k=zeros(0), x=zeros(0), z=array([8, 9]), u=array([10, 11])) is concatenate((z, u)).reshape(1, 4).T
graph between(k: u8[K], x: i32[4*K], z: i32[2], u: i32[2]) -> y {
    y = concat(z, x, u, axis=0) |> reshape([K + 1, 4]) |> transpose([1, 0])
}
