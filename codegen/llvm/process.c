// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/llvm/process.h"

#include "frontend/text/rescue.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Once

// The parsers are for attributes of Arm.
static void initialise_families(void) {
#define RSH_FAMILY(name)                                                                           \
  LLVMInitialize##name##TargetInfo();                                                              \
  LLVMInitialize##name##Target();                                                                  \
  LLVMInitialize##name##TargetMC();                                                                \
  LLVMInitialize##name##AsmPrinter();                                                              \
  LLVMInitialize##name##AsmParser();
#include "codegen/llvm/families.def"
#undef RSH_FAMILY
}

// LLVM ends the program if a target lacks something that it must have. Nothing is written before that.
static void fatal_error(const char *reason) {
  rescue_jump(reason, false);
  fprintf(stderr, "reshapec: error: LLVM cannot make code for this target: %s\n", reason);
  _Exit(3);
}

static void start(void) {
  LLVMInstallFatalErrorHandler(fatal_error);
  initialise_families();
}

void process_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

// ---- Switches

// Who is between process_enter and process_leave, and what all of them want.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_left = PTHREAD_COND_INITIALIZER;
static Switches current = SWITCHES_NONE;
static int inside;
static _Thread_local int own; // entries of this thread

Switches process_switches(const Target *target) {
  return target->can.walks     ? SWITCHES_FEW_REGISTERS
         : target->keeps_loops ? SWITCHES_OWN_LOOPS
                               : SWITCHES_NONE;
}

// Where there are few registers, LLVM would compute the first addresses of all nests when a function begins, and keep
// a constant for the next nest that has the same: on the stack. And choosing what loops count with takes it a quarter of
// all its time, with a choice for nests that are built to stay that is no faster: x86-64 scales an index within an
// address.
static void set_switches(Switches wanted) {
  bool few = wanted == SWITCHES_FEW_REGISTERS, loops = wanted == SWITCHES_OWN_LOOPS;
  const char *const words[] = {
      "reshapec", few ? "-cgp-split-large-offset-gep=0" : "-cgp-split-large-offset-gep=1",
      few ? "-disable-machine-cse=1" : "-disable-machine-cse=0",
      loops ? "-disable-lsr=1" : "-disable-lsr=0"};
  LLVMParseCommandLineOptions(sizeof words / sizeof *words, words, NULL);
}

void process_enter(Switches wanted) {
  pthread_mutex_lock(&lock);
  while (inside > 0 && current != wanted)
    pthread_cond_wait(&is_left, &lock);
  if (current != wanted)
    set_switches(wanted);
  current = wanted;
  inside++;
  pthread_mutex_unlock(&lock);
  own++;
}

void process_leave(void) {
  pthread_mutex_lock(&lock);
  inside--;
  pthread_cond_broadcast(&is_left);
  pthread_mutex_unlock(&lock);
  own--;
}

void process_abandon(void) {
  while (own > 0)
    process_leave();
}

// ---- Machines

// Without any effort of its own LLVM keeps no number in a register: a kernel that walks would take 1 KB of stack.
static LLVMCodeGenOptLevel codegen_level(const Target *target) {
  switch (target->level) {
  case '0':
    return target->can.walks ? LLVMCodeGenLevelLess : LLVMCodeGenLevelNone;
  case '1':
    return LLVMCodeGenLevelLess;
  case '3':
    return LLVMCodeGenLevelAggressive;
  default:
    return LLVMCodeGenLevelDefault;
  }
}

static LLVMTargetMachineRef open_machine(LLVMTargetRef which, const Target *target,
                                         const char *abi) {
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(options, target->cpu);
  LLVMTargetMachineOptionsSetFeatures(options, target->features);
  if (abi)
    LLVMTargetMachineOptionsSetABI(options, abi);
  LLVMTargetMachineOptionsSetCodeGenOptLevel(options, codegen_level(target));
  LLVMTargetMachineOptionsSetRelocMode(options, target->is_fixed ? LLVMRelocStatic : LLVMRelocPIC);
  // Its own addresses are counted from the instruction, wherever memory is.
  if (target->is_fixed && strncmp(target->triple, "riscv", 5) == 0)
    LLVMTargetMachineOptionsSetCodeModel(options, LLVMCodeModelMedium);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachineWithOptions(which, target->triple, options);
  LLVMDisposeTargetMachineOptions(options);
  return machine;
}

// A convention of calls is held against what the processor has when the first function is compiled.
static void compile_nothing(const Target *target, LLVMTargetMachineRef machine) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("nothing", context);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMSetTarget(module, target->triple);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
  LLVMValueRef function = LLVMAddFunction(module, "nothing", type);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, "entry"));
  LLVMBuildRetVoid(builder);
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &buffer))
    LLVMDisposeMessage(message);
  else
    LLVMDisposeMemoryBuffer(buffer);
  LLVMDisposeBuilder(builder);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}

// LLVM has no call that says whether a target knows a processor or a feature: it writes a line to
// standard error and goes on without. So what it writes meanwhile is kept. This is of the process too.
static LLVMTargetMachineRef open_machine_quietly(Arena *arena, LLVMTargetRef which,
                                                 const Target *target, const char *abi,
                                                 bool is_asked, const char **said) {
  static pthread_mutex_t standard_error = PTHREAD_MUTEX_INITIALIZER;
  VEC(char) text = {0};
  pthread_mutex_lock(&standard_error);
  FILE *kept = tmpfile();
  int saved = kept ? dup(STDERR_FILENO) : -1;
  if (saved >= 0)
    dup2(fileno(kept), STDERR_FILENO);
  LLVMTargetMachineRef machine = NULL;
  Rescue rescue; // standard error is given back whatever happens
  bool failed = setjmp(rescue_begin(&rescue)->place) != 0;
  if (!failed) {
    machine = open_machine(which, target, abi);
    if (machine && is_asked)
      compile_nothing(target, machine);
    rescue_end(&rescue);
  }
  if (saved >= 0) {
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(kept);
    for (int letter; (letter = getc(kept)) != EOF;)
      VEC_PUSH(arena, text, (char)letter);
  }
  if (kept)
    fclose(kept);
  pthread_mutex_unlock(&standard_error);
  if (failed)
    fatal_error(rescue.why);
  if (text.count > 0)
    *said = arena_text(arena, text.item, (size_t)text.count);
  return machine;
}

LLVMTargetMachineRef process_open_machine(Arena *arena, LLVMTargetRef which, const Target *target,
                                          const char *abi, bool is_known, bool is_asked,
                                          const char **said) {
  *said = NULL;
  return is_known ? open_machine(which, target, abi)
                  : open_machine_quietly(arena, which, target, abi, is_asked, said);
}
