# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Integers only, and decimal ones.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}4{{$}}
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '1.5' is not a decimal integer
    a = 1.5
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '0x10' is not a decimal integer
    b = 0x10
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '1__0' is not a decimal integer
    c = 1__0
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '2x' is not a decimal integer
    d = 2x
}
