# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements that are assembled from bits or bytes pass through element-wise functions in the same loops: no element is
# looked up.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck --check-prefix=VERIFY %s
# RUN: %{reshapec} verify -O0 %s | FileCheck --check-prefix=VERIFY %s
# RUN: %{reshapec} verify -O3 -mcpu=native %s | FileCheck --check-prefix=VERIFY %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck --check-prefix=VERIFY %s
# VERIFY: 12 of 12 graphs verified

# CHECK-LABEL: graph sensor
# CHECK:      why    slice, concat and stack change the order, cast to f32, div in the same pass: 2 x 3072 runs of 3 bits
# CHECK:        for 3072  frame + 1  y + 1
# CHECK-NEXT:     load, assemble 3 elements from bits, cast to f32, div, store
graph sensor(frame: u16[48, 64]) -> y {
    bits = bitcast(frame, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b) |> bitcast(u8) |> cast(f32) |> div(255.0)
}

# Smaller elements and larger ones, with constant bits.
# CHECK-LABEL: graph sizes
# CHECK: load, assemble 1 element from bits, cast to i8, store
# CHECK: load, assemble 1 element from bits, mul, cast to i16, store
# CHECK: assemble 30 elements from bits, cast to f16, mul, store
graph sizes(x: u16[300], y: u1[30, 64], z: u1[30, 5]) -> (p, q, r) {
    p = bitcast(flip(bitcast(x, u1), 1), i16) |> cast(i8)
    q = bitcast(flip(y, 1), f64) |> mul(2.0) |> cast(i16)
    r = pad(z, [0, 3, 0, 0], value=1) |> bitcast(u8) |> cast(f16) |> mul(0.25)
}

# Bytes of the other order, as in network packets; samples of three bytes.
# CHECK-LABEL: graph bytes
# CHECK: load, assemble 1 element from bits, cast to f32, mul, store
# CHECK: load, assemble 1 element from bits, cast to f32, mul, store
graph bytes(x: u8[100, 2], y: i8[100, 3]) -> (p, q) {
    p = bitcast(x[:, ::-1], i16) |> cast(f32) |> mul(0.5)
    q = pad(y, [0, 0, 0, 1], value=-3) |> bitcast(i32) |> cast(f32) |> mul(0.5)
}

# CHECK-LABEL: graph opened
# CHECK: load, assemble 1 element from bits, mul, store
graph opened(x: u8[N, 14]) -> y {
    y = bitcast(x[:, 5:1:-1], f32) |> mul(0.5)
}

# Rows that softmax reads.
# CHECK-LABEL: graph rows
# CHECK: why    flip reverses axes, cast to f32 in the same pass: 30 x 16 elements, then softmax of 5 rows of 6 in place
graph rows(x: u1[30, 16]) -> y {
    y = bitcast(flip(x, 1), i16) |> cast(f32) |> reshape([5, 6]) |> softmax()
}

# Channels have entries of their own in the tables of functions.
# CHECK-LABEL: graph channels
# CHECK: load, assemble 3 elements from bits, cast to f32, sub, div, store
# CHECK: load, assemble 3 elements from bits, cast to f32, sub, div, store
graph channels(frame: u16[5, 7], other: u16[H, W]) -> (planes, pixels) {
    b = bitcast(frame, u1)
    p = stack(b[:, :, :8], b[:, :, 4:12], b[:, :, 8:]) |> bitcast(u8) |> cast(f32)
    planes = (p - [[[1.5]], [[2.5]], [[3.5]]])/[[[2.0]], [[3.0]], [[4.0]]]
    c = bitcast(other, u1)
    q = stack(c[:, :, :8], c[:, :, 4:12], c[:, :, 8:], axis=2) |> bitcast(u8) |> cast(f32)
    pixels = (q - [1.5, 2.5, 3.5])/[2.0, 3.0, 4.0]
}

# If entries differ between iterations of a loop, or the results move on, each element is looked up.
# CHECK-LABEL: graph tables
# CHECK: why    elements are assembled from parts first: each element of y is looked up through the last 2 of 4 operators
graph tables(x: u1[300, 3, 8]) -> y {
    y = flip(x, 2) |> bitcast(u8) |> cast(f32) |> div([1.0, 2.0, 3.0])
}

# CHECK-LABEL: graph columns
# CHECK: why    elements are assembled from parts first
graph columns(frame: u16[4, 5]) -> y {
    b = bitcast(frame, u1)
    z = stack(b[:, :, :8], b[:, :, 8:], b[:, :, 4:12]) |> bitcast(u8) |> cast(f32)
    y = (z - [[[1.0]], [[2.0]], [[3.0]]])/[0.5, 1.5, 2.5, 3.5, 4.5]
}

# CHECK-LABEL: graph moved
# CHECK: why    elements are assembled from parts first: each element of y is looked up through the last 2 of 4 operators
graph moved(x: u1[30, 8]) -> y {
    y = (flip(x, 1) |> bitcast(u8) |> cast(f32))[::-1]
}

# CHECK-LABEL: graph packed
# CHECK: why    elements are assembled from parts first
graph packed(x: u1[300, 4]) -> y {
    y = flip(x, 1) |> bitcast(u4) |> cast(u8)
}

# Casts that change nothing are no functions: also not where the elements move on.
# CHECK-LABEL: graph unchanged
# CHECK: load, assemble 1 element from bits, store
# CHECK: load, assemble 1 element from bits, store
graph unchanged(x: u32[40], z: u16[40]) -> (p, q) {
    b = bitcast(x, u1)
    p = (concat(flip(b[:, 1:28], 1), b[:, 6:11], axis=1) |> bitcast(i32) |> cast(i32))[::-1]
    q = flip(bitcast(z, u1), 1) |> bitcast(f16) |> cast(f32) |> cast(f16)
}

# A value that loops of open sizes make is looked up by a result of known sizes.
# CHECK-LABEL: graph looked_up
# CHECK: y  static
graph looked_up(x: u8[A, B]) -> y { y = reshape(transpose(x), [6, 4]) |> tile([1, 1]) }
