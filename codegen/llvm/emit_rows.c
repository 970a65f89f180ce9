// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax of rows in place: e^(x - m) over the sum of these, m being the largest element of the row. The
// error is that of a few roundings, however long the row and however far x is below m: what x - m loses in
// rounding is made up for, and the sum keeps what its additions lose (Kahan).
//
//   a row with NaN or infinity, and one of -infinity alone, is NaN: infinity - infinity is
//   -infinity beside numbers is 0
#include "codegen/llvm/llvm_module.h"

typedef struct Row {
  Gen *g;
  rsh_dtype type;
  LLVMTypeRef element, number;
  int64_t bytes; // of an element
  LLVMValueRef length, first, most;
} Row;

static LLVMValueRef num(const Row *r, double n) { return LLVMConstReal(r->number, n); }
static LLVMValueRef add(const Row *r, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFAdd(r->g->builder, a, b, "sum");
}
static LLVMValueRef sub(const Row *r, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFSub(r->g->builder, a, b, "difference");
}
static LLVMValueRef choose(const Row *r, LLVMValueRef a, LLVMValueRef b, LLVMValueRef yes,
                           LLVMValueRef no) { // a > b ? yes : no
  LLVMValueRef above = LLVMBuildFCmp(r->g->builder, LLVMRealOGT, a, b, "above");
  return LLVMBuildSelect(r->g->builder, above, yes, no, "choice");
}

static LLVMValueRef place(const Row *r, LLVMValueRef index) {
  return b_step(r->g, r->first, b_scale(r->g, index, b_int(r->g, r->bytes), "at"), "element");
}

static LLVMValueRef load(const Row *r, LLVMValueRef index) {
  uint32_t align = plan_element_align(r->type);
  return step_float(r->g, r->type, b_load(r->g, r->element, place(r, index), align, "element"));
}

static void store(const Row *r, LLVMValueRef index, LLVMValueRef number) {
  uint32_t align = plan_element_align(r->type);
  LLVMValueRef element = step_element(r->g, r->type, number);
  b_store(r->g, element, place(r, index), align);
}

static LLVMValueRef largest(const Row *r) {
  Repeat loop = b_repeat_begin(r->g, r->length, 1, "i");
  LLVMValueRef so_far = b_carry(r->g, loop.before, num(r, -__builtin_inf()), "largest");
  LLVMValueRef x = load(r, loop.index), next = choose(r, x, so_far, x, so_far);
  b_carry_on(r->g, so_far, next);
  b_repeat_end(r->g, &loop);
  return next;
}

static LLVMValueRef power(const Row *r, LLVMValueRef x) { return step_power(r->g, x, r->most); }

// Whether elements hold powers as they are computed; narrow ones would round them.
static bool keeps_powers(const Row *r) { return r->type == RSH_F32 || r->type == RSH_F64; }

// The sum of all powers. They are kept in the row, where it can hold them.
static LLVMValueRef sum_powers(const Row *r) {
  Repeat loop = b_repeat_begin(r->g, r->length, 1, "i");
  LLVMValueRef sum = b_carry(r->g, loop.before, num(r, 0), "sum");
  LLVMValueRef over = b_carry(r->g, loop.before, num(r, 0), "over"); // that was added too much
  LLVMValueRef e = power(r, load(r, loop.index));
  if (keeps_powers(r))
    store(r, loop.index, e);
  LLVMValueRef part = sub(r, e, over), next = add(r, sum, part);
  b_carry_on(r->g, over, sub(r, sub(r, next, sum), part));
  b_carry_on(r->g, sum, next);
  b_repeat_end(r->g, &loop);
  return next;
}

static void divide(const Row *r, LLVMValueRef sum) {
  Repeat loop = b_repeat_begin(r->g, r->length, 1, "i");
  LLVMValueRef x = load(r, loop.index), e = keeps_powers(r) ? x : power(r, x);
  store(r, loop.index, LLVMBuildFDiv(r->g->builder, e, sum, "quotient"));
  b_repeat_end(r->g, &loop);
}

void rows_build(Gen *g, rsh_dtype type, LLVMValueRef rows, LLVMValueRef length,
                LLVMValueRef first) {
  int bits = plan_element_bits(type);
  Row row = {.g = g, .type = type, .length = length, .bytes = bits / 8};
  row.element = b_integer(g, bits);
  row.number =
      type == RSH_F64 ? LLVMDoubleTypeInContext(g->context) : LLVMFloatTypeInContext(g->context);
  LLVMValueRef step = LLVMBuildNSWMul(g->builder, length, b_int(g, row.bytes), "step");
  Repeat loop = b_repeat_begin(g, rows, 1, "row");
  row.first = b_step(g, first, b_scale(g, loop.index, step, "at"), "row");
  row.most = largest(&row);
  divide(&row, sum_powers(&row));
  b_repeat_end(g, &loop);
}
