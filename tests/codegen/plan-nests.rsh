# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Loops around runs follow the order of the destination; a few cases use another order.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v2 | FileCheck %s

# Runs are contiguous on both sides.
# CHECK-LABEL: graph heads
# CHECK-NEXT: y: f16[4, 12, 384, 64]: static, 2359296 bytes: transpose moves axes 1 and 2: 4 x 12 x 384 runs of 128 bytes
# CHECK-NEXT: from x+0 to 0
# CHECK-NEXT:   for 4: dst 589824, src 589824
# CHECK-NEXT:     for 12: dst 49152, src 128
# CHECK-NEXT:       for 384: dst 128, src 1536
# CHECK-NEXT:         copy 128, align 2
graph heads(x: f16[4, 384, 768]) -> y {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}

# Three planes from pixels: the short loop is innermost, so that the source is read once.
# CHECK-LABEL: graph planes
# CHECK:      for 784: dst 1, src 3
# CHECK-NEXT:   for 3: dst 784, src 1
# CHECK-NEXT:     weave 1, align 1
graph planes(x: u8[28, 28, 3]) -> y { y = transpose(x, [2, 0, 1]) }

# A transposition uses tiles in registers, in blocks that fit the cache.
# CHECK-LABEL: graph blocks
# CHECK:      from x+0 to 0
# CHECK-NEXT:   for 300: dst 400, src 4
# CHECK-NEXT:     for 100: dst 4, src 1200
# CHECK-NEXT:       transpose 4 in blocks of 128 by 128, align 4
graph blocks(x: f32[100, 300]) -> y { y = transpose(x) }

# So does a rotation to the left: it reads rows of the source backward. Columns are moved in the order of the source.
# CHECK-LABEL: graph to_the_left
# CHECK:      from x+1196 to 0
# CHECK-NEXT:   for 300: dst 400, src -4
# CHECK-NEXT:     for 100: dst 4, src 1200
# CHECK-NEXT:       transpose 4 in blocks of 128 by 128, align 4
graph to_the_left(x: f32[100, 300]) -> y { y = transpose(x) |> flip([0]) }

# Pixels of 3 bytes are transposed as if they had 4. Those of 12 bytes fill a lane each, so loops copy them.
# CHECK-LABEL: graph pixels
# CHECK:      for 300: dst 300, src 3
# CHECK-NEXT:   for 100: dst 3, src 900
# CHECK-NEXT:     transpose 3 in blocks of 128 by 128, align 1
# CHECK-LABEL: graph wide_pixels
# CHECK:      for 12: dst 96, src 28800
# CHECK-NEXT:   for 300: dst 1200, src 12
# CHECK-NEXT:     for 8: dst 12, src 3600
# CHECK-NEXT:       copy 12, align 4
graph pixels(x: u8[100, 300, 3]) -> y { y = transpose(x, [1, 0, 2]) }
graph wide_pixels(x: f32[100, 300, 3]) -> y { y = transpose(x, [1, 0, 2]) }

# Pixels on one side and transposed planes on the other: the loop over planes is around those of the matrix, and a tile
# transposes whole pixels. Repeated elements are pixels of equal planes.
# CHECK-LABEL: graph apart
# CHECK:      for 3: dst 30000, src 1
# CHECK-NEXT:   for 300: dst 100, src 3
# CHECK-NEXT:     for 100: dst 1, src 900
# CHECK-NEXT:       transpose 1 in blocks of 256 by 64, align 1
# CHECK-LABEL: graph joined
# CHECK:      for 5: dst 2, src 60000
# CHECK-NEXT:   for 300: dst 1000, src 2
# CHECK-NEXT:     for 100: dst 10, src 600
# CHECK-NEXT:       transpose 2 in blocks of 256 by 64, align 2
# CHECK-LABEL: graph repeated_columns
# CHECK:      for 3: dst 1, src 0
# CHECK-NEXT:   for 300: dst 300, src 1
# CHECK-NEXT:     for 100: dst 3, src 300
# CHECK-NEXT:       transpose 1 in blocks of 256 by 64, align 1
graph apart(x: u8[100, 300, 3]) -> y { y = transpose(x) }
graph joined(x: f16[5, 100, 300]) -> y { y = transpose(x) }
graph repeated_columns(x: u8[100, 300]) -> y { y = transpose(x) |> repeat([1, 3]) }

# What L2 cannot hold is prefetched, if elements are wide.
# CHECK-LABEL: graph far
# CHECK:      transpose 4 in prefetched blocks of 256 by 256, align 4
# CHECK-NEXT: graph narrow
# CHECK:      transpose 2 in blocks of 512 by 128, align 2
graph far(x: f32[1000, 1000]) -> y { y = transpose(x) }
graph narrow(x: f16[1000, 1000]) -> y { y = transpose(x) }

