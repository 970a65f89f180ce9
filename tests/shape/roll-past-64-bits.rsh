# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shifts whose sum does not fit 64 bits, along an axis of open size: the call computes the distance.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROOF
# PROOF: 2 of 2 graphs verified

# CHECK: y dynamic
graph least(x: u8[N]) -> y {
    y = roll(x, -9223372036854775808, 0)
}
# CHECK: y dynamic
graph sum(x: u8[N]) -> y {
    y = roll(x, [9223372036854775807, 5], [0, 0])
}
