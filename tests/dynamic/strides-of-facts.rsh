# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# That elements of a result do not overlap may follow from conditions of operators: `stack` needs A == 3 here. The graph
# for the runtime still has inputs of A rows, so an A that is too large to count them is reported before A == 3 is checked,
# as in compiled code.
# RUN: %{reshapec} -fno-verify %s -o %t.o --header %t.h && %{cc} -include %t.h -x c %S/Inputs/strides_of_facts.c -x none %t.o %{build}/librsh_runtime.a -lm -o %t && %t | FileCheck %s
# CHECK: 2 shape_mismatch shape_mismatch
# CHECK-NEXT: 3 ok ok
# CHECK-NEXT: 4611686018427387904 overflow overflow
graph compiled(x: u8[A, 2], k: u8[3, 2]) -> y: u8[2, A, 2] strides [-2*A, (A + 1)//2, 1] {
    y = stack(x, k, 0)
}
graph dynamic(x: u8[A, 2], k: u8[3, 2], q: u8[2], target: i64[1]) -> (y: u8[2, A, 2] strides [-2*A, (A + 1)//2, 1], z) {
    y = stack(x, k, 0)
    z = reshape(q, target)
}
