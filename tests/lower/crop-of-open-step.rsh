# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A crop along an axis that steps by a size that may be 0 is decided: where B is 0, nothing is moved.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s

# CHECK-LABEL: graph rolled(
# CHECK: y symbolic
# CHECK-NOT: looked up
# CHECK: moves 12*A*B bytes from x, in 3 parts
# CHECK-NOT: looked up
graph rolled(x: f32[A, B]) -> y {
    v = tile(x, repeats=[1, 3])
    y = roll(v, shifts=[-1], axes=[1])
}
