# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lookup(x, table, dtype): the table entry for each integer of up to 8 bits; the first entry is for the lowest number.
# RUN: split-file %s %t && cd %t
# RUN: %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} good.rsh
# RUN: %{reshapec} explain good.rsh | FileCheck good.rsh
# RUN: %{reshapec} verify good.rsh | FileCheck %s --check-prefix=PROVED
# RUN: %{reshapec} verify --emit=c good.rsh | FileCheck %s --check-prefix=PROVED
# PROVED: 7 of 7 graphs verified
# RUN: %{reshapec} verify open.rsh | FileCheck %s --check-prefix=OPEN
# RUN: %{reshapec} verify --emit=c open.rsh | FileCheck %s --check-prefix=OPEN
# OPEN: 2 of 2 graphs verified
# RUN: not %{reshapec} check bad.rsh 2>&1 | FileCheck bad.rsh --implicit-check-not=error:
# A table that appears twice in the text is stored once in the object.
# RUN: %{reshapec} --emit=llvm-ir good.rsh -o - | FileCheck %s --check-prefix=ONCE
# ONCE: = private unnamed_addr constant [4 x i32] [i32 1, i32 -2, i32 3, i32 -4]
# ONCE-NOT: = private unnamed_addr constant [4 x i32] [i32 1, i32 -2, i32 3, i32 -4]

