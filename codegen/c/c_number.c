// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a plan as C: expressions of type size_t. Negative ones wrap, and are correct again when an
// address is computed from them.
//
//   768*B*S + 64          768U * B * S + 64U
//   64 + 128*i - 64*j     terms are subtracted last, so no intermediate result is below 0
#include "codegen/c/c_internal.h"

#include <inttypes.h>

static const char *with_factor(Arena *arena, const char *text, const char *factor) {
  return *text ? arena_printf(arena, "%s * %s", text, factor) : factor;
}

// The magnitude of a term: if w is W / 16, 48*w is 3U * W.
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

// Adds or subtracts a term.
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

CSum c_plus(CKernel *k, CSum sum, rsh_num factor, const char *index) {
  CSum made = {0};
  for (int i = 0; i < sum.term.count; i++)
    VEC_PUSH(k->file->arena, made.term, sum.term.item[i]);
  if (!rsh_is(factor, 0))
    VEC_PUSH(k->file->arena, made.term, ((CTerm){factor, index}));
  return made;
}

const char *c_sum(CKernel *k, CSum sum) {
  Arena *arena = k->file->arena;
  const char *text = "";
  for (int minus = 0; minus < 2; minus++)
    for (int i = 0; i < sum.term.count; i++) {
      CTerm t = sum.term.item[i];
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

const char *c_index(Arena *arena, int depth) {
  static const char *const names[] = {"i", "j", "k", "l", "m", "n"};
  bool has_name = depth < (int)(sizeof names / sizeof *names);
  return has_name ? names[depth] : arena_printf(arena, "i%d", depth);
}
