# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# concat(a, b, ..., axis): joins tensors of the same rank and element type along an axis; the other sizes must be
# equal.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph rows(a: f32[2, 3], b: f32[1, 3]) -> y {
    # EXPECT y static [3, 3] = np.concatenate([a, b])
    y = concat(a, b, axis=0)
}
graph columns(a: f32[2, 3], b: f32[2, 1]) -> y {
    # EXPECT y static [2, 4] = np.concatenate([a, b], 1)
    y = concat(a, b, axis=-1)
}
graph three(a: u8[2], b: u8[0], c: u8[3]) -> y {
    # EXPECT y static [5] = np.concatenate([a, c])
    y = concat(a, b, c, axis=0)
}
graph moved(a: f32[2, 3], b: f32[2, 3]) -> y {
    # EXPECT y static [3, 4] = np.concatenate([a.T, b.T], 1)
    y = concat(transpose(a), transpose(b), axis=1)
}
graph itself(a: f32[2, 3]) -> y {
    # EXPECT y static [4, 3] = np.concatenate([a, a])
    y = concat(a, a, axis=0)
}
graph one(a: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = a
    y = concat(a, axis=1)
}
graph together_again(a: f32[6, 2]) -> view y {
    # EXPECT y alias [6, 2] = a
    p, q = split(a, sizes=[2, 4])
    y = concat(p, q, axis=0)
}
#--- bad.rsh
graph sizes(a: f32[2, 3], b: f32[2, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: axis 1 of 'b' (f32[2, 4]) is 4, but that of the first operand 'a' (f32[2, 3]) is 3
    y = concat(a, b, axis=0)
}
graph ranks(a: f32[2, 3], b: f32[3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: 'b' (f32[3]) has rank 1, but the first operand 'a' (f32[2, 3]) has rank 2
    y = concat(a, b, axis=0)
}
graph types(a: f32[2, 3], b: i32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: 'b' (i32[2, 3]) has element type i32, but the first operand 'a' (f32[2, 3]) has f32
    y = concat(a, b, axis=0)
}
graph scalars(a: f32, b: f32) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: error: 'concat' needs rank {{.*}}1; 'a' (f32) has rank 0
    y = concat(a, b, axis=0)
}
graph past(a: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: axis 2 is outside rank 2 of 'a' (f32[2, 3]); allowed: -2 to 1
    y = concat(a, a, axis=2)
}
graph axis(a: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'concat' needs the argument 'axis'
    y = concat(a, a)
}
