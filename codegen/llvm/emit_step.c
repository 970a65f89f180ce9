// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element through one step, as instructions. Elements come and go as integers of their width.
//
// A cast takes the element apart as a number of a type that machines have (an integer, float or
// double, none of which loses anything), and makes the new element of that. The narrow floats are
// put together and taken apart with integer arithmetic, so that no machine needs a library for them;
// runtime/convert.c says what must come out.
#include "codegen/llvm/bits_build.h"
#include "codegen/llvm/llvm_module.h"
#include "codegen/llvm/soft_float.h"

#include <stdio.h>

typedef enum Kind { SIGNED, UNSIGNED, FLOAT } Kind;

// FLOAT: a float or a double; else an integer of any width.
typedef struct Number {
  Kind kind;
  LLVMValueRef value;
} Number;

static LLVMTypeRef float_type(Gen *g) { return LLVMFloatTypeInContext(g->context); }
static LLVMTypeRef double_type(Gen *g) { return LLVMDoubleTypeInContext(g->context); }

// ---- apart ----

// What f32 has at exponent and mantissa of one.
enum { F32_MANTISSA = 23, F32_BIAS = 127, F64_MANTISSA = 52, F64_BIAS = 1023 };
#define F32_INFINITY UINT64_C(0x7f800000)
#define F32_QUIET UINT64_C(0x400000)

// Whether the unit has no sums of the wide type f32 or f64.
static bool is_soft(const Gen *g, int bits) { return bits == 64 ? !g->has_double : !g->has_single; }

// A narrow number below the least normal one, shifted to the mantissa of f32, as the bits of an f32. It is made by a
// subtraction that is exact: (2^n + x) - 2^n.
static LLVMValueRef small_of_narrow(Gen *g, LLVMValueRef wide, const rsh_float *f) {
  uint64_t one = (uint64_t)(F32_BIAS - f->bias + 1) << F32_MANTISSA;
  LLVMValueRef base = cast_bits(g, number(wide, one), float_type(g));
  LLVMValueRef small =
      LLVMBuildFSub(g->builder, cast_bits(g, plus(g, wide, one), float_type(g)), base, "small");
  return cast_bits(g, small, LLVMTypeOf(wide));
}

// What is finite: f16 01111 1000000000 -> f32 01111111 10000000000000000000000. `wide` is the magnitude shifted to
// the mantissa of the wide type `t`.
static LLVMValueRef rebiased(Gen *g, LLVMValueRef magnitude, LLVMValueRef wide, const rsh_float *f,
                             const rsh_float *t) {
  int m = t->mantissa_bits;
  if (f->bias == t->bias)
    return wide;
  if (!is_soft(g, width_of(wide))) {
    LLVMValueRef small = small_of_narrow(g, wide, f);
    LLVMValueRef r = plus(g, wide, (uint64_t)(t->bias - f->bias) << m);
    return choose(g, is_below(g, magnitude, UINT64_C(1) << f->mantissa_bits), small, r);
  }
  LLVMValueRef gap, normal = soft_normal(g, magnitude, f, &gap);
  LLVMValueRef r = left(g, resized(g, normal, width_of(wide)), m - f->mantissa_bits);
  r = plus(g, r, (uint64_t)(t->bias - f->bias) << m);
  gap = resized(g, gap, width_of(wide));
  r = LLVMBuildSub(g->builder, r, left(g, gap, m), "rebiased");
  return choose(g, is_equal(g, magnitude, 0), number(r, 0), r);
}

// A float type's bits as those of a wider one: f32, or where the unit has no double f64.
static LLVMValueRef wide_of_narrow(Gen *g, rsh_dtype type, LLVMValueRef bits, rsh_dtype to) {
  rsh_float f = rsh_dtype_float(type), t = rsh_dtype_float(to);
  int m = f.mantissa_bits, size = m + f.exponent_bits, width = rsh_dtype_bits(to);
  uint64_t top = low(t.exponent_bits) << t.mantissa_bits;
  uint64_t quiet = top | UINT64_C(1) << (t.mantissa_bits - 1), infinity = low(f.exponent_bits) << m;
  LLVMValueRef x = LLVMBuildZExt(g->builder, bits, int_type(g, 32), "element");
  LLVMValueRef magnitude = masked(g, x, low(size));
  LLVMValueRef sign = left(g, resized(g, right(g, x, size), width), width - 1);
  LLVMValueRef wide = left(g, resized(g, magnitude, width), t.mantissa_bits - m);
  LLVMValueRef r = rebiased(g, magnitude, wide, &f, &t);
  if (f.special == RSH_IEEE) {
    LLVMValueRef nan = type == RSH_F8E5M2 ? number(wide, quiet) : with(g, wide, quiet);
    if (f.bias != t.bias)
      r = choose(g, is_equal(g, magnitude, infinity), number(wide, top), r);
    r = choose(g, is_above(g, magnitude, infinity), nan, r);
  } else if (f.special == RSH_ONE_NAN) {
    r = choose(g, is_equal(g, magnitude, low(size)), number(wide, quiet), r);
  } else if (f.special == RSH_NAN_IS_80) {
    r = choose(g, is_equal(g, x, UINT64_C(1) << size), number(wide, quiet), r);
  }
  return LLVMBuildOr(g->builder, r, sign, "number");
}

