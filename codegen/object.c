// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module to what the user asked for: verify, optimise, verify, then text, bitcode, assembly or an
// object, which is read back: it must not ask for any symbol.
#include "codegen/llvm_module.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Object.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

bool module_verify(LLVMModuleRef module, const char *when, Diag *diag) {
  char *message = NULL;
  bool bad = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
  if (bad)
    diag_error_file(diag, "internal", "the code is not valid %s: %s", when, message);
  LLVMDisposeMessage(message);
  return !bad;
}

static bool run_passes(LLVMModuleRef module, const Target *target, Diag *diag) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetSLPVectorization(options, true);
  LLVMErrorRef error = LLVMRunPasses(module, target->passes, target->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  diag_error_file(diag, "internal", "optimising failed: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

bool module_optimise(LLVMModuleRef module, const Target *target, Diag *diag) {
  return module_verify(module, "before optimising", diag) && run_passes(module, target, diag) &&
         module_verify(module, "after optimising", diag);
}

static Bytes bytes_of(Arena *arena, LLVMMemoryBufferRef buffer) {
  size_t size = LLVMGetBufferSize(buffer);
  Bytes bytes = {arena_text(arena, LLVMGetBufferStart(buffer), size), size};
  LLVMDisposeMemoryBuffer(buffer);
  return bytes;
}

// Symbols that linkers and object formats bring themselves.
static bool is_given(const char *name) {
  static const char *const given[] = {
      ".TOC.",
      "@feat.00",
      "_GLOBAL_OFFSET_TABLE_",
      "rsh_program_run", // of librsh_runtime.a: dynamic graphs, whose headers say so
      "rsh_program_shape",
      "_rsh_program_run",
      "_rsh_program_shape",
  };
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    if (strcmp(name, given[i]) == 0)
      return true;
  return plan_is_libm(name + (*name == '_')); // activations; the header names them
}

// The name of a symbol that no section of the object defines; NULL when there is none. The first
// symbol of an ELF file is in no section either: it names the source.
static const char *undefined_symbol(Arena *arena, LLVMBinaryRef object, const char *source) {
  const char *found = NULL;
  LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(object);
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
  bool is_first = true;
  for (; !LLVMObjectFileIsSymbolIteratorAtEnd(object, symbol) && !found;
       LLVMMoveToNextSymbol(symbol)) {
    const char *name = LLVMGetSymbolName(symbol);
    bool is_source = is_first && strcmp(name, source) == 0;
    is_first = false;
    LLVMMoveToContainingSection(section, symbol);
    if (!is_source && !is_given(name) && LLVMObjectFileIsSectionIteratorAtEnd(object, section))
      found = arena_text(arena, name, strlen(name));
  }
  LLVMDisposeSectionIterator(section);
  LLVMDisposeSymbolIterator(symbol);
  return found;
}

static bool check_object(Arena *arena, LLVMMemoryBufferRef buffer, LLVMModuleRef module,
                         Diag *diag) {
  char *message = NULL;
  LLVMBinaryRef object = LLVMCreateBinary(buffer, LLVMGetModuleContext(module), &message);
  if (!object) {
    diag_error_file(diag, "internal", "the object cannot be read back: %s", message);
    LLVMDisposeMessage(message);
    return false;
  }
  size_t length;
  const char *name = undefined_symbol(arena, object, LLVMGetSourceFileName(module, &length));
  LLVMDisposeBinary(object);
  if (name)
    diag_error_file(diag, "unsupported",
                    "code for '%s' would need '%s' from a library; name a processor or features "
                    "that have the instruction",
                    LLVMGetTarget(module), name);
  return !name;
}

static bool emit_machine_code(Arena *arena, LLVMModuleRef module, const Target *target,
                              EmitKind kind, Bytes *out, Diag *diag) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  LLVMCodeGenFileType type = kind == EMIT_OBJECT ? LLVMObjectFile : LLVMAssemblyFile;
  if (LLVMTargetMachineEmitToMemoryBuffer(target->machine, module, type, &message, &buffer)) {
    diag_error_file(diag, "bad_target", "no code can be made for '%s': %s", target->triple,
                    message);
    LLVMDisposeMessage(message);
    return false;
  }
  bool good = kind != EMIT_OBJECT || check_object(arena, buffer, module, diag);
  *out = bytes_of(arena, buffer);
  return good;
}

static bool emit_module(Arena *arena, LLVMModuleRef module, const Target *target, EmitKind kind,
                        Bytes *out, Diag *diag) {
  switch (kind) {
  case EMIT_LLVM_IR: {
    char *text = LLVMPrintModuleToString(module);
    *out = (Bytes){arena_text(arena, text, strlen(text)), strlen(text)};
    LLVMDisposeMessage(text);
    return true;
  }
  case EMIT_BITCODE:
    *out = bytes_of(arena, LLVMWriteBitcodeToMemoryBuffer(module));
    return true;
  case EMIT_OBJECT:
  case EMIT_ASM:
    break;
  }
  return emit_machine_code(arena, module, target, kind, out, diag);
}

bool emit_code(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
               EmitKind kind, bool passes, Bytes *out, Diag *diag) {
  Target target;
  if (!target_open(arena, options, &target, diag))
    return false;
  LLVMContextRef context = LLVMContextCreate();
  const char *source = diag->source ? diag->source->name : diag->file ? diag->file : "";
  LLVMModuleRef module = module_build(arena, context, plans, count, &target, source, false);
  bool good =
      passes ? module_optimise(module, &target, diag) : module_verify(module, "as built", diag);
  good = good && emit_module(arena, module, &target, kind, out, diag);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  target_free(&target);
  return good;
}
