# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The result has a negative stride, and the picked elements are flipped. So they are contiguous, and begin before the
# address of the result. They were written from that address on, past the end of the result.
# RUN: %{reshapec} -fno-verify %s -o %t.o --header %t.h && %{cc} -include %t.h -I%{root} -x c %S/Inputs/flipped_pick.c -x none %t.o %{build}/librsh_runtime.a -o %t && %t | FileCheck %s
# CHECK: ok 9 12 3 9
# CHECK-NEXT: ok 9 3 12 9
graph flipped(x: u16[*], i: i64[*]) -> y {
    y = gather(x, i, axis=1) |> flip([0])
}
