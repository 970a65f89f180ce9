// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code (codegen/code/code.h) as instructions of the function that is being written. All arithmetic is done with
// instructions alone: no library is called.
#include "codegen/llvm/llvm_module.h"

#include <stdlib.h>
#include <string.h>

typedef struct Printer {
  Kernel *k;
  const Code *code;
  LLVMValueRef *value, *past;               // by node
  const bool *is_checked;                   // somebody asks whether it is past
  LLVMBasicBlockRef fail[RSH_STATUS_COUNT]; // returns that status; NULL: not needed so far
  const LLVMValueRef *variants;
} Printer;

static void build_return(Gen *g, rsh_status status) {
  LLVMBuildRet(g->builder,
               LLVMConstInt(LLVMInt32TypeInContext(g->context), (unsigned)status, false));
}

// What is built next is the other way.
static void build_fail(Printer *p, LLVMValueRef bad, rsh_status status) {
  Gen *g = p->k->g;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  if (!p->fail[status]) {
    p->fail[status] = b_block(g, rsh_status_name(status));
    b_position(g, p->fail[status]);
    build_return(g, status);
    b_position(g, here);
  }
  LLVMBasicBlockRef good = b_block(g, "good");
  LLVMBuildCondBr(g->builder, bad, p->fail[status], good);
  b_position(g, good);
}

// ---- arithmetic ----

// "llvm.umul.with.overflow" and its like.
static LLVMValueRef with_overflow(Gen *g, const char *name, LLVMValueRef a, LLVMValueRef b,
                                  LLVMValueRef *past) {
  LLVMValueRef arg[2] = {a, b};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(g->module, id, &g->i64, 1);
  LLVMValueRef pair =
      LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, arg, 2, "pair");
  *past = LLVMBuildExtractValue(g->builder, pair, 1, "past");
  return LLVMBuildExtractValue(g->builder, pair, 0, "number");
}

static LLVMValueRef build_times(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past,
                                bool is_checked) {
  if (!g->multiplies_long)
    return number_multiply(g, a, b, past);
  return is_checked ? with_overflow(g, "llvm.umul.with.overflow", a, b, past)
                    : LLVMBuildMul(g->builder, a, b, "product");
}

static LLVMValueRef build_plus(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past,
                               bool is_checked) {
  return is_checked ? with_overflow(g, "llvm.uadd.with.overflow", a, b, past)
                    : LLVMBuildAdd(g->builder, a, b, "sum");
}

// a - b has a sign where a is below b, and nowhere else.
static LLVMValueRef build_minus(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past,
                                bool is_checked) {
  LLVMValueRef n = LLVMBuildSub(g->builder, a, b, "number");
  if (is_checked) {
    LLVMValueRef is_below = LLVMBuildICmp(g->builder, LLVMIntULT, a, b, "below");
    LLVMValueRef has_sign = LLVMBuildICmp(g->builder, LLVMIntSLT, n, b_long(g, 0), "sign");
    *past = LLVMBuildXor(g->builder, is_below, has_sign, "past");
  }
  return n;
}

static LLVMValueRef pick(Gen *g, LLVMIntPredicate kind, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(g->builder, LLVMBuildICmp(g->builder, kind, a, b, "test"), a, b, "edge");
}

static LLVMValueRef build_quotient(Gen *g, LLVMValueRef n, LLVMValueRef by, bool is_up) {
  LLVMValueRef is_none = LLVMBuildICmp(g->builder, LLVMIntSLT, by, b_long(g, 1), "is_none");
  LLVMValueRef some = LLVMBuildSelect(g->builder, is_none, b_long(g, 1), by, "by");
  LLVMValueRef quotient = number_divide(g, n, some);
  if (is_up) {
    LLVMValueRef rest = number_remainder(g, n, some), zero = b_long(g, 0);
    LLVMValueRef is_rest = LLVMBuildICmp(g->builder, LLVMIntSGT, rest, zero, "is_rest");
    LLVMValueRef more = LLVMBuildZExt(g->builder, is_rest, LLVMTypeOf(n), "more");
    quotient = LLVMBuildAdd(g->builder, quotient, more, "quotient");
  }
  return LLVMBuildSelect(g->builder, is_none, b_long(g, 0), quotient, "edge");
}

