// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantize and dequantize in f32, as defined by ONNX's QuantizeLinear and DequantizeLinear; requantize in integers.
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

static ElementValue single(Element *e, double n) { return element_number(e, 32, n); }

static int64_t least_of(rsh_dtype type) {
  return rsh_dtype_is_signed(type) ? -(INT64_C(1) << (rsh_dtype_bits(type) - 1)) : 0;
}

// Clamps x; NaN becomes `least`.
static ElementValue bounded(Element *e, ElementValue x, ElementValue least, ElementValue most) {
  x = element_select(e, float_above(e, RSH_F32, x, least), x, least);
  return element_select(e, float_above(e, RSH_F32, x, most), most, x);
}

// In f32: an integer minus the zero point, and the zero point plus an integer.
static uint64_t less_zero(const Constant *zero, uint64_t bits, int64_t n) {
  return bits_of_single((double)(n - integer_of_bits(zero->type, bits)));
}
static uint64_t single_of(const Constant *zero, uint64_t bits, int64_t more) {
  return bits_of_single((double)(integer_of_bits(zero->type, bits) + more));
}
// In 32-bit integers: the zero point plus an integer, and an integer minus the zero point.
static uint64_t zero_and(const Constant *zero, uint64_t bits, int64_t more) {
  return (uint64_t)(integer_of_bits(zero->type, bits) + more);
}
static uint64_t minus_zero(const Constant *zero, uint64_t bits, int64_t n) {
  return (uint64_t)(n - integer_of_bits(zero->type, bits));
}

// Rounds to an integer, halves to even, and adds the zero point. Adding 1.5 * 2^23 to a number within 2^17 of 0 leaves
// no bits for the fraction, so the sum is rounded; the integer is in its low bits.
static ElementValue rounded(Element *e, ElementValue x, const Constant *zero) {
  const int64_t base = 0x4b400000; // the bits of 0x1.8p23
  ElementValue sum = element_binary(e, ELEMENT_F_ADD, x, single(e, 0x1.8p23), "sum");
  ElementValue bits = cast_bits(e, sum, int_type(32));
  ElementValue more = constant_value(e, zero, int_type(32), zero_and, -base);
  return element_binary(e, ELEMENT_ADD, bits, more, "sum");
}

// x / scale is rounded to the type of x, clamped to the range of the result minus the zero point, and rounded.
ElementValue quantize_build(Element *e, const rsh_step *step, ElementValue bits) {
  rsh_dtype from = step->from, to = step->to;
  Constant scales = constant_of_step(e, step, 0, from), zero = constant_of_step(e, step, 1, to);
  ElementValue scale = constant_value(e, &scales, float_type(32), constant_as_float, 0);
  ElementValue x = cast_apart(e, from, bits).value;
  x = element_binary(e, ELEMENT_F_DIV, x, scale, "quotient");
  if (from != RSH_F32)
    x = cast_apart(e, from, cast_together(e, from, (Number){FLOAT, x}, step->rule)).value;
  if (to == RSH_F4E2M1) // 0 or -0 (map.c)
    x = element_binary(e, ELEMENT_F_ADD, x,
                       constant_value(e, &zero, float_type(32), constant_as_float, 0), "sum");
  if (!rsh_dtype_is_integer(to))
    return cast_together(e, to, (Number){FLOAT, x}, step->rule);
  int64_t least = least_of(to), most = least + (INT64_C(1) << rsh_dtype_bits(to)) - 1;
  ElementValue low = constant_value(e, &zero, float_type(32), less_zero, least);
  x = bounded(e, x, low, constant_value(e, &zero, float_type(32), less_zero, most));
  return element_cast(e, ELEMENT_TRUNC, rounded(e, x, &zero), int_type(rsh_dtype_bits(to)),
                      "element");
}

// Integers of up to 16 bits, and their differences, are exact in f32.
ElementValue dequantize_build(Element *e, const rsh_step *step, ElementValue bits) {
  rsh_dtype from = step->from, to = step->to;
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  ElementValue x =
      cast_apart(e, RSH_F32, cast_together(e, RSH_F32, cast_apart(e, from, bits), plain)).value;
  Constant scales = constant_of_step(e, step, 0, to), zero = constant_of_step(e, step, 1, from);
  if (rsh_dtype_is_integer(from) && constant_has(&zero, constant_as_integer, 0))
    x = element_binary(e, ELEMENT_F_SUB, x, constant_value(e, &zero, float_type(32), single_of, 0),
                       "difference");
  ElementValue scale = constant_value(e, &scales, float_type(32), constant_as_float, 0);
  x = element_binary(e, ELEMENT_F_MUL, x, scale, "product");
  return cast_together(e, to, (Number){FLOAT, x}, plain);
}

// ---- requantize: MultiplyByQuantizedMultiplier of TensorFlow Lite ----

// x * multiplier / 2^31, rounded to the nearest integer, halves up: TensorFlow Lite divides, and adjusts negative
// products by 1 - 2^30, which is the same. A shift, because a division of 64 bits is a library call on 32-bit machines.
static ElementValue high_of_product(Element *e, ElementValue x, const Constant *multiplier) {
  ElementValue wide = element_cast(e, ELEMENT_SEXT, x, int_type(64), "wide");
  ElementValue by = constant_value(e, multiplier, int_type(64), constant_as_integer, 0);
  wide = element_binary(e, ELEMENT_MUL, wide, by, "product");
  wide = element_binary(e, ELEMENT_ADD, wide, number(e, wide, UINT64_C(1) << 30), "sum");
  wide = element_binary(e, ELEMENT_SIGNED_SHR, wide, number(e, wide, 31), "high");
  return element_cast(e, ELEMENT_TRUNC, wide, int_type(32), "high");
}

