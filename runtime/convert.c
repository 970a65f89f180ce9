// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every element is decoded to sign, exponent and a 64-bit mantissa, which represent any element exactly, and
// encoded in the other type.
#include "runtime/convert.h"

typedef enum Class { ZERO, FINITE, INFINITE, NOT_A_NUMBER } Class;

typedef struct Exact {
  Class class;
  bool negative;
  int32_t exponent;  // FINITE: the number is mantissa * 2^(exponent - 63)
  uint64_t mantissa; // FINITE: its highest bit is set; NOT_A_NUMBER: the payload, from the top
} Exact;

#define NO_FORMAT {RSH_NO_FLOAT, 0, 0, 0}
#define FORMAT(special, mantissa, exponent, bias) {RSH_##special, (mantissa), (exponent), (bias)}

rsh_float rsh_dtype_float(rsh_dtype type) {
  switch (type) {
#define RSH_DTYPE(id, name, bits, kind, since, ctype, format)                                      \
  case RSH_##id:                                                                                   \
    return (rsh_float)format;
#include "runtime/dtypes.def"
#undef RSH_DTYPE
  case RSH_DTYPE_NONE:
    break;
  }
  return (rsh_float)NO_FORMAT;
}

static bool is_number(rsh_dtype type) {
  return type == RSH_BOOL || rsh_dtype_is_integer(type) || rsh_dtype_is_float(type);
}

bool rsh_is_convertible(rsh_dtype from, rsh_dtype to) {
  return from == to || (is_number(from) && is_number(to));
}

static uint64_t low_mask(int bits) { return UINT64_MAX >> (64 - bits); }

// ---- decoding ----

static Exact exact_from_magnitude(uint64_t n, int32_t exponent, bool negative) {
  Exact x = {n == 0 ? ZERO : FINITE, negative, exponent, n};
  while (n != 0 && x.mantissa >> 63 == 0) {
    x.mantissa <<= 1;
    x.exponent--;
  }
  return x;
}

static uint64_t sign_extended(uint64_t bits, rsh_dtype type) {
  int width = rsh_dtype_bits(type);
  bits &= low_mask(width);
  return rsh_dtype_is_signed(type) && bits >> (width - 1) != 0 ? bits | ~low_mask(width) : bits;
}

static Exact exact_from_float(uint64_t bits, const rsh_float *f) {
  int m = f->mantissa_bits;
  uint64_t mantissa = bits & low_mask(m), top = low_mask(f->exponent_bits);
  uint64_t exponent = bits >> m & top;
  bool negative = bits >> (m + f->exponent_bits) != 0;
  Exact nan = {NOT_A_NUMBER, negative, 0, mantissa << (64 - m)};
  if (f->special == RSH_IEEE && exponent == top) {
    nan.class = mantissa == 0 ? INFINITE : NOT_A_NUMBER;
    return nan;
  }
  if (f->special == RSH_ONE_NAN && exponent == top && mantissa == low_mask(m))
    return nan;
  if (f->special == RSH_NAN_IS_80 && negative && (exponent | mantissa) == 0)
    return nan;
  if (exponent == 0)
    return exact_from_magnitude(mantissa, 64 - f->bias - m, negative);
  return exact_from_magnitude(mantissa | UINT64_C(1) << m, (int32_t)exponent - f->bias - m + 63,
                              negative);
}

static Exact exact_from(uint64_t bits, rsh_dtype type) {
  bits &= low_mask(rsh_dtype_bits(type));
  if (type == RSH_F8E8M0) {
    Exact power = {bits == 255 ? NOT_A_NUMBER : FINITE, false, (int32_t)bits - 127,
                   UINT64_C(1) << 63};
    return power;
  }
  rsh_float f = rsh_dtype_float(type);
  if (f.special != RSH_NO_FLOAT)
    return exact_from_float(bits, &f);
  if (type == RSH_BOOL)
    return exact_from_magnitude(bits != 0, 63, false);
  uint64_t n = sign_extended(bits, type);
  bool negative = rsh_dtype_is_signed(type) && n >> 63 != 0;
  return exact_from_magnitude(negative ? 0 - n : n, 63, negative);
}

// ---- encoding ----

