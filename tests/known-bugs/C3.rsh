# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Products that are 24 modulo 2^64, for a tensor of 24 elements: a check that wraps lets them pass (a variant of
# tensorflow/tensorflow#116201).
# RUN: not %{reshapec} check --json %s | FileCheck %s

# CHECK: "kind": "overflow"
graph five(x: f32[24]) -> y {
    y = reshape(x, [5, 3689348814741910328])
}
# CHECK: "kind": "overflow"
graph seven(x: f32[24]) -> y {
    y = reshape(x, [7, 5270498306774157608])
}
