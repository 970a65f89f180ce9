# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# reverse_sequence(x, lengths, time_axis=0, batch_axis=1): reverses the first lengths[b] steps of time in batch b; the
# rest stays. The two axes are 0 and 1, in either order.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph time_first(x: f32[4, 3]) -> y {
    # EXPECT y static [4, 3] = 3 1 2 0 4 5 6 7 8 9 10 11
    y = reverse_sequence(x, [2, 1, 0])
}
graph batch_first(x: u8[3, 4]) -> y {
    # EXPECT y static [3, 4] = 3 2 1 0 5 4 6 7 8 9 10 11
    y = reverse_sequence(x, lengths=[4, 2, 1], time_axis=1, batch_axis=0)
}
graph all(x: f32[4, 3, 2]) -> y {
    # EXPECT y static [4, 3, 2] = x[::-1]
    y = reverse_sequence(x, [4, 4, 4])
}
graph alike(x: f32[4, 3]) -> y {
    # EXPECT y static [4, 3] = np.concatenate([x[2::-1], x[3:]])
    y = reverse_sequence(x, [3, 3, 3])
}
graph nothing(x: f32[4, 3]) -> view y {
    # EXPECT y alias [4, 3] = x
    y = reverse_sequence(x, [0, 1, 0])
}
graph and_back(x: f32[4, 3]) -> view y {
    # EXPECT y alias [4, 3] = x
    y = x |> reverse_sequence([4, 2, 3]) |> reverse_sequence([4, 2, 3])
}
graph no_batch(x: f32[4, 0]) -> view y {
    # EXPECT y alias [4, 0] = empty
    y = reverse_sequence(x, [])
}
#--- bad.rsh
graph lengths(x: f32[4, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: 'lengths' has length 2; 3 is needed
    y = reverse_sequence(x, [1, 2])
}
graph too_long(x: f32[4, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:36: error: length 5 on a time axis of size 4 of 'x' (f32[4, 3]); allowed: 0 to 4
    y = reverse_sequence(x, [1, 2, 5])
}
graph axes(x: f32[3, 3]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:50: error: the time axis and the batch axis are both 1
    a = reverse_sequence(x, [1, 2, 3], time_axis=1)
    # CHECK: [[FILE]]:[[#@LINE+1]]:50: error: 'time_axis' is 2; it must be 0 or 1
    b = reverse_sequence(x, [1, 2, 3], time_axis=2)
}
graph rank(x: f32[3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'reverse_sequence' needs rank {{.*}}2; 'x' (f32[3]) has rank 1
    y = reverse_sequence(x, [1, 2, 3])
}
