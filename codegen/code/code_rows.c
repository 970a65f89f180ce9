// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In-place softmax of rows, as code: e^(x - most) over the sum of these, where `most` is the largest element of the
// row. The error is a few roundings, for rows of any length and for x far below `most`: the rounding errors of x - most
// (element_power) and of the sum (Kahan) are compensated.
//
//   a row with NaN or infinity, or with only -infinity, is NaN, because infinity - infinity is
//   -infinity next to numbers is 0
#include "codegen/code/code.h"

#include <string.h>

typedef struct Row {
  Code *code;
  const Pass *pass;
  rsh_dtype type;
  CodeValue first; // address of its first element
  rsh_num each;    // stride of the elements
} Row;

static CodeValue constant(Code *code, double number, const char *name) {
  CodeValue start = code_leaf(code, CODE_FLOAT);
  memcpy(&code->node.item[start].n, &number, sizeof number);
  return code_named(code, code_unary(code, CODE_CARRY, start), name);
}

static CodeValue place_in_row(const Row *r, CodeValue index) {
  return code_advance(r->code, CODE_STEP, r->first, index, r->each);
}

static CodeValue load(const Row *r, CodeValue index) {
  CodeValue word = code_unary(r->code, CODE_LOAD, place_in_row(r, index));
  return code_add(r->code, CODE_NUMBER_OF, word, CODE_NONE, CODE_NONE, r->type);
}

static void store(const Row *r, CodeValue index, CodeValue number) {
  CodeValue word = code_add(r->code, CODE_ELEMENT_OF, number, CODE_NONE, CODE_NONE, r->type);
  code_binary(r->code, CODE_STORE, place_in_row(r, index), word);
}

static CodeValue open_row(Code *code, rsh_num count, const char *name) {
  return code_named(code, code_for(code, code_extent(code, count)), name);
}

static CodeValue largest(const Row *r) {
  Code *code = r->code;
  CodeValue most = constant(code, -__builtin_inf(), "most");
  CodeValue x = load(r, open_row(code, r->pass->length, "i"));
  CodeValue above = code_binary(code, CODE_F_MORE, x, most);
  code_binary(code, CODE_SET, most, code_add(code, CODE_F_CHOOSE, above, x, most, 0));
  code_leaf(code, CODE_END);
  return most;
}

// Whether an element holds a power without rounding; narrow types would round it.
static bool keeps_powers(const Row *r) { return r->type == RSH_F32 || r->type == RSH_F64; }

// The sum of all powers. Stores them in the row if it can hold them.
static CodeValue sum_powers(const Row *r, CodeValue most) {
  Code *code = r->code;
  CodeValue sum = constant(code, 0, "sum"), over = constant(code, 0, "over"); // compensation
  CodeValue i = open_row(code, r->pass->length, "i");
  CodeValue e = code_named(code, code_binary(code, CODE_POWER, load(r, i), most), "e");
  if (keeps_powers(r))
    store(r, i, e);
  CodeValue part = code_named(code, code_binary(code, CODE_F_SUB, e, over), "part");
  CodeValue next = code_named(code, code_binary(code, CODE_F_ADD, sum, part), "next");
  CodeValue added = code_binary(code, CODE_F_SUB, next, sum);
  code_binary(code, CODE_SET, over, code_binary(code, CODE_F_SUB, added, part));
  code_binary(code, CODE_SET, sum, next);
  code_leaf(code, CODE_END);
  return sum;
}

static void divide(const Row *r, CodeValue sum, CodeValue most) {
  Code *code = r->code;
  CodeValue i = open_row(code, r->pass->length, "i"), x = load(r, i);
  CodeValue e = keeps_powers(r) ? x : code_binary(code, CODE_POWER, x, most);
  store(r, i, code_binary(code, CODE_F_DIV, e, sum));
  code_leaf(code, CODE_END);
}

void code_rows(Code *code, const Pass *pass, int64_t unit) {
  rsh_dtype type = pass->value->dtype;
  code->is_double = type == RSH_F64;
  int64_t each = plan_element_bits(type) / 8 / unit;
  Row r = {code, pass, type, .each = rsh_int(each)};
  CodeValue any = code_also_some(code, code_also_some(code, CODE_NONE, pass->rows), pass->length);
  if (any != CODE_NONE)
    code_unary(code, CODE_IF, any);
  CodeValue rows = code_source(code, pass->value->id);
  CodeValue step = code_extent(code, pass->length);
  if (each != 1) // a C array counts elements
    step = code_binary(code, CODE_MUL, step, code_extent(code, r.each));
  CodeValue row = open_row(code, pass->rows, "row");
  r.first = code_add(code, CODE_STEP, rows, row, step, 0);
  CodeValue most = largest(&r);
  divide(&r, sum_powers(&r, most), most);
  for (int i = 0; i < 1 + (any != CODE_NONE); i++)
    code_leaf(code, CODE_END);
}
