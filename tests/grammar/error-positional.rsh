# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# No positional argument follows a named one.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+2]]:33: error: positional argument after a named one
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: note: 'allowzero' is named here
    y = reshape(x, allowzero=1, [2])
}
