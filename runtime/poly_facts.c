// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the symbols of a graph, which proofs use: what is known of them, and what is assumed for a while.
#include "runtime/poly_internal.h"

void rsh_fact(rsh_symbols *s, rsh_num high, rsh_num low) {
  rsh_num fact;
  if (!rsh_sub(s, high, low, &fact) || fact.poly <= 0)
    return;
  fact.n = fact.n > 0 ? 1 : -1; // 2 - 2*q >= 0 means 1 - q >= 0
  for (int32_t i = 0; i < s->fact_count; i++)
    if (rsh_equal(s->fact[i], fact))
      return;
  if (s->fact_count < RSH_MAX_FACTS)
    s->fact[s->fact_count++] = fact;
}

bool rsh_fact_equal(rsh_symbols *s, rsh_num a, rsh_num b) {
  rsh_num difference;
  if (!rsh_sub(s, a, b, &difference) || difference.poly <= 0)
    return false;
  difference.n = 1;
  for (int32_t i = 0; i < s->zero_count; i++)
    if (rsh_equal(s->zero[i], difference))
      return false;
  rsh_fact(s, a, b);
  rsh_fact(s, b, a);
  if (s->zero_count == RSH_MAX_FACTS)
    return false;
  s->zero[s->zero_count++] = difference;
  return true;
}

bool rsh_fact_quotient(rsh_symbols *s, rsh_floor q) {
  rsh_num product, next;
  if (s->quotient_count == RSH_MAX_FACTS || !rsh_mul(s, q.floor, q.by, &product) ||
      !rsh_add(s, q.of, rsh_int(1), &next) || (q.is_exact && !rsh_fact_equal(s, q.of, product)))
    return false;
  rsh_fact(s, q.of, product);
  // The fact above, 2*q <= S, is about the product only. At S >= 1, q is at most S - 1.
  rsh_num apart = rsh_int(0), below;
  int64_t least = rsh_bounds(s, q.of).least;
  if (rsh_is_known(q.by) && least > 0)
    apart.n = least - least / q.by.n;
  if (rsh_sub(s, q.of, apart, &below))
    rsh_fact(s, below, q.floor);
  if (rsh_add(s, product, q.by, &product))
    rsh_fact(s, product, next);
  s->quotient[s->quotient_count++] = q;
  return true;
}

// The powers of atoms that all terms have in common: S*B - 2*B  ->  B.
static rsh_term common_atoms(terms t) {
  rsh_term common = t.term[0];
  common.coef = 1;
  for (int32_t i = 1; i < t.count; i++)
    for (int k = 0; k < RSH_MAX_SYMBOLS; k++)
      if (t.term[i].exp[k] < common.exp[k])
        common.exp[k] = t.term[i].exp[k];
  return common;
}

// by divides all terms.
static bool divide_terms(rsh_symbols *s, terms t, const rsh_term *by, rsh_num *out) {
  sum rest = sum_at_end(s);
  for (int32_t i = 0; i < t.count; i++) {
    rsh_term part;
    rsh_divide_term(&t.term[i], by, &part);
    if (!rsh_sum_add(&rest, part))
      return false;
  }
  return rsh_sum_intern(s, &rest, out);
}

// Assumes that the factors of a that facts show to be at least 0 are at least 1, and leaves the rest.
//   (H - 2*q) * (W - r)  with H >= 2*q   ->   H - 2*q >= 1, leaves W - r
static void suppose_factors(rsh_symbols *s, rsh_num *a) {
  int32_t count = s->fact_count;
  for (int32_t i = 0; i < count; i++) {
    rsh_num fact = s->fact[i], rest;
    if (rsh_term_count(s, fact) < rsh_term_count(s, *a) && rsh_divide_exactly(s, *a, fact, &rest)) {
      *a = rest;
      rsh_fact(s, fact, rsh_int(1));
    }
  }
}

static void suppose_atoms(rsh_symbols *s, uint32_t atoms, rsh_supposed *added) {
  for (int k = 0; k < s->symbol_count; k++) {
    if ((atoms >> k & 1) != 0 && s->least[k] == 0) {
      s->least[k] = 1;
      added->atoms |= UINT32_C(1) << k;
    }
  }
}

// Whether a number is a product of atoms that are at least 1.
static bool is_positive_product(const rsh_symbols *s, rsh_num n) {
  return rsh_term_count(s, n) == 1 && rsh_terms_are_positive(s, terms_of(s, n));
}

