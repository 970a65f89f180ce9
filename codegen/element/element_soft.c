// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats in integer arithmetic. The result of a shift by the width or more is never used: the shift amount is limited.
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

bool soft_is_cast(const Element *e, rsh_dtype from, rsh_dtype to) {
  if (!rsh_dtype_is_float(from) && !rsh_dtype_is_float(to))
    return false;
  rsh_dtype integer = rsh_dtype_is_float(from) ? to : from;
  int bits = rsh_dtype_is_integer(integer) ? rsh_dtype_bits(integer) : 0;
  bool is_long = bits == 64, is_narrow = to != RSH_F32 && rsh_dtype_is_float(to);
  bool is_double =
      from == RSH_F64 || to == RSH_F64 || to == RSH_F8E8M0 || (is_narrow && bits >= 32);
  return !e->machine->has_single || (is_double && !e->machine->has_double) ||
         (is_long && !e->machine->has_long);
}

// ---- leading zeros ----

// If the upper half is all zeros, counts them and continues with the lower half, in steps of half the size:
//
//   00000000 00010110   8 zeros: +8   00010110 00000000   4 zeros: no   2 zeros ...   11
static ElementValue build_count(Element *e, ElementValue x) {
  ElementValue n = number(e, x, 0);
  int width = width_of(e, x);
  for (int half = width / 2; half > 0; half /= 2) {
    ElementValue is_low = is_equal(e, right(e, x, width - half), 0);
    n = element_select(e, is_low, plus(e, n, (uint64_t)half), n);
    x = half > 1 ? element_select(e, is_low, left(e, x, half), x) : x;
  }
  return n;
}

static const Element *count_function(const Element *e, int bits) {
  Element *f =
      element_new(e->arena, e->machine, bits == 64 ? "leading-zeros-long" : "leading-zeros");
  f->result = build_count(f, element_parameter(f, 0, int_type(bits), "x"));
  return f;
}

// The leading zeros of a number other than 0, as 32 bits.
static ElementValue zeros_above(Element *e, ElementValue x) {
  int width = width_of(e, x);
  if (width > e->machine->word) {
    ElementValue high = resized(e, right(e, x, 32), 32), is_low = is_equal(e, high, 0);
    ElementValue zeros = zeros_above(e, element_select(e, is_low, resized(e, x, 32), high));
    return element_select(e, is_low, plus(e, zeros, 32), zeros);
  }
  ElementValue zeros = e->machine->counts_zeros
                           ? element_unary(e, ELEMENT_LEADING_ZEROS, x, "zeros")
                           : element_call(e, count_function(e, width), x, "zeros");
  return resized(e, zeros, 32);
}

static ElementValue minus(Element *e, ElementValue a, ElementValue b) {
  return element_binary(e, ELEMENT_SUB, a, b, "difference");
}

// ---- shifts by amounts known only at run time, below the width ----

// A 64-bit shift in two words, as many machines have no instruction for it: the bits shifted out of one word, `carry`,
// enter the other (x >> by: high >> by, and high << 32 - by | low >> by). If `by` is 32 or more, the first word becomes
// 0, and the other contains all remaining bits.
static ElementValue long_shift(Element *e, ElementValue x, ElementValue by, bool is_left) {
  ElementOp along = is_left ? ELEMENT_SHL : ELEMENT_SHR,
            against = is_left ? ELEMENT_SHR : ELEMENT_SHL;
  ElementValue low_word = resized(e, x, 32), high_word = resized(e, right(e, x, 32), 32);
  ElementValue from = is_left ? low_word : high_word, into = is_left ? high_word : low_word;
  ElementValue rest = masked(e, by, 31), zero = number(e, rest, 0);
  ElementValue back =
      element_binary(e, ELEMENT_XOR, rest, number(e, rest, 31), "back"); // 31 - rest
  ElementValue moved = element_binary(e, along, from, rest, "moved");
  ElementValue carry = element_binary(e, against, from, number(e, from, 1), "carry");
  carry = element_binary(e, against, carry, back, "carry");
  ElementValue stays = element_binary(e, along, into, rest, "stays");
  ElementValue is_near = is_below(e, by, 32);
  into = element_select(e, is_near, element_binary(e, ELEMENT_OR, stays, carry, "both"), moved);
  from = element_select(e, is_near, moved, zero);
  ElementValue high = left(e, resized(e, is_left ? into : from, 64), 32);
  return element_binary(e, ELEMENT_OR, high, resized(e, is_left ? from : into, 64), "shifted");
}

static ElementValue shifted(Element *e, ElementValue x, ElementValue by, bool is_left) {
  if (width_of(e, x) > e->machine->word)
    return long_shift(e, x, by, is_left);
  ElementOp opcode = is_left ? ELEMENT_SHL : ELEMENT_SHR;
  return element_binary(e, opcode, x, resized(e, by, width_of(e, x)), "shifted");
}
static ElementValue left_by(Element *e, ElementValue x, ElementValue by) {
  return shifted(e, x, by, true);
}
static ElementValue right_by(Element *e, ElementValue x, ElementValue by) {
  return shifted(e, x, by, false);
}

