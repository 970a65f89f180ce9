// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantize and dequantize as ONNX's QuantizeLinear and DequantizeLinear have them, in f32.
#include "codegen/code/element_bits.h"
#include "codegen/code/element_internal.h"

static ElementValue single(Element *e, double n) { return element_number(e, 32, n); }

static int64_t least_of(rsh_dtype type) {
  return rsh_dtype_is_signed(type) ? -(INT64_C(1) << (rsh_dtype_bits(type) - 1)) : 0;
}

// NaN becomes the least.
static ElementValue bounded(Element *e, ElementValue x, double least, double most) {
  x = choose(e, float_above(e, x, single(e, least)), x, single(e, least));
  return choose(e, float_above(e, x, single(e, most)), single(e, most), x);
}

// A number within 2^17 of 0 on top of 1.5 * 2^23 has no room for what is behind its point, which is rounded, halves to
// even; the integer stands in the low bits.
static ElementValue rounded(Element *e, ElementValue x, int64_t more) {
  const uint32_t base = 0x4b400000; // the bits of 0x1.8p23
  ElementValue sum = element_binary(e, ELEMENT_F_ADD, x, single(e, 0x1.8p23), "sum");
  return plus(e, cast_bits(e, sum, int_type(32)), (uint64_t)(more - base));
}

// x / scale is rounded to the type of x, bounded by the ends of the result less the zero point, and rounded.
ElementValue quantize_build(Element *e, const rsh_step *step, ElementValue bits) {
  rsh_dtype from = step->from, to = step->to;
  ElementValue scale = single(e, float_of_bits(from, step->constant[0]));
  ElementValue x = cast_apart(e, from, bits).value;
  x = element_binary(e, ELEMENT_F_DIV, x, scale, "quotient");
  if (from != RSH_F32)
    x = cast_apart(e, from, cast_together(e, from, (Number){FLOAT, x}, step->rule)).value;
  if (!rsh_dtype_is_integer(to))
    return cast_together(e, to, (Number){FLOAT, x}, step->rule);
  int64_t zero = integer_of_bits(to, step->constant[1]), least = least_of(to);
  int64_t most = least + (INT64_C(1) << rsh_dtype_bits(to)) - 1;
  x = bounded(e, x, (double)(least - zero), (double)(most - zero));
  return element_cast(e, ELEMENT_TRUNC, rounded(e, x, zero), int_type(rsh_dtype_bits(to)),
                      "element");
}

// Integers of up to 16 bits, and their difference, are numbers of f32.
ElementValue dequantize_build(Element *e, const rsh_step *step, ElementValue bits) {
  rsh_dtype from = step->from, to = step->to;
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  ElementValue x =
      cast_apart(e, RSH_F32, cast_together(e, RSH_F32, cast_apart(e, from, bits), plain)).value;
  int64_t zero = rsh_dtype_is_integer(from) ? integer_of_bits(from, step->constant[1]) : 0;
  if (zero != 0)
    x = element_binary(e, ELEMENT_F_SUB, x, single(e, (double)zero), "difference");
  ElementValue scale = single(e, float_of_bits(to, step->constant[0]));
  x = element_binary(e, ELEMENT_F_MUL, x, scale, "product");
  return cast_together(e, to, (Number){FLOAT, x}, plain);
}

// ---- requantize: MultiplyByQuantizedMultiplier of TensorFlow Lite ----

// x * multiplier / 2^31, the nearest integer, halves up: the division is towards 0, and -1 at half is 1 - 2^31 over 2^31.
static ElementValue high_half(Element *e, ElementValue x, uint64_t multiplier) {
  const uint64_t half = UINT64_C(1) << 30;
  ElementValue wide = element_cast(e, ELEMENT_SEXT, x, int_type(64), "wide");
  wide = element_binary(e, ELEMENT_MUL, wide, number(e, wide, multiplier), "product");
  ElementValue negative = element_compare(e, ELEMENT_LESS, wide, number(e, wide, 0), "negative");
  ElementValue nudge = choose(e, negative, number(e, wide, 1 - half), number(e, wide, half));
  wide = element_binary(e, ELEMENT_ADD, wide, nudge, "sum");
  wide = element_binary(e, ELEMENT_SIGNED_DIV, wide, number(e, wide, half << 1), "high");
  return element_cast(e, ELEMENT_TRUNC, wide, int_type(32), "high");
}

// x / 2^shift, the nearest integer, halves away from 0.
static ElementValue divided(Element *e, ElementValue x, int shift) {
  uint64_t mask = low(shift);
  ElementValue negative = element_compare(e, ELEMENT_LESS, x, number(e, x, 0), "negative");
  ElementValue most = choose(e, negative, number(e, x, (mask >> 1) + 1), number(e, x, mask >> 1));
  ElementValue up = element_compare(e, ELEMENT_ABOVE, masked(e, x, mask), most, "up");
  x = element_binary(e, ELEMENT_SIGNED_SHR, x, number(e, x, (uint64_t)shift), "quotient");
  return element_binary(e, ELEMENT_ADD, x, extended(e, up, 32, "one"), "sum");
}

ElementValue requantize_build(Element *e, const rsh_step *step, ElementValue bits) {
  rsh_dtype to = step->to;
  int64_t zero = integer_of_bits(to, step->constant[2]), least = least_of(to) - zero;
  int64_t most = least + (INT64_C(1) << rsh_dtype_bits(to)) - 1;
  int shift = (int)(int64_t)step->constant[1];
  ElementValue x = shift > 0 ? left(e, bits, shift) : bits;
  x = high_half(e, x, step->constant[0]);
  x = shift < 0 ? divided(e, x, -shift) : x;
  ElementValue low_end = number(e, x, (uint64_t)least), high_end = number(e, x, (uint64_t)most);
  x = choose(e, element_compare(e, ELEMENT_LESS, x, low_end, "below"), low_end, x);
  x = choose(e, element_compare(e, ELEMENT_MORE, x, high_end, "above"), high_end, x);
  return element_cast(e, ELEMENT_TRUNC, plus(e, x, (uint64_t)zero), int_type(rsh_dtype_bits(to)),
                      "element");
}
