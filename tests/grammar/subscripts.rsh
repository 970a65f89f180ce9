# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Indices, ranges with any part omitted, `...`, several subscripts in sequence.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      index
# CHECK-NEXT:   index
# CHECK-NEXT:     name x
# CHECK-NEXT:     at: negate
# CHECK-NEXT:       int 1
# CHECK-NEXT:     range
# CHECK-NEXT:     range
# CHECK-NEXT:       start: int 2
# CHECK-NEXT:     range
# CHECK-NEXT:       stop: name N
# CHECK-NEXT:     range
# CHECK-NEXT:       step: negate
# CHECK-NEXT:         int 1
# CHECK-NEXT:     ellipsis
# CHECK-NEXT:     range
# CHECK-NEXT:       start: int 1
# CHECK-NEXT:       stop: int 5
# CHECK-NEXT:       step: int 2
# CHECK-NEXT:   range
# CHECK-NEXT:     start: int 3
graph g(x: f32[2]) -> y {
    y = x[-1, :, 2:, :N, ::-1, ..., 1:5:2][3::]
}
