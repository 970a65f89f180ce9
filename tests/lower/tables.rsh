# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Constants of several elements: a nested list broadcasts as numpy broadcasts, and moves along with the elements that it meets.
# RUN: %{reshapec} --dump=graph %s | FileCheck %s
# RUN: %{reshapec} --dump=plan %s | FileCheck %s --check-prefix=PLAN
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROOF
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=PROOF
# RUN: %{reshapec} --emit=rsh %s -o %t.rsh && %{reshapec} --dump=graph %t.rsh | FileCheck %s
# PROOF: 10 of 10 graphs verified

# A constant for each channel. Channels are the innermost axis of x and the outermost of y.
# CHECK-LABEL: graph normalized
# CHECK: %2{{.*}}: f32[H, W, 3] = sub(%1, value=[0.5, 0.25, 0.125])
# PLAN-LABEL: graph normalized
# PLAN: for 3: dst 4*H*W, src 1, entry 1
graph normalized(x: u8[H, W, 3]) -> y: f32[3, H, W] {
    y = transpose(cast(x, f32) - [0.5, 0.25, 0.125], [2, 0, 1])
}

# Two constants with the same layout share their entries; two along different axes are numbered together.
# PLAN-LABEL: graph alike
# PLAN: for 3: dst 4, src 4, entry 1
# PLAN-LABEL: graph across
# PLAN: for 2: dst 12, src 12, entry 1
# PLAN: for 3: dst 4, src 4, entry 2
graph alike(x: i32[B, 3]) -> y {
    y = x*[2, 3, 4] + [10, 20, 30]
}
graph across(x: i32[2, 3]) -> y {
    y = x*[[2], [3]] + [10, 20, 30]
}

# x is repeated if a constant has more of an axis, or more axes.
# CHECK-LABEL: graph wider
# CHECK: %1{{.*}}: f32[2, 3] = expand(%0, shape=[2, 1])
# CHECK: %2 y: f32[2, 3] = mul(%1, value={{\[\[}}1], [2]])
graph wider(x: f32[3]) -> y {
    y = [[1.0], [2.0]]*x
}

# Elements that are repeated, cut or filled keep the entry they met before, or meet the one at their new position.
graph moves(x: i16[4, 3]) -> (a, b, c) {
    a = tile((x + [1, 2, 3])[::-1, 1:], [1, 2])
    b = pad(x, [1, 1, 0, 2], value=7)*[[1, 2, 3, 4, 5, 6]]
    c = roll(x*[[1], [2], [3], [4]], 1, axes=0)
}

# Quantization by channel: `axis` says which; undoing it costs nothing.
# PLAN-LABEL: graph undone
# PLAN: copy 5, align 1
# PLAN-LABEL: graph scaled
# PLAN: for 3: dst 1, src 4*N, entry 1
graph undone(x: i8[N, 4, 5]) -> y {
    d = transpose(dequantize(x, [0.5, 0.25, 0.125, 1.0], zero_point=[1, -2, 3, 0], axis=1), [1, 0, 2])
    y = quantize(d, [0.5, 0.25, 0.125, 1.0], zero_point=[1, -2, 3, 0], dtype=i8, axis=0)
}
graph scaled(x: i32[2, 3, N]) -> y: i8[2, N, 3] {
    z = requantize(x, [1073741824, 2000000000, 1500000000], [-3, 2, 0], zero_point=[1, -2, 3], axis=1)
    y = transpose(z, [0, 2, 1])
}

# Sizes unknown at compile time: the runtime checks whether they are 3, or 1.
# CHECK-LABEL: graph open
graph open(x: f32[N]) -> y {
    y = x*[1.0, 2.0, 3.0]
}

# Called graphs bring their constants along.
# CHECK-LABEL: graph called
# CHECK: add(%{{[0-9]+}}, value=[10, 20, 30])
graph called(x: i32[B, 3]) -> y {
    y = alike(x)
}

# For short pixels tables are repeated several times, so that vectors run along them; the remainder goes pixel by pixel.
# PLAN-LABEL: graph pixels
# PLAN: for 115: dst 384, src 96
# PLAN-NEXT: for 96: dst 4, src 1, entry 1
# PLAN-NEXT: element cast u8 to f32, mul, tables 32 times over, align 4
# PLAN: for 20: dst 12, src 3
# PLAN-NEXT: for 3: dst 4, src 1, entry 1
graph pixels(x: u8[100, 37, 3]) -> y: f32[100, 37, 3] {
    y = cast(x, f32)*[0.5, 0.25, 0.125]
}
