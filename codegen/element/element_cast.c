// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts, as instructions. Elements are passed as integers of their width.
//
// A cast converts the element without loss to a type that machines support (integer, float or double), and that to the
// new element. Narrow floats are packed and unpacked with integer arithmetic, so no machine needs a library for them;
// runtime/convert.c defines the results.
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

// ---- from elements to numbers ----

// The parameters of f32 and f64.
enum { F32_MANTISSA = 23, F32_BIAS = 127, F64_MANTISSA = 52, F64_BIAS = 1023 };
#define F32_INFINITY UINT64_C(0x7f800000)
#define F32_QUIET UINT64_C(0x400000)

// Whether the floating-point unit lacks this wide type, f32 or f64.
static bool is_soft(const Element *e, int bits) {
  return bits == 64 ? !e->machine->has_double : !e->machine->has_single;
}

// Converts a subnormal narrow number, shifted to the mantissa of f32, to the bits of an f32 by an exact subtraction:
// (2^n + x) - 2^n.
static ElementValue small_of_narrow(Element *e, ElementValue wide, const rsh_float *f) {
  uint64_t one = (uint64_t)(F32_BIAS - f->bias + 1) << F32_MANTISSA;
  ElementValue base = cast_bits(e, number(e, wide, one), float_type(32));
  ElementValue small = element_binary(
      e, ELEMENT_F_SUB, cast_bits(e, plus(e, wide, one), float_type(32)), base, "small");
  return cast_bits(e, small, element_type(e, wide));
}

// Finite numbers: f16 01111 1000000000 -> f32 01111111 10000000000000000000000. `wide` is the magnitude shifted to the
// mantissa of the wide type `t`.
static ElementValue rebiased(Element *e, ElementValue magnitude, ElementValue wide,
                             const rsh_float *f, const rsh_float *t) {
  int m = t->mantissa_bits;
  if (f->bias == t->bias)
    return wide;
  if (!is_soft(e, width_of(e, wide))) {
    ElementValue small = small_of_narrow(e, wide, f);
    ElementValue r = plus(e, wide, (uint64_t)(t->bias - f->bias) << m);
    return element_select(e, is_below(e, magnitude, UINT64_C(1) << f->mantissa_bits), small, r);
  }
  ElementValue gap, normal = soft_normal(e, magnitude, f, &gap);
  ElementValue r = left(e, resized(e, normal, width_of(e, wide)), m - f->mantissa_bits);
  r = plus(e, r, (uint64_t)(t->bias - f->bias) << m);
  gap = resized(e, gap, width_of(e, wide));
  r = element_binary(e, ELEMENT_SUB, r, left(e, gap, m), "rebiased");
  return element_select(e, is_equal(e, magnitude, 0), number(e, r, 0), r);
}

