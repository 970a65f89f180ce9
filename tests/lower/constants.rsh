# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Integer expressions of constants: / is exact, % is never negative for a positive divisor.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f32[2*3, (8 - 2)/3, -(-4)]) -> y {
    y = slice(x, starts=[-7 % 4], ends=[2*3], axes=[2 - 1 - 1])
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f32[6, 2, 4] = input
# CHECK-NEXT:  %1 y: f32[5, 2, 4] = slice(%0, starts=[1], ends=[6], axes=[0])
# CHECK-NEXT:  output y = %1

graph none_and_bools(x: f32[2, 3]) -> (a, b, c) {
    a = paddle.reshape(x, shape=(3, 2), act=None, inplace=False, actual_shape=None)
    b = openvino.reshape(a, [0, -1], true)
    c = openvino.reshape(a, output_shape=(-1,), special_zero=0)
}
#      CHECK:graph none_and_bools
# CHECK-NEXT:  %0 x: f32[2, 3] = input
# CHECK-NEXT:  %1 a: f32[3, 2] = paddle.reshape(%0, shape=[3, 2], inplace=0)
# CHECK-NEXT:  %2 b: f32[3, 2] = openvino.reshape(%1, shape=[0, -1], special_zero=1)
# CHECK-NEXT:  %3 c: f32[6] = openvino.reshape(%1, shape=[-1], special_zero=0)
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %3
