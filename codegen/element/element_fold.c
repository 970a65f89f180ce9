// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on constants, worked out while a function is built: 3.0 * 2.0 is 6.0, without code.
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

#include <math.h>
#include <string.h>

// n as a signed number of this width.
static int64_t with_sign(uint64_t n, int bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((n ^ sign) - sign);
}

double float_of_bits(rsh_dtype type, uint64_t bits) {
  uint64_t wide = rsh_convert_bits(bits, type, RSH_F64, (rsh_cast_rule){true, RSH_ROUND_UP});
  double n;
  memcpy(&n, &wide, sizeof n);
  return n;
}

int64_t integer_of_bits(rsh_dtype type, uint64_t bits) {
  return rsh_dtype_is_signed(type) ? with_sign(bits, rsh_dtype_bits(type)) : (int64_t)bits;
}

uint64_t bits_of_single(double n) {
  float single = (float)n;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return bits;
}

double element_number_of(uint64_t bits, int width) {
  return float_of_bits(width == 64 ? RSH_F64 : width == 32 ? RSH_F32 : RSH_F16, bits);
}

uint64_t element_bits_of(double number, int width) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  if (width == 32)
    return bits_of_single(number);
  return width == 64
             ? bits
             : rsh_convert_bits(bits, RSH_F64, RSH_F16, (rsh_cast_rule){true, RSH_ROUND_UP});
}

// A float as an integer of this width, clamped to its range; NaN becomes 0.
static uint64_t clamped(double x, int bits, bool is_signed) {
  double past = ldexp(1, bits - is_signed); // the least number above the range
  uint64_t most = low(bits) >> is_signed;
  if (x >= past)
    return most;
  if (is_signed && x <= -past)
    return most + 1;
  if (is_signed)
    return x == x ? (uint64_t)(int64_t)x : 0;
  return x > 0 ? (uint64_t)x : 0;
}

// The operands of an operation: their bits, and what they are as numbers of their type.
typedef struct Operands {
  const uint64_t *of;
  uint64_t a, b;
  int64_t signed_a, signed_b;
  double x, y;
} Operands;

static Operands operands_of(ElementType type, const uint64_t *of) {
  Operands o = {.of = of, .a = of[0], .b = of[1]};
  if (type.is_float) {
    o.x = element_number_of(o.a, type.bits);
    o.y = element_number_of(o.b, type.bits);
  } else {
    o.signed_a = with_sign(o.a, type.bits);
    o.signed_b = with_sign(o.b, type.bits);
  }
  return o;
}

// Machines make different NaNs. Sums, products, quotients and roots of f32 and f16 that are computed in f64 and rounded
// are those of f32 and f16.
static bool float_result(double n, ElementType type, uint64_t *out) {
  *out = element_bits_of(n, type.bits);
  return n == n;
}

