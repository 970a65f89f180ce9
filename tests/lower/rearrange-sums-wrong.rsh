# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sums, several tensors and sizes inside a pattern: possible errors, with the position in the pattern.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph sizes(x: f32[2, 10], z: f32[2, 3], s: f32[S]) -> (a, b, c, d, e, f) {
    # KIND: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:33: error: the sizes of 'q' and 'k' are both open; give one, such as k=2
    a, _ = rearrange(x, "n (q + k) -> n q, n k")
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: axis 1 of 'x' (f32[2, 10]) has size 10, but the other parts of the pattern take 12
    b, _ = rearrange(x, "n (q + k) -> n q, n k", q=12)
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: axis 1 of 'x' (f32[2, 10]) has size 10, but the pattern says 9
    c, _ = rearrange(x, "n (q + k) -> n q, n k", q=4, k=5)
    # KIND-NEXT: "kind": "not_divisible"
    # CHECK: [[FILE]]:[[#@LINE+1]]:31: error: axis 1 of 'x' (f32[2, 10]) has size 10; this leaves 10 for 'q', which is not a multiple of 3
    d, _, _ = rearrange(x, "n (q + q + q) -> n q, n q, n q")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:33: error: axis 1 of 'z' (f32[2, 3]) has size 3, but the pattern says 10
    e = rearrange(x, z, "n a, m a -> (n + m) a")
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: axis 0 of 's' (f32[S]) has size S, but the other parts of the pattern take S+1
    f, _ = rearrange(s, "(q + k k2=2) -> q, k k2", q=S + 1)
}
graph pieces(x: f32[2, 10], z: f32[2, 3]) -> (a, b, c, d, e) {
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 'n k' on the left is missing on the right, which has 'n q'
    a = rearrange(x, "n (q + k) -> n q", q=4)
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:37: error: nothing is left for 'n k': the left has 'n k', and each can be used only once
    b = rearrange(x, "n k -> n (k + k)")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:38: error: nothing is left for 'k n': the left has 'n k', and each can be used only once
    c, _ = rearrange(x, "n k -> n k, k n")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:45: error: nothing is left for 'n c': the left has 'n a', 'n b', and each can be used only once
    d = rearrange(x, z, "n a, n b -> n (a + c)", c=2)
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:35: error: 'n...' is [2, 10] in 'x' (f32[2, 10]) and [3] in 'z' (f32[2, 3])
    e = rearrange(x, z, "n... , a n... -> (n...)")
}
graph counts(x: f32[2, 10], z: f32[2, 3]) -> (a, b, c) {
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: the pattern has 1 tensor on the left, but 2 are given
    a = rearrange(x, z, "n k -> k n")
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: the pattern has 2 tensors on the left, but 1 is given
    b = rearrange(x, "n k, n q -> n (k + q)")
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:5: error: 1 name for 2 results
    c = rearrange(x, "n (q + k) -> n q, n k", q=4)
}
graph text(x: f32[2, 10]) -> (a, b, c, d, e, f, g, h, i, j, k) {
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: a sum belongs in brackets: (q + k)
    a = rearrange(x, "n + k -> n k")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: '+' belongs between two axes, as in (q + k)
    b = rearrange(x, "n (+ k) -> n k")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: '+' belongs between two axes, as in (q + k)
    c = rearrange(x, "n (k + ) -> n k")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: '+' belongs between two axes, as in (q + k)
    d = rearrange(x, "n (k + + q) -> n k")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: axis 'k' appears twice in one tensor
    e = rearrange(x, "n (k k=2) -> n k")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: '=' needs a number after it, such as h=2
    f = rearrange(x, "n (k=a 2) -> n k")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:38: error: axis 'c' has two sizes: 5, and 2 here
    g = rearrange(x, "n (k c=5) -> n c=2 k")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:46: error: axis 'c' has two sizes: 5 in the pattern, and 2 here
    h = rearrange(x, "n (k c=5) -> n c k", c=2)
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:40: error: 2 appears more often on the right than on the left: give the axes names, such as a=2
    i = rearrange(x, "n (k 2) -> n k 2 2")
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: an axis of size 0 needs a name
    j = rearrange(x, "n 0 -> n")
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: this does not fit 64 bits
    k = rearrange(x, "n (k c=99999999999999999999) -> n k c")
}
# KIND-NOT: kind
