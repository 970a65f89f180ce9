# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The value of a statement has a name.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:5: error: the value of this expression is not used: give it a name, as in 'y = ...'
    flatten(x)
    y = x
}
