// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verify/verify_value.h"

#include "codegen/plan/plan.h"
#include "frontend/text/rescue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Values {
  const Map *map;
  ElementOf *element;
  const void *context;
  Number **row; // of each origin: the softmax of its rows, computed on first use
};

static uint64_t word_of(const uint8_t bits[16]) {
  uint64_t word = 0;
  for (int i = 7; i >= 0; i--)
    word = word << 8 | bits[i];
  return word;
}

static void set_word(uint8_t bits[16], uint64_t word) {
  memset(bits, 0, 16);
  for (int i = 0; i < 8; i++)
    bits[i] = (uint8_t)(word >> 8 * i);
}

static double double_of_word(uint64_t word) {
  double number;
  memcpy(&number, &word, sizeof number);
  return number;
}

static uint64_t word_of_double(double number) {
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  return word;
}

double value_as_double(const uint8_t bits[16], rsh_dtype dtype) {
  const rsh_cast_rule rule = {true, RSH_ROUND_UP};
  return double_of_word(rsh_convert_bits(word_of(bits), dtype, RSH_F64, rule));
}

// ---- functions of one number: of_<enum> of activations.def ----

static double logistic(double x) { return 1 / (1 + exp(-x)); }
static double log_one_exp(double x) { return x > 20 ? x : log1p(exp(x)); }

static double of_RELU(double x) { return x < 0 ? 0 : x; }
static double of_RELU6(double x) { return x < 0 ? 0 : x > 6 ? 6 : x; }
static double of_LEAKY_RELU(double x) { return x > 0 ? x : 0.02 * x; }
static double of_ELU(double x) { return x > 0 ? x : expm1(x); }
#define of_CELU of_ELU
static double of_SIGMOID(double x) { return logistic(x); }
static double of_LOGSIGMOID(double x) { return x < 0 ? x - log1p(exp(x)) : -log1p(exp(-x)); }
static double of_TANH(double x) { return tanh(x); }
static double of_TANH_SHRINK(double x) { return x - tanh(x); }
static double of_SOFTPLUS(double x) { return log_one_exp(x); }
static double of_SOFTSIGN(double x) { return x / (1 + fabs(x)); }
static double of_SOFTSHRINK(double x) {
  return x > 0.5 ? x - 0.5 : x < -0.5 ? x + 0.5 : x == x ? 0 : x;
}
static double of_HARD_SHRINK(double x) { return fabs(x) <= 0.5 ? 0 : x; }
static double of_HARD_SIGMOID(double x) { return x == x ? fmax(0, fmin(1, 0.2 * x + 0.5)) : x; }
static double of_HARD_SWISH(double x) { return x == x ? x * fmin(fmax(0, x + 3), 6) / 6 : x; }
static double of_SWISH(double x) { return x * logistic(x); }
#define of_SILU of_SWISH
static double of_MISH(double x) { return x * tanh(log_one_exp(x)); }
static double of_BRELU(double x) { return x < 0 ? 0 : x > 24 ? 24 : x; }
static double of_SOFT_RELU(double x) { return x == x ? log1p(exp(fmax(-40, fmin(x, 40)))) : x; }
static double of_THRESHOLDED_RELU(double x) { return x <= 1 ? 0 : x; }
static double of_STANH(double x) { return 1.7159 * tanh(0.67 * x); }
static double of_GELU(double x) { return 0.5 * x * erfc(-x / sqrt(2)); }
static double of_EXP(double x) { return exp(x); }
static double of_EXPM1(double x) { return expm1(x); }
static double of_LOG(double x) { return log(x); }
static double of_LOG2(double x) { return log2(x); }
static double of_LOG10(double x) { return log10(x); }
static double of_LOG1P(double x) { return log1p(x); }
static double of_SQRT(double x) { return sqrt(x); }
static double of_RSQRT(double x) { return 1 / sqrt(x); }
static double of_SQUARE(double x) { return x * x; }
static double of_RECIPROCAL(double x) { return 1 / x; }
static double of_SIN(double x) { return sin(x); }
static double of_COS(double x) { return cos(x); }
static double of_TAN(double x) { return tan(x); }
static double of_ASIN(double x) { return asin(x); }
static double of_ACOS(double x) { return acos(x); }
static double of_ATAN(double x) { return atan(x); }
static double of_SINH(double x) { return sinh(x); }
static double of_COSH(double x) { return cosh(x); }
static double of_ASINH(double x) { return asinh(x); }
static double of_ACOSH(double x) { return acosh(x); }
static double of_ATANH(double x) { return atanh(x); }
static double of_ABS(double x) { return fabs(x); }
static double of_CEIL(double x) { return ceil(x); }
static double of_FLOOR(double x) { return floor(x); }
static double of_ROUND(double x) { return round(x); }
static double of_POW(double x) { return x; } // to the power of 1

