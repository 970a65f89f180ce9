// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks (codegen/plan/split.h) as code: the part of each output that one task computes, and the number of tasks.
//
//   a loop of 40, in units of 8     units = (40 + 7) / 8
//                                   begin = minimum(units * task / tasks * 8, 40)
//                                   end = minimum(units * (task + 1) / tasks * 8, 40)
//                                   execute iterations begin ... end-1 of the loop
#include "codegen/code/code.h"

static CodeValue loop_extent(Code *code, const Share *share) {
  return code_extent(code, share->nest->loop[share->depth].extent);
}

// The units of a share's loop: its extent over `unit`, rounded up.
static CodeValue task_units(Code *code, const Share *share, CodeValue extent) {
  CodeValue units = code_add(code, CODE_UNITS, extent, CODE_NONE, CODE_NONE, share->unit);
  return code_named(code, units, "units");
}

// The largest number of units of any share, from 1 to MOST_TASKS; `tasks` if that is not 0.
static CodeValue task_count(Code *code, const Split *split, int64_t tasks) {
  CodeValue most = code_index(code, tasks > 0 ? tasks : 1);
  for (int i = 0; i < code->plan->output_count && tasks == 0; i++)
    for (int n = 0; n < split[i].count; n++) {
      const Share *share = &split[i].share[n];
      if (share->depth < 0)
        continue;
      CodeValue units = task_units(code, share, loop_extent(code, share));
      units = code_binary(code, CODE_MINIMUM, units, code_index(code, MOST_TASKS));
      most = code_binary(code, CODE_MAXIMUM, units, most);
    }
  return code_named(code, most, "tasks");
}

// The first iteration of a task; for task `tasks`, one past the last, the extent.
static CodeValue begin_of(Code *code, const Share *share, CodeValue units, CodeValue extent,
                          CodeValue task, CodeValue tasks) {
  CodeValue part = code_add(code, CODE_PART, units, task, tasks, 0);
  if (share->unit != 1)
    part = code_binary(code, CODE_MUL, part, code_index(code, share->unit));
  return code_binary(code, CODE_MINIMUM, part, extent);
}

static CodeValue do_nest(Code *code, CodeOp op, CodeValue begin, CodeValue end, int output,
                         int share) {
  CodeValue nest = code_add(code, op, begin, end, CODE_NONE, share);
  code->node.item[nest].index = output;
  return nest;
}

// Only task `owner` executes the code up to END.
static void open_task(Code *code, CodeValue owner, CodeValue task) {
  code_unary(code, CODE_IF, code_binary(code, CODE_EQUAL, task, owner));
}

static void do_share(Code *code, const Split *split, int output, int n, CodeValue task,
                     CodeValue tasks) {
  const Share *share = &split[output].share[n];
  if (share->depth < 0) {
    CodeValue owner = code_binary(code, CODE_MOD, code_index(code, share->task), tasks);
    open_task(code, owner, task);
    do_nest(code, CODE_DO_NEST, CODE_NONE, CODE_NONE, output, n);
    code_leaf(code, CODE_END);
    return;
  }
  CodeValue extent = loop_extent(code, share), units = task_units(code, share, extent);
  CodeValue begin = begin_of(code, share, units, extent, task, tasks);
  CodeValue after = code_advance(code, CODE_ADVANCE, task, code_index(code, 1), rsh_int(1));
  do_nest(code, CODE_DO_PART, begin, begin_of(code, share, units, extent, after, tasks), output, n);
}

Code *code_task(Arena *arena, const Plan *plan, const Split *split, int64_t tasks) {
  Code *code = code_new(arena, plan);
  CodeValue task = code_named(code, code_leaf(code, CODE_ARGUMENT), "task");
  CodeValue count = task_count(code, split, tasks);
  for (int i = 0; i < plan->output_count; i++) {
    if (split[i].count == 0) {
      open_task(code, code_index(code, 0), task);
      do_nest(code, CODE_DO_OUTPUT, CODE_NONE, CODE_NONE, i, 0);
      code_leaf(code, CODE_END);
    }
    for (int n = 0; n < split[i].count; n++)
      do_share(code, split, i, n, task, count);
  }
  code_end(code);
  return code;
}

Code *code_task_count(Arena *arena, const Plan *plan, const Split *split, int64_t tasks) {
  Code *code = code_new(arena, plan);
  code_unary(code, CODE_RETURN_COUNT, task_count(code, split, tasks));
  code_end(code);
  return code;
}
