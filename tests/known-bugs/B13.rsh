# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Axes of unsqueeze count in the result, in any order; systems counted them in the input or did not sort them
# (microsoft/onnxruntime#11944, robertknight/rten#1339, onnx/onnx#2347 #758).
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh

#--- good.rsh
graph last(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 3, 4, 1] = x
    y = unsqueeze(x, [-1])
}
graph unsorted(x: f32[3, 4, 5]) -> view y {
    # EXPECT y alias [1, 3, 4, 5, 1] = x
    y = unsqueeze(x, [4, 0])
}
graph both_ends(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 1, 3, 4, 1] = x
    y = unsqueeze(x, [-1, 1])
}
#--- bad.rsh
graph twice(x: f32[3, 4, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'axes' [1, 1] names one axis twice
    y = unsqueeze(x, [1, 1])
}
graph twice_in_the_result(x: f32[3, 4, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: 'axes' [-1, 4] names one axis twice
    y = unsqueeze(x, [-1, 4])
}
