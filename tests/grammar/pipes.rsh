# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A pipe is one flat node; a pipe in parentheses is a node of its own.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      pipe
# CHECK-NEXT:   pipe
# CHECK-NEXT:     name x
# CHECK-NEXT:     call a
# CHECK-NEXT:   call b
# CHECK-NEXT:   call c
# CHECK-NEXT:     pipe
# CHECK-NEXT:       binary +
# CHECK-NEXT:         int 1
# CHECK-NEXT:         int 2
# CHECK-NEXT:       call d
# CHECK-NEXT:     int 4
graph g(x: f32[2]) -> y {
    y = (x |> a()) |> b() |> c(1 + 2 |> d(), 4)
}
