# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A reshape whose result is the target of another one: a fusion followed the wrong operand
# (microsoft/onnxruntime#32105). A chain only continues through the first operand.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph a16(x: f32[2, 3], s: i64[1, 2]) -> y {
    t = reshape(s, [2])
    # CHECK: [[FILE]]:[[#@LINE+3]]:20: error: {{.*}}'t'
    # CHECK-NEXT: y = reshape(x, t)
    # CHECK-NEXT: ^
    y = reshape(x, t)
}
