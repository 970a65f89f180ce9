// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element through one step, as instructions. Elements come and go as integers of their width.
//
// A cast takes the element apart as a number of a type that machines have (an integer, float or
// double, none of which loses anything), and makes the new element of that. The narrow floats are
// put together and taken apart with integer arithmetic, so that no machine needs a library for them;
// runtime/convert.c says what must come out.
#include "codegen/llvm_module.h"

typedef enum Kind { SIGNED, UNSIGNED, FLOAT } Kind;

// FLOAT: a float or a double; else an integer of any width.
typedef struct Number {
  Kind kind;
  LLVMValueRef value;
} Number;

static LLVMTypeRef int_type(Gen *g, int bits) {
  return LLVMIntTypeInContext(g->context, (unsigned)bits);
}
static LLVMTypeRef float_type(Gen *g) { return LLVMFloatTypeInContext(g->context); }
static LLVMTypeRef double_type(Gen *g) { return LLVMDoubleTypeInContext(g->context); }

// ---- integers of one width, with constants ----

static uint64_t low(int bits) { return UINT64_MAX >> (64 - bits); }

static LLVMValueRef number(LLVMValueRef like, uint64_t n) { // what fits of n
  LLVMTypeRef type = LLVMTypeOf(like);
  return LLVMConstInt(type, n & low((int)LLVMGetIntTypeWidth(type)), false);
}
static LLVMValueRef plus(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildAdd(g->builder, x, number(x, n), "sum");
}
static LLVMValueRef masked(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildAnd(g->builder, x, number(x, n), "masked");
}
static LLVMValueRef with(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildOr(g->builder, x, number(x, n), "with");
}
static LLVMValueRef left(Gen *g, LLVMValueRef x, int bits) {
  return LLVMBuildShl(g->builder, x, number(x, (uint64_t)bits), "left");
}
static LLVMValueRef right(Gen *g, LLVMValueRef x, int bits) {
  return LLVMBuildLShr(g->builder, x, number(x, (uint64_t)bits), "right");
}
static LLVMValueRef is_below(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildICmp(g->builder, LLVMIntULT, x, number(x, n), "below");
}
static LLVMValueRef is_above(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildICmp(g->builder, LLVMIntUGT, x, number(x, n), "above");
}
static LLVMValueRef is_equal(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildICmp(g->builder, LLVMIntEQ, x, number(x, n), "equal");
}
static LLVMValueRef choose(Gen *g, LLVMValueRef test, LLVMValueRef yes, LLVMValueRef no) {
  return LLVMBuildSelect(g->builder, test, yes, no, "choice");
}
static LLVMValueRef cast_bits(Gen *g, LLVMValueRef x, LLVMTypeRef type) {
  return LLVMBuildBitCast(g->builder, x, type, "bits");
}

// ---- apart ----

// What f32 has at exponent and mantissa of one.
enum { F32_MANTISSA = 23, F32_BIAS = 127, F64_MANTISSA = 52, F64_BIAS = 1023 };
#define F32_INFINITY UINT64_C(0x7f800000)
#define F32_QUIET UINT64_C(0x400000)