static LLVMValueRef wide_of_power(Gen *g, LLVMValueRef bits) {
  LLVMValueRef x = LLVMBuildZExt(g->builder, bits, int_type(g, 32), "element");
  LLVMValueRef r = left(g, x, F32_MANTISSA);
  r = choose(g, is_equal(g, x, 0), number(x, F32_QUIET), r); // 2^-127 is subnormal
  return choose(g, is_equal(g, x, 255), number(x, F32_INFINITY | F32_QUIET), r);
}

static Number number_of(Gen *g, rsh_dtype type, LLVMValueRef bits) {
  if (type == RSH_BOOL) {
    LLVMValueRef is_true = LLVMBuildICmp(g->builder, LLVMIntNE, bits, number(bits, 0), "true");
    return (Number){UNSIGNED, LLVMBuildZExt(g->builder, is_true, g->i8, "bool")};
  }
  if (rsh_dtype_is_integer(type))
    return (Number){rsh_dtype_is_signed(type) ? SIGNED : UNSIGNED, bits};
  if (type == RSH_F64)
    return (Number){FLOAT, cast_bits(g, bits, double_type(g))};
  if (type == RSH_F32)
    return (Number){FLOAT, cast_bits(g, bits, float_type(g))};
  if (type == RSH_F8E8M0)
    return (Number){FLOAT, cast_bits(g, wide_of_power(g, bits), float_type(g))};
  if (type == RSH_F16 && g->has_half) {
    LLVMValueRef half = cast_bits(g, bits, LLVMHalfTypeInContext(g->context));
    return (Number){FLOAT, LLVMBuildFPExt(g->builder, half, float_type(g), "number")};
  }
  return (Number){FLOAT, cast_bits(g, wide_of_narrow(g, type, bits, RSH_F32), float_type(g))};
}

// ---- together ----

// Of a float or double, or their bits.
static bool is_double(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ||
         (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64);
}

// 64-bit integers that no double holds: what is cut off leaves a mark in the lowest bit that stays,
// so that rounding the double to a narrow type is the same as rounding the integer.
static LLVMValueRef with_mark(Gen *g, LLVMValueRef n) {
  LLVMValueRef cut = masked(g, n, low(11)), kept = masked(g, n, ~low(11));
  LLVMValueRef is_whole = is_equal(g, cut, 0);
  kept = choose(g, is_whole, kept, with(g, kept, UINT64_C(1) << 11));
  return choose(g, is_below(g, n, UINT64_C(1) << 53), n, kept);
}

static LLVMValueRef double_of_long(Gen *g, Number n) {
  if (n.kind == UNSIGNED)
    return LLVMBuildUIToFP(g->builder, with_mark(g, n.value), double_type(g), "number");
  LLVMValueRef negative =
      LLVMBuildICmp(g->builder, LLVMIntSLT, n.value, number(n.value, 0), "negative");
  LLVMValueRef magnitude = choose(g, negative, LLVMBuildNeg(g->builder, n.value, "minus"), n.value);
  LLVMValueRef x = LLVMBuildUIToFP(g->builder, with_mark(g, magnitude), double_type(g), "number");
  return choose(g, negative, LLVMBuildFNeg(g->builder, x, "minus"), x);
}

// The number as a float or a double that rounds to a narrow type as the number itself does.
static LLVMValueRef float_to_round(Gen *g, Number n) {
  if (n.kind == FLOAT)
    return n.value;
  int bits = width_of(n.value);
  if (bits == 64)
    return double_of_long(g, n);
  LLVMTypeRef type = bits == 32 ? double_type(g) : float_type(g);
  return n.kind == SIGNED ? LLVMBuildSIToFP(g->builder, n.value, type, "number")
                          : LLVMBuildUIToFP(g->builder, n.value, type, "number");
}