static double activation(rsh_op op, double x) {
  static double (*const function[RSH_OP_COUNT])(double) = {
#define RSH_ACTIVATION(id, name, libm, onnx, definition) [RSH_OP_##id] = of_##id,
#include "runtime/activations.def"
#undef RSH_ACTIVATION
  };
  return function[op](x);
}

// The distance from 1 to the next number of a type.
static double value_step(rsh_dtype dtype) {
  rsh_float f = rsh_dtype_float(dtype);
  return f.special == RSH_NO_FLOAT ? 0 : ldexp(1, -f.mantissa_bits);
}

static double rounding(double number, rsh_dtype dtype) {
  double step = value_step(dtype);
  return isfinite(number) ? 16 * step * fabs(number) + step * 1e-3 : 0;
}

static double finite_or_0(double x) { return isfinite(x) ? x : 0; }

// How far f(x) may be from f of a number within the tolerance of x: as at the ends, if the function has at most one
// maximum or jump between them. A periodic one may have more, and is then anywhere in its range. If x may be any
// number, so may f(x).
static double reach_between(double tolerance, double y, double low, double high, bool has_more,
                            double range) {
  if (isinf(tolerance))
    return INFINITY;
  return has_more ? range : fmax(fabs(finite_or_0(low - y)), fabs(finite_or_0(high - y)));
}

static double range_of_periodic(rsh_op op) {
  return op == RSH_OP_TAN ? INFINITY : op == RSH_OP_SIN || op == RSH_OP_COS ? 2 : 0;
}

static void apply_activation(Number *n, rsh_op op) {
  double x = n->is_near ? n->near : value_as_double(n->bits, n->dtype), y = activation(op, x);
  double tolerance = n->is_near ? n->tolerance : 0, reach = 0, range = range_of_periodic(op);
  if (tolerance > 0)
    reach = reach_between(tolerance, y, activation(op, x - tolerance),
                          activation(op, x + tolerance), range > 0 && tolerance > 1, range);
  n->is_near = true;
  n->near = y;
  // the expected value is computed in double, where x - tanh(x) loses digits
  n->tolerance = reach + rounding(y, n->dtype) + 2 * value_step(RSH_F64) * fabs(finite_or_0(x));
}

// relu and abs of integers are exact.
static void apply_to_integer(Number *n, rsh_op op) {
  if (!rsh_dtype_is_signed(n->dtype))
    return;
  int bits = rsh_dtype_bits(n->dtype);
  uint64_t word = word_of(n->bits);
  if (word >> (bits - 1) & 1)
    word = op == RSH_OP_RELU ? 0 : UINT64_C(0) - word;
  set_word(n->bits, bits < 64 ? word & ((UINT64_C(1) << bits) - 1) : word);
}

// ---- arithmetic: exact_<enum> and whole_<enum> of arithmetic.def ----

// Double holds sums, products and quotients of all narrower types precisely enough to be rounded once more.
static double exact_ADD(double x, const double *c) { return x + c[0]; }
static double exact_SUB(double x, const double *c) { return x - c[0]; }
static double exact_RSUB(double x, const double *c) { return c[0] - x; }
static double exact_MUL(double x, const double *c) { return x * c[0]; }
static double exact_DIV(double x, const double *c) { return x / c[0]; }
static double exact_RDIV(double x, const double *c) { return c[0] / x; }
static double exact_MIN(double x, const double *c) {
  return isnan(x) || isnan(c[0]) ? NAN : x < c[0] ? x : c[0];
}
static double exact_MAX(double x, const double *c) {
  return isnan(x) || isnan(c[0]) ? NAN : x > c[0] ? x : c[0];
}
static double exact_CLIP(double x, const double *c) { return exact_MIN(exact_MAX(x, c), c + 1); }
static double exact_NEG(double x, const double *c) { return (void)c, -x; }
static double exact_ROUND_EVEN(double x, const double *c) { return (void)c, nearbyint(x); }
static double exact_REM(double x, const double *c) { return fmod(x, c[0]); }
// As in Python: the remainder has the sign of c, even if it is 0.
static double exact_MOD(double x, const double *c) {
  double rest = fmod(x, c[0]);
  bool is_other = rest != 0 && signbit(rest) != signbit(c[0]);
  return rest == 0 ? copysign(0, c[0]) : is_other ? rest + c[0] : rest;
}
#define exact_BITWISE_AND NULL // integers only
#define exact_BITWISE_OR NULL
#define exact_BITWISE_XOR NULL
#define exact_BITWISE_NOT NULL
#define exact_SHIFT_LEFT NULL
#define exact_SHIFT_RIGHT NULL

