// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled code in memory.
#ifndef CODEGEN_JIT_H
#define CODEGEN_JIT_H

#include "codegen/plan/emit_options.h"
#include "codegen/plan/names.h"

// Code in memory (ORC LLJIT).
typedef struct Jit Jit;
// The cost model's data on the processor that code in memory is compiled for: this one, if options name none.
const Processor *jit_cost(Arena *arena, const EmitOptions *options);
Jit *jit_new(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
             Diag *diag);
// Its code as an object; and code in memory from such an object, with the same plans and options.
Bytes jit_object(const Jit *jit);
Jit *jit_restore(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                 Bytes object, Diag *diag);
// The same from an object that emit_code made of these plans for this machine.
Jit *jit_load(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              Bytes object, Diag *diag);
// A function of a graph, to be called by jit_call; NULL: there is none. ENTRY_TASK_COUNT returns a number instead of a
// status.
void *jit_find(Jit *jit, const char *graph_name, EntryPoint entry);
// For an object with several versions: the variable with the x86-64 level that its functions selected, 1 to 4, or 0
// before the first call. NULL: there is none.
int32_t *jit_find_level(Jit *jit);
// One argument, for the parameter at the same index in Plan.signature.
typedef union JitArgument {
  int64_t size;
  const void *input;
  void *output;
} JitArgument;
// Calls it. Returns RSH_ok if the function returns nothing.
rsh_status jit_call(void *function, const JitArgument *arguments);
void jit_free(Jit *jit);

#endif
