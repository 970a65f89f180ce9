# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ; ends a statement inside brackets, too.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: expected ',' or ')' before ';'
    y = reshape(x, 2; z = x
}
# CHECK-NOT: error:
