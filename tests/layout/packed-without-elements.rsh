# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A result of packed elements at strides whose last byte has unused bits: without elements it has no last byte.
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY

# VERIFY: 2 of 2 graphs verified
graph rows(x: u1[A, B]) -> y: u1[A, B] strides [B + 3, 1] {
    y = x[:, ::-1]
}

graph columns(x: u4[A, 3], s: u8[B]) -> y: u4[A, 3, B] strides [3*B + 7, B, 1] {
    y = expand(unsqueeze(x, 2), [1, 3, B])
}