# Rows at an unknown distance are not.
# CHECK-LABEL: graph open
# CHECK:      transpose 4 in blocks of
graph open(x: f32[4096, S]) -> y where S >= 4096 { y = transpose(x[:, 0:4096]) }

# Rows 4096 bytes apart would collide in the cache: through a buffer.
# CHECK-LABEL: graph crowded
# CHECK:      from x+0 to 0
# CHECK-NEXT:   for 1024: dst 400, src 4
# CHECK-NEXT:     for 100: dst 4, src 4096
# CHECK-NEXT:       transpose 4 in packed blocks of 256 by 128, align 4
graph crowded(x: f32[100, 1024]) -> y { y = transpose(x) }

# Bytes and pairs of bytes: as much of the destination as stays in L1, and less past the caches.
# CHECK-LABEL: graph bytes
# CHECK:      transpose 1 in packed blocks of 128 by 256, align 1
# CHECK-LABEL: graph pairs
# CHECK:      transpose 2 in packed blocks of 256 by 256, align 2
# CHECK-LABEL: graph bytes_large
# CHECK:      transpose 1 in packed prefetched blocks of 256 by 192, align 1, streamed
graph bytes(x: u8[1024, 1024]) -> y { y = transpose(x) }
graph pairs(x: f16[1024, 1024]) -> y { y = transpose(x) }
graph bytes_large(x: u8[4096, 4096]) -> y { y = transpose(x) }

# Short rows of the source: complete rows, up to one line of each row of the destination.
# CHECK-LABEL: graph short
# CHECK:      transpose 4 in blocks of 256 by 64, align 4
graph short(x: f32[500, 49]) -> y { y = transpose(x) }

# If rows of the destination are 2048 bytes apart (1024 for bytes), stores would stall each other: few rows at a time,
# and many lines of each; more if they are 4096 apart, and fewer if the source is crowded, too.
# CHECK-LABEL: graph crowded_2048
# CHECK:      transpose 4 in blocks of 256 by 512, in strips, align 4
# CHECK-LABEL: graph crowded_both
# CHECK:      transpose 4 in blocks of 64 by 128, in strips, align 4
# CHECK-LABEL: graph crowded_4096
# CHECK:      transpose 4 in blocks of 256 by 1024, in strips, align 4
# CHECK-LABEL: graph crowded_pairs
# CHECK:      transpose 2 in blocks of 256 by 512, in strips, align 2
# CHECK-LABEL: graph crowded_bytes
# CHECK:      transpose 1 in blocks of 256 by 256, in strips, align 1
# CHECK-LABEL: graph spread_bytes
# CHECK:      transpose 1 in blocks of 256 by 64, align 1
graph crowded_2048(x: f32[512, 49]) -> y { y = transpose(x) }
graph crowded_both(x: f32[512, 128]) -> y { y = transpose(x) }
graph crowded_4096(x: f32[1024, 49]) -> y { y = transpose(x) }
graph crowded_pairs(x: f16[1024, 100]) -> y { y = transpose(x) }
graph crowded_bytes(x: u8[1024, 200]) -> y { y = transpose(x) }
graph spread_bytes(x: u8[1000, 200]) -> y { y = transpose(x) }

# The rows of a small part of a large result may be crowded as well.
# CHECK-LABEL: graph crowded_part
# CHECK:      transpose 4, in strips, align 4
graph crowded_part(x: f32[32, 16], rest: f32[16, 992]) -> y { y = concat(transpose(x), rest, axis=1) }

# Such a destination is stored past the cache as soon as L2 cannot hold it; an uncrowded one of that size is not.
# CHECK-LABEL: graph result_crowded
# CHECK:      transpose 4 in prefetched blocks of 256 by 256, align 4, streamed
# CHECK-LABEL: graph result_spread
# CHECK:      transpose 4 in prefetched blocks of 256 by 256, align 4{{$}}
graph result_crowded(x: f32[1024, 768]) -> y { y = transpose(x) }
graph result_spread(x: f32[800, 800]) -> y { y = transpose(x) }

# Larger than the cache: two tiles of the destination side by side; if it fits the last-level cache three, or four if
# rows are crowded.
# CHECK-LABEL: graph three
# CHECK:      transpose 4 in prefetched blocks of 512 by 192, align 4
# CHECK-LABEL: graph four
# CHECK:      transpose 4 in prefetched blocks of 512 by 256, align 4
graph three(x: f32[1200, 1200]) -> y { y = transpose(x) }
graph four(x: f32[1024, 1024]) -> y { y = transpose(x) }

