// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Literals that become one element of a tensor: pad(x, [1, 1], value=-1.5).
//
//   value=300 for u8       bad_arg: 300 does not fit u8
//   value=1e-3 for f16     0x1419: the nearest value, ties to even
//   value=-inf, nan, true  names that are valid only here
#include "frontend/lower/lower_internal.h"
#include "runtime/convert.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// A parsed literal.
typedef struct Literal {
  enum { LITERAL_BOOL, LITERAL_INTEGER, LITERAL_LARGE, LITERAL_FLOAT } kind;
  int64_t integer; // BOOL, INTEGER
  uint64_t large;  // LARGE: 2^63 and more
  double number;   // FLOAT
  const char *text;
} Literal;

static bool read_float(Lower *l, const Expr *e, rsh_dtype dtype, Literal *out) {
  bool is_negative = e->kind == EXPR_NEGATE;
  if (is_negative)
    e = e->binary.left;
  const char *text = e->kind == EXPR_FLOAT ? e->number : e->kind == EXPR_NAME ? e->name : "";
  if (e->kind != EXPR_FLOAT && strcmp(text, "inf") != 0 && strcmp(text, "nan") != 0)
    return false;
  out->kind = LITERAL_FLOAT;
  out->text = arena_printf(l->arena, "%s%s", is_negative ? "-" : "", text);
  bool is_single = dtype == RSH_F32 || dtype == RSH_C64; // rounded once, from the text itself
  out->number = is_single ? (double)strtof(out->text, NULL) : strtod(out->text, NULL);
  return true;
}

static bool read_bool(const Expr *e, Literal *out) {
  if (e->kind != EXPR_NAME)
    return false;
  bool is_true = strcmp(e->name, "true") == 0 || strcmp(e->name, "True") == 0;
  bool is_false = strcmp(e->name, "false") == 0 || strcmp(e->name, "False") == 0;
  out->kind = LITERAL_BOOL;
  out->integer = is_true;
  out->text = is_true ? "true" : "false";
  return is_true || is_false;
}

static bool read_large(Lower *l, const Expr *e, Literal *out) {
  if (e->kind != EXPR_LARGE)
    return false;
  *out = (Literal){.kind = LITERAL_LARGE,
                   .large = e->large,
                   .text = arena_printf(l->arena, "%" PRIu64, e->large)};
  return true;
}

static bool read_integer(Lower *l, const Expr *e, Literal *out, Problem *p) {
  rsh_num n;
  if (!int_expr(l, e, &n, p))
    return false;
  if (!rsh_is_known(n))
    return problem_set(l, p, e->span, "unknown_size",
                       "an element must be a number; %s is known only at run time",
                       size_label(l, n));
  out->kind = LITERAL_INTEGER;
  out->integer = n.n;
  out->text = arena_printf(l->arena, "%" PRId64, n.n);
  return true;
}

// The largest finite number of types whose conversion saturates; others have an infinity.
//   f8e4m3fn: exponent 15, mantissa 110b, bias 7  ->  1.75 * 2^8
static double largest_finite(rsh_dtype dtype) {
  if (dtype == RSH_F8E8M0)
    return ldexp(1, 127);
  if (rsh_dtype_bits(dtype) > 8)
    return INFINITY;
  rsh_float f = rsh_dtype_float(dtype);
  int top = (1 << f.exponent_bits) - (f.special == RSH_IEEE ? 2 : 1);
  int units = (2 << f.mantissa_bits) - (f.special == RSH_ONE_NAN ? 2 : 1);
  return ldexp(units, top - f.bias - f.mantissa_bits);
}

// Returns whether a finite number stays finite, and an unsigned type gets no sign.
static bool is_in_range(double number, rsh_dtype dtype, const uint8_t bits[16]) {
  const rsh_cast_rule rule = {true, RSH_ROUND_NEAREST};
  double stored = 0;
  if (rsh_dtype_is_complex(dtype))
    dtype = dtype == RSH_C64 ? RSH_F32 : RSH_F64;
  if (!rsh_dtype_is_float(dtype))
    return true;
  if (dtype == RSH_F8E8M0 && number < 0)
    return false;
  if (!isfinite(number))
    return true;
  return rsh_convert(bits, dtype, &stored, RSH_F64, rule) == RSH_ok && isfinite(stored) &&
         fabs(number) <= largest_finite(dtype);
}

static bool store(const Literal *literal, rsh_dtype dtype, uint8_t bits[16]) {
  switch (literal->kind) {
  case LITERAL_BOOL:
    return dtype == RSH_BOOL && rsh_element_from_int(literal->integer, dtype, bits);
  case LITERAL_INTEGER:
    return rsh_element_from_int(literal->integer, dtype, bits) &&
           is_in_range((double)literal->integer, dtype, bits);
  case LITERAL_LARGE:
    return rsh_element_from_unsigned(literal->large, dtype, bits) &&
           is_in_range((double)literal->large, dtype, bits);
  case LITERAL_FLOAT:
    // strtof and strtod return infinity for numbers that are too large.
    if (isinf(literal->number) && !strstr(literal->text, "inf"))
      return false;
    return rsh_element_from_double(literal->number, dtype, bits) &&
           is_in_range(literal->number, dtype, bits);
  }
  return false;
}

// u8: ", whose values are 0 to 255". "" for 64 bits, and for types whose values are not consecutive integers.
static const char *range_words(Arena *arena, rsh_dtype dtype) {
  int bits = rsh_dtype_bits(dtype);
  if (!rsh_dtype_is_integer(dtype) || bits > 32)
    return "";
  bool is_signed = rsh_dtype_is_signed(dtype);
  int64_t most = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
  return arena_printf(arena, ", whose values are %" PRId64 " to %" PRId64,
                      is_signed ? -most - 1 : 0, most);
}

bool literal_element(Lower *l, const Expr *e, rsh_dtype dtype, uint8_t bits[16], const char **text,
                     Problem *p) {
  Literal literal = {.text = ""};
  if (!read_float(l, e, dtype, &literal) && !read_bool(e, &literal) &&
      !read_large(l, e, &literal) && !read_integer(l, e, &literal, p))
    return false;
  *text = literal.text;
  if (store(&literal, dtype, bits))
    return true;
  if (dtype == RSH_STRING)
    return problem_set(l, p, e->span, "unsupported",
                       "there are no literals of element type string");
  bool is_fraction = literal.kind == LITERAL_FLOAT && rsh_dtype_is_integer(dtype);
  return problem_set(
      l, p, e->span, "bad_arg", "%s does not fit %s%s", literal.text, rsh_dtype_name(dtype),
      is_fraction ? "; cast the tensor to a float type first" : range_words(l->arena, dtype));
}
