// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts are applied by substitution: each new fact rewrites the numbers of all symbols.
//
//   symbols H, W, N       H is h, W is w, N is n
//   W % 16 == 0           H is h, W is 16*w, N is n
//   N == H*W              H is h, W is 16*w, N is 16*h*w
#include "frontend/graph/facts.h"

#include "runtime/poly.h"

#include <string.h>

enum {
  POLYS = 4096,
  TERMS = 16384,
  UNKNOWNS = 4096,
  CONDITIONS = 64,
  RAW_POLYS = 512,
  RAW_TERMS = 2048
};

static rsh_symbols *symbols_new(Arena *arena, int polys, int terms) {
  rsh_symbols *s = ARENA_NEW(arena, rsh_symbols);
  s->poly_capacity = polys;
  s->term_capacity = terms;
  s->poly = ARENA_STORAGE(arena, rsh_poly, polys);
  s->term = ARENA_STORAGE(arena, rsh_term, terms);
  s->poly_count = 1; // entry 0 is unused
  return s;
}

void facts_init(Facts *facts, Arena *arena) {
  *facts = (Facts){.symbols = symbols_new(arena, POLYS, TERMS),
                   .raw = symbols_new(arena, RAW_POLYS, RAW_TERMS),
                   .arena = arena};
  facts->symbols->proofs = ARENA_STORAGE(arena, rsh_proofs, 1);
  rsh_init_proofs(facts->symbols->proofs);
  facts->symbols->unknown_capacity = UNKNOWNS;
  facts->symbols->unknown = ARENA_STORAGE(arena, rsh_interval, UNKNOWNS);
  facts->symbols->condition_capacity = CONDITIONS;
  facts->symbols->condition = ARENA_ARRAY(arena, rsh_condition, CONDITIONS);
}

void facts_forget(Facts *facts) {
  int count = facts->raw->symbol_count;
  rsh_forget_proofs(facts->symbols);
  facts->symbols->symbol_count = facts->symbols->term_count = 0;
  facts->symbols->unknown_count = 0;
  facts->symbols->poly_count = 1;
  facts->symbols->fact_count = facts->symbols->zero_count = facts->symbols->quotient_count = 0;
  for (int i = 0; i < count; i++)
    facts_symbol(facts, i);
}

bool facts_symbol(Facts *facts, int i) {
  if (i < facts->symbols->symbol_count)
    return true;
  if (i >= RSH_MAX_SYMBOLS || (i > facts->symbols->symbol_count && !facts_symbol(facts, i - 1)))
    return false;
  facts->divisor[i] = 1;
  facts->made_of[i] = 0;
  rsh_num *raw = &facts->raw_num[i]; // other facts may have added it
  if (!(i < facts->raw->symbol_count ? rsh_atom(facts->raw, i, raw)
                                     : rsh_symbol(facts->raw, raw)) ||
      !rsh_symbol(facts->symbols, &facts->atom[i])) // last: `symbols` counts those that have both
    return false;
  facts->num[i] = facts->atom[i];
  return true;
}

// --- Numbers

bool num_substitute(rsh_symbols *to, const rsh_symbols *from, rsh_num n, const rsh_num *atom,
                    rsh_num *out) {
  if (rsh_is_unknown(n)) {
    rsh_interval r = rsh_bounds(from, n);
    *out = rsh_unknown(to, r.least, r.most);
    return true;
  }
  rsh_num sum = rsh_int(0);
  rsh_terms t = rsh_terms_of(from, n);
  while (rsh_next_term(&t)) {
    rsh_num product = rsh_int(t.coef);
    bool fits = t.fits;
    for (int i; fits && (i = rsh_next_atom(&t)) >= 0;)
      fits = rsh_mul(to, product, atom[i], &product);
    if (!fits || !rsh_add(to, sum, product, &sum))
      return false;
  }
  *out = sum;
  return true;
}

// The least factor that makes n, times it, integral in the symbols: w is W / 16, so 8*w needs 2.
static bool denominator(const Facts *facts, rsh_num n, int64_t *out) {
  rsh_terms t = rsh_terms_of(facts->symbols, n);
  *out = 1;
  while (rsh_next_term(&t)) {
    int64_t below = 1, least;
    for (int i; (i = rsh_next_atom(&t)) >= 0;)
      if (__builtin_mul_overflow(below, facts->divisor[i], &below))
        return false;
    if (below == 1)
      continue;
    if (!t.fits || t.coef == INT64_MIN)
      return false;
    below /= rsh_gcd(below, t.coef);
    least = below / rsh_gcd(below, *out);
    if (__builtin_mul_overflow(*out, least, out))
      return false;
  }
  return true;
}

