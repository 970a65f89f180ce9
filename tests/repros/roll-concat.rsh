# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# roll moves the last row to the front: one move of min(1, A) rows, and one of the others. For A = 1 the second move is
# outside of the one-row result, so it could not be decoded, and concat lost it.
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROVED
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | FileCheck %s --check-prefix=C
# PROVED: same_input proved
# PROVED: two_inputs proved
# PROVED: other_axis proved
# PROVED: stacked    proved
# PROVED: padded     proved
# PROVED: 5 of 5 graphs verified
# C: 5 of 5 graphs verified

# A move without elements may be read in any way, so the compiler may assume that it has at least one row.
# RUN: %{reshapec} %s --dump=moves -o %t.o | FileCheck %s
# CHECK-LABEL: graph same_input
# CHECK:       y: u8[A, 2*B]
# CHECK-NEXT:    from %0 at A*B-B*min(1, A) to 0: {B*min(1, A), dst 1, src 1}
# CHECK-NEXT:    from %0 at 0 to 2*B*min(1, A): {A-min(1, A), dst 2*B, src B} {B, dst 1, src 1}
# CHECK-NEXT:    from %0 at 0 to B: {A, dst 2*B, src B} {B, dst 1, src 1}
graph same_input(x: u8[A, B]) -> y {
    v = roll(x, 1, axes=0)
    y = concat(v, x, axis=1)
}

graph two_inputs(x: u8[A, B], z: u8[A, B]) -> y {
    v = roll(x, 1, axes=0)
    y = concat(v, z, axis=1)
}

graph other_axis(x: u8[A, C]) -> y {
    v = flip(x, 0)
    y = concat(roll(v, 1, axes=0), v, axis=0)
}

graph stacked(x: u8[A, B], z: u8[A, B]) -> y { y = stack(roll(x, -1, axes=0), z, axis=1) }

graph padded(x: u8[A, B]) -> y { y = pad(roll(x, 1, axes=0), [0, 1, 0, 0]) }
