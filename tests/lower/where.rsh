# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Conditions become guards; conditions that always hold, even for sizes of 0 or because of earlier ones, are dropped; a
# remainder stays on the left.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f32[B, N, S]) -> y where N == B*S, 8 >= B, S % 16 == 0, 0 == N % 4, B in [1, 2*4] {
    y = x
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f32[B, B*S, S] = input
# CHECK-NEXT:  where N == B*S, 8 >= B, S % 16 == 0, B in [1, 8]
# CHECK-NEXT:  %1 y: f32[B, B*S, S] = identity(%0)
# CHECK-NEXT:  output y = %1

graph constant(x: f32[B]) -> y where B >= 1, B >= 0, B + 1 > B, 4*B % 2 == 0, 7 % 4 == 3, 3 in [1, 3] {
    y = x
}
#      CHECK:graph constant
# CHECK-NEXT:  %0 x: f32[B] = input
# CHECK-NEXT:  where B >= 1
# CHECK-NEXT:  %1 y: f32[B] = identity(%0)
# CHECK-NEXT:  output y = %1

# A graph without open sizes.
graph numbers(x: f32[8]) -> y where 7 % 4 == 3, 2 < 3 {
    y = x
}
#      CHECK:graph numbers
# CHECK-NEXT:  %0 x: f32[8] = input
# CHECK-NEXT:  %1 y: f32[8] = identity(%0)
# CHECK-NEXT:  output y = %1
