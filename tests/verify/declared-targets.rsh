# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Few targets and sizes give a declared result: verify tries the declared sizes as targets.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} %s -fverify -o %t.o

# CHECK: numbers tested
graph numbers(x: i32[N], s: i64[2]) -> y: i32[5, 7] { y = reshape(x, s) }

# CHECK: sizes tested
graph sizes(x: i32[N, M], s: i64[2]) -> y: i32[M, N] { y = reshape(x, s) }

# CHECK: length tested
graph length(x: i32[N], s: i64[K]) -> y: i32[N % 4, K + 1] where N % 4 in [2, 3] { y = reshape(x, s) }

# CHECK: called tested
graph called(x: i32[N], s: i64[2]) -> y { y = numbers(x, s) |> transpose() }
