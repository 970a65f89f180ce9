// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of arithmetic.def, of a float, a double, or an integer.
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

#include <math.h>

// An element and the constants for it, of one type.
typedef struct Sum {
  Element *e;
  ElementValue x;
  Constant of[RSH_CONSTANTS];
  ElementValue constant[RSH_CONSTANTS];
  rsh_dtype type; // an integer, f32, f64; f16 or bf16 if it keeps its bits
  bool is_float, is_unsigned;
} Sum;

static ElementValue binary(const Sum *s, ElementOp op, ElementValue a, ElementValue b) {
  return element_binary(s->e, op, a, b, "value");
}
// `op` for integers, `real` for floats.
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
    return float_above(s->e, s->type, a, b);
  return element_compare(s->e, s->is_unsigned ? ELEMENT_ABOVE : ELEMENT_MORE, a, b, "above");
}

// Whether some element can exceed a bound. False for a lower bound of -infinity or of the least integer, and for the
// corresponding upper bounds.
static uint64_t does_bound(const Constant *c, uint64_t bits, int64_t is_most) {
  rsh_float f = rsh_dtype_float(c->type);
  if (f.special != RSH_NO_FLOAT)
    return float_of_bits(c->type, bits) != (is_most ? (double)INFINITY : -(double)INFINITY);
  int width = rsh_dtype_bits(c->type);
  uint64_t sign = rsh_dtype_is_signed(c->type) ? UINT64_C(1) << (width - 1) : 0;
  return bits != (is_most ? low(width) ^ sign : sign);
}

static uint64_t is_nan(const Constant *c, uint64_t bits, int64_t more) {
  (void)more;
  return rsh_dtype_float(c->type).special != RSH_NO_FLOAT && isnan(float_of_bits(c->type, bits));
}

// `yes` if `test` is true of the constant, else `no`.
static ElementValue by_constant(const Sum *s, ConstantMap *test, int64_t more, ElementValue yes,
                                ElementValue no) {
  if (!constant_has(&s->of[0], test, more))
    return no;
  ElementValue flag = constant_value(s->e, &s->of[0], int_type(8), test, more);
  return element_select(s->e, is_equal(s->e, flag, 0), no, yes);
}

// A NaN on either side is the result. If x is NaN, comparisons with it are false, so x stays.
static ElementValue bounded(const Sum *s, ElementValue x, int constant, bool is_most) {
  ElementValue bound = s->constant[constant];
  const Constant *c = &s->of[constant];
  if (!constant_has(c, does_bound, is_most))
    return x;
  ElementValue made =
      element_select(s->e, is_most ? is_more(s, x, bound) : is_more(s, bound, x), bound, x);
  if (!constant_has(c, is_nan, 0))
    return made;
  ElementValue flag = constant_value(s->e, c, int_type(8), is_nan, 0);
  return element_select(s->e, is_equal(s->e, flag, 0), made, bound);
}
static ElementValue at_most(const Sum *s, ElementValue x, int constant) {
  return bounded(s, x, constant, true);
}
static ElementValue at_least(const Sum *s, ElementValue x, int constant) {
  return bounded(s, x, constant, false);
}

static ElementValue minus(const Sum *s, ElementValue x) {
  if (s->is_float && !element_type(s->e, x).is_float)
    return binary(s, ELEMENT_XOR, x, number(s->e, x, UINT64_C(1) << (width_of(s->e, x) - 1)));
  return s->is_float ? element_unary(s->e, ELEMENT_F_NEGATE, x, "minus") : negated(s->e, x);
}

static uint64_t is_minus_one(const Constant *c, uint64_t bits, int64_t more) {
  (void)more;
  return rsh_dtype_is_signed(c->type) && integer_of_bits(c->type, bits) == -1;
}

// 1 in place of -1: the smallest integer divided by -1 overflows, which traps on some machines.
static uint64_t divisor_of(const Constant *c, uint64_t bits, int64_t more) {
  return is_minus_one(c, bits, more) ? 1 : bits;
}

static ElementValue divisor(const Sum *s) {
  return constant_value(s->e, &s->of[0], element_type(s->e, s->x), divisor_of, 0);
}

// The smallest integer divided by -1 wraps.
static ElementValue quotient(const Sum *s) {
  if (s->is_float)
    return binary(s, ELEMENT_F_DIV, s->x, s->constant[0]);
  ElementValue whole = of_sign(s, ELEMENT_SIGNED_DIV, ELEMENT_DIV, s->x, divisor(s));
  return by_constant(s, is_minus_one, 0, minus(s, s->x), whole);
}

// As in C, the remainder has the sign of x.
static ElementValue remainder_of(const Sum *s) {
  if (s->is_float)
    return element_libm_of_two(s->e, "fmod", s->x, s->constant[0]);
  return of_sign(s, ELEMENT_SIGNED_REM, ELEMENT_REM, s->x, divisor(s));
}

