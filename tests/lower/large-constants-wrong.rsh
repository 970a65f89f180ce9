# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Integers of 2^63 and more are elements only, and only of types that have them.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s

graph g(x: u64[4], w: i64[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: 9223372036854775808 does not fit 64 bits with a sign; only elements may be so large
    _a = reshape(x, [9223372036854775808])
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 9223372036854775808 does not fit 64 bits with a sign
    _b = flip(x, axis=9223372036854775808)
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: 9223372036854775808 does not fit 64 bits with a sign
    _c = x[9223372036854775808:]
    # CHECK: [[FILE]]:[[#@LINE+1]]:15: error: 9223372036854775808 does not fit 64 bits with a sign
    _d = x + (9223372036854775808 - 1)
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: 9223372036854775808 does not fit i64
    _e = w + 9223372036854775808
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: a tensor is needed here; this is an integer
    y = 9223372036854775808
}

# CHECK: [[FILE]]:[[#@LINE+1]]:18: error: 9223372036854775808 does not fit 64 bits with a sign
graph size(x: u8[9223372036854775808]) -> y { y = x }

# CHECK: [[FILE]]:[[#@LINE+1]]:30: error: an alignment is a power of two up to 4096 bytes
graph aligned(x: u8[2] align 9223372036854775808) -> y { y = x }
