# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A product that is 24 modulo 2^32 (a variant of tensorflow/tflite-micro#3552).
# RUN: not %{reshapec} check --json %s | FileCheck %s

# CHECK: "kind": "volume_mismatch"
# CHECK-NEXT: 24 elements, target [5, 858993464] has 4294967320
graph c4(x: f32[24]) -> y {
    y = reshape(x, [5, 858993464])
}
