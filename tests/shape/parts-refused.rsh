# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Invalid slice, split, concat, stack, expand and block operators.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph bad_length(x: f32[4, 5]) -> (a, b) {
    # KIND: "kind": "bad_length"
    # CHECK: [[FILE]]:[[#@LINE+2]]:38: error: 'ends' has length 1; 2 is needed
    # CHECK: note: 'x' is declared here: f32[4, 5]
    a = slice(x, starts=[0, 0], ends=[1])
    # KIND-NEXT: "kind": "bad_length"
    # CHECK: [[FILE]]:[[#@LINE+2]]:56: error: 'steps' has length 2; 1 is needed
    # CHECK: note: 'x' is declared here: f32[4, 5]
    b = slice(x, starts=[0], ends=[1], axes=[0], steps=[1, 1])
}
graph bad_step(x: f32[4, 5]) -> y {
    # KIND-NEXT: "kind": "bad_step"
    # CHECK: [[FILE]]:[[#@LINE+2]]:57: error: the step of a slice cannot be 0
    # CHECK: note: 'x' is declared here: f32[4, 5]
    y = slice(x, starts=[0], ends=[1], axes=[0], steps=[0])
}
graph bad_parts(x: f32[4, 5]) -> (a, b, c, d, e, f, g, h) {
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+2]]:35: error: 'sizes' [1, 2] add up to 3, but the axis of 'x' (f32[4, 5]) has size 4
    # CHECK: note: 'x' is declared here: f32[4, 5]
    a, b = split(x, axis=0, sizes=[1, 2])
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+2]]:32: error: 0 parts; at least 1 is needed
    # CHECK: note: 'x' is declared here: f32[4, 5]
    c = split(x, axis=0, parts=0)
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+2]]:32: error: 'sizes' is empty; at least 1 part is needed
    # CHECK: note: 'x' is declared here: f32[4, 5]
    h = split(x, axis=0, sizes=[])
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+2]]:12: error: an axis of size 5 of 'x' (f32[4, 5]) cannot be split into 2 equal parts; give 'sizes'
    # CHECK: note: 'x' is declared here: f32[4, 5]
    d, e = split(x, axis=1)
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+2]]:35: error: 'split' takes 'parts' or 'sizes', not both
    # CHECK: note: 'x' is declared here: f32[4, 5]
    f, g = split(x, axis=0, parts=2, sizes=[2, 2])
}
graph bad_parts_uneven(x: f32[5]) -> (a, b, c, d) {
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+2]]:33: error: an axis of size 5 of 'x' (f32[5]) cannot be split into 4 parts
    # CHECK: note: 'x' is declared here: f32[5]
    a, b, c, d = split(x, parts=4)
}
graph negative_part(x: f32[4]) -> (a, b) {
    # KIND-NEXT: "kind": "bad_parts"
    # CHECK: [[FILE]]:[[#@LINE+2]]:31: error: a part cannot have size -1
    # CHECK: note: 'x' is declared here: f32[4]
    a, b = split(x, sizes=[5, -1])
}
graph not_broadcastable(x: f32[4, 5]) -> (a, b) {
    # KIND-NEXT: "kind": "not_broadcastable"
    # CHECK: [[FILE]]:[[#@LINE+2]]:23: error: size 5 of 'x' (f32[4, 5]) cannot be broadcast to 6
    # CHECK: note: 'x' is declared here: f32[4, 5]
    a = expand(x, [4, 6])
    # KIND-NEXT: "kind": "not_broadcastable"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: size 4 of 'x' (f32[4, 5]) cannot be broadcast to 0
    # CHECK: note: 'x' is declared here: f32[4, 5]
    b = expand(x, [0, 5])
}
graph bad_dim(x: f32[4, 5]) -> y {
    # KIND-NEXT: "kind": "bad_dim"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: size -1 in 'shape'; the least allowed is 0
    # CHECK: note: 'x' is declared here: f32[4, 5]
    y = expand(x, [-1, 5])
}
graph shape_mismatch(x: f32[4, 5], y: f32[4, 6], z: f32[4]) -> (a, b, c) {
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:19: error: axis 1 of 'y' (f32[4, 6]) is 6, but that of the first operand 'x' (f32[4, 5]) is 5
    # CHECK: note: 'y' is declared here: f32[4, 6]
    a = concat(x, y, axis=0)
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:19: error: 'z' (f32[4]) has rank 1, but the first operand 'x' (f32[4, 5]) has rank 2
    # CHECK: note: 'z' is declared here: f32[4]
    b = concat(x, z, axis=0)
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:18: error: axis 1 of 'y' (f32[4, 6]) is 6, but that of the first operand 'x' (f32[4, 5]) is 5
    # CHECK: note: 'y' is declared here: f32[4, 6]
    c = stack(x, y)
}
graph type_mismatch(x: f32[4, 5], y: i32[4, 5]) -> (a, b) {
    # KIND-NEXT: "kind": "type_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:22: error: 'y' (i32[4, 5]) has element type i32, but the first operand 'x' (f32[4, 5]) has f32
    # CHECK: note: 'y' is declared here: i32[4, 5]
    a = concat(x, x, y, axis=0)
    # KIND-NEXT: "kind": "type_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:18: error: 'x' (f32[4, 5]) has element type f32, but the first operand 'y' (i32[4, 5]) has i32
    # CHECK: note: 'x' is declared here: f32[4, 5]
    b = stack(y, x)
}
graph bad_rank(x: f32[4, 5], s: f32) -> (a, b, c) {
    # KIND-NEXT: "kind": "bad_rank"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: 'depth_to_space' needs rank 4; 'x' (f32[4, 5]) has rank 2
    # CHECK: note: 'x' is declared here: f32[4, 5]
    a = depth_to_space(x, blocksize=2)
    # KIND-NEXT: "kind": "bad_rank"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: 'space_to_depth' needs rank 4; 'x' (f32[4, 5]) has rank 2
    # CHECK: note: 'x' is declared here: f32[4, 5]
    b = space_to_depth(x, 2)
    # KIND-NEXT: "kind": "bad_rank"
    # CHECK: [[FILE]]:[[#@LINE+2]]:16: error: 'concat' needs rank 1; 's' (f32) has rank 0
    # CHECK: note: 's' is declared here: f32
    c = concat(s, s, axis=0)
}
graph bad_block(x: f32[1, 6, 4, 5]) -> (a, b, c) {
    # KIND-NEXT: "kind": "bad_block"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: block size 2, squared, does not divide size 6 of 'x' (f32[1, 6, 4, 5])
    # CHECK: note: 'x' is declared here: f32[1, 6, 4, 5]
    a = depth_to_space(x, 2)
    # KIND-NEXT: "kind": "bad_block"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: block size 2 does not divide size 5 of 'x' (f32[1, 6, 4, 5])
    # CHECK: note: 'x' is declared here: f32[1, 6, 4, 5]
    b = space_to_depth(x, 2)
    # KIND-NEXT: "kind": "bad_block"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: block size 0; at least 1 is needed
    # CHECK: note: 'x' is declared here: f32[1, 6, 4, 5]
    c = depth_to_space(x, 0)
}
graph bad_mode(x: f32[1, 8, 4, 4]) -> y {
    # KIND-NEXT: "kind": "bad_mode"
    # CHECK: [[FILE]]:[[#@LINE+2]]:35: error: unknown mode "dcr"; 'depth_to_space' has "DCR" and "CRD"
    # CHECK: note: 'x' is declared here: f32[1, 8, 4, 4]
    y = depth_to_space(x, 2, mode="dcr")
}
graph rank_limit(x: f32[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]) -> (a, b) {
    # KIND-NEXT: "kind": "rank_limit"
    # CHECK: [[FILE]]:[[#@LINE+2]]:22: error: 17 axes; 'unsqueeze' takes at most 16
    # CHECK: note: 'x' is declared here: f32[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]
    a = unsqueeze(x, 0)
    # KIND-NEXT: "kind": "rank_limit"
    # CHECK: [[FILE]]:[[#@LINE+2]]:15: error: 17 axes; 'stack' takes at most 16
    # CHECK: note: 'x' is declared here: f32[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]
    b = stack(x, x)
}
graph overflow(x: u8[1, 4294967296], y: u8[4611686018427387904], z: f32[1, 1]) -> (a, b, c) {
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+2]]:19: error: the result has more elements than 64 bits can count
    # CHECK: note: 'x' is declared here: u8[1, 4294967296]
    a = expand(x, [4294967296, 1])
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+2]]:19: error: with 'y' (u8[4611686018427387904]) the result has more elements than 64 bits can count
    # CHECK: note: 'y' is declared here: u8[4611686018427387904]
    b = concat(y, y, axis=0)
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+2]]:19: error: the result has more elements than 64 bits can count
    # CHECK: note: 'z' is declared here: f32[1, 1]
    c = expand(z, [4611686018427387904, 4])
}
# KIND-NOT: kind
