// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials with integer coefficients in the symbols of a graph, interned in storage of the caller.
//
// A sum is built at the free end of s->term, made primitive, and either found among the polynomials
// that exist (the new terms are then forgotten) or kept:
//
//   add({2, "P"}, {2, 0})  ->  terms 2*P + 2  ->  factor 2, primitive P + 1  ->  {2, id of "P+1"}
#include "runtime/poly.h"

// Terms of a number, read in place: count terms, each coefficient still to be multiplied by factor.
typedef struct {
  const rsh_term *term;
  int32_t count;
  int64_t factor;
} terms;

static const rsh_term one = {1, {0}};

static terms terms_of(const rsh_symbols *s, rsh_num a) {
  terms t = {&one, 1, a.n};
  if (a.n == 0) {
    t.count = 0;
  } else if (a.poly != 0) {
    t.term = s->term + s->poly[a.poly].first;
    t.count = s->poly[a.poly].count;
  }
  return t;
}

// Order of terms: by exponents, the first symbol weighing most.
static int compare_exponents(const rsh_term *a, const rsh_term *b) {
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    if (a->exp[i] != b->exp[i])
      return a->exp[i] < b->exp[i] ? -1 : 1;
  return 0;
}

static int64_t gcd(int64_t a, int64_t b) { // of magnitudes; a, b > INT64_MIN
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Adds one term to the sum at the free end, which holds `count` terms in descending order.
static bool sum_add(rsh_symbols *s, int32_t *count, rsh_term t) {
  rsh_term *sum = s->term + s->term_count;
  int32_t at = 0;
  while (at < *count && compare_exponents(&sum[at], &t) > 0)
    at++;
  if (at < *count && compare_exponents(&sum[at], &t) == 0) {
    if (__builtin_add_overflow(sum[at].coef, t.coef, &sum[at].coef) || sum[at].coef == INT64_MIN)
      return false;
    if (sum[at].coef == 0) {
      --*count;
      for (int32_t i = at; i < *count; i++)
        sum[i] = sum[i + 1];
    }
    return true;
  }
  if (s->term_count + *count >= s->term_capacity || t.coef == INT64_MIN)
    return false;
  for (int32_t i = *count; i > at; i--)
    sum[i] = sum[i - 1];
  sum[at] = t;
  ++*count;
  return true;
}

static bool sum_add_scaled(rsh_symbols *s, int32_t *count, terms t) {
  for (int32_t i = 0; i < t.count; i++) {
    rsh_term term = t.term[i];
    if (__builtin_mul_overflow(term.coef, t.factor, &term.coef) || !sum_add(s, count, term))
      return false;
  }
  return true;
}

static bool same_terms(const rsh_term *a, const rsh_term *b, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (a[i].coef != b[i].coef || compare_exponents(&a[i], &b[i]) != 0)
      return false;
  return true;
}

// The sum of `count` terms at the free end, as a number: primitive, and interned.
static bool sum_intern(rsh_symbols *s, int32_t count, rsh_num *out) {
  rsh_term *sum = s->term + s->term_count;
  if (count == 0) {
    *out = rsh_int(0);
    return true;
  }
  int64_t factor = 0;
  for (int32_t i = 0; i < count; i++)
    factor = gcd(factor, sum[i].coef);
  if (sum[0].coef < 0)
    factor = -factor;
  for (int32_t i = 0; i < count; i++)
    sum[i].coef /= factor;
  if (count == 1 && compare_exponents(&sum[0], &one) == 0) {
    *out = rsh_int(factor);
    return true;
  }
  out->n = factor;
  for (int32_t p = 1; p < s->poly_count; p++) {
    if (s->poly[p].count == count && same_terms(s->term + s->poly[p].first, sum, count)) {
      out->poly = p;
      return true;
    }
  }
  int32_t id = s->poly_count > 0 ? s->poly_count : 1;
  if (id >= s->poly_capacity)
    return false;
  s->poly[id].first = s->term_count;
  s->poly[id].count = count;
  s->poly_count = id + 1;
  s->term_count += count;
  out->poly = id;
  return true;
}

bool rsh_symbol(rsh_symbols *s, rsh_num *out) {
  if (s->symbol_count >= RSH_MAX_SYMBOLS)
    return false;
  rsh_term t = {1, {0}};
  t.exp[s->symbol_count] = 1;
  int32_t count = 0;
  if (!sum_add(s, &count, t) || !sum_intern(s, count, out))
    return false;
  s->least[s->symbol_count] = 1;
  s->most[s->symbol_count] = INT64_MAX;
  s->symbol_count++;
  return true;
}

bool rsh_poly_add(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  int32_t count = 0;
  return s != 0 && sum_add_scaled(s, &count, terms_of(s, a)) &&
         sum_add_scaled(s, &count, terms_of(s, b)) && sum_intern(s, count, out);
}

static bool multiply_exponents(const rsh_term *a, const rsh_term *b, rsh_term *out) {
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++) {
    if (a->exp[i] > UINT8_MAX - b->exp[i])
      return false;
    out->exp[i] = (uint8_t)(a->exp[i] + b->exp[i]);
  }
  return true;
}

