# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The code of a task is data, from which both the object and the C are printed: each task runs the iterations of a loop
# from its own part of the units up to the start of the next one. The number of tasks is computed alike.
# RUN: %{reshapec} --dump=code --parallel %s | FileCheck %s
# RUN: %{reshapec} --dump=code %s | FileCheck %s --check-prefix=ALONE
# ALONE-NOT: code rows_task

graph rows(x: u8[B, 64, 48]) -> y {
    y = transpose(x, [0, 2, 1])
}
# CHECK:      code rows_tasks
# CHECK-NEXT:   %[[ONE:[0-9]+]] = extent 1
# CHECK-NEXT:   %[[B:[0-9]+]] = extent B
# CHECK-NEXT:   %[[UNITS:[0-9]+]] = units %[[B]] of 1
# CHECK-NEXT:   %[[LIMIT:[0-9]+]] = extent 64
# CHECK-NEXT:   %[[FEW:[0-9]+]] = minimum %[[UNITS]], %[[LIMIT]]
# CHECK-NEXT:   %[[TASKS:[0-9]+]] = maximum %[[FEW]], %[[ONE]]
# CHECK-NEXT:   return_count %[[TASKS]]
# CHECK-NEXT: code rows_task
# CHECK-NEXT:   %[[TASK:[0-9]+]] = argument
# CHECK:        %[[PART:[0-9]+]] = part {{.*}}, %[[TASK]],
# CHECK-NEXT:   %[[BEGIN:[0-9]+]] = minimum %[[PART]]
# CHECK:        %[[AFTER:[0-9]+]] = advance %[[TASK]]
# CHECK-NEXT:   %[[NEXT:[0-9]+]] = part {{.*}}, %[[AFTER]],
# CHECK-NEXT:   %[[END:[0-9]+]] = minimum %[[NEXT]]
# CHECK-NEXT:   do_part %[[BEGIN]], %[[END]], share 0 of output 0
# CHECK-NEXT: code rows
