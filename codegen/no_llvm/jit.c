// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without LLVM there is no code in memory: opening it is an error, so the other functions are never called.
#include "codegen/machine/jit.h"
#include "codegen/machine/target.h"

#include <stdlib.h>

const Processor *jit_cost(Arena *arena, const EmitOptions *options) {
  return emit_cost(arena, options);
}

Jit *jit_new(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
             Diag *diag) {
  (void)arena, (void)plans, (void)count, (void)options;
  diag_error_file(diag, "no_llvm",
                  "this build of reshapec has no LLVM, so it cannot run kernels: use a build with "
                  "LLVM, or compile the C of --emit=c");
  return NULL;
}

Jit *jit_restore(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                 Bytes object, Diag *diag) {
  (void)object;
  return jit_new(arena, plans, count, options, diag);
}

Bytes jit_object(const Jit *jit) {
  (void)jit;
  abort();
}

Jit *jit_load(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              Bytes object, Diag *diag) {
  (void)object;
  return jit_new(arena, plans, count, options, diag);
}

void *jit_find(Jit *jit, const char *graph_name, EntryPoint entry) {
  (void)jit, (void)graph_name, (void)entry;
  abort();
}

int32_t *jit_find_level(Jit *jit) { return jit_find(jit, "", ENTRY_WHOLE); }

rsh_status jit_call(void *function, const JitArgument *arguments) {
  (void)function, (void)arguments;
  abort();
}

void jit_free(Jit *jit) { (void)jit; }
