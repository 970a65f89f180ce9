// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of elements (codegen/code/element.h) as instructions where they are needed. Elements come and go as integers
// of their width.
#include "codegen/code/element.h"
#include "codegen/llvm/llvm_module.h"

#include <stdlib.h>
#include <string.h>

static LLVMTypeRef type_of(Gen *g, ElementType type) {
  if (!type.is_float)
    return LLVMIntTypeInContext(g->context, (unsigned)type.bits);
  return type.bits == 64   ? LLVMDoubleTypeInContext(g->context)
         : type.bits == 32 ? LLVMFloatTypeInContext(g->context)
                           : LLVMHalfTypeInContext(g->context);
}

static ElementMachine machine_of(const Gen *g) {
  return (ElementMachine){.word = (int)LLVMGetIntTypeWidth(g->word),
                          .has_half = g->has_half,
                          .has_single = g->has_single,
                          .has_double = g->has_double,
                          .has_long = g->has_long,
                          .counts_zeros = g->counts_zeros,
                          .keeps_nan = g->keeps_nan,
                          .shares = true};
}

// ---- calls ----

static LLVMValueRef call(Gen *g, LLVMValueRef function, LLVMValueRef *arg, unsigned count,
                         const char *name) {
  return LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, arg, count, name);
}

static LLVMValueRef intrinsic(Gen *g, const char *name, LLVMTypeRef *type, unsigned types,
                              LLVMValueRef *arg, unsigned count, const char *value) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  return call(g, LLVMGetIntrinsicDeclaration(g->module, id, type, types), arg, count, value);
}

static LLVMValueRef clamped(Gen *g, const char *name, LLVMTypeRef to, LLVMValueRef x,
                            const char *value) {
  LLVMTypeRef type[2] = {to, LLVMTypeOf(x)};
  return intrinsic(g, name, type, 2, &x, 1, value);
}

static LLVMValueRef leading_zeros(Gen *g, LLVMValueRef x, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef arg[2] = {x, LLVMConstInt(LLVMInt1TypeInContext(g->context), 1, false)};
  return intrinsic(g, "llvm.ctlz", &type, 1, arg, 2, name);
}

// tanh of a double, tanhf of a float.
static LLVMValueRef libm(Gen *g, const char *name, LLVMValueRef x) {
  LLVMTypeRef number = LLVMTypeOf(x), type = LLVMFunctionType(number, &number, 1, false);
  char full[16];
  size_t length = strlen(name);
  memcpy(full, name, length);
  if (LLVMGetTypeKind(number) == LLVMFloatTypeKind)
    full[length++] = 'f';
  full[length] = '\0';
  LLVMValueRef function = LLVMGetNamedFunction(g->module, full);
  if (!function) {
    const LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    function = LLVMAddFunction(g->module, full, type);
    b_attribute(g, function, self, "nounwind", 0);
    b_attribute(g, function, self, "willreturn", 0);
    b_attribute(g, function, self, "nofree", 0);
    b_attribute(g, function, self, "nosync", 0);
    b_attribute(g, function, self, "memory", 0); // none that a kernel sees
  }
  return call(g, function, &x, 1, name);
}

// Functions as large as a call or two are that in place of one.
enum { FEW_INSTRUCTIONS = 8 };

static bool is_tiny(LLVMValueRef function) {
  int count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i;
       i = LLVMGetNextInstruction(i))
    count++;
  return count <= FEW_INSTRUCTIONS;
}

static LLVMValueRef build(Gen *g, const Element *e, const LLVMValueRef *arg);

// A function of the module, which all share that call it.
static LLVMValueRef shared(Gen *g, const Element *e, LLVMValueRef x) {
  LLVMTypeRef type = LLVMTypeOf(x), result = type_of(g, element_type(e, e->result));
  Subroutine s;
  if (subroutine_begin(g, e->name, LLVMFunctionType(result, &type, 1, false), &s)) {
    LLVMValueRef param = LLVMGetParam(s.function, 0);
    LLVMSetValueName2(param, "x", 1);
    subroutine_end(g, &s, build(g, e, &param));
    if (e->is_inlined && is_tiny(s.function)) {
      const LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
      LLVMRemoveEnumAttributeAtIndex(s.function, self,
                                     LLVMGetEnumAttributeKindForName("noinline", 8));
      b_attribute(g, s.function, self, "alwaysinline", 0);
    }
  }
  return s.function;
}

