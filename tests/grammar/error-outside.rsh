# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Between graphs there is nothing; what stands there is reported in one piece.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}3{{$}}
# CHECK: [[FILE]]:[[#@LINE+1]]:1: error: statements stand inside a graph
x = load("in.npy")
y = x |> flatten()
save(y, "out.npy")

graph a(x: f32[2]) -> y { y = x };

# CHECK: [[FILE]]:[[#@LINE+1]]:1: error: expected 'graph' before 'grahp'; did you mean 'graph'?
grahp b(x: f32[2]) -> y {
    y = = x
}
graph c(x: f32[2]) -> y { y = x }
# CHECK: [[FILE]]:[[#@LINE+1]]:1: error: expected 'graph' before '}'
}
