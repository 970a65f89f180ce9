# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Integers fit 64 bits.
# RUN: not %{reshapec} check %s 2> %t.err; grep -c "error:" %t.err | FileCheck %s --check-prefix=COUNT && FileCheck -DFILE=%s %s < %t.err

# COUNT: {{^}}4{{$}}
graph g(x: f32[2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 18446744073709551616 does not fit 64 bits
    a = 18446744073709551616
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: 18446744073709551616 does not fit 64 bits
    b = 1 - 18446744073709551616
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: 1000000000000000000000000000000 does not fit 64 bits
    c = -1000000000000000000000000000000
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 12345678901234567890... (60 characters) does not fit 64 bits
    d = 123456789012345678901234567890123456789012345678901234567890
}
