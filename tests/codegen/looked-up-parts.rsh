# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A lookup also finds how many elements follow in memory, so that they are copied together. `-Os` looks up each element.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} explain %s -Os | FileCheck %s --check-prefix=SMALL
# RUN: %{reshapec} --dump=plan %s | FileCheck %s --check-prefix=PLAN
# RUN: %{reshapec} --emit=c %s -o - -fno-verify | FileCheck %s --check-prefix=C
# RUN: %{reshapec} --emit=c %s -o - -fno-verify | FileCheck %s --check-prefix=DATA
# RUN: %{python} %S/../dynamic/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} verify %s --parallel

# Rows may begin anywhere in the rolled values.
# CHECK: graph rolled(x: i32[H, W]) -> y: i32[H, W]
# CHECK: why {{.*}}: each contiguous part of y is looked up through the last 2 of 4 operators, one by one;
# CHECK: copy 1 element and what follows in memory
# SMALL: graph rolled(
# SMALL: why {{.*}}: each element of y is looked up
# PLAN: graph rolled
# PLAN: copy 4, align 4, in parts
# C: static const int32_t *rolled_stage_0({{.*}}, size_t at, size_t *left
# C: *left = {{.*}};
# C-NEXT: return &x[
# C: static void rolled_kernel(
# C: for (size_t j = 0, part; j < {{.*}}; j += part) {
# C-NEXT: const int32_t *from = rolled_stage_0({{.*}}, &part
# C-NEXT: part = part < {{.*}} - j ? part : {{.*}} - j;
# C-NEXT: memcpy(&y[{{.*}}], from, part * sizeof(int32_t));
# CALL rolled(H=4, W=3, x=arange(12).reshape(4, 3)) is roll(roll(roll(x, 1, 0), 2, 1).reshape(-1), 5).reshape(4, 3)
# CALL rolled(H=100, W=300, x=arange(30000).reshape(100, 300)) is roll(roll(roll(x, 1, 0), 2, 1).reshape(-1), 5).reshape(100, 300)
# CALL rolled(H=1, W=1, x=arange(1).reshape(1, 1)) is x
# CALL rolled(H=0, W=3, x=zeros((0, 3))) is x
graph rolled(x: i32[H, W]) -> y {
    y = roll(x, [1, 2], axes=[0, 1]) |> reshape([H*W]) |> roll(5, axes=0) |> reshape([H, W])
}

# A constant is copied in parts of at most 256 bytes.
# CHECK: graph filled(
# CHECK: why {{.*}}: each contiguous part of y
# DATA: static const uint8_t filled_fill[256] =
# CALL filled(H=3, W=1, x=arange(3, dtype='u1').reshape(3, 1)) is roll(pad(x, ((0, 0), (0, 700)), constant_values=9).reshape(-1), 5).reshape(3, 701)
# CALL filled(H=2, W=0, x=zeros((2, 0), 'u1')) is full((2, 700), 9, 'u1')
graph filled(x: u8[H, W]) -> y {
    y = pad(x, [0, 0, 0, 700], value=9) |> reshape([H*W + 700*H]) |> roll(5, axes=0) |> reshape([H, W + 700])
}

# A part of a constant is a multiple of a row of 12 bytes, too: 252 bytes.
# CHECK: graph rows(
# CHECK: copy 3 elements and what follows in memory
# C: static const int32_t *rows_stage_0(
# C: minimum({{.*}}, 63U);
# CALL rows(H=2, W=0, x=zeros((2, 0, 3))) is full((2, 110, 3), 9)
# CALL rows(H=2, W=1, x=arange(6).reshape(2, 1, 3)) is roll(roll(pad(x, ((0, 0), (0, 110), (0, 0)), constant_values=9), 2, 1).reshape(222, 3), 5, 0).reshape(2, 111, 3)
graph rows(x: i32[H, W, 3]) -> y {
    y = pad(x, [0, 0, 0, 0, 110, 0], value=9)
        |> roll(2, axes=1)
        |> reshape([H*W + 110*H, 3])
        |> roll(5, axes=0)
        |> reshape([H, W + 110, 3])
}

# Each of two lookups may find less than the other.
# CHECK: graph twice(
# CHECK: why {{.*}}: each contiguous part of y
# C: *left = *left < here ? *left : here;
# CALL twice(H=5, W=7, x=arange(35).reshape(5, 7)) is roll(roll(roll(x, 2, 1).reshape(7, 5), 1, 1).reshape(-1), 3).reshape(5, 7)
# CALL twice(H=40, W=200, x=arange(8000).reshape(40, 200)) is roll(roll(roll(x, 2, 1).reshape(200, 40), 1, 1).reshape(-1), 3).reshape(40, 200)
graph twice(x: i32[H, W]) -> y {
    a = roll(x, 2, axes=1) |> reshape([W, H]) |> roll(1, axes=1)
    y = reshape(a, [H*W]) |> roll(3, axes=0) |> reshape([H, W])
}

# Another output computes with each element that it looks up in the same value.
# CHECK: graph both(
# C: &(size_t){0}
# CALL both(H=4, W=3, x=arange(-6, 6).reshape(4, 3)) is roll(roll(x, 1, 1).reshape(-1), 5).reshape(4, 3), abs(roll(roll(x, 1, 1).reshape(-1), 5))
graph both(x: i32[H, W]) -> (y, z) {
    a = roll(x, 1, axes=1) |> reshape([H*W]) |> roll(5, axes=0)
    y = reshape(a, [H, W])
    z = abs(a)
}

# In C, nests may share a loop: one that goes on by parts does not.
# C: static void picked_kernel(
# C: for (size_t i = 0, part; i < 2U; i += part) {
# C-NEXT: const uint8_t *from = picked_stage_0(A, x, 4U + i, &part);
# CALL picked(A=5, x=arange(5, dtype='u1')) is concatenate((x, x))[[2, 0, 9, 0, 4, 5, 0, 0, 4, 0, 1, 4, 1, 0, 1, 6, 3, 6, 1, 4, 8, 7, 8, 6]]
graph picked(x: u8[A]) -> y {
    v = concat([x, x], 0)
    y = gather(v, [2, 0, 9, 0, 4, 5, 0, 0, 4, 0, 1, 4, 1, 0, 1, 6, 3, 6, 1, 4, 8, 7, 8, 6])
}

# A value that is not copied by parts may read one that is.
graph windows(s0: u8[AA, BB], x0: u8[AA + BB, 7 % -4 + 2]) -> (v5, v6) {
    v0 = pad(x0, [0, 7*(((AA + BB) + 6)//7) - (AA + BB)], axes=[0])
    v1 = reshape(v0, shape=[((AA + BB) + 6)//7, 7, 7 % -4 + 2])
    v2 = transpose(v1, [0, 1, 2])
    v3 = flip(v2, axes=[0])
    v4 = transpose(v3, [0, 1, 2])
    v5 = reshape(v4, shape=[7*(((AA + BB) + 6)//7), 7 % -4 + 2])
    v6 = slice(v5, [0], [AA + BB], [0])
}
graph windows_joined(s0: u8[A, B], x0: u8[A + B, 7 % -4 + 2]) -> (v7, v5) {
    v5, v6 = windows(s0, x0)
    v7 = reshape(v6, shape=[-1, 0])
}