# CHECK-LABEL: graph large
# CHECK:      for 3000: dst 12000, src 4
# CHECK-NEXT:   for 3000: dst 4, src 12000
# CHECK-NEXT:     transpose 4 in prefetched blocks of 512 by 128, align 4{{$}}
graph large(x: f32[3000, 3000]) -> y { y = transpose(x) }

# Loops around the tiles, if rows of both sides are crowded: loops with nearby steps on either side are inner ones.
# CHECK-LABEL: graph around
# CHECK:      for 40: dst 8192, src 38400
# CHECK-NEXT:   for 50: dst 327680, src 768
# CHECK-NEXT:     for 192: dst 16384000, src 4
# CHECK-NEXT:       for 2048: dst 4, src 1536000
# CHECK-NEXT:         transpose 4 in prefetched blocks of 512 by 128, align 4, streamed
graph around(x: f32[2048, 40, 50, 192]) -> y { y = transpose(x, [3, 2, 1, 0]) }

# Past the last-level cache whole lines are stored past it, too, and the source is read in its order: of 16 rows, 28800
# bytes of each (75 times 384), before the next 16 start.
# CHECK-LABEL: graph in_source_order
# CHECK:      for 75: dst 28800, src 2764800
# CHECK-NEXT:   for 6: dst 64, src 460800
# CHECK-NEXT:     for 75: dst 384, src 384
# CHECK-NEXT:       for 96: dst 2160000, src 4
# CHECK-NEXT:         for 16: dst 4, src 28800
# CHECK-NEXT:           transpose 4 in prefetched blocks of 64 by 64, align 4, streamed
graph in_source_order(x: f32[75, 96, 75, 96]) -> y { y = transpose(x, [3, 0, 2, 1]) }

# If pieces of rows are short, the rows of a block follow one after the other.
# CHECK-LABEL: graph pieces
# CHECK:      for 75: dst 36864, src 2764800
# CHECK-NEXT:   for 75: dst 2764800, src 36864
# CHECK-NEXT:     for 6: dst 64, src 6144
# CHECK-NEXT:       for 96: dst 384, src 4
# CHECK-NEXT:         for 16: dst 4, src 384
# CHECK-NEXT:           transpose 4 in one prefetched block, near, align 4, streamed
graph pieces(x: f32[75, 75, 96, 96]) -> y { y = transpose(x, [1, 0, 3, 2]) }

# 608 rows of the destination a multiple of 512 bytes apart: two lines of each.
# CHECK-LABEL: graph channels
# CHECK:      for 3: dst 128, src 933888
# CHECK:      transpose 4 in prefetched blocks of 64 by 128, align 4, streamed
graph channels(x: f32[75, 96, 12, 608]) -> y { y = transpose(x, [3, 0, 2, 1]) }

# 32 * 5 * 15 pages of the destination alternate, not 15 times as many: the rest is in order of the destination.
# CHECK-LABEL: graph pages
# CHECK:      for 15: dst 6720, src 9600
# CHECK-NEXT:   for 15: dst 448, src 144000
# CHECK-NEXT:     for 7: dst 64, src 34560000
# CHECK-NEXT:       for 15: dst 100800, src 640
# CHECK-NEXT:         for 5: dst 1512000, src 128
# CHECK-NEXT:           for 32: dst 7560000, src 4
# CHECK-NEXT:             for 16: dst 4, src 2160000
# CHECK-NEXT:               transpose 4 in prefetched blocks of 64 by 64, align 4, streamed
graph pages(x: f32[112, 15, 15, 15, 5, 32]) -> y { y = transpose(x) }

# Rows of the source a multiple of pages apart leave L1 before their next lines are read: pieces.
# CHECK-LABEL: graph source_crowded
# CHECK:      for 8192: dst 8000, src 4
# CHECK-NEXT:   for 2000: dst 4, src 32768
# CHECK-NEXT:     transpose 4 in prefetched blocks of 512 by 64, in strips, align 4, streamed
graph source_crowded(x: f32[2000, 8192]) -> y { y = transpose(x) }

# Columns in nearly even blocks; runs in order of the source.
# CHECK-LABEL: graph whole_lines
# CHECK:      for 2: dst 12128256, src 4032
# CHECK-NEXT:   for 188: dst 64, src 192512
# CHECK-NEXT:     for 1008: dst 12032, src 4
# CHECK-NEXT:       for 16: dst 4, src 12032
# CHECK-NEXT:         transpose 4 in prefetched blocks of 64 by 64, align 4, streamed
# CHECK:      from x+8064 to 24256512
# CHECK:          for 992: dst 12032, src 4
# CHECK:      for 8: dst 3145728, src 3145728
# CHECK-NEXT:   for 1024: dst 256, src 3072
# CHECK-NEXT:     for 12: dst 262144, src 256
# CHECK-NEXT:       copy 256, align 4, streamed
graph whole_lines(x: f32[3008, 3008], z: f32[8, 1024, 768]) -> (y, heads) {
    y = transpose(x)
    heads = z |> reshape([8, 1024, 12, 64]) |> transpose([0, 2, 1, 3])
}

