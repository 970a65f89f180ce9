# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each independent mistake is reported once, and nothing else is.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}3{{$}}
# CHECK: [[FILE]]:[[#@LINE+1]]:11: error: expected ':' before 'f32'
graph f(x f32[2]) -> y {
    a = identity(x)
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: expected ',' or '=' before 'identity'
    b   identity(a)
    c = identity(x)
}
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: expected an expression before '*'
    y = 2 * * 3
    z = y
}
