# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For A = 1 all bits of v are the same bit of x: a line of eight parts. The pad splits it into more pieces than the tape
# of a dynamic graph has room for, and the call returned too_small. Now the line is first stored as elements.
# RUN: %{reshapec} verify %s | grep '1 of 1 graphs verified'
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | grep '1 of 1 graphs verified'
graph padded(x: u1[1, A], s: u8[N], t: i64[1]) -> (y, z) {
    v = stack([x, x, x, x, x, x, x, x], 2) |> bitcast(f8e5m2)
    part, _ = split(v, 1, sizes=[1, 0])
    y = pad(part, [1, 1, A - 1, 1])
    z = reshape(s, t)
}
