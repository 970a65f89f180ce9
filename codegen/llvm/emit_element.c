// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise functions (codegen/element/element.h), expanded at their point of use. Elements are passed as integers
// of their width.
#include "codegen/element/element.h"
#include "codegen/llvm/llvm_module.h"

#include <string.h>

static LLVMTypeRef single_type(Gen *g, ElementType type) {
  if (!type.is_float)
    return b_integer(g, type.bits);
  return type.bits == 64   ? LLVMDoubleTypeInContext(g->context)
         : type.bits == 32 ? LLVMFloatTypeInContext(g->context)
                           : LLVMHalfTypeInContext(g->context);
}

static LLVMTypeRef type_of(Gen *g, ElementType type) {
  LLVMTypeRef single = single_type(g, type);
  return g->elements > 0 ? LLVMVectorType(single, (unsigned)g->elements) : single;
}

// ---- calls ----

static LLVMValueRef converted(Gen *g, bool is_signed, LLVMTypeRef to, LLVMValueRef x,
                              const char *value) {
  LLVMTypeRef type[2] = {to, LLVMTypeOf(x)};
  return b_intrinsic(g, is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat", type, 2, &x, 1, value);
}

static LLVMValueRef limited(Gen *g, const char *name, LLVMValueRef n, int64_t limit) {
  LLVMTypeRef type = LLVMTypeOf(n);
  LLVMValueRef arg[2] = {n, LLVMConstInt(type, (unsigned long long)limit, true)};
  return b_intrinsic(g, name, &type, 1, arg, 2, "limited");
}

// A float as an integer, clamped to its range; NaN becomes 0. For narrow integers on Arm, LLVM clamps the float by
// vmaxnm and vminnm, which turn a signaling NaN into the largest number. The instruction to words gives 0, and clamping
// its result takes less code.
static LLVMValueRef clamped(Gen *g, bool is_signed, LLVMTypeRef to, LLVMValueRef x,
                            const char *value) {
  enum { WORD_BITS = 32 };
  if (!g->clamps_words || LLVMGetTypeKind(to) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(to) >= WORD_BITS)
    return converted(g, is_signed, to, x, value);
  int64_t most = (INT64_C(1) << (LLVMGetIntTypeWidth(to) - is_signed)) - 1;
  LLVMValueRef word = converted(g, is_signed, g->i32, x, value);
  word = limited(g, is_signed ? "llvm.smin" : "llvm.umin", word, most);
  word = is_signed ? limited(g, "llvm.smax", word, -most - 1) : word;
  return LLVMBuildTrunc(g->builder, word, to, value);
}

static LLVMValueRef leading_zeros(Gen *g, LLVMValueRef x, const char *name) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef arg[2] = {x, b_const(g->i1, 1)};
  return b_intrinsic(g, "llvm.ctlz", &type, 1, arg, 2, name);
}

// tanh of a double, tanhf of a float; fmod has a second operand.
static LLVMValueRef libm(Gen *g, const char *name, LLVMValueRef *of) {
  unsigned count = of[1] ? 2 : 1;
  LLVMTypeRef number = LLVMTypeOf(of[0]), each[2] = {number, number};
  LLVMTypeRef type = LLVMFunctionType(number, each, count, false);
  char full[16];
  size_t length = strlen(name);
  memcpy(full, name, length);
  if (LLVMGetTypeKind(number) == LLVMFloatTypeKind)
    full[length++] = 'f';
  full[length] = '\0';
  LLVMValueRef function = LLVMGetNamedFunction(g->module, full);
  if (!function) {
    function = LLVMAddFunction(g->module, full, type);
    b_mark(g, function, "nounwind");
    b_mark(g, function, "willreturn");
    b_mark(g, function, "nofree");
    b_mark(g, function, "nosync");
    b_mark(g, function, "memory"); // accesses no memory visible to the kernel
  }
  return b_call(g, function, of, count, name);
}

// The size of a call or two: functions up to this size are inlined.
enum { FEW_INSTRUCTIONS = 8 };

static bool is_tiny(LLVMValueRef function) {
  int count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i;
       i = LLVMGetNextInstruction(i))
    count++;
  return count <= FEW_INSTRUCTIONS;
}

// A function of the module, shared by all its callers.
static LLVMValueRef shared(Gen *g, const Element *e, LLVMValueRef x) {
  LLVMTypeRef type = LLVMTypeOf(x), result = type_of(g, element_type(e, e->result));
  Subroutine s;
  if (subroutine_begin(g, e->name, LLVMFunctionType(result, &type, 1, false), true, &s)) {
    LLVMValueRef param = LLVMGetParam(s.function, 0);
    LLVMSetValueName2(param, "x", 1);
    subroutine_end(g, &s, element_build(g, e, &param));
    if (e->is_inlined && is_tiny(s.function)) {
      b_unmark(s.function, "noinline");
      b_mark(g, s.function, "alwaysinline");
    }
  }
  return s.function;
}

// ---- values: build_<kind> of element_ops.def ----

// A node that is being built.
typedef struct Built {
  Gen *g;
  const ElementNode *node;
  LLVMTypeRef type;
  int code; // opcode or predicate of LLVM
  LLVMValueRef of[ELEMENT_OPERANDS];
  const LLVMValueRef *arg;
} Built;

// The index of a vectorizable lookup (element_operations) before its extension, which the builder folds if constant.
static LLVMValueRef unextended(Gen *g, LLVMValueRef index) {
  return LLVMIsAZExtInst(index)
             ? LLVMGetOperand(index, 0)
             : LLVMConstTrunc(index, b_vector(g, 8, LLVMGetVectorSize(LLVMTypeOf(index))));
}

