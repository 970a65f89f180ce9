# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# inplace does not change the result.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f32[2, 3]) -> y {
    y = flip(x, 0) |> paddle.reshape([-1], inplace=True, name="fc")
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f32[2, 3] = input
# CHECK-NEXT:  %1: f32[2, 3] = flip(%0, axes=[0])
# CHECK-NEXT:  %2 y: f32[6] = paddle.reshape(%1, shape=[-1], inplace=1, name="fc")
# CHECK-NEXT:  output y = %2