// n * times over the symbols, if integral.
static bool raw_number(Facts *facts, rsh_num n, int64_t times, rsh_num *out) {
  rsh_symbols *raw = facts->raw;
  rsh_terms t = rsh_terms_of(facts->symbols, n);
  *out = rsh_int(0);
  while (rsh_next_term(&t)) {
    rsh_num product = rsh_int(t.coef);
    bool fits = t.fits && rsh_mul(raw, product, rsh_int(times), &product);
    for (int i; fits && (i = rsh_next_atom(&t)) >= 0;)
      fits = rsh_mul(raw, product, facts->raw_num[i], &product) &&
             rsh_div(raw, product, rsh_int(facts->divisor[i]), &product);
    if (!fits || !rsh_add(raw, *out, product, out))
      return false;
  }
  return true;
}

// --- Guards

// The values after `in`, times a factor. False: one does not fit, or there are none.
static bool scale_choices(Facts *facts, const Guard *guard, int64_t times, Guard *raw) {
  int64_t *choice = ARENA_ARRAY(facts->arena, int64_t, guard->choice_count);
  for (int i = 0; i < guard->choice_count; i++)
    if (__builtin_mul_overflow(guard->choice[i], times, &choice[i]))
      return false;
  raw->choice = choice;
  return guard->choice_count > 0;
}

// All numbers are scaled by the same factor to be integral, which changes none of the comparisons.
//   W % 2 == 0, W//2 in [1, 3]    W in [2, 6]
bool facts_to_raw(Facts *facts, const Guard *guard, Guard *raw) {
  int64_t part[3], times = 1;
  const rsh_num number[3] = {guard->left, guard->right, guard->remainder_of};
  for (int i = 0; i < 3; i++)
    if (!denominator(facts, number[i], &part[i]) ||
        __builtin_mul_overflow(times, part[i] / rsh_gcd(part[i], times), &times))
      return false;
  *raw = *guard;
  if (times != 1 && guard->kind == WHERE_IN && !scale_choices(facts, guard, times, raw))
    return false;
  return raw_number(facts, guard->left, times, &raw->left) &&
         raw_number(facts, guard->right, times, &raw->right) &&
         raw_number(facts, guard->remainder_of, times, &raw->remainder_of);
}

void facts_simplify(Guard *raw) {
  const rsh_num left = raw->left, by = raw->remainder_of;
  if (raw->kind == WHERE_GE && rsh_is_known(raw->right) && left.poly > 0 && left.n > 1) {
    raw->left.n = 1;
    raw->right = rsh_int(rsh_ceil_div(raw->right.n, left.n));
  }
  if (raw->kind != WHERE_EQ || !rsh_is(raw->right, 0) || !rsh_is_known(by) || by.n < 1 ||
      left.poly <= 0 || left.n == INT64_MIN)
    return;
  raw->left.n = 1;
  raw->remainder_of = rsh_int(by.n / rsh_gcd(by.n, left.n));
}

bool facts_from_raw(Facts *facts, const Guard *raw, Guard *guard) {
  *guard = *raw;
  return num_substitute(facts->symbols, facts->raw, raw->left, facts->num, &guard->left) &&
         num_substitute(facts->symbols, facts->raw, raw->right, facts->num, &guard->right) &&
         num_substitute(facts->symbols, facts->raw, raw->remainder_of, facts->num,
                        &guard->remainder_of);
}

// --- One fact

