# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Calls: of an operator, of a dialect's operator, with positional and named arguments, nested.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK:      let a
# CHECK-NEXT:   call f
# CHECK-NEXT: let b
# CHECK-NEXT:   call onnx.reshape
# CHECK-NEXT:     name x
# CHECK-NEXT:     list
# CHECK-NEXT:       int 2
# CHECK-NEXT:     allowzero =
# CHECK-NEXT:       int 1
# CHECK-NEXT: let c
# CHECK-NEXT:   call f
# CHECK-NEXT:     call g
# CHECK-NEXT:       name x
# CHECK-NEXT:     act =
# CHECK-NEXT:       string "relu"
# CHECK-NEXT:     to =
# CHECK-NEXT:       name None
graph g(x: f32[2]) -> a {
    a = f()
    b = onnx.reshape(x, [2], allowzero=1)
    c = f(g(x), act="relu", to=None,)
}
