# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Scalars were refused as targets and as inputs (csarofeen/pytorch#2383); a target of rank 2 ended in
# a crash or a message about something else (tensorflow/tflite-micro#2382).
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh

#--- good.rsh
graph to_scalar(x: f32[1, 1, 1]) -> view y: f32[] {
    # EXPECT y alias [] = 0
    y = reshape(x, [])
}
graph from_scalar(x: f32) -> view y: f32[1, 1, 1] {
    # EXPECT y alias [1, 1, 1] = 0
    y = reshape(x, [1, 1, 1])
}
#--- bad.rsh
graph tensor(x: f32[4], s: i64[1, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: {{.*}}has rank 2
    y = reshape(x, s)
}
graph list(x: f32[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: {{.*}}has rank 2
    y = reshape(x, [[1, 4]])
}
