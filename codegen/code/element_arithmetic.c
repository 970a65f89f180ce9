// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of arithmetic.def, of a float, a double, or an integer.
#include "codegen/code/element_bits.h"
#include "codegen/code/element_internal.h"

#include <math.h>
#include <string.h>

// An element and the constants that meet it, of one type.
typedef struct Sum {
  Element *e;
  ElementValue x;
  ElementValue constant[RSH_CONSTANTS];
  double number[RSH_CONSTANTS]; // of floats: the same
  const uint64_t *bits;         // as they stand in memory
  int64_t integer;              // of integers: the first, with the sign of its type
  bool is_float, is_unsigned;
} Sum;

static ElementValue binary(const Sum *s, ElementOp op, ElementValue a, ElementValue b) {
  return element_binary(s->e, op, a, b, "value");
}
// `op` of integers, `real` of floats.
static ElementValue either(const Sum *s, ElementOp op, ElementOp real, ElementValue a,
                           ElementValue b) {
  return binary(s, s->is_float ? real : op, a, b);
}
static ElementValue of_sign(const Sum *s, ElementOp with_sign, ElementOp without, ElementValue a,
                            ElementValue b) {
  return binary(s, s->is_unsigned ? without : with_sign, a, b);
}

static ElementValue is_more(const Sum *s, ElementValue a, ElementValue b) {
  if (s->is_float)
    return float_above(s->e, a, b);
  return element_compare(s->e, s->is_unsigned ? ELEMENT_ABOVE : ELEMENT_MORE, a, b, "above");
}

// Whether no element is past a bound: -infinity, or 0 of unsigned integers.
static bool bounds_nothing(const Sum *s, int constant, bool is_most) {
  if (s->is_float)
    return s->number[constant] == (is_most ? (double)INFINITY : -(double)INFINITY);
  int width = width_of(s->e, s->x);
  uint64_t sign = s->is_unsigned ? 0 : UINT64_C(1) << (width - 1);
  return s->bits[constant] == (is_most ? low(width) ^ sign : sign);
}

// A NaN on either side is the result: comparisons with x being one are false, and then it is x that stays.
static ElementValue bounded(const Sum *s, ElementValue x, int constant, bool is_most) {
  ElementValue bound = s->constant[constant];
  if (bounds_nothing(s, constant, is_most))
    return x;
  if (s->is_float && isnan(s->number[constant]))
    return bound;
  return choose(s->e, is_most ? is_more(s, x, bound) : is_more(s, bound, x), bound, x);
}
static ElementValue at_most(const Sum *s, ElementValue x, int constant) {
  return bounded(s, x, constant, true);
}
static ElementValue at_least(const Sum *s, ElementValue x, int constant) {
  return bounded(s, x, constant, false);
}

static ElementValue minus(const Sum *s, ElementValue x) {
  return s->is_float ? element_unary(s->e, ELEMENT_F_NEGATE, x, "minus") : negated(s->e, x);
}

// The smallest integer over -1 is past the largest: it wraps, where a machine's division may stop the program.
static ElementValue quotient(const Sum *s) {
  if (s->is_float)
    return binary(s, ELEMENT_F_DIV, s->x, s->constant[0]);
  if (!s->is_unsigned && s->integer == -1)
    return minus(s, s->x);
  return of_sign(s, ELEMENT_SIGNED_DIV, ELEMENT_DIV, s->x, s->constant[0]);
}

static ElementValue remainder_of(const Sum *s) {
  if (!s->is_unsigned && s->integer == -1)
    return number(s->e, s->x, 0);
  ElementValue rest = of_sign(s, ELEMENT_SIGNED_REM, ELEMENT_REM, s->x, s->constant[0]);
  if (s->is_unsigned)
    return rest;
  ElementValue zero = number(s->e, s->x, 0);
  ElementValue is_other = s->integer > 0 ? element_compare(s->e, ELEMENT_LESS, rest, zero, "other")
                                         : element_compare(s->e, ELEMENT_MORE, rest, zero, "other");
  return choose(s->e, is_other, binary(s, ELEMENT_ADD, rest, s->constant[0]), rest);
}

// By the width or more nothing is left, or of numbers below 0 the sign.
static ElementValue shifted(const Sum *s, bool is_left) {
  int width = width_of(s->e, s->x);
  bool is_far = (uint64_t)s->integer >= (uint64_t)width, has_sign = !is_left && !s->is_unsigned;
  if (is_far && !has_sign)
    return number(s->e, s->x, 0);
  ElementValue by = number(s->e, s->x, is_far ? (uint64_t)width - 1 : (uint64_t)s->integer);
  return binary(s, is_left ? ELEMENT_SHL : has_sign ? ELEMENT_SIGNED_SHR : ELEMENT_SHR, s->x, by);
}

