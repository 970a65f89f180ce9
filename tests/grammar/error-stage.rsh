# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A stage of a pipe is a call.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s --implicit-check-not=warning %s < %t.err

# COUNT: {{^}}7{{$}}
# A value that only such a stage uses is used.
graph used(x: u8[2], z: u8[2]) -> y {
    v = z + 1
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: a stage of a pipe is a call, and '^' binds tighter than '|>': write '(x |> f()) ^ b'
    y = x |> identity(v) ^ 128
}

graph arithmetic(x: u8[2]) -> (a, b) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: a stage of a pipe is a call, and '//' binds tighter than '|>': write '(x |> f()) // b'
    a = x |> flip(0) // 2 |> identity()
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: a stage of a pipe is a call, and '*' binds tighter than '|>': write '(x |> f()) * b'
    b = x |> flip(0) |> identity() * 2 + 3
}

graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: a stage of a pipe is a call: write 'identity()'
    a = x |> identity |> identity()
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: a stage of a pipe is a call: put what is before the '[' in parentheses
    b = x |> identity()[1]
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: a stage of a pipe is a call{{$}}
    c = x |> 2 + 3
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: expected an expression before end of line
    d = x |>

}
