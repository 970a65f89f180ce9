# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Invalid shapes that other systems got wrong; graphs are named after their rows.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "bad_perm"
# CHECK: [[FILE]]:[[#@LINE+2]]:64: error: 'perm' [0, 2, 3, -3] must list each axis from 0 to 3 once; write 1 for -3
# CHECK: note: 'x' is declared here: u8[3, 1, 4, 2]
graph a23(x: u8[3, 1, 4, 2]) -> y { y = transpose(x, [0, 2, 3, -3]) }
# KIND-NEXT: "kind": "zero_with_infer"
# CHECK: [[FILE]]:[[#@LINE+2]]:46: error: literal 0 (entry 0) and -1 (entry 1) together in target [0, -1]
# CHECK: note: 'x' is declared here: u8[0, 4]
graph b6(x: u8[0, 4]) -> y { y = reshape(x, [0, -1], allowzero=1) }
# KIND-NEXT: "kind": "ambiguous_infer"
# CHECK: [[FILE]]:[[#@LINE+2]]:53: error: -1 in target [0, 1, -1] cannot be inferred: the other sizes multiply to 0
# CHECK: note: 'x' is declared here: u8[0, 10]
graph b7(x: u8[0, 10]) -> y { y = reshape(x, [0, 1, -1]) }
# KIND-NEXT: "kind": "volume_mismatch"
# CHECK: [[FILE]]:[[#@LINE+2]]:42: error: 'x' (u8[3]) has 3 elements, target [0] has 0
# CHECK: note: 'x' is declared here: u8[3]
graph b9(x: u8[3]) -> y { y = reshape(x, [0], allowzero=1) }
graph b10(x: u8[4]) -> (a, b, c) {
    # KIND-NEXT: "kind": "multiple_infer"
    # CHECK: [[FILE]]:[[#@LINE+2]]:25: error: second -1 in target [-1, -1] (entries 0 and 1); at most one can be inferred
    # CHECK: note: 'x' is declared here: u8[4]
    a = reshape(x, [-1, -1])
    # KIND-NEXT: "kind": "bad_dim"
    # CHECK: [[FILE]]:[[#@LINE+2]]:21: error: size -2 in 'shape'; the least allowed is -1
    # CHECK: note: 'x' is declared here: u8[4]
    b = reshape(x, [-2, 3])
    # KIND-NEXT: "kind": "zero_out_of_range"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: 0 at entry 1 copies the size of that axis, which 'x' (u8[4]) of rank 1 does not have
    # CHECK: note: 'x' is declared here: u8[4]
    c = reshape(x, [4, 0])
}
graph b11(x: u8[2, 3, 4], s: u8) -> (a, b, c) {
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: axis 4 is outside rank 3 of 'x' (u8[2, 3, 4]); allowed: -3 to 3
    # CHECK: note: 'x' is declared here: u8[2, 3, 4]
    a = flatten(x, 4)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: axis -4 is outside rank 3 of 'x' (u8[2, 3, 4]); allowed: -3 to 3
    # CHECK: note: 'x' is declared here: u8[2, 3, 4]
    b = flatten(x, -4)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: axis 1 is outside rank 0 of 's' (u8); allowed: 0 to 0
    # CHECK: note: 's' is declared here: u8
    c = flatten(s, 1)
}
graph b12(x: u8[2, 3]) -> (a, b) {
    # KIND-NEXT: "kind": "not_one"
    # CHECK: [[FILE]]:[[#@LINE+2]]:17: error: axis 0 of 'x' (u8[2, 3]) has size 2; only axes of size 1 can be squeezed
    # CHECK: note: 'x' is declared here: u8[2, 3]
    a = squeeze(x, 0)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: axis -3 is outside rank 2 of 'x' (u8[2, 3]); allowed: -2 to 1
    # CHECK: note: 'x' is declared here: u8[2, 3]
    b = squeeze(x, -3)
}
# KIND-NEXT: "kind": "duplicate_axis"
# CHECK: [[FILE]]:[[#@LINE+2]]:55: error: 'axes' [1, 1] names one axis twice (entries 0 and 1)
# CHECK: note: 'x' is declared here: u8[3, 4, 5]
graph b13(x: u8[3, 4, 5]) -> y { y = unsqueeze(x, [1, 1]) }
graph b14(x: u8[2, 2], w: u8[2, 3, 4]) -> (a, b, c, d, e, f, g) {
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:26: error: 'perm' [0, 0] must list each axis from 0 to 1 once, but 0 is listed twice
    # CHECK: note: 'x' is declared here: u8[2, 2]
    a = transpose(x, [0, 0])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:26: error: 'perm' [0, 0, 0] must list each axis from 0 to 2 once, but 0 is listed twice
    # CHECK: note: 'w' is declared here: u8[2, 3, 4]
    b = transpose(w, [0, 0, 0])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:26: error: 'perm' [0, 2] must list each axis from 0 to 1 once, but 2 is not an axis
    # CHECK: note: 'x' is declared here: u8[2, 2]
    c = transpose(x, [0, 2])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:22: error: 'perm' has 2 entries but 'w' (u8[2, 3, 4]) has rank 3
    # CHECK: note: 'w' is declared here: u8[2, 3, 4]
    d = transpose(w, [1, 0])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:22: error: 'perm' has 4 entries but 'w' (u8[2, 3, 4]) has rank 3
    # CHECK: note: 'w' is declared here: u8[2, 3, 4]
    e = transpose(w, [0, 1, 2, 3])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:23: error: 'perm' [-1, 0] must list each axis from 0 to 1 once; write 1 for -1
    # CHECK: note: 'x' is declared here: u8[2, 2]
    f = transpose(x, [-1, 0])
    # KIND-NEXT: "kind": "bad_perm"
    # CHECK: [[FILE]]:[[#@LINE+2]]:23: error: 'perm' [4294967296, 0] must list each axis from 0 to 1 once, but 4294967296 is not an axis
    # CHECK: note: 'x' is declared here: u8[2, 2]
    g = transpose(x, [4294967296, 0])
}
# KIND-NEXT: "kind": "bad_shape_rank"
# CHECK: [[FILE]]:[[#@LINE+1]]:61: error: a target shape is a list of integers, as in [2, -1]; this has rank 2
graph b15(x: f32[1, 4], s: i64[1, 4]) -> y { y = reshape(x, s) }
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+2]]:71: error: target [21943, 45817, 30516, 61760, 38987] has more elements than 64 bits can count
# CHECK: note: 'x' is declared here: u8[1]
graph c1(x: u8[1]) -> y { y = reshape(x, [21943, 45817, 30516, 61760, 38987]) }
graph c2(x: u8[5]) -> (a, b) {
    # KIND-NEXT: "kind": "zero_with_infer"
    # CHECK: [[FILE]]:[[#@LINE+2]]:21: error: literal 0 (entry 0) and -1 (entry 4) together in target [0, 1879048192, 100000000, 1610612736, -1]
    # CHECK: note: 'x' is declared here: u8[5]
    a = reshape(x, [0, 1879048192, 100000000, 1610612736, -1], allowzero=1)
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+2]]:47: error: target [0, 1879048192, 100000000, 1610612736, -1] has more elements than 64 bits can count
    # CHECK: note: 'x' is declared here: u8[5]
    b = reshape(x, [0, 1879048192, 100000000, 1610612736, -1])
}
graph c3(x: u8[24]) -> (a, b) {
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: target [5, 3689348814741910328] has more elements than 64 bits can count
    # CHECK: note: 'x' is declared here: u8[24]
    a = reshape(x, [5, 3689348814741910328])
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: target [7, 5270498306774157608] has more elements than 64 bits can count
    # CHECK: note: 'x' is declared here: u8[24]
    b = reshape(x, [7, 5270498306774157608])
}
# KIND-NEXT: "kind": "volume_mismatch"
# CHECK: [[FILE]]:[[#@LINE+2]]:43: error: 'x' (u8[24]) has 24 elements, target [5, 858993464] has 4294967320
# CHECK: note: 'x' is declared here: u8[24]
graph c4(x: u8[24]) -> y { y = reshape(x, [5, 858993464]) }
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+1]]:13: error: 'x' has more elements than 64 bits can count
graph c6(x: i32[4294967296, 4294967296, 16]) -> y { y = x }
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+5]]:13: error: 'x' has more elements than 64 bits can count
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+3]]:50: error: 'v' has more elements than 64 bits can count
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+1]]:84: error: 'w' has more elements than 64 bits can count
graph c7(x: i8[9223372036854775807, 2, 1, 1], v: i8[4611686018427387904, 4, 0], w: i8[0, 4611686018427387904, 4]) -> y {
    y = x
}
graph c11(x: u8[4]) -> (a, b, c) {
    # KIND-NEXT: "kind": "volume_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: 'x' (u8[4]) has 4 elements, target [4294967300] has 4294967300
    # CHECK: note: 'x' is declared here: u8[4]
    a = reshape(x, [4294967300])
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:17: error: axis 4294967296 is outside rank 1 of 'x' (u8[4]); allowed: -1 to 0
    # CHECK: note: 'x' is declared here: u8[4]
    b = flip(x, 4294967296)
    # KIND-NEXT: "kind": "bad_axis"
    # CHECK: [[FILE]]:[[#@LINE+2]]:17: error: axis -9223372036854775808 is outside rank 1 of 'x' (u8[4]); allowed: -1 to 0
    # CHECK: note: 'x' is declared here: u8[4]
    c = flip(x, -9223372036854775808)
}
# KIND-NEXT: "kind": "rank_limit"
# CHECK: [[FILE]]:[[#@LINE+2]]:43: error: 17 axes; 'reshape' takes at most 16
# CHECK: note: 'x' is declared here: u8[4]
graph c12(x: u8[4]) -> y { y = reshape(x, [4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) }
graph c13(x: u8[1, 4, 4, 4]) -> (a, b) {
    # KIND-NEXT: "kind": "bad_block"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: block size 0; at least 1 is needed
    # CHECK: note: 'x' is declared here: u8[1, 4, 4, 4]
    a = space_to_depth(x, 0)
    # KIND-NEXT: "kind": "bad_block"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: block size 0; at least 1 is needed
    # CHECK: note: 'x' is declared here: u8[1, 4, 4, 4]
    b = depth_to_space(x, 0)
}
# KIND-NOT: kind
