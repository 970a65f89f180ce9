# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Statuses, and numbers of tasks, are ints. Where registers have 64 bits, C expects them sign-extended: LLVM does so only
# if they are marked. Functions of the object itself need no mark.
# RUN: %{reshapec} %s --target=s390x-linux-gnu --parallel=hook --emit=llvm-ir -fno-verify -o - | FileCheck %s
# CHECK-DAG: define {{.*}}signext {{.*}}i32 @turned(i64 %A
# CHECK-DAG: define {{.*}}signext {{.*}}i32 @turned_shape(i64 %A
# CHECK-DAG: define {{.*}}signext i32 @turned_tasks(i64 %A
# CHECK-DAG: define {{.*}}signext {{.*}}i32 @turned_task(i32 signext %0

graph turned(x: u16[A, 512]) -> y {
    y = transpose(x)
}
