# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Constants of several elements that are refused.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s --implicit-check-not=error:
graph sizes(x: f32[4, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: size 5 of 'x' (f32[4, 5]) does not match the 3 constants along this axis
    y = x*[1.0, 2.0, 3.0]
}
graph channels(x: f32[4, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: size 4 of 'x' (f32[4, 5]) does not match the 3 constants along this axis
    y = quantize(x, [1.0, 2.0, 3.0], axis=0)
}
graph axis(x: f32[4, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:48: error: axis 2 is outside rank 2 of 'x' (f32[4, 5])
    y = quantize(x, [1.0, 2.0, 3.0, 4.0], axis=2)
}
graph each_other(x: f32[4, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: the constants of 'clip' cannot be broadcast to each other: [3] and [2]
    y = clip(x, [1.0, 2.0, 3.0], [1.0, 2.0])
}
graph ragged(x: f32[4, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: nested lists of 'value' must have equal lengths; this one has 1 entry, the first 3
    y = x*[[1.0, 2.0, 3.0], [1.0]]
}
graph zero(x: i32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: an integer cannot be divided by 0
    y = x/[1, 0]
}
graph none(x: i32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: 'value' has no entries
    y = x/[]
}
graph tensor(x: i32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: each entry of 'value' must be a number; this is a tensor
    y = x + [x, 1]
}
graph range(x: u8[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: 256 does not fit u8
    y = x + [1, 256]
}
graph fill(x: u8[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 'value' takes a number, inf, nan, true or false; this is a list
    y = pad(x, [1, 0], value=[1])
}