// The bits of a narrow float as bits of a wider type: f32, or f64 if the unit has no double. `makes_quiet`: NaN of IEEE
// types becomes quiet.
static ElementValue wide_of_narrow(Element *e, rsh_dtype type, ElementValue bits, rsh_dtype to,
                                   bool makes_quiet) {
  rsh_float f = rsh_dtype_float(type), t = rsh_dtype_float(to);
  int m = f.mantissa_bits, size = m + f.exponent_bits, width = rsh_dtype_bits(to);
  uint64_t top = low(t.exponent_bits) << t.mantissa_bits;
  uint64_t quiet = top | UINT64_C(1) << (t.mantissa_bits - 1), infinity = low(f.exponent_bits) << m;
  ElementValue x = element_cast(e, ELEMENT_ZEXT, bits, int_type(32), "element");
  ElementValue magnitude = masked(e, x, low(size));
  ElementValue sign = left(e, resized(e, right(e, x, size), width), width - 1);
  ElementValue wide = left(e, resized(e, magnitude, width), t.mantissa_bits - m);
  ElementValue r = rebiased(e, magnitude, wide, &f, &t);
  if (f.special == RSH_IEEE && !makes_quiet && f.bias != t.bias) {
    uint64_t bias = (uint64_t)(t.bias - f.bias) << t.mantissa_bits; // 31 + 112 + 112 is 255
    ElementValue is_special = is_above(e, magnitude, infinity - 1);
    r = element_binary(e, ELEMENT_ADD, r,
                       element_select(e, is_special, number(e, r, bias), number(e, r, 0)),
                       "number");
  } else if (f.special == RSH_IEEE && makes_quiet) {
    ElementValue nan = type == RSH_F8E5M2 ? number(e, wide, quiet) : with(e, wide, quiet);
    if (f.bias != t.bias)
      r = element_select(e, is_equal(e, magnitude, infinity), number(e, wide, top), r);
    r = element_select(e, is_above(e, magnitude, infinity), nan, r);
  } else if (f.special == RSH_ONE_NAN) {
    r = element_select(e, is_equal(e, magnitude, low(size)), number(e, wide, quiet), r);
  } else if (f.special == RSH_NAN_IS_80) {
    r = element_select(e, is_equal(e, x, UINT64_C(1) << size), number(e, wide, quiet), r);
  }
  return element_binary(e, ELEMENT_OR, r, sign, "number");
}

static ElementValue wide_of_power(Element *e, ElementValue bits) {
  ElementValue x = element_cast(e, ELEMENT_ZEXT, bits, int_type(32), "element");
  ElementValue r = left(e, x, F32_MANTISSA);
  r = element_select(e, is_equal(e, x, 0), number(e, x, F32_QUIET), r); // 2^-127 is subnormal
  return element_select(e, is_equal(e, x, 255), number(e, x, F32_INFINITY | F32_QUIET), r);
}

Number cast_apart(Element *e, rsh_dtype type, ElementValue bits) {
  if (type == RSH_BOOL) {
    ElementValue is_true = element_compare(e, ELEMENT_UNEQUAL, bits, number(e, bits, 0), "true");
    return (Number){UNSIGNED, extended(e, is_true, 8, "bool")};
  }
  if (rsh_dtype_is_integer(type))
    return (Number){rsh_dtype_is_signed(type) ? SIGNED : UNSIGNED, bits};
  if (type == RSH_F64)
    return (Number){FLOAT, cast_bits(e, bits, float_type(64))};
  if (type == RSH_F32)
    return (Number){FLOAT, cast_bits(e, bits, float_type(32))};
  if (type == RSH_F8E8M0)
    return (Number){FLOAT, cast_bits(e, wide_of_power(e, bits), float_type(32))};
  if (type == RSH_BF16 && e->machine->has_single) {
    ElementValue upper = left(e, element_cast(e, ELEMENT_ZEXT, bits, int_type(32), "element"), 16);
    return (Number){FLOAT, cast_bits(e, upper, float_type(32))};
  }
  if (type == RSH_F16 && e->machine->has_half) {
    ElementValue half = cast_bits(e, bits, float_type(16));
    return (Number){FLOAT, element_cast(e, ELEMENT_F_EXTEND, half, float_type(32), "number")};
  }
  ElementValue wide = wide_of_narrow(e, type, bits, RSH_F32, type != RSH_F16);
  return (Number){FLOAT, cast_bits(e, wide, float_type(32))};
}

// ---- from numbers to elements ----

// Accepts a float or double, or their bits.
static bool is_double(const Element *e, ElementValue value) { return width_of(e, value) == 64; }

// For 64-bit integers that a double cannot hold: the lowest remaining bit becomes a sticky bit for the truncated bits,
// so that rounding the double to a narrow type is the same as rounding the integer.
static ElementValue with_mark(Element *e, ElementValue n) {
  ElementValue cut = masked(e, n, low(11)), kept = masked(e, n, ~low(11));
  ElementValue is_whole = is_equal(e, cut, 0);
  kept = element_select(e, is_whole, kept, with(e, kept, UINT64_C(1) << 11));
  return element_select(e, is_below(e, n, UINT64_C(1) << 53), n, kept);
}

