# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rows that are gathered in no regular order are written at a table of places. A nest that writes between these places is
# not divided: tasks would share lines of the result.
# RUN: %{reshapec} verify --parallel %s | FileCheck %s
# RUN: %{reshapec} verify --parallel --emit=c %s | FileCheck %s
# CHECK: 2 of 2 graphs verified
# RUN: %{reshapec} --parallel --emit=c %s -o - --header %t.h | FileCheck %s --check-prefix=TASKS
# TASKS:      int32_t between_tasks(void) {
# TASKS-NEXT: return 1;
# TASKS:      int32_t after_tasks(void) {
# TASKS-NEXT: return 6;

graph between(x: f32[40, 1024], z: f32[40, 8]) -> y {
    y = gather(
        x,
        [
            5, 14, 18, 3, 26, 31, 27, 35, 13, 9, 2, 1, 10, 32, 11, 21, 16, 19, 28, 33, 20, 12, 25, 24, 29, 39, 22, 6, 7,
            17, 36, 38, 0, 4, 30, 23, 8, 34, 37, 15
        ]
    )
        |> concat(z, axis=1)
}

# All that the second nest writes comes after the last place.
graph after(x: f32[40, 1024], z: f32[64, 1024]) -> y {
    y = gather(
        x,
        [
            5, 14, 18, 3, 26, 31, 27, 35, 13, 9, 2, 1, 10, 32, 11, 21, 16, 19, 28, 33, 20, 12, 25, 24, 29, 39, 22, 6, 7,
            17, 36, 38, 0, 4, 30, 23, 8, 34, 37, 15
        ]
    )
        |> concat(z[::-1], axis=0)
}
