# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The least integer has no magnitude of 64 bits: conditions with it are compared as they are.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s -DFILE=%s --implicit-check-not=error:

# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: this condition is never true, given the others: 0 == -9223372036854775808
graph f(x: u8[N, M]) -> y: u8[N, N] where N - M == -9223372036854775808 { y = x }
