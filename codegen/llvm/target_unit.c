// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The capabilities of a target's floating-point unit. LLVM's C interface does not expose the features of a processor,
// so this compiles a few operations: if the unit lacks the instructions, the object has undefined symbols.
#include "codegen/llvm/process.h"
#include "frontend/text/rescue.h"

#include <llvm-c/Object.h>
#include <string.h>

// Operands and results are in memory, so that the calling convention does not matter.
typedef struct Probe {
  Gen g;
  LLVMValueRef at;
} Probe;

static Probe probe_open(const Target *target) {
  Gen g = {.context = LLVMContextCreate()};
  g.module = LLVMModuleCreateWithNameInContext("unit", g.context);
  g.builder = LLVMCreateBuilderInContext(g.context);
  LLVMSetTarget(g.module, target->triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target->machine);
  LLVMSetModuleDataLayout(g.module, layout);
  LLVMDisposeTargetData(layout);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(g.context, 0);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g.context), &ptr, 1, false);
  g.function = LLVMAddFunction(g.module, "unit", type);
  b_attribute(&g, g.function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind", 0);
  b_position(&g, b_block(&g, "entry"));
  return (Probe){g, LLVMGetParam(g.function, 0)};
}

static LLVMValueRef load(Probe *p, LLVMTypeRef type) {
  return LLVMBuildLoad2(p->g.builder, type, p->at, "x");
}
static void store(Probe *p, LLVMValueRef value) { LLVMBuildStore(p->g.builder, value, p->at); }

// Whether the object has an undefined symbol of a library, whose name begins with "__".
static bool needs_library(LLVMMemoryBufferRef buffer, LLVMContextRef context) {
  bool needs = false;
  char *message = NULL;
  LLVMBinaryRef object = LLVMCreateBinary(buffer, context, &message);
  if (!object) {
    LLVMDisposeMessage(message);
    return false;
  }
  LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(object);
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
  for (; !LLVMObjectFileIsSymbolIteratorAtEnd(object, symbol); LLVMMoveToNextSymbol(symbol)) {
    const char *name = LLVMGetSymbolName(symbol);
    LLVMMoveToContainingSection(section, symbol);
    needs = needs ||
            (strncmp(name, "__", 2) == 0 && LLVMObjectFileIsSectionIteratorAtEnd(object, section));
  }
  LLVMDisposeSectionIterator(section);
  LLVMDisposeSymbolIterator(symbol);
  LLVMDisposeBinary(object);
  return needs;
}

static bool probe_close(Probe *p, const Target *target) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  LLVMBuildRetVoid(p->g.builder);
  bool has = true;
  if (LLVMTargetMachineEmitToMemoryBuffer(target->machine, p->g.module, LLVMObjectFile, &message,
                                          &buffer)) {
    LLVMDisposeMessage(message);
  } else {
    has = !needs_library(memory_of(buffer), p->g.context);
    LLVMDisposeMemoryBuffer(buffer);
  }
  LLVMDisposeBuilder(p->g.builder);
  LLVMDisposeModule(p->g.module);
  LLVMContextDispose(p->g.context);
  return has;
}

// Whether there are instructions for sums, and for conversions from and to integers.
static bool has_unit(const Target *target, bool is_double, int bits) {
  Probe p = probe_open(target);
  LLVMTypeRef type =
      is_double ? LLVMDoubleTypeInContext(p.g.context) : LLVMFloatTypeInContext(p.g.context);
  LLVMTypeRef integer = LLVMIntTypeInContext(p.g.context, (unsigned)bits);
  LLVMValueRef x = load(&p, type);
  store(&p, LLVMBuildFAdd(p.g.builder, x, x, "sum"));
  store(&p, LLVMBuildSIToFP(p.g.builder, load(&p, integer), type, "number"));
  store(&p, LLVMBuildFPToUI(p.g.builder, load(&p, type), integer, "integer"));
  return probe_close(&p, target);
}

// WebAssembly and 64-bit Arm and Intel processors have all of them, unless -mattr disables the unit.
static bool is_known(const Target *target) {
  return target->is_wasm || (target->wide && !strstr(target->features, "-fp-armv8") &&
                             !strstr(target->features, "+soft-float"));
}

void backend_find_unit(Target *target) {
  ElementMachine *element = &target->can.element;
  if (is_known(target))
    return;
  process_enter(process_switches(target));
  element->has_single = has_unit(target, false, 32);
  element->has_double = element->has_single && has_unit(target, true, 32);
  element->has_long = element->has_single && has_unit(target, element->has_double, 64);
  process_leave();
}
