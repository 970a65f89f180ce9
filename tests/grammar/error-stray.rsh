# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Characters that belong to no token: one message per run of them, and no follow-up errors.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}4{{$}}
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: stray character 'ö' and 1 more
    a = f(größe, [2])
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: stray character '→' and 1 more
    b = x →→ flatten()
    # CHECK: [[FILE]]:[[#@LINE+1]]:5: error: stray character '@'; there is no product of matrices
    @
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: stray character '!'{{$}}
    c = x ! flatten()
}
