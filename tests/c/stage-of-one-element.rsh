# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A lookup function for a value of equal elements does not use its index, and says so: there is no
# warning.
# RUN: %{reshapec} %s --emit=c -o %t.c --header %t.h
# RUN: FileCheck %s < %t.c
# RUN: %{cc} -std=c99 -Wall -Wextra -Werror -c %t.c -o %t.o

# CHECK-LABEL: float one_stage_0(const float *x, size_t at) {
# CHECK-NEXT:    (void)at;
graph one(x: f32) -> y { y = x |> sqrt() |> bitcast(u8) }

# CHECK-LABEL: float five_stage_0(const float *x, size_t at) {
# CHECK-NEXT:    (void)at;
graph five(x: f32) -> y { y = x |> sqrt() |> expand([5]) |> bitcast(u8) }