// x / 2^shift, nearest, ties to even; shift is at least 1.
static uint64_t shifted(uint64_t x, int shift) {
  if (shift > 64)
    return 0;
  uint64_t half = UINT64_C(1) << (shift - 1), rest = shift == 64 ? x : x & low_mask(shift);
  uint64_t whole = shift == 64 ? 0 : x >> shift;
  return whole + (rest > half || (rest == half && (whole & 1) != 0));
}

static uint64_t nan_bits(const Exact *x, const rsh_float *f, bool keeps_payload) {
  int m = f->mantissa_bits;
  switch (f->special) {
  case RSH_IEEE:
    return low_mask(f->exponent_bits) << m | UINT64_C(1) << (m - 1) |
           (keeps_payload ? x->mantissa >> (64 - m) : 0);
  case RSH_ONE_NAN:
    return low_mask(m + f->exponent_bits);
  case RSH_NAN_IS_80:
  case RSH_NUMBERS:
  case RSH_NO_FLOAT:
    break;
  }
  return 0;
}

static uint64_t float_from(const Exact *x, rsh_dtype to, const rsh_float *f, rsh_dtype from,
                           rsh_cast_rule rule) {
  int m = f->mantissa_bits;
  uint64_t sign = UINT64_C(1) << (m + f->exponent_bits), out = 0;
  uint64_t infinity = low_mask(f->exponent_bits) << m; // of RSH_IEEE
  uint64_t largest = f->special == RSH_IEEE      ? infinity - 1
                     : f->special == RSH_ONE_NAN ? sign - 2
                                                 : sign - 1;
  if (x->class == NOT_A_NUMBER) {
    bool negative = x->negative != (f->special == RSH_NUMBERS);
    if (f->special == RSH_NAN_IS_80)
      return sign;
    return nan_bits(x, f, rsh_dtype_is_wide_float(from) && rsh_dtype_is_wide_float(to)) |
           (negative ? sign : 0);
  }
  if (x->class == FINITE) {
    int32_t least = 1 - f->bias; // the exponent of the smallest normal number
    int32_t lost = x->exponent < least ? least - x->exponent : 0;
    out = shifted(x->mantissa, lost > 64 ? 65 : 63 - m + lost);
    if (lost == 0) // 1.xxx: the leading bit adds 1 to the exponent, and so does a carry
      out += (uint64_t)(x->exponent + f->bias - 1) << m;
  }
  if (x->class == INFINITE || out > largest) {
    if (f->special == RSH_NUMBERS || (!rsh_dtype_is_wide_float(to) && rule.saturate))
      out = largest;
    else if (f->special == RSH_NAN_IS_80)
      return sign;
    else
      out = f->special == RSH_IEEE ? infinity : sign - 1;
  }
  return f->special == RSH_NAN_IS_80 && out == 0 ? 0 : out | (x->negative ? sign : 0);
}

static uint64_t power_from(const Exact *x, rsh_cast_rule rule) {
  enum { LEAST = -127, MOST = 127, NAN_BITS = 255 };
  const uint64_t one = UINT64_C(1) << 63, half = UINT64_C(1) << 62;
  if (x->class == NOT_A_NUMBER)
    return NAN_BITS;
  bool is_small = x->class == ZERO || (x->class == FINITE && x->exponent < LEAST);
  bool is_large = x->class == INFINITE || (x->class == FINITE && x->exponent >= MOST &&
                                           (x->exponent > MOST || x->mantissa > one));
  if (is_small || is_large)
    return !rule.saturate ? NAN_BITS : is_small ? 0 : MOST - LEAST;
  bool up = (rule.round == RSH_ROUND_UP && x->mantissa > one) ||
            (rule.round == RSH_ROUND_NEAREST && x->mantissa >= (one | half));
  return (uint64_t)(x->exponent - LEAST + up);
}

// Rounds toward zero, and saturates to the range.
static uint64_t integer_from(const Exact *x, int bits, bool is_signed) {
  uint64_t most = low_mask(is_signed ? bits - 1 : bits), n = 0;
  if (x->class == NOT_A_NUMBER || x->class == ZERO)
    return 0;
  if (x->class == INFINITE || x->exponent > 63)
    n = UINT64_MAX;
  else if (x->exponent >= 0)
    n = x->mantissa >> (63 - x->exponent);
  if (x->negative) {
    uint64_t least = is_signed ? most + 1 : 0;
    return 0 - (n > least ? least : n);
  }
  return n > most ? most : n;
}

