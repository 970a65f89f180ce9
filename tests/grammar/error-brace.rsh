# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A missing } is reported at the next graph, or at the end; both graphs are read.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}3{{$}}
graph f(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:8: error: expected an expression before end of line
    y =

# CHECK: [[FILE]]:[[#@LINE+2]]:1: error: expected '}' before 'graph'
# CHECK: [[FILE]]:[[#@LINE-5]]:1: note: this graph is not closed
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+2]]:10: error: expected '}' before end of file
    # CHECK: [[FILE]]:[[#@LINE-2]]:1: note: this graph is not closed
    y = x
