# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A result that cannot be computed in its input's memory is refused, with the reason.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s -DFILE=%s
# RUN: not %{reshapec} check --json %s | FileCheck %s --check-prefix=JSON
# JSON: "kind": "not_in_place"

# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: in no order is each element read before it is overwritten
graph part(x: f32[4, 6]) -> inplace y { y = x[:, 1:4] |> flip(1) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: in no order is each element read before it is overwritten
graph rolled_twice(x: f32[4, 6]) -> inplace y { y = roll(x, [1, 2], axes=[0, 1]) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: elements smaller than a byte cannot be exchanged
graph rolled_nibbles(x: u4[4, 6]) -> inplace y { y = roll(x, 1, axis=1) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: in no order is each element read before it is overwritten
graph changed(x: f32[4, 6]) -> inplace y { y = transpose(relu(x)) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: elements smaller than a byte cannot be exchanged
graph nibbles(x: u4[4, 6]) -> inplace y { y = transpose(x) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: elements smaller than a byte cannot be moved one by one
graph single_nibbles(x: u4[4, 6]) -> inplace y { y = x[:, 1:4] }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: it is not made from an input
graph of_none(x: u8[4, 6]) -> inplace y { y = pad(x[:0], [0, 0, 4, 0], value=1) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: 'softmax' first moves rows to memory where it computes them, which cannot be that of an input
graph kept(x: f32[4, 6]) -> inplace y { y = softmax(x) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: which elements 'gather' picks is known only at run time
graph picked(x: f32[4, 6], i: i64[4]) -> inplace y { y = gather(x, i) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: 'z' also reads 'x'
graph crop_of_two(x: f32[4, 6]) -> (inplace y, z) {
    y = x[:, 1:3]
    z = flip(x, 0)
}
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: in no order is each element read before it is overwritten
graph open(x: f32[N, 6]) -> inplace y { y = x[:, 1:4] |> transpose() }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: how elements move is known only at run time
graph unknown(x: f32[N, 6]) -> inplace y { y = squeeze(x) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: cycles of more than 67108864 pieces are not searched for
graph large(x: u8[30000000, 3]) -> inplace y { y = transpose(x) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: 'z' also reads 'x'
graph both(x: f32[4, 6]) -> (inplace y, z) {
    y = transpose(x)
    z = flip(x, 0)
}
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be computed in place: elements of a value on the way are looked up
graph looked_up(x: f32[N, M]) -> inplace y { y = x |> transpose() |> reshape([N, M]) |> transpose() }
# CHECK-NOT: error
graph inplace(inplace: f32[4, 6]) -> inplace inplace_y {
    inplace_y = transpose(inplace)
}
# CHECK: error: 'y' cannot be computed in place: elements of 'x' have strides
graph strided(x: f32[5, 7] strides [14, 2]) -> inplace y { y = x[:, :3] }
# CHECK: error: 'y' cannot be computed in place: elements have strides
graph to_strided(x: f32[5, 7]) -> inplace y: f32[5, 3] strides [14, 2] { y = x[:, :3] }