uint64_t rsh_convert_bits(uint64_t bits, rsh_dtype from, rsh_dtype to, rsh_cast_rule rule) {
  int width = rsh_dtype_bits(to);
  if (from == to && to != RSH_BOOL)
    return bits & low_mask(width);
  if (rsh_dtype_is_integer(to) && (rsh_dtype_is_integer(from) || from == RSH_BOOL)) {
    uint64_t n = from == RSH_BOOL ? (bits & low_mask(8)) != 0 : sign_extended(bits, from);
    return n & low_mask(width);
  }
  Exact x = exact_from(bits, from);
  rsh_float f = rsh_dtype_float(to);
  if (to == RSH_BOOL)
    return x.class != ZERO;
  if (to == RSH_F8E8M0)
    return power_from(&x, rule);
  if (f.special != RSH_NO_FLOAT)
    return float_from(&x, to, &f, from, rule);
  if (width < 8)
    return integer_from(&x, 32, true) & low_mask(width);
  return integer_from(&x, width, rsh_dtype_is_signed(to)) & low_mask(width);
}

// ---- in memory ----

static void copy_bytes(void *to, const void *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}

static uint64_t load_bits(const void *from, int bits) {
  uint8_t b = 0;
  uint16_t h = 0;
  uint32_t w = 0;
  uint64_t d = 0;
  switch (bits) {
  case 16:
    copy_bytes(&h, from, 2);
    return h;
  case 32:
    copy_bytes(&w, from, 4);
    return w;
  case 64:
    copy_bytes(&d, from, 8);
    return d;
  default:
    copy_bytes(&b, from, 1);
    return b;
  }
}

static void store_bits(void *to, int bits, uint64_t value) {
  uint8_t b = (uint8_t)value;
  uint16_t h = (uint16_t)value;
  uint32_t w = (uint32_t)value;
  switch (bits) {
  case 16:
    copy_bytes(to, &h, 2);
    break;
  case 32:
    copy_bytes(to, &w, 4);
    break;
  case 64:
    copy_bytes(to, &value, 8);
    break;
  default:
    copy_bytes(to, &b, 1);
    break;
  }
}

rsh_status rsh_convert(const void *from, rsh_dtype from_type, void *to, rsh_dtype to_type,
                       rsh_cast_rule rule) {
  if (is_number(from_type) && is_number(to_type)) {
    uint64_t bits = load_bits(from, rsh_dtype_bits(from_type));
    store_bits(to, rsh_dtype_bits(to_type), rsh_convert_bits(bits, from_type, to_type, rule));
    return RSH_ok;
  }
  if (from_type != to_type || rsh_dtype_bits(from_type) == 0)
    return RSH_bad_type;
  copy_bytes(to, from, (uint32_t)rsh_dtype_bits(from_type) / 8);
  return RSH_ok;
}

// Stores the number `bits` of type `from` as `type`. False: `type` cannot represent it, or has no numbers.
static bool store_number(uint64_t bits, rsh_dtype from, rsh_dtype type, uint8_t *out) {
  const rsh_cast_rule rule = {true, RSH_ROUND_NEAREST};
  for (int i = 0; i < 16; i++)
    out[i] = 0;
  if (rsh_dtype_is_complex(type))
    type = type == RSH_C64 ? RSH_F32 : RSH_F64;
  if (!is_number(type))
    return false;
  uint64_t converted = rsh_convert_bits(bits, from, type, rule);
  store_bits(out, rsh_dtype_bits(type), converted);
  if (rsh_dtype_is_float(type))
    return true;
  Exact want = exact_from(bits, from), have = exact_from(converted, type);
  return want.class == have.class && (want.class != FINITE || (want.negative == have.negative &&
                                                               want.exponent == have.exponent &&
                                                               want.mantissa == have.mantissa));
}

bool rsh_element_from_double(double value, rsh_dtype type, uint8_t bits[16]) {
  return store_number(load_bits(&value, 64), RSH_F64, type, bits);
}

bool rsh_element_from_int(int64_t value, rsh_dtype type, uint8_t bits[16]) {
  return store_number((uint64_t)value, RSH_I64, type, bits);
}

bool rsh_element_from_unsigned(uint64_t value, rsh_dtype type, uint8_t bits[16]) {
  return store_number(value, RSH_U64, type, bits);
}
