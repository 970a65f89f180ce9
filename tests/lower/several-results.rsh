# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# As many names as results; split without parts makes as many parts as there are names.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f32[4, 6]) -> (q, k, v) {
    q, k, v = split(x, axis=-1, parts=3)
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f32[4, 6] = input
# CHECK-NEXT:  %1 q: f32[4, 2], %2 k: f32[4, 2], %3 v: f32[4, 2] = split(%0, axis=-1, parts=3)
# CHECK-NEXT:  output q = %1
# CHECK-NEXT:  output k = %2
# CHECK-NEXT:  output v = %3

graph by_names(x: f32[4, 6]) -> (a, b) {
    a, _ = x |> split(axis=1)
    _, b = split(a, sizes=[1, 3])
}
#      CHECK:graph by_names
# CHECK-NEXT:  %0 x: f32[4, 6] = input
# CHECK-NEXT:  %1 a: f32[4, 3], %2: f32[4, 3] = split(%0, axis=1)
# CHECK-NEXT:  %3: f32[1, 3], %4 b: f32[3, 3] = split(%1, sizes=[1, 3])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %4
