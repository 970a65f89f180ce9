# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A dynamic graph computed a quotient in the type of an input before it had read the input's sizes, and took them for 0.
# RUN: %{reshapec} -fno-verify %s -o %t.o --header %t.h && %{cc} -include %t.h -x c %S/Inputs/quotient_of_inputs.c -x none %t.o %{build}/librsh_runtime.a -o %t && %t | FileCheck %s
# CHECK: 0: ok 0x0
# CHECK-NEXT: 1: ok 0x1
# CHECK-NEXT: 2: ok 1x0
# CHECK-NEXT: 3: ok 1x1
# CHECK-NEXT: 7: ok 3x1
graph g(s: u8[A], x: u8[A//2, A % 2], q: u8[1], t: i64[1]) -> (y, z) {
    y = flip(x, 0)
    z = reshape(q, t)
}
