# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every second row and column of an image padded to an even size, as Swin's patch merging takes them: loops over the
# image and loops over the border, although only the call knows which of them has the last row.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CHECK: graph odd(x: i32[H]) -> y: i32[H-H//2]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves {{.*}} from x, in 2 parts
# CHECK: loops  x + 1 to y
# CHECK-NEXT: for H//2  x + 2  y + 1
# CHECK: loops  a constant to y + H//2
# CHECK-NEXT: for H-2*(H//2)  y + 1
# CALL odd(H=5, x=arange(1, 6)) is array([2, 4, 0])
# CALL odd(H=4, x=arange(1, 5)) is array([2, 4])
# CALL odd(H=1, x=[1]) is array([0])
# CALL odd(H=0, x=[]) is zeros(0)
graph odd(x: i32[H]) -> y { y = pad(x, [0, H % 2])[1::2] }

# CHECK: graph one_more(x: i32[H]) -> y: i32[(H+1)//2]
# CHECK: for H-(H+1)//2  x + 2  y + 1
# CALL one_more(H=5, x=arange(1, 6)) is array([2, 4, 0])
# CALL one_more(H=4, x=arange(1, 5)) is array([2, 4])
# CALL one_more(H=1, x=[1]) is array([0])
# CALL one_more(H=0, x=[]) is zeros(0)
graph one_more(x: i32[H]) -> y { y = pad(x, [0, 1])[1::2] }

# CHECK: graph merge(x: i32[B, H, W, 2]) -> y: i32[B, H-H//2, W-W//2, 8]
# CHECK-NEXT: y  symbolic
# CHECK-NEXT: moves
# CHECK-NEXT: why    pad, slice and concat change the order, with sizes known only at run time
# CALL merge(B=2, H=3, W=5, x=arange(60).reshape(2, 3, 5, 2)) is (lambda p: concatenate((p[:, ::2, ::2], p[:, 1::2, ::2], p[:, ::2, 1::2], p[:, 1::2, 1::2]), 3))(pad(x, ((0, 0), (0, 1), (0, 1), (0, 0))))
# CALL merge(B=1, H=4, W=2, x=arange(16).reshape(1, 4, 2, 2)) is concatenate((x[:, ::2, ::2], x[:, 1::2, ::2], x[:, ::2, 1::2], x[:, 1::2, 1::2]), 3)
# CALL merge(B=1, H=1, W=1, x=[[[[1, 2]]]]) is array([[[[1, 2, 0, 0, 0, 0, 0, 0]]]])
# CALL merge(B=3, H=0, W=5, x=zeros((3, 0, 5, 2))) is zeros((3, 0, 3, 8))
graph merge(x: i32[B, H, W, 2]) -> y {
    p = pad(x, [0, 0, 0, 0, 0, H % 2, W % 2, 0])
    y = concat(p[:, ::2, ::2], p[:, 1::2, ::2], p[:, ::2, 1::2], p[:, 1::2, 1::2], axis=3)
}

# The rows of all images have places like digits: an image has at most as many rows as the padded one.
# CHECK: graph windows(x: i32[B, H, W]) -> y: i32[B, 2, W-W//2, H-H//2, 2]
# CHECK-NEXT: y  symbolic
# CALL windows(B=2, H=3, W=3, x=arange(18).reshape(2, 3, 3)) is pad(x, ((0, 0), (0, 1), (0, 1))).reshape(2, 2, 2, 2, 2).transpose(0, 2, 3, 1, 4)
# CALL windows(B=1, H=1, W=4, x=arange(4).reshape(1, 1, 4)) is pad(x, ((0, 0), (0, 1), (0, 0))).reshape(1, 1, 2, 2, 2).transpose(0, 2, 3, 1, 4)
graph windows(x: i32[B, H, W]) -> y {
    p = pad(x, [0, 0, 0, 0, H % 2, W % 2])
    y = reshape(p, [0, (H + 1)//2, 2, (W + 1)//2, 2]) |> transpose([0, 2, 3, 1, 4])
}
