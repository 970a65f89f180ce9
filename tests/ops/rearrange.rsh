# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# rearrange(x, "left -> right", name=size ...): einops' patterns. The left side names the axes of x, with parentheses to
# split one; the right side orders them, with parentheses to merge them; 1 is an axis of size 1, and ... is all axes
# without a name.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph heads(x: f32[5, 6]) -> y {
    # EXPECT y static [2, 5, 3] = x.reshape(5, 2, 3).transpose(1, 0, 2)
    y = rearrange(x, "s (h d) -> h s d", h=2)
}
graph pixels(x: u8[4, 5, 3]) -> y {
    # EXPECT y static [1, 3, 4, 5] = x.transpose(2, 0, 1)
    y = rearrange(x, "h w c -> 1 c h w")
}
graph merged(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [6, 4] = x
    y = rearrange(x, "a b c -> (a b) c")
}
graph others(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [4, 2, 3] = x.transpose(2, 0, 1)
    y = rearrange(x, "... c -> c ...")
}
graph ones(x: f32[1, 3, 1]) -> view y {
    # EXPECT y alias [3] = x
    y = rearrange(x, "1 a 1 -> a")
}
graph patches(x: f32[4, 6]) -> y {
    # EXPECT y static [4, 6] = x.reshape(2, 2, 2, 3).transpose(0, 2, 1, 3)
    y = rearrange(x, "(h p) (w q) -> (h w) (p q)", p=2, q=3)
}
#--- bad.rsh
graph rank(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: the pattern has 3 axes on the left but 'x' (f32[2, 3]) has rank 2
    y = rearrange(x, "a b c -> c b a")
}
graph lost(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 'a' is missing on the right; 'rearrange' moves elements, it does not reduce
    y = rearrange(x, "a b -> b")
}
graph rest(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: axis 1 of 'x' (f32[2, 3]) has size 3, which is not a multiple of 2
    y = rearrange(x, "a (b c) -> a b c", b=2)
}
graph open(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: '(' without ')'
    y = rearrange(x, "a (b -> a b")
}