static ElementValue double_of_long(Element *e, Number n) {
  if (n.kind == UNSIGNED)
    return element_cast(e, ELEMENT_FLOAT_OF_UNSIGNED, with_mark(e, n.value), float_type(64),
                        "number");
  ElementValue negative =
      element_compare(e, ELEMENT_LESS, n.value, number(e, n.value, 0), "negative");
  ElementValue magnitude = element_select(e, negative, negated(e, n.value), n.value);
  ElementValue x =
      element_cast(e, ELEMENT_FLOAT_OF_UNSIGNED, with_mark(e, magnitude), float_type(64), "number");
  return element_select(e, negative, element_unary(e, ELEMENT_F_NEGATE, x, "minus"), x);
}

// The number as a float or double that rounds to a narrow type as the number itself does.
static ElementValue float_to_round(Element *e, Number n) {
  if (n.kind == FLOAT)
    return n.value;
  int bits = width_of(e, n.value);
  if (bits == 64)
    return double_of_long(e, n);
  ElementType type = bits == 32 ? float_type(64) : float_type(32);
  return n.kind == SIGNED ? element_cast(e, ELEMENT_FLOAT_OF_SIGNED, n.value, type, "number")
                          : element_cast(e, ELEMENT_FLOAT_OF_UNSIGNED, n.value, type, "number");
}

// The bits of a wide float, as integers.
typedef struct Wide {
  ElementValue magnitude, sign; // sign: 0 or 1
  int mantissa, bias;
  uint64_t infinity;
} Wide;

// All bits, if the unit has double. Otherwise the bits are in two words: for a mantissa of at most MARKED_MANTISSA
// bits, only the upper word, whose lowest bit is a sticky bit for the lower word.
enum { UPPER_MANTISSA = F64_MANTISSA - 32, MARKED_MANTISSA = UPPER_MANTISSA - 2 };

static Wide wide_of(Element *e, ElementValue x, int wanted) {
  int bits = is_double(e, x) ? 64 : 32;
  ElementValue whole = cast_bits(e, x, int_type(bits));
  Wide w = {.mantissa = bits == 64 ? F64_MANTISSA : F32_MANTISSA,
            .bias = bits == 64 ? F64_BIAS : F32_BIAS};
  if (bits == 64 && is_soft(e, bits) && wanted <= MARKED_MANTISSA) {
    ElementValue mark = is_above(e, resized(e, whole, 32), 0);
    whole = resized(e, right(e, whole, 32), 32);
    whole = element_binary(e, ELEMENT_OR, whole,
                           element_cast(e, ELEMENT_ZEXT, mark, element_type(e, whole), "mark"),
                           "marked");
    w.mantissa = UPPER_MANTISSA;
    bits = 32;
  }
  w.magnitude = masked(e, whole, low(bits - 1));
  w.sign = right(e, whole, bits - 1);
  w.infinity = low(bits - 1 - w.mantissa) << w.mantissa;
  return w;
}

// Below the least normal number of the type: adding 2^n rounds, and leaves the remaining bits in the lowest position.
static ElementValue rounded_small(Element *e, const Wide *w, const rsh_float *f) {
  ElementType type = w->mantissa == F64_MANTISSA ? float_type(64) : float_type(32);
  uint64_t n = (uint64_t)(1 - f->bias - f->mantissa_bits + w->mantissa + w->bias) << w->mantissa;
  ElementValue base = cast_bits(e, number(e, w->magnitude, n), type);
  ElementValue sum =
      element_binary(e, ELEMENT_F_ADD, cast_bits(e, w->magnitude, type), base, "small");
  return plus(e, cast_bits(e, sum, element_type(e, w->magnitude)), 0 - n);
}

// Rounds to nearest, ties to even, and drops the lowest `cut` bits.
static ElementValue round_nearest(Element *e, ElementValue x, int cut) {
  ElementValue odd = masked(e, right(e, x, cut), 1);
  return right(e, element_binary(e, ELEMENT_ADD, plus(e, x, low(cut) >> 1), odd, "nearest"), cut);
}

