# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Windows of an image that is padded to whole windows, as Swin takes them, and the image from its windows again: loops
# over whole windows, and loops over the rows and columns of those that the image ends in.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CHECK: graph rows(x: i32[H, 3]) -> y: i32[4, (H+3)//4, 3]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 3 parts
# CHECK: loops  x to y
# CHECK-NEXT: for H//4
# CHECK-NEXT: for 4
# CHECK-NEXT: copy 3 elements
# CHECK: loops  x + 12*(H//4) to y + 3*(H//4)
# CHECK-NEXT: for H-4*(H//4)
# CHECK-NEXT: copy 3 elements
# CHECK: loops  a constant to y
# CHECK-NEXT: for -H+4*((H+3)//4)
# CALL rows(H=5, x=arange(15).reshape(5, 3)) is pad(x, ((0, 3), (0, 0))).reshape(2, 4, 3).transpose(1, 0, 2)
# CALL rows(H=8, x=arange(24).reshape(8, 3)) is x.reshape(2, 4, 3).transpose(1, 0, 2)
# CALL rows(H=3, x=arange(9).reshape(3, 3)) is pad(x, ((0, 1), (0, 0))).reshape(4, 1, 3)
# CALL rows(H=0, x=zeros((0, 3))) is zeros((4, 0, 3))
graph rows(x: i32[H, 3]) -> y {
    y = pad(x, [0, 0, (4 - H % 4) % 4, 0]) |> reshape([(H + 3)//4, 4, 3]) |> transpose([1, 0, 2])
}

# The same with rows of zeros from elsewhere, and an amount that does not name H//4.
# CHECK: graph joined(x: i32[H, 3], z: i32[3, 3]) -> y: i32[4, (H+3)//4, 3]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves
# CHECK-NEXT: why    x and z are joined
# CALL joined(H=6, x=arange(18).reshape(6, 3), z=ones((3, 3))) is pad(x, ((0, 2), (0, 0)), constant_values=1).reshape(2, 4, 3).transpose(1, 0, 2)
# CALL joined(H=4, x=arange(12).reshape(4, 3), z=ones((3, 3))) is x.reshape(1, 4, 3).transpose(1, 0, 2)
# CALL joined(H=0, x=zeros((0, 3)), z=ones((3, 3))) is zeros((4, 0, 3))
graph joined(x: i32[H, 3], z: i32[3, 3]) -> y {
    y = concat(x, z[:4*((H + 3)//4) - H], axis=0) |> reshape([(H + 3)//4, 4, 3]) |> transpose([1, 0, 2])
}

# CHECK: graph windows(x: i32[B, H, W, C]) -> y: i32[B, (H+6)//7, (W+6)//7, 7, 7, C]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 7 parts
# CALL windows(B=2, H=9, W=15, C=2, x=arange(540).reshape(2, 9, 15, 2)) is pad(x, ((0, 0), (0, 5), (0, 6), (0, 0))).reshape(2, 2, 7, 3, 7, 2).transpose(0, 1, 3, 2, 4, 5)
# CALL windows(B=1, H=7, W=3, C=1, x=arange(21).reshape(1, 7, 3, 1)) is pad(x, ((0, 0), (0, 0), (0, 4), (0, 0))).reshape(1, 1, 1, 7, 7, 1)
# CALL windows(B=1, H=14, W=14, C=3, x=arange(588).reshape(1, 14, 14, 3)) is x.reshape(1, 2, 7, 2, 7, 3).transpose(0, 1, 3, 2, 4, 5)
# CALL windows(B=2, H=0, W=5, C=3, x=zeros((2, 0, 5, 3))) is zeros((2, 0, 1, 7, 7, 3))
# CALL windows(B=2, H=5, W=5, C=0, x=zeros((2, 5, 5, 0))) is zeros((2, 1, 1, 7, 7, 0))
graph windows(x: i32[B, H, W, C]) -> y {
    p = pad(x, [0, 0, 0, 0, 0, (7 - H % 7) % 7, (7 - W % 7) % 7, 0])
    y = reshape(p, [0, (H + 6)//7, 7, (W + 6)//7, 7, C]) |> transpose([0, 1, 3, 2, 4, 5])
}

# Three axes, as windows of videos and volumes have them.
# CHECK: graph volumes(x: i32[B, T, H, W, C]) -> y: i32[B, (T+1)//2, (H+3)//4, (W+2)//3, 2, 4, 3, C]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 15 parts
# CALL volumes(B=2, T=3, H=5, W=7, C=2, x=arange(420).reshape(2, 3, 5, 7, 2)) is pad(x, ((0, 0), (0, 1), (0, 3), (0, 2), (0, 0))).reshape(2, 2, 2, 2, 4, 3, 3, 2).transpose(0, 1, 3, 5, 2, 4, 6, 7)
# CALL volumes(B=1, T=2, H=1, W=3, C=1, x=arange(6).reshape(1, 2, 1, 3, 1)) is pad(x, ((0, 0), (0, 0), (0, 3), (0, 0), (0, 0))).reshape(1, 1, 2, 1, 4, 1, 3, 1).transpose(0, 1, 3, 5, 2, 4, 6, 7)
# CALL volumes(B=1, T=1, H=4, W=2, C=3, x=arange(24).reshape(1, 1, 4, 2, 3)) is pad(x, ((0, 0), (0, 1), (0, 0), (0, 1), (0, 0))).reshape(1, 1, 2, 1, 4, 1, 3, 3).transpose(0, 1, 3, 5, 2, 4, 6, 7)
# CALL volumes(B=1, T=4, H=0, W=3, C=1, x=zeros((1, 4, 0, 3, 1))) is zeros((1, 2, 0, 1, 2, 4, 3, 1))
graph volumes(x: i32[B, T, H, W, C]) -> y {
    p = pad(x, [0, 0, 0, 0, 0, 0, -T % 2, -H % 4, -W % 3, 0])
    y = reshape(p, [0, (T + 1)//2, 2, (H + 3)//4, 4, (W + 2)//3, 3, C]) |> transpose([0, 1, 3, 5, 2, 4, 6, 7])
}

# CHECK: graph image(h: u8[H], v: u8[W], x: i32[B, (H+3)//4, (W+3)//4, 4, 4, C]) -> y: i32[B, H, W, C]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 4 parts
# CALL image(B=2, H=5, W=7, C=2, x=arange(256).reshape(2, 2, 2, 4, 4, 2), h=zeros(5), v=zeros(7)) is x.transpose(0, 1, 3, 2, 4, 5).reshape(2, 8, 8, 2)[:, :5, :7]
# CALL image(B=1, H=8, W=1, C=3, x=arange(96).reshape(1, 2, 1, 4, 4, 3), h=zeros(8), v=zeros(1)) is x.transpose(0, 1, 3, 2, 4, 5).reshape(1, 8, 4, 3)[:, :, :1]
# CALL image(B=1, H=0, W=4, C=3, x=zeros((1, 0, 1, 4, 4, 3)), h=zeros(0), v=zeros(4)) is zeros((1, 0, 4, 3))
graph image(h: u8[H], v: u8[W], x: i32[B, (H + 3)//4, (W + 3)//4, 4, 4, C]) -> y {
    p = transpose(x, [0, 1, 3, 2, 4, 5]) |> reshape([0, 4*((H + 3)//4), 4*((W + 3)//4), C])
    y = p[:, :H, :W]
}

# Axes packed in blocks, as matrix products and convolutions take them, and unpacked again.
# CHECK: graph packed(x: i32[M, K]) -> y: i32[(M+7)//8, (K+3)//4, 8, 4]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 7 parts
# CALL packed(M=9, K=7, x=arange(63).reshape(9, 7)) is pad(x, ((0, 7), (0, 1))).reshape(2, 8, 2, 4).transpose(0, 2, 1, 3)
# CALL packed(M=8, K=4, x=arange(32).reshape(8, 4)) is x.reshape(1, 1, 8, 4)
# CALL packed(M=3, K=0, x=zeros((3, 0))) is zeros((1, 0, 8, 4))
graph packed(x: i32[M, K]) -> y {
    y = pad(x, [0, 0, -M % 8, -K % 4]) |> rearrange("(m a) (k b) -> m k a b", a=8, b=4)
}

# CHECK: graph unpacked(x: i32[N, D, H, W, 16], c: u8[C]) -> y: i32[N, C, H, W]
# CHECK: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 2 parts
# CALL unpacked(N=2, D=2, H=1, W=3, C=19, x=arange(192).reshape(2, 2, 1, 3, 16), c=zeros(19)) is x.transpose(0, 1, 4, 2, 3).reshape(2, 32, 1, 3)[:, :19]
# CALL unpacked(N=1, D=2, H=2, W=1, C=7, x=arange(64).reshape(1, 2, 2, 1, 16), c=zeros(7)) is x.transpose(0, 1, 4, 2, 3).reshape(1, 32, 2, 1)[:, :7]
# CALL unpacked(N=1, D=1, H=0, W=2, C=16, x=zeros((1, 1, 0, 2, 16)), c=zeros(16)) is zeros((1, 16, 0, 2))
# CALL unpacked(N=1, D=0, H=2, W=2, C=0, x=zeros((1, 0, 2, 2, 16)), c=zeros(0)) is zeros((1, 0, 2, 2))
graph unpacked(x: i32[N, D, H, W, 16], c: u8[C]) -> y where C <= 16*D {
    y = rearrange(x, "n c h w k -> n (c k) h w")[:, :C]
}

# A known number of windows, of which an open part is left.
# CHECK: graph part(x: i32[4, 3, 2], s: u8[S]) -> y: i32[S, 2]
# CHECK: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 2 parts
# CALL part(S=6, x=arange(24).reshape(4, 3, 2), s=zeros(6)) is x.transpose(1, 0, 2).reshape(12, 2)[:6]
# CALL part(S=12, x=arange(24).reshape(4, 3, 2), s=zeros(12)) is x.transpose(1, 0, 2).reshape(12, 2)
# CALL part(S=0, x=arange(24).reshape(4, 3, 2), s=zeros(0)) is zeros((0, 2))
graph part(x: i32[4, 3, 2], s: u8[S]) -> y where S <= 12 {
    y = (transpose(x, [1, 0, 2]) |> reshape([12, 2]))[:S]
}

# CHECK: graph to_depth(x: i32[B, C, H, W]) -> y: i32[B, 4*C, (H+1)//2, (W+1)//2]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 7 parts
# CALL to_depth(B=2, C=1, H=3, W=5, x=arange(30).reshape(2, 1, 3, 5)) is pad(x, ((0, 0), (0, 0), (0, 1), (0, 1))).reshape(2, 1, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(2, 4, 2, 3)
# CALL to_depth(B=1, C=2, H=2, W=1, x=arange(4).reshape(1, 2, 2, 1)) is pad(x, ((0, 0), (0, 0), (0, 0), (0, 1))).reshape(1, 2, 1, 2, 1, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 1, 1)
# CALL to_depth(B=1, C=2, H=0, W=3, x=zeros((1, 2, 0, 3))) is zeros((1, 8, 0, 2))
graph to_depth(x: i32[B, C, H, W]) -> y {
    y = pad(x, [0, 0, 0, 0, 0, 0, -H % 2, -W % 2]) |> space_to_depth(2)
}

# A kernel for a listed size has the quotients by which its loops are split.
# CHECK: graph listed(x: i32[H], s: u8[A]) -> y: i32[4, (H+3)//4]
# CALL listed(H=7, A=5, x=arange(7), s=zeros(5)) is pad(x, (0, 1)).reshape(2, 4).T
# CALL listed(H=5, A=0, x=arange(5), s=zeros(0)) is pad(x, (0, 3)).reshape(2, 4).T
# CALL listed(H=8, A=1, x=arange(8), s=zeros(1)) is x.reshape(2, 4).T
graph listed(x: i32[H], s: u8[A]) -> y where A in [0, 1, 5] {
    y = pad(x, [0, -H % 4]) |> reshape([(H + 3)//4, 4]) |> transpose([1, 0])
}
