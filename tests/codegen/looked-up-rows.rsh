# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements that are adjacent in a value that is looked up, and in what it is computed from, are looked up together:
# channels of an image whose pixels are looked up.
# looked-up-parts.rsh has parts that are longer than a row of few bytes; -Os copies by rows only.
# RUN: %{reshapec} explain -Os %s | FileCheck %s
# RUN: %{reshapec} explain %s | FileCheck %s --check-prefix=FAST
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} verify -Os %s

# Shifted windows of Swin. The rows of pixels that are added are constants in memory.
# CHECK: graph windows(x: i32[H, W, 3]) -> y: i32[(H+3)//4, (W+3)//4, 4, 4, 3]
# CHECK: why {{.*}}: each run of 3 elements of y is looked up through the last 3 of 4 operators, one by one;
# CHECK: pad + 3 y + 3
# CHECK-NEXT: copy 3 elements
# CALL windows(H=5, W=7, x=arange(105).reshape(5, 7, 3)) is roll(pad(x, ((0, 3), (0, 1), (0, 0)), constant_values=-7), (-2, -1), (0, 1)).reshape(2, 4, 2, 4, 3).transpose(0, 2, 1, 3, 4)
# CALL windows(H=1, W=4, x=arange(12).reshape(1, 4, 3)) is roll(pad(x, ((0, 3), (0, 0), (0, 0)), constant_values=-7), (-2, -1), (0, 1)).reshape(1, 4, 1, 4, 3).transpose(0, 2, 1, 3, 4)
# CALL windows(H=0, W=2, x=zeros((0, 2, 3))) is zeros((0, 1, 4, 4, 3))
graph windows(x: i32[H, W, 3]) -> y {
    p = pad(x, [0, 0, 0, -H % 4, -W % 4, 0], value=-7) |> roll([-2, -1], axes=[0, 1])
    y = reshape(p, [(H + 3)//4, 4, (W + 3)//4, 4, 3]) |> transpose([0, 2, 1, 3, 4])
}

# A row of the image is not a row of its windows, but each pixel is.
# CHECK: graph image(h: u8[H], x: i32[4, (H+3)//4, 2, C]) -> y: i32[H, 2, C]
# CHECK: why {{.*}}: each run of 2*C elements of y is looked up
# CHECK: copy 2*C elements
# CALL image(H=6, C=3, h=zeros(6), x=arange(48).reshape(4, 2, 2, 3)) is roll(x.transpose(1, 0, 2, 3).reshape(8, 2, 3), 3, 0)[:6]
# CALL image(H=1, C=1, h=zeros(1), x=arange(8).reshape(4, 1, 2, 1)) is roll(x.transpose(1, 0, 2, 3).reshape(4, 2, 1), 3, 0)[:1]
# CALL image(H=9, C=0, h=zeros(9), x=zeros((4, 3, 2, 0))) is zeros((9, 2, 0))
# CALL image(H=0, C=2, h=zeros(0), x=zeros((4, 0, 2, 2))) is zeros((0, 2, 2))
graph image(h: u8[H], x: i32[4, (H + 3)//4, 2, C]) -> y {
    y = (transpose(x, [1, 0, 2, 3]) |> reshape([4*((H + 3)//4), 2, C]) |> roll([3], axes=[0]))[:H]
}

# A constant of a length that is open would have no place in memory: elements one by one.
# CHECK: graph opened(x: i32[H, C]) -> y: i32[(H+3)//4, 4, C]
# CHECK: why {{.*}}: each element of y is looked up
# CALL opened(H=5, C=2, x=arange(10).reshape(5, 2)) is roll(pad(x, ((0, 3), (0, 0))), -2, 0).reshape(2, 4, 2)[:, ::-1]
# CALL opened(H=3, C=0, x=zeros((3, 0))) is zeros((1, 4, 0))
graph opened(x: i32[H, C]) -> y {
    y = (pad(x, [0, 0, -H % 4, 0]) |> roll([-2], axes=[0]) |> reshape([(H + 3)//4, 4, C]))[:, ::-1]
}

# Constants are at most 1024 bytes, or 64 with -Os: half of a row, or a twentieth.
# CHECK: graph lengthy(x: i32[H, 300]) -> y: i32[4, (H+3)//4, 300]
# CHECK: why {{.*}}: each run of 15 elements of y is looked up
# FAST: why {{.*}}: each run of 150 elements of y is looked up
# CALL lengthy(H=3, x=arange(900).reshape(3, 300)) is roll(pad(x, ((0, 1), (0, 0)), constant_values=9), -2, 0).reshape(1, 4, 300).transpose(1, 0, 2)
graph lengthy(x: i32[H, 300]) -> y {
    y = pad(x, [0, 0, -H % 4, 0], value=9)
        |> roll([-2], axes=[0])
        |> reshape([(H + 3)//4, 4, 300])
        |> transpose([1, 0, 2])
}

# CHECK: graph prime(x: i32[H, 1000003]) -> y: i32[4, (H+3)//4, 1000003]
# CHECK: why {{.*}}: each element of y is looked up
graph prime(x: i32[H, 1000003]) -> y {
    y = pad(x, [0, 0, -H % 4, 0], value=9)
        |> roll([-2], axes=[0])
        |> reshape([(H + 3)//4, 4, 1000003])
        |> transpose([1, 0, 2])
}

# Rows that begin between two pixels: elements, or pairs of them.
# CHECK: graph apart(x: i32[H, 4]) -> y: i32[4, (H+3)//4, 3]
# CHECK: why {{.*}}: each element of y is looked up
# CALL apart(H=5, x=arange(20).reshape(5, 4)) is roll(pad(x, ((0, 3), (0, 0))), -2, 0).reshape(2, 4, 4).transpose(1, 0, 2)[:, :, 1:]
graph apart(x: i32[H, 4]) -> y {
    y = (pad(x, [0, 0, -H % 4, 0]) |> roll([-2], axes=[0]) |> reshape([(H + 3)//4, 4, 4]) |> transpose([1, 0, 2]))[
        :,
        :,
        1:
    ]
}

# CHECK: graph between(x: i32[H, 4]) -> y: i32[16*((H+3)//4)-4]
# CHECK: why {{.*}}: each run of 2 elements of y is looked up
# CALL between(H=5, x=arange(20).reshape(5, 4)) is roll(pad(x, ((0, 3), (0, 0))), -2, 0).reshape(2, 4, 4).transpose(1, 0, 2).ravel()[2:-2]
graph between(x: i32[H, 4]) -> y where H >= 1 {
    w = pad(x, [0, 0, -H % 4, 0]) |> roll([-2], axes=[0]) |> reshape([(H + 3)//4, 4, 4]) |> transpose([1, 0, 2])
    y = reshape(w, [16*((H + 3)//4)])[2:-2]
}

# CHECK: graph steps(h: u8[H], x: i32[3*H, 4]) -> y: i32[2*H, 4]
# CHECK: why {{.*}}: each run of 2 elements of y is looked up
# CALL steps(H=3, x=arange(36).reshape(9, 4), h=zeros(3)) is roll(x.reshape(3, 3, 4).transpose(1, 0, 2).reshape(9, 4), 2, 0).reshape(6, 6)[:, :4]
graph steps(h: u8[H], x: i32[3*H, 4]) -> y {
    w = reshape(x, [H, 3, 4]) |> transpose([1, 0, 2]) |> reshape([3*H, 4]) |> roll([2], axes=[0])
    y = reshape(w, [2*H, 6])[:, :4]
}