static ElementValue rounded(Element *e, const Wide *w, const rsh_float *f) {
  int cut = w->mantissa - f->mantissa_bits;
  if (is_soft(e, w->bias == F64_BIAS ? 64 : 32))
    return round_nearest(e, soft_rebased(e, w->magnitude, w->mantissa, w->bias, f), cut);
  ElementValue x = round_nearest(e, w->magnitude, cut);
  x = plus(e, x, 0 - ((uint64_t)(w->bias - f->bias) << f->mantissa_bits));
  if (f->bias == w->bias)
    return x;
  uint64_t least = (uint64_t)(1 - f->bias + w->bias) << w->mantissa;
  ElementValue is_small = is_below(e, w->magnitude, least);
  return element_select(e, is_small, rounded_small(e, w, f), x);
}

// A number rounded to the bits of a float type, as an integer of 32 bits or more, before its sign, NaN and overflow are
// handled.
typedef struct Rounded {
  ElementValue magnitude, sign; // sign: 0 or 1
  bool may_pass;                // may exceed the largest number
  ElementValue is_nan, payload; // is_nan is ELEMENT_NONE: it is never NaN
} Rounded;

static ElementValue joined(Element *e, rsh_dtype type, const Rounded *n, bool saturate) {
  rsh_float f = rsh_dtype_float(type);
  int size = f.mantissa_bits + f.exponent_bits;
  uint64_t top = UINT64_C(1) << size, infinity = low(f.exponent_bits) << f.mantissa_bits;
  uint64_t largest = f.special == RSH_IEEE      ? infinity - 1
                     : f.special == RSH_ONE_NAN ? top - 2
                                                : top - 1;
  bool is_ever_nan = n->is_nan != ELEMENT_NONE;
  bool clamps = f.special == RSH_NUMBERS || (!rsh_dtype_is_wide_float(type) && saturate);
  ElementValue x = n->magnitude, sign = left(e, n->sign, size), over = is_above(e, x, largest);
  if (clamps)
    x = element_select(e, over, number(e, x, largest), x);
  else if (f.special != RSH_NAN_IS_80 && n->may_pass)
    x = element_select(e, over, number(e, x, f.special == RSH_IEEE ? infinity : top - 1), x);
  ElementValue nan = number(e, x,
                            f.special == RSH_IEEE        ? infinity | (infinity >> 1 & ~infinity)
                            : f.special == RSH_NAN_IS_80 ? top
                                                         : top - 1);
  if (rsh_dtype_is_wide_float(type) && n->payload != ELEMENT_NONE)
    nan = element_binary(e, ELEMENT_OR, nan, n->payload, "nan");
  if (f.special == RSH_NAN_IS_80) {
    ElementValue is_zero = is_equal(e, x, 0);
    x = element_select(e, is_zero, x, element_binary(e, ELEMENT_OR, x, sign, "signed"));
    if (!clamps)
      x = element_select(e, over, nan, x);
    x = is_ever_nan ? element_select(e, n->is_nan, nan, x) : x;
  } else if (f.special == RSH_NUMBERS && is_ever_nan) { // NaN: zero of the other sign
    ElementValue other = element_binary(e, ELEMENT_XOR, sign, number(e, sign, top), "other");
    x = element_select(e, n->is_nan, other, element_binary(e, ELEMENT_OR, x, sign, "signed"));
  } else {
    x = is_ever_nan ? element_select(e, n->is_nan, nan, x) : x;
    x = element_binary(e, ELEMENT_OR, x, sign, "signed");
  }
  return resized(e, x, rsh_dtype_bits(type));
}

