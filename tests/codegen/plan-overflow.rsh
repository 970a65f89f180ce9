# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Known bugs C5 to C8: no code is made for more bytes than a pointer difference can hold; the error gives the number.
# Shapes count elements, so `check` and `explain` accept them.
# RUN: %{reshapec} check %s
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s -o %t.o 2>&1 | FileCheck %s

# 2^61 elements fit in an int64, their bytes do not.
# CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: 'x' has 2305843009213693952 elements of 64 bits: more than the 9223372036854775807 bytes
graph bytes_wrap(x: f64[2305843009213693952]) -> y { y = x[0:4] }

# CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: 'x' has 2305843009213693952 elements of 32 bits
graph one_too_many(x: f32[2305843009213693952]) -> y { y = x[0:4] }

# CHECK: [[#@LINE+1]]:{{[0-9]+}}: error: 'y' has 4611686018427387904 elements of 16 bits
graph result(x: f16[1, 4]) -> y { y = expand(x, [1152921504606846976, 4]) }

# CHECK-NOT: error: 'x'
graph fits(x: f32[65536, 65536], z: f32[2305843009213693951], e: f64[2305843009213693952, 0]) -> (y, w, v) {
    y = x[1:2, :]
    w = z[2305843009213693950:2305843009213693951]
    v = e
}
