# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The size of a slice may be 0, and is then also a stride. The compiler assumed that such a stride is at least 1, so it
# put the axes of the move into the wrong order: a looked-up value was read from the wrong place, even outside its
# memory.
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROVED
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | FileCheck %s --check-prefix=C
# PROVED: repeated proved
# PROVED: stacked  proved
# PROVED: tiled    proved
# PROVED: 3 of 3 graphs verified
# C: 3 of 3 graphs verified

# RUN: %{reshapec} %s --dump=moves -o %t.o | FileCheck %s
# CHECK-LABEL: graph tiled
# CHECK:       y: u8[9*min(
# CHECK-NEXT:    from %0 at min(3, S) to 0: {9, dst min(-min(3, S)+4, S-min(3, S)), src 0} {min({{.*}}), dst 1, src 1}
graph repeated(x: u8[S, S]) -> y { y = repeat(x[:, -1:3], [1, 2]) }

graph stacked(x: u8[W, 127]) -> y {
    v2 = flip(x, 1)
    v4 = v2[-3:7]
    v6 = stack(transpose(v4), transpose(v4), axis=0)
    y = roll(v6, 1, axes=1)
}

graph tiled(x: u8[S]) -> y { y = tile(x[3:4], [3]) |> tile([3]) }
