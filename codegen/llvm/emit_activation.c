// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of activations.def as instructions and calls of libm, of a float or a double; relu and
// abs also of integers. Written so that nothing overflows on the way to a result that does not, and
// so that NaN stays NaN.
#include "codegen/llvm/llvm_module.h"
#include "codegen/llvm/soft_float.h"

#include <string.h>

// A value that is being computed with, and how.
typedef struct Calc {
  Gen *g;
  LLVMTypeRef type;
} Calc;

static LLVMValueRef num(Calc *c, double n) { return LLVMConstReal(c->type, n); }
static LLVMValueRef add(Calc *c, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFAdd(c->g->builder, a, b, "sum");
}
static LLVMValueRef sub(Calc *c, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFSub(c->g->builder, a, b, "difference");
}
static LLVMValueRef mul(Calc *c, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFMul(c->g->builder, a, b, "product");
}
static LLVMValueRef quotient(Calc *c, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildFDiv(c->g->builder, a, b, "quotient");
}
static LLVMValueRef minus(Calc *c, LLVMValueRef x) {
  return LLVMBuildFNeg(c->g->builder, x, "minus");
}
static bool is_single(const Calc *c) { return LLVMGetTypeKind(c->type) == LLVMFloatTypeKind; }

// Comparisons are false of NaN. What needs nothing else is for machines without a unit, too.
static bool has_unit(const Calc *c) { return is_single(c) ? c->g->has_single : c->g->has_double; }
static LLVMValueRef above(Calc *c, LLVMValueRef a, LLVMValueRef b) {
  return has_unit(c) ? LLVMBuildFCmp(c->g->builder, LLVMRealOGT, a, b, "above")
                     : soft_compare(c->g, LLVMIntSGT, a, b);
}
static LLVMValueRef up_to(Calc *c, LLVMValueRef a, LLVMValueRef b) {
  return has_unit(c) ? LLVMBuildFCmp(c->g->builder, LLVMRealOLE, a, b, "small")
                     : soft_compare(c->g, LLVMIntSLE, a, b);
}
static LLVMValueRef choose(Calc *c, LLVMValueRef test, LLVMValueRef yes, LLVMValueRef no) {
  return LLVMBuildSelect(c->g->builder, test, yes, no, "choice");
}
static LLVMValueRef at_least(Calc *c, LLVMValueRef x, double least) {
  return choose(c, above(c, num(c, least), x), num(c, least), x);
}
static LLVMValueRef at_most(Calc *c, LLVMValueRef x, double most) {
  return choose(c, above(c, x, num(c, most)), num(c, most), x);
}

static LLVMValueRef intrinsic(Calc *c, const char *name, LLVMValueRef *arg, unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(c->g->module, id, &c->type, 1);
  return LLVMBuildCall2(c->g->builder, LLVMGlobalGetValueType(function), function, arg, count,
                        "value");
}
static LLVMValueRef magnitude(Calc *c, LLVMValueRef x) { return intrinsic(c, "llvm.fabs", &x, 1); }
static LLVMValueRef square_root(Calc *c, LLVMValueRef x) {
  return intrinsic(c, "llvm.sqrt", &x, 1);
}
static LLVMValueRef with_sign(Calc *c, LLVMValueRef x, LLVMValueRef sign) {
  LLVMValueRef arg[2] = {x, sign};
  return intrinsic(c, "llvm.copysign", arg, 2);
}

LLVMValueRef libm_build(Gen *g, const char *name, LLVMValueRef x) {
  LLVMTypeRef number = LLVMTypeOf(x);
  char full[16];
  size_t length = strlen(name);
  memcpy(full, name, length);
  if (LLVMGetTypeKind(number) == LLVMFloatTypeKind)
    full[length++] = 'f';
  full[length] = '\0';
  LLVMTypeRef type = LLVMFunctionType(number, &number, 1, false);
  LLVMValueRef function = LLVMGetNamedFunction(g->module, full);
  if (!function) {
    const LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    function = LLVMAddFunction(g->module, full, type);
    b_attribute(g, function, self, "nounwind", 0);
    b_attribute(g, function, self, "willreturn", 0);
    b_attribute(g, function, self, "nofree", 0);
    b_attribute(g, function, self, "nosync", 0);
    b_attribute(g, function, self, "memory", 0); // none that a kernel sees
  }
  return LLVMBuildCall2(g->builder, type, function, &x, 1, name);
}

