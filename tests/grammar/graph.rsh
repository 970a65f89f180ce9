# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A graph: inputs, results with and without types, conditions, statements.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      graph g
# CHECK-NEXT:   input x: f32[2, 3]
# CHECK-NEXT:   input s: i64
# CHECK-NEXT:   result y: f32[3, 2]
# CHECK-NEXT:   result view z
# CHECK-NEXT:   result w
# CHECK-NEXT:   let y
# CHECK-NEXT:     call transpose
# CHECK-NEXT:       name x
# CHECK-NEXT: graph empty
# CHECK-NEXT:   result y
# CHECK-NOT:  {{.}}
graph g(x: f32[2, 3], s: i64) -> (y: f32[3, 2], view z, w) {
    y = transpose(x)
}
graph empty() -> y {}