// Whether the upper half of a word, or of an f32, has all its bits: an integer of 8 bits, or an f8e8m0, as bf16.
static bool is_upper_half(const Element *e, ElementValue value, int depth) {
  enum { HALF = 16, BYTE = 8 };
  const ElementNode *node = &e->node.item[value];
  const ElementValue *of = node->operand;
  if (node->type.bits != 2 * HALF || depth == 0)
    return false;
  if (node->op == ELEMENT_INTEGER)
    return (node->n & low(HALF)) == 0;
  if (node->op == ELEMENT_SHL)
    return e->node.item[of[1]].op == ELEMENT_INTEGER && e->node.item[of[1]].n >= HALF;
  if (node->op == ELEMENT_FLOAT_OF_SIGNED || node->op == ELEMENT_FLOAT_OF_UNSIGNED)
    return element_type(e, of[0]).bits <= BYTE;
  if (node->op == ELEMENT_BITS)
    return is_upper_half(e, of[0], depth - 1);
  return node->op == ELEMENT_SELECT && is_upper_half(e, of[1], depth - 1) &&
         is_upper_half(e, of[2], depth - 1);
}

static ElementValue exceeds(Element *e, ElementValue a, ElementValue b) {
  return element_compare(e, ELEMENT_F_MORE, a, b, "above");
}

// The magnitude of a number as bits; of large ones, that of 65520, which as f16 is infinity. NaN stays NaN.
static ElementValue bounded_by_half(Element *e, ElementValue value) {
  ElementValue most = element_number(e, width_of(e, value), 65520);
  ElementValue size = element_unary(e, ELEMENT_MAGNITUDE, value, "size");
  ElementValue bounded = element_select(e, exceeds(e, size, most), most, size);
  return cast_bits(e, bounded, int_type(width_of(e, value)));
}

// Converts a float or double, or their bits, to a narrower type.
static ElementValue narrow_of_float(Element *e, rsh_dtype type, ElementValue value, bool saturate) {
  enum { DEPTH = 10, HALF = 16 };
  if (type == RSH_BF16 && is_upper_half(e, value, DEPTH)) {
    ElementValue bits = cast_bits(e, value, int_type(2 * HALF));
    return resized(e, right(e, bits, HALF), HALF);
  }
  rsh_float f = rsh_dtype_float(type);
  Wide w = wide_of(e, value, f.mantissa_bits);
  bool is_bounded = type == RSH_F16 && element_type(e, value).is_float;
  if (is_bounded)
    w.magnitude = bounded_by_half(e, value);
  ElementValue payload =
      masked(e, right(e, w.magnitude, w.mantissa - f.mantissa_bits), low(f.mantissa_bits));
  ElementValue magnitude = rounded(e, &w, &f);
  // Numbers of the same exponents that are rounded past the largest one become infinity.
  bool may_pass = f.bias != w.bias && !is_bounded;
  Rounded n = {magnitude, w.sign, may_pass, is_above(e, w.magnitude, w.infinity), payload};
  return joined(e, type, &n, saturate);
}

