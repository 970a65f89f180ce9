// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code in memory, generated for this machine: the same module as an object's, plus a function per kernel that takes its
// arguments in one list.
#include "codegen/llvm/process.h"
#include "codegen/machine/target.h"
#include "codegen/plan/names.h"
#include "frontend/text/rescue.h"
#include "runtime/fold_rules.h"
#include "runtime/program.h"

#include <elf.h>
#include <errno.h>
#include <llvm-c/LLJIT.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

struct Jit {
  LLVMOrcLLJITRef engine;
  Arena *arena;
  const Plan *const *plans;
  const GraphNames *names; // of each plan's graph
  int count;
  Bytes object;  // the functions of all plans, and their callers
  char why[256]; // why LLVM could not link it, or ""
};

// If LLVM cannot allocate pages for code, its message is the text of the system's error.
static void watch_for_memory(const char *message) {
  if (strstr(message, strerror(ENOMEM)))
    out_of_memory();
}

static bool report(Diag *diag, LLVMErrorRef error) {
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  watch_for_memory(message);
  diag_error_file(diag, "internal", "code in memory: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

// Called during linking, where a jump is not allowed.
static void take_error(void *jit, LLVMErrorRef error) {
  Jit *j = jit;
  char *message = LLVMGetErrorMessage(error);
  if (!*j->why)
    snprintf(j->why, sizeof j->why, "%s", message);
  LLVMDisposeErrorMessage(message);
}

static bool open_machine(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
  return target_open(arena, options, target, diag) && backend_open(arena, options, target, diag);
}

static LLVMOrcLLJITRef open_engine(Arena *arena, const EmitOptions *options, Diag *diag) {
  Target target;
  if (!open_machine(arena, options, &target, diag))
    return NULL;
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(target.machine));
  target.machine = NULL; // the builder owns it
  target_free(&target);
  LLVMOrcLLJITRef engine = NULL;
  return report(diag, LLVMOrcCreateLLJIT(&engine, builder)) ? engine : NULL;
}

// Compiles the functions of the plans to an object, or if `only_packed` only their callers.
static bool compile(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                    bool only_packed, Bytes *object, Diag *diag) {
  Target target;
  if (!open_machine(arena, options, &target, diag))
    return false;
  process_enter(process_switches(&target));
  target_find_unit(&target, plans, count);
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiscardValueNames(context, true);
  LLVMModuleRef module = only_packed
                             ? module_build_packed(arena, context, plans, count, &target)
                             : module_build(arena, context, plans, count, &target, "jit", true);
  bool good =
      module_optimize(module, &target, diag) && module_object(arena, module, &target, object, diag);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  process_leave();
  target_free(&target);
  return good;
}

static bool is_dynamic(const Plan *const *plans, int count) {
  bool found = false;
  for (int i = 0; i < count; i++)
    found = found || plans[i]->tape;
  return found;
}

// The functions that code in memory may call, which are linked into the compiler: functions of C that object_check.c
// allows, since a static program cannot look them up by name, and functions of the runtime, for dynamic graphs.
typedef void Function(void);
static const struct {
  const char *name;
  Function *function;
} functions[] = {
#define NAMED(function) {NAME_OF(function), (Function *)(function)},
#define NAME_OF(function) #function
#define LIBM(function)                                                                             \
  {#function, (Function *)(function)}, {#function "f", (Function *)(function##f)},
    // clang-format off
    LIBM(acos) LIBM(acosh) LIBM(asin) LIBM(asinh) LIBM(atan) LIBM(atanh) LIBM(cos) LIBM(cosh) LIBM(erfc) LIBM(exp)
    LIBM(expm1) LIBM(fmod) LIBM(log) LIBM(log10) LIBM(log1p) LIBM(log2) LIBM(sin) LIBM(sinh) LIBM(tan) LIBM(tanh)
    // clang-format on
    NAMED(memcpy) NAMED(memset) NAMED(rsh_program_run) NAMED(rsh_program_shape)
        NAMED(rsh_program_cast)
#undef LIBM
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  NAMED(rsh_rule_##rule) NAMED(rsh_fold_##rule)
#include "runtime/ops.def"
#undef RSH_OP
#undef NAME_OF
#undef NAMED
};
static const struct {
  const char *name;
  const void *constant;
} runtime_constants[] = {
    {"rsh_program_dlpack", &rsh_program_dlpack}, {"rsh_program_edges", &rsh_program_edges},
    {"rsh_program_guards", &rsh_program_guards}, {"rsh_program_picks", &rsh_program_picks},
    {"rsh_program_moves", &rsh_program_moves},   {"rsh_program_copies", &rsh_program_copies}};
enum {
  FUNCTIONS = sizeof functions / sizeof functions[0],
  CONSTANTS = sizeof runtime_constants / sizeof runtime_constants[0]
};

static LLVMOrcCSymbolMapPair symbol_of(LLVMOrcLLJITRef engine, const char *name, uintptr_t address,
                                       uint8_t flags) {
  LLVMOrcCSymbolMapPair pair = {.Name = LLVMOrcLLJITMangleAndIntern(engine, name)};
  pair.Sym.Address = address;
  pair.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported | flags;
  return pair;
}

// Whether the name is already listed: operators share rules.
static bool is_named_before(int i) {
  for (int k = 0; k < i; k++)
    if (strcmp(functions[k].name, functions[i].name) == 0)
      return true;
  return false;
}

static bool is_of_c(int i) { return strncmp(functions[i].name, "rsh_", 4) != 0; }

static bool add_functions(LLVMOrcLLJITRef engine, bool with_runtime, Diag *diag) {
  LLVMOrcCSymbolMapPair pair[FUNCTIONS + CONSTANTS];
  size_t count = 0;
  for (int i = 0; i < FUNCTIONS; i++) {
    uintptr_t address;
    if ((!with_runtime && !is_of_c(i)) || is_named_before(i))
      continue;
    memcpy(&address, &functions[i].function, sizeof address);
    pair[count++] =
        symbol_of(engine, functions[i].name, address, LLVMJITSymbolGenericFlagsCallable);
  }
  for (int i = 0; with_runtime && i < CONSTANTS; i++)
    pair[count++] =
        symbol_of(engine, runtime_constants[i].name, (uintptr_t)runtime_constants[i].constant, 0);
  return report(diag, LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(engine),
                                            LLVMOrcAbsoluteSymbols(pair, count)));
}

// The level of the processor is in a variable that is local to the object. A copy of the object gets a global symbol
// for it, named by a suffix of its name: the symbol table is copied to the end, with that symbol added.
static const char level_inside[] = LEVEL_VARIABLE, *const level_name = level_inside + 4;

static Bytes with_level(Arena *arena, Bytes object) {
  Elf64_Ehdr head;
  memcpy(&head, object.data, sizeof head);
  size_t headers = head.e_shnum * sizeof(Elf64_Shdr);
  Elf64_Shdr *section = arena_alloc(arena, headers);
  memcpy(section, object.data + head.e_shoff, headers);
  Elf64_Shdr *table = section;
  while (table < section + head.e_shnum && table->sh_type != SHT_SYMTAB)
    table++;
  if (table == section + head.e_shnum)
    return object;
  size_t at = (object.size + 7) / 8 * 8, count = table->sh_size / sizeof(Elf64_Sym);
  char *made = arena_alloc(arena, at + table->sh_size + sizeof(Elf64_Sym));
  memset(made, 0, at);
  memcpy(made, object.data, object.size);
  memcpy(made + at, object.data + table->sh_offset, table->sh_size);
  const char *names = object.data + section[table->sh_link].sh_offset;
  for (size_t i = 0; i < count; i++) {
    Elf64_Sym symbol;
    memcpy(&symbol, made + at + i * sizeof symbol, sizeof symbol);
    if (strcmp(names + symbol.st_name, level_inside) != 0)
      continue;
    symbol.st_name += (Elf64_Word)(level_name - level_inside);
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    memcpy(made + at + table->sh_size, &symbol, sizeof symbol);
    table->sh_offset = at;
    table->sh_size += sizeof symbol;
    memcpy(made + head.e_shoff, section, headers);
    return (Bytes){made, at + table->sh_size};
  }
  return object;
}

static bool add_object(LLVMOrcLLJITRef engine, Bytes object, Diag *diag) {
  LLVMMemoryBufferRef copy =
      memory_of(LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.size, "object"));
  return report(diag, LLVMOrcLLJITAddObjectFile(engine, LLVMOrcLLJITGetMainJITDylib(engine), copy));
}

static EmitOptions host_options(const EmitOptions *options) {
  EmitOptions host = *options;
  host.triple = host.abi = NULL;
  if (!host.cpu)
    host.cpu = "native";
  return host;
}

const Processor *jit_cost(Arena *arena, const EmitOptions *options) {
  EmitOptions host = host_options(options);
  return emit_cost(arena, &host);
}

static Jit *new_jit(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options) {
  Jit *jit = ARENA_NEW(arena, Jit);
  *jit = (Jit){.arena = arena, .plans = plans, .count = count};
  jit->names = graph_names(arena, plans, count, options->parallel);
  return jit;
}

// `callers`: an object with the callers of the functions; NULL: `object` has them.
static Jit *link_jit(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                     Bytes object, const Bytes *callers, Diag *diag) {
  EmitOptions host = host_options(options);
  Jit *jit = new_jit(arena, plans, count, options);
  jit->object = object;
  jit->engine = open_engine(arena, &host, diag);
  if (!jit->engine)
    return NULL;
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit->engine), take_error,
                                          jit);
  if (add_functions(jit->engine, is_dynamic(plans, count), diag) &&
      add_object(jit->engine, object, diag) &&
      (!callers || add_object(jit->engine, *callers, diag)))
    return jit;
  jit_free(jit);
  return NULL;
}

