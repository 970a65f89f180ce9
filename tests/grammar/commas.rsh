# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A comma is allowed after the last entry of every list of a header.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      input x: f32[2, 3]
# CHECK-NEXT: result y: f32[2]
# CHECK-NEXT: result z
# CHECK-NEXT: where B == 1
graph g(x: f32[2, 3,],) -> (y: f32[2,], z,) where B == 1, {
}
