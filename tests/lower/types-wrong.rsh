# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Invalid types.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "unknown_type"
# CHECK: [[FILE]]:[[#@LINE+3]]:23: error: unknown element type 'f33'; did you mean 'f32'?
# KIND-NEXT: "kind": "unknown_type"
# CHECK: [[FILE]]:[[#@LINE+1]]:34: error: unknown element type 'float32'; did you mean 'f32'?
graph unknown_type(x: f33[2], y: float32[2]) -> z {
    z = concat(x, y, axis=0)
}
# KIND-NEXT: "kind": "rank_limit"
# CHECK: [[FILE]]:[[#@LINE+1]]:79: error: 17 axes; at most 16 are supported
graph rank_limit(x: u8[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]) -> y {
    y = x
}
# KIND-NEXT: "kind": "bad_dim"
# CHECK: [[FILE]]:[[#@LINE+3]]:21: error: size -1 is below 0
# KIND-NEXT: "kind": "bad_dim"
# CHECK: [[FILE]]:[[#@LINE+1]]:32: error: size -1 is below 0
graph bad_dim(x: u8[-1], y: u8[2 - 3]) -> z {
    z = concat(x, y, axis=0)
}
# KIND-NEXT: "kind": "not_divisible"
# CHECK: [[FILE]]:[[#@LINE+1]]:31: error: B is not divisible by 2; add 'where B % 2 == 0'
graph not_divisible(x: u8[B, B/2]) -> y {
    y = x
}
# KIND-NEXT: "kind": "not_divisible"
# CHECK: [[FILE]]:[[#@LINE+1]]:32: error: division by 0
graph division_by_zero(x: u8[4/0]) -> y {
    y = x
}
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'x' has more elements than 64 bits can count
graph overflow_volume(x: u8[4294967296, 4294967296]) -> y {
    y = x
}
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+3]]:32: error: 'x' has more elements than 64 bits can count
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+1]]:66: error: 'y' has more elements than 64 bits can count
graph overflow_despite_zero(x: u8[0, 4611686018427387904, 4], y: u8[4611686018427387904, 4, 0]) -> z {
    z = x
}
# KIND-NEXT: "kind": "overflow"
# CHECK: [[FILE]]:[[#@LINE+1]]:27: error: this does not fit 64 bits
graph overflow_size(x: u8[4611686018427387904*4]) -> y {
    y = x
}
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+1]]:25: error: '*' means all sizes, so it must be the only entry: write f32[*]
graph any_rank(x: u8[2, *]) -> y {
    y = x
}
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+3]]:24: error: an integer is needed here; this is a list
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+1]]:36: error: an integer is needed here; this is a string
graph wrong_kind(x: u8[[2]], y: u8["2"]) -> z {
    z = x
}
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+3]]:22: error: 'x' is a tensor, but a size is needed here
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+1]]:36: error: 'y' is a tensor, but a size is needed here
graph own_name(x: u8[x], y: u8[3, (y + 1)]) -> z {
    z = concat(x, y, axis=0)
}
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+3]]:19: error: 'None' is not a size; an open size is a name such as N, or '?'
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+1]]:25: error: 'None' is not a size
graph open(x: f32[None, None]) -> y {
    y = x
}
# KIND-NOT: kind