// A wide float, its bits as an integer of its width.
typedef struct Wide {
  LLVMValueRef magnitude, sign; // sign: 0 or 1
  int mantissa, bias;
  uint64_t infinity;
} Wide;

// With instructions for double all of it. Without, as the bits are in two words, the upper one, and a mark in its
// lowest bit for what is in the other, where a mantissa of so many bits or less is wanted.
enum { UPPER_MANTISSA = F64_MANTISSA - 32, MARKED_MANTISSA = UPPER_MANTISSA - 2 };

static Wide wide_of(Gen *g, LLVMValueRef x, int wanted) {
  int bits = is_double(x) ? 64 : 32;
  LLVMValueRef whole = cast_bits(g, x, int_type(g, bits));
  Wide w = {.mantissa = bits == 64 ? F64_MANTISSA : F32_MANTISSA,
            .bias = bits == 64 ? F64_BIAS : F32_BIAS};
  if (bits == 64 && is_soft(g, bits) && wanted <= MARKED_MANTISSA) {
    LLVMValueRef mark = is_above(g, resized(g, whole, 32), 0);
    whole = resized(g, right(g, whole, 32), 32);
    whole = LLVMBuildOr(g->builder, whole,
                        LLVMBuildZExt(g->builder, mark, LLVMTypeOf(whole), "mark"), "marked");
    w.mantissa = UPPER_MANTISSA;
    bits = 32;
  }
  w.magnitude = masked(g, whole, low(bits - 1));
  w.sign = right(g, whole, bits - 1);
  w.infinity = low(bits - 1 - w.mantissa) << w.mantissa;
  return w;
}

// Below the least normal number of the type: adding 2^n puts the bits that stay in the lowest place,
// rounded.
static LLVMValueRef rounded_small(Gen *g, const Wide *w, const rsh_float *f) {
  LLVMTypeRef type = w->mantissa == F64_MANTISSA ? double_type(g) : float_type(g);
  uint64_t n = (uint64_t)(1 - f->bias - f->mantissa_bits + w->mantissa + w->bias) << w->mantissa;
  LLVMValueRef base = cast_bits(g, number(w->magnitude, n), type);
  LLVMValueRef sum = LLVMBuildFAdd(g->builder, cast_bits(g, w->magnitude, type), base, "small");
  return plus(g, cast_bits(g, sum, LLVMTypeOf(w->magnitude)), 0 - n);
}

// To the nearest at a place, ties to even: what is cut off is gone.
static LLVMValueRef nearest(Gen *g, LLVMValueRef x, int cut) {
  LLVMValueRef odd = masked(g, right(g, x, cut), 1);
  return right(g, LLVMBuildAdd(g->builder, plus(g, x, low(cut) >> 1), odd, "nearest"), cut);
}

static LLVMValueRef rounded(Gen *g, const Wide *w, const rsh_float *f) {
  int cut = w->mantissa - f->mantissa_bits;
  if (is_soft(g, w->bias == F64_BIAS ? 64 : 32))
    return nearest(g, soft_rebased(g, w->magnitude, w->mantissa, w->bias, f), cut);
  LLVMValueRef x = nearest(g, w->magnitude, cut);
  x = plus(g, x, 0 - ((uint64_t)(w->bias - f->bias) << f->mantissa_bits));
  if (f->bias == w->bias)
    return x;
  uint64_t least = (uint64_t)(1 - f->bias + w->bias) << w->mantissa;
  LLVMValueRef is_small = is_below(g, w->magnitude, least);
  return choose(g, is_small, rounded_small(g, w, f), x);
}

// A number rounded to the bits of a float type, of 32 bits or more, before its sign and what is no number join it.
typedef struct Rounded {
  LLVMValueRef magnitude, sign; // sign: 0 or 1
  bool may_pass;                // the largest number
  LLVMValueRef is_nan, payload; // NULL: it is a number
} Rounded;

static bool is_wide(rsh_dtype type) {
  return type == RSH_F16 || type == RSH_BF16 || type == RSH_F32 || type == RSH_F64;
}