// Negates if sign is 1: inverts all bits and adds 1.
static ElementValue with_sign(Element *e, ElementValue magnitude, ElementValue sign) {
  ElementValue inverted =
      element_binary(e, ELEMENT_XOR, magnitude, minus(e, number(e, sign, 0), sign), "turned");
  return element_binary(e, ELEMENT_ADD, inverted, sign, "signed");
}

// ---- floats to integers ----

// f32 5.75 is 2^2 * 1.0111: the mantissa with its hidden bit, 10111 at the top of a word, is shifted right by 31 - 2.
ElementValue soft_integer(Element *e, rsh_dtype from, ElementValue bits, rsh_dtype to) {
  rsh_float f = rsh_dtype_float(from);
  int wanted = rsh_dtype_bits(to), out = wanted < 8 ? 32 : wanted, width = wanted == 64 ? 64 : 32;
  bool is_signed = wanted < 8 || rsh_dtype_is_signed(to);
  int m = f.mantissa_bits, size = m + f.exponent_bits, top = (int)low(f.exponent_bits);
  ElementValue x = resized(e, bits, from == RSH_F64 ? 64 : 32), magnitude = masked(e, x, low(size));
  ElementValue sign = resized(e, right(e, x, size), width);
  ElementValue mantissa = m < width ? left(e, resized(e, x, width), width - 1 - m)
                                    : resized(e, right(e, x, m + 1 - width), width);
  // The exponent of an f64 is in its upper word.
  int head_bits = from == RSH_F64 ? m - 32 : m;
  ElementValue head = from == RSH_F64 ? resized(e, right(e, magnitude, 32), 32) : magnitude;
  ElementValue exponent = right(e, head, head_bits);
  ElementValue by = minus(e, number(e, exponent, (uint64_t)(f.bias + width - 1)), exponent);
  ElementValue n = with(e, mantissa, UINT64_C(1) << (width - 1));
  n = right_by(e, n, masked(e, by, (uint64_t)width - 1));
  n = element_select(e, is_below(e, head, (uint64_t)f.bias << head_bits), number(e, n, 0), n);
  int past = f.bias + out - is_signed; // the least exponent outside the range
  past = f.special == RSH_IEEE && past > top ? top : past;
  if (past <= top) {
    ElementValue most = number(e, n, low(out - is_signed));
    most = is_signed ? element_binary(e, ELEMENT_ADD, most, sign, "most") : most;
    n = element_select(e, is_below(e, head, (uint64_t)past << head_bits), n, most);
  }
  if (f.special == RSH_IEEE)
    n = element_select(e, is_above(e, magnitude, (uint64_t)top << m), number(e, n, 0), n);
  if (f.special == RSH_ONE_NAN)
    n = element_select(e, is_equal(e, magnitude, low(size)), number(e, n, 0), n);
  n = is_signed ? with_sign(e, n, sign)
                : element_select(e, is_equal(e, sign, 0), n, number(e, n, 0));
  return resized(e, n, wanted);
}

// ---- integers to floats ----

// An integer as sign, magnitude, and the magnitude with its leading bit at the top, in 64 bits if the integer has 64,
// else in 32.
typedef struct Integer {
  ElementValue sign, magnitude, zeros, mantissa;
  int bits; // the most bits of the magnitude
} Integer;

static Integer integer_apart(Element *e, rsh_dtype from, ElementValue bits) {
  bool is_signed = rsh_dtype_is_signed(from);
  int width = width_of(e, bits) == 64 ? 64 : 32;
  ElementValue n =
      element_cast(e, is_signed ? ELEMENT_SEXT : ELEMENT_ZEXT, bits, int_type(width), "integer");
  Integer i = {.sign = number(e, n, 0), .magnitude = n, .bits = width_of(e, bits) - is_signed};
  if (is_signed) {
    i.sign = right(e, n, width - 1);
    i.magnitude = with_sign(e, n, i.sign);
  }
  i.zeros = zeros_above(e, with(e, i.magnitude, 1)); // the result for 0 is unused
  i.mantissa = left_by(e, i.magnitude, i.zeros);
  return i;
}

// The upper m bits of a mantissa and the leading bit above them, rounded; a carry out of them increments the exponent.
static ElementValue rounded_top(Element *e, const Integer *i, int m) {
  int width = width_of(e, i->mantissa);
  ElementValue x = right(e, i->mantissa, width - 1 - m);
  if (i->bits + 1 <= m + 1) // no bits are lost, even of the least number of a signed type
    return x;
  ElementValue rest = left(e, i->mantissa, m + 1), odd = masked(e, x, 1);
  rest = element_binary(e, ELEMENT_ADD, rest, odd, "rest"); // a tie rounds up if x is odd
  ElementValue up = is_above(e, rest, UINT64_C(1) << (width - 1));
  return element_binary(e, ELEMENT_ADD, x,
                        element_cast(e, ELEMENT_ZEXT, up, element_type(e, x), "up"), "rounded");
}

