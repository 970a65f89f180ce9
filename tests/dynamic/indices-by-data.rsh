# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Index tensors in graphs for the runtime: gather, gather_elements and gather_nd give the same results as compiled code,
# and an index outside its axis is bad_index before anything is written.
# RUN: %{python} %S/Inputs/by_data.py --reshapec %{reshapec} --cc %{cc} --work %t %s
# RUN: %{reshapec} verify %s | FileCheck --check-prefix=VERIFY %s
# RUN: %{reshapec} explain %s | FileCheck --check-prefix=WHY %s
# RUN: %{reshapec} %s -o %t/whole.o --header %t/whole.h
# RUN: FileCheck --check-prefix=HEADER --input-file %t/whole.h %s

# VERIFY: 10 of 10 graphs verified

# A table, reshaped with a target that is data.
# WHY: graph rows
# WHY: y dynamic
# WHY: why the target shape of reshape is data
# HEADER: RSH_bad_index: an index in i outside its axis
# CALL rows(x=arange(12), s=[4, -1], i=[3, 0, -4]) is x.reshape(4, 3)[i]
# CALL rows(x=arange(12), s=[-1, 1], i=[11, -12, 5]) is x.reshape(12, 1)[i]
# CALL rows(x=arange(12), s=[4, -1], i=[3, 0, 4]) is bad_index
# CALL rows(x=arange(12), s=[4, -1], i=[-5, 0, 0]) is bad_index
# CALL rows(x=arange(12), s=[5, -1], i=[0, 0, 0]) is not_divisible
graph rows(x: i32[12], s: i64[2], i: i64[3]) -> y { y = reshape(x, s) |> gather(i) }

# Sizes of 0: any index into an empty axis is out of bounds; no indices are fine.
# CALL empty(N=0, M=2, x=zeros((0, 2)), s=[0], i=[0, 0]) is bad_index
# CALL empty(N=0, M=0, x=zeros((0, 2)), s=[0], i=[]) is zeros((0, 2), int32)
# CALL empty(N=3, M=2, x=arange(6).reshape(3, 2), s=[1], i=[0, 0]) is x[1:][[0, 0]]
# CALL empty(N=3, M=2, x=arange(6).reshape(3, 2), s=[1], i=[0, 2]) is bad_index
graph empty(x: i32[N, 2], s: i64[1], i: i64[M]) -> y { y = slice(x, s, [9]) |> gather(i) }

# Along the middle axis; later operators move the gathered elements.
# CALL middle(x=arange(24).reshape(2, 3, 4), p=[0, 1, 0, 0], i=[[0, 2], [1, -1]]) is np.take(np.pad(x, ((0, 0), (0, 0), (1, 0))), i, axis=1).transpose()
# CALL middle(x=arange(24).reshape(2, 3, 4), p=[0, 0, 0, 2], i=[[0, 2], [1, 3]]) is bad_index
graph middle(x: u8[2, 3, 4], p: i64[4], i: i32[2, 2]) -> y {
    y = pad(x, p, axes=[1, 2]) |> gather(i, axis=1) |> transpose()
}

# Indices that are themselves moved, cast or computed.
# CALL computed(x=arange(10).reshape(5, 2), s=[3, 2], i=[0, 1, 2, 3, -2, -5]) is x[(i + 1).astype(np.int64).reshape(3, 2).T[::-1]]
# CALL computed(x=arange(10).reshape(5, 2), s=[2, 3], i=[4, 0, 0, 0, 0, 0]) is bad_index
graph computed(x: i32[5, 2], s: i64[2], i: i32[6]) -> y {
    y = gather(x, add(i, 1) |> cast(i64) |> reshape(s) |> transpose() |> flip(0))
}

