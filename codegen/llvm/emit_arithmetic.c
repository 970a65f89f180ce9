// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions and products without an instruction on the target, as functions of the module: compilers would call a
// library for them (__aeabi_uldivmod). They take one iteration per bit, which is enough since they are rare: for sizes,
// when a kernel is entered, and for addresses in a staged value, per element.
#include "codegen/llvm/llvm_module.h"

bool subroutine_begin(Gen *g, const char *name, LLVMTypeRef type, bool is_small, Subroutine *s) {
  *s = (Subroutine){.function = LLVMGetNamedFunction(g->module, name)};
  if (s->function)
    return false;
  s->function = module_add_local(g, name, type, g->target);
  b_mark(g, s->function, "noinline");
  if (is_small)
    b_mark(g, s->function, "optsize");
  s->caller = g->function;
  s->here = LLVMGetInsertBlock(g->builder);
  s->index = g->index;
  g->function = s->function;
  g->index = g->word;
  b_position(g, b_block(g, "entry"));
  return true;
}

void subroutine_end(Gen *g, const Subroutine *s, LLVMValueRef result) {
  if (result)
    LLVMBuildRet(g->builder, result);
  g->function = s->caller;
  g->index = s->index;
  b_position_in(g, s->here);
}

// Begins a function of two numbers of a type.
static bool begin(Gen *g, const char *name, LLVMTypeRef type, LLVMTypeRef result, Subroutine *s) {
  LLVMTypeRef given[2] = {type, type};
  return subroutine_begin(g, name, LLVMFunctionType(result, given, 2, false), true, s);
}

// Bit by bit from the top: rest = 2 * rest + next bit; if rest >= divisor, the divisor is subtracted. The bits of the
// quotient enter at the low end of n as its own bits leave at the top, so one register holds both.
static LLVMValueRef divider(Gen *g, LLVMTypeRef type, bool wants_rest) {
  unsigned bits = LLVMGetIntTypeWidth(type);
  const char *name = bits == 64   ? wants_rest ? "divide.rest" : "divide.long"
                     : wants_rest ? "divide.rest.word"
                                  : "divide";
  Subroutine r;
  if (!begin(g, name, type, type, &r))
    return r.function;
  Repeat loop = b_repeat_begin(g, b_int(g, bits), 1, "bit");
  LLVMValueRef n = b_carry(g, loop.before, LLVMGetParam(r.function, 0), "n"),
               rest = b_carry(g, loop.before, b_const(type, 0), "rest");
  LLVMValueRef top = LLVMBuildLShr(g->builder, n, b_const(type, bits - 1), "top");
  LLVMValueRef twice = LLVMBuildShl(g->builder, rest, b_const(type, 1), "twice");
  LLVMValueRef more = LLVMBuildOr(g->builder, twice, top, "more");
  LLVMValueRef by = LLVMGetParam(r.function, 1);
  LLVMValueRef holds = LLVMBuildICmp(g->builder, LLVMIntUGE, more, by, "holds");
  LLVMValueRef less = LLVMBuildSub(g->builder, more, by, "less");
  LLVMValueRef left = LLVMBuildSelect(g->builder, holds, less, more, "left");
  LLVMValueRef up = LLVMBuildShl(g->builder, n, b_const(type, 1), "up");
  LLVMValueRef digit = LLVMBuildZExt(g->builder, holds, type, "digit");
  LLVMValueRef quotient = LLVMBuildOr(g->builder, up, digit, "quotient");
  b_carry_on(g, n, quotient);
  b_carry_on(g, rest, left);
  b_repeat_end(g, &loop);
  subroutine_end(g, &r, wants_rest ? left : quotient);
  return r.function;
}

static LLVMValueRef call(Gen *g, LLVMValueRef function, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef arg[2] = {a, b};
  return b_call(g, function, arg, 2, "number");
}

// Powers of two need only a shift or a mask.
static bool has_instruction(const Gen *g, LLVMValueRef n, LLVMValueRef by) {
  unsigned long long b = LLVMIsConstant(by) ? LLVMConstIntGetZExtValue(by) : 0;
  bool has_any = LLVMTypeOf(n) == g->i64 ? g->divides_long : g->divides;
  return has_any || (b != 0 && (LLVMIsConstant(n) || (b & (b - 1)) == 0));
}

