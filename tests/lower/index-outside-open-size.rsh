# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The indices that an axis allows are known if its size is.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s -DFILE=%s --implicit-check-not=error: --match-full-lines

# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: index 5 is outside an axis of size N of 'x' (u8[N])
graph open(x: u8[N]) -> y where N <= 3 { y = gather(x, [5]) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: index 5 is outside an axis of size 3 of 'x' (u8[3]); allowed: -3 to 2
graph known(x: u8[3]) -> y { y = gather(x, [5]) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: index -1 is outside an axis of size 0 of 'x' (u8[0]), which has no elements
graph none(x: u8[0]) -> y { y = gather(x, [-1]) }
