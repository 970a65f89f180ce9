# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes whose product is above 2^64 ended in an abort (tensorflow/tensorflow#46693).
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph c1(x: f32[1]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:49: error: {{.*}}64 bits
    y = reshape(x, [21943, 45817, 30516, 61760, 38987])
}
