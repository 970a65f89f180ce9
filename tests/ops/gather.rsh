# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gather(x, indices, axis=0): the entries of an axis at constant indices, -d to d-1 of an axis of size d. The
# shape of the indices takes the place of the axis: an integer drops it, nested lists make several. For a tensor of indices see
# tests/indices/gather.rsh.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph rows(x: f32[4, 3]) -> y {
    # EXPECT y static [3, 3] = x[[3, 0, 0]]
    y = gather(x, [3, 0, 0])
}
graph columns(x: u8[4, 3]) -> y {
    # EXPECT y static [4, 2] = x[:, [2, 0]]
    y = gather(x, indices=[-1, 0], axis=1)
}
graph one(x: f32[4, 3]) -> view y {
    # EXPECT y alias [3] = x[2]
    y = gather(x, -2)
}
graph list_of_one(x: f32[4, 3]) -> view y {
    # EXPECT y alias [1, 3] = x[2:3]
    y = gather(x, [2])
}
graph nested(x: f32[4, 3]) -> y {
    # EXPECT y static [4, 2, 2] = x[:, [[0, 2], [1, 0]]]
    y = gather(x, [[0, 2], [1, 0]], axis=-1)
}
graph deep(x: i64[5]) -> view y {
    # EXPECT y alias [2, 1, 2] = 1 2 3 4
    y = gather(x, [[[1, 2]], [[3, 4]]])
}
graph in_order(x: f32[6, 2]) -> view y {
    # EXPECT y alias [3, 2] = x[2:5]
    y = gather(x, [2, 3, 4])
}
graph halves(x: f32[8, 2]) -> y {
    # EXPECT y static [8, 2] = x[[0, 4, 1, 5, 2, 6, 3, 7]]
    y = gather(x, [0, 4, 1, 5, 2, 6, 3, 7])
}
graph repeated(x: f32[4, 2]) -> y {
    # EXPECT y static [6, 2] = x[[1, 1, 1, 3, 3, 3]]
    y = gather(x, [1, 1, 1, 3, 3, 3])
}
graph and_back(x: f32[4, 2]) -> view y {
    # EXPECT y alias [4, 2] = x
    y = x |> gather([2, 0, 3, 1]) |> gather([1, 3, 0, 2])
}
graph none(x: f32[4, 2]) -> (view y, view z) {
    # EXPECT y alias [0, 2] = empty
    y = gather(x, [])
    # EXPECT z alias [4, 2, 0] = empty
    z = gather(x, [[], []], axis=1)
}
graph none_of_none(x: f32[0, 2]) -> view y {
    # EXPECT y alias [0, 2] = empty
    y = gather(x, [])
}
#--- bad.rsh
graph past(x: f32[4, 3]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: index 4 is outside an axis of size 4 of 'x' (f32[4, 3]); allowed: -4 to 3
    a = gather(x, [0, 4])
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: index -4 is outside an axis of size 3 of 'x' (f32[4, 3]); allowed: -3 to 2
    b = gather(x, [[0, 1], [-4, 1]], axis=1)
}
graph empty(x: f32[0, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: index 0 is outside an axis of size 0 of 'x' (f32[0, 3]), which has no elements
    y = gather(x, 0)
}
graph ragged(x: f32[4, 3]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: nested lists of 'indices' must have equal lengths; this one has 1 entry, the first 2
    a = gather(x, [[0, 1], [2]])
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: nested lists of 'indices' must have equal depths; this is an integer
    b = gather(x, [[0, 1], 2])
}
graph scalar(x: f32) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: error: 'gather' needs rank {{.*}}1; 'x' (f32) has rank 0
    y = gather(x, 0)
}
graph axis(x: f32[4, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: axis 2 is outside rank 2 of 'x' (f32[4, 3]); allowed: -2 to 1
    y = gather(x, 0, axis=2)
}
