# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A bitcast to a wider type removes an axis. Its shape rule still wrote the size of that axis, past the caller's memory.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK: 2 of 2 graphs verified

graph last(x: i32[A, C]) -> y {
    v = roll(x, [1, -2], [1, 0])
    w = stack(v, v, axis=2)
    y = bitcast(w, u64)
}
graph alone(x: u8[?, ?, 4]) -> y {
    y = bitcast(x, f32)
}
