# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A -1 among bounded sizes is a quotient of them; OpenVINO's shape inference has an interval: from the least elements
# over the rest, rounded up, to the most, rounded down. If that is one number, or none, it is decided here.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: not %{reshapec} check %S/Inputs/no-interval.rsh 2>&1 | FileCheck %s --check-prefix=NONE

# 3..18 elements over 2: 2..9.
# CHECK: graph up(x: f32[3, A, B]) -> y: f32[3*(A*B/2), 1, 1, 2]
graph up(x: f32[3, A, B]) -> y where A >= 1, A <= 2, B >= 1, B <= 3 {
    y = openvino.reshape(x, [-1, 1, 1, 2], special_zero=false)
}
# 8..64 elements over 24: 1..2.
# CHECK: graph most(x: f32[A, B, 4]) -> y: f32[A*B/6, 2, 12]
graph most(x: f32[A, B, 4]) -> y where A >= 1, A <= 4, B >= 2, B <= 4 {
    y = openvino.reshape(x, [-1, 2, 12], special_zero=true)
}
# 0..6 elements over 12: only 0 is a multiple.
# CHECK: graph empty(x: f32[A, B]) -> y: f32[0, 12]
graph empty(x: f32[A, B]) -> y where A <= 3, B <= 2 { y = openvino.reshape(x, [-1, 12], special_zero=false) }

# NONE: error: 3*A elements of 'x' (f32[A, 3]) cannot be divided into target [1, -1, 12]: 3*A is not a multiple of 12
# NONE-NOT: error