// Rewrites all symbols with another number for atom i.
bool facts_replace(Facts *facts, int i, rsh_num by) {
  rsh_symbols *s = facts->symbols;
  rsh_num atom[RSH_MAX_SYMBOLS], num[RSH_MAX_SYMBOLS];
  memcpy(atom, facts->atom, sizeof atom);
  atom[i] = by;
  for (int k = 0; k < s->symbol_count; k++)
    if (!num_substitute(s, s, facts->num[k], atom, &num[k]))
      return false;
  memcpy(facts->num, num, sizeof *num * (size_t)s->symbol_count);
  int count = s->fact_count;
  s->fact_count = 0;
  for (int k = 0; k < count; k++) {
    rsh_num fact;
    if (num_substitute(s, s, s->fact[k], atom, &fact))
      rsh_fact(s, fact, rsh_int(0));
  }
  count = s->zero_count;
  s->zero_count = 0;
  for (int k = 0; k < count; k++) {
    rsh_num zero;
    if (num_substitute(s, s, s->zero[k], atom, &zero))
      rsh_fact_equal(s, zero, rsh_int(0));
  }
  count = s->quotient_count;
  s->quotient_count = 0;
  for (int k = 0; k < count; k++) {
    rsh_floor q = s->quotient[k];
    if (num_substitute(s, s, q.of, atom, &q.of) && num_substitute(s, s, q.by, atom, &q.by) &&
        num_substitute(s, s, q.floor, atom, &q.floor))
      s->quotient[s->quotient_count++] = q;
  }
  return true;
}

void facts_bind(Facts *facts, int i, int64_t n) { (void)facts_replace(facts, i, rsh_int(n)); }

// Splits n into factor * atom + rest, where rest does not contain the atom. False: n is not linear.
static bool split_linear(Facts *facts, rsh_num n, int atom, int64_t *factor, rsh_num *rest) {
  rsh_symbols *s = facts->symbols;
  int found = 0;
  rsh_terms t = rsh_terms_of(s, n);
  while (rsh_next_term(&t)) {
    int power = 0;
    for (int i; (i = rsh_next_atom(&t)) >= 0;)
      power += i == atom;
    if (power == 0)
      continue;
    if (rsh_degree(&t) != 1 || !t.fits)
      return false;
    *factor = t.coef;
    found++;
  }
  rsh_num part;
  return found == 1 && rsh_mul(s, rsh_int(*factor), facts->atom[atom], &part) &&
         rsh_sub(s, n, part, rest);
}

// Splits n into factor * atom + rest with a constant rest: 2*S + 1. False: it has another form.
static bool split_single(Facts *facts, rsh_num n, int *atom, int64_t *factor, int64_t *rest) {
  rsh_num constant;
  for (*atom = 0; *atom < facts->symbols->symbol_count; ++*atom) {
    if (!split_linear(facts, n, *atom, factor, &constant) || !rsh_is_known(constant))
      continue;
    *rest = constant.n;
    return *factor > INT64_MIN && *rest > INT64_MIN;
  }
  return false;
}

// Narrows the bounds of an atom. False: they are not narrower, or exclude all values.
static bool tighten(Facts *facts, int atom, int64_t least, int64_t most) {
  rsh_symbols *s = facts->symbols;
  bool is_new = least > s->least[atom] || most < s->most[atom];
  least = least > s->least[atom] ? least : s->least[atom];
  most = most < s->most[atom] ? most : s->most[atom];
  if (!is_new || least > most)
    return false;
  s->least[atom] = least;
  s->most[atom] = most;
  return true;
}

// left % by == 0, for left = factor * atom: the atom is a multiple of a smaller one.
static bool take_divisor(Facts *facts, rsh_num left, int64_t by) {
  rsh_symbols *s = facts->symbols;
  int atom;
  int64_t factor, rest, divisor;
  if (!split_single(facts, left, &atom, &factor, &rest) || rest % by != 0)
    return false;
  int64_t times = by / rsh_gcd(by, factor);
  int64_t least = rsh_ceil_div(s->least[atom], times);
  int64_t most = s->most[atom] == INT64_MAX ? INT64_MAX : s->most[atom] / times;
  rsh_num multiple;
  if (least > most || __builtin_mul_overflow(facts->divisor[atom], times, &divisor) ||
      !rsh_mul(s, facts->atom[atom], rsh_int(times), &multiple) ||
      !facts_replace(facts, atom, multiple))
    return false;
  facts->divisor[atom] = divisor;
  s->least[atom] = least;
  s->most[atom] = most;
  return true;
}

