# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# None is an argument that is left out, so an argument that has no default cannot be None.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph left_out(x: f32[2, 3]) -> (a, b, c, d, e) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: 'concat' needs the argument 'axis'; an example: y = concat(
    a = concat(x, x, axis=None)
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: 'cast' needs the argument 'dtype'; an example: y = cast(x, f32)
    b = cast(x, None)
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: error: 'pad' needs the argument 'pads'; an example: y = pad(
    c = pad(x, None)
    # CHECK-NOT: error
    d = stack(x, x, axis=None)
    e = transpose(x, None)
}
