# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A view that a layout or strides turn into a copy.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

# CHECK: [[FILE]]:[[#@LINE+2]]:60: error: 'y' is declared a view, but the layout of 'x' needs a copy
# CHECK: [[FILE]]:[[#@LINE+1]]:9: note: 'x' is f32[2, 3, 4, 5] layout "n c h w -> n h w c"
graph a(x: f32[2, 3, 4, 5] layout "n c h w -> n h w c") -> view y: f32[2, 60] {
    y = flatten(x)
}
# CHECK: [[FILE]]:[[#@LINE+2]]:32: error: 'y' is declared a view, but the layout of 'y' needs a copy
# CHECK: [[FILE]]:[[#@LINE+2]]:5: note: 'y' is f32[2, 3, 4, 5] layout "n c h w -> n h w c"
graph b(x: f32[2, 3, 4, 5]) -> view y: f32[2, 3, 4, 5] layout "n c h w -> n h w c" {
    y = x
}
# CHECK: [[FILE]]:[[#@LINE+2]]:41: error: 'y' is declared a view, but the strides of 'x' need a copy
# CHECK: [[FILE]]:[[#@LINE+1]]:9: note: 'x' is f32[4, 6] strides [8, 1]
graph c(x: f32[4, 6] strides [8, 1]) -> view y {
    y = flatten(x)
}
# CHECK: [[FILE]]:[[#@LINE+2]]:26: error: 'y' is declared a view, but the strides of 'y' need a copy
# CHECK: [[FILE]]:[[#@LINE+2]]:5: note: 'y' is f32[4, 6] strides [8, 1]
graph d(x: f32[4, 6]) -> view y: f32[4, 6] strides [8, 1] {
    y = x
}
# The layout is undone first: the error is the transpose's.
# CHECK: [[FILE]]:[[#@LINE+2]]:60: error: 'y' is declared a view, but transpose needs a copy
# CHECK: [[FILE]]:[[#@LINE+2]]:51: note: transpose of f32[2, 20, 3] causes the copy on axes 0 and 1: it moves axes
graph e(x: f32[2, 3, 4, 5] layout "n c h w -> n h w c") -> view y {
    y = x |> rearrange("n c h w -> n (h w) c") |> transpose([1, 0, 2])
}
# CHECK-NOT: error
# A result of a called graph has no name here.
# CHECK: [[FILE]]:[[#@LINE+1]]:35: error: the result is declared a view, but transpose needs a copy
graph first_half(x: f32[A, B]) -> view y {
    y = x[:A//2]
}
# CHECK: [[FILE]]:[[#@LINE+2]]:20: note: transpose of f32[A, B] causes the copy on axes 0 and 1: it moves axes
graph f(x: f32[A, B]) -> y {
    y = first_half(transpose(x)) |> transpose()
}
# It has one if a statement gives it one. The error is where the view is required.
# CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 'half' is declared a view, but transpose needs a copy
graph upper(x: f32[A, B]) -> view y {
    y = x[:A//2]
}
graph h(x: f32[A, B]) -> y {
    half = upper(transpose(x))
    y = transpose(half)
}
