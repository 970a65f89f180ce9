// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Literals: integers, floats with the fewest digits, elements by their bytes in memory.
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t c_unit(rsh_dtype type) { return plan_element_align(type); }

const char *c_int(Arena *arena, int64_t n) {
  if (n == INT64_MIN)
    return "INT64_MIN";
  return n > INT16_MAX || n < -INT16_MAX ? arena_printf(arena, "INT64_C(%" PRId64 ")", n)
                                         : arena_printf(arena, "%" PRId64, n);
}

// The fewest digits that read back as this number.
const char *c_float(Arena *arena, double value, bool is_double) {
  const char *text = "";
  for (int digits = 1; digits <= 17; digits++) {
    text = arena_printf(arena, "%.*g", digits, value);
    if (is_double ? strtod(text, NULL) == value : strtof(text, NULL) == (float)value)
      break;
  }
  if (value < 1e15 && value > -1e15 && value == (double)(int64_t)value && strpbrk(text, "e"))
    text = arena_printf(arena, "%.0f", value);
  if (!strpbrk(text, ".e"))
    text = arena_printf(arena, "%s.0", text);
  return is_double ? text : arena_printf(arena, "%sF", text);
}

static const char *put_bits_union(CFile *file, bool is_double, bool from_bits) {
  const char *number = is_double ? "double" : "float", *bits = is_double ? "uint64_t" : "uint32_t";
  const char *key = arena_printf(file->arena, "%s %d", number, from_bits);
  const char *name = c_helper(file, key);
  if (name)
    return name;
  name = c_helper_add(file, key,
                      arena_printf(file->arena, from_bits ? "%s_of_bits" : "bits_of_%s", number));
  c_put(&file->helpers,
        "\nstatic %s %s(%s x) {\n  union {\n    %s number;\n    %s bits;\n  } u;\n"
        "  u.%s = x;\n  return u.%s;\n}\n",
        from_bits ? number : bits, name, from_bits ? bits : number, number, bits,
        from_bits ? "bits" : "number", from_bits ? "number" : "bits");
  return name;
}

const char *c_float_of_bits(CFile *file, bool is_double) {
  return put_bits_union(file, is_double, true);
}

const char *c_bits_of_float(CFile *file, bool is_double) {
  return put_bits_union(file, is_double, false);
}

static uint64_t word_of(const uint8_t *bytes, int64_t count) {
  uint64_t word = 0;
  for (int64_t i = 0; i < count; i++)
    word |= (uint64_t)bytes[i] << (8 * i);
  return word;
}

static const char *float_literal(CFile *file, uint64_t bits, bool is_double) {
  double value;
  if (is_double) {
    memcpy(&value, &bits, sizeof value);
  } else {
    uint32_t low = (uint32_t)bits;
    float narrow;
    memcpy(&narrow, &low, sizeof narrow);
    value = (double)narrow;
  }
  if (isfinite(value))
    return c_float(file->arena, value, is_double);
  return arena_printf(file->arena, "%s(%s0x%" PRIX64 "%s)", c_float_of_bits(file, is_double),
                      is_double ? "UINT64_C(" : "", bits, is_double ? ")" : "U");
}

const char *c_float_literal(CFile *file, double value, bool is_double) {
  float narrow = (float)value;
  uint64_t wide;
  uint32_t bits;
  memcpy(&wide, &value, sizeof wide);
  memcpy(&bits, &narrow, sizeof bits);
  return float_literal(file, is_double ? wide : bits, is_double);
}

const char *c_literal(CFile *file, rsh_dtype type, const uint8_t *bytes) {
  int64_t unit = c_unit(type);
  uint64_t word = word_of(bytes, unit);
  if (type == RSH_STRING)
    return "NULL";
  if (type == RSH_F32 || type == RSH_C64 || type == RSH_F64 || type == RSH_C128)
    return float_literal(file, word, unit == 8);
  if (unit == 8)
    return type == RSH_I64 ? c_int(file->arena, (int64_t)word)
                           : arena_printf(file->arena, "UINT64_C(%" PRIu64 ")", word);
  if (rsh_dtype_is_signed(type) && rsh_dtype_bits(type) >= 8 && word >> (8 * unit - 1) != 0) {
    int64_t n = (int64_t)word - (INT64_C(1) << (8 * unit));
    return n == INT32_MIN ? "INT32_MIN" : arena_printf(file->arena, "%" PRId64, n);
  }
  return arena_printf(file->arena, "%" PRIu64 "%s", word,
                      rsh_dtype_is_signed(type) && rsh_dtype_bits(type) >= 8 ? "" : "U");
}
