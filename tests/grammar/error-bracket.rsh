# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An unclosed bracket costs only its own statement, however many lines it has.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}5{{$}}
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: expected ',' or ']' before end of line
    a = reshape(x, [2, 3
    b = flatten(a)
    # CHECK: [[FILE]]:[[#@LINE+3]]:17: error: expected ',' or ')' before end of line
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: note: to close this '('
    c = reshape(
          [2, 3]
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: expected ',' or ']' before ')'
    d = reshape(x, [[2], 3)
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: expected end of line before ')'
    e = flatten(d) )
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: expected ',' or ']' before '}'
    y = f(x, [2 }
