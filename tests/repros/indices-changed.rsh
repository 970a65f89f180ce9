# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions of indices are applied before the indices are used. If the result had the type of the input, they were
# dropped: the compiler took them for the cast that reads narrower indices. `verify` took each function for a cast, and
# each index that is not from an input for 0.
# RUN: %{python} %{root}/tests/support/indices.py %{reshapec} "%{cc}" %t.dir %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=VERIFY
# CHECK: , 0 wrong
# VERIFY: 11 of 11 graphs verified

# NUMBERS i 9
# EXPECT y = np.take(x, np.clip(i, 0, 1))
graph clipped(x: f32[3], i: i64[4]) -> y {
    y = gather(x, clip(i, 0, 1))
}
# NUMBERS i 2
# EXPECT y = np.take(x, i + 1)
graph added(x: f32[3], i: i32[4]) -> y {
    y = gather(x, add(i, 1))
}
# NUMBERS i 9
# EXPECT y = np.take_along_axis(x, i & 1, axis=1)
graph masked(x: f32[2, 3], i: i64[2, 4]) -> y {
    y = gather_elements(x, bitwise_and(i, 1), axis=1)
}
# NUMBERS i 9
# EXPECT y = gather_nd(x, np.clip(i, -1, 1))
graph tuples(x: u8[2, 3], i: i32[4, 2]) -> y {
    y = gather_nd(x, clip(i, -1, 1))
}
# NUMBERS i 2
# EXPECT y = np.take(x, -i.astype(np.int64))
graph narrow(x: f32[3], i: i8[4]) -> y {
    y = gather(x, neg(cast(i, i64)))
}
# INDEX i 3
# EXPECT y = np.take(x, np.pad(i, 1, constant_values=2))
graph padded(x: f32[3], i: i64[4]) -> y {
    y = gather(x, pad(i, [1, 1], value=2))
}
# NUMBERS i 1
# EXPECT y = np.take(x, np.where(i < 0, 2, 1))
graph looked_up(x: f32[3], i: i8[4]) -> y {
    y = gather(x, lookup(cast(i, bool), [1, 2], i64))
}
# NUMBERS i 600
# EXPECT y = np.take(x, i.astype('i1').astype('i8') + 128)
graph narrowed(x: f32[256], i: i64[4]) -> y {
    y = gather(x, i |> cast(i8) |> cast(i32) |> add(128))
}
# NUMBERS i 1
# EXPECT y = np.take(x, i)
graph halves(x: f32[3], i: i64[4]) -> y {
    y = gather(x, i |> bitcast(i32) |> bitcast(i64))
}
# Bits of u32 as i32 are negative, and count from the end. They were read as 2^31 and more, outside any axis.
# NUMBERS i 9
# EXPECT y = np.take(x, i.astype('i4'))
graph of_sign(x: f32[9], i: u32[8]) -> y {
    y = gather(x, cast(i, i32))
}
# SIZES A=9
# NUMBERS i 9
# EXPECT y = np.take(x, i.astype('i8'))
graph of_sign_64(x: f32[A], i: u64[8]) -> y {
    y = gather(x, cast(i, i64))
}
