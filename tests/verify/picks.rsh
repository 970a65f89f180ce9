# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements picked by tensors of indices, in kernels and in programs.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=C
# In tasks and processor versions as well: functions that forward every argument, and the ones they call.
# RUN: %{reshapec} -fverify --parallel %s -o %t.o
# RUN: %{reshapec} -fverify --multiversion=v2,v3 %s -o %t.o
# RUN: %{reshapec} -fverify --multiversion=v2,v3 --parallel %s -o %t.o

graph entries(x: f32[5, 3, 4], i: i64[2, 3]) -> (y, z) {
    y = gather(x, i)
    z = gather(x, i, axis=1)
}

graph elements(x: u16[5, 3], i: i32[2, 3]) -> (y, z) {
    y = gather_elements(x, i)
    z = gather_elements(transpose(x), i, axis=1)
}

graph tuples(x: u8[2, 3, 4, 5], i: i64[2, 4, 2]) -> y {
    y = gather_nd(x, i, batch_dims=1)
}

graph open(x: f32[N, 3], i: i64[M]) -> y {
    y = gather(x, i) |> transpose()
}

# The same with a shape or an index list that is data.
graph asked(x: f32[60], s: i64[3], i: i64[2, 2]) -> (y, z, w, v, u) {
    y = reshape(x, s) |> gather(i)
    z = reshape(x, s) |> gather(i, axis=1) |> flip(0)
    w = y[:, 1]
    v = y[:1]
    u = reshape(x, s)[1:] |> gather(i)
}

graph asked_elements(x: u16[4, 3], s: i64[2], i: i32[2, 3]) -> y {
    y = reshape(x, s) |> gather_elements(add(i, 0))
}

graph asked_tuples(x: u8[24], s: i64[3], i: i64[4, 2]) -> (y, z) {
    y = reshape(x, s) |> gather_nd(i)
    z = gather(y, [1, 0], axis=1) |> cast(i16)
}

graph asked_twice(x: u4[6, 2], s: i64[2], i: i64[4], j: i64[3]) -> y {
    y = reshape(x, s) |> gather(gather(i, j))
}

graph one(x: u16[3], i: i64) -> v { v = gather(x, i) }

graph many(x: u16[3, 600], i: i64[400]) -> v { v = gather(x, i) }

# When an index is wrong, another result still has its place in the input.
graph beside(x: f32[A], i: i64[4, 1]) -> (v, w) {
    w = i[1:]
    v = gather_nd(x, w)
}

graph placed_beside(x: f32[A], i: i64[4], p: f32[2] placed, q: f32[3]) -> (v, w) {
    v = concat(p, q, axis=0)
    w = gather(x, i)
}

# The runs with strides find what concerns only a result with a negative one.
graph flipped(x: u16[*], i: i64[*]) -> y {
    y = gather(x, i, axis=1) |> flip([0])
}

# CHECK: 13 of 13 graphs verified
# C: 13 of 13 graphs verified