SoftNumber soft_of_integer(Element *e, rsh_dtype from, ElementValue bits, rsh_dtype to) {
  rsh_float f = rsh_dtype_float(to);
  int m = f.mantissa_bits, size = to == RSH_F64 ? 64 : 32;
  Integer i = integer_apart(e, from, bits);
  int width = width_of(e, i.mantissa);
  ElementValue x = m < width ? resized(e, rounded_top(e, &i, m), size)
                             : left(e, resized(e, i.mantissa, size), m + 1 - width);
  // The leading bit adds 1 to the exponent.
  ElementValue exponent = minus(e, number(e, i.zeros, (uint64_t)(f.bias - 1 + width - 1)), i.zeros);
  x = element_binary(e, ELEMENT_ADD, x, left(e, resized(e, exponent, size), m), "number");
  x = element_select(e, is_equal(e, i.magnitude, 0), number(e, x, 0), x);
  return (SoftNumber){x, resized(e, i.sign, size), i.bits > f.bias};
}

ElementValue soft_power_of_integer(Element *e, rsh_dtype from, ElementValue bits,
                                   rsh_cast_rule rule) {
  enum { BIAS = 127, NAN_BITS = 255 };
  Integer i = integer_apart(e, from, bits);
  int width = width_of(e, i.mantissa);
  ElementValue x = minus(e, number(e, i.zeros, (uint64_t)(BIAS + width - 1)), i.zeros);
  if (rule.round != RSH_ROUND_DOWN) {
    uint64_t one = UINT64_C(1) << (width - 1);
    ElementValue up =
        is_above(e, i.mantissa, rule.round == RSH_ROUND_UP ? one : (one | one >> 1) - 1);
    x = element_binary(e, ELEMENT_ADD, x,
                       element_cast(e, ELEMENT_ZEXT, up, element_type(e, x), "up"), "rounded");
  }
  x = element_select(e, is_equal(e, i.magnitude, 0), number(e, x, rule.saturate ? 0 : NAN_BITS), x);
  return resized(e, x, 8);
}

// ---- floats to floats ----

ElementValue soft_normal(Element *e, ElementValue magnitude, const rsh_float *f,
                         ElementValue *gap) {
  int m = f->mantissa_bits;
  ElementValue zeros = zeros_above(e, with(e, magnitude, 1)); // the result for 0 is not used
  *gap = plus(e, zeros, 0 - (uint64_t)(width_of(e, magnitude) - 1 - m));
  *gap = element_select(e, is_below(e, magnitude, UINT64_C(1) << m), *gap, number(e, *gap, 0));
  return left_by(e, magnitude, *gap);
}

ElementValue soft_rebased(Element *e, ElementValue magnitude, int mantissa, int bias,
                          const rsh_float *f) {
  ElementValue x = plus(e, magnitude, 0 - ((uint64_t)(bias - f->bias) << mantissa));
  if (bias == f->bias)
    return x;
  uint64_t least = (uint64_t)(1 + bias - f->bias), most = (uint64_t)mantissa + 2;
  ElementValue exponent = resized(e, right(e, magnitude, mantissa), 32);
  ElementValue by = minus(e, number(e, exponent, least), exponent);
  by = element_select(e, is_below(e, by, most), by, number(e, by, most));
  ElementValue all = with(e, masked(e, magnitude, low(mantissa)), UINT64_C(1) << mantissa);
  ElementValue small = right_by(e, all, by), back = left_by(e, small, by);
  ElementValue is_lost = element_compare(e, ELEMENT_UNEQUAL, back, all, "lost");
  small = element_binary(e, ELEMENT_OR, small,
                         element_cast(e, ELEMENT_ZEXT, is_lost, element_type(e, small), "mark"),
                         "small");
  return element_select(e, is_below(e, magnitude, least << mantissa), small, x);
}

// ---- comparisons ----

// Maps numbers to integers of the same order. *is_number is false for NaN.
static ElementValue magnitude_order(Element *e, rsh_dtype type, ElementValue x,
                                    ElementValue *is_number) {
  int width = rsh_dtype_bits(type), m = rsh_dtype_float(type).mantissa_bits;
  ElementValue bits = cast_bits(e, x, int_type(width)), magnitude = masked(e, bits, low(width - 1));
  *is_number = is_below(e, magnitude, (low(width - 1 - m) << m) + 1);
  return with_sign(e, magnitude, right(e, bits, width - 1));
}

ElementValue soft_compare(Element *e, rsh_dtype type, ElementOp comparison, ElementValue a,
                          ElementValue b) {
  ElementValue a_is_number, b_is_number;
  ElementValue one = magnitude_order(e, type, a, &a_is_number),
               other = magnitude_order(e, type, b, &b_is_number);
  ElementValue test = element_compare(e, comparison, one, other, "compared");
  if (!element_is_constant(e, a_is_number)) // a constant is a number
    test = element_binary(e, ELEMENT_AND, test, a_is_number, "ordered");
  if (!element_is_constant(e, b_is_number))
    test = element_binary(e, ELEMENT_AND, test, b_is_number, "ordered");
  return test;
}
