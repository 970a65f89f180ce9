# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Permutations that are none, taken as they stood: repeated, short, long, negative entries, and one
# that is 0 in 32 bits (apache/tvm#1355, keras-team/keras#22922, jax-ml/jax#3954 #7026,
# tensorflow/tensorflow#63064, microsoft/onnxruntime#739, llvm/llvm-project#102099).
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph repeated(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'perm' [0, 0] must list each axis from 0 to 1 once, but 0 is listed twice
    y = transpose(x, [0, 0])
}
graph zeros(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'perm' [0, 0, 0] must list each axis from 0 to 2 once, but 0 is listed twice
    y = transpose(x, [0, 0, 0])
}
graph gap(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'perm' [0, 2] must list each axis
    y = transpose(x, [0, 2])
}
graph short(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: 'perm' has 2 entries but 'x' (f32[2, 3, 4]) has rank 3
    y = transpose(x, [1, 0])
}
graph long(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: 'perm' has 4 entries but 'x' (f32[2, 3, 4]) has rank 3
    y = transpose(x, [0, 1, 2, 3])
}
graph negative(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 'perm' [-1, 0] must list each axis
    y = transpose(x, [-1, 0])
}
graph wraps(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 'perm' [4294967296, 0] must list each axis
    y = transpose(x, [4294967296, 0])
}
graph symbolic(x: f32[N, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'perm' [0, 0] must list each axis
    y = transpose(x, [0, 0])
}
