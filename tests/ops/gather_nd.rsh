# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gather_nd(x, i, batch_dims=0): the last axis of i holds tuples of indices into the first axes of x; each tuple selects
# a slice over the remaining axes of x. The first batch_dims axes are the same in both.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/indices.py %{reshapec} "%{cc}" %t.dir %t/good.rsh | FileCheck %t/good.rsh
# RUN: %{reshapec} verify %t/good.rsh | FileCheck %t/good.rsh --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %t/good.rsh | FileCheck %t/good.rsh --check-prefix=VERIFY
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
# CHECK: , 0 wrong
# VERIFY: 4 of 4 graphs verified

# INDEX i 4
# EXPECT y = gather_nd(x, i)
graph rows(x: f32[4, 5], i: i64[3, 1]) -> y {
    y = gather_nd(x, i)
}
# INDEX i 3
# EXPECT y = gather_nd(x, i)
graph pairs(x: u8[3, 3, 2], i: i32[2, 4, 2]) -> y {
    y = gather_nd(x, i)
}
# SIZES B=2 K=3 N=4
# SIZES B=0 K=3 N=4
# SIZES B=3 K=1 N=1
# INDEX i N
# EXPECT y = gather_nd(x, i, 1)
graph batches(x: f32[B, N, 5], i: i64[B, K, 1]) -> y {
    y = gather_nd(x, i, batch_dims=1)
}
# INDEX i 3
# EXPECT y = gather_nd(x, i)
graph elements(x: f16[3, 3], i: i32[6, 2]) -> y {
    y = gather_nd(x, i)
}

#--- bad.rsh
graph shapes(x: u8[4, 3], i: i32[3, 3], j: i32[3, K], k: i32[5, 1]) -> (a, b, c, d) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: 'gather_nd' needs rank 3; 'x' (u8[4, 3]) has rank 2
    a = gather_nd(x, i)
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: the last axis of 'j' (i32[3, K]), whose size is the number of indices in a tuple, must be known when compiling
    b = gather_nd(x, j)
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: axis 0 of 'k' (i32[5, 1]) is 5, but that of the first operand 'x' (u8[4, 3]) is 4
    c = gather_nd(x, k, 1)
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: 'batch_dims' is 2; it must be at least 0 and less than 2, the smaller of both ranks
    d = gather_nd(x, k, 2)
}
