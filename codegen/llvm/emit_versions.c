// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function for several levels of x86-64: it determines the level of the processor once, caches it in an int, and
// calls the version for it. Threads that determine it at the same time atomically store the same value, so there is no
// race, and no initialization call is needed.
//
//   chw(x, y)   level 4: chw.v4(x, y)   level 3: chw.v3(x, y)   below: chw.v1(x, y)
#include "codegen/llvm/llvm_module.h"

#include <string.h>

// Bits of cpuid for levels 2, 3 and 4, from the psABI of x86-64.
enum {
  LEVEL2_1C = 1 << 0 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23,
  LEVEL3_1C = 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29,
  OSXSAVE_1C = 1 << 27,
  LEVEL3_7B = 1 << 3 | 1 << 5 | 1 << 8,
  LEVEL3_EXTENDED_C = 1 << 5,
  LEVEL3_STATE = 0x6, // vector state that the system saves
  LEVEL4_STATE = 0xe6
};
#define LEVEL4_7B (1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31)

enum { EAX, EBX, ECX, EDX, REGISTERS };

// Output register `result` of an instruction; `where` lists its results and arguments.
static LLVMValueRef asked(Gen *g, const char *instruction, const char *where, unsigned results,
                          LLVMValueRef *arg, unsigned count, int result) {
  LLVMTypeRef part[REGISTERS] = {g->i32, g->i32, g->i32, g->i32};
  LLVMTypeRef all = LLVMStructTypeInContext(g->context, part, results, false);
  LLVMTypeRef type = LLVMFunctionType(all, part, count, false);
  LLVMValueRef code = LLVMGetInlineAsm(type, instruction, strlen(instruction), where, strlen(where),
                                       true, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef registers = LLVMBuildCall2(g->builder, type, code, arg, count, instruction);
  return LLVMBuildExtractValue(g->builder, registers, (unsigned)result, "register");
}

static LLVMValueRef cpuid(Gen *g, uint32_t leaf, int result) {
  LLVMValueRef arg[2] = {b_i32(g, leaf), b_i32(g, 0)};
  return asked(g, "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}", REGISTERS, arg, 2, result);
}

static LLVMValueRef has_all(Gen *g, LLVMValueRef bits, uint32_t mask) {
  LLVMValueRef found = LLVMBuildAnd(g->builder, bits, b_i32(g, mask), "found");
  return LLVMBuildICmp(g->builder, LLVMIntEQ, found, b_i32(g, mask), "has");
}

static LLVMValueRef also_all(Gen *g, LLVMValueRef has, LLVMValueRef bits, uint32_t mask) {
  return LLVMBuildAnd(g->builder, has, has_all(g, bits, mask), "both");
}

// The level, 1 to 4. If the system does not save the vector state, it is at most 2.
static LLVMValueRef build_question(Gen *g) {
  LLVMValueRef leaves = cpuid(g, 0, EAX), one = cpuid(g, 1, ECX), seven = cpuid(g, 7, EBX);
  LLVMValueRef extended = cpuid(g, 0x80000001u, ECX);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder), ask;
  Fork fork = b_fork(g, has_all(g, one, OSXSAVE_1C), "ask", NULL, "known");
  ask = LLVMGetInsertBlock(g->builder);
  LLVMValueRef none = b_i32(g, 0);
  LLVMValueRef kept = asked(g, "xgetbv", "={ax},={dx},{cx}", 2, &none, 1, EAX);
  b_fork_end(g, &fork);
  LLVMValueRef vectors = LLVMBuildPhi(g->builder, LLVMTypeOf(none), "vectors");
  LLVMAddIncoming(vectors, &kept, &ask, 1);
  LLVMAddIncoming(vectors, &none, &here, 1);
  LLVMValueRef has2 = has_all(g, one, LEVEL2_1C);
  LLVMValueRef has3 = LLVMBuildICmp(g->builder, LLVMIntUGE, leaves, b_i32(g, 7), "has");
  has3 = LLVMBuildAnd(g->builder, has2, has3, "both");
  has3 = also_all(g, has3, one, LEVEL3_1C);
  has3 = also_all(g, has3, seven, LEVEL3_7B);
  has3 = also_all(g, has3, extended, LEVEL3_EXTENDED_C);
  has3 = also_all(g, has3, vectors, LEVEL3_STATE);
  LLVMValueRef has4 = also_all(g, has3, seven, LEVEL4_7B);
  has4 = also_all(g, has4, vectors, LEVEL4_STATE);
  LLVMValueRef level = LLVMBuildSelect(g->builder, has2, b_i32(g, 2), b_i32(g, 1), "level");
  level = LLVMBuildSelect(g->builder, has3, b_i32(g, 3), level, "level");
  return LLVMBuildSelect(g->builder, has4, b_i32(g, 4), level, "level");
}