static LLVMValueRef joined(Gen *g, rsh_dtype type, const Rounded *n, bool saturate) {
  rsh_float f = rsh_dtype_float(type);
  int size = f.mantissa_bits + f.exponent_bits;
  uint64_t top = UINT64_C(1) << size, infinity = low(f.exponent_bits) << f.mantissa_bits;
  uint64_t largest = f.special == RSH_IEEE      ? infinity - 1
                     : f.special == RSH_ONE_NAN ? top - 2
                                                : top - 1;
  bool clamps = f.special == RSH_NUMBERS || (!is_wide(type) && saturate);
  LLVMValueRef x = n->magnitude, sign = left(g, n->sign, size), over = is_above(g, x, largest);
  if (clamps)
    x = choose(g, over, number(x, largest), x);
  else if (f.special != RSH_NAN_IS_80 && n->may_pass)
    x = choose(g, over, number(x, f.special == RSH_IEEE ? infinity : top - 1), x);
  LLVMValueRef nan = number(x, f.special == RSH_IEEE        ? infinity | (infinity >> 1 & ~infinity)
                               : f.special == RSH_NAN_IS_80 ? top
                                                            : top - 1);
  if (is_wide(type) && n->payload)
    nan = LLVMBuildOr(g->builder, nan, n->payload, "nan");
  if (f.special == RSH_NAN_IS_80) {
    LLVMValueRef is_zero = is_equal(g, x, 0);
    x = choose(g, is_zero, x, LLVMBuildOr(g->builder, x, sign, "signed"));
    if (!clamps)
      x = choose(g, over, nan, x);
    x = n->is_nan ? choose(g, n->is_nan, nan, x) : x;
  } else if (f.special == RSH_NUMBERS && n->is_nan) { // NaN: zero of the other sign
    LLVMValueRef other = LLVMBuildXor(g->builder, sign, number(sign, top), "other");
    x = choose(g, n->is_nan, other, LLVMBuildOr(g->builder, x, sign, "signed"));
  } else {
    x = n->is_nan ? choose(g, n->is_nan, nan, x) : x;
    x = LLVMBuildOr(g->builder, x, sign, "signed");
  }
  return resized(g, x, rsh_dtype_bits(type));
}

// A float or double, or their bits, to a type with fewer.
static LLVMValueRef narrow_of_float(Gen *g, rsh_dtype type, LLVMValueRef value, bool saturate) {
  rsh_float f = rsh_dtype_float(type);
  Wide w = wide_of(g, value, f.mantissa_bits);
  LLVMValueRef payload =
      masked(g, right(g, w.magnitude, w.mantissa - f.mantissa_bits), low(f.mantissa_bits));
  LLVMValueRef magnitude = rounded(g, &w, &f);
  Rounded n = {magnitude, w.sign, true, is_above(g, w.magnitude, w.infinity), payload};
  return joined(g, type, &n, saturate);
}

// A float or double, or their bits. In a double every f32 is normal; without one the mantissa of those that are not,
// of which 2^-127 is the least that counts, goes one to the left.
static LLVMValueRef power_of_float(Gen *g, LLVMValueRef value, rsh_cast_rule rule) {
  if (g->has_double && !is_double(value))
    value = LLVMBuildFPExt(g->builder, value, double_type(g), "number");
  Wide w = wide_of(g, value, 1);
  enum { LEAST = -127, MOST = 127, NAN_BITS = 255 };
  LLVMValueRef x = plus(g, right(g, w.magnitude, w.mantissa), 0 - (uint64_t)(w.bias + LEAST));
  LLVMValueRef fraction = masked(g, w.magnitude, low(w.mantissa));
  uint64_t least = (uint64_t)(w.bias + LEAST) << w.mantissa;
  if (least == 0) {
    LLVMValueRef is_small = is_below(g, w.magnitude, UINT64_C(1) << w.mantissa);
    LLVMValueRef twice = masked(g, left(g, fraction, 1), low(w.mantissa));
    fraction = choose(g, is_small, twice, fraction);
    least = UINT64_C(1) << (w.mantissa - 1);
  }
  if (rule.round != RSH_ROUND_DOWN) {
    uint64_t half = UINT64_C(1) << (w.mantissa - 1);
    LLVMValueRef up = is_above(g, fraction, rule.round == RSH_ROUND_UP ? 0 : half - 1);
    x = LLVMBuildAdd(g->builder, x, LLVMBuildZExt(g->builder, up, LLVMTypeOf(x), "up"), "rounded");
  }
  LLVMValueRef small = is_below(g, w.magnitude, least);
  LLVMValueRef large = is_above(g, w.magnitude, (uint64_t)(w.bias + MOST) << w.mantissa);
  x = choose(g, small, number(x, rule.saturate ? 0 : NAN_BITS), x);
  x = choose(g, large, number(x, rule.saturate ? MOST - LEAST : NAN_BITS), x);
  x = choose(g, is_above(g, w.magnitude, w.infinity), number(x, NAN_BITS), x);
  return LLVMBuildTrunc(g->builder, x, g->i8, "element");
}

