# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Declared types of values that contradict the computed ones.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph wrong(x: f32[2, B], v: f32[B, 6], a: u8[3], end: i64[1]) -> y {
    # KIND: "kind": "type_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: value '_a' is declared f16[2, B] but is f32[2, B]
    # CHECK: note: '_a' is computed here
    _a: f16[2, B] = flip(x, [0])
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: value '_b' is declared f32[2] but is f32[2, B]
    _b: f32[2] = flip(x, [0])
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: error: value '_c' is declared f32[2, B + 1] but is f32[2, B]
    _c: f32[2, B + 1] = flip(x, [0])
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: error: no size is called 'C'
    _d: f32[2, C] = flip(x, [0])
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: value '_' is declared f32[B, 4] but is f32[B, 3]
    _e: f32[B, 3], _: f32[B, 4] = split(v, parts=2, axis=1)
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: value '_f' is declared u8[4] but is u8[0..3]
    _f: u8[4] = slice(a, [0], end)
    # KIND-NEXT: "kind": "unknown_type"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: unknown element type 'f33'
    _g: f33[2, B] = flip(x, [0])
    # KIND-NEXT: "kind": "no_lod"
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: value '_h' is declared lod but has no sequence offsets
    _h: f32[2, B] lod = flip(x, [0])
    y = transpose(x)
}
# KIND-NOT: kind
