# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A chain of too many pieces stops folding: the rest looks its elements up in the previous value.
# RUN: %{reshapec} %s --dump=plan | FileCheck %s

# CHECK-LABEL: graph far
# CHECK-NEXT: stage %2: i32[61, 67]
# CHECK-NEXT:   from x+0 to 0
# CHECK-NEXT:     for 67: dst 244, src 4
# CHECK-NEXT:       for 61: dst 4, src 268
# CHECK-NEXT:         copy 4, align 4
# CHECK-NEXT: y: i32[67, 61]: static, 16348 bytes: too many pieces for loops: each element of y is looked up through the last of 3 operators, one by one; a graph of only the last has loops
# CHECK-NEXT:   from %2+0 to 0
# CHECK-NEXT:     for 67: dst 244, src 4
# CHECK-NEXT:       for 61: dst 4, src 268
# CHECK-NEXT:         copy 4, align 4
graph far(x: i32[61, 67]) -> y { y = x |> transpose() |> reshape([61, 67]) |> transpose() }

# A run of a staged value is not a run of its source.
# CHECK-LABEL: graph slices
# CHECK: from t+12 to 0
# CHECK-NEXT: for 61: dst 12, src 268
# CHECK-NEXT:   for 3: dst 4, src 4
# CHECK-NEXT:     copy 4, align 4
graph slices(x: i32[61, 67]) -> (y, z) {
    t = x |> transpose() |> reshape([61, 67])
    y = transpose(t)
    z = y |> transpose() |> slice([0, 3], [61, 6])
}
