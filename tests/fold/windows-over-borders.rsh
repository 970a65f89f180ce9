# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The windows of a convolution, 3 by 3, over a padded image. Both borders of an axis are W+1 apart: a window that takes
# only the second one begins between the two.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s

# CHECK: graph right(x: i32[W]) -> y: i32[W]
# CHECK: moves {{.*}} from x, in 2 parts
# CALL right(W=3, x=arange(3)) is array([1, 2, 0])
# CALL right(W=1, x=array([7])) is array([0])
graph right(x: i32[W]) -> y where W >= 1 {
    y = pad(x, [1, 1]) |> slice([2], [W + 2])
}

# CHECK: graph windows(x: i32[H, W]) -> y: i32[9*H, W]
# CHECK: y  symbolic
# CHECK-NOT: looked up
# CALL windows(H=2, W=3, x=arange(6).reshape(2, 3)) is concatenate([pad(x, 1)[i:i + 2, k:k + 3] for i in range(3) for k in range(3)])
# CALL windows(H=1, W=1, x=array([[7]])) is concatenate([pad(x, 1)[i:i + 1, k:k + 1] for i in range(3) for k in range(3)])
graph windows(x: i32[H, W]) -> y where H >= 1, W >= 1 {
    p = pad(x, [1, 1, 1, 1])
    a = concat(p[:H, :W], p[:H, 1:W + 1], p[:H, 2:W + 2], axis=0)
    b = concat(p[1:H + 1, :W], p[1:H + 1, 1:W + 1], p[1:H + 1, 2:W + 2], axis=0)
    c = concat(p[2:H + 2, :W], p[2:H + 2, 1:W + 1], p[2:H + 2, 2:W + 2], axis=0)
    y = concat(a, b, c, axis=0)
}
