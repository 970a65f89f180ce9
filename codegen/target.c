// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine to compile for: triple, CPU, features, level.
#include "codegen/llvm_module.h"

#include <llvm-c/Target.h>
#include <string.h>

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

bool target_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
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
  target->wide = strcmp(family, "x86-64") == 0 || strcmp(family, "aarch64") == 0;
  target->machine = open_machine(which, target, options->abi);
  if (!target->machine) {
    diag_error_file(diag, "bad_target", "no code can be made for '%s'", target->triple);
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
