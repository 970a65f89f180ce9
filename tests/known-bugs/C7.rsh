# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes at the end of the range (ggml-org/llama.cpp#27203). A 0 among them hides the overflow from a
# scan that starts with it; here the sizes other than 0 decide, so the order does not matter.
# RUN: not %{reshapec} check --json %s | FileCheck %s

# CHECK: "kind": "overflow"
graph input(x: i8[9223372036854775807, 2, 1, 1]) -> y {
    y = flatten(x)
}
# CHECK: "kind": "overflow"
graph zero_last(x: i8[4611686018427387904, 4, 0]) -> y {
    y = flatten(x)
}
# CHECK: "kind": "overflow"
graph zero_first(x: i8[0, 4611686018427387904, 4]) -> y {
    y = flatten(x)
}
# CHECK: "kind": "overflow"
graph target_zero_last(x: i8[0]) -> y {
    y = reshape(x, [4611686018427387904, 4, 0], allowzero=1)
}
# CHECK: "kind": "overflow"
graph target_zero_first(x: i8[0]) -> y {
    y = reshape(x, [0, 4611686018427387904, 4], allowzero=1)
}
