// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine to compile for: triple, CPU, features, level.
#include "codegen/llvm_module.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static LLVMCodeGenOptLevel codegen_level(char level) {
  switch (level) {
  case '0':
    return LLVMCodeGenLevelNone;
  case '1':
    return LLVMCodeGenLevelLess;
  case '3':
    return LLVMCodeGenLevelAggressive;
  default:
    return LLVMCodeGenLevelDefault;
  }
}

static char *copied(Arena *arena, char *message) {
  char *text = arena_text(arena, message, strlen(message));
  LLVMDisposeMessage(message);
  return text;
}

static LLVMTargetMachineRef open_machine(LLVMTargetRef which, const Target *target,
                                         const char *abi) {
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(options, target->cpu);
  LLVMTargetMachineOptionsSetFeatures(options, target->features);
  if (abi)
    LLVMTargetMachineOptionsSetABI(options, abi);
  LLVMTargetMachineOptionsSetCodeGenOptLevel(options, codegen_level(target->level));
  LLVMTargetMachineOptionsSetRelocMode(options, LLVMRelocPIC);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachineWithOptions(which, target->triple, options);
  LLVMDisposeTargetMachineOptions(options);
  return machine;
}

// LLVM ends the program where a target cannot do what it must. Nothing is written before that.
static void fatal_error(const char *reason) {
  fprintf(stderr, "reshapec: error: LLVM cannot make code for this target: %s\n", reason);
  _Exit(3);
}

// LLVM has no call that says whether a target knows a processor or a feature: it writes a line to
// standard error and goes on without. So what it writes meanwhile is kept. NULL: nothing.
static LLVMTargetMachineRef open_machine_quietly(Arena *arena, LLVMTargetRef which,
                                                 const Target *target, const char *abi,
                                                 const char **said) {
  FILE *kept = tmpfile();
  int saved = kept ? dup(STDERR_FILENO) : -1;
  if (saved >= 0)
    dup2(fileno(kept), STDERR_FILENO);
  LLVMTargetMachineRef machine = open_machine(which, target, abi);
  *said = NULL;
  if (saved >= 0) {
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(kept);
    char line[512];
    if (fgets(line, sizeof line, kept))
      *said = arena_text(arena, line, strcspn(line, "\n"));
  }
  if (kept)
    fclose(kept);
  return machine;
}

// Bytes of the vectors that are shuffled well. What a processor has is known from its features alone, or
// from its name where that is a level of x86-64; any other gets what all have.
static int vector_bytes(const char *family, const Target *target) {
  if (!target->wide)
    return 0;
  if (strcmp(family, "x86-64") != 0)
    return 16;
  if (strstr(target->features, "+avx512bw") || strcmp(target->cpu, "x86-64-v4") == 0)
    return 64;
  if (strstr(target->features, "+avx2") || strcmp(target->cpu, "x86-64-v3") == 0)
    return 32;
  return 16;
}

static int shuffled_bytes(const char *family, const Target *target) {
  if (strcmp(family, "aarch64") == 0) // LLVM finds ld3 and st3 by itself
    return 16;
  if (strstr(target->features, "+avx512vbmi"))
    return 1;
  return vector_bytes(family, target) == 64 ? 2 : 4;
}

// Whether a normalised triple names no operating system: "aarch64-unknown-none-elf", "riscv64-unknown-unknown-elf",
// "riscv64".
static bool has_no_system(const char *triple) {
  static const char *const none[] = {"", "none", "unknown", "elf"};
  for (int i = 0; i < 2 && *triple; i++) {
    triple += strcspn(triple, "-");
    triple += *triple == '-';
  }
  size_t length = strcspn(triple, "-");
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    if (strlen(none[i]) == length && strncmp(triple, none[i], length) == 0)
      return true;
  return false;
}

bool target_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
  LLVMResetFatalErrorHandler();
  LLVMInstallFatalErrorHandler(fatal_error);
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  LLVMInitializeAllAsmPrinters();
  bool native = options->cpu && strcmp(options->cpu, "native") == 0;
  *target = (Target){.cpu = options->cpu ? options->cpu : "",
                     .features = options->features ? options->features : ""};
  target->level = (char)(options->opt_level <= 3 ? '0' + options->opt_level : options->opt_level);
  target->passes = arena_printf(arena, "default<O%c>", target->level);
  target->triple =
      options->triple ? LLVMNormalizeTargetTriple(options->triple) : LLVMGetDefaultTargetTriple();
  target->freestanding = options->freestanding || has_no_system(target->triple);
  target->libm = options->libm || !target->freestanding;
  if (native) {
    target->cpu = copied(arena, LLVMGetHostCPUName());
    const char *host = copied(arena, LLVMGetHostCPUFeatures());
    target->features =
        arena_printf(arena, "%s%s%s", host, *target->features ? "," : "", target->features);
  }
  LLVMTargetRef which;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &which, &message)) {
    diag_error_file(diag, "bad_target", "no code can be made for '%s': %s", target->triple,
                    copied(arena, message));
    target_free(target);
    return false;
  }
  const char *family = LLVMGetTargetName(which);
  target->has_half = strcmp(family, "aarch64") == 0 || strstr(target->features, "+f16c") != NULL;
  target->wide = strcmp(family, "x86-64") == 0 || strcmp(family, "aarch64") == 0;
  target->vector = vector_bytes(family, target);
  target->shuffled = shuffled_bytes(family, target);
  const char *said;
  target->machine = open_machine_quietly(arena, which, target, options->abi, &said);
  if (!target->machine || (said && strstr(said, "(ignoring"))) {
    diag_error_file(diag, "bad_target", "no code can be made for '%s'%s%s", target->triple,
                    said ? ": " : "", said ? said : "");
    target_free(target);
    return false;
  }
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target->machine);
  unsigned pointer = LLVMPointerSize(layout);
  LLVMDisposeTargetData(layout);
  if (pointer != sizeof(void *)) {
    diag_error_file(diag, "unsupported",
                    "'%s' has pointers of %u bits; only targets with %u are supported",
                    target->triple, pointer * 8, 8 * (unsigned)sizeof(void *));
    target_free(target);
    return false;
  }
  return true;
}

void target_free(Target *target) {
  if (target->machine)
    LLVMDisposeTargetMachine(target->machine);
  LLVMDisposeMessage(target->triple);
  *target = (Target){0};
}