// ---- values ----

static LLVMOpcode cast_opcode(ElementOp op) {
  switch ((int)op) {
  case ELEMENT_TRUNC:
    return LLVMTrunc;
  case ELEMENT_ZEXT:
    return LLVMZExt;
  case ELEMENT_SEXT:
    return LLVMSExt;
  case ELEMENT_FLOAT_OF_SIGNED:
    return LLVMSIToFP;
  case ELEMENT_FLOAT_OF_UNSIGNED:
    return LLVMUIToFP;
  case ELEMENT_SIGNED_OF_FLOAT:
    return LLVMFPToSI;
  case ELEMENT_F_EXTEND:
    return LLVMFPExt;
  case ELEMENT_F_ROUND:
    return LLVMFPTrunc;
  case ELEMENT_BITS:
    return LLVMBitCast;
  }
  abort();
}

static LLVMIntPredicate predicate(ElementOp op) {
  switch ((int)op) {
  case ELEMENT_EQUAL:
    return LLVMIntEQ;
  case ELEMENT_UNEQUAL:
    return LLVMIntNE;
  case ELEMENT_BELOW:
    return LLVMIntULT;
  case ELEMENT_ABOVE:
    return LLVMIntUGT;
  case ELEMENT_LESS:
    return LLVMIntSLT;
  case ELEMENT_MORE:
    return LLVMIntSGT;
  case ELEMENT_AT_MOST:
    return LLVMIntSLE;
  }
  abort();
}

static LLVMOpcode opcode(ElementOp op) {
  switch ((int)op) {
  case ELEMENT_ADD:
    return LLVMAdd;
  case ELEMENT_SUB:
    return LLVMSub;
  case ELEMENT_AND:
    return LLVMAnd;
  case ELEMENT_OR:
    return LLVMOr;
  case ELEMENT_XOR:
    return LLVMXor;
  case ELEMENT_SHL:
    return LLVMShl;
  case ELEMENT_SHR:
    return LLVMLShr;
  case ELEMENT_F_ADD:
    return LLVMFAdd;
  case ELEMENT_F_SUB:
    return LLVMFSub;
  case ELEMENT_F_MUL:
    return LLVMFMul;
  case ELEMENT_F_DIV:
    return LLVMFDiv;
  }
  abort();
}

