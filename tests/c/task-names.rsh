# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# C of tasks compiles without warnings if an input has the name of the graph, which NAME_task calls, and if NAME_tasks
# does not use the sizes it is given.
# RUN: %{reshapec} --parallel --emit=c -fno-verify %s -o %t.c --header %t.h && %{cc} -std=c99 -Wall -Wextra -pedantic -Werror -c %t.c -o %t.o
# RUN: FileCheck %s < %t.c

# CHECK:      void same_task(int32_t task, const float *restrict same_2, float *restrict y) {
# CHECK-NEXT:   (void)task;
# CHECK-NEXT:   same(same_2, y);
graph same(same: f32[4]) -> y { y = flip(same, 0) }

# CHECK:      int32_t halves_tasks(int64_t W) {
# CHECK-NEXT:   (void)W;
# CHECK-NEXT:   return {{[0-9]+}};
graph halves(x: f32[W]) -> y: f32[3*W/32, 32] where 3*W % 16 == 0, W % 32 == 0 {
    y = x |> tile([3]) |> reshape([-1, 32])
}