// Integers extended to 64-bit words, by zeros or, if `has_sign`, by their sign. Bits above the width of the type
// are discarded later.
static int64_t as_signed(uint64_t x) { return x >> 63 ? -(int64_t)~x - 1 : (int64_t)x; }
static bool is_under(uint64_t a, uint64_t b, bool has_sign) {
  return has_sign ? as_signed(a) < as_signed(b) : a < b;
}

static uint64_t whole_ADD(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)has_sign, x + c[0];
}
static uint64_t whole_SUB(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)has_sign, x - c[0];
}
static uint64_t whole_RSUB(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)has_sign, c[0] - x;
}
static uint64_t whole_MUL(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)has_sign, x * c[0];
}
static uint64_t whole_DIV(uint64_t x, const uint64_t *c, bool has_sign) {
  uint64_t over = has_sign && x >> 63 ? -x : x, by = has_sign && c[0] >> 63 ? -c[0] : c[0];
  bool is_negative = has_sign && (x ^ c[0]) >> 63;
  return is_negative ? -(over / by) : over / by;
}
static uint64_t whole_REM(uint64_t x, const uint64_t *c, bool has_sign) {
  return x - c[0] * whole_DIV(x, c, has_sign);
}
// As in Python: the remainder has the sign of c.
static uint64_t whole_MOD(uint64_t x, const uint64_t *c, bool has_sign) {
  uint64_t rest = whole_REM(x, c, has_sign);
  return has_sign && rest != 0 && (rest ^ c[0]) >> 63 ? rest + c[0] : rest;
}
static uint64_t whole_MIN(uint64_t x, const uint64_t *c, bool has_sign) {
  return is_under(x, c[0], has_sign) ? x : c[0];
}
static uint64_t whole_MAX(uint64_t x, const uint64_t *c, bool has_sign) {
  return is_under(x, c[0], has_sign) ? c[0] : x;
}
static uint64_t whole_CLIP(uint64_t x, const uint64_t *c, bool has_sign) {
  return whole_MIN(whole_MAX(x, c, has_sign), c + 1, has_sign);
}
static uint64_t whole_NEG(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)c, (void)has_sign, -x;
}
static uint64_t whole_BITWISE_AND(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)has_sign, x & c[0];
}
static uint64_t whole_BITWISE_OR(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)has_sign, x | c[0];
}
static uint64_t whole_BITWISE_XOR(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)has_sign, x ^ c[0];
}
static uint64_t whole_BITWISE_NOT(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)c, (void)has_sign, ~x;
}
static uint64_t whole_SHIFT_LEFT(uint64_t x, const uint64_t *c, bool has_sign) {
  return (void)has_sign, c[0] < 64 ? x << c[0] : 0;
}
static uint64_t whole_SHIFT_RIGHT(uint64_t x, const uint64_t *c, bool has_sign) {
  bool is_negative = has_sign && x >> 63;
  uint64_t shifted = c[0] < 64 ? (is_negative ? ~x : x) >> c[0] : 0;
  return is_negative ? ~shifted : shifted;
}
#define whole_RDIV NULL // floats only
#define whole_ROUND_EVEN NULL

typedef struct Arithmetic {
  double (*exact)(double x, const double *c);
  uint64_t (*whole)(uint64_t x, const uint64_t *c, bool has_sign);
} Arithmetic;

