# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Results that are moved within the memory of an input: downward if each element goes to its own or a lower address,
# upward if to a higher one, in an order in which nothing is overwritten before it is read. `verify` runs each in one
# buffer, too.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify -Os %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s --cc=%{cc} | FileCheck %s
# CHECK-NOT: failed
# CHECK: 49 of 49 graphs verified

# Windows: all rows move, and new ones follow or come first.
graph mfcc(x: i8[49, 10], k: i8[1, 10]) -> inplace y { y = concat(x[1:], k, axis=0) }

graph history(x: f32[20, 33], k: f32[3, 33]) -> inplace y { y = concat(k, x[:17], axis=0) }

graph columns(x: f32[5, 6], k: f32[5, 1]) -> inplace y { y = concat(x[:, 1:], k, axis=1) }

graph front(x: u16[6, 9], k: u16[6, 2]) -> inplace y { y = concat(k, x[:, :7], axis=1) }

graph inserted(x: i16[9], k: i16[1]) -> inplace y { y = concat(x[:3], k, x[3:8], axis=0) }

graph opened(x: f32[T, 10], k: f32[1, 10]) -> inplace y where T >= 1 { y = concat(x[1:], k, axis=0) }

graph long_window(x: u8[3000], k: u8[7]) -> inplace y { y = concat(x[7:], k, axis=0) }

graph long_back(x: u8[3000], k: u8[7]) -> inplace y { y = concat(k, x[:2993], axis=0) }

# Crops and picks.
graph crop(x: f32[6, 8]) -> inplace y { y = x[1:5, 2:6] }

graph tight(x: u8[30, 40, 3]) -> inplace y { y = x[3:27, 4:36] }

graph every_second(x: u8[100]) -> inplace y { y = x[::2] }

graph depth(x: u8[8, 8, 3]) -> inplace y { y = gather(x, [0, 2], axis=2) }

graph channels(x: i16[5, 9]) -> inplace y { y = gather(x, [0, 1, 4, 5, 8], axis=1) }

graph picked(x: u8[40, 12]) -> inplace y {
    y = gather(x, [1, 2, 4, 7, 8, 11, 13, 14, 18, 20, 23, 24, 29, 30, 33, 37, 39], axis=0)
}

graph pairs(x: u8[40, 12]) -> inplace y { y = gather(x, [1, 3, 6, 8, 13, 15, 22, 24, 33, 35], axis=0) }

graph squeezed(x: f32[2, 4, 1, 6]) -> inplace y { y = x[:, 1:, :, 2:] |> squeeze() |> reshape([6, 4]) }

graph open_crop(x: f32[N, 8]) -> inplace y { y = x[:, 2:6] }

graph open_picks(x: u8[H, W, 4]) -> inplace y { y = gather(x, [1, 3], axis=2) }

graph nibbles(x: u4[6, 8]) -> inplace y { y = x[:, 2:6] }

graph names(x: string[5, 4]) -> inplace y { y = x[:, 1:] }

graph complexes(x: c128[5, 4], z: c64[3, 7]) -> (inplace y, inplace w) {
    y = x[:, 1:3]
    w = z[:, 2:]
}

# Elements that change, of the same size and of another one.
graph halves(x: f32[600]) -> inplace y { y = cast(x, f16) }

graph bytes(x: f32[70]) -> inplace y { y = cast(x, u8) }

graph positive(x: f32[40], k: f32[3]) -> inplace y { y = concat(x[3:], k, axis=0) |> relu() }

graph cut_bytes(x: f32[9, 8]) -> inplace y { y = x[:, 2:7] |> cast(i8) }

graph per_channel(x: f32[6, 8]) -> inplace y {
    y = quantize(x[:, 3:], [0.5, 0.25, 2.0, 1.0, 0.125], [0, 1, 2, 3, 4], axis=1)
}

# Results that are larger than the input, in memory that has room for them.
graph widened(x: i8[60]) -> inplace y { y = cast(x, f32) }

graph padded(x: u16[3, 4]) -> inplace y { y = pad(x, [1, 1, 1, 1], value=7) }

graph tiled(x: u16[3, 4]) -> inplace y { y = tile(x, [2, 2]) }

graph repeated(x: f32[7]) -> inplace y { y = repeat(x, 3) }

graph appended(x: u8[30], k: u8[5]) -> inplace y { y = concat(x, k, axis=0) }

graph open_pad(x: i32[N, 3]) -> inplace y { y = pad(x, [0, 1, 0, 2]) }

# For one row it would be an alias, or the other input would have more room: each size has the same place.
graph one_row(x: f32[N, 8]) -> inplace y where N in [1, 3] { y = x[:, 2:6] }

graph one_changed_row(x: f32[N, 8]) -> inplace y where N in [1, 3] { y = x[:, 2:6] |> relu() }

graph same_input(x: f32[A, 2, 2], z: f32[A*2, 2, 4]) -> inplace y where A in [2, 4] {
    y = x |> repeat([2, 1, 2]) |> concat(z, axis=2)
}

# Some moves go down and others up, in an order of their own.
graph apart(x: i16[200], k: i16[20]) -> inplace y { y = concat(x[20:80], k, x[80:100], x[99:159], axis=0) }

graph spread(x: u8[12]) -> inplace y { y = concat(x[4:6], x[2:4], x[6:12], axis=0) |> reshape([2, 5]) }

graph two_up(x: u8[12], k: u8[2], m: u8[1]) -> inplace y { y = concat(k, x[:5], m, x[5:9], axis=0) }

graph crossed(x: u8[12], k: u8[6]) -> inplace y { y = concat(x[6:9], k, x[0:3], axis=0) }

graph one_of_two(x: u8[9, 4], z: u8[2, 4]) -> (inplace y, w) {
    y = concat(x[2:], z, axis=0)
    w = flip(z, 0)
}

# Rolls: elements change places by three reversals.
graph ring(x: i16[40]) -> inplace y { y = roll(x, 7, axis=0) }

graph rolled_columns(x: u8[6, 8]) -> inplace y { y = roll(x, -2, axis=1) }

graph rolled_planes(x: f32[3, 5, 4]) -> inplace y { y = roll(x, 2, axis=1) }

graph open_ring(x: u32[N]) -> inplace y { y = concat(x[3:], x[:3], axis=0) }

graph open_columns(x: u8[N, M]) -> inplace y { y = roll(x, 1, axis=1) }

# Elements of two words, sizes that leave a part without elements, and batches of open sizes.
graph open_pairs(x: c128[A, A]) -> inplace y { y = x |> reshape([A, -1, 2]) |> roll(2, axis=0) }

graph open_flat(x: i64[A, 3]) -> inplace y { y = roll(x, 2) }

graph open_middle(x: u16[A, 4, B]) -> inplace y where B >= 1 { y = roll(x, 3, axis=1) }

graph rolled_names(x: string[7]) -> inplace y { y = roll(x, 3, axis=0) }