static LLVMValueRef call(Calc *c, const char *name, LLVMValueRef x) {
  return libm_build(c->g, name, x);
}

// ln(1 + e^x): max(x, 0) + ln(1 + e^-|x|), where e^ is at most 1.
static LLVMValueRef softplus(Calc *c, LLVMValueRef x) {
  LLVMValueRef small = call(c, "log1p", call(c, "exp", minus(c, magnitude(c, x))));
  return add(c, at_least(c, x, 0), small);
}

// 1 / (1 + e^-x), and for negative x e^x / (1 + e^x).
static LLVMValueRef sigmoid(Calc *c, LLVMValueRef x) {
  LLVMValueRef e = call(c, "exp", minus(c, magnitude(c, x)));
  LLVMValueRef over = choose(c, above(c, num(c, 0), x), e, num(c, 1));
  return quotient(c, over, add(c, num(c, 1), e));
}

// e^-|x|, and x times that, which keeps its digits where e^-|x| has lost them, being a subnormal number: far
// from 0 e^(far - |x|) is taken and then e^-far.
typedef struct Power {
  LLVMValueRef e, times_x;
} Power;

static Power power(Calc *c, LLVMValueRef x) {
  const double far = is_single(c) ? 64 : 512;
  const double factor = is_single(c) ? 0x1.969d47321e4ccp-93 : 0x1.44109edb20931p-739; // e^-far
  LLVMValueRef size = magnitude(c, x), is_far = above(c, size, num(c, far));
  LLVMValueRef back = minus(c, size), less = choose(c, is_far, sub(c, num(c, far), size), back);
  LLVMValueRef scale = choose(c, is_far, num(c, factor), num(c, 1)), e = call(c, "exp", less);
  return (Power){mul(c, e, scale), mul(c, mul(c, x, e), scale)};
}

// x * sigmoid(x).
static LLVMValueRef swish(Calc *c, LLVMValueRef x) {
  Power p = power(c, x);
  LLVMValueRef over = choose(c, above(c, num(c, 0), x), p.times_x, x);
  return quotient(c, over, add(c, num(c, 1), p.e));
}

// x * tanh(ln(1 + e^x)). With e = e^-|x| the tanh is e(e + 2) / (e(e + 2) + 2) of negative x, of others
// (1 + 2e) / (1 + 2e + 2ee).
static LLVMValueRef mish(Calc *c, LLVMValueRef x) {
  Power p = power(c, x);
  LLVMValueRef two = num(c, 2), is_negative = above(c, num(c, 0), x);
  LLVMValueRef more = add(c, p.e, two), twice = mul(c, p.e, two);
  LLVMValueRef below = add(c, mul(c, p.e, more), two), some = add(c, num(c, 1), twice);
  LLVMValueRef upper = choose(c, is_negative, more, some);
  LLVMValueRef lower = choose(c, is_negative, below, add(c, some, mul(c, twice, p.e)));
  LLVMValueRef scale = choose(c, is_negative, p.times_x, x);
  return mul(c, scale, quotient(c, upper, lower));
}

// x - tanh(x), where |x| < 1 without the difference: tanh(x) is x / (1 + a) with the continued fraction
// a = xx / (3 + xx / (5 + ...)), and what is left is x * a / (1 + a).
static LLVMValueRef tanh_shrink(Calc *c, LLVMValueRef x) {
  LLVMValueRef square = mul(c, x, x), a = num(c, 0), one = num(c, 1);
  for (int k = is_single(c) ? 11 : 19; k >= 3; k -= 2)
    a = quotient(c, square, add(c, num(c, k), a));
  LLVMValueRef near = mul(c, x, quotient(c, a, add(c, one, a)));
  LLVMValueRef is_near = above(c, one, magnitude(c, x));
  return choose(c, is_near, near, sub(c, x, call(c, "tanh", x)));
}

// The leading half of the digits of x.
static LLVMValueRef leading(Calc *c, LLVMValueRef x) {
  LLVMTypeRef integer = LLVMIntTypeInContext(c->g->context, is_single(c) ? 32 : 64);
  LLVMValueRef bits = LLVMBuildBitCast(c->g->builder, x, integer, "bits");
  LLVMValueRef mask = LLVMConstInt(integer, is_single(c) ? ~0xFFFull : ~0x7FFFFFFull, false);
  return LLVMBuildBitCast(c->g->builder, LLVMBuildAnd(c->g->builder, bits, mask, "most"), c->type,
                          "leading");
}

