# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shapes that other systems got wrong; graphs are named after their rows.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph a1(x: u8[2, 3, 4]) -> y: u8[3, 4, 2] { y = x |> transpose([1, 0, 2]) |> transpose([0, 2, 1]) }
#      CHECK:graph a1
# CHECK-NEXT:  %0 x: u8[2, 3, 4] = input
# CHECK-NEXT:  %1: u8[3, 2, 4] = transpose(%0, perm=[1, 0, 2])
# CHECK-NEXT:  %2 y: u8[3, 4, 2] = transpose(%1, perm=[0, 2, 1])
# CHECK-NEXT:  output y = %2

graph a6(x: u8[1, 1, 50, 2]) -> y: u8[1, 2, 50] { y = x |> reshape([1, 50, 2]) |> transpose([0, 2, 1]) }
#      CHECK:graph a6
# CHECK-NEXT:  %0 x: u8[1, 1, 50, 2] = input
# CHECK-NEXT:  %1: u8[1, 50, 2] = reshape(%0, shape=[1, 50, 2])
# CHECK-NEXT:  %2 y: u8[1, 2, 50] = transpose(%1, perm=[0, 2, 1])
# CHECK-NEXT:  output y = %2

graph a9(x: u8[1, 64, 1]) -> y: u8[1, 1, 64] { y = transpose(x, [0, 2, 1]) }
#      CHECK:graph a9
# CHECK-NEXT:  %0 x: u8[1, 64, 1] = input
# CHECK-NEXT:  %1 y: u8[1, 1, 64] = transpose(%0, perm=[0, 2, 1])
# CHECK-NEXT:  output y = %1

graph a14(x: u8[3, 4, 2, 2]) -> y: u8[3, 2, 8] { y = x |> reshape([3, 2, 2, 2, 2]) |> reshape([0, 0, -1]) }
#      CHECK:graph a14
# CHECK-NEXT:  %0 x: u8[3, 4, 2, 2] = input
# CHECK-NEXT:  %1: u8[3, 2, 2, 2, 2] = reshape(%0, shape=[3, 2, 2, 2, 2])
# CHECK-NEXT:  %2 y: u8[3, 2, 8] = reshape(%1, shape=[0, 0, -1])
# CHECK-NEXT:  output y = %2

graph b1(x: u8[2, 2, 3, 2]) -> y: u8[4, 2, 3] { y = reshape(x, [-1, 0, 0]) }
#      CHECK:graph b1
# CHECK-NEXT:  %0 x: u8[2, 2, 3, 2] = input
# CHECK-NEXT:  %1 y: u8[4, 2, 3] = reshape(%0, shape=[-1, 0, 0])
# CHECK-NEXT:  output y = %1

graph b2(x: u8[2, 3, 4]) -> (y: u8[1, 6, 4], z: u8[2, 1, 12]) {
    y = reshape(x, [1, -1, 0])
    z = reshape(x, [0, 1, -1])
}
#      CHECK:graph b2
# CHECK-NEXT:  %0 x: u8[2, 3, 4] = input
# CHECK-NEXT:  %1 y: u8[1, 6, 4] = reshape(%0, shape=[1, -1, 0])
# CHECK-NEXT:  %2 z: u8[2, 1, 12] = reshape(%0, shape=[0, 1, -1])
# CHECK-NEXT:  output y = %1
# CHECK-NEXT:  output z = %2

graph b3(x: u8[2, 3, 4]) -> y: u8[2, 3, 1, 4] { y = reshape(x, [2, 0, 1, -1]) }
#      CHECK:graph b3
# CHECK-NEXT:  %0 x: u8[2, 3, 4] = input
# CHECK-NEXT:  %1 y: u8[2, 3, 1, 4] = reshape(%0, shape=[2, 0, 1, -1])
# CHECK-NEXT:  output y = %1

graph b4(x: u8[0, 6, 2]) -> (y: u8[3, 2, 0], z: u8[0, 0, 3]) {
    y = reshape(x, [3, 2, -1])
    z = reshape(y, [0, 0, 3], allowzero=1)
}
#      CHECK:graph b4
# CHECK-NEXT:  %0 x: u8[0, 6, 2] = input
# CHECK-NEXT:  %1 y: u8[3, 2, 0] = reshape(%0, shape=[3, 2, -1])
# CHECK-NEXT:  %2 z: u8[0, 0, 3] = reshape(%1, shape=[0, 0, 3], allowzero=1)
# CHECK-NEXT:  output y = %1
# CHECK-NEXT:  output z = %2

graph b5(x: u8[1, 32, 5, 5]) -> y: u8[1, 2, 4, 4, 5, 5] { y = reshape(x, [-1, 2, 4, 4, 5, 5], allowzero=1) }
#      CHECK:graph b5
# CHECK-NEXT:  %0 x: u8[1, 32, 5, 5] = input
# CHECK-NEXT:  %1 y: u8[1, 2, 4, 4, 5, 5] = reshape(%0, shape=[-1, 2, 4, 4, 5, 5], allowzero=1)
# CHECK-NEXT:  output y = %1

