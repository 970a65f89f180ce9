# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operands one by one, as a list, by name; arguments by position, by either name, as tuples.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f32[2, 3], w: f32[2, 3]) -> (a, b, c, d, e, g, h) {
    a = concat(x, w, axis=0)
    b = concat([x, w, x], 1)
    c = x |> concat(w, x, axis=-1)
    d = stack([x, w])
    e = reshape(x=x, shape=(3, 2))
    g = squeeze(unsqueeze(x, 0), axis=(0,))
    h = transpose(x, axes=(1, 0))
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f32[2, 3] = input
# CHECK-NEXT:  %1 w: f32[2, 3] = input
# CHECK-NEXT:  %2 a: f32[4, 3] = concat(%0, %1, axis=0)
# CHECK-NEXT:  %3 b: f32[2, 9] = concat(%0, %1, %0, axis=1)
# CHECK-NEXT:  %4 c: f32[2, 9] = concat(%0, %1, %0, axis=-1)
# CHECK-NEXT:  %5 d: f32[2, 2, 3] = stack(%0, %1)
# CHECK-NEXT:  %6 e: f32[3, 2] = reshape(%0, shape=[3, 2])
# CHECK-NEXT:  %7: f32[1, 2, 3] = unsqueeze(%0, axes=[0])
# CHECK-NEXT:  %8 g: f32[2, 3] = squeeze(%7, axes=[0])
# CHECK-NEXT:  %9 h: f32[3, 2] = transpose(%0, perm=[1, 0])
# CHECK-NEXT:  output a = %2
# CHECK-NEXT:  output b = %3
# CHECK-NEXT:  output c = %4
# CHECK-NEXT:  output d = %5
# CHECK-NEXT:  output e = %6
# CHECK-NEXT:  output g = %8
# CHECK-NEXT:  output h = %9

graph alone(x: f32[2, 3]) -> y {
    y = x
}
#      CHECK:graph alone
# CHECK-NEXT:  %0 x: f32[2, 3] = input
# CHECK-NEXT:  %1 y: f32[2, 3] = identity(%0)
# CHECK-NEXT:  output y = %1
