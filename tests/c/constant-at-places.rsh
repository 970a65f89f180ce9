# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A constant at evenly spaced places needs no table of places: one that nothing reads would be a warning.
# RUN: mkdir -p %t && cd %t && %{reshapec} --emit=c -fno-verify %s -o out.c --header out.h
# RUN: cd %t && %{cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -c out.c -o out.o && FileCheck %s --input-file=out.c
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s

# CHECK-NOT: places[
# CHECK:     static void zeros_kernel(
# CHECK:     for (size_t j = 0; j < 16U; j++) {
# CHECK-NEXT:  for (size_t k = 0; k < {{.*}}; k++) {
# CHECK-NEXT:    store_4(y, j + 16U * k, 0U);
graph zeros(x: u64[1], c: u8[C]) -> y { y = bitcast(pad(x, [C % 2, 0], value=0), f4e2m1) }