# If the order of the source touches many pages of the destination: long runs advance by a page of the source, short
# ones by 512 bytes of the destination.
# CHECK-LABEL: graph merge_large
# CHECK:      for 8: dst 3145728, src 3145728
# CHECK-NEXT:   for 64: dst 49152, src 4096
# CHECK-NEXT:     for 12: dst 256, src 262144
# CHECK-NEXT:       for 16: dst 3072, src 256
# CHECK-NEXT:         copy 256, align 4, streamed
# CHECK-LABEL: graph lines
# CHECK:      for 1024: dst 2048, src 4096
# CHECK-NEXT:   for 4: dst 512, src 33554432
# CHECK-NEXT:     for 64: dst 2097152, src 64
# CHECK-NEXT:       for 8: dst 64, src 4194304
# CHECK-NEXT:         copy 64, align 4, streamed
graph merge_large(x: f32[8, 12, 1024, 64]) -> y { y = transpose(x, [0, 2, 1, 3]) }
graph lines(x: f32[32, 1024, 64, 16]) -> y { y = transpose(x, [2, 1, 0, 3]) }

# Elements too large for a register, in blocks of 8, and the remainder of 100 by 8.
# CHECK-LABEL: graph wide
# CHECK:      from x+0 to 0
# CHECK-NEXT:   for 12: dst 192, src 172800
# CHECK-NEXT:     for 900: dst 2400, src 24
# CHECK-NEXT:       for 8: dst 24, src 21600
# CHECK-NEXT:         copy 24, align 4
# CHECK-NEXT: from x+2073600 to 2304
# CHECK-NEXT:   for 900: dst 2400, src 24
# CHECK-NEXT:     for 4: dst 24, src 21600
# CHECK-NEXT:       copy 24, align 4
graph wide(x: f32[100, 900, 6]) -> y { y = transpose(x, [1, 0, 2]) }

# Runs that fit in L2: large steps outside and small ones inside, unless their lines would collide in the cache.
# CHECK-LABEL: graph merge
# CHECK:      for 12: dst 256, src 32768
# CHECK-NEXT:   for 128: dst 3072, src 256
# CHECK-LABEL: graph merge_crowded
# CHECK:      for 128: dst 4096, src 256
# CHECK-NEXT:   for 16: dst 256, src 32768
# CHECK-LABEL: graph heads_again
# CHECK:      for 12: dst 32768, src 256
# CHECK-NEXT:   for 128: dst 256, src 3072
graph merge(x: f32[12, 128, 64]) -> y { y = transpose(x, [1, 0, 2]) }
graph merge_crowded(x: f32[16, 128, 64]) -> y { y = transpose(x, [1, 0, 2]) }
graph heads_again(x: f32[128, 12, 64]) -> y { y = transpose(x, [1, 0, 2]) }

# In order of the destination, whatever the order of the source.
# CHECK-LABEL: graph backwards
# CHECK:      y: i32[8, 4]: static, 128 bytes: a and b are joined, flip reverses axes: 5 runs of 16 bytes from b, 3 runs of 16 bytes from a
# CHECK-NEXT: from b+64 to 0
# CHECK-NEXT:   for 5: dst 16, src -16
# CHECK-NEXT:     copy 16, align 4
# CHECK-NEXT: from a+32 to 80
# CHECK-NEXT:   for 3: dst 16, src -16
# CHECK-NEXT:     copy 16, align 4
graph backwards(a: i32[3, 4], b: i32[5, 4]) -> y {
    y = concat(a, b, axis=0) |> flip([0])
}

# Repeated elements are no reason for another order.
# CHECK-LABEL: graph repeated
# CHECK:      for 500: dst 400, src 4
# CHECK-NEXT:   for 100: dst 4, src 0
# CHECK-NEXT:     copy 4, align 4
graph repeated(x: f32[500, 1]) -> y { y = expand(x, [500, 100]) }

# Pairs and strings need the alignment of their parts.
# CHECK-LABEL: graph parts
# CHECK: a: c64[3, 2]
# CHECK: weave 8, align 4
# CHECK: b: c128[3, 2]
# CHECK: transpose 16, align 8
# CHECK: c: string[3, 2]
# CHECK: weave 8, align 8
graph parts(x: c64[2, 3], y: c128[2, 3], z: string[2, 3]) -> (a, b, c) {
    a = transpose(x)
    b = transpose(y)
    c = transpose(z)
}
