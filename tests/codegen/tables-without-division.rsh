# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements with an entry in each of two tables compute both indices from one, which needs a division by 7. A Cortex-M0 has
# no instruction for it, and the object calls no library (__aeabi_uidiv).
# RUN: for level in -Os -Oz -O1 -O2; do %{reshapec} %s --target=thumbv6m-none-eabi $level -fno-verify -o %t.o && llvm-nm -u %t.o | count 0 || exit 1; done
# RUN: %{reshapec} %s --target=thumbv6m-none-eabi -Os -fno-verify --emit=llvm-ir -o - | FileCheck %s
# RUN: %{reshapec} verify %s

# CHECK-LABEL: @rows(
# CHECK-DAG: call fastcc i32 @divide(i32
# CHECK-DAG: call fastcc i32 @divide.rest.word(i32
graph rows(x: i32[N, 7, 3]) -> y { y = x*[[1], [2], [3], [4], [5], [6], [7]] + [1, 2, 3] }

graph known(x: i32[6, 7, 3]) -> y {
    y = x*[[1], [2], [3], [4], [5], [6], [7]] + [1, 2, 3] |> transpose([2, 0, 1])
}
