# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Other expectations, in words.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: error: expected '(' before '+'
    a = onnx.f + 1
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: expected an expression, '...' or ':' before ']'
    b = x[]
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: expected ',', ':' or ']' before '='
    c = x[a=1]
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: expected end of line before 'if'
    d = x if 3
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: expected an expression before '='
    view = = 3
}
