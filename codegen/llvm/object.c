// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizes a module and emits it as text, bitcode, assembly or an object, which is read back.
#include "codegen/llvm/llvm_module.h"
#include "frontend/text/rescue.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <string.h>

bool module_verify(LLVMModuleRef module, const char *when, Diag *diag) {
  char *message = NULL;
  bool bad = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
  if (bad)
    diag_error_file(diag, "internal", "the code is not valid %s: %s", when,
                    (char *)memory_of(message));
  LLVMDisposeMessage(message);
  return !bad;
}

static Bytes bytes_of(Arena *arena, LLVMMemoryBufferRef buffer) {
  size_t size = LLVMGetBufferSize(buffer);
  Bytes bytes = {arena_text(arena, LLVMGetBufferStart(buffer), size), size};
  LLVMDisposeMemoryBuffer(buffer);
  return bytes;
}

// NULL: an error was reported.
static LLVMMemoryBufferRef machine_code(LLVMModuleRef module, const Target *target,
                                        LLVMCodeGenFileType type, Diag *diag) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (!LLVMTargetMachineEmitToMemoryBuffer(target->machine, module, type, &message, &buffer))
    return memory_of(buffer);
  diag_error_file(diag, "bad_target", "cannot generate code for '%s': %s", target->triple,
                  (char *)memory_of(message));
  LLVMDisposeMessage(message);
  return NULL;
}

bool module_object(Arena *arena, LLVMModuleRef module, const Target *target, Bytes *out,
                   Diag *diag) {
  LLVMMemoryBufferRef buffer = machine_code(module, target, LLVMObjectFile, diag);
  if (buffer)
    *out = bytes_of(arena, buffer);
  return buffer != NULL;
}

static bool emit_machine_code(Arena *arena, LLVMModuleRef module, const Target *target,
                              const Plan *const *plans, int count, EmitKind kind, Bytes *out,
                              Diag *diag) {
  LLVMMemoryBufferRef buffer =
      machine_code(module, target, kind == EMIT_OBJECT ? LLVMObjectFile : LLVMAssemblyFile, diag);
  if (!buffer)
    return false;
  size_t length;
  const char *source = LLVMGetSourceFileName(module, &length);
  bool good = kind != EMIT_OBJECT || object_check(arena, buffer, LLVMGetModuleContext(module),
                                                  source, target, plans, count, diag);
  *out = bytes_of(arena, buffer);
  return good;
}

static bool emit_module(Arena *arena, LLVMModuleRef module, const Target *target,
                        const Plan *const *plans, int count, EmitKind kind, Bytes *out,
                        Diag *diag) {
  switch (kind) {
  case EMIT_LLVM_IR: {
    char *text = memory_of(LLVMPrintModuleToString(module));
    *out = (Bytes){arena_text(arena, text, strlen(text)), strlen(text)};
    LLVMDisposeMessage(text);
    return true;
  }
  case EMIT_BITCODE:
    *out = bytes_of(arena, memory_of(LLVMWriteBitcodeToMemoryBuffer(module)));
    return true;
  case EMIT_OBJECT:
  case EMIT_ASM:
  case EMIT_C:
  case EMIT_DMA:
    break;
  }
  return emit_machine_code(arena, module, target, plans, count, kind, out, diag);
}

// Symbols of other formats have no sizes, and reading them makes LLVM fail.
static bool has_symbol_sizes(Bytes object) {
  return object.size >= 4 && memcmp(object.data, "\177ELF", 4) == 0;
}

bool module_emit(Arena *arena, LLVMModuleRef module, const Target *target, const Plan *const *plans,
                 int count, const EmitOptions *options, EmitKind kind, Bytes *out, Diag *diag) {
  bool is_wanted = options->report || options->limit.stack >= 0 || options->limit.text >= 0;
  if (kind != EMIT_OBJECT || !is_wanted)
    return emit_module(arena, module, target, plans, count, kind, out, diag);
  Frames frames;
  ObjectReport report;
  frames_begin(arena, &frames, module);
  if (!emit_module(arena, module, target, plans, count, kind, out, diag))
    return false;
  if (!has_symbol_sizes(*out)) {
    diag_error_file(
        diag, "unsupported",
        "objects for '%s' do not record the sizes of their functions: reports and limits "
        "need a target with ELF objects",
        target->triple);
    return false;
  }
  if (!report_make(arena, &report, &frames, module, target, plans, count, *out)) {
    diag_error_file(diag, "internal", "cannot read the object back for a report");
    return false;
  }
  if (options->report)
    *options->report = report;
  return !report_refuse(&report, options, diag);
}