// Towards zero, to the nearest end of the range, NaN to 0.
static LLVMValueRef integer_of_float(Gen *g, LLVMValueRef value, int bits, bool is_signed) {
  const char *name = is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  LLVMTypeRef type[2] = {int_type(g, bits), LLVMTypeOf(value)};
  unsigned id = LLVMLookupIntrinsicID(name, 15);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(g->module, id, type, 2);
  return LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, &value, 1,
                        "integer");
}

static LLVMValueRef integer_of(Gen *g, rsh_dtype type, Number n) {
  int bits = rsh_dtype_bits(type);
  LLVMTypeRef to = int_type(g, bits);
  if (n.kind == FLOAT && bits < 8)
    return LLVMBuildTrunc(g->builder, integer_of_float(g, n.value, 32, true), to, "element");
  if (n.kind == FLOAT)
    return integer_of_float(g, n.value, bits, rsh_dtype_is_signed(type));
  if (width_of(n.value) >= bits)
    return width_of(n.value) == bits ? n.value : LLVMBuildTrunc(g->builder, n.value, to, "element");
  return n.kind == SIGNED ? LLVMBuildSExt(g->builder, n.value, to, "element")
                          : LLVMBuildZExt(g->builder, n.value, to, "element");
}

// Between float and double.
static LLVMValueRef float_resized(Gen *g, LLVMTypeRef type, LLVMValueRef value) {
  LLVMValueRef x = LLVMBuildFPCast(g->builder, value, type, "number");
  if (g->keeps_nan || LLVMTypeOf(value) == type)
    return x;
  rsh_float t = rsh_dtype_float(is_double(x) ? RSH_F64 : RSH_F32);
  int m = t.mantissa_bits, width = is_double(x) ? 64 : 32;
  uint64_t quiet = low(t.exponent_bits + 1) << (m - 1);
  Wide w = wide_of(g, value, F64_MANTISSA);
  LLVMValueRef payload =
      m > w.mantissa ? left(g, resized(g, w.magnitude, width), m - w.mantissa)
                     : resized(g, masked(g, right(g, w.magnitude, w.mantissa - m), low(m)), width);
  LLVMValueRef sign = left(g, resized(g, w.sign, width), width - 1);
  LLVMValueRef nan = LLVMBuildOr(g->builder, with(g, payload, quiet), sign, "nan");
  LLVMValueRef is_nan = is_above(g, w.magnitude, w.infinity);
  return cast_bits(g, choose(g, is_nan, nan, cast_bits(g, x, int_type(g, width))), type);
}

// Of f32 and f64.
static LLVMValueRef native_of(Gen *g, LLVMTypeRef type, Number n) {
  if (n.kind == SIGNED)
    return LLVMBuildSIToFP(g->builder, n.value, type, "number");
  if (n.kind == UNSIGNED)
    return LLVMBuildUIToFP(g->builder, n.value, type, "number");
  return float_resized(g, type, n.value);
}

// Zero is the one bit pattern without any bit but the sign.
static LLVMValueRef truth_of(Gen *g, rsh_dtype from, LLVMValueRef bits) {
  rsh_float f = rsh_dtype_float(from);
  if (from == RSH_F8E8M0)
    return number(bits, 1);
  if (f.special != RSH_NO_FLOAT && f.special != RSH_NAN_IS_80)
    bits = masked(g, bits, low(f.mantissa_bits + f.exponent_bits));
  LLVMValueRef is_true = LLVMBuildICmp(g->builder, LLVMIntNE, bits, number(bits, 0), "true");
  return LLVMBuildZExt(g->builder, is_true, g->i8, "bool");
}

static LLVMValueRef element_of(Gen *g, rsh_dtype type, Number n, rsh_cast_rule rule) {
  if (rsh_dtype_is_integer(type))
    return integer_of(g, type, n);
  if (type == RSH_F32 || type == RSH_F64) {
    LLVMTypeRef native = type == RSH_F32 ? float_type(g) : double_type(g);
    return cast_bits(g, native_of(g, native, n), int_type(g, rsh_dtype_bits(type)));
  }
  LLVMValueRef value = float_to_round(g, n);
  if (type == RSH_F8E8M0)
    return power_of_float(g, value, rule);
  if (type == RSH_F16 && g->has_half && !is_double(value)) {
    LLVMTypeRef half = LLVMHalfTypeInContext(g->context);
    return cast_bits(g, LLVMBuildFPTrunc(g->builder, value, half, "half"), int_type(g, 16));
  }
  return narrow_of_float(g, type, value, rule.saturate);
}