// rsh_edge() of runtime/resolve.h.
static LLVMValueRef build_edge(Gen *g, rsh_edge_kind kind, LLVMValueRef place, LLVMValueRef size,
                               LLVMValueRef least) {
  if (kind == RSH_EDGE_EITHER) {
    LLVMValueRef is_zero = LLVMBuildICmp(g->builder, LLVMIntEQ, place, b_long(g, 0), "is_zero");
    return LLVMBuildSelect(g->builder, is_zero, size, place, "either");
  }
  if (kind != RSH_EDGE_PLACE)
    return build_quotient(g, place, size, kind == RSH_EDGE_CEILING);
  LLVMValueRef below = LLVMBuildICmp(g->builder, LLVMIntSLT, place, b_long(g, 0), "below");
  LLVMValueRef from_end = LLVMBuildAdd(g->builder, place, size, "from_end");
  place = LLVMBuildSelect(g->builder, below, from_end, place, "at");
  return pick(g, LLVMIntSLT, pick(g, LLVMIntSGT, place, least), size);
}

// ---- variants ----

// A variant whose work is not divided does it in one task.
static void leave_to_first_task(Kernel *k) {
  Gen *g = k->g;
  LLVMBasicBlockRef first = b_block(g, "first"), other = b_block(g, "other");
  LLVMValueRef none = LLVMConstNull(LLVMTypeOf(k->task));
  LLVMValueRef is_first = LLVMBuildICmp(g->builder, LLVMIntEQ, k->task, none, "is_first");
  LLVMBuildCondBr(g->builder, is_first, first, other);
  b_position(g, other);
  build_return(g, RSH_ok);
  b_position(g, first);
}

static void build_leave(Kernel *k, LLVMValueRef is_own, LLVMValueRef function) {
  Gen *g = k->g;
  LLVMBasicBlockRef variant = b_block(g, "variant"), other = b_block(g, "other");
  LLVMBuildCondBr(g->builder, is_own, variant, other);
  b_position(g, variant);
  unsigned count = LLVMCountParams(function);
  LLVMValueRef *arg = ARENA_ARRAY(k->arena, LLVMValueRef, LLVMCountParams(g->function));
  LLVMGetParams(g->function, arg);
  if (k->task && count < LLVMCountParams(g->function))
    leave_to_first_task(k);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMBuildRet(g->builder, LLVMBuildCall2(g->builder, type, function, arg, count, "result"));
  b_position(g, other);
}

// ---- nodes ----

static void build_store(Kernel *k, LLVMValueRef size, int output, int axis) {
  Gen *g = k->g;
  LLVMValueRef dims = kernel_parameter(k, PARAMETER_DIMS, output);
  LLVMValueRef slot = b_step(g, dims, b_int(g, axis * (int64_t)sizeof(int64_t)), "slot");
  b_store(g, size, slot, sizeof(int64_t));
}

static LLVMValueRef compare(Gen *g, LLVMIntPredicate kind, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildICmp(g->builder, kind, a, b, "test");
}

