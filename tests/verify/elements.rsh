# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Arithmetic with constants and quantization, against their definitions.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify -O0 %s | FileCheck %s
# RUN: %{reshapec} verify -O3 -mcpu=native %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 9 of 9 graphs verified

graph bytes(x: i8[300], u: u8[300]) -> (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) {
    a = x + 100
    b = 100 - x
    c = x*7 - 3
    d = x/3
    e = x/-1
    f = x % 7
    g = x % -7
    h = x >> 2
    i = x << 9
    j = clip(x, -5, 100)
    k = -x
    l = u/3
    m = u % 7
    n = rem(x, 7)
    o = rem(x, -7)
}

graph more_bytes(x: i8[300], u: u8[300], b: bool[4]) -> (n, o, p, q, r, s, t, v, w, y, z) {
    n = u >> 2
    o = min(u, 100)
    p = max(u, 100)
    q = min(x, -3)
    r = max(x, -3)
    s = x & 12
    t = u | 12
    v = u ^ 128
    w = ~u
    y = ~b
    z = x >> 100
}

graph words(x: i16[70000], u: u16[70000]) -> (a, b, c, d, e) {
    a = x*300 + 77
    b = x/-7
    c = x % 100
    d = u/7 + 65535
    e = u << 3
}

graph floats(x: f32[3000]) -> (a, b, c, d, e, f, g, h, i) {
    a = x + 0.1
    b = 0.1 - x
    c = x*0.3 - 1.0
    d = x/7.0
    e = 3.0/x
    f = min(x, 0.5)
    g = max(x, nan)
    h = clip(x, -1.5, 6)
    i = round_even(x*0.5)
}

graph halves(x: f16[3000], y: bf16[3000]) -> (a, b, c) {
    a = x/7.0 + 0.1
    b = y*0.3 - 1.0
    c = -round_even(x)
}

graph quantized(x: f32[3000], h: f16[3000], i: i8[300], u: u16[70000], f: f8e5m2[300]) -> (a, b, c, d, e, g) {
    a = quantize(x, 0.05, 3, i8)
    b = quantize(h, 0.1, 200, u8)
    c = quantize(x, 0.5, dtype=f8e4m3fn)
    d = dequantize(i, 0.05, -3)
    e = dequantize(u, 0.1, 5, f16)
    g = dequantize(f, 2.5)
}

# Requantized from one scale to another, and back to the first.
graph requantized(x: i8[300]) -> (a, b) {
    a = dequantize(x, 0.1, 5) |> quantize(0.2, 5, i8)
    b = dequantize(x, 0.1, 5) |> quantize(0.1, 5, i8)
}

# Casts that undo each other leave an alias, which the header returns.
graph undone(x: u8[300], f: f32[300], h: i32[300]) -> (a, b, c) {
    a = cast(cast(x, f32), u8)
    b = cast(cast(f, f64), f32)
    c = cast(cast(h, f64), i32)
}

graph sums(x: i32[3000], small: i8[300]) -> (a, b, c, d) {
    a = requantize(x, 1518500250, -2, 3)
    b = requantize(x, 1073741824, 0, dtype=i16)
    c = requantize(x, 2000000000, 5, 100, u8)
    d = cast(small, i32) |> requantize(1073741824, -1, dtype=i16)  # halves of both signs
}