// To f8e8m0, from a float or double, or their bits. In a double every f32 is normal. Without doubles, the mantissa of a
// subnormal number is shifted left by one; 2^-127 is the smallest number that counts.
static ElementValue power_of_float(Element *e, ElementValue value, rsh_cast_rule rule) {
  if (e->machine->has_double && !is_double(e, value))
    value = element_cast(e, ELEMENT_F_EXTEND, value, float_type(64), "number");
  Wide w = wide_of(e, value, 1);
  enum { LEAST = -127, MOST = 127, NAN_BITS = 255 };
  ElementValue x = plus(e, right(e, w.magnitude, w.mantissa), 0 - (uint64_t)(w.bias + LEAST));
  ElementValue fraction = masked(e, w.magnitude, low(w.mantissa));
  uint64_t least = (uint64_t)(w.bias + LEAST) << w.mantissa;
  if (least == 0) {
    ElementValue is_small = is_below(e, w.magnitude, UINT64_C(1) << w.mantissa);
    ElementValue twice = masked(e, left(e, fraction, 1), low(w.mantissa));
    fraction = element_select(e, is_small, twice, fraction);
    least = UINT64_C(1) << (w.mantissa - 1);
  }
  if (rule.round != RSH_ROUND_DOWN) {
    uint64_t half = UINT64_C(1) << (w.mantissa - 1);
    ElementValue up = is_above(e, fraction, rule.round == RSH_ROUND_UP ? 0 : half - 1);
    x = element_binary(e, ELEMENT_ADD, x,
                       element_cast(e, ELEMENT_ZEXT, up, element_type(e, x), "up"), "rounded");
  }
  ElementValue small = is_below(e, w.magnitude, least);
  ElementValue large = is_above(e, w.magnitude, (uint64_t)(w.bias + MOST) << w.mantissa);
  x = element_select(e, small, number(e, x, rule.saturate ? 0 : NAN_BITS), x);
  x = element_select(e, large, number(e, x, rule.saturate ? MOST - LEAST : NAN_BITS), x);
  x = element_select(e, is_above(e, w.magnitude, w.infinity), number(e, x, NAN_BITS), x);
  return element_cast(e, ELEMENT_TRUNC, x, int_type(8), "element");
}

// A float of 0 to 2^32 - 1 as an integer, by the conversion to signed words.
static ElementValue word_of_positive(Element *e, ElementValue x) {
  const int bits = width_of(e, x);
  ElementValue half = element_number(e, bits, 0x1p31);
  ElementValue is_high = element_compare(e, ELEMENT_F_AT_MOST, half, x, "high");
  ElementValue below = element_binary(e, ELEMENT_F_SUB, x, half, "below");
  ElementValue n = element_cast(e, ELEMENT_SIGNED_OF_FLOAT, element_select(e, is_high, below, x),
                                int_type(32), "word");
  return element_select(e, is_high, plus(e, n, UINT64_C(1) << 31), n);
}

// False for NaN. LLVM would compare a float that it extended from f16 as f16, for which few machines have vectors.
static ElementValue is_number(Element *e, ElementValue value) {
  if (is_double(e, value))
    return element_compare(e, ELEMENT_F_AT_MOST, value, value, "is_number");
  Wide w = wide_of(e, value, F32_MANTISSA);
  ElementValue infinity = number(e, w.magnitude, w.infinity);
  return element_compare(e, ELEMENT_AT_MOST, w.magnitude, infinity, "is_number");
}

// A float clamped to the range of integers of up to 32 bits, as a word, by comparisons; they are false for NaN.
//
//   f32 to i8      x > -128 ? x : -128;  x > 127 ? 127 : x;  0 for NaN
//   f32 to i32     2^31 - 1 is no f32: where x >= 2^31, the integer is replaced
static ElementValue bounded_word(Element *e, ElementValue value, int bits, bool is_signed) {
  const int width = width_of(e, value), mantissa = width == 64 ? F64_MANTISSA : F32_MANTISSA;
  const double bound = (double)(UINT64_C(1) << (bits - is_signed));
  const bool is_exact = bits - is_signed <= mantissa;
  ElementValue least = element_number(e, width, is_signed ? -bound : 0), is_over = ELEMENT_NONE;
  ElementValue x = element_select(e, exceeds(e, value, least), value, least);
  if (is_exact) {
    ElementValue most = element_number(e, width, bound - 1);
    x = element_select(e, exceeds(e, x, most), most, x);
  } else {
    is_over = element_compare(e, ELEMENT_F_AT_MOST, element_number(e, width, bound), x, "over");
    x = element_select(e, is_over, least, x);
  }
  ElementValue n = bits == 32 && !is_signed
                       ? word_of_positive(e, x)
                       : element_cast(e, ELEMENT_SIGNED_OF_FLOAT, x, int_type(32), "word");
  if (!is_exact)
    n = element_select(e, is_over, number(e, n, low(bits - is_signed)), n);
  if (!is_signed)
    return n;
  return element_select(e, is_number(e, value), n, number(e, n, 0));
}