// The value of a node; NULL: it is a statement.
static LLVMValueRef build_node(Printer *p, int i) {
  Kernel *k = p->k;
  Gen *g = k->g;
  const CodeNode *node = &p->code->node.item[i];
  LLVMValueRef of[3] = {NULL, NULL, NULL};
  for (int o = 0; o < 3 && node->operand[o] != CODE_NONE; o++)
    of[o] = p->value[node->operand[o]];
  switch (node->op) {
  case CODE_INTEGER:
  case CODE_LITERAL:
    return b_long(g, node->n);
  case CODE_TRUTH:
    return LLVMConstInt(LLVMInt1TypeInContext(g->context), node->n != 0, false);
  case CODE_SIZE:
    return kernel_parameter(k, PARAMETER_SIZE, (int)node->n);
  case CODE_MISSING:
    return LLVMBuildIsNull(g->builder, LLVMGetParam(g->function, (unsigned)node->n), "missing");
  case CODE_MAGNITUDE:
  case CODE_FITTED:
    return of[0];
  case CODE_TIMES:
    return build_times(g, of[0], of[1], &p->past[i], p->is_checked[i]);
  case CODE_PLUS:
    return build_plus(g, of[0], of[1], &p->past[i], p->is_checked[i]);
  case CODE_MINUS:
    return build_minus(g, of[0], of[1], &p->past[i], p->is_checked[i]);
  case CODE_PAST:
    return p->past[node->operand[0]];
  case CODE_QUOTIENT:
    return number_divide(g, of[0], of[1]);
  case CODE_REMAINDER:
    return number_remainder(g, of[0], of[1]);
  case CODE_EDGE:
    return build_edge(g, (rsh_edge_kind)node->n, of[0], of[1], of[2]);
  case CODE_EQUAL:
    return compare(g, LLVMIntEQ, of[0], of[1]);
  case CODE_UNEQUAL:
    return compare(g, LLVMIntNE, of[0], of[1]);
  case CODE_LESS:
    return compare(g, LLVMIntSLT, of[0], of[1]);
  case CODE_AT_MOST:
    return compare(g, LLVMIntSLE, of[0], of[1]);
  case CODE_MORE:
    return compare(g, LLVMIntSGT, of[0], of[1]);
  case CODE_AT_LEAST:
    return compare(g, LLVMIntSGE, of[0], of[1]);
  case CODE_ABOVE:
    return compare(g, LLVMIntUGT, of[0], of[1]);
  case CODE_SELECT:
    return LLVMBuildSelect(g->builder, of[0], of[1], of[2], "count");
  case CODE_NOT:
    return LLVMBuildNot(g->builder, of[0], "not");
  case CODE_AND:
    return LLVMBuildAnd(g->builder, of[0], of[1], "and");
  case CODE_OR:
    return LLVMBuildOr(g->builder, of[0], of[1], "or");
  case CODE_FAIL:
    build_fail(p, of[0], (rsh_status)node->n);
    return NULL;
  case CODE_STORE:
    build_store(k, of[0], (int)node->n, node->index);
    return NULL;
  case CODE_LEAVE:
    if (p->variants && p->variants[node->n])
      build_leave(k, of[0], p->variants[node->n]);
    return NULL;
  case CODE_OP_COUNT:
    break;
  }
  abort();
}

void kernel_build_code(Kernel *k, CodeRole role, bool is_variant, const LLVMValueRef *variants) {
  int pointer = (int)LLVMGetIntTypeWidth(k->g->word);
  const Code *code = code_entry(k->arena, k->plan, role, is_variant, pointer);
  const int *uses = code_uses(code, true);
  bool *is_checked = ARENA_ARRAY(k->arena, bool, code->node.count + 1);
  for (int i = 0; i < code->node.count; i++)
    if (code->node.item[i].op == CODE_PAST && uses[i] > 0)
      is_checked[code->node.item[i].operand[0]] = true;
  Printer p = {.k = k, .code = code, .is_checked = is_checked, .variants = variants};
  p.value = ARENA_ARRAY(k->arena, LLVMValueRef, code->node.count + 1);
  p.past = ARENA_ARRAY(k->arena, LLVMValueRef, code->node.count + 1);
  for (int i = 0; i < code->node.count; i++)
    if (uses[i] > 0 || code_type(code->node.item[i].op) == CODE_NOTHING)
      p.value[i] = build_node(&p, i);
  for (int i = 0; i < code->symbol_count; i++)
    k->symbol[i] = p.value[code->symbol[i]];
  k->entry = LLVMGetInsertBlock(k->g->builder);
}
