# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Targets that mean nothing were accepted, or ended in an assertion (tinygrad/tinygrad#5026,
# huggingface/candle#3908).
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph two_unknown(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+3]]:25: error: second -1 in target [-1, -1]
    # CHECK-NEXT: y = reshape(x, [-1, -1])
    # CHECK-NEXT: {{^}}                        ^~{{$}}
    y = reshape(x, [-1, -1])
}
graph below(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: size -2 in 'shape'
    y = reshape(x, [-2, 3])
}
graph no_such_size(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: 0 at entry 1 copies the size of that axis, which 'x' (f32[4]) of rank 1 does not have
    y = reshape(x, [4, 0])
}
