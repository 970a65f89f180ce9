# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What needs no copy, where it is, and why.
# RUN: %{reshapec} %s --dump=plan | FileCheck %s

# CHECK-LABEL: graph one
# CHECK-NEXT: y: f32[64, 784]: alias of x+0, 200704 bytes: flatten keeps the order: element i of y is element i of x
graph one(x: f32[64, 28, 28]) -> y { y = flatten(x) }

# CHECK-LABEL: graph several
# CHECK-NEXT: y: f32[3, 2]: alias of x+0, 24 bytes: all 3 operators cancel: element i of y is element i of x
graph several(x: f32[2, 3]) -> y { y = x |> transpose() |> transpose() |> reshape([3, 2]) }

# CHECK-LABEL: graph kept
# CHECK-NEXT: y: f32[6]: alias of x+0, 24 bytes: both operators keep the order: element i of y is element i of x
graph kept(x: f32[2, 3]) -> y { y = x |> unsqueeze([0]) |> reshape([6]) }

# CHECK-LABEL: graph part
# CHECK-NEXT: y: u8[1, 768]: alias of x+768, 768 bytes: a contiguous slice of x, from element 768
graph part(x: u8[4, 768]) -> y { y = x[1:2, :] }

# CHECK-LABEL: graph itself
# CHECK-NEXT: y: f32[2]: alias of x+0, 8 bytes: {{.*}}element i of y is element i of x
graph itself(x: f32[2]) -> y { y = identity(x) }

# CHECK-LABEL: graph empty
# CHECK-NEXT: y: f32[0, 3]: alias, 0 bytes: y has no elements
graph empty(x: f32[2, 3]) -> y { y = x[2:2, :] }

# The same value twice, and a value next to another reader of its source.
# CHECK-LABEL: graph twice
# CHECK-NEXT: y: f32[6]: alias of x+0
# CHECK-NEXT: z: f32[6]: alias of x+0
# CHECK-NEXT: t: f32[3, 2]: static
graph twice(x: f32[2, 3]) -> (y, z, t) {
    y = flatten(x) |> reshape([6])
    z = reshape(y, [6])
    t = transpose(x)
}