bool rsh_poly_mul(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (s == 0)
    return false;
  terms ta = terms_of(s, a), tb = terms_of(s, b);
  int64_t factor;
  if (__builtin_mul_overflow(a.n, b.n, &factor) || factor == INT64_MIN)
    return false;
  int32_t count = 0;
  for (int32_t i = 0; i < ta.count; i++) {
    for (int32_t j = 0; j < tb.count; j++) {
      rsh_term t;
      if (!multiply_exponents(&ta.term[i], &tb.term[j], &t) ||
          __builtin_mul_overflow(ta.term[i].coef, tb.term[j].coef, &t.coef) ||
          __builtin_mul_overflow(t.coef, factor, &t.coef) || !sum_add(s, &count, t))
        return false;
    }
  }
  return sum_intern(s, count, out);
}

// lead / divisor as one term; false when it does not divide.
static bool divide_term(const rsh_term *lead, const rsh_term *divisor, rsh_term *out) {
  if (lead->coef % divisor->coef != 0)
    return false;
  out->coef = lead->coef / divisor->coef;
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++) {
    if (lead->exp[i] < divisor->exp[i])
      return false;
    out->exp[i] = (uint8_t)(lead->exp[i] - divisor->exp[i]);
  }
  return true;
}

// Long division of primitive polynomials: by Gauss' lemma the quotient is primitive too, so the
// factors divide apart from it. The rest lives at the free end of the terms and shrinks, the quotient
// grows down from their capacity.
//   (B*S + S) / S   lead B*S / S = B, rest S;   S / S = 1, rest 0   ->   B + 1
bool rsh_poly_div(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (s == 0)
    return false;
  int64_t factor = a.n / b.n;
  a.n = b.n = 1;
  int32_t rest = 0, quotient = s->term_capacity;
  if (!sum_add_scaled(s, &rest, terms_of(s, a)))
    return false;
  terms tb = terms_of(s, b);
  const rsh_term *lead = s->term + s->term_count;
  while (rest > 0) {
    rsh_term q;
    if (!divide_term(lead, &tb.term[0], &q))
      return false;
    for (int32_t j = 0; j < tb.count; j++) {
      rsh_term t;
      if (!multiply_exponents(&q, &tb.term[j], &t) ||
          __builtin_mul_overflow(q.coef, -tb.term[j].coef, &t.coef) || !sum_add(s, &rest, t))
        return false;
    }
    if (s->term_count + rest >= quotient - 1)
      return false;
    s->term[--quotient] = q;
  }
  int32_t count = 0;
  for (int32_t i = s->term_capacity - 1; i >= quotient; i--)
    if (!sum_add(s, &count, s->term[i]))
      return false;
  if (!sum_intern(s, count, out))
    return false;
  return !__builtin_mul_overflow(out->n, factor, &out->n);
}

static bool dominates(const rsh_term *a,
                      const rsh_term *b) { // a's monomial >= b's for symbols >= 1
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    if (a->exp[i] < b->exp[i])
      return false;
  return true;
}

// How much of the coefficient of term i is left once every term of the other sign that it dominates
// has taken its share, largest first.  B*S - 1: the 1 is covered by B*S, nothing of B*S is left.
// True when all terms of sign -`sign` are covered; *strict when something of sign `sign` is left.
static bool covered(terms t, int64_t sign, bool *strict) {
  int64_t spare = 0;
  *strict = false;
  for (int32_t i = 0; i < t.count; i++) {
    int64_t coef = t.term[i].coef * sign;
    if (coef > 0) {
      // Terms descend, but domination is a partial order: only a chain of domination shares.
      if (spare > 0 && !dominates(&t.term[i - 1], &t.term[i]))
        spare = 0, *strict = true;
      if (__builtin_add_overflow(spare, coef, &spare))
        return false;
    } else {
      if (spare < -coef || !dominates(&t.term[i - 1], &t.term[i]))
        return false;
      spare += coef;
    }
  }
  *strict = *strict || spare > 0;
  return true;
}

int rsh_poly_sign(const rsh_symbols *s, rsh_num a) {
  if (s == 0)
    return 2;
  terms t = terms_of(s, a);
  int factor = a.n > 0 ? 1 : -1;
  bool strict;
  if (covered(t, 1, &strict) && strict)
    return factor;
  if (covered(t, -1, &strict) && strict)
    return -factor;
  return 2;
}

bool rsh_poly_at_most(const rsh_symbols *s, rsh_num a, rsh_num b) {
  // The difference is only looked at: a copy of the counters leaves the caller's storage as it was.
  if (s == 0)
    return false;
  rsh_symbols scratch = *s;
  rsh_num d;
  if (b.n == INT64_MIN || a.n == INT64_MIN || !rsh_sub(&scratch, b, a, &d))
    return false;
  if (d.poly == 0)
    return d.n >= 0;
  bool strict;
  return covered(terms_of(&scratch, d), d.n > 0 ? 1 : -1, &strict);
}

bool rsh_eval(const rsh_symbols *s, rsh_num a, const int64_t *value, int64_t *out) {
  terms t = a.poly == 0 || s == 0 ? (terms){&one, 1, a.n} : terms_of(s, a);
  int64_t sum = 0;
  for (int32_t i = 0; i < t.count; i++) {
    int64_t product;
    if (__builtin_mul_overflow(t.term[i].coef, t.factor, &product))
      return false;
    for (int k = 0; k < RSH_MAX_SYMBOLS; k++)
      for (int e = 0; e < t.term[i].exp[k]; e++)
        if (__builtin_mul_overflow(product, value[k], &product))
          return false;
    if (__builtin_add_overflow(sum, product, &sum))
      return false;
  }
  *out = sum;
  return true;
}
