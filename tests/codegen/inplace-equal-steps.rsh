# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The steps of two axes may be equal: where A is 2, both are 2 in u8[2, A/2, A]. The axis with one index is the inner one,
# so that each place in memory still has one source when the result is in the memory of the input.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# CHECK: halves {{ *(proved|sampled)}} for {{[0-9]+}} choices of sizes
# CHECK: rows {{ *(proved|sampled)}} for {{[0-9]+}} choices of sizes
# CHECK: 2 of 2 graphs verified
graph halves(x: u8[A, A]) -> inplace y where A <= 2 {
    y = x |> reshape([A, -1, 2]) |> transpose([2, 1, 0])
}

graph rows(x: u16[A, B, 2]) -> inplace y where A <= 2, B <= 1 {
    y = transpose(x, [2, 1, 0])
}