LLVMValueRef step_float(Gen *g, rsh_dtype type, LLVMValueRef bits) {
  return number_of(g, type, bits).value;
}

LLVMValueRef step_element(Gen *g, rsh_dtype type, LLVMValueRef number) {
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  return element_of(g, type, (Number){FLOAT, number}, plain);
}

// ---- without a unit ----

static LLVMValueRef soft_cast(Gen *g, const rsh_step *step, LLVMValueRef bits) {
  rsh_dtype from = step->from, to = step->to;
  if (from == RSH_F8E8M0) {
    bits = wide_of_power(g, bits);
    from = RSH_F32;
  }
  if (from == to)
    return bits;
  if (rsh_dtype_is_integer(to))
    return soft_integer(g, from, bits, to);
  if (!rsh_dtype_is_float(from)) {
    bits = from == RSH_BOOL ? number_of(g, from, bits).value : bits;
    if (to == RSH_F8E8M0)
      return soft_power_of_integer(g, from, bits, step->rule);
    SoftNumber n = soft_of_integer(g, from, bits, to);
    return joined(g, to, &(Rounded){n.magnitude, n.sign, n.may_pass, NULL, NULL},
                  step->rule.saturate);
  }
  if (to == RSH_F64 || (to == RSH_F32 && from != RSH_F64))
    return wide_of_narrow(g, from, bits, to);
  if (from != RSH_F32 && from != RSH_F64)
    bits = wide_of_narrow(g, from, bits, RSH_F32);
  return to == RSH_F8E8M0 ? power_of_float(g, bits, step->rule)
                          : narrow_of_float(g, to, bits, step->rule.saturate);
}

// Functions as large as a call or two are that in place of one.
enum { FEW_INSTRUCTIONS = 8 };

static bool is_tiny(LLVMValueRef function) {
  int count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i;
       i = LLVMGetNextInstruction(i))
    count++;
  return count <= FEW_INSTRUCTIONS;
}

// No name of C has a '-': "f32-to-i8", and what the rule says of the types that have one.
static void name_cast(char *name, size_t size, const rsh_step *step) {
  const char *from = rsh_dtype_name(step->from), *to = rsh_dtype_name(step->to);
  if (rsh_dtype_is_float(step->to) && rsh_dtype_bits(step->to) == 8)
    snprintf(name, size, "%s-to-%s-%d%d", from, to, step->rule.saturate, (int)step->rule.round);
  else
    snprintf(name, size, "%s-to-%s", from, to);
}

// A function of the module does it, for all that cast so; C has one a step anyway.
static LLVMValueRef soft_build(Gen *g, const rsh_step *step, LLVMValueRef bits) {
  if (!g->target)
    return soft_cast(g, step, bits);
  char name[48];
  name_cast(name, sizeof name, step);
  LLVMTypeRef type = LLVMTypeOf(bits), result = int_type(g, plan_element_bits(step->to));
  Subroutine s;
  if (subroutine_begin(g, name, LLVMFunctionType(result, &type, 1, false), &s)) {
    subroutine_end(g, &s, soft_cast(g, step, LLVMGetParam(s.function, 0)));
    if (is_tiny(s.function)) {
      const LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
      LLVMRemoveEnumAttributeAtIndex(s.function, self,
                                     LLVMGetEnumAttributeKindForName("noinline", 8));
      b_attribute(g, s.function, self, "alwaysinline", 0);
    }
  }
  return LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(s.function), s.function, &bits, 1,
                        "cast");
}

LLVMValueRef step_build(Gen *g, const rsh_step *step, LLVMValueRef bits) {
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  if (step->op != RSH_OP_CAST) {
    Number n = number_of(g, step->from, bits);
    n.value = activation_build(g, step->op, n.value, n.kind == UNSIGNED);
    return element_of(g, step->to, n, plain);
  }
  if (step->to == RSH_BOOL)
    return truth_of(g, step->from, bits);
  if (soft_is_cast(g, step->from, step->to))
    return soft_build(g, step, bits);
  return element_of(g, step->to, number_of(g, step->from, bits), step->rule);
}