static LLVMValueRef build_node(Gen *g, const Element *e, const ElementNode *node,
                               LLVMValueRef of[ELEMENT_OPERANDS], const LLVMValueRef *arg) {
  LLVMTypeRef type = type_of(g, node->type);
  switch (node->op) {
  case ELEMENT_PARAMETER:
    return arg[node->n];
  case ELEMENT_INTEGER:
    return LLVMConstInt(type, node->n, false);
  case ELEMENT_NUMBER:
    return LLVMConstReal(type, node->number);
  case ELEMENT_ADD:
  case ELEMENT_SUB:
  case ELEMENT_AND:
  case ELEMENT_OR:
  case ELEMENT_XOR:
  case ELEMENT_SHL:
  case ELEMENT_SHR:
  case ELEMENT_F_ADD:
  case ELEMENT_F_SUB:
  case ELEMENT_F_MUL:
  case ELEMENT_F_DIV:
    return LLVMBuildBinOp(g->builder, opcode(node->op), of[0], of[1], node->name);
  case ELEMENT_EQUAL:
  case ELEMENT_UNEQUAL:
  case ELEMENT_BELOW:
  case ELEMENT_ABOVE:
  case ELEMENT_LESS:
  case ELEMENT_MORE:
  case ELEMENT_AT_MOST:
    return LLVMBuildICmp(g->builder, predicate(node->op), of[0], of[1], node->name);
  case ELEMENT_F_MORE:
    return LLVMBuildFCmp(g->builder, LLVMRealOGT, of[0], of[1], node->name);
  case ELEMENT_F_AT_MOST:
    return LLVMBuildFCmp(g->builder, LLVMRealOLE, of[0], of[1], node->name);
  case ELEMENT_F_NEGATE:
    return LLVMBuildFNeg(g->builder, of[0], node->name);
  case ELEMENT_LEADING_ZEROS:
    return leading_zeros(g, of[0], node->name);
  case ELEMENT_MAGNITUDE:
    return intrinsic(g, "llvm.fabs", &type, 1, of, 1, node->name);
  case ELEMENT_WITH_SIGN:
    return intrinsic(g, "llvm.copysign", &type, 1, of, 2, node->name);
  case ELEMENT_ROOT:
    return intrinsic(g, "llvm.sqrt", &type, 1, of, 1, node->name);
  case ELEMENT_LIBM:
    return libm(g, node->name, of[0]);
  case ELEMENT_SELECT:
    return LLVMBuildSelect(g->builder, of[0], of[1], of[2], node->name);
  case ELEMENT_SIGNED_CLAMPED:
    return clamped(g, "llvm.fptosi.sat", type, of[0], node->name);
  case ELEMENT_UNSIGNED_CLAMPED:
    return clamped(g, "llvm.fptoui.sat", type, of[0], node->name);
  case ELEMENT_TRUNC:
  case ELEMENT_ZEXT:
  case ELEMENT_SEXT:
  case ELEMENT_FLOAT_OF_SIGNED:
  case ELEMENT_FLOAT_OF_UNSIGNED:
  case ELEMENT_SIGNED_OF_FLOAT:
  case ELEMENT_F_EXTEND:
  case ELEMENT_F_ROUND:
  case ELEMENT_BITS:
    return LLVMBuildCast(g->builder, cast_opcode(node->op), of[0], type, node->name);
  case ELEMENT_CALL:
    return call(g, shared(g, node->called, of[0]), of, 1, node->name);
  case ELEMENT_OP_COUNT:
    break;
  }
  (void)e;
  abort();
}

static LLVMValueRef build(Gen *g, const Element *e, const LLVMValueRef *arg) {
  LLVMValueRef *value = ARENA_ARRAY(e->arena, LLVMValueRef, e->node.count);
  for (int i = 0; i < e->node.count; i++) {
    LLVMValueRef of[ELEMENT_OPERANDS] = {NULL, NULL, NULL};
    for (int k = 0; k < ELEMENT_OPERANDS; k++)
      if (e->node.item[i].operand[k] != ELEMENT_NONE)
        of[k] = value[e->node.item[i].operand[k]];
    value[i] = build_node(g, e, &e->node.item[i], of, arg);
  }
  return value[e->result];
}

static LLVMValueRef build_once(Gen *g,
                               const Element *(*make)(Arena *, const ElementMachine *, rsh_dtype),
                               rsh_dtype type, LLVMValueRef x) {
  Arena *arena = arena_new();
  const ElementMachine machine = machine_of(g);
  LLVMValueRef value = build(g, make(arena, &machine, type), &x);
  arena_free(arena);
  return value;
}

LLVMValueRef step_build(Gen *g, const rsh_step *step, LLVMValueRef bits) {
  Arena *arena = arena_new();
  const ElementMachine machine = machine_of(g);
  LLVMValueRef value = build(g, element_of_step(arena, &machine, step, false), &bits);
  arena_free(arena);
  return value;
}

LLVMValueRef step_float(Gen *g, rsh_dtype type, LLVMValueRef bits) {
  return build_once(g, element_to_number, type, bits);
}

LLVMValueRef step_element(Gen *g, rsh_dtype type, LLVMValueRef number) {
  return build_once(g, element_of_number, type, number);
}

LLVMValueRef step_power(Gen *g, LLVMValueRef x, LLVMValueRef most) {
  Arena *arena = arena_new();
  const ElementMachine machine = machine_of(g);
  bool is_double = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMDoubleTypeKind;
  LLVMValueRef arg[2] = {x, most};
  LLVMValueRef value = build(g, element_power(arena, &machine, is_double), arg);
  arena_free(arena);
  return value;
}
