# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The function that looks up a value whose elements are all one element has no use for its index, and says so: no
# warning is left.
# RUN: %{reshapec} %s --emit=c -o %t.c --header %t.h
# RUN: FileCheck %s < %t.c
# RUN: %{cc} -std=c99 -Wall -Wextra -Werror -c %t.c -o %t.o

# CHECK-LABEL: float one_stage_0(const float *x, size_t at) {
# CHECK-NEXT:    (void)at;
graph one(x: f32) -> y { y = x |> sqrt() |> bitcast(u8) }

# CHECK-LABEL: float five_stage_0(const float *x, size_t at) {
# CHECK-NEXT:    (void)at;
graph five(x: f32) -> y { y = x |> sqrt() |> expand([5]) |> bitcast(u8) }
