// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the files of the LLVM emitter: plans to a module, the module to optimised code.
#ifndef CODEGEN_LLVM_MODULE_H
#define CODEGEN_LLVM_MODULE_H

#include "codegen/emit.h"
#include "codegen/llvm_build.h"
#include "codegen/twins.h"

#include <llvm-c/TargetMachine.h>

// What all functions of a module are built with.
typedef struct Target {
  LLVMTargetMachineRef machine;
  char *triple;         // freed with target_free
  const char *cpu;      // as LLVM names it, in the arena
  const char *features; // likewise
  const char *passes;   // "default<O2>"
  char level;           // '0' ... '3', 's', 'z'
  bool wide;            // loads and stores need no more than the alignment of an element
} Target;

// False: a message was reported ("bad_target").
bool target_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag);
void target_free(Target *target);

// A module with one function a plan. With `packed`, also NAME.packed for each, for jit_call.
LLVMModuleRef module_build(Arena *arena, LLVMContextRef context, const Plan *const *plans,
                           int count, const Target *target, const char *source_name, bool packed);
// The function that jit_call calls.
const char *module_packed_name(Arena *arena, const char *function_name);

// Verifies, runs the passes, verifies again. False: an internal fault was reported.
bool module_verify(LLVMModuleRef module, const char *when, Diag *diag);
bool module_optimise(LLVMModuleRef module, const Target *target, Diag *diag);

// The two parts of a function (emit_kernel.c): what an output's nests do, and how stages are looked
// up.
typedef struct Kernel {
  Gen *g;
  Arena *arena;
  const Plan *plan;
  const char *name;
  LLVMValueRef
      *stage; // functions: inputs and a byte address of the staged value -> pointer to the element
  LLVMTypeRef stage_type;
} Kernel;

void kernel_build_stages(Kernel *k);
// Output `index` inside of g->function; `twin` does it where it is not NULL.
void kernel_build_output(Kernel *k, int index, LLVMValueRef twin);
// The body of a function (first, output) that does what output `index` does.
void kernel_build_twin(Kernel *k, int index, LLVMValueRef function);

#endif