// Past 2^23 (2^52) floats are integers. Below, adding as much rounds what is behind the point, halves to even.
static ElementValue rounded(Element *e, ElementValue x) {
  bool is_single = width_of(e, x) == 32;
  ElementValue large = element_number(e, is_single ? 32 : 64, is_single ? 0x1p23 : 0x1p52);
  ElementValue with_sign = element_binary(e, ELEMENT_WITH_SIGN, large, x, "large");
  ElementValue sum = element_binary(e, ELEMENT_F_ADD, x, with_sign, "sum");
  ElementValue whole = element_binary(e, ELEMENT_F_SUB, sum, with_sign, "whole");
  whole = element_binary(e, ELEMENT_WITH_SIGN, whole, x, "whole"); // -0.2 rounds to -0
  ElementValue size = element_unary(e, ELEMENT_MAGNITUDE, x, "size");
  return choose(e, float_above(e, large, size), whole, x);
}

// ---- build_<enum> of arithmetic.def ----

#define BUILD(id, value)                                                                           \
  static ElementValue build_##id(const Sum *s) { return value; }

BUILD(ADD, either(s, ELEMENT_ADD, ELEMENT_F_ADD, s->x, s->constant[0]))
BUILD(SUB, either(s, ELEMENT_SUB, ELEMENT_F_SUB, s->x, s->constant[0]))
BUILD(RSUB, either(s, ELEMENT_SUB, ELEMENT_F_SUB, s->constant[0], s->x))
BUILD(MUL, either(s, ELEMENT_MUL, ELEMENT_F_MUL, s->x, s->constant[0]))
BUILD(DIV, quotient(s))
BUILD(RDIV, binary(s, ELEMENT_F_DIV, s->constant[0], s->x))
BUILD(MOD, remainder_of(s))
BUILD(MIN, at_most(s, s->x, 0))
BUILD(MAX, at_least(s, s->x, 0))
BUILD(CLIP, at_most(s, at_least(s, s->x, 0), 1))
BUILD(NEG, minus(s, s->x))
BUILD(BITWISE_AND, binary(s, ELEMENT_AND, s->x, s->constant[0]))
BUILD(BITWISE_OR, binary(s, ELEMENT_OR, s->x, s->constant[0]))
BUILD(BITWISE_XOR, binary(s, ELEMENT_XOR, s->x, s->constant[0]))
BUILD(BITWISE_NOT, binary(s, ELEMENT_XOR, s->x, s->constant[0]))
BUILD(SHIFT_LEFT, shifted(s, true))
BUILD(SHIFT_RIGHT, shifted(s, false))
BUILD(ROUND_EVEN, rounded(s->e, s->x))

// The bits of a float as a number, which every float type but f64 is one of f32.
double float_of_bits(rsh_dtype type, uint64_t bits) {
  uint64_t wide = rsh_convert_bits(bits, type, RSH_F64, (rsh_cast_rule){true, RSH_ROUND_UP});
  double n;
  memcpy(&n, &wide, sizeof n);
  return n;
}

int64_t integer_of_bits(rsh_dtype type, uint64_t bits) {
  uint64_t sign = UINT64_C(1) << (rsh_dtype_bits(type) - 1);
  return rsh_dtype_is_signed(type) ? (int64_t)((bits ^ sign) - sign) : (int64_t)bits;
}

bool arithmetic_has(rsh_op op) {
  switch ((int)op) {
#define RSH_ARITHMETIC(id, name, args, types, sign, onnx, definition) case RSH_OP_##id:
#include "runtime/arithmetic.def"
#undef RSH_ARITHMETIC
    return true;
  }
  return false;
}

ElementValue arithmetic_build(Element *e, const rsh_step *step, ElementValue x) {
  static ElementValue (*const build[RSH_OP_COUNT])(const Sum *) = {
#define RSH_ARITHMETIC(id, name, args, types, sign, onnx, definition) [RSH_OP_##id] = build_##id,
#include "runtime/arithmetic.def"
#undef RSH_ARITHMETIC
  };
  Sum s = {.e = e, .x = x, .bits = step->constant, .is_float = element_type(e, x).is_float};
  s.is_unsigned = !rsh_dtype_is_signed(step->from);
  s.integer = integer_of_bits(step->from, step->constant[0]);
  for (int i = 0; i < RSH_CONSTANTS; i++) {
    s.number[i] = s.is_float ? float_of_bits(step->from, step->constant[i]) : 0;
    s.constant[i] = s.is_float ? element_number(e, width_of(e, x), s.number[i])
                               : number(e, x, step->constant[i]);
  }
  if (step->op == RSH_OP_BITWISE_NOT) // of bool 1 alone
    s.constant[0] = number(e, x, step->from == RSH_BOOL ? 1 : UINT64_MAX);
  return build[step->op](&s);
}
