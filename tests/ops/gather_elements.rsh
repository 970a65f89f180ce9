# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gather_elements(x, i, axis=0): element [a, b] of the result is x[i[a, b], b], on axis 1 x[a, i[a, b]]. Other sizes of
# the indices may be smaller than those of x.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/indices.py %{reshapec} "%{cc}" %t.dir %t/good.rsh | FileCheck %t/good.rsh
# RUN: %{reshapec} verify %t/good.rsh | FileCheck %t/good.rsh --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %t/good.rsh | FileCheck %t/good.rsh --check-prefix=VERIFY
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
# CHECK: , 0 wrong
# VERIFY: 4 of 4 graphs verified

# INDEX i 3
# EXPECT y = np.take_along_axis(x, i, axis=0)
graph first(x: f32[3, 4], i: i64[2, 4]) -> y {
    y = gather_elements(x, i)
}
# INDEX i 4
# EXPECT y = np.take_along_axis(x, i, axis=1)
graph second(x: u8[3, 4, 2], i: i32[3, 5, 2]) -> y {
    y = gather_elements(x, i, axis=-2)
}
# Sizes may be open; a condition says which ones fit.
# SIZES A=3 B=4 K=2 L=5
# SIZES A=3 B=1 K=3 L=1
# SIZES A=2 B=4 K=0 L=3
# INDEX i B
# EXPECT y = np.take_along_axis(x[:K], i, axis=1).T
graph sized(x: f64[A, B], i: i32[K, L]) -> y where K <= A {
    y = gather_elements(x, i, 1) |> transpose()
}
# INDEX i 6
# EXPECT y = x[i]
graph vector(x: i16[6], i: i64[4]) -> y {
    y = gather_elements(x, i)
}

#--- bad.rsh
graph shapes(x: u8[4, 3], i: i32[3], j: i32[3, 4], k: u8[3, 3]) -> (a, b, c, d) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: 'i' (i32[3]) has rank 1, but the first operand 'x' (u8[4, 3]) has rank 2
    a = gather_elements(x, i)
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: axis 1 of 'j' (i32[3, 4]) is 4, but that of the first operand 'x' (u8[4, 3]) is 3
    b = gather_elements(x, j)
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: the indices of 'gather_elements' are i32 or i64; 'k' (u8[3, 3]) is u8
    c = gather_elements(x, k)
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'gather_elements' needs 2 tensors, but 1 is given
    d = gather_elements(x)
}
