# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A mistake in a header costs only the header; the body is still read.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}6{{$}}
# CHECK: [[FILE]]:[[#@LINE+1]]:20: error: expected ',' or ']' before ')'
graph a(x: f32[2, 3) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:5: error: expected a statement before '='
    = x
}
# CHECK: [[FILE]]:[[#@LINE+1]]:20: error: expected '->' before '{'
graph b(x: f32[2]) { y = x }
# CHECK: [[FILE]]:[[#@LINE+1]]:7: error: expected a name before '('
graph (x: f32[2]) -> y { y = x }
# CHECK: [[FILE]]:[[#@LINE+2]]:1: error: expected 'where', ':' or '{' before 'graph'
graph c(x: f32[2]) -> y
graph d(x: f32[2]) -> y { y = x }
# CHECK: [[FILE]]:[[#@LINE+1]]:33: error: expected a comparison before '{'
graph e(x: f32[H]) -> y where H {
    y = x
}
