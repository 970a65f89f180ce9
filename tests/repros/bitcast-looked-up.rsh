# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An element that is looked up through a bitcast keeps its bits. The emitted C converted its value to the other type
# instead.
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | grep '3 of 3 graphs verified'
# RUN: %{reshapec} verify %s | grep '3 of 3 graphs verified'
graph once(x0: u32[A]) -> v4 where A >= 1 {
    v0 = stack(x0, axis=0)
    v2 = tile(v0, [1, 2])
    v3 = slice(v2, [1], [0], [1], [-1])
    v4 = bitcast(v3, f32)
}

graph again(x0: u32[A]) -> y where A >= 1 {
    v2 = tile(x0, [2])
    v3 = bitcast(v2[1:0:-1], f32)
    v4 = tile(v3, [2])
    v5 = bitcast(v4[1:0:-1], i32)
    y = tile(v5, [3])[2:1:-1]
}

# Signed and unsigned types share the address; only the type of the pointer in C changes.
graph signs(x0: u16[B]) -> v5 where B >= 1 {
    v3 = repeat(x0[::-1], [3])
    v4 = bitcast(v3, i16)
    v5 = roll(v4, 1, axes=0)
}