bool element_work_out(ElementOp op, ElementType type, ElementType from, const uint64_t *of,
                      uint64_t *out) {
  const Operands o = operands_of(from, of);
  uint64_t sign = UINT64_C(1) << (from.bits - 1);
  bool is_known = true;
  switch (op) {
  case ELEMENT_ADD:
    *out = o.a + o.b;
    break;
  case ELEMENT_SUB:
    *out = o.a - o.b;
    break;
  case ELEMENT_MUL:
    *out = o.a * o.b;
    break;
  case ELEMENT_DIV:
    is_known = o.b != 0;
    *out = is_known ? o.a / o.b : 0;
    break;
  case ELEMENT_REM:
    is_known = o.b != 0;
    *out = is_known ? o.a % o.b : 0;
    break;
  case ELEMENT_SIGNED_DIV:
    is_known = o.signed_b != 0 && o.signed_b != -1;
    *out = is_known ? (uint64_t)(o.signed_a / o.signed_b) : 0;
    break;
  case ELEMENT_SIGNED_REM:
    is_known = o.signed_b != 0 && o.signed_b != -1;
    *out = is_known ? (uint64_t)(o.signed_a % o.signed_b) : 0;
    break;
  case ELEMENT_AND:
    *out = o.a & o.b;
    break;
  case ELEMENT_OR:
    *out = o.a | o.b;
    break;
  case ELEMENT_XOR:
    *out = o.a ^ o.b;
    break;
  case ELEMENT_SHL:
    is_known = o.b < (uint64_t)from.bits;
    *out = is_known ? o.a << o.b : 0;
    break;
  case ELEMENT_SHR:
    is_known = o.b < (uint64_t)from.bits;
    *out = is_known ? o.a >> o.b : 0;
    break;
  case ELEMENT_SIGNED_SHR:
    is_known = o.b < (uint64_t)from.bits;
    *out = is_known ? (o.a >> o.b) | (o.signed_a < 0 ? ~(low(from.bits) >> o.b) : 0) : 0;
    break;
  case ELEMENT_LEADING_ZEROS:
    is_known = o.a != 0;
    for (*out = 0; is_known && (o.a << *out & sign) == 0;)
      ++*out;
    break;
  case ELEMENT_EQUAL:
    *out = o.a == o.b;
    break;
  case ELEMENT_UNEQUAL:
    *out = o.a != o.b;
    break;
  case ELEMENT_BELOW:
    *out = o.a < o.b;
    break;
  case ELEMENT_ABOVE:
    *out = o.a > o.b;
    break;
  case ELEMENT_LESS:
    *out = o.signed_a < o.signed_b;
    break;
  case ELEMENT_MORE:
    *out = o.signed_a > o.signed_b;
    break;
  case ELEMENT_AT_MOST:
    *out = o.signed_a <= o.signed_b;
    break;
  case ELEMENT_F_ADD:
    is_known = float_result(o.x + o.y, type, out);
    break;
  case ELEMENT_F_SUB:
    is_known = float_result(o.x - o.y, type, out);
    break;
  case ELEMENT_F_MUL:
    is_known = float_result(o.x * o.y, type, out);
    break;
  case ELEMENT_F_DIV:
    is_known = float_result(o.x / o.y, type, out);
    break;
  case ELEMENT_F_NEGATE:
    *out = o.a ^ sign;
    break;
  case ELEMENT_F_MORE:
    *out = o.x > o.y;
    break;
  case ELEMENT_F_AT_MOST:
    *out = o.x <= o.y;
    break;
  case ELEMENT_MAGNITUDE:
    *out = o.a & ~sign;
    break;
  case ELEMENT_WITH_SIGN:
    *out = (o.a & ~sign) | (o.b & sign);
    break;
  case ELEMENT_ROOT:
    is_known = float_result(sqrt(o.x), type, out);
    break;
  case ELEMENT_SELECT:
    *out = o.a ? of[1] : of[2];
    break;
  case ELEMENT_TRUNC:
  case ELEMENT_ZEXT:
  case ELEMENT_BITS:
    *out = o.a;
    break;
  case ELEMENT_SEXT:
    *out = (uint64_t)o.signed_a;
    break;
  case ELEMENT_FLOAT_OF_SIGNED: // rounded once
    *out = type.bits == 32 ? element_bits_of((float)o.signed_a, 32)
                           : element_bits_of((double)o.signed_a, type.bits);
    break;
  case ELEMENT_FLOAT_OF_UNSIGNED:
    *out =
        type.bits == 32 ? element_bits_of((float)o.a, 32) : element_bits_of((double)o.a, type.bits);
    break;
  case ELEMENT_SIGNED_OF_FLOAT:
  case ELEMENT_SIGNED_CLAMPED:
    *out = clamped(o.x, type.bits, true);
    break;
  case ELEMENT_UNSIGNED_CLAMPED:
    *out = clamped(o.x, type.bits, false);
    break;
  case ELEMENT_F_EXTEND:
  case ELEMENT_F_ROUND:
    is_known = float_result(o.x, type, out);
    break;
  case ELEMENT_PARAMETER:
  case ELEMENT_INTEGER:
  case ELEMENT_NUMBER:
  case ELEMENT_ENTRY:
  case ELEMENT_LIBM: // the last bits depend on the library
  case ELEMENT_CALL:
  case ELEMENT_OP_COUNT:
    is_known = false;
  }
  *out = is_known ? *out & low(type.bits) : 0;
  return is_known;
}