// Rounds toward zero and clamps to the range; NaN becomes 0.
static ElementValue integer_of_float(Element *e, ElementValue value, int bits, bool is_signed) {
  ElementOp op = is_signed ? ELEMENT_SIGNED_CLAMPED : ELEMENT_UNSIGNED_CLAMPED;
  if (e->machine->clamps || bits > 32)
    return element_cast(e, op, value, int_type(bits), "integer");
  ElementValue n = bounded_word(e, value, bits, is_signed);
  return bits == 32 ? n : element_cast(e, ELEMENT_TRUNC, n, int_type(bits), "integer");
}

static ElementValue integer_of(Element *e, rsh_dtype type, Number n) {
  int bits = rsh_dtype_bits(type);
  ElementType to = int_type(bits);
  if (n.kind == FLOAT && bits < 8)
    return element_cast(e, ELEMENT_TRUNC, integer_of_float(e, n.value, 32, true), to, "element");
  if (n.kind == FLOAT)
    return integer_of_float(e, n.value, bits, rsh_dtype_is_signed(type));
  if (width_of(e, n.value) >= bits)
    return width_of(e, n.value) == bits ? n.value
                                        : element_cast(e, ELEMENT_TRUNC, n.value, to, "element");
  return n.kind == SIGNED ? element_cast(e, ELEMENT_SEXT, n.value, to, "element")
                          : element_cast(e, ELEMENT_ZEXT, n.value, to, "element");
}

// Between float and double.
static ElementValue float_resized(Element *e, ElementType type, ElementValue value) {
  ElementValue x =
      element_cast(e, type.bits > width_of(e, value) ? ELEMENT_F_EXTEND : ELEMENT_F_ROUND, value,
                   type, "number");
  if (e->machine->keeps_nan || width_of(e, value) == type.bits)
    return x;
  rsh_float t = rsh_dtype_float(is_double(e, x) ? RSH_F64 : RSH_F32);
  int m = t.mantissa_bits, width = is_double(e, x) ? 64 : 32;
  uint64_t quiet = low(t.exponent_bits + 1) << (m - 1);
  Wide w = wide_of(e, value, F64_MANTISSA);
  ElementValue payload =
      m > w.mantissa ? left(e, resized(e, w.magnitude, width), m - w.mantissa)
                     : resized(e, masked(e, right(e, w.magnitude, w.mantissa - m), low(m)), width);
  ElementValue sign = left(e, resized(e, w.sign, width), width - 1);
  ElementValue nan = element_binary(e, ELEMENT_OR, with(e, payload, quiet), sign, "nan");
  ElementValue is_nan = is_above(e, w.magnitude, w.infinity);
  return cast_bits(e, element_select(e, is_nan, nan, cast_bits(e, x, int_type(width))), type);
}

// For f32 and f64.
static ElementValue native_of(Element *e, ElementType type, Number n) {
  if (n.kind == SIGNED)
    return element_cast(e, ELEMENT_FLOAT_OF_SIGNED, n.value, type, "number");
  if (n.kind == UNSIGNED)
    return element_cast(e, ELEMENT_FLOAT_OF_UNSIGNED, n.value, type, "number");
  return float_resized(e, type, n.value);
}

// Only zero has no bit set other than the sign.
static ElementValue truth_of(Element *e, rsh_dtype from, ElementValue bits) {
  rsh_float f = rsh_dtype_float(from);
  if (from == RSH_F8E8M0)
    return number(e, bits, 1);
  if (f.special != RSH_NO_FLOAT && f.special != RSH_NAN_IS_80)
    bits = masked(e, bits, low(f.mantissa_bits + f.exponent_bits));
  ElementValue is_true = element_compare(e, ELEMENT_UNEQUAL, bits, number(e, bits, 0), "true");
  return extended(e, is_true, 8, "bool");
}

