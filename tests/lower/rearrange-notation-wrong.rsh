# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Patterns that einops or einx rejects, with the position in the pattern.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph names(x: f32[4, 6]) -> (a, b, c, d) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: the name of an axis cannot begin or end with '_'
    a = rearrange(x, "a _ -> _ a")
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: the name of an axis cannot begin or end with '_'
    b = rearrange(x, "_a b -> b _a")
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: the name of an axis cannot begin or end with '_'
    c = rearrange(x, "a_ b -> b a_")
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: a pattern consists of axes, numbers, brackets, '+', '...' and ','
    d = rearrange(x, "a² b -> b a²")
}
graph dots(x: f32[4, 6]) -> (a, b, c, d) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: '...' is missing on the right; 'rearrange' moves elements, it does not reduce
    a = rearrange(x, "a b ... -> b a")
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: a space is missing after '...'
    b = rearrange(x, "...a b -> a b ...")
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: a number is one axis, so '...' cannot follow it
    c = rearrange(x, "a 6... -> a 6")
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: a pattern consists of axes, numbers, brackets, '+', '...' and ','
    d = rearrange(x, "a\tb -> b a")
}
graph brackets(x: f32[4, 6]) -> (a, b, c, d) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:31: error: a sum belongs in one pair of brackets: (q + k + v)
    a = rearrange(x, "(a + (b + c)) d -> a d, b d, c d")
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: brackets cannot be nested
    b = rearrange(x, "(a + (b) c) d -> a d, b c d")
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: these brackets are empty
    c = rearrange(x, "(a + ()) d -> a d, d")
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: '(' without ')'
    d = rearrange(x, "(a + (b c -> a, b c")
}
graph repeated(x: f32[4, 6, 8]) -> (a, b, c) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:36: error: 's' stands for several axes: write s...
    a = rearrange(x, "(s ds)... -> s ds...", ds=2)
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 'x' (f32[4, 6, 8]) has rank 3, which does not fit what is before '...'
    b = rearrange(x, "s... ds... -> (s ds)...")
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: the number of axes of '...' after a bracket cannot be determined
    c = rearrange(x, "... (s ds)... -> s... ds... ...", ds=2)
}
graph stored(w: u8[N], x: f32[2*N + 1] layout "(a 4) -> 4 a") -> y {
    # CHECK: [[FILE]]:[[#@LINE-1]]:48: error: axis 0 of 'x' (f32[2*N+1]) has size 2*N+1, which is not a multiple of 4; a layout does not pad
    y = identity(x)
}