static ElementValue times(Element *e, ElementValue a, ElementValue b) {
  return element_binary(e, ELEMENT_MUL, a, b, "product");
}

// The same where a product has only 32 bits, from halves: x is a * 2^16 + b and the multiplier c * 2^16 + d, with signs
// in a and c. No sum overflows, because the multiplier is not negative.
//
//   upper = a*d + b*d / 2^16    x * multiplier = (a*c + upper / 2^16) * 2^32 + lower * 2^16 + the lower half of b*d
//   lower = b*c + upper % 2^16  so it is 2 * (a*c + upper / 2^16) + (lower + 2^14) / 2^15
static ElementValue high_of_halves(Element *e, ElementValue x, const Constant *multiplier) {
  ElementValue by = constant_value(e, multiplier, int_type(32), constant_as_integer, 0);
  ElementValue a = element_binary(e, ELEMENT_SIGNED_SHR, x, number(e, x, 16), "upper"),
               b = element_binary(e, ELEMENT_AND, x, number(e, x, UINT16_MAX), "lower"),
               c = element_binary(e, ELEMENT_SHR, by, number(e, x, 16), "upper"),
               d = element_binary(e, ELEMENT_AND, by, number(e, x, UINT16_MAX), "lower");
  ElementValue least = element_binary(e, ELEMENT_SHR, times(e, b, d), number(e, x, 16), "carry");
  ElementValue upper = element_binary(e, ELEMENT_ADD, times(e, a, d), least, "sum");
  ElementValue rest = element_binary(e, ELEMENT_AND, upper, number(e, x, UINT16_MAX), "rest");
  ElementValue lower = element_binary(e, ELEMENT_ADD, times(e, b, c), rest, "sum");
  upper = element_binary(e, ELEMENT_SIGNED_SHR, upper, number(e, x, 16), "carry");
  upper = element_binary(e, ELEMENT_ADD, times(e, a, c), upper, "sum");
  lower = element_binary(e, ELEMENT_ADD, lower, number(e, x, 1 << 14), "sum");
  lower = element_binary(e, ELEMENT_SHR, lower, number(e, x, 15), "low");
  upper = element_binary(e, ELEMENT_SHL, upper, number(e, x, 1), "high");
  return element_binary(e, ELEMENT_ADD, upper, lower, "high");
}

// The left shift, if `shift` is positive, and the right shift, if it is negative.
static uint64_t up_of(const Constant *c, uint64_t bits, int64_t more) {
  int64_t shift = integer_of_bits(c->type, bits) + more;
  return shift > 0 ? (uint64_t)shift : 0;
}
static uint64_t down_of(const Constant *c, uint64_t bits, int64_t more) {
  int64_t shift = integer_of_bits(c->type, bits) + more;
  return shift < 0 ? (uint64_t)-shift : 0;
}
// A mask of the bits that are shifted out, and their largest value that does not round up: just below half, or half if
// x is negative.
static uint64_t lost_by(const Constant *c, uint64_t bits, int64_t more) {
  return (UINT64_C(1) << down_of(c, bits, more)) - 1;
}
static uint64_t half_of(const Constant *c, uint64_t bits, int64_t one) {
  return (lost_by(c, bits, 0) >> 1) + (uint64_t)one;
}

// x / 2^shift, rounded to the nearest integer, halves away from 0.
static ElementValue divided(Element *e, ElementValue x, const Constant *shift) {
  const ElementType type = int_type(32);
  ElementValue lost = constant_value(e, shift, type, lost_by, 0);
  ElementValue negative = element_compare(e, ELEMENT_LESS, x, number(e, x, 0), "negative");
  ElementValue below = constant_value(e, shift, type, half_of, 1);
  ElementValue most =
      element_select(e, negative, below, constant_value(e, shift, type, half_of, 0));
  ElementValue rest = element_binary(e, ELEMENT_AND, x, lost, "rest");
  ElementValue up = element_compare(e, ELEMENT_ABOVE, rest, most, "up");
  x = element_binary(e, ELEMENT_SIGNED_SHR, x, constant_value(e, shift, type, down_of, 0),
                     "quotient");
  return element_binary(e, ELEMENT_ADD, x, extended(e, up, 32, "one"), "sum");
}

ElementValue requantize_build(Element *e, const rsh_step *step, ElementValue bits) {
  const ElementType type = int_type(32);
  rsh_dtype to = step->to;
  Constant multiplier = constant_of_step(e, step, 0, RSH_I32);
  Constant shift = constant_of_step(e, step, 1, RSH_I32), zero = constant_of_step(e, step, 2, to);
  int64_t least = least_of(to), most = least + (INT64_C(1) << rsh_dtype_bits(to)) - 1;
  ElementValue x = bits;
  if (constant_has(&shift, up_of, 0))
    x = element_binary(e, ELEMENT_SHL, x, constant_value(e, &shift, type, up_of, 0), "left");
  x = e->machine->has_product ? high_of_product(e, x, &multiplier)
                              : high_of_halves(e, x, &multiplier);
  x = constant_has(&shift, down_of, 0) ? divided(e, x, &shift) : x;
  ElementValue low_end = constant_value(e, &zero, type, minus_zero, least);
  ElementValue high_end = constant_value(e, &zero, type, minus_zero, most);
  x = element_select(e, element_compare(e, ELEMENT_LESS, x, low_end, "below"), low_end, x);
  x = element_select(e, element_compare(e, ELEMENT_MORE, x, high_end, "above"), high_end, x);
  x = element_binary(e, ELEMENT_ADD, x, constant_value(e, &zero, type, zero_and, 0), "sum");
  return element_cast(e, ELEMENT_TRUNC, x, int_type(rsh_dtype_bits(to)), "element");
}
