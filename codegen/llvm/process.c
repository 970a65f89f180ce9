// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/llvm/process.h"

#include "frontend/data/temporary.h"
#include "frontend/text/rescue.h"

#include <errno.h>
#include <fcntl.h>
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
static void initialize_families(void) {
#define RSH_FAMILY(name)                                                                           \
  LLVMInitialize##name##TargetInfo();                                                              \
  LLVMInitialize##name##Target();                                                                  \
  LLVMInitialize##name##TargetMC();                                                                \
  LLVMInitialize##name##AsmPrinter();                                                              \
  LLVMInitialize##name##AsmParser();
#include "codegen/llvm/families.def"
#undef RSH_FAMILY
}

// LLVM ends the program if a target lacks a required feature. Nothing is written before that. "Cannot select: v4f32 =
// vselect ..." goes on with hundreds of lines, one for each operand: only the first is kept.
void process_fail(const char *reason) {
  char line[256];
  snprintf(line, sizeof line, "%.*s", (int)strcspn(reason, "\n"), reason);
  rescue_jump(line, false);
  fprintf(stderr, "reshapec: error: LLVM cannot generate code for this target: %s\n", line);
  temporary_remove_all();
  _Exit(3);
}

// LLVM's static constructors, where constructors.ld keeps them from the loader; elsewhere there are none.
typedef void Constructor(void);
extern Constructor *const llvm_constructors[] __attribute__((weak, visibility("hidden")));
extern Constructor *const llvm_constructors_end[] __attribute__((weak, visibility("hidden")));

static void construct(void) {
  for (Constructor *const *next = llvm_constructors; next != llvm_constructors_end; next++)
    (*next)();
}

static void start(void) {
  construct();
  LLVMInstallFatalErrorHandler(process_fail);
  initialize_families();
}

void process_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

// ---- Switches

// `inside` counts callers between process_enter and process_leave; `current` are the switches that all of them need.
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

// With few registers, LLVM would compute the first addresses of all nests, and constants that nests share, at the start
// of a function, and spill them all. If a loop ends in a return, a conditional return and a branch back take more
// instructions than a conditional branch back. Choosing induction variables takes a quarter of LLVM's time without
// making nests faster, since x86-64 scales an index within an address.
static void set_switches(Switches wanted) {
  bool few = wanted == SWITCHES_FEW_REGISTERS, loops = wanted == SWITCHES_OWN_LOOPS;
  const char *const words[] = {
      "reshapec", few ? "-cgp-split-large-offset-gep=0" : "-cgp-split-large-offset-gep=1",
      few ? "-disable-machine-cse=1" : "-disable-machine-cse=0",
      few ? "-disable-ifcvt-simple-false=1" : "-disable-ifcvt-simple-false=0",
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

// At LLVMCodeGenLevelNone LLVM keeps no number in a register: a walking kernel would take 1 KB of stack.
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
  // Addresses within the object are relative to the instruction, wherever memory is.
  if (target->is_fixed && strncmp(target->triple, "riscv", 5) == 0)
    LLVMTargetMachineOptionsSetCodeModel(options, LLVMCodeModelMedium);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachineWithOptions(which, target->triple, options);
  LLVMDisposeTargetMachineOptions(options);
  return machine;
}

// LLVM checks a calling convention against the processor's features when it compiles the first function.
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
    LLVMDisposeMemoryBuffer(memory_of(buffer));
  LLVMDisposeBuilder(builder);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}

// ---- Messages of LLVM

// LLVM writes to standard error. A thread reads that from a pipe, so that a full disk cannot hide a message.
typedef struct Listener {
  pthread_t thread;
  int from, to, saved; // the pipe, and the original standard error
  bool was_closed;     // by the program that contains the library
  char *text;          // up to a 0 byte: a holder of a copy of the pipe may keep it open
  size_t size;
  bool is_truncated; // truncated, because memory ran out
} Listener;

static void keep(Listener *l, const char *bytes, size_t count) {
  char *grown = l->is_truncated ? NULL : realloc(l->text, l->size + count + 1);
  l->is_truncated = !grown;
  if (l->is_truncated)
    return;
  memcpy(grown + l->size, bytes, count);
  l->text = grown;
  l->size += count;
  l->text[l->size] = '\0';
}

static void *listen(void *argument) {
  Listener *l = argument;
  char bytes[4096];
  for (;;) {
    ssize_t got = read(l->from, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR)
      continue;
    size_t count = got > 0 ? strnlen(bytes, (size_t)got) : 0;
    if (count > 0)
      keep(l, bytes, count);
    if (got <= 0 || count < (size_t)got)
      return NULL;
  }
}

