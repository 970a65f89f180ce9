# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `lod` after the type of a result is a promise; after the type of an input, it is a requirement for callers.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s --implicit-check-not=error:
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "no_lod"
# CHECK: [[FILE]]:[[#@LINE+2]]:47: error: result 'y' is declared lod but has no sequence offsets
# CHECK: [[FILE]]:[[#@LINE+3]]:19: note: reshape keeps them only if the rows of 'z' (f32[6, 2, 4]) stay as they are
graph lost(x: f32[6, 8] lod) -> y: f32[12, 4] lod {
    z = reshape(x, [6, 2, 4])
    y = flip(z |> reshape([12, 4]), 1)
}
# KIND-NEXT: "kind": "no_lod"
# CHECK: [[FILE]]:[[#@LINE+2]]:68: error: result 'y' is declared lod but has no sequence offsets
# CHECK: [[FILE]]:[[#@LINE+2]]:5: note: the first tensor it is computed from is not an input declared lod
graph second(x: f32[6, 8], z: f32[6, 8] lod) -> y: f32[2, 6, 8, 1] lod {
    y = stack(x, z) |> unsqueeze(-1)
}
# KIND-NEXT: "kind": "bad_rank"
# CHECK: [[FILE]]:[[#@LINE+1]]:21: error: 'x' is a scalar; offsets count along a first axis
graph scalar(x: f32 lod) -> y {
    y = unsqueeze(x, 0)
}
graph good(x: f32[T, 8] lod) -> y: f32[T, 8] lod {
    y = flip(x, 1)
}
# KIND-NEXT: "kind": "no_lod"
# CHECK: [[FILE]]:[[#@LINE+3]]:14: error: 'good' takes 'x' with sequence offsets, but 'a' (f32[6, 8]) has none
# CHECK: [[FILE]]:[[#@LINE-5]]:12: note: 'x' is declared lod here
graph caller(a: f32[6, 8]) -> y {
    y = good(a)
}
