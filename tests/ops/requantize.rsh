# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# requantize(x, multiplier, shift, zero_point, dtype): 32-bit sums to quantized elements, in integers only, as
# TensorFlow Lite rounds; tests/cast/requantize.test compares it with that formula.
# RUN: split-file %s %t
# RUN: cd %t && %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:
# RUN: %{reshapec} explain %t/sizes.rsh | FileCheck %t/sizes.rsh
# RUN: %{reshapec} verify %t/sizes.rsh | FileCheck %t/sizes.rsh --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %t/sizes.rsh | FileCheck %t/sizes.rsh --check-prefix=VERIFY
# Without a floating-point unit no library function is called.
# RUN: %{reshapec} %t/firmware.rsh --target=thumbv7em-none-eabi -Os -o %t/firmware.o && llvm-nm --undefined-only %t/firmware.o | count 0

#--- good.rsh
# By 2^30 / 2^31, halves up.
graph halves(x: i32[3, 4]) -> y {
    # NUMPY (np.clip(np.floor(x / 2 + 0.5), -128, 127).astype("i1")).T
    y = requantize(x, 1073741824, 0) |> transpose()
}
# And by 2^-1, halves away from 0.
graph quarters(x: i32[3, 4]) -> y {
    # NUMPY (lambda h: np.clip(np.trunc(h / 2 + np.where(h < 0, -0.5, 0.5)) + 100, 0, 255).astype("u1"))(np.floor(x / 2 + 0.5))
    y = requantize(x, multiplier=1073741824, shift=-1, zero_point=100, dtype=u8)
}
#--- bad.rsh
graph wrong(x: i32[2], b: i8[2]) -> (p, q, r, s, t, u, v) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: 'requantize' does not take element type i8; it takes i32
    p = requantize(b, 5, 3)
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 'multiplier' is -5; it must be at least 0
    q = requantize(x, -5, 3)
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'shift' is 31; allowed: -31 to 30
    r = requantize(x, 5, 31)
    # CHECK: [[FILE]]:[[#@LINE+1]]:35: error: 'requantize' does not convert i32 to f32
    s = requantize(x, 5, 3, dtype=f32)
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: 200 does not fit i8
    t = requantize(x, 5, 3, 200)
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 'multiplier' is -6; it must be at least 0
    u = requantize(x, [5, -6], 3)
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'shift' is -32; allowed: -31 to 30
    v = requantize(x, 5, [3, -32])
}
#--- sizes.rsh
# CHECK: y symbolic
# CHECK: why transpose moves axes 0 and 1, requantize in the same pass
# VERIFY: open {{(proved|sampled)}}
graph open(x: i32[N, M]) -> y {
    y = transpose(x) |> requantize(1518500250, -8, 3)
}
# VERIFY: nibbles {{(proved|sampled)}}
graph nibbles(x: i32[N, 8]) -> y {
    y = requantize(x, 1518500250, -8, 3, u4) |> transpose()
}
# CHECK: y dynamic
# VERIFY: rank tested
graph rank(x: i32[*]) -> y {
    y = requantize(x, 1518500250, -20, dtype=i16)
}
#--- firmware.rsh
graph layer(sums: i32[64, 32]) -> y {
    y = requantize(sums, 1518500250, -8, -3) |> transpose()
}