static bool become_standard_error(int file) {
  int made;
  while ((made = dup2(file, STDERR_FILENO)) < 0 && errno == EINTR)
    continue;
  return made >= 0;
}

static void close_pipe(const Listener *l) {
  close(l->from);
  close(l->to);
}

// Occupies the descriptor of standard error, which a pipe would otherwise get.
static bool open_standard_error(void) {
  int nothing = open("/dev/null", O_WRONLY);
  bool good = nothing == STDERR_FILENO || (nothing >= 0 && become_standard_error(nothing));
  if (nothing >= 0 && nothing != STDERR_FILENO)
    close(nothing);
  return good;
}

// Returns 0, or an error number.
static int start_pipe(Listener *l) {
  int ends[2];
  if (l->was_closed && !open_standard_error())
    return errno;
  if (pipe(ends) != 0)
    return errno;
  l->from = ends[0];
  l->to = ends[1];
  l->saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (l->saved >= 0 && fcntl(l->from, F_SETFD, FD_CLOEXEC) == 0 &&
      fcntl(l->to, F_SETFD, FD_CLOEXEC) == 0)
    return 0;
  int code = errno;
  if (l->saved >= 0)
    close(l->saved);
  close_pipe(l);
  return code;
}

static void give_back(const Listener *l) {
  if (l->was_closed)
    close(STDERR_FILENO);
  else
    become_standard_error(l->saved);
}

static void end_listening(Listener *l) {
  give_back(l);
  close(l->saved);
  while (write(l->to, "", 1) < 0 && errno == EINTR)
    continue;
  pthread_join(l->thread, NULL);
  close_pipe(l);
}

static int start_listening(Listener *l) {
  *l = (Listener){.saved = -1, .was_closed = fcntl(STDERR_FILENO, F_GETFD) < 0};
  int code = start_pipe(l);
  if (code != 0) {
    if (l->was_closed)
      close(STDERR_FILENO);
    return code;
  }
  // These signals are for the thread that owns the temporary files.
  sigset_t before, blocked = temporary_signals();
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  code = pthread_create(&l->thread, NULL, listen, l);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code == 0 && become_standard_error(l->to))
    return 0;
  if (code == 0) {
    code = errno;
    end_listening(l);
  } else {
    give_back(l);
    close(l->saved);
    close_pipe(l);
  }
  return code;
}

// LLVM cannot be queried for the processors or features of a target: it writes a line to standard error and continues
// without the unknown one. So standard error of the whole process is captured during the call.
static LLVMTargetMachineRef open_machine_quietly(Arena *arena, LLVMTargetRef which,
                                                 const Target *target, const char *abi,
                                                 bool is_abi_given, const char **message) {
  static pthread_mutex_t standard_error = PTHREAD_MUTEX_INITIALIZER;
  Listener listener;
  pthread_mutex_lock(&standard_error);
  int code = start_listening(&listener);
  if (code != 0) {
    pthread_mutex_unlock(&standard_error);
    *message = arena_printf(arena, "cannot read LLVM's description of it: %s", strerror(code));
    return NULL;
  }
  LLVMTargetMachineRef volatile machine = NULL; // read after a longjmp, too
  Rescue rescue;                                // standard error is always restored
  bool failed = setjmp(rescue_begin(&rescue)->place) != 0;
  if (!failed) {
    machine = open_machine(which, target, abi);
    if (machine && is_abi_given)
      compile_nothing(target, machine);
    rescue_end(&rescue);
  }
  end_listening(&listener);
  pthread_mutex_unlock(&standard_error);
  bool is_unknown = listener.text && strstr(listener.text, "(ignoring"); // may be why it failed
  if (listener.text && (!failed || is_unknown))
    *message = arena_text(arena, listener.text, listener.size);
  free(listener.text);
  if (listener.is_truncated)
    out_of_memory();
  if (failed && !is_unknown)
    process_fail(rescue.why);
  return machine;
}

LLVMTargetMachineRef process_open_machine(Arena *arena, LLVMTargetRef which, const Target *target,
                                          const char *abi, bool is_known, bool is_abi_given,
                                          const char **message) {
  *message = NULL;
  return is_known ? open_machine(which, target, abi)
                  : open_machine_quietly(arena, which, target, abi, is_abi_given, message);
}
