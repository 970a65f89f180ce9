# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A crop may begin or end within what an operator before it joined, at a place that depends on sizes: among the two ends
# of a pad, within repeated elements, or across rows. The joined pieces are parted there, and each is copied by loops.
# RUN: %{reshapec} explain %s | FileCheck %s --implicit-check-not="looked up"
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROOF
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | FileCheck %s --check-prefix=PROOF
# PROOF: 11 of 11 graphs verified

# The last five of A+6 elements are two of x and the three behind it, whatever A >= 2 is.
# CHECK:      graph last(
# CHECK:      loops x + (A-2) to y
# CHECK-NEXT: copy 2 elements
# CHECK-NEXT: loops a constant to y + 2
# CHECK-NEXT: fill 3 elements
graph last(x: u8[A]) -> y where A >= 2 {
    v = pad(x, [3, 3])
    y = v[-5:]
}

graph first(x: u8[A, B]) -> y where A >= 2 {
    v = pad(x, [3, 0, 3, 0])
    y = v[:5, :]
}

# Both ends of the rows are filled, and so are a row above and one below: the fill at the end of one row continues at
# the begin of the next.
# CHECK: graph around(
# CHECK: fill 5 elements
graph around(x: u8[A, 3, B]) -> y where B >= 4 {
    v = pad(x, [0, 0, 1, 0, 0, 1])
    w = pad(v, [0, 1, 0, 0, 1, 0])
    y = w[:, :, -5:]
}

graph joined(x: u8[A]) -> y where A >= 7 {
    y = concat([x, x], axis=0)[-7:]
}

# Three copies of each element: the last of x[0], all of the others but the last, two of that.
# CHECK:      graph repeated(
# CHECK:      copy 1 element
# CHECK:      for A-2
# CHECK-NEXT: for 3
# CHECK:      for 2
graph repeated(x: u8[A]) -> y where A >= 4 {
    v = repeat(x, [3])
    y = v[2:-1]
}

graph repeated_rows(x: u8[A, 3, B]) -> y where B >= 2 {
    v = repeat(x, [1, 2, 1]) |> reshape([A, 6*B])
    y = v[:, 1:]
}

graph rolled(x: u8[A, C]) -> y where C >= 1 {
    y = repeat(x, [1, 2]) |> roll(-1, axes=1)
}

graph edges(x: f32[A, B]) -> y where B >= 1 {
    v = repeat(x, [1, 2])
    y = pad(v, [0, 1, 0, 2], mode="edge")
}

graph mirrored(x: u8[A, 3, B]) -> y where B >= 2 {
    v = flip(x, [1]) |> reshape([A, 3*B])
    y = v[:, :3*B - 1]
}

graph tiled(x: f32[A, B]) -> y where A >= 3 {
    v = tile(x, [3, 1])
    y = v[2:-1, :]
}

graph thinned(x: u8[A, 3, B]) -> y where A >= 1, B >= 4 {
    v = pad(x, [0, 0, 2, 0, 0, 2])
    y = v[::2, :, 3:]
}
