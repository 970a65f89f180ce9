# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gather(x, i, axis=0) with a tensor of indices: the same as numpy.take. An index outside -d..d-1 makes the call return
# bad_index before it writes anything.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/indices.py %{reshapec} "%{cc}" %t.dir %t/good.rsh | FileCheck %t/good.rsh
# RUN: %{python} %{root}/tests/support/indices.py %{reshapec} "%{cc}" %t.dir %t/good.rsh -Os -fverify | FileCheck %t/good.rsh
# RUN: %{reshapec} verify %t/good.rsh | FileCheck %t/good.rsh --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %t/good.rsh | FileCheck %t/good.rsh --check-prefix=VERIFY
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
# CHECK: , 0 wrong
# VERIFY: 14 of 14 graphs verified

# An embedding: rows of a table.
# INDEX i 50
# EXPECT y = np.take(w, i, axis=0)
graph rows(w: f32[50, 8], i: i64[3]) -> y {
    y = gather(w, i)
}
# INDEX i 5
# EXPECT y = np.take(w, i, axis=1)
graph inner(w: u8[4, 5, 3], i: i32[2, 2]) -> y {
    y = gather(w, i, 1)
}
# INDEX i 5
# EXPECT y = np.take(w, i, axis=-1)
graph last(w: f16[4, 5], i: i32[6]) -> y {
    y = gather(w, indices=i, axis=-1)
}
# A scalar drops the axis.
# INDEX i 4
# EXPECT y = np.take(w, i, axis=0)
graph one(w: f64[4, 5], i: i64) -> y {
    y = w |> gather(i)
}
# SIZES V=50 D=8 B=2 S=3
# SIZES V=1 D=1 B=1 S=1
# SIZES V=7 D=16 B=0 S=2
# SIZES V=7 D=0 B=2 S=2
# INDEX i V
# EXPECT y = np.take(w, i, axis=0)
graph sized(w: f32[V, D], i: i64[B, S]) -> y {
    y = gather(w, i)
}
# Later operators read the gathered elements from scratch memory.
# INDEX i 6
# EXPECT y = np.take(w, i, axis=0).transpose(2, 0, 1)[:, ::-1]
graph moved(w: i16[6, 4], i: i64[3, 2]) -> y {
    y = gather(w, i) |> transpose([2, 0, 1]) |> flip(1)
}
# Earlier operators write there, too; or to an output, if their value is one.
# INDEX i 5
# EXPECT t = w.T
# EXPECT y = np.take(w.T, i, axis=0)
graph before(w: f32[4, 5], i: i64[3]) -> (t, y) {
    t = transpose(w)
    y = gather(t, i)
}
# Narrower indices are read as they are stored; others are computed first, and checked before an output is written.
# INDEX i 8
# EXPECT y = np.take(w, i, axis=0)
graph narrow(w: f32[8, 3], i: i8[6]) -> y {
    y = gather(w, cast(i, i64))
}
# NUMBERS i 8
# EXPECT y = np.take(w, i[2:], axis=0)
graph part(w: f32[8, 3], i: i32[6]) -> y {
    y = gather(w, i[2:])
}
# INDEX i 8
# EXPECT t = w[::-1]
# EXPECT y = np.take(w[::-1], i.T, axis=0)
graph turned(w: f32[8, 3], i: i32[2, 3]) -> (t, y) {
    t = w[::-1]
    y = gather(t, transpose(i))
}
# SIZES N=4
# SIZES N=0
# INDEX i 5
# NUMBERS t 7
# EXPECT y = np.take(w, np.take(t, i), axis=0)
graph twice(w: f32[7, 3], t: i64[5], i: i64[N]) -> y {
    y = gather(w, gather(t, i))
}
# SIZES V=5 B=2 K=3
# SIZES V=5 B=0 K=1
# INDEX i V
# INDEX j V
# EXPECT y = np.concatenate([np.take(w, i, axis=0), np.take(w, j, axis=0)])
graph both(w: u8[V, 3], i: i32[B], j: i64[K]) -> y {
    y = concat(gather(w, i), gather(w, j), axis=0)
}
# Elements smaller than a byte move if their rows are whole bytes.
# INDEX i 3
# EXPECT y = np.take(w.reshape(3, 4), i, axis=0)
graph halves(w: u8[12], i: i64[2]) -> y {
    y = w |> bitcast(u4) |> reshape([3, 8]) |> gather(i) |> reshape([2, 4, 2]) |> bitcast(u8)
}
# Indices are checked even if the result has no elements.
# INDEX i 3
# EXPECT y = np.take(w, i, axis=0)
graph no_elements(w: f32[3, 0], i: i64[2]) -> y {
    y = gather(w, i)
}

#--- bad.rsh
graph kinds(w: f32[4, 3], i: f32[3], j: i32[3]) -> (y, z, u) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: the indices of 'gather' are i32 or i64; 'i' (f32[3]) is f32
    y = gather(w, i)
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: argument 'indices' is given twice
    z = gather(w, j, indices=[1])
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: axis 2 is outside rank 2 of 'w' (f32[4, 3]); allowed: -2 to 1
    u = gather(w, j, 2)
}
graph parts(w: u4[4, 3], i: i64[3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'gather' cannot pick single elements of u4, which are smaller than a byte
    y = gather(w, i)
}
