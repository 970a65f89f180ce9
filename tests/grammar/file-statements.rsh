# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Outside of graphs there are imports and statements, which need no names; newlines end them as in graphs.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s --match-full-lines --strict-whitespace

#      CHECK:graph g
# CHECK-NEXT:  input x: f32[2]
# CHECK-NEXT:  result y
# CHECK-NEXT:  let y
# CHECK-NEXT:    name x
graph g(x: f32[2]) -> y { y = x }; x = load(args[0])
# CHECK-NEXT:let x
# CHECK-NEXT:  call load
# CHECK-NEXT:    index
# CHECK-NEXT:      name args
# CHECK-NEXT:      at: int 0

# CHECK-NEXT:do: pipe
# CHECK-NEXT:  name x
# CHECK-NEXT:  call g
# CHECK-NEXT:  call save
# CHECK-NEXT:    string "y.npy"
x
    |> g()
    |> save("y.npy")

# CHECK-NEXT:do: call assert
# CHECK-NEXT:  compare <=
# CHECK-NEXT:    call len
# CHECK-NEXT:      name args
# CHECK-NEXT:    binary +
# CHECK-NEXT:      int 1
# CHECK-NEXT:      int 1
assert(len(args) <=
       1 + 1)

# a name like any other
# CHECK-NEXT:let import
# CHECK-NEXT:  int 3
import = 3
