# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# onnx.reshape(x, shape, allowzero=0, opset=N): Reshape as opset N defines it. allowzero exists from 14 on; element
# types are added in 5, 13, 19, 21, 23, 24 and 25; before 5 the target is an attribute, and consumed_inputs may be given
# as well.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph newest(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 12] = x
    y = onnx.reshape(x, [0, -1])
}
graph first(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 12] = x
    y = onnx.reshape(x, [0, -1], consumed_inputs=[0], opset=1)
}
graph literal(x: f32[0, 3]) -> view y {
    # EXPECT y alias [2, 0] = empty
    y = onnx.reshape(x, [2, 0], allowzero=1, opset=14)
}
graph bfloat(x: bf16[6]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = onnx.reshape(x, [2, 3], opset=13)
}
#--- bad.rsh
graph early(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:41: error: 'allowzero' exists from opset 14 on; this is opset 13
    y = onnx.reshape(x, [24], allowzero=1, opset=13)
}
graph zero_in_opset_1(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:41: error: 'allowzero' exists from opset 14 on; this is opset 1{{$}}
    y = onnx.reshape(x, [24], allowzero=1, opset=1)
}
graph late(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:47: error: 'consumed_inputs' is removed from opset 5 on; this is opset 5
    y = onnx.reshape(x, [24], consumed_inputs=[0], opset=5)
}
graph bfloat(x: bf16[6]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: 'onnx.reshape' takes element type bf16 only from opset 13 on
    y = onnx.reshape(x, [2, 3], opset=12)
}
graph future(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:37: error: 'opset' is 1000; allowed: 1 to 28
    y = onnx.reshape(x, [24], opset=1000)
}
graph zero(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: literal 0 (entry 0) and -1 (entry 1) together in target [0, -1]
    y = onnx.reshape(x, [0, -1], allowzero=1)
}