// f16 1 01111 1000000000 -> f32 1 01111111 10000000000000000000000. Numbers below the least normal one
// are made by a subtraction that is exact: (2^n + x) - 2^n.
static LLVMValueRef float_of_narrow(Gen *g, rsh_dtype type, LLVMValueRef bits) {
  rsh_float f = rsh_dtype_float(type);
  int m = f.mantissa_bits, size = m + f.exponent_bits;
  LLVMTypeRef i32 = int_type(g, 32);
  LLVMValueRef x = LLVMBuildZExt(g->builder, bits, i32, "element");
  LLVMValueRef magnitude = masked(g, x, low(size));
  LLVMValueRef sign = left(g, right(g, x, size), 31);
  LLVMValueRef wide = left(g, magnitude, F32_MANTISSA - m), r = wide;
  uint64_t infinity = low(f.exponent_bits) << m;
  if (f.bias != F32_BIAS) {
    uint64_t one = (uint64_t)(F32_BIAS - f.bias + 1) << F32_MANTISSA;
    LLVMValueRef base = cast_bits(g, number(wide, one), float_type(g));
    LLVMValueRef small =
        LLVMBuildFSub(g->builder, cast_bits(g, plus(g, wide, one), float_type(g)), base, "small");
    r = plus(g, wide, (uint64_t)(F32_BIAS - f.bias) << F32_MANTISSA);
    LLVMValueRef is_small = is_below(g, magnitude, UINT64_C(1) << m);
    r = choose(g, is_small, cast_bits(g, small, i32), r);
  }
  if (f.special == RSH_IEEE) {
    LLVMValueRef nan = type == RSH_F8E5M2 ? number(wide, F32_INFINITY | F32_QUIET)
                                          : with(g, wide, F32_INFINITY | F32_QUIET);
    if (f.bias != F32_BIAS)
      r = choose(g, is_equal(g, magnitude, infinity), number(wide, F32_INFINITY), r);
    r = choose(g, is_above(g, magnitude, infinity), nan, r);
  } else if (f.special == RSH_ONE_NAN) {
    r = choose(g, is_equal(g, magnitude, low(size)), number(wide, F32_INFINITY | F32_QUIET), r);
  } else if (f.special == RSH_NAN_IS_80) {
    r = choose(g, is_equal(g, x, UINT64_C(1) << size), number(wide, F32_INFINITY | F32_QUIET), r);
  }
  return cast_bits(g, LLVMBuildOr(g->builder, r, sign, "number"), float_type(g));
}

static LLVMValueRef float_of_power(Gen *g, LLVMValueRef bits) {
  LLVMValueRef x = LLVMBuildZExt(g->builder, bits, int_type(g, 32), "element");
  LLVMValueRef r = left(g, x, F32_MANTISSA);
  r = choose(g, is_equal(g, x, 0), number(x, F32_QUIET), r); // 2^-127 is subnormal
  r = choose(g, is_equal(g, x, 255), number(x, F32_INFINITY | F32_QUIET), r);
  return cast_bits(g, r, float_type(g));
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
    return (Number){FLOAT, float_of_power(g, bits)};
  if (type == RSH_F16 && g->has_half) {
    LLVMValueRef half = cast_bits(g, bits, LLVMHalfTypeInContext(g->context));
    return (Number){FLOAT, LLVMBuildFPExt(g->builder, half, float_type(g), "number")};
  }
  return (Number){FLOAT, float_of_narrow(g, type, bits)};
}

// ---- together ----

static int width_of(LLVMValueRef integer) { return (int)LLVMGetIntTypeWidth(LLVMTypeOf(integer)); }

