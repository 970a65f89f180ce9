# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every tier is run, and the line of each graph says how much that proves.
# RUN: %{reshapec} verify %s > %t.out
# RUN: FileCheck %s --input-file %t.out

# CHECK: chw {{ *}}proved: {{[0-9]+}} runs, up to 4 patterns at 506 placements
# (2352 labels take two bytes, each also with all bits inverted; all 64 offsets of either tensor.)
graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28] {
    y = transpose(x, [2, 0, 1])
}

# CHECK: rows {{ *}}proved: {{[0-9]+}} runs, up to 2 patterns at 122 placements
graph rows(x: f32[64, 28, 28]) -> view y: f32[64, 784] {
    y = flatten(x)
}

# CHECK: heads {{ *}}proved for {{[0-9]+}} choices of sizes, {{[1-9][0-9]*}} of them refused:
graph heads(x: f16[B, S, 96]) -> y: f16[B, 12, S, 8] where S <= 40 {
    y = x |> reshape([0, 0, 12, 8]) |> transpose([0, 2, 1, 3])
}

# CHECK: batches {{ *}}proved for {{[0-9]+}} choices of sizes, {{[1-9][0-9]*}} of them refused:
graph batches(x: u8[N, H, 3]) -> y where N in [1, 8], H % 4 == 0 {
    y = transpose(x)
}

# CHECK: computed {{ *}}sampled: {{[0-9]+}} runs, up to 12 patterns
graph computed(x: f32[4, 5], q: u8[3, 7]) -> (y, z, w) {
    y = transpose(x) |> gelu() |> cast(f16)
    z = q |> cast(f32) |> transpose()
    w = softmax(transpose(x))
}

# CHECK: asked {{ *}}tested for {{[0-9]+}} choices of sizes, {{[1-9][0-9]*}} of them refused:
graph asked(x: f32[B, 6], s: i64[2]) -> y {
    y = reshape(x, s) |> transpose()
}

# CHECK: ranks {{ *}}tested for {{[0-9]+}} choices of sizes, 0 of them refused:
graph ranks(x: i4[*]) -> y {
    y = transpose(x)
}

# CHECK: inplace {{ *}}sampled:
graph inplace(x: f32[4, 6]) -> y {
    y = paddle.reshape(x, [24], act="relu", inplace=True)
}

# CHECK: stored {{ *}}proved:
graph stored(x: u4[3, 5] strides [7, 1], w: f32[8, 32, 3] layout "o (i 16) k -> i k o 16") -> (
    y: u4[5, 3],
    v: f32[3, 8, 32] strides [-300, 32, 1],
) {
    y = transpose(x)
    v = transpose(w, [2, 0, 1])
}

# CHECK: turned {{ *}}proved for
graph turned(x: u16[N]) -> y {
    y = concat(x[3:], x[:3], axis=0)
}

# CHECK: declared {{ *}}proved for {{[0-9]+}} choices of sizes, {{[1-9][0-9]*}} of them refused:
graph declared(x: u16[N, 2]) -> y: u16[3, 2] {
    y = x[:3]
}

# CHECK: object of {{[0-9]+}} bytes for {{.*}}, sha256 {{[0-9a-f]{64}$}}
# CHECK-NEXT: 11 of 11 graphs verified
