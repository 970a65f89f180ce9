# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# split(x, axis=0, parts=N) or split(x, axis=0, sizes=[...]): several results. With parts the last one gets the
# remainder; without both, as many equal parts as there are names.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph halves(x: f32[4, 6]) -> (a, b) {
    # EXPECT a alias [2, 6] = x[:2]
    # EXPECT b alias [2, 6] = x[2:]
    a, b = split(x)
}
graph columns(x: f32[4, 6]) -> (a, b, c) {
    # EXPECT a static [4, 1] = x[:, :1]
    # EXPECT b static [4, 2] = x[:, 1:3]
    # EXPECT c static [4, 3] = x[:, 3:]
    a, b, c = split(x, axis=-1, sizes=[1, 2, 3])
}
graph uneven(x: f32[5]) -> (a, b) {
    # EXPECT a alias [3] = x[:3]
    # EXPECT b alias [2] = x[3:]
    a, b = split(x, parts=2)
}
graph by_onnx_names(x: f32[5]) -> (a, b) {
    # EXPECT a alias [1] = x[:1]
    # EXPECT b alias [4] = x[1:]
    a, b = split(x, split=[1, 4])
}
graph nothing(x: f32[5]) -> (a, b) {
    # EXPECT a alias [0] = empty
    # EXPECT b alias [5] = x
    a, b = split(x, sizes=[0, 5])
}
graph some(x: f32[6]) -> b {
    # EXPECT b alias [2] = x[2:4]
    _, b, _ = split(x, parts=3)
}
#--- bad.rsh
graph sum(x: f32[5]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: 'sizes' [2, 2] add up to 4, but the axis of 'x' (f32[5]) has size 5
    a, b = split(x, sizes=[2, 2])
}
graph negative(x: f32[5]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: a part cannot have size -1
    a, b = split(x, sizes=[-1, 6])
}
graph rest(x: f32[5]) -> (a, b, c, d) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:33: error: an axis of size 5 of 'x' (f32[5]) cannot be split into 4 parts
    a, b, c, d = split(x, parts=4)
}
graph unequal(x: f32[5]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: an axis of size 5 of 'x' (f32[5]) cannot be split into 2 equal parts
    a, b = split(x)
}
graph names(x: f32[6]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:5: error: 2 names for 3 results
    a, b = split(x, parts=3)
}
graph both(x: f32[5]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: 'split' takes 'parts' or 'sizes', not both
    a, b = split(x, parts=2, sizes=[2, 3])
}
