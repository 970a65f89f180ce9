# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition on a quotient is a fact about it: it may divide.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} verify %s --emit=c

# CHECK:      graph f(x: f32[S]) -> y: f32[S//(S//3)]
# CHECK-NEXT:   needs  S//3 >= 1
graph f(x: f32[S]) -> y where S//3 >= 1 {
    y = x[:S//(S//3)]
}
