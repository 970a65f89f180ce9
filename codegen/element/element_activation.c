// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of activations.def, of a float or a double; relu and abs also of integers. No intermediate result
// overflows unless the result does, and NaN stays NaN.
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

// The context of a computation.
typedef struct Calc {
  Element *e;
  rsh_dtype type; // f32 or f64; another if it keeps its bits
} Calc;

static int width(const Calc *c) { return rsh_dtype_bits(c->type); }
static bool is_computed(const Calc *c) { return c->type == RSH_F32 || c->type == RSH_F64; }

static ElementValue num(Calc *c, double n) {
  if (is_computed(c))
    return element_number(c->e, width(c), n);
  uint64_t bits = rsh_convert_bits(bits_of_single(n), RSH_F32, c->type, (rsh_cast_rule){0});
  return element_integer(c->e, width(c), bits);
}
static ElementValue add(Calc *c, ElementValue a, ElementValue b) {
  return element_binary(c->e, ELEMENT_F_ADD, a, b, "sum");
}
static ElementValue sub(Calc *c, ElementValue a, ElementValue b) {
  return element_binary(c->e, ELEMENT_F_SUB, a, b, "difference");
}
static ElementValue mul(Calc *c, ElementValue a, ElementValue b) {
  return element_binary(c->e, ELEMENT_F_MUL, a, b, "product");
}
static ElementValue quotient(Calc *c, ElementValue a, ElementValue b) {
  return element_binary(c->e, ELEMENT_F_DIV, a, b, "quotient");
}
static ElementValue minus(Calc *c, ElementValue x) {
  return element_unary(c->e, ELEMENT_F_NEGATE, x, "minus");
}
static bool is_single(const Calc *c) { return c->type == RSH_F32; }

// Comparisons with NaN are false. Functions that need only these also work on machines without a floating-point unit.
static ElementValue compared(Element *e, rsh_dtype type, bool is_above, ElementValue a,
                             ElementValue b) {
  const bool is_by_unit =
      type == RSH_F64 ? e->machine->has_double : type == RSH_F32 && e->machine->has_single;
  if (!is_by_unit)
    return soft_compare(e, type, is_above ? ELEMENT_MORE : ELEMENT_AT_MOST, a, b);
  return is_above ? element_compare(e, ELEMENT_F_MORE, a, b, "above")
                  : element_compare(e, ELEMENT_F_AT_MOST, a, b, "small");
}
ElementValue float_above(Element *e, rsh_dtype type, ElementValue a, ElementValue b) {
  return compared(e, type, true, a, b);
}
static ElementValue above(Calc *c, ElementValue a, ElementValue b) {
  return compared(c->e, c->type, true, a, b);
}
static ElementValue up_to(Calc *c, ElementValue a, ElementValue b) {
  return compared(c->e, c->type, false, a, b);
}
static ElementValue choose(Calc *c, ElementValue test, ElementValue yes, ElementValue no) {
  return element_select(c->e, test, yes, no);
}
static ElementValue at_least(Calc *c, ElementValue x, double least) {
  return choose(c, above(c, num(c, least), x), num(c, least), x);
}
static ElementValue at_most(Calc *c, ElementValue x, double most) {
  return choose(c, above(c, x, num(c, most)), num(c, most), x);
}

static ElementValue magnitude(Calc *c, ElementValue x) {
  return is_computed(c) ? element_unary(c->e, ELEMENT_MAGNITUDE, x, "value")
                        : masked(c->e, x, low(width(c) - 1));
}
static ElementValue square_root(Calc *c, ElementValue x) {
  return element_unary(c->e, ELEMENT_ROOT, x, "value");
}
static ElementValue with_sign(Calc *c, ElementValue x, ElementValue sign) {
  return element_binary(c->e, ELEMENT_WITH_SIGN, x, sign, "value");
}
static ElementValue call(Calc *c, const char *name, ElementValue x) {
  return element_libm(c->e, name, x);
}

// ln(1 + e^x) as max(x, 0) + ln(1 + e^-|x|), where the power is at most 1.
static ElementValue softplus(Calc *c, ElementValue x) {
  ElementValue small = call(c, "log1p", call(c, "exp", minus(c, magnitude(c, x))));
  return add(c, at_least(c, x, 0), small);
}

// 1 / (1 + e^-x), and for negative x e^x / (1 + e^x), so that the power is at most 1.
static ElementValue sigmoid(Calc *c, ElementValue x) {
  ElementValue e = call(c, "exp", minus(c, magnitude(c, x)));
  ElementValue over = choose(c, above(c, num(c, 0), x), e, num(c, 1));
  return quotient(c, over, add(c, num(c, 1), e));
}

// e^-|x|, and x times that. To keep the product precise if e^-|x| is subnormal, it is computed far from 0 as
// e^(far - |x|), times e^-far.
typedef struct Power {
  ElementValue e, times_x;
} Power;

