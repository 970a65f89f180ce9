# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An element of two numbers that is looked up is copied in C from a pointer, which is declared there. Nests without loops
# stand in one block, and the second declared it again.
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | grep '1 of 1 graphs verified'
graph alone(x: c128[A]) -> (y, z) {
    v = pad(x, [1, 1])[2]
    y = reshape(roll(v, 1), [1, 1, -1, 1]) |> flip(0)
    z = pad(v, [], value=3.0)
}
