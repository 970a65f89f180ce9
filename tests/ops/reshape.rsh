# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# reshape(x, shape, allowzero=0): the same elements in row-major order under other sizes. It is ONNX's newest Reshape:
# -1 is inferred, 0 copies the size at its own index, and is a size of 0 with allowzero=1. Nothing moves unless x has
# moved already.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph sizes(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [4, 6] = x
    y = reshape(x, [4, 6])
}
graph inferred(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [3, 8] = x
    y = reshape(x, shape=[3, -1])
}
graph copied(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 3, 2, 2] = x
    y = reshape(x, (0, 0, 2, -1))
}
graph piped(x: u8[6]) -> view y {
    # EXPECT y alias [1, 6] = x
    y = x |> reshape([1, 6])
}
graph computed(x: u8[12]) -> view y {
    # EXPECT y alias [4, 3] = x
    y = reshape(x, [2*2, 12/4])
}
graph empty(x: f32[0, 4]) -> view y {
    # EXPECT y alias [4, 0] = empty
    y = reshape(x, [4, 0], allowzero=1)
}
graph scalar(x: f32[1]) -> view y {
    # EXPECT y alias [] = x
    y = reshape(x, [])
}
graph of_moved(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [6, 4] = x.transpose(2, 1, 0)
    y = x |> transpose() |> reshape([6, 4])
}
#--- bad.rsh
graph other(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: 'x' (f32[2, 3, 4]) has 24 elements, target [5, 5] has 25
    y = reshape(x, [5, 5])
}
graph rest(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: 24 elements of 'x' (f32[2, 3, 4]) cannot be divided into target [5, -1]: 24 is not a multiple of 5
    y = reshape(x, [5, -1])
}
graph two(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: second -1 in target [-1, -1] (entries 0 and 1); at most one can be inferred
    y = reshape(x, [-1, -1])
}
graph past(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 0 at entry 3 copies the size of that axis, which 'x' (f32[2, 3, 4]) of rank 3 does not have
    y = reshape(x, [2, 3, 4, 0])
}
graph below(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: size -24 in 'shape'; the least allowed is -1
    y = reshape(x, [-24])
}
graph none(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'reshape' needs a target shape
    y = reshape(x)
}
