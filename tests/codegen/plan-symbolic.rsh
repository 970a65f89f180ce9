# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Plans for sizes known only at run time: the same loops, runs and blocks, with polynomials as their numbers.
# RUN: %{reshapec} %s --dump=plan --target=x86_64-linux-gnu -mcpu=x86-64-v2 | FileCheck %s

# The constant inner part is the same as in a static kernel: runs of 128 bytes.
# CHECK-LABEL: graph heads
# CHECK-NEXT: y: f16[B, 12, S, 64]: symbolic
# CHECK-NEXT: from x+0 to 0
# CHECK-NEXT:   for B: dst 1536*S, src 1536*S
# CHECK-NEXT:     for 12: dst 128*S, src 128
# CHECK-NEXT:       for S: dst 128, src 1536
# CHECK-NEXT:         copy 128, align 2
# Large results are stored past the cache, and then in order of the source.
# CHECK-NEXT:   from 4194304 bytes on, in whole lines
# CHECK-NEXT:   for B: dst 1536*S, src 1536*S
# CHECK-NEXT:     for S: dst 128, src 1536
# CHECK-NEXT:       for 12: dst 128*S, src 128
# CHECK-NEXT:         copy 128, align 2, streamed
graph heads(x: f16[B, S, 768]) -> y {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}

# CHECK-LABEL: graph turned
# CHECK:       for M: dst 4, src 4*N
# CHECK-NEXT:    transpose 4 in blocks of {{[0-9]+ by [0-9]+}}, align 4
# CHECK-NEXT:  from 4194304 bytes on, in whole lines
# CHECK:         transpose 4 in prefetched blocks of {{[0-9]+ by [0-9]+}}, align 4, streamed
graph turned(x: f32[M, N]) -> y { y = transpose(x) }

# CHECK-LABEL: graph planes
# CHECK:       for H*W: dst 1, src 3
# CHECK-NEXT:    for 3: dst H*W, src 1
# CHECK-NEXT:      weave 1, align 1
graph planes(x: u8[H, W, 3]) -> y { y = transpose(x, [2, 0, 1]) }

# Columns of a wider result: its rows may be whole lines, but columns of 12 bytes are not.
# CHECK-LABEL: graph columns
# CHECK-NOT: streamed
graph columns(a: f32[B, 3, S], b: f32[B, S]) -> y {
    y = concat(transpose(a, [0, 2, 1]), reshape(b, [B, S, 1]), axis=2)
}

# Runs of an open length.
# CHECK-LABEL: graph joined
# CHECK:      from a+0 to 0
# CHECK-NEXT:   for B: dst 4*S+4*T, src 4*S
# CHECK-NEXT:     copy 4*S, align 4
# CHECK:      from b+0 to 4*S
# CHECK-NEXT:   for B: dst 4*S+4*T, src 4*T
# CHECK-NEXT:     copy 4*T, align 4
graph joined(a: f32[B, S], b: f32[B, T]) -> y { y = concat(a, b, axis=1) }

# A constant fills an open length element by element: LLVM vectorizes it.
# CHECK-LABEL: graph bordered
# CHECK:      from x+0 to 0
# CHECK-NEXT:   copy 4*N, align 4
# CHECK:      00 00 e0 40 to 4*N
# CHECK-NEXT:   fill 8, align 4
graph bordered(x: f32[N]) -> y { y = pad(x, [0, 2], value=7) }

# CHECK-LABEL: graph widened
# CHECK:      for N: dst 4, src 1
# CHECK-NEXT:   element cast u8 to f32, align 4
graph widened(x: u8[N]) -> y { y = cast(x, f32) }

# Rows of Q out of rows of K + 1: each element is looked up in a staged value.
# CHECK-LABEL: graph shifted
# CHECK-NEXT:   stage
graph shifted(x: f32[Q, K]) -> y {
    y = x |> pad([1, 0], axes=[1]) |> reshape([K + 1, Q]) |> transpose()
}

# CHECK-LABEL: graph rest
# CHECK-NEXT: y: f32[B-min(1, B), S]: alias of x+S*min(1, B)
graph rest(x: f32[B, S]) -> y { y = x[1:] }