// If the signs of remainder and divisor differ, adds the divisor; a 0 gets the sign of the divisor.
static ElementValue float_modulus(const Sum *s) {
  ElementValue by = s->constant[0], rest = remainder_of(s),
               zero = element_number(s->e, width_of(s->e, rest), 0);
  ElementValue is_below = is_more(s, zero, rest), is_by_below = is_more(s, zero, by);
  ElementValue differs = binary(s, ELEMENT_XOR, is_below, is_by_below);
  ElementValue made = element_select(s->e, differs, binary(s, ELEMENT_F_ADD, rest, by), rest);
  ElementValue size = element_unary(s->e, ELEMENT_MAGNITUDE, rest, "size");
  ElementValue is_zero = element_compare(s->e, ELEMENT_F_AT_MOST, size, zero, "none");
  return element_select(s->e, is_zero, binary(s, ELEMENT_WITH_SIGN, zero, by), made);
}

// The same for integers.
static ElementValue modulus(const Sum *s) {
  if (s->is_float)
    return float_modulus(s);
  ElementValue by = divisor(s), zero = number(s->e, s->x, 0), rest = remainder_of(s);
  if (s->is_unsigned)
    return rest;
  ElementValue differs = binary(s, ELEMENT_XOR, rest, by);
  ElementValue is_other = element_compare(s->e, ELEMENT_LESS, differs, zero, "other");
  ElementValue is_left = element_compare(s->e, ELEMENT_UNEQUAL, rest, zero, "some");
  ElementValue adjusts = element_binary(s->e, ELEMENT_AND, is_other, is_left, "turns");
  return element_select(s->e, adjusts, binary(s, ELEMENT_ADD, rest, by), rest);
}

static uint64_t is_far(const Constant *c, uint64_t bits, int64_t width) {
  (void)c;
  return bits >= (uint64_t)width;
}

static uint64_t places_of(const Constant *c, uint64_t bits, int64_t width) {
  return is_far(c, bits, width) ? (uint64_t)width - 1 : bits;
}

// A shift by the width or more gives 0, or -1 for negative numbers in a signed shift.
static ElementValue shifted(const Sum *s, bool is_left) {
  int width = width_of(s->e, s->x);
  bool has_sign = !is_left && !s->is_unsigned;
  ElementValue by = constant_value(s->e, &s->of[0], element_type(s->e, s->x), places_of, width);
  ElementOp op = is_left ? ELEMENT_SHL : has_sign ? ELEMENT_SIGNED_SHR : ELEMENT_SHR;
  ElementValue near = binary(s, op, s->x, by);
  return has_sign ? near : by_constant(s, is_far, width, number(s->e, s->x, 0), near);
}

// From 2^23 (2^52) on, floats are integers. Below, adding that number rounds off the fraction, halves to even.
static ElementValue rounded(Element *e, ElementValue x) {
  bool is_single = width_of(e, x) == 32;
  ElementValue large = element_number(e, is_single ? 32 : 64, is_single ? 0x1p23 : 0x1p52);
  ElementValue with_sign = element_binary(e, ELEMENT_WITH_SIGN, large, x, "large");
  ElementValue sum = element_binary(e, ELEMENT_F_ADD, x, with_sign, "sum");
  ElementValue whole = element_binary(e, ELEMENT_F_SUB, sum, with_sign, "whole");
  whole = element_binary(e, ELEMENT_WITH_SIGN, whole, x, "whole"); // -0.2 rounds to -0
  ElementValue size = element_unary(e, ELEMENT_MAGNITUDE, x, "size");
  return element_select(e, float_above(e, is_single ? RSH_F32 : RSH_F64, large, size), whole, x);
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
BUILD(MOD, modulus(s))
BUILD(REM, remainder_of(s))
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

// Whether the result is always x, perhaps with the other sign, or a constant.
static bool chooses(rsh_op op) {
  return op == RSH_OP_MIN || op == RSH_OP_MAX || op == RSH_OP_CLIP || op == RSH_OP_NEG;
}

ElementValue arithmetic_build(Element *e, const rsh_step *step, ElementValue bits) {
  static ElementValue (*const build[RSH_OP_COUNT])(const Sum *) = {
#define RSH_ARITHMETIC(id, name, args, types, sign, libm, onnx, definition)                        \
  [RSH_OP_##id] = build_##id,
#include "runtime/arithmetic.def"
#undef RSH_ARITHMETIC
  };
  bool is_float = rsh_dtype_is_float(step->from);
  bool is_as_bits = chooses(step->op) && keeps_bits(step->from);
  Number n = is_as_bits ? (Number){FLOAT, bits} : cast_apart(e, step->from, bits);
  ElementValue x = n.value;
  Sum s = {.e = e, .x = x, .type = step->from, .is_float = is_float};
  if (is_float && !is_as_bits && step->from != RSH_F64)
    s.type = RSH_F32;
  s.is_unsigned = !rsh_dtype_is_signed(step->from);
  ConstantMap *of = is_as_bits ? constant_as_bits
                    : is_float ? constant_as_float
                               : constant_as_integer;
  for (int i = 0; i < RSH_CONSTANTS; i++) {
    s.of[i] = constant_of_step(e, step, i, step->from);
    s.constant[i] = constant_value(e, &s.of[i], element_type(e, x), of, 0);
  }
  if (step->op == RSH_OP_BITWISE_NOT) // for a bool only bit 0
    s.constant[0] = number(e, x, step->from == RSH_BOOL ? 1 : UINT64_MAX);
  n.value = build[step->op](&s);
  return is_as_bits ? n.value : cast_back(e, step, n);
}