static Power power_of(Calc *c, ElementValue x) {
  const double far = is_single(c) ? 64 : 512;
  const double factor = is_single(c) ? 0x1.969d47321e4ccp-93 : 0x1.44109edb20931p-739; // e^-far
  ElementValue size = magnitude(c, x), is_far = above(c, size, num(c, far));
  ElementValue back = minus(c, size), less = choose(c, is_far, sub(c, num(c, far), size), back);
  ElementValue scale = choose(c, is_far, num(c, factor), num(c, 1)), e = call(c, "exp", less);
  return (Power){mul(c, e, scale), mul(c, mul(c, x, e), scale)};
}

// x * sigmoid(x).
static ElementValue swish(Calc *c, ElementValue x) {
  Power p = power_of(c, x);
  ElementValue over = choose(c, above(c, num(c, 0), x), p.times_x, x);
  return quotient(c, over, add(c, num(c, 1), p.e));
}

// x * tanh(ln(1 + e^x)). With e = e^-|x|, the tanh is e(e + 2) / (e(e + 2) + 2) for negative x, otherwise (1 + 2e) / (1
// + 2e + 2ee).
static ElementValue mish(Calc *c, ElementValue x) {
  Power p = power_of(c, x);
  ElementValue two = num(c, 2), is_negative = above(c, num(c, 0), x);
  ElementValue more = add(c, p.e, two), twice = mul(c, p.e, two);
  ElementValue below = add(c, mul(c, p.e, more), two), some = add(c, num(c, 1), twice);
  ElementValue upper = choose(c, is_negative, more, some);
  ElementValue lower = choose(c, is_negative, below, add(c, some, mul(c, twice, p.e)));
  ElementValue scale = choose(c, is_negative, p.times_x, x);
  return mul(c, scale, quotient(c, upper, lower));
}

// x - tanh(x), for |x| < 1 without the subtraction: tanh(x) is x / (1 + a) with the continued fraction a = xx / (3 + xx
// / (5 + ...)), and the result is x * a / (1 + a).
static ElementValue tanh_shrink(Calc *c, ElementValue x) {
  ElementValue square = mul(c, x, x), a = num(c, 0), one = num(c, 1);
  for (int k = is_single(c) ? 11 : 19; k >= 3; k -= 2)
    a = quotient(c, square, add(c, num(c, k), a));
  ElementValue near = mul(c, x, quotient(c, a, add(c, one, a)));
  ElementValue is_near = above(c, one, magnitude(c, x));
  return choose(c, is_near, near, sub(c, x, call(c, "tanh", x)));
}

// The upper half of the digits of x.
static ElementValue leading(Calc *c, ElementValue x) {
  const ElementType integer = {width(c), false}, real = {width(c), true};
  ElementValue bits = element_cast(c->e, ELEMENT_BITS, x, integer, "bits");
  ElementValue mask = element_integer(c->e, width(c), is_single(c) ? ~0xFFFull : ~0x7FFFFFFull);
  ElementValue most = element_binary(c->e, ELEMENT_AND, bits, mask, "most");
  return element_cast(c->e, ELEMENT_BITS, most, real, "leading");
}

// x/2 * erfc(z) with z = -x / sqrt 2, since erfc is precise where 1 + erf has cancellation. Far below 0, erfc decreases
// like e^(-zz), which multiplies the rounding error of z by 2z, so that error is compensated.
static ElementValue gelu(Calc *c, ElementValue x) {
  const double root = -0.70710678118654752, high = is_single(c) ? -0x1.6ap-1 : -0x1.6a09e6p-1;
  const double low = is_single(c) ? -0x1.3cccfe7799211p-14 : -0x1.9fcef32422cbfp-27; // the low part
  ElementValue z = mul(c, num(c, root), x), first = leading(c, x);
  ElementValue rest = mul(c, sub(c, x, first), num(c, high));
  rest = add(c, rest, mul(c, x, num(c, low)));
  ElementValue lost = add(c, sub(c, mul(c, first, num(c, high)), z), rest);
  ElementValue half = mul(c, num(c, 0.5), x), e = mul(c, half, call(c, "erfc", z));
  ElementValue more = mul(c, e, mul(c, mul(c, num(c, -2), z), lost));
  ElementValue is_far = above(c, z, num(c, 1)), has_power = above(c, num(c, 64), z);
  is_far = element_binary(c->e, ELEMENT_AND, is_far, has_power, "is_far");
  return choose(c, is_far, add(c, e, more), e);
}

static ElementValue elu(Calc *c, ElementValue x) {
  ElementValue is_positive = above(c, x, num(c, 0));
  return choose(c, is_positive, x, call(c, "expm1", x));
}

// x without its fraction, if it may have one; larger numbers are integers or infinite, and NaN stays NaN.
typedef struct Whole {
  ElementValue has_part, value;
} Whole;