// x/2 * erfc(z) with z = -x / sqrt 2: erfc keeps its digits where 1 + erf loses them. Far below 0, where
// erfc falls like e^(-zz), what the rounding of z leaves out counts 2z times.
static LLVMValueRef gelu(Calc *c, LLVMValueRef x) {
  const double root = -0.70710678118654752, high = is_single(c) ? -0x1.6ap-1 : -0x1.6a09e6p-1;
  const double low = is_single(c) ? -0x1.3cccfe7799211p-14 : -0x1.9fcef32422cbfp-27; // the rest
  LLVMValueRef z = mul(c, num(c, root), x), first = leading(c, x);
  LLVMValueRef rest = mul(c, sub(c, x, first), num(c, high));
  rest = add(c, rest, mul(c, x, num(c, low)));
  LLVMValueRef lost = add(c, sub(c, mul(c, first, num(c, high)), z), rest);
  LLVMValueRef half = mul(c, num(c, 0.5), x), e = mul(c, half, call(c, "erfc", z));
  LLVMValueRef more = mul(c, e, mul(c, mul(c, num(c, -2), z), lost));
  LLVMValueRef is_far = above(c, z, num(c, 1)), has_power = above(c, num(c, 64), z);
  is_far = LLVMBuildAnd(c->g->builder, is_far, has_power, "is_far");
  return choose(c, is_far, add(c, e, more), e);
}

static LLVMValueRef elu(Calc *c, LLVMValueRef x) {
  LLVMValueRef is_positive = above(c, x, num(c, 0));
  return choose(c, is_positive, x, call(c, "expm1", x));
}

// x with the part after the point cut off, for numbers that have one; all others are integers or NaN.
typedef struct Whole {
  LLVMValueRef has_part, value;
} Whole;

static Whole whole_part(Calc *c, LLVMValueRef x) {
  LLVMTypeRef integer = LLVMIntTypeInContext(c->g->context, is_single(c) ? 32 : 64);
  Whole w = {.has_part = above(c, num(c, is_single(c) ? 0x1p23 : 0x1p52), magnitude(c, x))};
  LLVMValueRef safe = choose(c, w.has_part, x, num(c, 0));
  LLVMValueRef n = LLVMBuildFPToSI(c->g->builder, safe, integer, "integer");
  w.value = LLVMBuildSIToFP(c->g->builder, n, c->type, "whole");
  return w;
}

static LLVMValueRef round_to(Calc *c, rsh_op op, LLVMValueRef x) {
  Whole w = whole_part(c, x);
  LLVMValueRef one = num(c, 1), whole = w.value;
  if (op == RSH_OP_FLOOR) {
    LLVMValueRef is_above = above(c, whole, x);
    whole = choose(c, is_above, sub(c, whole, one), whole);
  } else if (op == RSH_OP_CEIL) {
    LLVMValueRef is_below = above(c, x, whole);
    whole = choose(c, is_below, add(c, whole, one), whole);
  } else {
    LLVMValueRef part = magnitude(c, sub(c, x, whole));
    LLVMValueRef down = above(c, num(c, 0.5), part);
    whole = choose(c, down, whole, add(c, whole, with_sign(c, one, x)));
  }
  return choose(c, w.has_part, with_sign(c, whole, x), x); // -0.2 rounds to -0
}

static LLVMValueRef shrink(Calc *c, LLVMValueRef x, bool is_soft) {
  LLVMValueRef part = is_soft ? sub(c, x, with_sign(c, num(c, 0.5), x)) : x;
  return choose(c, up_to(c, magnitude(c, x), num(c, 0.5)), num(c, 0), part);
}

static LLVMValueRef leaky_relu(Calc *c, LLVMValueRef x) {
  LLVMValueRef is_positive = above(c, x, num(c, 0));
  return choose(c, is_positive, x, mul(c, num(c, 0.02), x));
}

// Past 20 the rest is below half a unit in the last place of f32.
static LLVMValueRef near_softplus(Calc *c, LLVMValueRef x) {
  LLVMValueRef is_far = above(c, x, num(c, 20));
  return choose(c, is_far, x, softplus(c, x));
}

static LLVMValueRef of_integer(Gen *g, rsh_op op, LLVMValueRef x, bool is_unsigned) {
  LLVMValueRef zero = LLVMConstInt(LLVMTypeOf(x), 0, false);
  if (is_unsigned)
    return x;
  LLVMValueRef negative = LLVMBuildICmp(g->builder, LLVMIntSLT, x, zero, "negative");
  LLVMValueRef instead = op == RSH_OP_ABS ? LLVMBuildNeg(g->builder, x, "minus") : zero;
  return LLVMBuildSelect(g->builder, negative, instead, x, "choice");
}

