# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A gather whose result no output needs is not computed, so wrong indices are no error, which verify knows in every tier.
# RUN: %{reshapec} verify %s | FileCheck %s

# CHECK: {{^}}static {{ *}}proved for
graph static(x: f32[2, 5, 1], i: i64) -> y {
    _ = gather(x, i, axis=1)
    y = flip(x, 0)
}
# CHECK: {{^}}symbolic {{ *}}proved for
graph symbolic(x: f32[N, 5, 1], i: i64) -> y {
    _ = gather(x, i, axis=1)
    y = flip(x, 0)
}
# CHECK: {{^}}any_rank {{ *}}tested for
graph any_rank(x: f32[*], i: i64) -> y {
    _ = gather(x, i, axis=1)
    y = flip(x, 0)
}
# CHECK: {{^}}dynamic {{ *}}tested for
graph dynamic(x: f32[N, 5, 1], i: i64, t: i64[2]) -> y {
    g = gather(x, i, axis=1)
    _ = flip(g, 0)
    y = reshape(x, t)
}
