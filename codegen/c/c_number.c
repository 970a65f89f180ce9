// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a plan as C: expressions of type size_t. They wrap where they are below 0, and are right again
// where an address is made of them.
//
//   768*B*S + 64          768U * B * S + 64U
//   64 + 128*i - 64*j     what is taken away comes last, so nothing is below 0 on the way
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

rsh_num c_divided(rsh_num n, int64_t unit) { return (rsh_num){n.n / unit, n.poly}; }

static const char *with_factor(Arena *arena, const char *text, const char *factor) {
  return *text ? arena_printf(arena, "%s * %s", text, factor) : factor;
}

const char *c_symbol(CKernel *k, int symbol) {
  if (!k->plan->graph->symbol.item[symbol].is_edge)
    return c_parameter(k, PARAMETER_SIZE, symbol);
  if (!k->place_text[symbol]) {
    const Code *code = code_entry(k->file->arena, k->plan, CODE_SIZES, true, k->file->pointer);
    CPrinter printer = c_code_begin(k, code);
    printer.place = symbol;
    k->place_text[symbol] = c_code_text(&printer, code->symbol[symbol]);
  }
  return k->place[symbol];
}

// The magnitude of a term: with w being W / 16, 48*w is 3U * W.
static const char *term_text(CKernel *k, rsh_terms term) {
  Arena *arena = k->file->arena;
  int64_t factor = term.coef < 0 ? -term.coef : term.coef;
  const char *text = "";
  for (int i; (i = rsh_next_atom(&term)) >= 0;) {
    const char *name = c_symbol(k, i);
    int64_t divisor = k->plan->graph->symbol.item[i].divisor;
    bool is_part = factor % divisor != 0;
    factor /= is_part ? 1 : divisor;
    text = with_factor(arena, text,
                       is_part ? arena_printf(arena, "(%s / %" PRId64 "U)", name, divisor) : name);
  }
  if (factor == 1 && *text)
    return text;
  const char *number = arena_printf(arena, "%" PRId64 "U", factor);
  return *text ? arena_printf(arena, "%s * %s", number, text) : number;
}

// `text` and a further term.
static const char *with_term(Arena *arena, const char *text, const char *term, bool minus) {
  if (!*text)
    return minus ? arena_printf(arena, "0U - %s", term) : term;
  return arena_printf(arena, "%s %c %s", text, minus ? '-' : '+', term);
}

const char *c_number(CKernel *k, rsh_num n, bool is_part) {
  Arena *arena = k->file->arena;
  if (rsh_is_known(n) && n.n >= 0)
    return arena_printf(arena, "%" PRId64 "U", n.n);
  if (rsh_is_known(n))
    return arena_printf(arena, is_part ? "(0U - %" PRIu64 "U)" : "0U - %" PRIu64 "U",
                        0 - (uint64_t)n.n);
  const rsh_symbols *s = k->plan->graph->symbols;
  const char *text = "";
  for (int minus = 0; minus < 2; minus++) {
    rsh_terms t = rsh_terms_of(s, n);
    while (rsh_next_term(&t))
      if ((t.coef < 0) == (minus == 1))
        text = with_term(arena, text, term_text(k, t), minus == 1);
  }
  bool is_sum = rsh_term_count(s, n) > 1 || n.n < 0;
  return is_part && is_sum ? arena_printf(arena, "(%s)", text) : text;
}

void c_add(CKernel *k, CSum *sum, rsh_num factor, const char *index) {
  if (!rsh_is(factor, 0))
    VEC_PUSH(k->file->arena, sum->term, ((CTerm){factor, index}));
}

CSum c_sum_copy(CKernel *k, const CSum *sum) {
  CSum copy = {0};
  for (int i = 0; i < sum->term.count; i++)
    VEC_PUSH(k->file->arena, copy.term, sum->term.item[i]);
  return copy;
}

const char *c_sum(CKernel *k, const CSum *sum) {
  Arena *arena = k->file->arena;
  const char *text = "";
  for (int minus = 0; minus < 2; minus++)
    for (int i = 0; i < sum->term.count; i++) {
      CTerm t = sum->term.item[i];
      if ((t.factor.n < 0) != (minus == 1))
        continue;
      rsh_num factor = {minus ? -t.factor.n : t.factor.n, t.factor.poly};
      const char *number =
          rsh_is(factor, 1) && t.index ? "" : c_number(k, factor, t.index || minus);
      text = with_term(arena, text, !t.index ? number : with_factor(arena, number, t.index),
                       minus == 1);
    }
  return *text ? text : "0U";
}

// ---- literals ----

const char *c_int(Arena *arena, int64_t n) {
  if (n == INT64_MIN)
    return "INT64_MIN";
  return n > INT16_MAX || n < -INT16_MAX ? arena_printf(arena, "INT64_C(%" PRId64 ")", n)
                                         : arena_printf(arena, "%" PRId64, n);
}

// The fewest digits that are this number again.
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
