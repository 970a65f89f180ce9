# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# pad(x, pads, value=0, mode="constant", axes=all, crop_last=false): all begins, then all ends; negative amounts crop,
# and are applied first, or last. Modes: "constant" (here -1, which the harness uses for zeros), "edge", "reflect"
# without the border and "symmetric" with it, both as often as needed, "wrap". Axes are padded one after another, so
# corners combine.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph constant(x: f32[2, 3]) -> y {
    # EXPECT y static [5, 6] = np.pad(x, [(1, 2), (0, 3)], constant_values=-1)
    y = pad(x, [1, 0, 2, 3])
}
graph said(x: u8[2, 3]) -> y {
    # EXPECT y static [2, 5] = np.pad(x, [(0, 0), (1, 1)], constant_values=6)
    y = pad(x, pads=[1, 1], value=7, axes=[-1])
}
graph edge(x: i16[2, 3]) -> y {
    # EXPECT y static [4, 8] = np.pad(x, [(1, 1), (3, 2)], "edge")
    y = pad(x, [1, 3, 1, 2], mode="edge")
}
graph reflect(x: f64[3, 4]) -> y {
    # EXPECT y static [6, 9] = np.pad(x, [(2, 1), (3, 2)], "reflect")
    y = pad(x, [2, 3, 1, 2], mode="reflect")
}
graph reflect_on_and_on(x: f32[3]) -> y {
    # EXPECT y static [15] = 1 2 1 0 1 2 1 0 1 2 1 0 1 2 1
    y = pad(x, [7, 5], mode="reflect")
}
graph reflect_two(x: f32[2]) -> y {
    # EXPECT y static [7] = 1 0 1 0 1 0 1
    y = pad(x, [3, 2], mode="reflect")
}
graph reflect_one(x: f32[1, 2]) -> y {
    # EXPECT y static [4, 2] = 0 1 0 1 0 1 0 1
    y = pad(x, [2, 0, 1, 0], mode="reflect")
}
graph symmetric(x: u16[3, 4]) -> y {
    # EXPECT y static [6, 9] = np.pad(x, [(2, 1), (3, 2)], "symmetric")
    y = pad(x, [2, 3, 1, 2], mode="symmetric")
}
graph symmetric_on_and_on(x: f32[3]) -> y {
    # EXPECT y static [15] = 1 0 0 1 2 2 1 0 0 1 2 2 1 0 0
    y = pad(x, [8, 4], mode="symmetric")
}
graph symmetric_one(x: f32[1, 2]) -> y {
    # EXPECT y static [4, 2] = 0 1 0 1 0 1 0 1
    y = pad(x, [2, 0, 1, 0], mode="symmetric")
}
graph wrap(x: c64[2, 3]) -> y {
    # EXPECT y static [7, 8] = np.pad(x, [(4, 1), (1, 4)], "wrap")
    y = pad(x, [4, 1, 1, 4], mode="wrap")
}
graph cropped(x: f32[4, 5]) -> view y {
    # EXPECT y alias [2, 5] = x[1:3]
    y = pad(x, [-1, 0, -1, 0])
}
graph cropped_first(x: f32[5]) -> y {
    # EXPECT y static [6] = 2 3 4 3 2 3
    y = pad(x, [-2, 3], mode="reflect")
}
graph cropped_last(x: f32[5]) -> (edge, reflect, symmetric, wrap) {
    # EXPECT edge static [6] = 2 3 4 4 4 4
    edge = pad(x, [-2, 3], mode="edge", crop_last=true)
    # EXPECT reflect static [6] = 2 3 4 3 2 1
    reflect = pad(x, [-2, 3], mode="reflect", crop_last=true)
    # EXPECT symmetric static [6] = 1 0 0 1 2 3
    symmetric = pad(x, [2, -1], mode="symmetric", crop_last=true)
    # EXPECT wrap alias [3] = 0 1 2
    wrap = pad(x, [-5, 3], mode="wrap", crop_last=true)
}
graph cropped_on_both_sides(x: f32[4, 5]) -> (edge, reflect, symmetric, wrap) {
    # EXPECT edge static [2, 2] = np.pad(x, [(2, 0), (0, 9)], "edge")[:2, -2:]
    edge = pad(x, [2, -12, -4, 9], mode="edge", crop_last=true)
    # EXPECT reflect static [3, 2] = np.pad(x, [(0, 3), (0, 3)], "reflect")[4:, 6:]
    reflect = pad(x, [-4, -6, 3, 3], mode="reflect", crop_last=true)
    # EXPECT symmetric static [1, 8] = np.pad(x, [(9, 0), (3, 0)], "symmetric")[:1]
    symmetric = pad(x, [9, 3, -12, 0], mode="symmetric", crop_last=true)
    # EXPECT wrap static [4, 1] = np.pad(x, [(0, 0), (0, 9)], "wrap")[:, 13:]
    wrap = pad(x, [0, -13, 0, 9], mode="wrap", crop_last=true)
}
graph nothing_left(x: f32[4, 5]) -> view y {
    # EXPECT y alias [4, 0] = empty
    y = pad(x, [0, -7, 0, 2], mode="reflect", crop_last=true)
}
graph constant_last(x: f32[5]) -> y {
    # EXPECT y static [6] = 2 3 4 -1 -1 -1
    y = pad(x, [-2, 3], crop_last=true)
}
graph crossed(x: f32[2, 5]) -> y {
    # EXPECT y static [2, 5] = np.pad(x[:, 2:], [(0, 0), (0, 2)], constant_values=-1)
    y = pad(x, [-2, 2], axes=[1])
}
graph of_nothing(x: f32[0, 2]) -> y {
    # EXPECT y static [1, 2] = -1 -1
    y = pad(x, [1, 0, 0, 0])
}
graph nothing_left_alone(x: f32[0, 2]) -> view y {
    # EXPECT y alias [0, 3] = empty
    y = pad(x, [0, 1, 0, 0], mode="edge")
}
graph nothing_done(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = pad(x, [0, 0, 0, 0], mode="wrap")
}
graph no_axes(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = pad(x, [], axes=[])
}
graph scalar(x: f32) -> view y {
    # EXPECT y alias [] = 0
    y = pad(x, [])
}
graph cut_off_again(x: f32[3, 4]) -> view y {
    # EXPECT y alias [3, 4] = x
    y = pad(x, [1, 2, 1, 2])[1:-1, 2:-2]
}
graph moved(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [6, 6] = np.pad(x.transpose(2, 0, 1).reshape(4, 6), [(1, 1), (0, 0)], constant_values=-1)
    y = x |> transpose([2, 0, 1]) |> reshape([4, 6]) |> pad([1, 1], axes=[0])
}
graph text(x: string[3]) -> y {
    # EXPECT y static [5] = 0 0 1 2 2
    y = pad(x, [1, 1], mode="edge")
}
#--- bad.rsh
graph lengths(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: error: 'pads' has length 2; 4 is needed: all begins, then all ends
    y = pad(x, [1, 1])
}
graph mode(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: unknown mode "mirror"; 'pad' has "constant", "edge", "reflect", "symmetric" and "wrap"
    y = pad(x, [1, 1], mode="mirror")
}
graph too_much(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: 'pads' [-3, 4] remove more of an axis of 'x' (f32[2]) than it has: -1 would be left
    y = pad(x, [-3, 4])
}
graph too_much_of_all(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: 'pads' [-7, 4] remove more of an axis of 'x' (f32[2]) than it has: -1 would be left
    y = pad(x, [-7, 4], mode="edge", crop_last=true)
}
graph neither(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:47: error: 'crop_last' takes true or false; this is an integer
    y = pad(x, [1, 1], mode="edge", crop_last=2)
}
graph empty_last(x: f32[0]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: an axis of size 0 of 'x' (f32[0]) can only be extended with mode "constant"
    y = pad(x, [-1, 2], mode="edge", crop_last=true)
}
graph empty(x: f32[2, 0]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: an axis of size 0 of 'x' (f32[2, 0]) can only be extended with mode "constant"
    y = pad(x, [0, 1, 0, 0], mode="edge")
}
graph axes(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:39: error: 'axes' [0, -2] names one axis twice (entries 0 and 1)
    y = pad(x, [1, 1, 1, 1], axes=[0, -2])
}
graph past(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: axis 2 is outside rank 2 of 'x' (f32[2, 3]); allowed: -2 to 1
    y = pad(x, [1, 1], axes=[2])
}
graph value(x: u8[2], z: bool[2], f: f16[2], i: i32[2]) -> (a, b, c, d, e) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 300 does not fit u8, whose values are 0 to 255
    a = pad(x, [1, 1], value=300)
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: -1 does not fit u8
    b = pad(x, [1, 1], value=-1)
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 0.5 does not fit bool
    c = pad(z, [1, 1], value=0.5)
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 7e4 does not fit f16
    d = pad(f, [1, 1], value=7e4)
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: inf does not fit i32; cast the tensor to a float type first
    e = pad(i, [1, 1], value=inf)
}
graph kind(x: u8[2]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 'value' takes a number, inf, nan, true or false; this is a string
    a = pad(x, [1, 1], value="0")
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: an entry of 'pads' is an integer; this is a number with a fraction
    b = pad(x, [1.5, 1])
}
graph text(x: string[3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: there is no value to fill strings with; use mode "edge", "reflect", "symmetric" or "wrap"
    y = pad(x, [1, 1])
}