Jit *jit_new(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
             Diag *diag) {
  EmitOptions host = host_options(options);
  Bytes object;
  return compile(arena, plans, count, &host, false, &object, diag)
             ? link_jit(arena, plans, count, options, object, NULL, diag)
             : NULL;
}

Jit *jit_restore(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                 Bytes object, Diag *diag) {
  return link_jit(arena, plans, count, options, object, NULL, diag);
}

Bytes jit_object(const Jit *jit) { return jit->object; }

Jit *jit_load(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              Bytes object, Diag *diag) {
  EmitOptions host = host_options(options);
  Bytes whole = options->levels ? with_level(arena, object) : object, callers;
  return compile(arena, plans, count, &host, true, &callers, diag)
             ? link_jit(arena, plans, count, options, whole, &callers, diag)
             : NULL;
}

// NULL: there is no function of this name.
static void *look_up(Jit *jit, const char *name) {
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(jit->engine, &address, name);
  if (!error)
    return (void *)(uintptr_t)address;
  LLVMConsumeError(error);
  if (*jit->why) {
    watch_for_memory(jit->why);
    process_fail(jit->why);
  }
  return NULL;
}

void *jit_find(Jit *jit, const char *graph_name, EntryPoint entry) {
  for (int i = 0; i < jit->count; i++) {
    const char *name = jit->names[i].entry[entry];
    if (strcmp(jit->plans[i]->graph->name, graph_name) != 0 || !name)
      continue;
    void *found = look_up(jit, module_packed_name(jit->arena, name));
    if (found)
      return found;
  }
  return NULL;
}

int32_t *jit_find_level(Jit *jit) { return look_up(jit, level_name); }

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
