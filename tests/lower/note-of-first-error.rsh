# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A call reports its first error. A later one does not add its note to it.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --implicit-check-not=note: -DFILE=%s
graph given_twice(x: f32[4, 3]) -> (y, z) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: 'axis' takes an integer; this is a list
    y, z = split(x, [1, 3], axis=0)
}
