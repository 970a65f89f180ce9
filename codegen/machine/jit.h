// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code in memory.
#ifndef CODEGEN_JIT_H
#define CODEGEN_JIT_H

#include "codegen/plan/emit_options.h"

// Code in memory (ORC LLJIT).
typedef struct Jit Jit;
// What the cost model knows of the processor that it is made for: this one, where options name none.
const Processor *jit_cost(Arena *arena, const EmitOptions *options);
Jit *jit_new(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
             Diag *diag);
// Its code as an object, and code in memory of the object that one with the same plans and options had.
Bytes jit_object(const Jit *jit);
Jit *jit_restore(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                 Bytes object, Diag *diag);
// The same of an object that emit_code made of them for this machine.
Jit *jit_load(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              Bytes object, Diag *diag);
// The function of a graph, to be called through jit_call; NULL when there is none of that name.
void *jit_find(Jit *jit, const char *graph_name);
// The same of NAME_shape.
void *jit_find_shape(Jit *jit, const char *graph_name);
// The same of NAME_tasks, which returns their number in place of a status, and of NAME_task (codegen/plan/signature.h),
// where the object has them.
void *jit_find_task_count(Jit *jit, const char *graph_name);
void *jit_find_task(Jit *jit, const char *graph_name);
// Of an object with several versions: where its functions keep the level of x86-64 that they were chosen for, 1 to 4,
// or 0 before the first call. NULL: there is none.
int32_t *jit_find_level(Jit *jit);
// One argument, for the parameter of the same place in Plan.signature.
typedef union JitArgument {
  int64_t size;
  const void *input;
  void *output;
} JitArgument;
// Calls it. RSH_ok where the function returns nothing.
rsh_status jit_call(void *function, const JitArgument *arguments);
void jit_free(Jit *jit);

#endif
