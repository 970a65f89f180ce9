// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantize and dequantize as ONNX's QuantizeLinear and DequantizeLinear have them, in f32.
#include "codegen/code/element_bits.h"
#include "codegen/code/element_internal.h"

static ElementValue single(Element *e, double n) { return element_number(e, 32, n); }

static ElementValue bounded(Element *e, ElementValue x, double least, double most) {
  x = choose(e, float_above(e, single(e, least), x), single(e, least), x);
  return choose(e, float_above(e, x, single(e, most)), single(e, most), x);
}

// Of integers within 2^17 of 0, or NaN, which becomes 0.
static ElementValue integer_of(Element *e, ElementValue x) {
  const ElementType integer = int_type(32);
  return e->machine->has_single ? element_cast(e, ELEMENT_SIGNED_CLAMPED, x, integer, "integer")
                                : soft_integer(e, RSH_F32, cast_bits(e, x, integer), RSH_I32);
}

// x / scale is rounded to the type of x, then to an integer, and so far it is bounded that the zero point fits on top.
ElementValue quantize_build(Element *e, const rsh_step *step, ElementValue bits) {
  rsh_dtype from = step->from, to = step->to;
  ElementValue scale = single(e, float_of_bits(from, step->constant[0]));
  ElementValue x = cast_apart(e, from, bits).value;
  x = element_binary(e, ELEMENT_F_DIV, x, scale, "quotient");
  if (from != RSH_F32)
    x = cast_apart(e, from, cast_together(e, from, (Number){FLOAT, x}, step->rule)).value;
  if (!rsh_dtype_is_integer(to))
    return cast_together(e, to, (Number){FLOAT, x}, step->rule);
  int width = rsh_dtype_bits(to), has_sign = rsh_dtype_is_signed(to);
  int64_t zero = integer_of_bits(to, step->constant[1]);
  int64_t least = has_sign ? -(INT64_C(1) << (width - 1)) : 0;
  int64_t most = least + (INT64_C(1) << width) - 1;
  x = bounded(e, float_rounded(e, x), (double)(least - zero), (double)(most - zero));
  ElementValue sum = plus(e, integer_of(e, x), (uint64_t)zero);
  return element_cast(e, ELEMENT_TRUNC, sum, int_type(width), "element");
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