static void make_atomic(LLVMValueRef access) {
  LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
  LLVMSetAlignment(access, 4);
}

// int cpu.level(void), built on first use.
static LLVMValueRef level_function(Gen *g, const Target *target) {
  LLVMValueRef function = LLVMGetNamedFunction(g->module, "cpu.level");
  if (function)
    return function;
  LLVMValueRef memory = LLVMAddGlobal(g->module, g->i32, LEVEL_VARIABLE);
  LLVMSetInitializer(memory, b_i32(g, 0));
  LLVMSetLinkage(memory, LLVMInternalLinkage);
  function = module_add_local(g, "cpu.level", LLVMFunctionType(g->i32, NULL, 0, false), target);
  g->function = function;
  b_position(g, b_block(g, "entry"));
  LLVMValueRef found = LLVMBuildLoad2(g->builder, g->i32, memory, "found");
  make_atomic(found);
  LLVMBasicBlockRef first = b_block(g, "first"), again = b_block(g, "again");
  LLVMBuildCondBr(g->builder, LLVMBuildIsNull(g->builder, found, "is_first"), first, again);
  b_position(g, again);
  LLVMBuildRet(g->builder, found);
  b_position(g, first);
  LLVMValueRef level = build_question(g);
  make_atomic(LLVMBuildStore(g->builder, level, memory));
  LLVMBuildRet(g->builder, level);
  return function;
}

static void build_forward(Gen *g, Arena *arena, LLVMValueRef to) {
  unsigned count = LLVMCountParams(g->function);
  LLVMValueRef *arg = ARENA_ARRAY(arena, LLVMValueRef, count + 1);
  LLVMGetParams(g->function, arg);
  LLVMTypeRef type = LLVMGlobalGetValueType(to);
  LLVMValueRef result = LLVMBuildCall2(g->builder, type, to, arg, count, "");
  LLVMSetTailCall(result, true);
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(g->builder);
  else
    LLVMBuildRet(g->builder, result);
}

void versions_build(Gen *g, Arena *arena, const Target *target, const char *name) {
  LLVMValueRef base = LLVMGetNamedFunction(g->module, name);
  const char *base_name = arena_printf(arena, "%s.v1", name);
  LLVMSetValueName2(base, base_name, strlen(base_name));
  LLVMSetLinkage(base, LLVMInternalLinkage);
  LLVMValueRef ask = level_function(g, target);
  g->function = LLVMAddFunction(g->module, name, LLVMGlobalGetValueType(base));
  module_set_attributes(g, g->function, target);
  module_name_parameters(g->function, 0, base, LLVMCountParams(base));
  b_position(g, b_block(g, "entry"));
  LLVMValueRef level = b_call(g, ask, NULL, 0, "level");
  for (int i = 4; i >= 2; i--) {
    LLVMValueRef version = LLVMGetNamedFunction(g->module, arena_printf(arena, "%s.v%d", name, i));
    if (!version)
      continue;
    LLVMSetLinkage(version, LLVMInternalLinkage);
    LLVMBasicBlockRef yes = b_block(g, "yes"), no = b_block(g, "no");
    LLVMValueRef test = LLVMBuildICmp(g->builder, LLVMIntUGE, level, b_i32(g, i), "has");
    LLVMBuildCondBr(g->builder, test, yes, no);
    b_position(g, yes);
    build_forward(g, arena, version);
    b_position(g, no);
  }
  build_forward(g, arena, base);
}
