# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Declared results that contradict the computed ones.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "undefined_result"
# CHECK: [[FILE]]:[[#@LINE+1]]:42: error: result 'y' is never assigned: write 'y = ...'
graph undefined_result(x: f32[2, 3]) -> (y, z) {
    z = x
}
# KIND-NEXT: "kind": "type_mismatch"
# CHECK: [[FILE]]:[[#@LINE+2]]:41: error: result 'y' is declared f16[2, 3] but is f32[2, 3]
# CHECK: note: 'y' is computed here
graph type_mismatch(x: f32[2, 3]) -> y: f16[2, 3] {
    y = x
}
# KIND-NEXT: "kind": "shape_mismatch"
# CHECK: [[FILE]]:[[#@LINE+8]]:43: error: result 'a' is declared f32[2] but is f32[2, B]
# CHECK: note: 'a' is computed here
# KIND-NEXT: "kind": "shape_mismatch"
# CHECK: [[FILE]]:[[#@LINE+5]]:58: error: result 'b' is declared f32[3, B] but is f32[2, B]
# CHECK: note: 'b' is computed here
# KIND-NEXT: "kind": "shape_mismatch"
# CHECK: [[FILE]]:[[#@LINE+2]]:75: error: result 'c' is declared f32[2, B + 1] but is f32[2, B]
# CHECK: note: 'c' is computed here
graph shape_mismatch(x: f32[2, B]) -> (a: f32[2], b: f32[3, B], c: f32[2, B + 1]) {
    a = x
    b = x
    c = x
}
# KIND-NEXT: "kind": "unknown_name"
# CHECK: [[FILE]]:[[#@LINE+1]]:47: error: no size is called 'C'
graph unknown_name(x: f32[2, 3]) -> y: f32[2, C] {
    y = x
}
# The bounds of a size that data decides are known.
# KIND-NEXT: "kind": "shape_mismatch"
# CHECK: [[FILE]]:[[#@LINE+2]]:53: error: result 'y' is declared u8[4] but is u8[0..3]
# CHECK: note: 'y' is computed here
graph out_of_bounds(x: u8[3], end: i64[1]) -> y: u8[4] {
    y = slice(x, [0], end)
}
# A remainder and a multiple of 2 are known at entry, and are never so.
# KIND-NEXT: "kind": "shape_mismatch"
# CHECK: [[FILE]]:[[#@LINE+5]]:68: error: result 'r' is declared u8[16] but is u8[A-16*(A//16)]
# CHECK: note: 'r' is computed here
# KIND-NEXT: "kind": "shape_mismatch"
# CHECK: [[FILE]]:[[#@LINE+2]]:79: error: result 's' is declared u8[7] but is u8[4*A-2*(A//2)]
# CHECK: note: 's' is computed here
graph never(a: u8[A], x: u8[A % 16], z: u8[3*A + A % 2]) -> (r: u8[16], s: u8[7]) {
    r = flip(x, [0])
    s = flip(z, [0])
}
# KIND-NOT: kind
