# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two unknown sizes of one group were still given values (llvm/llvm-project#109650, iree-org/iree#17760). They are not
# determined.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph pattern(x: f32[12, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}size
    y = rearrange(x, "(a b) c -> a b c")
}
graph target(x: f32[12, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: second -1
    y = reshape(x, [-1, -1, 5])
}
