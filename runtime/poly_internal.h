// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that make up poly: sums of terms under construction.
#ifndef RSH_POLY_INTERNAL_H
#define RSH_POLY_INTERNAL_H

#include "runtime/poly.h"

// The terms of a number, read in place: multiply each coefficient by `factor`.
typedef struct {
  const rsh_term *term;
  int32_t count;
  int64_t factor;
} terms;

static const rsh_term rsh_one_term = {.coef = 1};

static inline terms terms_of(const rsh_symbols *s, rsh_num a) {
  terms t = {&rsh_one_term, 1, a.n};
  if (a.n == 0) {
    t.count = 0;
  } else if (a.poly != 0) {
    t.term = s->term + s->poly[a.poly].first;
    t.count = s->poly[a.poly].count;
  }
  return t;
}

// A sum under construction: its terms in descending order.
typedef struct {
  rsh_term *term;
  int32_t count, room;
} sum;

// A new sum at the free end of the terms, or after another sum there.
static inline sum sum_at_end(const rsh_symbols *s) {
  sum at = {s->term + s->term_count, 0, s->term_capacity - s->term_count};
  return at;
}
static inline sum sum_after(const sum *a) {
  sum at = {a->term + a->count, 0, a->room - a->count};
  return at;
}

// Adds a term. False: it does not fit.
bool rsh_sum_add(sum *a, rsh_term t);
bool rsh_sum_add_scaled(sum *a, terms t);
// Makes a sum at the free end a number: primitive, and interned.
bool rsh_sum_intern(rsh_symbols *s, const sum *a, rsh_num *out);
// lead / divisor as one term. False: it does not divide.
bool rsh_divide_term(const rsh_term *lead, const rsh_term *divisor, rsh_term *out);
// a / b as polynomials, without known quotients and equalities. False: a remainder is left.
bool rsh_divide_exactly(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
// t - by * of, where `of` is a fact or 0: its factor is 1 or -1.
bool rsh_subtract_product(const sum *t, const rsh_term *by, terms of, sum *rest);
// Replaces a term of a that is a multiple of the first term of `zero`, which is 0, by the other terms. False: there is
// none.
//   6*N*M with N*M - 2*q   ->   12*q
bool rsh_rewrite(rsh_symbols *s, rsh_num a, rsh_num zero, rsh_num *out);
// Whether every atom in it is at least 1.
bool rsh_terms_are_positive(const rsh_symbols *s, terms t);
// The sum for these values of its atoms. Negative terms are added separately: 2*A - 1 may fit even if 2*A does not. A
// term with a factor 0 is 0, even if the product of its other factors overflows.
bool rsh_terms_eval(rsh_terms t, const int64_t *value, int64_t *out);

#endif
