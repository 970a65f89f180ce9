# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# = in a condition is read as ==.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

# CHECK: [[FILE]]:[[#@LINE+1]]:33: error: '=' is not a comparison; write '=='
graph g(x: f32[H]) -> y where H = 3 {
    y = x
}
# CHECK-NOT: error:
