# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Values with a kernel of their own have tasks of their own too, in C as in an object: each task of the graph calls the
# same task of theirs. If their kernel is not divided, task 0 runs it. All tasks return the same status: also if a
# tensor has no memory, or its size in bytes overflows.
# RUN: %{reshapec} verify %s --parallel --emit=c | FileCheck %s
# RUN: %{reshapec} verify %s --parallel | FileCheck %s

# RUN: %{reshapec} %s --parallel --emit=c -fno-verify -o - | FileCheck %s --check-prefix=TASKS
# TASKS:      int32_t heads_tasks(
# TASKS:        return heads_variant_0_tasks(B, S);
# TASKS:      rsh_status heads_task(
# TASKS:        return heads_variant_0_task(task, B, S, x, y);
# TASKS:      rsh_status rows_task(
# TASKS:        if ((size_t)task != 0U) {
# TASKS-NEXT:     return RSH_ok;
# TASKS:        return rows_variant_0(N, x, y, z);

# CHECK:      heads {{[a-z]+}} in 2 ways
# CHECK-NEXT: rows  {{[a-z]+}} in 2 ways
# CHECK:      2 of 2 graphs verified
graph heads(x: f16[B, S, 96]) -> y: f16[B, 6, S, 16] where B in [1, 8], S <= 4096 {
    y = x |> reshape([0, 0, 6, 16]) |> transpose([0, 2, 1, 3])
}

graph rows(x: f32[N, 48]) -> (y, z) where N in [6, 12, 0] {
    y = reshape(x, [-1, 32]) |> transpose()
    z = transpose(x)
}
