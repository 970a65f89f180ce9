# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# softmax(x): of floats, along the last axis; the shape stays the same.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s --implicit-check-not=error:
graph good(x: f32[2, 3], h: f16[4], s: f64) -> (a: f32[2, 3], b: f16[4], c: f64, d: f32[6]) {
    a = softmax(x)
    b = h |> softmax()
    c = softmax(s)
    d = paddle.reshape(x, [6], act="softmax")
}
graph integers(x: i32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: 'softmax' does not take element type i32; it takes f16, bf16, f32 and f64
    y = softmax(x)
}
graph not_a_view(x: f32[2, 3]) -> view y {
    # CHECK: error: 'y' is declared a view, but softmax needs a copy
    # CHECK: note: softmax causes the copy: elements are computed
    y = softmax(x)
}
graph reads_it(x: f32[2, 3]) -> y {
    # CHECK: error: 't' is declared a view, but softmax needs a copy
    view t = x |> softmax() |> reshape([6])
    y = t
}
