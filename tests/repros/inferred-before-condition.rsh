# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The size for a -1 is computed after the other sizes, and only if none of them is 0. For A = 0 it would be
# (A-1)/2 = -1 rows. These were counted as 2^64 - 1.
# RUN: %{reshapec} -fno-verify %s -o %t.o --header %t.h && %{cc} -include %t.h -x c %S/Inputs/inferred_before_condition.c -x none %t.o %{build}/librsh_runtime.a -o %t && %t | FileCheck %s
# RUN: %{reshapec} -fno-verify --emit=c %s -o %t.c --header %t.h && %{cc} -include %t.h %S/Inputs/inferred_before_condition.c %t.c %{build}/librsh_runtime.a -o %t && %t | FileCheck %s
# CHECK: 0 ambiguous_infer ambiguous_infer
# CHECK-NEXT: 1 ok ok
# CHECK-NEXT: 2 not_divisible not_divisible
# CHECK-NEXT: 3 ok not_divisible
# CHECK-NEXT: 4611686018427387904 overflow overflow
graph g(x: u8[A, 3, A, 4]) -> y {
    y = reshape(x[1:], [2, -1, 3, A, 4])
}

# The same for the first of two targets: the second makes it (A-1)/4*2 rows.
graph twice(x: u8[A, 3, A, 4]) -> y {
    y = reshape(reshape(x[1:], [2, -1, 3, A, 4]), [2, 2, -1, 3, A, 4])
}