ElementValue cast_together(Element *e, rsh_dtype type, Number n, rsh_cast_rule rule) {
  if (rsh_dtype_is_integer(type))
    return integer_of(e, type, n);
  if (type == RSH_F32 || type == RSH_F64) {
    ElementType native = type == RSH_F32 ? float_type(32) : float_type(64);
    return cast_bits(e, native_of(e, native, n), int_type(rsh_dtype_bits(type)));
  }
  ElementValue value = float_to_round(e, n);
  if (type == RSH_F8E8M0)
    return power_of_float(e, value, rule);
  if (type == RSH_F16 && e->machine->has_half && !is_double(e, value)) {
    ElementType half = float_type(16);
    return cast_bits(e, element_cast(e, ELEMENT_F_ROUND, value, half, "half"), int_type(16));
  }
  return narrow_of_float(e, type, value, rule.saturate);
}

// ---- without a unit ----

static ElementValue soft_cast(Element *e, const rsh_step *step, ElementValue bits) {
  rsh_dtype from = step->from, to = step->to;
  if (from == RSH_F8E8M0) {
    bits = wide_of_power(e, bits);
    from = RSH_F32;
  }
  if (from == to)
    return bits;
  if (rsh_dtype_is_integer(to))
    return soft_integer(e, from, bits, to);
  if (!rsh_dtype_is_float(from)) {
    bits = from == RSH_BOOL ? cast_apart(e, from, bits).value : bits;
    if (to == RSH_F8E8M0)
      return soft_power_of_integer(e, from, bits, step->rule);
    SoftNumber n = soft_of_integer(e, from, bits, to);
    return joined(e, to, &(Rounded){n.magnitude, n.sign, n.may_pass, ELEMENT_NONE, ELEMENT_NONE},
                  step->rule.saturate);
  }
  if (to == RSH_F64 || (to == RSH_F32 && from != RSH_F64))
    return wide_of_narrow(e, from, bits, to, true);
  if (from != RSH_F32 && from != RSH_F64)
    bits = wide_of_narrow(e, from, bits, RSH_F32, true);
  return to == RSH_F8E8M0 ? power_of_float(e, bits, step->rule)
                          : narrow_of_float(e, to, bits, step->rule.saturate);
}

// "f32-to-i8", with the cast rule if the type has one. It is not an identifier of C.
static const char *cast_name(Arena *arena, const rsh_step *step) {
  const char *from = rsh_dtype_name(step->from), *to = rsh_dtype_name(step->to);
  bool has_rule = rsh_dtype_is_float(step->to) && rsh_dtype_bits(step->to) == 8;
  return has_rule ? arena_printf(arena, "%s-to-%s-%d%d", from, to, step->rule.saturate,
                                 (int)step->rule.round)
                  : arena_printf(arena, "%s-to-%s", from, to);
}

// A function of the module, shared by all casts of this kind; C always has a function per step.
static ElementValue soft_build(Element *e, const rsh_step *step, ElementValue bits) {
  if (!e->machine->shares)
    return soft_cast(e, step, bits);
  Element *f = element_new(e->arena, e->machine, cast_name(e->arena, step));
  f->is_inlined = true;
  f->result = soft_cast(f, step, element_parameter(f, 0, element_type(e, bits), "x"));
  return element_call(e, f, bits, "cast");
}

ElementValue cast_back(Element *e, const rsh_step *step, Number n) {
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  return step->to == RSH_BOOL ? n.value : cast_together(e, step->to, n, plain);
}

ElementValue cast_build(Element *e, const rsh_step *step, ElementValue bits) {
  if (step->to == RSH_BOOL)
    return truth_of(e, step->from, bits);
  if (soft_is_cast(e, step->from, step->to))
    return soft_build(e, step, bits);
  bool is_half = step->from == RSH_F16 && !e->machine->has_half;
  if ((is_half || step->from == RSH_BF16) && step->to == RSH_F32) // others make NaN quiet anyway
    return wide_of_narrow(e, step->from, bits, step->to, true);
  return cast_together(e, step->to, cast_apart(e, step->from, bits), step->rule);
}