# Gathered twice, the second time by gathered indices.
# CALL twice(x=arange(6).reshape(3, 2), s=[3], i=[2, 0, -1], j=[0, 0, 1, -2]) is x[i[j]][:, [0, 1, 0]]
# An index that is not gathered is not checked.
# CALL twice(x=arange(6).reshape(3, 2), s=[3], i=[2, 0, 3], j=[0, 0, 1, 0]) is x[[2, 2, 0, 2]][:, [0, 1, 0]]
# CALL twice(x=arange(6).reshape(3, 2), s=[3], i=[2, 0, 3], j=[0, 0, 1, 2]) is bad_index
# CALL twice(x=arange(6).reshape(3, 2), s=[3], i=[2, 0, 1], j=[0, 0, 3, 0]) is bad_index
graph twice(x: i32[3, 2], s: i64[1], i: i64[3], j: i64[4]) -> y {
    y = gather(x, gather(reshape(i, s), j)) |> gather([0, 1, 0], axis=1)
}

# Separate indices for each element; the sizes of other axes may be smaller.
# CALL elements(x=arange(12).reshape(3, 4), s=[-1, 4], i=[[0, -1, 2], [2, 1, -3]]) is np.take_along_axis(x[:, :3], i % 3, 0)
# CALL elements(x=arange(12).reshape(3, 4), s=[-1, 3], i=[[0, -1, 2], [3, 1, -3]]) is np.take_along_axis(x.reshape(4, 3), i % 4, 0)
# CALL elements(x=arange(12).reshape(3, 4), s=[-1, 2], i=[[0, -1, 2], [2, 1, -3]]) is shape_mismatch
# CALL elements(x=arange(12).reshape(3, 4), s=[-1, 4], i=[[0, -1, 2], [3, 1, -3]]) is bad_index
graph elements(x: f32[3, 4], s: i64[2], i: i64[2, 3]) -> y { y = reshape(x, s) |> gather_elements(i) }

# Tuples of indices, with batch axes.
# CALL tuples(x=arange(24).reshape(2, 12), s=[2, 3, 4], i=[[[0, 1], [2, -1]], [[1, 3], [-3, 0]]]) is np.stack([x.reshape(2, 3, 4)[b][i[b][:, 0], i[b][:, 1]] for b in range(2)])
# CALL tuples(x=arange(24).reshape(2, 12), s=[2, 2, 6], i=[[[0, 1], [2, -1]], [[1, 3], [-2, 0]]]) is bad_index
# CALL tuples(x=arange(24).reshape(2, 12), s=[3, 2, 4], i=[[[0, 1], [1, -1]], [[1, 3], [-2, 0]]]) is shape_mismatch
graph tuples(x: u16[2, 12], s: i64[3], i: i64[2, 2, 2]) -> y {
    y = reshape(x, s) |> gather_nd(i, batch_dims=1)
}

# Functions of gathered elements, and elements smaller than a byte.
# CALL functions(x=arange(8).reshape(4, 2), s=[2, 4], i=[1, 0, 1]) is (x.reshape(2, 4)[i] * 2).astype(np.uint8)
graph functions(x: u8[4, 2], s: i64[2], i: i64[3]) -> y { y = reshape(x, s) |> gather(i) |> mul(2) }
# CALL packed(x=[0x21, 0x43, 0x65, 0x87, 0xA9, 0xCB], s=[3, 4], i=[2, -3]) is np.array([0xA9, 0xCB, 0x21, 0x43], np.uint8)
graph packed(x: u8[6], s: i64[2], i: i64[2]) -> y {
    y = bitcast(x, u4) |> reshape(s) |> gather(i) |> reshape([4, 2]) |> bitcast(u8)
}

# Two results, one of them a part of the other.
# CALL two(x=arange(6).reshape(3, 2), s=[2, 3], i=[1, 1, 0]) is (x.reshape(2, 3)[i], x.reshape(2, 3)[i][:2])
graph two(x: i32[3, 2], s: i64[2], i: i64[3]) -> (y, z) {
    y = reshape(x, s) |> gather(i)
    z = y[:2]
}
