# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# dequantize(x, scale, zero_point, dtype): (x - zero_point) * scale.
# RUN: split-file %s %t
# RUN: cd %t && %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:
# RUN: %{reshapec} explain %t/sizes.rsh | FileCheck %t/sizes.rsh
# RUN: %{reshapec} verify %t/sizes.rsh | FileCheck %t/sizes.rsh --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %t/sizes.rsh | FileCheck %t/sizes.rsh --check-prefix=VERIFY

#--- good.rsh
graph bytes(x: u8[3, 4]) -> y {
    # NUMPY ((x.astype("f4") - 3) * np.float32(0.25)).T
    y = dequantize(x, 0.25, 3) |> transpose()
}
graph sums(x: i32[3, 4]) -> y {
    # NUMPY x.astype("f4") * np.float32(0.1)
    y = dequantize(x, scale=0.1)
}
graph half(x: i8[3, 4]) -> y {
    # NUMPY ((x.astype("f4") + 7) * np.float32(np.float16(0.1))).astype("f2")
    y = dequantize(x, 0.1, -7, f16)
}
#--- bad.rsh
graph types(x: f32[2], u: u32[2], y: i8[2]) -> (a, b, c) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: 'dequantize' does not take element type f32; it takes i32, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f4e2m1 and integers of up to 16 bits
    a = dequantize(x, 0.5)
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: 'dequantize' does not take element type u32
    b = dequantize(u, 0.5)
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: 'dequantize' does not convert i8 to f64
    c = dequantize(y, 0.5, dtype=f64)
}
graph constants(x: i32[2], f: f8e4m3fn[2]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: 'zero_point' is 3; for floats and i32 it must be 0
    a = dequantize(x, 0.5, 3)
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'dequantize' needs the argument 'scale'
    b = dequantize(f)
}
#--- sizes.rsh
# CHECK: y symbolic
# CHECK: why transpose moves axes 0 and 1, dequantize in the same pass
# VERIFY: open {{(proved|sampled)}}
graph open(x: u8[N, M]) -> y {
    y = transpose(x) |> dequantize(0.1, 128)
}
# VERIFY: nibbles {{(proved|sampled)}}
graph nibbles(x: i4[N, 8]) -> y {
    y = dequantize(x, 0.5, 1, bf16) |> transpose()
}
# CHECK: y dynamic
# VERIFY: rank tested
graph rank(x: f8e5m2[*]) -> y {
    y = dequantize(x, 0.1)
}
