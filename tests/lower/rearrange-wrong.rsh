# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The error position in the pattern is underlined.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph sizes(x: f32[8, 6, 1]) -> (a, b, c, d, e, f, g) {
    # KIND: "kind": "not_divisible"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: axis 0 of 'x' (f32[8, 6, 1]) has size 8, which is not a multiple of 3
    a = rearrange(x, "(h p) w c -> h (p w) c", p=3)
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: the sizes of 'h' and 'p' are both open; give one, such as p=2
    b = rearrange(x, "(h p) w c -> h (p w) c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: axis 0 of 'x' (f32[8, 6, 1]) has size 8, but the pattern says 7
    c = rearrange(x, "h w c -> c w h", h=7)
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: axis 1 of 'x' (f32[8, 6, 1]) has size 6, but the pattern says 1
    d = rearrange(x, "h 1 c -> h c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: axis 1 of 'x' (f32[8, 6, 1]) has size 6, but the pattern says 4
    e = rearrange(x, "h (w v) c -> h c w v", w=2, v=2)
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:38: error: axis 'n' appears only on the right; give its size to repeat along it, such as n=2
    f = rearrange(x, "h w c -> h w c n")
    # KIND-NEXT: "kind": "bad_dim"
    # CHECK: [[FILE]]:[[#@LINE+1]]:44: error: size -2 of axis 'n' is below 0
    g = rearrange(x, "h w c -> h w c n", n=-2)
}
graph axes(x: f32[8, 6, 1]) -> (a, b, c, d, e, f, g, h, i) {
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: 'c' is missing on the right; 'rearrange' moves elements, it does not reduce
    a = rearrange(x, "h w c -> h w")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: '...' is missing on the right; 'rearrange' moves elements, it does not reduce
    b = rearrange(x, "... c -> c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: '...' appears only on the right
    c = rearrange(x, "h w c -> h ... w c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: axis 'h' appears twice in one tensor
    d = rearrange(x, "h h c -> h c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:36: error: axis 'w' appears twice in one tensor
    e = rearrange(x, "h w c -> h w w c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: the pattern has 2 axes on the left but 'x' (f32[8, 6, 1]) has rank 3
    f = rearrange(x, "h w -> w h")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: the pattern has at least 4 axes on the left but 'x' (f32[8, 6, 1]) has rank 3
    g = rearrange(x, "h w c d ... -> ...")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: '...' in brackets on the left: its number of axes cannot be determined
    h = rearrange(x, "h (w ...) -> h w ...")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: axis 2 of 'x' (f32[8, 6, 1]) has size 1, but the pattern says 2
    i = rearrange(x, "h w 2 -> h w")
}
graph text(x: f32[8, 6, 1]) -> (a, b, c, d, e, f, g, h, i, j) {
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: a pattern needs '->', as in
    a = rearrange(x, "h w c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:38: error: a second '->'
    b = rearrange(x, "h w c -> h w c -> h")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: '(' without ')'
    c = rearrange(x, "h (w c -> h w c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: ')' without '('
    d = rearrange(x, "h w) c -> h w c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: brackets cannot be nested
    e = rearrange(x, "h ((w) c) -> h w c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: a pattern consists of axes, numbers, brackets, '+', '...' and ','
    f = rearrange(x, "h w/c -> h w c")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: a single '.'; '...' stands for any number of axes
    g = rearrange(x, "h .. -> h ..")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: a tensor can have only one '...'
    h = rearrange(x, "... h ... -> h ...")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: the name of an axis must begin with a letter
    i = rearrange(x, "h w 2c -> h w")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:32: error: the sizes of 'c' and 'd' are both open; give one, such as d=2
    j = rearrange(x, "h w (c + d) -> h w c, h w d")
}
graph arguments(x: f32[8, 6, 1]) -> (a, b, c, d, e, f) {
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'rearrange' takes a tensor and a pattern in quotes, such as "h w -> w h"
    a = rearrange(x)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: 'rearrange' takes a tensor and a pattern in quotes, such as "h w -> w h"
    b = rearrange(x, [0, 1])
    # KIND-NEXT: "kind": "unknown_argument"
    # CHECK: [[FILE]]:[[#@LINE+1]]:40: error: the pattern has no axis 'high'
    c = rearrange(x, "h w c -> c w h", high=8)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:45: error: argument 'h' is given twice
    d = rearrange(x, "h w c -> c w h", h=8, h=8)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:40: error: after the pattern, sizes of axes are given by name, such as h=2
    e = rearrange(x, "h w c -> c w h", 8)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+2]]:42: error: 'x' is a tensor, but a size is needed here
    # CHECK: note: 'x' is defined here
    f = rearrange(x, "h w c -> c w h", h=x)
}
graph limits(x: f32[8, 0]) -> (a, b, c) {
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+2]]:14: error: 'a' is missing on the right; 'rearrange' moves elements, it does not reduce
    a = rearrange(
        x, "(a b c d e f g h i) (j k l m n o p q) -> q", a=1, b=1, c=1, d=1, e=1, f=1, g=1, h=1, i=8, j=0, k=1, l=1,
        m=1, n=1, o=1, p=1, q=1
    )
    # KIND-NEXT: "kind": "ambiguous_infer"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: the size of 'c' cannot be inferred: the other sizes multiply to 0
    b = rearrange(x, "a (b c) -> a b c", b=0)
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: this does not fit 64 bits
    c = rearrange(x, "a b -> a b 99999999999999999999")
}
graph ranks(x: f32[65536]) -> y {
    # KIND-NEXT: "kind": "rank_limit"
    # CHECK: [[FILE]]:[[#@LINE+2]]:13: error: 17 axes inside the brackets; at most 16 are supported
    y = rearrange(
        x, "(a b c d e f g h i j k l m n o p q) -> (a b c d e f g h i j k l m n o q p)", a=1, b=1, c=1, d=1, e=1, f=1,
        g=1, h=1, i=1, j=1, k=1, l=1, m=1, n=1, o=1, p=1
    )
}
# KIND-NOT: kind
