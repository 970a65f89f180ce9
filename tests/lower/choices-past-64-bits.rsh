# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# N is 2^63 if -N is the least integer: no size is so large, so that choice is none.
# RUN: %{reshapec} --dump=graph %s | FileCheck %s

graph negated(x: u8[N]) -> y where -N in [-9223372036854775808, -4, -6] {
    # CHECK: where -N in [-9223372036854775808, -4, -6]
    # CHECK-NEXT: y: u8[N/2, 2] = reshape(%0, shape=[N/2, 2])
    y = reshape(x, [N/2, 2])
}
