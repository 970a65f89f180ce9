# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition after `where` contains a quotient. It is computed before the condition is checked, also in a dynamic graph.
# RUN: %{reshapec} -fno-verify %s -o %t.o --header %t.h && %{cc} -include %t.h -x c %S/Inputs/quotient_of_where.c -x none %t.o %{build}/librsh_runtime.a -o %t && %t | FileCheck %s
# CHECK: guard_failed guard_failed ok ok guard_failed guard_failed
graph g(x: u8[A], t: i64[1]) -> y where A//2 == 1 {
    y = reshape(x, t)
}
