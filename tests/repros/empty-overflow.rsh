# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# As in numpy, sizes whose product exceeds 64 bits are refused even if another size is 0. The message names the product.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s
# CHECK: 7:12: error: 'x' has more elements than 64 bits can count, not counting the 0: 4 * 2305843009213693952 * 7
# CHECK: 11:45: error: target [0, 4611686018427387904, 4] has more elements than 64 bits can count, sizes of 0 left out: 4611686018427387904 * 4

graph g(x: u8[4, 0, 2305843009213693952, 7]) -> y {
    y = openvino.reshape(x, [0, 1099511627776, 1], special_zero=false)
}
graph target(x: u8[0]) -> y {
    y = reshape(x, [0, 4611686018427387904, 4], allowzero=1)
}
