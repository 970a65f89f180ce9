# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every eighth row of L elements: the stride is 8*L.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | grep '3 of 3 graphs verified'
# CHECK-LABEL: graph gathered(
# CHECK:       y  symbolic
graph gathered(x: u8[16, L]) -> y { y = gather(x, [0, 8], axis=0) }
# CHECK-LABEL: graph sliced(
# CHECK:       y  symbolic
graph sliced(x: u8[16, L]) -> y { y = x[::5] }
# CHECK-LABEL: graph inner(
# CHECK:       y  symbolic
graph inner(x: u8[L, 16, M]) -> y { y = x[:, 1::3] |> transpose() }
