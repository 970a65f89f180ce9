# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A result that cannot be computed in its input's memory is refused, with the reason.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s -DFILE=%s
# RUN: not %{reshapec} check --json %s | FileCheck %s --check-prefix=JSON
# JSON: "kind": "not_in_place"

# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be made where an input lies: 'x' has another number of bytes
graph part(x: f32[4, 6]) -> inplace y { y = x[:, 1:4] }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be made where an input lies: it is made in more than one piece
graph rolled(x: f32[4, 6]) -> inplace y { y = roll(x, 1, axis=1) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be made where an input lies: elements are changed and moved at once
graph changed(x: f32[4, 6]) -> inplace y { y = transpose(relu(x)) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be made where an input lies: elements of less than a byte cannot change places
graph nibbles(x: u4[4, 6]) -> inplace y { y = transpose(x) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be made where an input lies: 'x' has another number of bytes
graph open(x: f32[N, 6]) -> inplace y { y = x[:, 1:4] |> transpose() }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be made where an input lies: how elements move is known only at run time
graph unknown(x: f32[N, 6]) -> inplace y { y = squeeze(x) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be made where an input lies: of more than 67108864 pieces no cycles are looked for
graph large(x: u8[30000000, 3]) -> inplace y { y = transpose(x) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'y' cannot be made where an input lies: 'z' is made of 'x', too
graph both(x: f32[4, 6]) -> (inplace y, z) {
    y = transpose(x)
    z = flip(x, 0)
}
# CHECK-NOT: error
graph inplace(inplace: f32[4, 6]) -> inplace inplace_y {
    inplace_y = transpose(inplace)
}
