# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A matrix and its transpose from one kernel came out wrong when the sizes were multiples of 4
# (jax-ml/jax#9399).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph four(x: f32[4, 4]) -> (a, t) {
    # EXPECT a static [4, 4] = x[::-1]
    a = flip(x, 0)
    # EXPECT t static [4, 4] = x.T
    t = transpose(x)
}
graph eight(x: f32[8, 8]) -> (a, t) {
    # EXPECT a alias [8, 8] = x
    a = identity(x)
    # EXPECT t static [8, 8] = x.T
    t = transpose(x)
}
graph odd(x: f32[5, 7]) -> (t, a) {
    # EXPECT t static [7, 5] = x.T
    t = transpose(x)
    # EXPECT a alias [5, 7] = x
    a = identity(x)
}