// ---- build_<enum> of activations.def ----

#define BUILD(id, value)                                                                           \
  static LLVMValueRef build_##id(Calc *c, LLVMValueRef x) { return value; }

BUILD(RELU, at_least(c, x, 0))
BUILD(RELU6, at_most(c, at_least(c, x, 0), 6))
BUILD(BRELU, at_most(c, at_least(c, x, 0), 24))
BUILD(LEAKY_RELU, leaky_relu(c, x))
BUILD(THRESHOLDED_RELU, choose(c, up_to(c, x, num(c, 1)), num(c, 0), x))
BUILD(ELU, elu(c, x))
#define build_CELU build_ELU
BUILD(SIGMOID, sigmoid(c, x))
BUILD(LOGSIGMOID, minus(c, softplus(c, minus(c, x))))
BUILD(TANH_SHRINK, tanh_shrink(c, x))
BUILD(SOFTPLUS, near_softplus(c, x))
BUILD(SOFT_RELU, softplus(c, at_most(c, at_least(c, x, -40), 40)))
BUILD(SOFTSIGN, quotient(c, x, add(c, num(c, 1), magnitude(c, x))))
BUILD(SOFTSHRINK, shrink(c, x, true))
BUILD(HARD_SHRINK, shrink(c, x, false))
// x + 2.5 is exact near -2.5, and 0.2*x is not
BUILD(HARD_SIGMOID, at_least(c, at_most(c, quotient(c, add(c, x, num(c, 2.5)), num(c, 5)), 1), 0))
BUILD(HARD_SWISH,
      mul(c, x, quotient(c, at_most(c, at_least(c, add(c, x, num(c, 3)), 0), 6), num(c, 6))))
BUILD(SWISH, swish(c, x))
#define build_SILU build_SWISH
BUILD(MISH, mish(c, x))
BUILD(STANH, mul(c, num(c, 1.7159), call(c, "tanh", mul(c, num(c, 0.67), x))))
BUILD(GELU, gelu(c, x))
BUILD(POW, ((void)c, x))
BUILD(SQRT, square_root(c, x))
BUILD(RSQRT, quotient(c, num(c, 1), square_root(c, x)))
BUILD(SQUARE, mul(c, x, x))
BUILD(RECIPROCAL, quotient(c, num(c, 1), x))
BUILD(ABS, magnitude(c, x))
BUILD(CEIL, round_to(c, RSH_OP_CEIL, x))
BUILD(FLOOR, round_to(c, RSH_OP_FLOOR, x))
BUILD(ROUND, round_to(c, RSH_OP_ROUND, x))
BUILD(TANH, call(c, "tanh", x))
BUILD(EXP, call(c, "exp", x))
BUILD(EXPM1, call(c, "expm1", x))
BUILD(LOG, call(c, "log", x))
BUILD(LOG2, call(c, "log2", x))
BUILD(LOG10, call(c, "log10", x))
BUILD(LOG1P, call(c, "log1p", x))
BUILD(SIN, call(c, "sin", x))
BUILD(COS, call(c, "cos", x))
BUILD(TAN, call(c, "tan", x))
BUILD(ASIN, call(c, "asin", x))
BUILD(ACOS, call(c, "acos", x))
BUILD(ATAN, call(c, "atan", x))
BUILD(SINH, call(c, "sinh", x))
BUILD(COSH, call(c, "cosh", x))
BUILD(ASINH, call(c, "asinh", x))
BUILD(ACOSH, call(c, "acosh", x))
BUILD(ATANH, call(c, "atanh", x))

LLVMValueRef activation_build(Gen *g, rsh_op op, LLVMValueRef x, bool is_unsigned) {
  static LLVMValueRef (*const build[RSH_OP_COUNT])(Calc *, LLVMValueRef) = {
#define RSH_ACTIVATION(id, name, libm, onnx, definition) [RSH_OP_##id] = build_##id,
#include "runtime/activations.def"
#undef RSH_ACTIVATION
  };
  Calc calc = {g, LLVMTypeOf(x)};
  return LLVMGetTypeKind(calc.type) == LLVMIntegerTypeKind ? of_integer(g, op, x, is_unsigned)
                                                           : build[op](&calc, x);
}
