# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The first table has a single value, so the index into the second is a constant. The compiler read its operand instead.
# RUN: for cpu in native x86-64-v3 x86-64; do %{reshapec} verify %s -mcpu=$cpu | tail -1; done | FileCheck %s
# CHECK-COUNT-3: 1 of 1 graphs verified
graph constant(x: u16[64]) -> y {
    y = lookup(x |> cast(u1), [1, 1], u4) |> lookup([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1])
}