static Whole whole_part(Calc *c, ElementValue x) {
  const ElementType integer = {width(c), false}, real = {width(c), true};
  Whole w = {.has_part = above(c, num(c, is_single(c) ? 0x1p23 : 0x1p52), magnitude(c, x))};
  ElementValue safe = choose(c, w.has_part, x, num(c, 0));
  ElementValue n = element_cast(c->e, ELEMENT_SIGNED_OF_FLOAT, safe, integer, "integer");
  w.value = element_cast(c->e, ELEMENT_FLOAT_OF_SIGNED, n, real, "whole");
  return w;
}

static ElementValue round_to(Calc *c, rsh_op op, ElementValue x) {
  Whole w = whole_part(c, x);
  ElementValue one = num(c, 1), whole = w.value;
  if (op == RSH_OP_FLOOR) {
    ElementValue is_above = above(c, whole, x);
    whole = choose(c, is_above, sub(c, whole, one), whole);
  } else if (op == RSH_OP_CEIL) {
    ElementValue is_below = above(c, x, whole);
    whole = choose(c, is_below, add(c, whole, one), whole);
  } else {
    ElementValue part = magnitude(c, sub(c, x, whole));
    ElementValue down = above(c, num(c, 0.5), part);
    whole = choose(c, down, whole, add(c, whole, with_sign(c, one, x)));
  }
  return choose(c, w.has_part, with_sign(c, whole, x), x); // -0.2 rounds to -0
}

static ElementValue shrink(Calc *c, ElementValue x, bool is_soft) {
  ElementValue part = is_soft ? sub(c, x, with_sign(c, num(c, 0.5), x)) : x;
  return choose(c, up_to(c, magnitude(c, x), num(c, 0.5)), num(c, 0), part);
}

static ElementValue leaky_relu(Calc *c, ElementValue x) {
  ElementValue is_positive = above(c, x, num(c, 0));
  return choose(c, is_positive, x, mul(c, num(c, 0.02), x));
}

// Above 20 the difference from x is below half a unit in the last place of f32.
static ElementValue near_softplus(Calc *c, ElementValue x) {
  ElementValue is_far = above(c, x, num(c, 20));
  return choose(c, is_far, x, softplus(c, x));
}

static ElementValue of_integer(Element *e, rsh_op op, ElementValue x, bool is_unsigned) {
  if (is_unsigned)
    return x;
  ElementValue zero = element_integer(e, element_type(e, x).bits, 0);
  ElementValue negative = element_compare(e, ELEMENT_LESS, x, zero, "negative");
  ElementValue instead = op == RSH_OP_ABS ? negated(e, x) : zero;
  return element_select(e, negative, instead, x);
}

// ---- build_<enum> of activations.def ----

#define BUILD(id, value)                                                                           \
  static ElementValue build_##id(Calc *c, ElementValue x) { return value; }

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
// x + 2.5 is exact near -2.5, but 0.2*x is not.
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

// Whether the result is always x, its magnitude or a constant.
static bool chooses(rsh_op op) {
  return op == RSH_OP_RELU || op == RSH_OP_RELU6 || op == RSH_OP_BRELU || op == RSH_OP_ABS ||
         op == RSH_OP_THRESHOLDED_RELU || op == RSH_OP_HARD_SHRINK || op == RSH_OP_POW;
}

ElementValue activation_build(Element *e, const rsh_step *step, ElementValue bits) {
  static ElementValue (*const build[RSH_OP_COUNT])(Calc *, ElementValue) = {
#define RSH_ACTIVATION(id, name, libm, onnx, definition) [RSH_OP_##id] = build_##id,
#include "runtime/activations.def"
#undef RSH_ACTIVATION
  };
  if (chooses(step->op) && keeps_bits(step->from))
    return build[step->op](&(Calc){e, step->from}, bits);
  Number n = cast_apart(e, step->from, bits);
  Calc calc = {e, step->from == RSH_F64 ? RSH_F64 : RSH_F32};
  n.value = n.kind == FLOAT ? build[step->op](&calc, n.value)
                            : of_integer(e, step->op, n.value, n.kind == UNSIGNED);
  return cast_back(e, step, n);
}

// x - most is d + lost, and e^lost is about 1 + lost. If d is very negative, e^d is 0 and `lost` may be NaN.
const Element *element_power(Arena *arena, const ElementMachine *machine, bool is_double) {
  const ElementType type = {is_double ? 64 : 32, true};
  Element *e = element_new(arena, machine, NULL);
  Calc calc = {e, is_double ? RSH_F64 : RSH_F32}, *c = &calc;
  ElementValue x = element_parameter(e, 0, type, "x");
  ElementValue most = element_parameter(e, 1, type, "most");
  ElementValue d = sub(c, x, most), back = sub(c, d, x);
  ElementValue lost = sub(c, x, sub(c, d, back));
  lost = sub(c, lost, add(c, most, back));
  ElementValue power = call(c, "exp", d);
  ElementValue more = element_binary(e, ELEMENT_F_MUL, power, lost, "more");
  ElementValue sum = add(c, power, more);
  e->result = choose(c, element_compare(e, ELEMENT_F_MORE, d, num(c, -1000), "above"), sum, power);
  return e;
}