// Integers smaller than a byte are stored in a byte.
static LLVMValueRef entry(Built *b) {
  Gen *g = b->g;
  const ElementNode *node = b->node;
  if (g->elements > 0) {
    LLVMValueRef found =
        lookup_build(g, node->entry, (int)node->n, node->type.bits, unextended(g, b->of[0]));
    return LLVMBuildBitCast(g->builder, found, b->type, node->name);
  }
  unsigned bits = node->type.bits < 8 ? 8 : (unsigned)node->type.bits;
  LLVMTypeRef type = LLVMIntTypeInContext(g->context, bits);
  Arena *arena = arena_new();
  LLVMValueRef *item = ARENA_ARRAY(arena, LLVMValueRef, node->n);
  for (uint64_t i = 0; i < node->n; i++)
    item[i] = b_const(type, node->entry[i]);
  LLVMValueRef table =
      b_shared_data(g, LLVMConstArray2(type, item, node->n), "constants", bits / 8);
  arena_free(arena);
  LLVMValueRef at = LLVMBuildInBoundsGEP2(g->builder, type, table, b->of, 1, "at");
  LLVMValueRef made = b_load(g, node->type.is_float ? b->type : type, at, bits / 8, node->name);
  return node->type.bits < 8 ? LLVMBuildTrunc(g->builder, made, b->type, node->name) : made;
}

static LLVMValueRef integer(const Built *b) {
  LLVMTypeRef type = single_type(b->g, b->node->type);
  int64_t n = (int64_t)b->node->n;
  return b->g->elements > 0 ? b_splat(type, n, b->g->elements) : b_const(type, n);
}

#define BUILD(kind, value)                                                                         \
  static LLVMValueRef build_##kind(Built *b) { return value; }

#define BUILDER b->g->builder
#define NAME b->node->name
BUILD(PARAMETER, b->arg[b->node->n])
BUILD(INTEGER, integer(b))
BUILD(NUMBER, LLVMConstReal(b->type, b->node->number))
BUILD(ENTRY, entry(b))
BUILD(INFIX, LLVMBuildBinOp(BUILDER, (LLVMOpcode)b->code, b->of[0], b->of[1], NAME))
BUILD(ZEROS, leading_zeros(b->g, b->of[0], NAME))
BUILD(COMPARED, LLVMBuildICmp(BUILDER, (LLVMIntPredicate)b->code, b->of[0], b->of[1], NAME))
#define build_SIGNED_INFIX build_INFIX
#define build_SIGNED_COMPARED build_COMPARED
BUILD(FLOAT_COMPARED, LLVMBuildFCmp(BUILDER, (LLVMRealPredicate)b->code, b->of[0], b->of[1], NAME))
BUILD(NEGATED, LLVMBuildFNeg(BUILDER, b->of[0], NAME))
BUILD(MAGNITUDE, b_intrinsic(b->g, "llvm.fabs", &b->type, 1, b->of, 1, NAME))
BUILD(WITH_SIGN, b_intrinsic(b->g, "llvm.copysign", &b->type, 1, b->of, 2, NAME))
BUILD(ROOT, b_intrinsic(b->g, "llvm.sqrt", &b->type, 1, b->of, 1, NAME))
BUILD(LIBM, libm(b->g, NAME, b->of))
BUILD(SELECT, LLVMBuildSelect(BUILDER, b->of[0], b->of[1], b->of[2], NAME))
BUILD(CAST, LLVMBuildCast(BUILDER, (LLVMOpcode)b->code, b->of[0], b->type, NAME))
#define build_TRUNC build_CAST
#define build_ZEXT build_CAST
#define build_OF_SIGNED build_CAST
#define build_TO_SIGNED build_CAST
#define build_BITS build_CAST
BUILD(SIGNED_CLAMPED, clamped(b->g, true, b->type, b->of[0], NAME))
BUILD(UNSIGNED_CLAMPED, clamped(b->g, false, b->type, b->of[0], NAME))
BUILD(CALL, b_call(b->g, shared(b->g, b->node->called, b->of[0]), b->of, 1, NAME))

enum { LLVMNone };

static LLVMValueRef element_node(Gen *g, const ElementNode *node, const LLVMValueRef *value,
                                 const LLVMValueRef *arg) {
  static const struct {
    LLVMValueRef (*build)(Built *);
    int code;
  } ops[ELEMENT_OP_COUNT] = {
#define ELEMENT_OP(id, kind, llvm, sign) [ELEMENT_##id] = {build_##kind, LLVM##llvm},
#include "codegen/element/element_ops.def"
#undef ELEMENT_OP
  };
  Built b = {.g = g, .node = node, .type = type_of(g, node->type), .arg = arg};
  b.code = ops[node->op].code;
  for (int k = 0; k < ELEMENT_OPERANDS; k++)
    b.of[k] = node->operand[k] != ELEMENT_NONE ? value[node->operand[k]] : NULL;
  return ops[node->op].build(&b);
}

LLVMValueRef element_build(Gen *g, const Element *e, const LLVMValueRef *arg) {
  LLVMValueRef *value = ARENA_ARRAY(e->arena, LLVMValueRef, e->node.count);
  for (int i = 0; i < e->node.count; i++)
    value[i] = element_node(g, &e->node.item[i], value, arg);
  return value[e->result];
}

LLVMValueRef step_build(Gen *g, const Graph *graph, const rsh_step *step, LLVMValueRef bits,
                        LLVMValueRef entry, int64_t repeat) {
  Arena *own = arena_new();
  const Table *tables = graph->table.item;
  const Element *e = element_of_step(own, &g->can.element, tables, repeat, step, false);
  LLVMValueRef value = element_build(g, e, (LLVMValueRef[]){bits, entry});
  arena_free(own);
  return value;
}
