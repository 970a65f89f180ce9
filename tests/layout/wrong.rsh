# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Invalid layouts and strides, with the position in the pattern or the list.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph layouts(
    # KIND: "kind": "not_divisible"
    # CHECK: [[FILE]]:[[#@LINE+1]]:32: error: axis 1 of 'a' (f32[1, 30, 8]) has size 30, which is not a multiple of 16; a layout does not pad
    a: f32[1, 30, 8] layout "n (c 16) w -> n c w 16",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: 'c' is missing on the right; 'layout' moves elements, it does not reduce
    b: f32[2, 3] layout "n c -> n",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:37: error: '2' appears only on the right; a layout contains each element once
    c: f32[2, 3] layout "n c -> n c 2",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:33: error: a layout cannot have sums
    d: f32[2, 3] layout "n c -> (n + c)",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:31: error: a layout describes one tensor: there is one pattern on each side
    e: f32[2, 3] layout "n c, m -> n c, m",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: the pattern has 3 axes on the left but 'f' (f32[2, 3]) has rank 2
    f: f32[2, 3] layout "n c w -> n w c",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: a pattern needs '->', as in
    g: f32[2, 3] layout "n c",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:43: error: 2 appears more often on the right than on the left: give the axes names, such as a=2
    h: f32[2, 6] layout "n (c 2) -> n 2 c 2",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:31: error: the sizes of 'c' and 'd' are both open; give one, such as d=2
    i: f32[2, 6] layout "n (c d) -> n d c",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:37: error: 'm=2' appears only on the right; a layout contains each element once
    j: f32[2, 3] layout "n c -> c n m=2",
) -> y {
    y = transpose(a)
}
graph strides(
    # KIND-NEXT: "kind": "bad_strides"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 1 stride, but memory has 2 axes: [2, 3]
    a: f32[2, 3] strides [3],
    # KIND-NEXT: "kind": "bad_strides"
    # CHECK: [[FILE]]:[[#@LINE+1]]:48: error: 2 strides, but memory has 3 axes: [2, 1, 3]
    b: f32[2, 3] layout "a b -> a 1 b" strides [3, 1],
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: no size is called 'x'
    c: f32[2, 3] strides [x, 1],
    # KIND-NEXT: "kind": "bad_strides"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: whether N-2 is below 0 depends on the symbols
    d: f32[N, 3] strides [N - 2, 1],
    # KIND-NEXT: "kind": "bad_strides"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: whether N//2-3 is below 0 depends on the symbols
    d2: f32[N, 3] strides [N//2 - 3, 1],
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: the addresses do not fit 64 bits
    e: f32[2, 3] strides [9223372036854775807, 9223372036854775807],
) -> y {
    y = transpose(a)
}
graph results(x: f32[4, 6]) -> (
    # KIND-NEXT: "kind": "bad_strides"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: elements of the result would overlap: the axes inside this one take 6
    a: f32[4, 6] strides [5, 1],
    # KIND-NEXT: "kind": "bad_strides"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: elements of the result would overlap: the axes inside this one take 1
    b: f32[4, 6] strides [0, 1],
    # KIND-NEXT: "kind": "bad_strides"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: elements of the result would overlap: the axes inside this one take 6
    c: f32[4, 6] strides [1, 1],
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'a' is missing on the right; 'layout' moves elements, it does not reduce
    d: f32[4, 6] layout "a b -> b",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:35: error: '3' appears only on the right; a layout contains each element once
    e: f32[4, 6] layout "a b -> b 3 a",
    # KIND-NEXT: "kind": "bad_pattern"
    # CHECK: [[FILE]]:[[#@LINE+1]]:35: error: 'c' appears only on the right; a layout contains each element once
    g: f32[4, 6] layout "a b -> b c a",
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: result 'f' is declared f32[6, 4] layout "a (b 4) -> a b 4" but is f32[4, 6]
    f: f32[6, 4] layout "a (b 4) -> a b 4",
) {
    a = x
    b = x
    c = x
    d = x
    e = x
    f = x
    g = x
}
# KIND-NEXT: "kind": "bad_strides"
# CHECK: [[FILE]]:[[#@LINE+1]]:57: error: elements of the result would overlap: the axes inside this one take C, and no condition after 'where' keeps that to 256
graph open_sizes(x: f32[B, C]) -> y: f32[B, C] strides [256, 1] {
    y = x
}
# KIND-NEXT: "kind": "bad_strides"
# KIND-NEXT: "kind": "bad_strides"
# CHECK: [[FILE]]:[[#@LINE+2]]:41: error: in a graph with an input of any rank, the strides of 'x' come from its DLTensor: leave them out
# CHECK: [[FILE]]:[[#@LINE+1]]:85: error: in a graph with an input of any rank, the strides of 'y' come from its DLTensor: leave them out
graph with_tensors(x: i32[3, 4] strides [5, 1], w: f32[*]) -> (y: i32[4, 3] strides [5, 1], z) {
    y = transpose(x)
    z = w
}
# KIND-NOT: kind