graph b8(x: u8[2, 0, 4]) -> y: u8[0, 4] { y = reshape(x, [0, 4], allowzero=1) }
#      CHECK:graph b8
# CHECK-NEXT:  %0 x: u8[2, 0, 4] = input
# CHECK-NEXT:  %1 y: u8[0, 4] = reshape(%0, shape=[0, 4], allowzero=1)
# CHECK-NEXT:  output y = %1

graph b9(x: u8[1, 1, 0], w: u8[0]) -> (y: u8[6, 0], z: u8[0, 3]) {
    y = reshape(x, [6, 0], allowzero=1)
    z = reshape(w, [-1, 3], allowzero=1)
}
#      CHECK:graph b9
# CHECK-NEXT:  %0 x: u8[1, 1, 0] = input
# CHECK-NEXT:  %1 w: u8[0] = input
# CHECK-NEXT:  %2 y: u8[6, 0] = reshape(%0, shape=[6, 0], allowzero=1)
# CHECK-NEXT:  %3 z: u8[0, 3] = reshape(%1, shape=[-1, 3], allowzero=1)
# CHECK-NEXT:  output y = %2
# CHECK-NEXT:  output z = %3

graph b11(x: u8[2, 3, 4], v: u8[7], s: u8) -> (
    a: u8[1, 24],
    b: u8[24, 1],
    c: u8[6, 4],
    d: u8[1, 24],
    e: u8[1, 7],
    f: u8[7, 1],
    g: u8[1, 1]
) {
    a = flatten(x, 0)
    b = flatten(x, 3)
    c = flatten(x, -1)
    d = flatten(x, -3)
    e = flatten(v, 0)
    f = flatten(v)
    g = flatten(s, 0)
}
#      CHECK:graph b11
# CHECK-NEXT:  %0 x: u8[2, 3, 4] = input
# CHECK-NEXT:  %1 v: u8[7] = input
# CHECK-NEXT:  %2 s: u8 = input
# CHECK-NEXT:  %3 a: u8[1, 24] = flatten(%0, axis=0)
# CHECK-NEXT:  %4 b: u8[24, 1] = flatten(%0, axis=3)
# CHECK-NEXT:  %5 c: u8[6, 4] = flatten(%0, axis=-1)
# CHECK-NEXT:  %6 d: u8[1, 24] = flatten(%0, axis=-3)
# CHECK-NEXT:  %7 e: u8[1, 7] = flatten(%1, axis=0)
# CHECK-NEXT:  %8 f: u8[7, 1] = flatten(%1)
# CHECK-NEXT:  %9 g: u8[1, 1] = flatten(%2, axis=0)
# CHECK-NEXT:  output a = %3
# CHECK-NEXT:  output b = %4
# CHECK-NEXT:  output c = %5
# CHECK-NEXT:  output d = %6
# CHECK-NEXT:  output e = %7
# CHECK-NEXT:  output f = %8
# CHECK-NEXT:  output g = %9

graph b12(x: u8[3, 1]) -> y: u8[3] { y = squeeze(x, axes=-1) }
#      CHECK:graph b12
# CHECK-NEXT:  %0 x: u8[3, 1] = input
# CHECK-NEXT:  %1 y: u8[3] = squeeze(%0, axes=[-1])
# CHECK-NEXT:  output y = %1

graph b13(x: u8[P, Q, R], w: u8[3, 4, 5]) -> (a: u8[P, Q, R, 1], b: u8[1, 3, 4, 5, 1], c: u8[P, 1, Q, R, 1]) {
    a = unsqueeze(x, [-1])
    b = unsqueeze(w, [4, 0])
    c = unsqueeze(x, [-1, 1])
}
#      CHECK:graph b13
# CHECK-NEXT:  %0 x: u8[P, Q, R] = input
# CHECK-NEXT:  %1 w: u8[3, 4, 5] = input
# CHECK-NEXT:  %2 a: u8[P, Q, R, 1] = unsqueeze(%0, axes=[-1])
# CHECK-NEXT:  %3 b: u8[1, 3, 4, 5, 1] = unsqueeze(%1, axes=[4, 0])
# CHECK-NEXT:  %4 c: u8[P, 1, Q, R, 1] = unsqueeze(%0, axes=[-1, 1])
# CHECK-NEXT:  output a = %2
# CHECK-NEXT:  output b = %3
# CHECK-NEXT:  output c = %4

graph b15(x: u8[1, 1, 1]) -> (y: u8[], z: u8[1, 1, 1]) {
    y = reshape(x, [])
    z = reshape(y, [1, 1, 1])
}
#      CHECK:graph b15
# CHECK-NEXT:  %0 x: u8[1, 1, 1] = input
# CHECK-NEXT:  %1 y: u8 = reshape(%0, shape=[])
# CHECK-NEXT:  %2 z: u8[1, 1, 1] = reshape(%1, shape=[1, 1, 1])
# CHECK-NEXT:  output y = %1
# CHECK-NEXT:  output z = %2
