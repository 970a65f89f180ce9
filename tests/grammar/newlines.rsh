# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A newline does not end a statement inside brackets, after a token that needs more, or before |>. Both graphs have the
# same tree.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      graph long
# CHECK:        let y
# CHECK-NEXT:     pipe
# CHECK-NEXT:       name x
# CHECK-NEXT:       call reshape
# CHECK-NEXT:         list
# CHECK-NEXT:           int 2
# CHECK-NEXT:           binary -
# CHECK-NEXT:             int 4
# CHECK-NEXT:             int 1
# CHECK-NEXT:       call f
# CHECK-NEXT:         axis =
# CHECK-NEXT:           int 1
# CHECK-NEXT:   let z
# CHECK-NEXT:     call identity
# CHECK-NEXT:       name y
graph long(x: f32[2]) -> z {
    y =

      x  # a comment, an empty line

      # and another comment
      |> reshape(
           [2, 4
            - 1]
         ) |>
         f(axis
             =
           1)
    z = identity(y)
}
# CHECK:      graph short
# CHECK:        let y
# CHECK-NEXT:     pipe
# CHECK-NEXT:       name x
# CHECK-NEXT:       call reshape
# CHECK-NEXT:         list
# CHECK-NEXT:           int 2
# CHECK-NEXT:           binary -
# CHECK-NEXT:             int 4
# CHECK-NEXT:             int 1
# CHECK-NEXT:       call f
# CHECK-NEXT:         axis =
# CHECK-NEXT:           int 1
# CHECK-NEXT:   let z
# CHECK-NEXT:     call identity
# CHECK-NEXT:       name y
graph short(x: f32[2]) -> z { y = x |> reshape([2, 4 - 1]) |> f(axis=1); z = identity(y) }