#--- good.rsh
# CHECK-LABEL: graph squares
# CHECK: why transpose moves axes 0 and 1, lookup in the same pass: 7 x 5 elements
graph squares(x: u8[5, 7]) -> y: u8[7, 5] {
    # NUMPY (np.arange(256) ** 2).astype("u1")[x].T
    y = lookup(
        x,
        [
            0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 33, 68, 105, 144, 185, 228, 17, 64,
            113, 164, 217, 16, 73, 132, 193, 0, 65, 132, 201, 16, 89, 164, 241, 64, 145, 228, 57, 144, 233, 68, 161, 0,
            97, 196, 41, 144, 249, 100, 209, 64, 177, 36, 153, 16, 137, 4, 129, 0, 129, 4, 137, 16, 153, 36, 177, 64,
            209, 100, 249, 144, 41, 196, 97, 0, 161, 68, 233, 144, 57, 228, 145, 64, 241, 164, 89, 16, 201, 132, 65, 0,
            193, 132, 73, 16, 217, 164, 113, 64, 17, 228, 185, 144, 105, 68, 33, 0, 225, 196, 169, 144, 121, 100, 81,
            64, 49, 36, 25, 16, 9, 4, 1, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 33, 68,
            105, 144, 185, 228, 17, 64, 113, 164, 217, 16, 73, 132, 193, 0, 65, 132, 201, 16, 89, 164, 241, 64, 145,
            228, 57, 144, 233, 68, 161, 0, 97, 196, 41, 144, 249, 100, 209, 64, 177, 36, 153, 16, 137, 4, 129, 0, 129,
            4, 137, 16, 153, 36, 177, 64, 209, 100, 249, 144, 41, 196, 97, 0, 161, 68, 233, 144, 57, 228, 145, 64, 241,
            164, 89, 16, 201, 132, 65, 0, 193, 132, 73, 16, 217, 164, 113, 64, 17, 228, 185, 144, 105, 68, 33, 0, 225,
            196, 169, 144, 121, 100, 81, 64, 49, 36, 25, 16, 9, 4, 1
        ]
    )
        |> transpose()
}
# The first entry is for -128.
graph signed(x: i8[40]) -> y: u8[40] {
    # NUMPY (np.arange(256) ** 2).astype("u1")[x.astype("i4") + 128]
    y = lookup(
        x,
        [
            0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 33, 68, 105, 144, 185, 228, 17, 64,
            113, 164, 217, 16, 73, 132, 193, 0, 65, 132, 201, 16, 89, 164, 241, 64, 145, 228, 57, 144, 233, 68, 161, 0,
            97, 196, 41, 144, 249, 100, 209, 64, 177, 36, 153, 16, 137, 4, 129, 0, 129, 4, 137, 16, 153, 36, 177, 64,
            209, 100, 249, 144, 41, 196, 97, 0, 161, 68, 233, 144, 57, 228, 145, 64, 241, 164, 89, 16, 201, 132, 65, 0,
            193, 132, 73, 16, 217, 164, 113, 64, 17, 228, 185, 144, 105, 68, 33, 0, 225, 196, 169, 144, 121, 100, 81,
            64, 49, 36, 25, 16, 9, 4, 1, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 33, 68,
            105, 144, 185, 228, 17, 64, 113, 164, 217, 16, 73, 132, 193, 0, 65, 132, 201, 16, 89, 164, 241, 64, 145,
            228, 57, 144, 233, 68, 161, 0, 97, 196, 41, 144, 249, 100, 209, 64, 177, 36, 153, 16, 137, 4, 129, 0, 129,
            4, 137, 16, 153, 36, 177, 64, 209, 100, 249, 144, 41, 196, 97, 0, 161, 68, 233, 144, 57, 228, 145, 64, 241,
            164, 89, 16, 201, 132, 65, 0, 193, 132, 73, 16, 217, 164, 113, 64, 17, 228, 185, 144, 105, 68, 33, 0, 225,
            196, 169, 144, 121, 100, 81, 64, 49, 36, 25, 16, 9, 4, 1
        ],
        dtype=u8
    )
}
graph floats(x: u4[3, 6]) -> y: f32[3, 6] {
    # NUMPY np.array([0, .5, 1, 1.5, 2, 3, 4, 6, -0., -.5, -1, -1.5, -2, -3, np.inf, -6], "f4")[x]
    y = lookup(x, [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, inf, -6], f32)
}
graph few(x: u2[9], z: u2[9]) -> y: i32[9, 2] {
    # NUMPY np.array([1, -2, 3, -4], "i4")[np.stack([x, z], 1)]
    y = stack(lookup(x, [1, -2, 3, -4], i32), lookup(z, table=[1, -2, 3, -4], dtype=i32), axis=1)
}
graph least(x: i2[9]) -> y: i16[9] {
    # NUMPY np.array([-20, -10, 0, 10], "i2")[x.astype("i4") + 2]
    y = lookup(x, [-20, -10, 0, 10], i16)
}
graph shades(x: u1[4, 8]) -> y: u8[4, 8] {
    # NUMPY np.array([255, 0], "u1")[x]
    y = lookup(x, [255, 0], u8)
}
graph words(x: bool[9]) -> y: f64[9] {
    # NUMPY np.array([-1, 1.5])[x.astype("i4")]
    y = lookup(x, [-1.0, 1.5], f64)
}
#--- open.rsh
graph opened(x: i4[N, M]) -> y: u8[M, N] {
    y = transpose(lookup(x, [0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255], u8))
}
graph twice(x: u2[N, 6]) -> y: f32[2*N, 3] {
    y = lookup(lookup(x, [3, 1, 0, 2]), [0.5, 1.0, 2.0, 4.0], f32) |> reshape([-1, 3])
}
#--- bad.rsh
graph wrong(x: u2[3], z: i32[3], b: bool[2]) -> (p, q, r, s, t, u, v) {
    # CHECK: bad.rsh:[[#@LINE+1]]:19: error: 'table' has length 3; 4 is needed
    p = lookup(x, [1, 2, 3])
    # CHECK: bad.rsh:[[#@LINE+1]]:16: error: 'lookup' does not take element type i32; it takes bool and integers of up to 8 bits
    q = lookup(z, [1, 2, 3])
    # CHECK: bad.rsh:[[#@LINE+1]]:29: error: 4 does not fit u2, whose values are 0 to 3
    r = lookup(x, [1, 2, 3, 4])
    # CHECK: bad.rsh:[[#@LINE+1]]:19: error: 'table' takes a list of numbers, inf, nan, true or false; this is an integer
    s = lookup(x, 5)
    # CHECK: bad.rsh:[[#@LINE+1]]:19: error: 'table' has length 1; an entry for each number of bool is needed
    t = lookup(b, [true])
    # CHECK: bad.rsh:[[#@LINE+1]]:9: error: 'lookup' needs the argument 'table'
    u = lookup(x)
    # CHECK: bad.rsh:[[#@LINE+1]]:{{[0-9]+}}: error: 'lookup' does not convert u2 to c64
    v = lookup(x, [1, 2, 3, 4], c64)
}