// NULL: not an operator of arithmetic.def.
static const Arithmetic *arithmetic_of(rsh_op op) {
  static const Arithmetic table[RSH_OP_COUNT] = {
#define RSH_ARITHMETIC(id, name, args, types, sign, libm, onnx, definition)                        \
  [RSH_OP_##id] = {exact_##id, whole_##id},
#include "runtime/arithmetic.def"
#undef RSH_ARITHMETIC
  };
  return table[op].exact || table[op].whole ? &table[op] : NULL;
}

// The bits of argument i. False: clip lacks this bound, and the type's limit applies.
static bool argument_bits(const Chain *of, int i, uint64_t *bits) {
  const rsh_arg *arg = &of->node->call.arg[i];
  bool is_given = arg->kind == RSH_ARG_VALUE;
  *bits = is_given ? (uint64_t)arg->list[rsh_arg_is_table(arg) ? of->entry : 0].n : 0;
  return is_given;
}

static uint64_t with_sign_bits(uint64_t word, rsh_dtype dtype) {
  int bits = rsh_dtype_bits(dtype);
  uint64_t above = bits < 64 ? ~UINT64_C(0) << bits : 0;
  return rsh_dtype_is_signed(dtype) && word >> (bits - 1) & 1 ? word | above : word & ~above;
}

static void arithmetic_on_integer(Number *n, const Arithmetic *of, const Chain *chain) {
  bool has_sign = rsh_dtype_is_signed(n->dtype);
  uint64_t c[RSH_CONSTANTS] = {has_sign ? UINT64_C(1) << 63 : 0, UINT64_MAX >> has_sign}, bits = 0;
  for (int i = 0; i < RSH_CONSTANTS; i++)
    if (argument_bits(chain, i, &bits))
      c[i] = with_sign_bits(bits, n->dtype);
  uint64_t word = of->whole(with_sign_bits(word_of(n->bits), n->dtype), c, has_sign);
  int width = n->dtype == RSH_BOOL ? 1 : rsh_dtype_bits(n->dtype);
  set_word(n->bits, width < 64 ? word & ((UINT64_C(1) << width) - 1) : word);
}

// Rounds to the type after each operator, so the result is exact if the operand is.
static void arithmetic_on_float(Number *n, const Arithmetic *of, const Chain *chain) {
  const rsh_cast_rule rule = {false, RSH_ROUND_NEAREST};
  double c[RSH_CONSTANTS] = {-INFINITY, INFINITY};
  uint64_t bits = 0;
  for (int i = 0; i < RSH_CONSTANTS; i++)
    if (argument_bits(chain, i, &bits))
      c[i] = double_of_word(rsh_convert_bits(bits, n->dtype, RSH_F64, rule));
  double x = n->is_near ? n->near : value_as_double(n->bits, n->dtype), y = of->exact(x, c);
  if (n->is_near) {
    bool is_remainder = of->exact == exact_REM || of->exact == exact_MOD;
    double reach = reach_between(n->tolerance, y, of->exact(x - n->tolerance, c),
                                 of->exact(x + n->tolerance, c),
                                 is_remainder && 2 * n->tolerance > fabs(c[0]), 2 * fabs(c[0]));
    n->tolerance = reach + rounding(y, n->dtype);
    n->near = y;
  } else if (isnan(y)) { // which NaN is unspecified
    n->is_near = true;
    n->near = y;
    n->tolerance = 0;
  } else {
    set_word(n->bits, rsh_convert_bits(word_of_double(y), RSH_F64, n->dtype, rule));
  }
}

// ---- quantize, dequantize ----

static double rounded_to(double x, rsh_dtype dtype) {
  const rsh_cast_rule rule = {false, RSH_ROUND_NEAREST};
  return double_of_word(rsh_convert_bits(rsh_convert_bits(word_of_double(x), RSH_F64, dtype, rule),
                                         dtype, RSH_F64, rule));
}

static double number_of_word(uint64_t word, rsh_dtype dtype) {
  uint8_t bits[16];
  if (rsh_dtype_is_integer(dtype))
    return (double)as_signed(with_sign_bits(word, dtype));
  set_word(bits, word);
  return value_as_double(bits, dtype);
}

// Clamps to the range; NaN becomes the least value.
static double quantized(double x, double scale, double zero, rsh_dtype from, rsh_dtype to) {
  double whole = nearbyint(rounded_to(x / scale, from)) + zero;
  int bits = rsh_dtype_bits(to) - rsh_dtype_is_signed(to);
  double least = rsh_dtype_is_signed(to) ? -ldexp(1, bits) : 0, most = ldexp(1, bits) - 1;
  return isnan(whole) ? least : fmin(fmax(whole, least), most);
}

static void apply_quantize(Number *n, const rsh_step *step) {
  double scale = number_of_word(step->constant[0], step->from);
  double x = n->is_near ? n->near : value_as_double(n->bits, n->dtype);
  if (!rsh_dtype_is_integer(step->to)) {
    double q = rounded_to(x / scale, step->from);
    if (step->to == RSH_F4E2M1) // whose zero point is 0 or, if it is absent, -0
      q += number_of_word(step->constant[1], step->to);
    n->tolerance = n->is_near ? n->tolerance / fabs(scale) + rounding(q, step->to) : 0;
    n->near = q;
    if (!n->is_near)
      set_word(n->bits, rsh_convert_bits(word_of_double(q), RSH_F64, step->to, step->rule));
  } else {
    double zero = number_of_word(step->constant[1], step->to);
    double q = quantized(x, scale, zero, step->from, step->to);
    n->tolerance = n->is_near ? n->tolerance / fabs(scale) + 1 : 0;
    n->near = q;
    int bits = rsh_dtype_bits(step->to);
    uint64_t word = q < 0 ? -(uint64_t)-q : (uint64_t)q;
    set_word(n->bits, word & ((UINT64_C(1) << bits) - 1));
  }
  n->dtype = step->to;
}

static void apply_dequantize(Number *n, const rsh_step *step) {
  const rsh_cast_rule rule = {true, RSH_ROUND_NEAREST};
  double scale = number_of_word(step->constant[0], step->to);
  double zero =
      rsh_dtype_is_integer(step->from) ? number_of_word(step->constant[1], step->from) : 0;
  double x = n->is_near                         ? n->near
             : rsh_dtype_is_integer(step->from) ? number_of_word(word_of(n->bits), step->from)
                                                : value_as_double(n->bits, step->from);
  double y = rounded_to((rounded_to(x, RSH_F32) - zero) * scale, RSH_F32);
  n->tolerance = n->is_near ? n->tolerance * fabs(scale) + rounding(y, step->to) : 0;
  n->near = y;
  n->is_near = n->is_near || isnan(y); // a NaN may have any bits
  set_word(n->bits, rsh_convert_bits(word_of_double(y), RSH_F64, step->to, rule));
  n->dtype = step->to;
}

// MultiplyByQuantizedMultiplier of TensorFlow Lite, literally as defined.
static void apply_requantize(Number *n, const rsh_step *step) {
  int shift = (int)as_signed(step->constant[1]), up = shift > 0 ? shift : 0;
  int64_t x = as_signed(with_sign_bits(word_of(n->bits) << up, RSH_I32));
  int64_t product = x * as_signed(step->constant[0]), half = INT64_C(1) << 30;
  x = (product + (product >= 0 ? half : 1 - half)) / (2 * half);
  int64_t part = INT64_C(1) << (shift < 0 ? -shift : 0), floor = x / part - (x % part < 0);
  int64_t rest = x - floor * part;
  x = floor + (rest > ((part - 1) >> 1) + (x < 0));
  int64_t zero = (int64_t)number_of_word(step->constant[2], step->to);
  int bits = rsh_dtype_bits(step->to);
  int64_t least = rsh_dtype_is_signed(step->to) ? -(INT64_C(1) << (bits - 1)) : 0;
  int64_t most = least + (INT64_C(1) << bits) - 1;
  x = x + zero < least ? least : x + zero > most ? most : x + zero;
  set_word(n->bits, (uint64_t)x & ((UINT64_C(1) << bits) - 1));
  n->near = (double)x; // for approximate numbers: any result
  n->tolerance = INFINITY;
  n->dtype = step->to;
}

static void cast_near(Number *n, rsh_dtype to) {
  if (to == RSH_BOOL) {
    n->is_near = fabs(n->near) <= n->tolerance; // all others are true, any NaN included
    n->tolerance = 1;
    n->near = n->near != 0;
    set_word(n->bits, 1);
  } else if (rsh_dtype_is_integer(to)) {
    int bits = rsh_dtype_bits(to) - (rsh_dtype_is_signed(to) ? 1 : 0);
    double low = rsh_dtype_is_signed(to) ? -ldexp(1, bits) : 0, high = ldexp(1, bits) - 1;
    n->near = isnan(n->near) ? 0 : fmin(fmax(trunc(n->near), low), high);
    n->tolerance += rsh_dtype_bits(to) < 8 ? 16 : 1 + fabs(n->near) * 1e-15;
  } else if (isnan(n->near) && rsh_dtype_float(to).special == RSH_NUMBERS) {
    n->near = 0; // the least number or the greatest, by the NaN's unspecified sign
    n->tolerance = INFINITY;
  } else {
    n->tolerance += rounding(n->near, to);
  }
}

// An approximate integer may be one of several, whose results have little in common.
static void accept_any(Number *n) {
  *n = (Number){.dtype = n->dtype, .is_near = true, .tolerance = INFINITY};
}

// Entry 0 is for the least number of the operand's type.
static void apply_lookup(Number *n, const rsh_call *call) {
  rsh_dtype from = call->in_type[0], to = rsh_out_type(call);
  int64_t least = rsh_dtype_is_signed(from) ? -(INT64_C(1) << (rsh_dtype_bits(from) - 1)) : 0;
  int64_t at =
      from == RSH_BOOL ? word_of(n->bits) != 0 : (int64_t)value_as_double(n->bits, from) - least;
  if (n->is_near)
    accept_any(n);
  else
    set_word(n->bits, (uint64_t)call->arg[0].list[at].n);
  n->dtype = to;
}

static void apply_cast(Number *n, const rsh_step *step) {
  if (n->is_near)
    cast_near(n, step->to);
  else if (step->from != step->to)
    set_word(n->bits, rsh_convert_bits(word_of(n->bits), step->from, step->to, step->rule));
  n->dtype = step->to;
}

void number_set_type(Number *n, rsh_dtype dtype) {
  if (n->dtype == dtype)
    return;
  n->dtype = dtype;
  if (n->is_near) {
    n->near = 0;
    n->tolerance = INFINITY;
  }
}

// A NaN that passed through several types may have become quiet, or may be unchanged if the casts were folded.
static void forget_nan(Number *n) {
  if (n->is_near || !rsh_dtype_is_float(n->dtype) || !isnan(value_as_double(n->bits, n->dtype)))
    return;
  n->is_near = true;
  n->near = NAN;
  n->tolerance = 0;
}

static void apply_chain(const Map *map, int chain, Number *n) {
  rsh_step step;
  if (chain == 0)
    return;
  const Chain *last = &map->chain.item[chain];
  apply_chain(map, last->before, n);
  const rsh_call *call = &last->node->call;
  number_set_type(n, call->in_type[0]);
  if (!rsh_step_of_call(call, &step))
    abort(); // all functions of a chain are steps
  for (int i = 0; i < RSH_CONSTANTS; i++)
    if (step.tables >> i & 1)
      argument_bits(last, i, &step.constant[i]);
  if (call->op == RSH_OP_CAST) {
    apply_cast(n, &step);
    if (last->before != 0)
      forget_nan(n);
  } else if (call->op == RSH_OP_QUANTIZE)
    apply_quantize(n, &step);
  else if (call->op == RSH_OP_DEQUANTIZE)
    apply_dequantize(n, &step);
  else if (call->op == RSH_OP_REQUANTIZE)
    apply_requantize(n, &step);
  else if (call->op == RSH_OP_LOOKUP)
    apply_lookup(n, call);
  else if (n->is_near && !rsh_dtype_is_float(n->dtype))
    accept_any(n);
  else if (arithmetic_of(call->op) && rsh_dtype_is_float(n->dtype))
    arithmetic_on_float(n, arithmetic_of(call->op), last);
  else if (arithmetic_of(call->op))
    arithmetic_on_integer(n, arithmetic_of(call->op), last);
  else if (rsh_dtype_is_integer(n->dtype))
    apply_to_integer(n, call->op);
  else
    apply_activation(n, call->op);
}

// Tests all patterns of up to 16 bits; of wider types words with one run of ones, which reach each bit and each carry.
bool value_keeps_bits(const Map *map, int chain, rsh_dtype dtype) {
  int bits = rsh_dtype_bits(dtype);
  int64_t count = bits <= 16 ? INT64_C(1) << bits : (int64_t)bits * bits;
  for (int64_t i = 0; chain != 0 && i < count; i++) {
    uint64_t word = (uint64_t)i;
    if (bits > 16)
      word = (UINT64_MAX >> (64 - bits) >> (i / bits)) << (i % bits) & UINT64_MAX >> (64 - bits);
    if (dtype == RSH_BOOL && i > 1)
      return true;
    Number n = {.dtype = dtype};
    set_word(n.bits, word);
    if (rsh_dtype_is_float(dtype) && isnan(value_as_double(n.bits, dtype)))
      continue;
    apply_chain(map, chain, &n);
    if (n.is_near || word_of(n.bits) != word)
      return false;
  }
  return true;
}

// ---- cells ----

void value_load(const uint8_t *data, int64_t at, int bits, uint8_t to[16]) {
  memset(to, 0, 16);
  if (bits >= 8)
    memcpy(to, data + at * (bits / 8), (size_t)bits / 8);
  else
    to[0] = (uint8_t)(data[at / (8 / bits)] >> (int)(at % (8 / bits)) * bits & ((1 << bits) - 1));
}

bool value_is_given(const Map *map, const Origin *origin, int64_t label, uint8_t to[16]) {
  int64_t i = label - origin->first;
  memset(to, 0, 16);
  if (origin->kind == ORIGIN_FILL)
    memcpy(to, origin->fill->bits, 16);
  else if (origin->kind == ORIGIN_CONSTANT)
    value_load(origin->value->data, i, plan_element_bits(origin->value->dtype), to);
  else if (map->target[origin->value->id])
    memcpy(to, &map->target[origin->value->id][i], 8);
  else
    return false;
  return true;
}

static rsh_dtype dtype_of_origin(const Origin *origin) {
  switch (origin->kind) {
  case ORIGIN_FILL:
    return origin->fill->dtype;
  case ORIGIN_ROWS:
  case ORIGIN_BITS:
    return origin->node->out[0]->dtype;
  case ORIGIN_INPUT:
  case ORIGIN_CONSTANT:
    break;
  }
  return origin->value->dtype;
}

// e^(x - m) divided by the sum of these.
static void softmax_row(Values *values, const Origin *origin, int64_t first, Number *out) {
  double most = -INFINITY, sum = 0,
         before = 0; // the largest error of an operand, which shifts the sum
  rsh_dtype dtype = dtype_of_origin(origin);
  for (int64_t i = 0; i < origin->length; i++) {
    out[i] = value_of_cell(values, origin->cell[first + i]);
    number_set_type(&out[i], dtype);
    if (!out[i].is_near)
      out[i].near = value_as_double(out[i].bits, dtype);
    if (!out[i].is_near)
      out[i].tolerance = 0;
    most = out[i].near > most || isnan(out[i].near) ? out[i].near : most;
    before = fmax(before, out[i].tolerance);
  }
  for (int64_t i = 0; i < origin->length; i++)
    sum += exp(out[i].near - most);
  for (int64_t i = 0; i < origin->length; i++) {
    out[i].near = exp(out[i].near - most) / sum;
    out[i].is_near = true;
    out[i].tolerance =
        isinf(before) ? INFINITY : 4 * before * out[i].near + 4 * rounding(out[i].near, dtype);
  }
}

static Number *rows_of(Values *values, const Origin *origin) {
  ptrdiff_t index = origin - values->map->origin.item;
  if (values->row[index])
    return values->row[index];
  Number *row = memory_of(calloc((size_t)origin->count + 1, sizeof *row));
  for (int64_t i = 0; i < origin->count; i += origin->length)
    softmax_row(values, origin, i, row + i);
  return values->row[index] = row;
}

// Element i of a bitcast to another size: part i % each of a larger element, or `each` smaller ones, the first in the
// lowest bits. Bits of approximate elements are unknown.
static void bits_of_cells(Values *values, const Origin *origin, int64_t i, Number *out) {
  rsh_dtype from = origin->node->in[0]->dtype;
  int have = rsh_dtype_bits(from), want = rsh_dtype_bits(out->dtype);
  int64_t each = have > want ? have / want : want / have;
  uint64_t word = 0;
  for (int64_t k = 0; k < (have > want ? 1 : each); k++) {
    Number n = value_of_cell(values, origin->cell[have > want ? i / each : i * each + k]);
    number_set_type(&n, from);
    if (n.is_near) {
      *out = (Number){.dtype = out->dtype, .is_near = true, .tolerance = INFINITY};
      return;
    }
    uint64_t bits = word_of(n.bits) & UINT64_MAX >> (64 - have);
    word |= have > want ? bits >> (i % each * want) : bits << (k * have);
  }
  set_word(out->bits, word & UINT64_MAX >> (64 - want));
}

Number value_of_cell(Values *values, int64_t cell) {
  const Origin *origin = map_origin(values->map, CELL_LABEL(cell));
  Number n = {.dtype = dtype_of_origin(origin)};
  if (origin->kind == ORIGIN_ROWS)
    n = rows_of(values, origin)[CELL_LABEL(cell) - origin->first];
  else if (origin->kind == ORIGIN_BITS)
    bits_of_cells(values, origin, CELL_LABEL(cell) - origin->first, &n);
  else
    values->element(values->context, origin, CELL_LABEL(cell), n.bits);
  apply_chain(values->map, CELL_CHAIN(cell), &n);
  return n;
}

Values *values_new(const Map *map, ElementOf *element, const void *context) {
  Values *values = memory_of(calloc(1, sizeof *values));
  Number **row = memory_of(calloc((size_t)map->origin.count + 1, sizeof *row));
  *values = (Values){map, element, context, row};
  return values;
}

void values_free(Values *values) {
  for (int i = 0; i < values->map->origin.count; i++)
    free(values->row[i]);
  free(values->row);
  free(values);
}

// ---- samples ----

static uint64_t hash(uint64_t x) { // splitmix64
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

// True if the results of the operator have a tolerance.
static bool is_near_only(rsh_op op) {
  return op != RSH_OP_CAST && op != RSH_OP_QUANTIZE && op != RSH_OP_DEQUANTIZE &&
         op != RSH_OP_REQUANTIZE && !arithmetic_of(op);
}

static bool has_arithmetic(const Map *map) {
  bool found = false;
  for (int i = 0; i < map->origin.count; i++)
    found = found || map->origin.item[i].kind == ORIGIN_ROWS;
  for (int i = 1; i < map->chain.count; i++)
    found = found || is_near_only(map->chain.item[i].node->call.op);
  return found;
}

// A number near the limits of types, their subnormals, or their rounding: 1.75 * 2^15 is the largest f8e5m2.
static double edge_number(uint64_t n) {
  static const double fraction[] = {1,    1.0625, 1.125,  1.25,       1.5,
                                    1.75, 1.875,  1.9375, 1.99609375, 1.9990234375};
  static const int exponent[] = {-149, -127, -126, -24, -17, -16, -15, -14, -10, -9, -8,
                                 -7,   -6,   -3,   0,   1,   2,   7,   8,   15,  31, 127};
  enum {
    FRACTIONS = sizeof fraction / sizeof *fraction,
    EXPONENTS = sizeof exponent / sizeof *exponent
  };
  double number = ldexp(fraction[n % FRACTIONS], exponent[n / FRACTIONS % EXPONENTS]);
  return n / FRACTIONS / EXPONENTS % 2 ? -number : number;
}

// Half of the samples are small numbers, which most types have; the others are arbitrary bits. If floats are computed
// with, all are in -4 ... 4, so that errors stay small; if not, a quarter are edges. Elements of one byte take all bit
// patterns in turn, 64 over all rounds, and in a different order than the next 64 elements, which may be in their
// place.
void value_sample(const Map *map, int round, rsh_dtype dtype, int64_t label, uint8_t to[16]) {
  const rsh_cast_rule rule = {true, RSH_ROUND_NEAREST};
  uint64_t h = hash((uint64_t)label * 64 + (uint64_t)round);
  int bits = rsh_dtype_bits(dtype);
  bool is_float = rsh_dtype_is_float(dtype), computes = is_float && has_arithmetic(map);
  uint64_t turn = (uint64_t)label * 12 + (uint64_t)round;
  if (is_float && !computes && bits > 8 && turn % 4 == 0) {
    set_word(to, rsh_convert_bits(word_of_double(edge_number(turn / 4)), RSH_F64, dtype, rule));
    return;
  }
  if (is_float && (computes || (h & 1 && bits > 8))) {
    double grid = bits <= 16 ? 32 : 65536, range = computes ? 4 : 300;
    double number = fmod((double)(h >> 12), 2 * range * grid) / grid - range;
    set_word(to, rsh_convert_bits(word_of_double(number), RSH_F64, dtype, rule));
    return;
  }
  if (dtype == RSH_BOOL)
    h = h >> 8 & 1;
  else if (bits == 8)
    h = turn ^ (hash((uint64_t)label / 64 * 64 + (uint64_t)round) & 0xfc);
  else if (rsh_dtype_is_integer(dtype) && h & 1 && bits > 8)
    h = h >> 8 & 0xff;
  else
    h >>= 2;
  set_word(to, bits && bits < 64 ? h & ((UINT64_C(1) << bits) - 1) : h);
}
