# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An axis of -3 in a permutation was used directly as an index (pytorch/pytorch#91505). ONNX does not count axes of a
# permutation from the end.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph a23(x: f32[3, 1, 4, 2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+3]]:32: error: 'perm' [0, 2, 3, -3] must list each axis from 0 to 3 once; write 1 for -3
    # CHECK-NEXT: y = transpose(x, [0, 2, 3, -3])
    # CHECK-NEXT: {{^}}                               ^~
    y = transpose(x, [0, 2, 3, -3])
}
