# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# quantize(x, scale, zero_point, dtype): x / scale, rounded to the nearest integer, plus the zero point.
# RUN: split-file %s %t
# RUN: cd %t && %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:
# RUN: %{reshapec} explain %t/sizes.rsh | FileCheck %t/sizes.rsh
# RUN: %{reshapec} verify %t/sizes.rsh | FileCheck %t/sizes.rsh --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %t/sizes.rsh | FileCheck %t/sizes.rsh --check-prefix=VERIFY

#--- good.rsh
graph bytes(x: f32[3, 4]) -> y {
    # NUMPY np.clip(np.rint(x / np.float32(0.25)) + 3, 0, 255).astype("u1").T
    y = quantize(x, 0.25, 3) |> transpose()
}
graph of_sign(x: f32[3, 4]) -> y {
    # NUMPY np.clip(np.rint(x / np.float32(0.5)) - 7, -128, 127).astype("i1")
    y = quantize(x, scale=0.5, zero_point=-7, dtype=i8)
}
graph words(x: f16[3, 4]) -> y {
    # NUMPY np.clip(np.rint(x / np.float16(0.5)), -32768, 32767).astype("i2")
    y = quantize(x, 0.5, dtype=i16)
}
#--- bad.rsh
graph types(x: i8[2], f: f64[2], y: f32[2]) -> (a, b, c) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:18: error: 'quantize' does not take element type i8; it takes f16, bf16 and f32
    a = quantize(x, 0.5)
    # CHECK: [[FILE]]:[[#@LINE+1]]:18: error: 'quantize' does not take element type f64
    b = quantize(f, 0.5)
    # CHECK: [[FILE]]:[[#@LINE+1]]:32: error: 'quantize' does not convert f32 to i32
    c = quantize(y, 0.5, dtype=i32)
}
graph constants(x: f32[2]) -> (a, b, c, d) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'quantize' needs the argument 'scale'
    a = quantize(x)
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 200 does not fit i8
    b = quantize(x, 0.5, 200, i8)
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'zero_point' is 1; for floats and i32 it must be 0
    c = quantize(x, 0.5, 1, f8e5m2)
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: 'zero_point' is 2; for floats and i32 it must be 0
    d = quantize(x, [0.5, 0.25], [0, 2], f8e5m2)
}
#--- sizes.rsh
# CHECK: y symbolic
# CHECK: why transpose moves axes 0 and 1, quantize in the same pass
# VERIFY: open {{(proved|sampled)}}
graph open(x: f32[N, M]) -> y {
    y = transpose(x) |> quantize(0.1, 128)
}
# VERIFY: nibbles {{(proved|sampled)}}
graph nibbles(x: bf16[N, 8]) -> y {
    y = quantize(x, 0.5, 1, i4) |> transpose()
}
# CHECK: y dynamic
# VERIFY: rank tested
graph rank(x: f32[*]) -> y {
    y = quantize(x, 0.1, 5, u4)
}
# Back to the original scale: nothing is left to do, even around moves.
# CHECK: graph canceled
# CHECK: why transpose moves axes 0 and 1, with sizes known only at run time
# VERIFY: canceled {{(proved|sampled)}}
graph canceled(x: i8[N, M]) -> y {
    y = dequantize(x, 0.1, 5) |> transpose() |> quantize(0.1, 5, i8)
}
# Another scale: something is.
# CHECK: graph changed
# CHECK: why dequantize, quantize
# VERIFY: changed {{(proved|sampled)}}
graph changed(x: i8[N, M]) -> y {
    y = dequantize(x, 0.1, 5) |> quantize(0.2, 5, i8)
}