LLVMValueRef number_divide(Gen *g, LLVMValueRef n, LLVMValueRef by) {
  if (has_instruction(g, n, by))
    return LLVMBuildUDiv(g->builder, n, by, "quotient");
  return call(g, divider(g, LLVMTypeOf(n), false), n, by);
}

LLVMValueRef number_rest(Gen *g, LLVMValueRef n, LLVMValueRef by) {
  if (has_instruction(g, n, by))
    return LLVMBuildURem(g->builder, n, by, "rest");
  return call(g, divider(g, LLVMTypeOf(n), true), n, by);
}

LLVMValueRef number_remainder(Gen *g, LLVMValueRef n, LLVMValueRef by) {
  if (has_instruction(g, n, by))
    return LLVMBuildSRem(g->builder, n, by, "remainder");
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(n));
  LLVMValueRef below = LLVMBuildICmp(g->builder, LLVMIntSLT, n, zero, "below");
  LLVMValueRef minus = LLVMBuildNeg(g->builder, n, "minus");
  LLVMValueRef size = LLVMBuildSelect(g->builder, below, minus, n, "size");
  LLVMValueRef rest = number_rest(g, size, by);
  return LLVMBuildSelect(g->builder, below, LLVMBuildNeg(g->builder, rest, "minus"), rest,
                         "remainder");
}

// If the lowest bit of b is set, product += a; then a doubles and b halves, until b is 0. It overflows if the sum
// wraps, or if a loses its top bit while b has bits left.
static LLVMValueRef multiplier(Gen *g) {
  LLVMTypeRef field[2] = {g->i64, g->i1};
  LLVMTypeRef pair = LLVMStructTypeInContext(g->context, field, 2, false);
  Subroutine r;
  if (!begin(g, "multiply.long", g->i64, pair, &r))
    return r.function;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = b_block(g, "bit"),
                    after = b_block(g, "after");
  LLVMBuildBr(g->builder, body);
  b_position(g, body);
  LLVMValueRef a = b_carry(g, before, LLVMGetParam(r.function, 0), "a"),
               b = b_carry(g, before, LLVMGetParam(r.function, 1), "b");
  LLVMValueRef sum = b_carry(g, before, b_const(g->i64, 0), "sum");
  LLVMValueRef past = b_carry(g, before, LLVMConstNull(g->i1), "past");
  LLVMValueRef is_set = LLVMBuildTrunc(g->builder, b, g->i1, "is_set");
  LLVMValueRef part = LLVMBuildSelect(g->builder, is_set, a, b_const(g->i64, 0), "part");
  LLVMValueRef next = LLVMBuildAdd(g->builder, sum, part, "next");
  LLVMValueRef wraps = LLVMBuildICmp(g->builder, LLVMIntULT, next, sum, "wraps");
  LLVMValueRef rest = LLVMBuildLShr(g->builder, b, b_const(g->i64, 1), "rest");
  LLVMValueRef done = LLVMBuildICmp(g->builder, LLVMIntEQ, rest, b_const(g->i64, 0), "done");
  LLVMValueRef is_top = LLVMBuildICmp(g->builder, LLVMIntSLT, a, b_const(g->i64, 0), "is_top");
  LLVMValueRef loses = LLVMBuildSelect(g->builder, done, LLVMConstNull(g->i1), is_top, "loses");
  LLVMValueRef now =
      LLVMBuildOr(g->builder, LLVMBuildOr(g->builder, past, wraps, "past"), loses, "past");
  b_carry_on(g, a, LLVMBuildShl(g->builder, a, b_const(g->i64, 1), "twice"));
  b_carry_on(g, b, rest);
  b_carry_on(g, sum, next);
  b_carry_on(g, past, now);
  LLVMBuildCondBr(g->builder, done, after, body);
  b_position(g, after);
  LLVMValueRef result = LLVMBuildInsertValue(g->builder, LLVMGetUndef(pair), next, 0, "result");
  subroutine_end(g, &r, LLVMBuildInsertValue(g->builder, result, now, 1, "result"));
  return r.function;
}

LLVMValueRef number_multiply(Gen *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef *past) {
  bool swaps = LLVMIsConstant(a); // the loop is over the bits of the second
  LLVMValueRef pair = call(g, multiplier(g), swaps ? b : a, swaps ? a : b);
  *past = LLVMBuildExtractValue(g->builder, pair, 1, "past");
  return LLVMBuildExtractValue(g->builder, pair, 0, "number");
}
