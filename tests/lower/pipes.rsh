# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# |> passes the value on its left as the first operand, through any number of stages.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f16[2, 3, 12]) -> y {
    y = x
        |> reshape([0, 0, 4, 3])
        |> transpose([0, 2, 1, 3])
        |> concat(x[:, :, :1] |> reshape([2, 1, 3, 1]) |> expand([2, 1, 3, 3]), axis=1)
        |> flip(-1)
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f16[2, 3, 12] = input
# CHECK-NEXT:  %1: f16[2, 3, 4, 3] = reshape(%0, shape=[0, 0, 4, 3])
# CHECK-NEXT:  %2: f16[2, 4, 3, 3] = transpose(%1, perm=[0, 2, 1, 3])
# CHECK-NEXT:  %3: f16[2, 3, 1] = slice(%0, starts=[0], ends=[1], axes=[2], steps=[1])
# CHECK-NEXT:  %4: f16[2, 1, 3, 1] = reshape(%3, shape=[2, 1, 3, 1])
# CHECK-NEXT:  %5: f16[2, 1, 3, 3] = expand(%4, shape=[2, 1, 3, 3])
# CHECK-NEXT:  %6: f16[2, 5, 3, 3] = concat(%2, %5, axis=1)
# CHECK-NEXT:  %7 y: f16[2, 5, 3, 3] = flip(%6, axes=[-1])
# CHECK-NEXT:  output y = %7
