# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Between graphs there are only statements and imports; a misspelled graph is reported as a whole.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}5{{$}}
x = load("in.npy")
# CHECK: [[FILE]]:[[#@LINE+1]]:19: error: expected ',' or ')' before end of line
y = x |> flatten(x
save(y, "out.npy")

graph a(x: f32[2]) -> y { y = x };

# CHECK: [[FILE]]:[[#@LINE+1]]:1: error: expected 'graph' before 'grahp'; did you mean 'graph'?
grahp b(x: f32[2]) -> y {
    y = = x
}
graph c(x: f32[2]) -> y { y = x }
# CHECK: [[FILE]]:[[#@LINE+1]]:1: error: this '}' closes no graph
}
# CHECK: [[FILE]]:[[#@LINE+1]]:1: error: expected a statement before '{'
{
    y = x
}
# CHECK: [[FILE]]:[[#@LINE+1]]:8: error: expected ',', a string or '=' before 'other'
import other
