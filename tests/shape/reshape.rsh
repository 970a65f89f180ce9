# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Targets of every dialect.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph zeros_copy(x: f32[2, 3, 4]) -> (a, b, c, d) {
    a = reshape(x, [0, -1])
    b = reshape(x, [2, 0, 1, -1])
    c = reshape(x, [-1, 0, 0])
    d = reshape(x, (4, 3, 2))
}
#      CHECK:graph zeros_copy
# CHECK-NEXT:  %0 x: f32[2, 3, 4] = input
# CHECK-NEXT:  %1 a: f32[2, 12] = reshape(%0, shape=[0, -1])
# CHECK-NEXT:  %2 b: f32[2, 3, 1, 4] = reshape(%0, shape=[2, 0, 1, -1])
# CHECK-NEXT:  %3 c: f32[2, 3, 4] = reshape(%0, shape=[-1, 0, 0])
# CHECK-NEXT:  %4 d: f32[4, 3, 2] = reshape(%0, shape=[4, 3, 2])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %3
# CHECK-NEXT:  output d = %4

graph zeros_are_zero(x: f32[0, 3]) -> (a, b) {
    a = reshape(x, [5, 0], allowzero=1)
    b = openvino.reshape(x, [0, -1], special_zero=true)
}
#      CHECK:graph zeros_are_zero
# CHECK-NEXT:  %0 x: f32[0, 3] = input
# CHECK-NEXT:  %1 a: f32[5, 0] = reshape(%0, shape=[5, 0], allowzero=1)
# CHECK-NEXT:  %2 b: f32[0, 3] = openvino.reshape(%0, shape=[0, -1], special_zero=1)
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2

graph scalars(x: f32[1, 1], s: f32) -> (a, b, c) {
    a = reshape(x, [])
    b = reshape(s, [1, -1])
    c = openvino.reshape(x, [], special_zero=false)
}
#      CHECK:graph scalars
# CHECK-NEXT:  %0 x: f32[1, 1] = input
# CHECK-NEXT:  %1 s: f32 = input
# CHECK-NEXT:  %2 a: f32 = reshape(%0, shape=[])
# CHECK-NEXT:  %3 b: f32[1, 1] = reshape(%1, shape=[1, -1])
# CHECK-NEXT:  %4 c: f32 = openvino.reshape(%0, shape=[], special_zero=0)
# CHECK-NEXT:  output a = %2
# CHECK-NEXT:  output b = %3
# CHECK-NEXT:  output c = %4

graph symbols(x: f32[B, S, 768]) -> (a, b, c) {
    a = reshape(x, [0, 0, 12, -1])
    b = reshape(x, [B*S, -1])
    c = reshape(x, [-1, 768*S])
}
#      CHECK:graph symbols
# CHECK-NEXT:  %0 x: f32[B, S, 768] = input
# CHECK-NEXT:  where B >= 1 or ambiguous_infer, S >= 1 or ambiguous_infer
# CHECK-NEXT:  %1 a: f32[B, S, 12, 64] = reshape(%0, shape=[0, 0, 12, -1])
# CHECK-NEXT:  %2 b: f32[B*S, 768] = reshape(%0, shape=[B*S, -1])
# CHECK-NEXT:  %3 c: f32[B, 768*S] = reshape(%0, shape=[-1, 768*S])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %3

graph old_opset(x: f16[2, 3]) -> y {
    y = onnx.reshape(x, [3, -1], opset=1, consumed_inputs=[0])
}
#      CHECK:graph old_opset
# CHECK-NEXT:  %0 x: f16[2, 3] = input
# CHECK-NEXT:  %1 y: f16[3, 2] = onnx.reshape(%0, shape=[3, -1], opset=1, consumed_inputs=[0])
# CHECK-NEXT:  output y = %1
