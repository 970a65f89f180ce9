# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An operator's name always means the operator; a note points out an earlier graph of that name.
# RUN: %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph flip(x: f32[2]) -> y {
    y = flip(x, axis=0)
}
graph f(x: f32[2]) -> y {
    # KIND: "kind": "shadowed"
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: warning: 'flip' means the operator here, not the graph of that name
    # CHECK: note: the graph is defined here
    y = flip(x, axis=0)
}
# KIND-NOT: kind
