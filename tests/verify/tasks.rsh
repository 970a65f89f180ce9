# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# With --parallel a graph is also run as tasks, in another order each time: together they do what the function does, and
# no two of them write to the same line. With --multiversion each version that this machine supports is run.
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=ALONE
# ALONE: blocks {{ *}}proved: 244 runs
# RUN: %{reshapec} verify %s --parallel | FileCheck %s --check-prefix=TASKS
# RUN: %{reshapec} verify %s --parallel=hook | FileCheck %s --check-prefix=TASKS
# TASKS: blocks {{ *}}proved in 2 ways: 488 runs
# TASKS: cast {{ *}}sampled in 2 ways:
# TASKS: heads {{ *}}proved in 2 ways for {{[0-9]+}} choices of sizes, {{[1-9][0-9]*}} of them refused:
# TASKS: parts {{ *}}proved in 2 ways for {{[0-9]+}} choices of sizes
# TASKS: open {{ *}}tested for
# TASKS: 8 of 8 graphs verified

# RUN: %{reshapec} verify %s blocks --multiversion=v2 --json | FileCheck %s --check-prefix=VERSIONS
# VERSIONS:      "ways": [
# VERSIONS-NEXT:   "as x86-64",
# VERSIONS-NEXT:   "as x86-64-v2"
# VERSIONS-NEXT: ],
# RUN: %{reshapec} verify %s woven --multiversion=v2 --parallel --json | FileCheck %s --check-prefix=BOTH
# BOTH:      "as x86-64",
# BOTH-NEXT: "as x86-64, in tasks",
# BOTH-NEXT: "as x86-64-v2",
# BOTH-NEXT: "as x86-64-v2, in tasks"
# RUN: %{reshapec} verify %s --multiversion=v2,v3,v4 2> %t.err | FileCheck %s --check-prefix=LEVELS
# LEVELS: 8 of 8 graphs verified
# A version that this machine does not support is left out, with a note.
# RUN: grep -q avx512vl /proc/cpuinfo || FileCheck %s --check-prefix=LACKS --input-file=%t.err
# LACKS: warning: the version for x86-64-v4 is not verified: this machine does not have it

# The object is the one that a compile writes.
# RUN: %{reshapec} %s --parallel --multiversion=v3 -o %t.plain.o && %{reshapec} -fverify %s --parallel --multiversion=v3 -o %t.o && cmp %t.o %t.plain.o

# The tasks of C code are the ones that a compiler makes of it.
# RUN: %{reshapec} verify %s --parallel --emit=c | FileCheck %s --check-prefix=C
# C: blocks {{ *}}sampled in 2 ways: 488 runs
# C: 8 of 8 graphs verified

graph blocks(x: f32[20, 33, 70]) -> y: f32[20, 70, 33] { y = transpose(x, [0, 2, 1]) }
graph woven(x: u8[3, 30000]) -> y: u8[30000, 3] { y = transpose(x) }
graph joined(a: u8[20000], b: u8[100003]) -> y: u8[120003] { y = concat(a, b, axis=0) }
graph several(x: f32[64, 64, 16]) -> (a: f32[16, 64, 64], b: f32[2048, 32], c: f32[2, 3]) {
    a = transpose(x, [2, 1, 0])
    b = x |> flip([2]) |> reshape([2048, 32])
    c = x[0, 0:2, 0:3]
}
graph cast(x: u8[100, 200, 3]) -> y: f32[3, 100, 200] { y = x |> transpose([2, 0, 1]) |> cast(f32) }
graph heads(x: f16[B, S, 96]) -> y: f16[B, 6, S, 16] where S <= 9 {
    y = x |> reshape([0, 0, 6, 16]) |> transpose([0, 2, 1, 3])
}
graph parts(x: u8[B, S, 96]) -> y: u8[B, 6, S, 16] where B in [1, 8], S <= 64 {
    y = x |> reshape([0, 0, 6, 16]) |> transpose([0, 2, 1, 3])
}
graph open(x: f32[6], s: i64[2]) -> y { y = reshape(x, s) }
