# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 2^32 * 2^32 * 16 elements: count and bytes wrap to 0 (tensorflow/tensorflow#116201).
# RUN: not %{reshapec} check --json %s | FileCheck %s

# CHECK: "kind": "overflow"
graph input(x: i32[4294967296, 4294967296, 16]) -> y {
    y = flatten(x)
}
# CHECK: "kind": "overflow"
graph expanded(x: i32[1]) -> y {
    y = expand(x, [4294967296, 4294967296, 16])
}
