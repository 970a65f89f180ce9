# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A product that wraps to 0 became the divisor of an inference: SIGFPE (tensorflow/tensorflow#80529).
# RUN: not %{reshapec} check --json %s | FileCheck %s

# CHECK: "kind": "zero_with_infer"
graph literal(x: f32[5]) -> y {
    y = reshape(x, [0, 1879048192, 100000000, 1610612736, -1], allowzero=1)
}
# CHECK: "kind": "overflow"
graph copied(x: f32[5]) -> y {
    y = reshape(x, [0, 1879048192, 100000000, 1610612736, -1])
}
