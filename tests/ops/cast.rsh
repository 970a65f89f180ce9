# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cast(x, dtype, saturate=true, round_mode="up"): elements of another type, in the pass that moves them.
# RUN: split-file %s %t && cd %t
# RUN: %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} good.rsh
# RUN: %{reshapec} explain good.rsh | FileCheck good.rsh
# RUN: not %{reshapec} check bad.rsh 2>&1 | FileCheck bad.rsh --implicit-check-not=error:
# RUN: not %{reshapec} check view.rsh 2>&1 | FileCheck view.rsh

#--- good.rsh
# CHECK-LABEL: graph planes
# CHECK: why transpose moves axes 0, 1 and 2, cast to f32 in the same pass: 3 x 35 elements
graph planes(x: u8[5, 7, 3]) -> y: f32[1, 3, 5, 7] {
    # NUMPY x.transpose(2, 0, 1)[None].astype("f4")
    y = rearrange(x, "h w c -> 1 c h w") |> cast(f32)
}
# CHECK-LABEL: graph rows
# CHECK: why cast to i16: 24 elements
# CHECK: for 24 x + 1 y + 1
graph rows(x: f64[2, 3, 4]) -> y: i16[2, 12] {
    # NUMPY np.trunc(x).astype("i2").reshape(2, 12)
    y = flatten(cast(x, to=i16))
}
graph backwards(x: f32[3, 4]) -> y: f16[4, 3] {
    # NUMPY x.astype("f2").T[::-1]
    y = x |> cast(f16) |> transpose() |> flip(0)
}
graph joined(x: i8[3], z: u8[4]) -> y: f32[7] {
    # NUMPY np.concatenate([x.astype("f4"), z.astype("f4")])
    y = concat(cast(x, f32), cast(z, f32), 0)
}
graph chain(x: f64[6]) -> y: u8[6] {
    # NUMPY np.abs(x).astype("f4").astype("i4").astype("u1")
    y = x |> abs() |> cast(f32) |> cast(i32) |> cast(u8)
}
graph truth(x: f32[6]) -> y: bool[6] {
    # NUMPY x != 0
    y = cast(x, bool)
}
graph one(x: i64) -> y: f32 {
    # NUMPY x.astype("f4")
    y = cast(x, f32)
}
graph none(x: i64[0, 3]) -> y: f32[3, 0] {
    # NUMPY x.astype("f4").T
    y = transpose(cast(x, f32))
}
# CHECK-LABEL: graph undone
# CHECK: y alias
# CHECK: why all 4 operators cancel: element i of y is element i of x
graph undone(x: u8[4, 6]) -> view y: u8[3, 8] {
    # NUMPY x.reshape(3, 8)
    y = x |> cast(f32) |> reshape([3, 8]) |> cast(f64) |> cast(u8)
}
# CHECK-LABEL: graph same
# CHECK: y alias
graph same(x: f32[4, 6]) -> view y {
    # NUMPY x
    y = cast(x, f32)
}
#--- bad.rsh
graph complex(x: c64[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:17: error: 'cast' does not convert c64 to f32
    y = cast(x, f32)
}
graph text(x: f32[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:17: error: 'cast' does not convert f32 to string
    y = cast(x, string)
}
graph mode(x: f32[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:36: error: unknown mode "even"; 'cast' has "up", "down" and "nearest"
    y = cast(x, f8e8m0, round_mode="even")
}
graph missing(x: f32[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:9: error: 'cast' needs the argument 'dtype'
    y = cast(x)
}
graph unknown(x: f32[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:17: error: unknown element type 'float'; did you mean 'f32'?
    y = cast(x, float)
}
graph integers(x: i32[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:14: error: 'tanh' does not take element type i32; it takes f16, bf16, f32 and f64
    y = tanh(x)
}
#--- view.rsh
graph copied(x: u8[4]) -> view y {
    # CHECK: error: 'y' is declared a view, but cast needs a copy
    # CHECK: note: cast causes the copy: elements change their type
    y = cast(x, f32)
}
