# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Chains that end where they began are aliases, however they are written: no operator is matched against its inverse;
# the moves simply turn out to be the identity.
# RUN: %{reshapec} explain %s | FileCheck %s

# CHECK-LABEL: graph pair(
# CHECK-NEXT: y alias
graph pair(x: f32[2, 3, 4]) -> y { y = x |> transpose([2, 0, 1]) |> transpose([1, 2, 0]) }

# CHECK-LABEL: graph through_reshape(
# CHECK-NEXT: y alias
graph through_reshape(x: f32[6, 4]) -> y {
    y = x |> reshape([2, 3, 4]) |> transpose([1, 0, 2]) |> reshape([3, 8]) |> reshape([3, 2, 4]) |> transpose([1, 0, 2])
}

# Moving axes of size 1 moves nothing.
# CHECK-LABEL: graph unit_axes(
# CHECK-NEXT: y alias
graph unit_axes(x: f32[1, 3, 1, 4]) -> y { y = transpose(x, [1, 2, 3, 0]) }

# CHECK-LABEL: graph flips(
# CHECK-NEXT: y alias
graph flips(x: f32[4, 5]) -> y { y = x |> flip([0, 1]) |> reshape([20]) |> flip([0]) }

# The parts of a split, joined again.
# CHECK-LABEL: graph parts(
# CHECK-NEXT: y alias
graph parts(x: f32[6, 4]) -> y {
    a, b, c = split(x, axis=0, sizes=[1, 3, 2])
    y = concat(a, b, c, axis=0)
}

# The same parts in another order are a copy.
# CHECK-LABEL: graph parts_swapped(
# CHECK-NEXT: y static
graph parts_swapped(x: f32[6, 4]) -> y {
    a, b, c = split(x, axis=0, sizes=[1, 3, 2])
    y = concat(b, a, c, axis=0)
}

# Through shapes that have no common factors (7 x 11 against 11 x 7), and back.
# CHECK-LABEL: graph straddling(
# CHECK-NEXT: y alias
graph straddling(x: f32[7, 11]) -> y {
    t = x |> transpose([1, 0]) |> reshape([7, 11]) |> transpose([1, 0])
    y = t |> transpose([1, 0]) |> reshape([11, 7]) |> transpose([1, 0])
}

# Known at compile time for every B and S.
# CHECK-LABEL: graph symbolic(
# CHECK-NEXT: needs B >= 1 or ambiguous_infer, S >= 1 or ambiguous_infer
# CHECK-NEXT: y alias
graph symbolic(x: f16[B, S, 768]) -> y {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3]) |> transpose([0, 2, 1, 3]) |> reshape([0, 0, -1])
}
