# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A result replaced its input while the input had another reader (openvinotoolkit/openvino#21952 #10828). Reading a
# value that was given away is an error.
# RUN: not %{reshapec} check --json %s | FileCheck %s

# CHECK: "line": [[#@LINE+6]],
# CHECK-NEXT: "column": 19,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "inplace_reuse",
graph read_after(x: f32[2, 3]) -> (y, z) {
    y = paddle.reshape(x, shape=[3, 2], inplace=True)
    z = transpose(x)
}
