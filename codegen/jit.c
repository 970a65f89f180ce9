// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code in memory, made for this machine: the same module as an object's, with a function beside
// each that takes its arguments in one list.
#include "codegen/llvm_module.h"
#include "codegen/llvm_version.h"
#include "codegen/names.h"
#include "runtime/program.h"

#include <llvm-c/LLJIT.h>
#include <stdlib.h>
#include <string.h>

struct Jit {
  LLVMOrcLLJITRef engine;
  Arena *arena;
  const Plan *const *plans;
  const char **name, **shape_name;
  int count;
};

static bool report(Diag *diag, LLVMErrorRef error) {
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  diag_error_file(diag, "internal", "code in memory: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

static LLVMOrcLLJITRef open_engine(Arena *arena, const EmitOptions *options, Diag *diag) {
  Target target;
  if (!target_open(arena, options, &target, diag))
    return NULL;
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(target.machine));
  target.machine = NULL; // it belongs to the builder
  target_free(&target);
  LLVMOrcLLJITRef engine = NULL;
  return report(diag, LLVMOrcCreateLLJIT(&engine, builder)) ? engine : NULL;
}

// The functions of the plans, or where `only_packed` what calls them.
static bool add_module(LLVMOrcLLJITRef engine, Arena *arena, const Plan *const *plans, int count,
                       const EmitOptions *options, bool only_packed, Diag *diag) {
  Target target;
  if (!target_open(arena, options, &target, diag))
    return false;
  LLVMContextRef context;
  LLVMOrcThreadSafeContextRef shared = new_shared_context(&context);
  LLVMModuleRef module = only_packed
                             ? module_build_packed(arena, context, plans, count, &target)
                             : module_build(arena, context, plans, count, &target, "jit", true);
  bool good = module_optimise(module, &target, diag);
  target_free(&target);
  LLVMOrcThreadSafeModuleRef wrapped = LLVMOrcCreateNewThreadSafeModule(module, shared);
  LLVMOrcDisposeThreadSafeContext(shared); // the module keeps it
  if (!good)
    LLVMOrcDisposeThreadSafeModule(wrapped);
  return good && report(diag, LLVMOrcLLJITAddLLVMIRModule(
                                  engine, LLVMOrcLLJITGetMainJITDylib(engine), wrapped));
}

static bool is_dynamic(const Plan *const *plans, int count) {
  bool found = false;
  for (int i = 0; i < count; i++)
    found = found || plans[i]->tape;
  return found;
}

// The runtime that the compiler itself is linked with.
static bool add_runtime(LLVMOrcLLJITRef engine, Diag *diag) {
  rsh_status (*const function[])(const int64_t *, const rsh_program_call *) = {rsh_program_run,
                                                                               rsh_program_shape};
  static const char *const name[] = {"rsh_program_run", "rsh_program_shape"};
  LLVMOrcCSymbolMapPair pair[2];
  for (int i = 0; i < 2; i++) {
    pair[i].Name = LLVMOrcLLJITMangleAndIntern(engine, name[i]);
    uintptr_t address;
    memcpy(&address, &function[i], sizeof address);
    pair[i].Sym.Address = address;
    pair[i].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
    pair[i].Sym.Flags.TargetFlags = 0;
  }
  return report(diag, LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(engine),
                                            LLVMOrcAbsoluteSymbols(pair, 2)));
}

static bool add_object(LLVMOrcLLJITRef engine, Bytes object, Diag *diag) {
  LLVMMemoryBufferRef copy =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.size, "object");
  return report(diag, LLVMOrcLLJITAddObjectFile(engine, LLVMOrcLLJITGetMainJITDylib(engine), copy));
}

// `object` NULL: code is made of the plans.
static Jit *open_jit(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                     const Bytes *object, Diag *diag) {
  EmitOptions host = *options;
  host.triple = host.abi = NULL;
  if (!host.cpu)
    host.cpu = "native";
  Jit *jit = ARENA_NEW(arena, Jit);
  *jit = (Jit){.arena = arena,
               .plans = plans,
               .name = function_names(arena, plans, count),
               .shape_name = shape_names(arena, plans, count),
               .count = count};
  jit->engine = open_engine(arena, &host, diag);
  if (!jit->engine)
    return NULL;
  if ((!is_dynamic(plans, count) || add_runtime(jit->engine, diag)) &&
      (!object || add_object(jit->engine, *object, diag)) &&
      add_module(jit->engine, arena, plans, count, &host, object != NULL, diag))
    return jit;
  jit_free(jit);
  return NULL;
}

Jit *jit_new(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
             Diag *diag) {
  return open_jit(arena, plans, count, options, NULL, diag);
}

Jit *jit_load(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              Bytes object, Diag *diag) {
  return open_jit(arena, plans, count, options, &object, diag);
}

static void *find(Jit *jit, const char *const *names, const char *graph_name) {
  for (int i = 0; i < jit->count; i++) {
    if (strcmp(jit->plans[i]->graph->name, graph_name) != 0 || !names[i])
      continue;
    LLVMOrcExecutorAddress address = 0;
    LLVMErrorRef error =
        LLVMOrcLLJITLookup(jit->engine, &address, module_packed_name(jit->arena, names[i]));
    if (!error)
      return (void *)(uintptr_t)address;
    LLVMConsumeError(error);
  }
  return NULL;
}

void *jit_find(Jit *jit, const char *graph_name) { return find(jit, jit->name, graph_name); }

void *jit_find_shape(Jit *jit, const char *graph_name) {
  return find(jit, jit->shape_name, graph_name);
}

rsh_status jit_call(void *function, const JitArgument *arguments) {
  typedef int Packed(const JitArgument *);
  Packed *call;
  memcpy(&call, &function,
         sizeof call); // ISO C does not convert between data and function pointers
  return (rsh_status)call(arguments);
}

void jit_free(Jit *jit) {
  LLVMErrorRef error = LLVMOrcDisposeLLJIT(jit->engine);
  if (error)
    LLVMConsumeError(error);
}