// Transfers the bounds of an atom that becomes factor * other + rest to the other atom.
static void pass_bounds(Facts *facts, int atom, rsh_num by) {
  const rsh_symbols *s = facts->symbols;
  int other;
  int64_t factor, rest, above, below;
  if (!split_single(facts, by, &other, &factor, &rest) || factor < 1 ||
      __builtin_sub_overflow(s->least[atom], rest, &above) ||
      __builtin_sub_overflow(s->most[atom], rest, &below))
    return;
  bool is_bounded = s->most[atom] != INT64_MAX;
  tighten(facts, other, rsh_ceil_div(above, factor),
          is_bounded ? rsh_floor_div(below, factor) : INT64_MAX);
}

// The atom if n is a multiple of a power of it: S for 2*S*S. Below 0: there is none.
static int power_alone(const Facts *facts, rsh_num n) {
  rsh_terms t = rsh_terms_of(facts->symbols, n);
  if (!rsh_next_term(&t) || t.left > 0 || rsh_degree(&t) < 2)
    return -1;
  int atom = rsh_next_atom(&t);
  for (int i; (i = rsh_next_atom(&t)) >= 0;)
    if (i != atom)
      return -1;
  return atom;
}

// Returns whether an atom of n is computed from atom i, directly or indirectly.
static bool is_made_of(const Facts *facts, rsh_num n, int i) {
  const rsh_symbols *s = facts->symbols;
  uint32_t all = rsh_atoms_of(s, n), before = 0;
  while (all != before) {
    before = all;
    for (int k = 0; k < s->symbol_count; k++)
      for (int of = 0; of < s->symbol_count; of++)
        if ((before >> k & 1) != 0 && (facts->made_of[k] >> of & 1) != 0)
          all |= rsh_atoms_of(s, facts->num[of]);
  }
  return (all >> i & 1) != 0;
}

// 0 == difference, for difference = factor * atom + rest: the atom becomes -rest / factor, if that is at least 0 for
// all sizes. The latest symbols are replaced first. An atom is never replaced by a number computed from it: in N == N/2
// + 1, with no other size that defines N, N stays.
static bool take_equal(Facts *facts, rsh_num difference) {
  rsh_symbols *s = facts->symbols;
  int power = power_alone(facts, difference);
  if (power >= 0)
    return facts_replace(facts, power, rsh_int(0));
  for (int atom = s->symbol_count - 1; atom >= 0; atom--) {
    int64_t factor;
    rsh_num rest, by;
    if (!split_linear(facts, difference, atom, &factor, &rest) ||
        !rsh_sub(s, rsh_int(0), rest, &rest) || !rsh_div(s, rest, rsh_int(factor), &by) ||
        is_made_of(facts, by, atom) || !rsh_at_most(s, rsh_int(0), by) ||
        !facts_replace(facts, atom, by))
      continue;
    pass_bounds(facts, atom, by);
    return true;
  }
  return false;
}

// Whether n is a number of at least 1 minus products.
static bool is_less_products(const rsh_symbols *s, rsh_num n) {
  int64_t number = 0;
  rsh_terms t = rsh_terms_of(s, n);
  while (rsh_next_term(&t)) {
    bool is_number = rsh_degree(&t) == 0;
    if (!t.fits || (!is_number && t.coef > 0))
      return false;
    number = is_number ? t.coef : number;
  }
  return number >= 1;
}

// The atoms that are 0 if this one is: itself, and those that a fact such as 2*T - e >= 0 limits by it.
static uint32_t zeros_with(const rsh_symbols *s, int atom) {
  uint32_t zeros = UINT32_C(1) << atom;
  for (int32_t i = 0; i < s->fact_count; i++) {
    uint32_t plus = 0, minus = 0;
    rsh_terms t = rsh_terms_of(s, s->fact[i]);
    bool is_limit = rsh_term_count(s, s->fact[i]) == 2;
    while (is_limit && rsh_next_term(&t)) {
      uint32_t *side = t.coef > 0 ? &plus : &minus;
      is_limit = rsh_degree(&t) == 1;
      *side |= rsh_atoms_of_term(&t);
    }
    if (is_limit && plus == UINT32_C(1) << atom)
      zeros |= minus;
  }
  return zeros;
}

static bool has_each_product(const rsh_symbols *s, rsh_num n, uint32_t atoms) {
  rsh_terms t = rsh_terms_of(s, n);
  while (rsh_next_term(&t))
    if (rsh_degree(&t) > 0 && (rsh_atoms_of_term(&t) & atoms) == 0)
      return false;
  return true;
}

