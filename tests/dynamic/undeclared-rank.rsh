# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A subscript and a pattern need a known rank, which a declaration gives: the message says so.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s -DFILE=%s
# RUN: sed 's/ t = / t: f32[?, ?] = /' %s > %t.rsh && %{reshapec} check %t.rsh
graph turned(x: f32[B, 6], s: i64[K]) -> (y, z) {
    t = reshape(x, s)
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: the rank of 't' (f32[*]) must be known when compiling: declare it, as in f32[?, ?]; sizes may be open
    y = rearrange(t, "a b -> b a")
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: the rank of 't' (f32[*]) must be known when compiling: declare it, as in f32[?, ?]; sizes may be open
    z = t[0]
}
