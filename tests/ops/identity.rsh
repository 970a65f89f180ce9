# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# identity(x): the value itself, of any shape and element type; also what `y = x` means.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph same(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = identity(x)
}
graph named(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = x
}
graph scalar(x: c64) -> view y {
    # EXPECT y alias [] = 0
    y = identity(x)
}
graph text(x: string[3]) -> view y {
    # EXPECT y alias [3] = x
    y = identity(x)
}
#--- bad.rsh
graph two(x: f32[2], z: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: too many arguments for 'identity'; it only takes tensors
    y = identity(x, z)
}
graph other(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: 'identity' has no argument 'axis'{{.*}}
    y = identity(x, axis=0)
}
