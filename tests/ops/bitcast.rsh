# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bitcast(x, dtype): the same bits as another type, like numpy's view: nothing moves, and functions of elements before
# and after it each see their own type.
# RUN: split-file %s %t && cd %t
# RUN: %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} good.rsh
# RUN: %{reshapec} explain good.rsh | FileCheck good.rsh
# RUN: %{reshapec} good.rsh --header good.h -o good.o && FileCheck %s --check-prefix=HEADER < good.h
# RUN: %{reshapec} verify good.rsh | FileCheck %s --check-prefix=PROVED
# RUN: %{reshapec} verify --emit=c good.rsh | FileCheck %s --check-prefix=PROVED
# RUN: not %{reshapec} check bad.rsh 2>&1 | FileCheck bad.rsh --implicit-check-not=error:
# PROVED: 9 of 9 graphs verified
# The address is in the input's memory, and the type is the input's.
# HEADER: static inline const float *words_y(const float *x) { return x; }

#--- good.rsh
# CHECK-LABEL: graph words
# CHECK: y alias
graph words(x: f32[2, 3]) -> view y: i32[2, 3] {
    # NUMPY x.view("i4")
    y = bitcast(x, i32)
}
# CHECK-LABEL: graph moved
# CHECK: why transpose moves axes 0 and 1: 6 x 4 elements
graph moved(x: f32[4, 6]) -> y: u32[6, 4] {
    # NUMPY np.ascontiguousarray(x.T).view("u4")
    y = x |> transpose() |> bitcast(u32)
}
graph made(x: u8[5, 7]) -> y: f32[7, 5] {
    # NUMPY x.astype("i4").view("f4").T
    y = x |> cast(i32) |> bitcast(f32) |> transpose()
}
# A round trip is not a no-op, although f32 holds every i16.
graph there(x: i16[4, 5]) -> y: i16[4, 5] {
    # NUMPY x.astype("f4").view("i4").astype("i2")
    y = x |> cast(f32) |> bitcast(i32) |> cast(i16)
}
graph magnitude(x: f64[4, 5]) -> y: f64[5, 4] {
    # NUMPY np.abs(x).view("i8").astype("f8").T
    y = x |> abs() |> bitcast(to=i64) |> cast(f64) |> transpose()
}
graph joined(x: i32[4, 5], z: f32[4, 5]) -> y: i32[4, 10] {
    # NUMPY np.concatenate([x, z.view("i4")], 1)
    y = concat(x, bitcast(z, i32), axis=1)
}
graph filled(x: f32[4, 5]) -> y: i32[6, 5] {
    # NUMPY np.pad(x, ((1, 1), (0, 0)), constant_values=1.5).view("i4")
    y = x |> pad([1, 0, 1, 0], value=1.5) |> bitcast(i32)
}
graph staged(x: f32[7, 9], z: f32[7, 9]) -> y: u32[14, 9] {
    # NUMPY np.concatenate([x, z], 1).reshape(9, 14).T.copy().view("u4")
    y = concat(x, z, axis=1) |> reshape([9, 14]) |> transpose() |> bitcast(u32)
}
graph sizes(x: f64[2, 3]) -> y: u64[3, 2] {
    # NUMPY x.T.copy().view("u8")
    y = transpose(bitcast(x, u64))
}
#--- bad.rsh
graph wide(x: i16[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:17: error: 'x' (i16[3]) needs a last axis of 2 to be elements of f32; it has 3{{$}}
    y = bitcast(x, f32)
}
# NumPy's view joins adjacent elements of the last axis.
graph joined(w: u4[5, 64, 128]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:17: error: 'w' (u4[5, 64, 128]) needs a last axis of 2 to be elements of u8; it has 128; reshape it to [0, 0, -1, 2] first
    y = bitcast(w, u8)
}
# CHECK: bad.rsh:[[#@LINE+1]]:33: error: result 'y' is declared u8[N, K//2] but is u8[N]
graph opened(w: u4[N, K]) -> y: u8[N, K//2] {
    # CHECK: bad.rsh:[[#@LINE+1]]:5: note: 'y' is computed here; bitcast removes the last axis: reshape the operand to [0, -1, 2] first
    y = bitcast(w, u8)
}
graph scalar(x: i16[]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:17: error: 'bitcast' needs rank 1{{[,;].*}}'x' (i16) has rank 0
    y = bitcast(x, f32)
}
graph pairs(x: c64[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:20: error: 'bitcast' does not convert c64 to i64: neither may be complex or string
    y = bitcast(x, i64)
}
graph text(x: string[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:20: error: 'bitcast' does not convert string to u64
    y = bitcast(x, u64)
}
graph missing(x: f32[3]) -> y {
    # CHECK: bad.rsh:[[#@LINE+1]]:9: error: 'bitcast' needs the argument 'dtype'
    y = bitcast(x)
}
