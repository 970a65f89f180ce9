# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lists and tuples, nested, empty, with a comma at the end. One entry in ( ) is that entry.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      let a
# CHECK-NEXT:   list
# CHECK-NEXT: let b
# CHECK-NEXT:   list
# CHECK-NEXT:     list
# CHECK-NEXT:       int 1
# CHECK-NEXT:     list
# CHECK-NEXT:       int 2
# CHECK-NEXT:       list
# CHECK-NEXT: let c
# CHECK-NEXT:   tuple
# CHECK-NEXT: let d
# CHECK-NEXT:   tuple
# CHECK-NEXT:     int 1
# CHECK-NEXT: let e
# CHECK-NEXT:   int 1
# CHECK-NEXT: let f
# CHECK-NEXT:   tuple
# CHECK-NEXT:     int 1
# CHECK-NEXT:     int 2
graph g(x: f32[2]) -> a {
    a = []
    b = [[1], [2, []],]
    c = ()
    d = (1,)
    e = (1)
    f = (1, 2,)
}
