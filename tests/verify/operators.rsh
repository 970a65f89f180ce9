# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every operator that moves elements, against its definition.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify -O0 %s | FileCheck %s
# RUN: %{reshapec} verify -O3 -mcpu=native %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 12 of 12 graphs verified

graph reshapes(x: f16[2, 3, 4]) -> (a, b, c, d, e, f, g, h, i) {
    a = transpose(x) |> reshape([0, -1])
    b = transpose(x) |> onnx.reshape([-1, 0], opset=13)
    c = transpose(x) |> openvino.reshape([0, 6], special_zero=true)
    d = transpose(x) |> onednn.static_reshape(shape=[4, 6], special_zero=false)
    e = transpose(x) |> onednn.dynamic_reshape([6, -1], special_zero=true)
    f = transpose(x) |> paddle.reshape(shape=[-1, 0, 2])
    g = transpose(x) |> flatten(axis=2)
    h = transpose(x) |> unsqueeze([0, 2]) |> squeeze([0])
    i = transpose(x) |> identity()
}

graph cuts(x: f32[5, 9, 7]) -> (a, b, c, p, q, r, s, t) {
    a = x[4:0:-2, ..., 1:6:3]
    b = slice(x, [-3, 100], [-9223372036854775808, -4], axes=[1, -1], steps=[-2, -1])
    c = flip(x, [0, -1])
    p, q, r = split(x, axis=1, sizes=[2, 0, 7])
    s, t = split(x, axis=-1, parts=2)
}

graph joins(x: u8[3, 4], y: u8[3, 2], z: u8[4]) -> (a, b, c, d, e) {
    a = concat(x, y, x, axis=-1)
    b = stack(x, flip(x, [1]), axis=1)
    c = expand(z, [2, 3, 4])
    d = tile(x, [2, 3])
    e = expand(unsqueeze(y, [1]), [4, 1])
}

graph blocks(x: f16[2, 8, 4, 6], y: f16[2, 8, 4, 6]) -> (a, b, c, d) {
    a = depth_to_space(x, 2)
    b = depth_to_space(x, 2, mode="CRD")
    c = space_to_depth(y, 2)
    d = space_to_depth(y, 2, mode="CRD")
}

graph pads(x: i32[3, 5]) -> (a, b, c, d, e, f, g) {
    a = pad(x, [1, -2, 2, 4], value=7)
    b = pad(x, [2, 1], mode="edge", axes=[1])
    c = pad(x, [7, 9, 2, 13], mode="reflect")
    d = pad(x, [4, -1, 5, 11], mode="wrap")
    e = pad(x[:1], [3, 0, 2, 0], mode="reflect")
    f = pad(x, [0, 0, 0, 0])
    g = pad(x, [1, 0], mode="edge", axes=[0])
}

graph rounds(x: u8[4, 5]) -> (a, b, c, d) {
    a = roll(x, 7)
    b = roll(x, [1, -2], axes=[0, 1])
    c = roll(x, [3, 1], axes=[1, 1])
    d = roll(x, -1, axes=[0, 1])
}

graph picks(x: f64[4, 5, 6]) -> (a, b, c) {
    a = gather(x, [[3, 0], [-1, 2]], axis=1)
    b = gather(x, -2)
    c = reverse_sequence(x, [0, 1, 2, 4, 3])
}

graph narrow(x: u2[3, 5, 7], y: i4[9], z: c128[2, 3], s: string[3, 2], b: bool[4, 3]) -> (p, q, r, t, u) {
    p = transpose(x)
    q = flip(y, [0])
    r = transpose(z)
    t = transpose(s)
    u = transpose(b)
}

graph patterns(x: f32[2, 6, 10]) -> (a, b, k) {
    a = rearrange(x, "b (h p=2) (w q=5) -> (h w) b (q p)")
    b, k = rearrange(x, "b s (d + d) -> d b s, s (b d)")
}

graph thinned(x: u8[6, 35]) -> y { y = reshape(transpose(x), [210])[1::11] }

graph staged(x: u8[7, 9]) -> y {
    y = x |> transpose() |> reshape([7, 9]) |> transpose() |> reshape([3, 21]) |> transpose() |> reshape([9, 7])
}

graph pads_halves_of_bytes(x: u4[3, 5]) -> y {
    y = pad(x, [1, 1, 1, 2], value=3)
}
