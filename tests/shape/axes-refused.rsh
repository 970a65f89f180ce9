# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Axes that an operand does not have, or that are listed twice.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph bad_axis(x: f32[4, 5], s: f32) -> (a, b, c, d, e, f, g, h, i, j) {
    # KIND: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:29: error: axis 2 is outside rank 2 of 'x' (f32[4, 5]); allowed: -2 to 1
    # CHECK: note: 'x' is declared here: f32[4, 5]
    a = squeeze(x, axes=[0, 2])
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:31: error: axis 4 is outside rank 4 of the result; allowed: -4 to 3
    # CHECK: note: 'x' is declared here: f32[4, 5]
    b = unsqueeze(x, axes=[0, 4])
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:25: error: axis 3 is outside rank 2 of 'x' (f32[4, 5]); allowed: -2 to 2
    # CHECK: note: 'x' is declared here: f32[4, 5]
    c = flatten(x, axis=3)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: axis 1 is outside rank 0 of 's' (f32); allowed: 0 to 0
    # CHECK: note: 's' is declared here: f32
    d = flatten(s)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:22: error: axis -3 is outside rank 2 of 'x' (f32[4, 5]); allowed: -2 to 1
    # CHECK: note: 'x' is declared here: f32[4, 5]
    e = flip(x, axes=-3)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:46: error: axis 2 is outside rank 2 of 'x' (f32[4, 5]); allowed: -2 to 1
    # CHECK: note: 'x' is declared here: f32[4, 5]
    f = slice(x, starts=[0], ends=[1], axes=[2])
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: axis 2 is outside rank 2 of 'x' (f32[4, 5]); allowed: -2 to 1
    # CHECK: note: 'x' is declared here: f32[4, 5]
    g = concat(x, x, axis=2)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:26: error: axis 3 is outside rank 3 of the result; allowed: -3 to 2
    # CHECK: note: 'x' is declared here: f32[4, 5]
    h = stack(x, x, axis=3)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:23: error: axis 2 is outside rank 2 of 'x' (f32[4, 5]); allowed: -2 to 1
    # CHECK: note: 'x' is declared here: f32[4, 5]
    i = split(x, axis=2, parts=1)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:17: error: axis 0 is outside rank 0 of 's' (f32), which has no axes
    # CHECK: note: 's' is declared here: f32
    j = flip(s, 0)
}
graph duplicate_axis(x: f32[4, 5]) -> (a, b, c) {
    # KIND-NEXT: "kind": "duplicate_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:31: error: 'axes' [0, -4] names one axis twice (entries 0 and 1)
    # CHECK: note: 'x' is declared here: f32[4, 5]
    a = unsqueeze(x, axes=[0, -4])
    # KIND-NEXT: "kind": "duplicate_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:55: error: 'axes' [1, -1] names one axis twice (entries 0 and 1)
    # CHECK: note: 'x' is declared here: f32[4, 5]
    b = slice(x, starts=[0, 0], ends=[1, 1], axes=[1, -1])
    # KIND-NEXT: "kind": "duplicate_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:26: error: 'axes' [1, 1] names one axis twice (entries 0 and 1)
    # CHECK: note: 'x' is declared here: f32[4, 5]
    c = flip(x, axes=[1, 1])
}
graph bad_perm(x: f32[4, 5, 6]) -> (a, b, c, d, e) {
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: 'perm' has 2 entries but 'x' (f32[4, 5, 6]) has rank 3
    # CHECK: note: 'x' is declared here: f32[4, 5, 6]
    a = transpose(x, perm=[1, 0])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:34: error: 'perm' [0, 1, 1] must list each axis from 0 to 2 once, but 1 is listed twice
    # CHECK: note: 'x' is declared here: f32[4, 5, 6]
    b = transpose(x, perm=[0, 1, 1])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:34: error: 'perm' [0, 1, 3] must list each axis from 0 to 2 once, but 3 is not an axis
    # CHECK: note: 'x' is declared here: f32[4, 5, 6]
    c = transpose(x, perm=[0, 1, 3])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:34: error: 'perm' [0, 1, -1] must list each axis from 0 to 2 once; write 2 for -1
    # CHECK: note: 'x' is declared here: f32[4, 5, 6]
    d = transpose(x, perm=[0, 1, -1])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: 'perm' has 0 entries but 'x' (f32[4, 5, 6]) has rank 3
    # CHECK: note: 'x' is declared here: f32[4, 5, 6]
    e = transpose(x, perm=[])
}
graph not_one(x: f32[4, 1]) -> y {
    # KIND-NEXT: "kind": "not_one"
    # CHECK: [[FILE]]:[[#@LINE+2]]:17: error: axis 0 of 'x' (f32[4, 1]) has size 4; only axes of size 1 can be squeezed
    # CHECK: note: 'x' is declared here: f32[4, 1]
    y = squeeze(x, axes=[1, 0])
}
graph unknown_axis(x: f32[4, B]) -> c {
    # KIND-NEXT: "kind": "unknown_size"
    # CHECK: [[FILE]]:[[#@LINE+2]]:23: error: 'flip' depends on how B and 0 compare, which is known only at run time
    # CHECK: note: 'x' is declared here: f32[4, B]
    c = flip(x, axes=[B])
}
# KIND-NOT: kind
