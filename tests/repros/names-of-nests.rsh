# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The emitted C copies a looked-up element of two numbers through a pointer that it declares there. Nests without loops
# share one block, so the second nest declared it twice.
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | grep '1 of 1 graphs verified'
graph alone(x: c128[A]) -> (y, z) {
    v = pad(x, [1, 1])[2]
    y = reshape(roll(v, 1), [1, 1, -1, 1]) |> flip(0)
    z = pad(v, [], value=3.0)
}
