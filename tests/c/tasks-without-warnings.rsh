# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# If the number of tasks is the same for all sizes, the C function for it does not use the sizes, and says so.
# RUN: mkdir -p %t && cd %t && %{reshapec} --emit=c --parallel -fno-verify %s -o out.c --header out.h
# RUN: cd %t && %{cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -c out.c -o out.o && FileCheck %s --input-file=out.c

# CHECK:     int32_t fixed_tasks(int64_t A) {
# CHECK-NEXT:  (void)A;
# CHECK-NEXT:  return 2;
graph fixed(s: u8[A], x: u8[2*A]) -> y {
    f = x |> cast(f32) |> celu()
    y = stack(f, f, axis=1) |> tile([3, 2])
}