static bool is_double(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMDoubleTypeKind;
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

static Wide wide_of(Gen *g, LLVMValueRef x) {
  int bits = is_double(x) ? 64 : 32;
  LLVMValueRef whole = cast_bits(g, x, int_type(g, bits));
  Wide w = {.magnitude = masked(g, whole, low(bits - 1)), .sign = right(g, whole, bits - 1)};
  w.mantissa = bits == 64 ? F64_MANTISSA : F32_MANTISSA;
  w.bias = bits == 64 ? F64_BIAS : F32_BIAS;
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

static LLVMValueRef rounded(Gen *g, const Wide *w, const rsh_float *f) {
  int cut = w->mantissa - f->mantissa_bits;
  LLVMValueRef x = w->magnitude, odd = masked(g, right(g, x, cut), 1);
  x = LLVMBuildAdd(g->builder, plus(g, x, low(cut) >> 1), odd, "nearest");
  x = plus(g, right(g, x, cut), 0 - ((uint64_t)(w->bias - f->bias) << f->mantissa_bits));
  if (f->bias == w->bias)
    return x;
  uint64_t least = (uint64_t)(1 - f->bias + w->bias) << w->mantissa;
  LLVMValueRef is_small = is_below(g, w->magnitude, least);
  return choose(g, is_small, rounded_small(g, w, f), x);
}

static LLVMValueRef narrow_of_float(Gen *g, rsh_dtype type, LLVMValueRef value, bool saturate) {
  rsh_float f = rsh_dtype_float(type);
  Wide w = wide_of(g, value);
  int size = f.mantissa_bits + f.exponent_bits;
  bool is_wide = type == RSH_F16 || type == RSH_BF16;
  uint64_t top = UINT64_C(1) << size, infinity = low(f.exponent_bits) << f.mantissa_bits;
  uint64_t largest = f.special == RSH_IEEE      ? infinity - 1
                     : f.special == RSH_ONE_NAN ? top - 2
                                                : top - 1;
  bool clamps = f.special == RSH_NUMBERS || (!is_wide && saturate);
  LLVMValueRef sign = left(g, w.sign, size), is_nan = is_above(g, w.magnitude, w.infinity);
  LLVMValueRef x = rounded(g, &w, &f), over = is_above(g, x, largest);
  if (clamps)
    x = choose(g, over, number(x, largest), x);
  else if (f.special != RSH_NAN_IS_80)
    x = choose(g, over, number(x, f.special == RSH_IEEE ? infinity : top - 1), x);
  LLVMValueRef nan = number(x, f.special == RSH_IEEE        ? infinity | (infinity >> 1 & ~infinity)
                               : f.special == RSH_NAN_IS_80 ? top
                                                            : top - 1);
  if (is_wide) {
    LLVMValueRef payload =
        masked(g, right(g, w.magnitude, w.mantissa - f.mantissa_bits), low(f.mantissa_bits));
    nan = LLVMBuildOr(g->builder, nan, payload, "nan");
  }
  if (f.special == RSH_NAN_IS_80) {
    LLVMValueRef is_zero = is_equal(g, x, 0);
    x = choose(g, is_zero, x, LLVMBuildOr(g->builder, x, sign, "signed"));
    if (!clamps)
      x = choose(g, over, nan, x);
    x = choose(g, is_nan, nan, x);
  } else if (f.special == RSH_NUMBERS) { // NaN: zero of the other sign
    LLVMValueRef other = LLVMBuildXor(g->builder, sign, number(sign, top), "other");
    x = choose(g, is_nan, other, LLVMBuildOr(g->builder, x, sign, "signed"));
  } else {
    x = LLVMBuildOr(g->builder, choose(g, is_nan, nan, x), sign, "signed");
  }
  return LLVMBuildTrunc(g->builder, x, int_type(g, rsh_dtype_bits(type)), "element");
}

static LLVMValueRef power_of_float(Gen *g, LLVMValueRef value, rsh_cast_rule rule) {
  if (!is_double(value)) // there every f32 is normal
    value = LLVMBuildFPExt(g->builder, value, double_type(g), "number");
  Wide w = wide_of(g, value);
  enum { LEAST = -127, MOST = 127, NAN_BITS = 255 };
  LLVMValueRef x = plus(g, right(g, w.magnitude, w.mantissa), 0 - (uint64_t)(w.bias + LEAST));
  LLVMValueRef fraction = masked(g, w.magnitude, low(w.mantissa));
  if (rule.round != RSH_ROUND_DOWN) {
    uint64_t half = UINT64_C(1) << (w.mantissa - 1);
    LLVMValueRef up = is_above(g, fraction, rule.round == RSH_ROUND_UP ? 0 : half - 1);
    x = LLVMBuildAdd(g->builder, x, LLVMBuildZExt(g->builder, up, g->i64, "up"), "rounded");
  }
  LLVMValueRef small = is_below(g, w.magnitude, (uint64_t)(w.bias + LEAST) << w.mantissa);
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

// Of f32 and f64.
static LLVMValueRef native_of(Gen *g, LLVMTypeRef type, Number n) {
  if (n.kind == SIGNED)
    return LLVMBuildSIToFP(g->builder, n.value, type, "number");
  if (n.kind == UNSIGNED)
    return LLVMBuildUIToFP(g->builder, n.value, type, "number");
  return LLVMBuildFPCast(g->builder, n.value, type, "number");
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

LLVMValueRef step_build(Gen *g, const rsh_step *step, LLVMValueRef bits) {
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  if (step->op != RSH_OP_CAST) {
    Number n = number_of(g, step->from, bits);
    n.value = activation_build(g, step->op, n.value, n.kind == UNSIGNED);
    return element_of(g, step->to, n, plain);
  }
  if (step->to == RSH_BOOL)
    return truth_of(g, step->from, bits);
  return element_of(g, step->to, number_of(g, step->from, bits), step->rule);
}