// A number of at least 1 minus products <= 0: an atom with which all products are 0 is not 0.
//   1 - B*S             B and S
//   1 - 2*T*T - e       T, with e <= T
static bool take_factors(Facts *facts, rsh_num n) {
  const rsh_symbols *s = facts->symbols;
  bool is_new = false;
  if (!is_less_products(s, n))
    return false;
  for (int i = 0; i < s->symbol_count; i++)
    if (has_each_product(s, n, zeros_with(s, i)))
      is_new = tighten(facts, i, 1, INT64_MAX) || is_new;
  return is_new;
}

// factor * atom + rest <= 0.
static bool take_at_most_0(Facts *facts, rsh_num n) {
  int atom;
  int64_t factor, rest;
  if (!split_single(facts, n, &atom, &factor, &rest))
    return take_factors(facts, n);
  if (factor > 0)
    return tighten(facts, atom, 0, rsh_floor_div(-rest, factor));
  return tighten(facts, atom, rsh_ceil_div(rest, -factor), INT64_MAX);
}

// n <= 0, over several atoms: P - 14*H.
static bool take_order(Facts *facts, rsh_num n) {
  rsh_symbols *s = facts->symbols;
  int32_t count = s->fact_count;
  rsh_fact(s, rsh_int(0), n);
  return s->fact_count > count;
}

// factor * atom + rest != 0 excludes the least or the greatest value.
static bool take_not_0(Facts *facts, rsh_num n) {
  const rsh_symbols *s = facts->symbols;
  int atom;
  int64_t factor, rest;
  if (!split_single(facts, n, &atom, &factor, &rest) || rest % factor != 0)
    return false;
  int64_t value = -(rest / factor);
  if (value == s->least[atom])
    return tighten(facts, atom, value + 1, INT64_MAX);
  return value == s->most[atom] && tighten(facts, atom, 0, value - 1);
}

// factor * atom + rest is one of several values: derives their bounds and their common divisor.
static bool take_choice(Facts *facts, const Guard *guard) {
  rsh_symbols *s = facts->symbols;
  int atom;
  int64_t factor, rest, least = INT64_MAX, most = 0, common = 0;
  if (!split_single(facts, guard->left, &atom, &factor, &rest))
    return false;
  for (int i = 0; i < guard->choice_count; i++) {
    rsh_num value;
    if (!rsh_sub(s, rsh_int(guard->choice[i]), rsh_int(rest), &value) ||
        !rsh_div(s, value, rsh_int(factor), &value) || value.n < s->least[atom] ||
        value.n > s->most[atom])
      continue;
    least = value.n < least ? value.n : least;
    most = value.n > most ? value.n : most;
    common = rsh_gcd(value.n, common);
  }
  if (least > most)
    return false;
  bool is_bound = tighten(facts, atom, least, most);
  return (common > 1 && take_divisor(facts, facts->atom[atom], common)) || is_bound;
}

bool facts_take(Facts *facts, const Guard *guard) {
  rsh_symbols *s = facts->symbols;
  rsh_num difference;
  if (guard->kind == WHERE_IN)
    return rsh_is(guard->remainder_of, 0) && take_choice(facts, guard);
  if (!rsh_is(guard->remainder_of, 0))
    return guard->kind == WHERE_EQ && rsh_is(guard->right, 0) &&
           rsh_is_known(guard->remainder_of) &&
           take_divisor(facts, guard->left, guard->remainder_of.n);
  bool is_swapped = guard->kind == WHERE_GE || guard->kind == WHERE_GT;
  bool fits = is_swapped ? rsh_sub(s, guard->right, guard->left, &difference)
                         : rsh_sub(s, guard->left, guard->right, &difference);
  bool is_strict = guard->kind == WHERE_LT || guard->kind == WHERE_GT;
  if (!fits || (is_strict && !rsh_add(s, difference, rsh_int(1), &difference)))
    return false;
  if (guard->kind == WHERE_EQ)
    return take_equal(facts, difference) || rsh_fact_equal(s, difference, rsh_int(0));
  if (guard->kind == WHERE_NE)
    return take_not_0(facts, difference);
  return take_at_most_0(facts, difference) || take_order(facts, difference);
}
