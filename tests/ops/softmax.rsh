# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# softmax(x) is refused by name: it is no function of one element.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s --implicit-check-not=error:
graph all(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'softmax' is not supported: it sums along an axis, and kernels work on single elements
    y = softmax(x)
}
