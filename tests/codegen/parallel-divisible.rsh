# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Without a division instruction, rests of sizes (64 bits) and of tasks (32 bits) are computed by two functions.
# RUN: %{reshapec} %s --parallel --target=thumbv6m-none-eabi -fno-verify -o %t.o
# RUN: %{reshapec} %s --parallel --target=thumbv6m-none-eabi -fno-verify --emit=llvm-ir -o - | FileCheck %s
# CHECK-DAG: define internal fastcc i64 @divide.rest(i64
# CHECK-DAG: define internal fastcc i32 @divide.rest.word(i32
# CHECK-DAG: call fastcc i64 @divide.rest(i64 %A
# CHECK-DAG: call fastcc i32 @divide.rest.word(i32
graph rows(x: u8[A, B, 64], last: u8[1, 64]) -> y where A % 3 == 0 {
    y = concat(x |> transpose([1, 0, 2]) |> reshape([-1, 64]), last, axis=0)
}
