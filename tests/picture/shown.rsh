# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The contents of a picture: each operator with its sizes and whether it moves anything; what is left; the loops.
# RUN: %{reshapec} explain --svg %s | FileCheck %s
# RUN: %{reshapec} explain --dot %s | FileCheck %s --check-prefix=DOT

# CHECK-LABEL: >graph heads</text>
# CHECK: >needs S &lt;= 4096</text>
# CHECK: >as written</text>
# CHECK: >x</text>
# CHECK-NEXT: >f16[B, S, 768]</text>
# CHECK: >reshape shape=[0, 0, 12, 64]</text>
# CHECK-NEXT: >moves nothing</text>
# CHECK-NEXT: >f16[B, S, 12, 64]</text>
# CHECK: >transpose perm=[0, 2, 1, 3]</text>
# CHECK-NEXT: >moves axes</text>
# CHECK: >as compiled</text>
# CHECK: >one kernel, symbolic</text>
# CHECK: >from x to y</text>
# CHECK-NEXT: >for B</text>
# CHECK-NEXT: >x + 768*S</text>
# CHECK-NEXT: >y + 768*S</text>
# CHECK: >copy 64 elements</text>
# CHECK-NEXT: >drawn for B = 4, S = 5</text>

# DOT: digraph reshapec {
# DOT: subgraph cluster_0 {
# DOT-NEXT: label="graph heads, as written"
# DOT-NEXT: c0_0 [shape=box, style=rounded, label="x\nf16[B, S, 768]"]
# DOT-NEXT: c0_1 [shape=box, color="#2c7a3f", label="reshape shape=[0, 0, 12, 64]\nmoves nothing\nf16[B, S, 12, 64]"]
# DOT-NEXT: c0_2 [shape=box, color="#b35900", penwidth=2, label="transpose perm=[0, 2, 1, 3]\nmoves axes\ny: f16[B, 12, S, 64]"]
# DOT-NEXT: c0_3 [shape=box, style=rounded, label="y\nf16[B, 12, S, 64]"]
# DOT-NEXT: c0_0 -> c0_1
# DOT-NEXT: c0_1 -> c0_2
# DOT-NEXT: c0_2 -> c0_3
# DOT: subgraph cluster_1 {
# DOT-NEXT: label="graph heads, as compiled"
# DOT: c1_0 -> c1_1
graph heads(x: f16[B, S, 768]) -> y: f16[B, 12, S, 64] where S <= 4096 {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}

# A transpose of axes of size 1, and contiguous rows, move nothing; a slice is written as in the language.
# CHECK-LABEL: >graph views</text>
# CHECK: >transpose perm=[1, 0, 2]</text>
# CHECK-NEXT: >moves nothing</text>
# CHECK: >slice [2:5]</text>
# CHECK-NEXT: >moves nothing</text>
# CHECK: >slice [:, 1::2]</text>
# CHECK-NEXT: >picks elements</text>
# CHECK: >alias</text>
# CHECK-NEXT: >x from element 8 on; nothing moves</text>
# CHECK: >memory of x</text>
graph views(x: f32[8, 1, 4]) -> (a, b) {
    a = x |> transpose([1, 0, 2]) |> squeeze(0) |> slice([2], [5], [0])
    b = x |> squeeze(1) |> slice([1], [4], [1], [2])
}

# Blocks of a transposition, with their numbers; constants; softmax; values known only at run time.
# CHECK-LABEL: >graph blocks</text>
# CHECK: >copy 1 element, transposed in registers
# CHECK: >x: 4096 rows of 4096</text>
# CHECK: >y: 4096 rows of 4096, written past the cache</text>
# CHECK: >done block by block in the order of the numbers:
graph blocks(x: f32[4096, 4096]) -> y { y = transpose(x) }

# CHECK-LABEL: >graph border</text>
# CHECK: >from a constant to y</text>
# CHECK: >fill 1 element, zipped with what fills the gaps</text>
# CHECK: class="fill"
graph border(x: f32[5, 3]) -> y { y = pad(x, [0, 1, 0, 0]) }

# CHECK-LABEL: >graph rows</text>
# CHECK: >softmax of 4 rows of 6</text>
# CHECK-NEXT: >moved there, in place in the result</text>
# CHECK: >then softmax of 4 rows of 6, in place</text>
graph rows(x: f32[6, 4]) -> y { y = x |> transpose() |> softmax() }

# CHECK-LABEL: >graph told</text>
# CHECK: >reshape shape=s</text>
# CHECK: >resolved, folded and moved by the runtime</text>
graph told(x: f32[2, 12], s: i64[3]) -> y { y = reshape(x, s) }
# CHECK: </svg>
