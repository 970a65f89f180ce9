# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where the last element of a row comes from may depend on whether a dim is empty: of z joined with x it is the last one
# of x, but of z if x has no columns. No set of loops fits both, so elements are looked up; a call without empty dims has
# loops of its own.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} explain --json %s | %{python} -c "import json, sys; g = json.load(sys.stdin)['graphs']; assert [[o['moves'] for o in x.get('outputs_if_no_size_is_0', [])] for x in g] == [[3], [], []], g"
# RUN: %{reshapec} %s --emit=c -o %t.c && FileCheck %s --check-prefix=C < %t.c
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROOF
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | FileCheck %s --check-prefix=PROOF
# PROOF: 3 of 3 graphs verified

# CHECK:      graph rolled(
# CHECK-NEXT: y symbolic
# CHECK:      each contiguous part of y is looked up
# CHECK:      if no size is 0:
# CHECK-NEXT: y symbolic
# CHECK-NOT:  looked up
# CHECK:      copy B-1 elements
# C:          if (A >= 1 && B >= 1) {
# C-NEXT:     return rolled_variant_0(A, B, x, z, y);
graph rolled(x: f32[A, B], z: f32[A, 4]) -> y {
    v = concat(z, x, axis=1)
    y = roll(v, 1, axes=1)
}

# A graph that has loops for all sizes has no other ones.
# CHECK:     graph plain(
# CHECK-NOT: if no size is 0:
# CHECK:     graph looked_up(
graph plain(x: f32[A, B], z: f32[A, 4]) -> y {
    v = concat(z, x, axis=1)
    y = v[:, 1:]
}

# Nor has one whose elements are looked up in any case.
# CHECK:     each element of y is looked up
# CHECK-NOT: if no size is 0:
graph looked_up(s: u8[C], x: u8[1], z: u8[1]) -> y {
    v = concat(z, x, axis=0) |> reshape([C, -1])
    y = flip(v, [0])
}
