# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A stage of a pipe is a call.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}4{{$}}
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: a stage of a pipe is a call: write 'identity()'
    a = x |> identity |> identity()
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: a stage of a pipe is a call: put what is before the '[' in parentheses
    b = x |> identity()[1]
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: a stage of a pipe is a call
    c = x |> 2 + 3
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: expected an expression before end of line
    d = x |>

}
