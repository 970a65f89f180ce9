# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Decimal numbers only.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}4{{$}}
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '1.5x' is neither a decimal number nor a name
    a = 1.5x
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '0x10' is neither a decimal number nor a name
    b = 0x10
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '1__0' is neither a decimal number nor a name
    c = 1__0
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '2x' is neither a decimal number nor a name
    d = 2x
}