// The dividends of quotients that were assumed to be at least 1:  H/4 >= 1  ->  H >= 4.
static uint32_t suppose_dividends(rsh_symbols *s, uint32_t atoms) {
  for (int32_t i = 0; i < s->quotient_count; i++) {
    const rsh_floor *q = &s->quotient[i];
    if ((rsh_atoms_of(s, q->floor) & atoms) != 0 && is_positive_product(s, q->floor)) {
      rsh_fact(s, q->of, q->by);
      atoms |= rsh_atoms_of(s, q->of);
    }
  }
  return atoms;
}

// The only term of a fact that is not below 0, and what it is at least. False: there are several, or it has no atom.
//   4*q - H >= 0     4*q is at least H
static bool bounded_term(rsh_symbols *s, rsh_num fact, rsh_num *product, rsh_num *least) {
  terms t = terms_of(s, fact);
  sum one = sum_at_end(s);
  for (int32_t i = 0; i < t.count; i++) {
    rsh_term term = t.term[i];
    if (__builtin_mul_overflow(term.coef, t.factor, &term.coef) ||
        (term.coef > 0 && (one.count > 0 || !rsh_sum_add(&one, term))))
      return false;
  }
  return one.count > 0 && rsh_sum_intern(s, &one, product) && !rsh_is_known(*product) &&
         rsh_sub(s, *product, fact, least);
}

// Atoms of products that are at least something that is at least 1:  4*q >= H  with  H >= 1  ->  q >= 1.
static void suppose_bounded(rsh_symbols *s, uint32_t atoms, rsh_supposed *added) {
  int32_t count = s->fact_count;
  for (int32_t i = 0; i < count; i++) {
    rsh_num product, least;
    if ((rsh_atoms_of(s, s->fact[i]) & atoms) != 0 &&
        bounded_term(s, s->fact[i], &product, &least) && !is_positive_product(s, product) &&
        rsh_at_most(s, rsh_int(1), least))
      suppose_atoms(s, rsh_atoms_of(s, product), added);
  }
}

// What follows for factors of equal products, of which the others are at least 1. Facts are also written with the
// factor that divisions use, so that proofs need not replace it:
//   B*q == B*e with B >= 1    ->    q == e, and 4*q >= W becomes 4*e >= W
static void suppose_equalities(rsh_symbols *s) {
  int32_t zeros = s->zero_count, facts = s->fact_count;
  for (int32_t i = 0; i < zeros; i++) {
    const rsh_num zero = s->zero[i], none = rsh_int(0);
    rsh_term common = common_atoms(terms_of(s, zero));
    rsh_num rest;
    if (!rsh_terms_are_positive(s, (terms){&common, 1, 1}) ||
        !divide_terms(s, terms_of(s, zero), &common, &rest) || !rsh_fact_equal(s, rest, none))
      continue;
    for (int32_t k = 0; k < facts; k++) {
      rsh_num fact;
      if (rsh_rewrite(s, s->fact[k], s->zero[s->zero_count - 1], &fact))
        rsh_fact(s, fact, none);
    }
  }
}

void rsh_suppose_positive(rsh_symbols *s, rsh_num a, rsh_supposed *added) {
  rsh_num rest;
  uint32_t atoms = 0;
  if (a.poly <= 0)
    return;
  rsh_term common = common_atoms(terms_of(s, a));
  for (int k = 0; k < s->symbol_count; k++)
    atoms |= (uint32_t)(common.exp[k] > 0) << k;
  suppose_atoms(s, atoms, added);
  if (divide_terms(s, terms_of(s, a), &common, &rest)) {
    rest.n = a.n > 0 ? rest.n : -rest.n;
    suppose_factors(s, &rest);
    rsh_fact(s, rest, rsh_int(1));
    rsh_fact(s, rsh_reduce(s, rest), rsh_int(1));
  }
  suppose_bounded(s, suppose_dividends(s, rsh_atoms_of(s, a)), added);
  suppose_equalities(s);
}

void rsh_forget_supposed(rsh_symbols *s, const rsh_supposed *added) {
  s->fact_count = added->fact_count;
  s->zero_count = added->zero_count;
  for (int k = 0; k < s->symbol_count; k++)
    if ((added->atoms >> k & 1) != 0)
      s->least[k] = 0;
}
