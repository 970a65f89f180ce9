// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials with integer coefficients in the symbols of a graph, interned in the caller's storage.
//
// A sum is built at the free end of s->term, made primitive, and either found among the polynomials
// that exist (the new terms are then forgotten) or kept:
//
//   add({2, "P"}, {2, 0})  ->  terms 2*P + 2  ->  factor 2, primitive P + 1  ->  {2, id of "P+1"}
#include "runtime/poly_internal.h"

rsh_terms rsh_terms_of(const rsh_symbols *s, rsh_num a) {
  if (rsh_is_unknown(a))
    a = rsh_int(0);
  terms t = terms_of(s, a);
  return (rsh_terms){.next = t.term, .left = t.count, .common = t.factor};
}

bool rsh_next_term(rsh_terms *t) {
  if (t->left == 0)
    return false;
  t->left--;
  t->term = t->next++;
  t->atom = -1;
  t->power = 0;
  t->fits = !__builtin_mul_overflow(t->term->coef, t->common, &t->coef);
  return true;
}

int rsh_next_atom(rsh_terms *t) {
  while (t->power == 0) {
    t->atom++;
    while (t->atom % 8 == 0 && t->atom < RSH_MAX_SYMBOLS && t->term->exps[t->atom / 8] == 0)
      t->atom += 8;
    if (t->atom >= RSH_MAX_SYMBOLS)
      return -1;
    t->power = t->term->exp[t->atom];
  }
  t->power--;
  return t->atom;
}

int rsh_degree(const rsh_terms *t) {
  int degree = 0;
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    degree += t->term->exp[i];
  return degree;
}

int32_t rsh_term_count(const rsh_symbols *s, rsh_num a) { return rsh_terms_of(s, a).left; }

uint32_t rsh_atoms_of_term(rsh_terms *t) {
  uint32_t atoms = 0;
  for (int i; (i = rsh_next_atom(t)) >= 0;)
    atoms |= UINT32_C(1) << i;
  return atoms;
}

uint32_t rsh_atoms_of(const rsh_symbols *s, rsh_num a) {
  uint32_t atoms = 0;
  rsh_terms t = rsh_terms_of(s, a);
  while (rsh_next_term(&t))
    atoms |= rsh_atoms_of_term(&t);
  return atoms;
}

// Compares terms by their exponents, the first symbol first.
static int compare_exponents(const rsh_term *a, const rsh_term *b) {
  int i = 0;
  while (i < RSH_MAX_SYMBOLS && a->exps[i / 8] == b->exps[i / 8])
    i += 8;
  for (; i < RSH_MAX_SYMBOLS; i++)
    if (a->exp[i] != b->exp[i])
      return a->exp[i] < b->exp[i] ? -1 : 1;
  return 0;
}

// Searches for the position from the end, because most terms come in order.
bool rsh_sum_add(sum *a, rsh_term t) {
  int32_t at = a->count;
  int order = 1; // of the term before `at`, to t
  while (at > 0 && (order = compare_exponents(&a->term[at - 1], &t)) < 0)
    at--;
  if (at > 0 && order == 0) {
    rsh_term *same = &a->term[--at];
    if (__builtin_add_overflow(same->coef, t.coef, &same->coef) || same->coef == INT64_MIN)
      return false;
    if (same->coef == 0) {
      --a->count;
      for (int32_t i = at; i < a->count; i++)
        a->term[i] = a->term[i + 1];
    }
    return true;
  }
  if (t.coef == 0)
    return true;
  if (a->count >= a->room || t.coef == INT64_MIN)
    return false;
  for (int32_t i = a->count; i > at; i--)
    a->term[i] = a->term[i - 1];
  a->term[at] = t;
  ++a->count;
  return true;
}

bool rsh_sum_add_scaled(sum *a, terms t) {
  for (int32_t i = 0; i < t.count; i++) {
    rsh_term term = t.term[i];
    if (__builtin_mul_overflow(term.coef, t.factor, &term.coef) || !rsh_sum_add(a, term))
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

static int32_t hash_of(const rsh_term *term, int32_t count) {
  uint64_t hash = 0;
  for (int32_t i = 0; i < count; i++) {
    hash = (hash ^ (uint64_t)term[i].coef) * UINT64_C(0x9E3779B97F4A7C15);
    for (int k = 0; k < RSH_MAX_SYMBOLS / 8; k++)
      hash = (hash ^ term[i].exps[k] ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15);
  }
  return (int32_t)((hash >> 32) % RSH_POLY_CHAINS);
}

bool rsh_sum_intern(rsh_symbols *s, const sum *a, rsh_num *out) {
  rsh_term *term = a->term;
  int32_t count = a->count;
  if (count == 0) {
    *out = rsh_int(0);
    return true;
  }
  int64_t factor = 0;
  for (int32_t i = 0; i < count; i++)
    factor = rsh_gcd(factor, term[i].coef);
  if (term[0].coef < 0)
    factor = -factor;
  for (int32_t i = 0; i < count; i++)
    term[i].coef /= factor;
  if (count == 1 && compare_exponents(&term[0], &rsh_one_term) == 0) {
    *out = rsh_int(factor);
    return true;
  }
  for (int i = 0; s->poly_count <= 1 && i < RSH_POLY_CHAINS; i++)
    s->newest[i] = 0;
  int32_t *newest = &s->newest[hash_of(term, count)];
  for (int32_t p = *newest; p > 0; p = s->poly[p].next) {
    if (s->poly[p].count == count && same_terms(s->term + s->poly[p].first, term, count)) {
      *out = (rsh_num){factor, p};
      return true;
    }
  }
  int32_t id = s->poly_count > 0 ? s->poly_count : 1;
  if (id >= s->poly_capacity)
    return false;
  s->poly[id] = (rsh_poly){s->term_count, count, *newest};
  *newest = id;
  s->poly_count = id + 1;
  s->term_count += count;
  *out = (rsh_num){factor, id};
  return true;
}

bool rsh_atom(rsh_symbols *s, int atom, rsh_num *out) {
  rsh_term t = {.coef = 1};
  t.exp[atom] = 1;
  sum a = sum_at_end(s);
  return rsh_sum_add(&a, t) && rsh_sum_intern(s, &a, out);
}

bool rsh_symbol(rsh_symbols *s, rsh_num *out) {
  if (s->symbol_count >= RSH_MAX_SYMBOLS || !rsh_atom(s, s->symbol_count, out))
    return false;
  s->least[s->symbol_count] = 0;
  s->most[s->symbol_count] = INT64_MAX;
  s->symbol_count++;
  return true;
}

bool rsh_poly_add(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (s == 0)
    return false;
  sum total = sum_at_end(s);
  return rsh_sum_add_scaled(&total, terms_of(s, a)) && rsh_sum_add_scaled(&total, terms_of(s, b)) &&
         rsh_sum_intern(s, &total, out);
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
  sum total = sum_at_end(s);
  for (int32_t i = 0; i < ta.count; i++) {
    for (int32_t j = 0; j < tb.count; j++) {
      rsh_term t;
      if (!multiply_exponents(&ta.term[i], &tb.term[j], &t) ||
          __builtin_mul_overflow(ta.term[i].coef, tb.term[j].coef, &t.coef) ||
          __builtin_mul_overflow(t.coef, factor, &t.coef) || !rsh_sum_add(&total, t))
        return false;
    }
  }
  return rsh_sum_intern(s, &total, out);
}

bool rsh_divide_term(const rsh_term *lead, const rsh_term *divisor, rsh_term *out) {
  if (lead->coef % divisor->coef != 0)
    return false;
  *out = *lead;
  out->coef = lead->coef / divisor->coef;
  rsh_terms factors = {.term = divisor, .atom = -1};
  for (int i; (i = rsh_next_atom(&factors)) >= 0;)
    if (out->exp[i]-- == 0)
      return false;
  return true;
}

// Long division of primitive polynomials: by Gauss' lemma the quotient is primitive too, so the
// factors are divided separately. The remainder is at the free end of the terms and shrinks; the quotient
// grows down from the end of the storage.
//   (B*S + S) / S   lead B*S / S = B, rest S;   S / S = 1, rest 0   ->   B + 1
bool rsh_divide_exactly(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (a.n % b.n != 0)
    return false;
  int64_t factor = a.n / b.n;
  a.n = b.n = 1;
  int32_t quotient = s->term_capacity;
  sum rest = sum_at_end(s);
  if (!rsh_sum_add_scaled(&rest, terms_of(s, a)))
    return false;
  terms tb = terms_of(s, b);
  while (rest.count > 0) {
    rsh_term q;
    if (!rsh_divide_term(&rest.term[0], &tb.term[0], &q))
      return false;
    for (int32_t j = 0; j < tb.count; j++) {
      rsh_term t;
      if (!multiply_exponents(&q, &tb.term[j], &t) ||
          __builtin_mul_overflow(q.coef, -tb.term[j].coef, &t.coef) || !rsh_sum_add(&rest, t))
        return false;
    }
    int32_t below = quotient - 1 - s->term_count; // room for the rest, and then for the quotient
    if (rest.count >= below || s->term_capacity - quotient >= below)
      return false;
    s->term[--quotient] = q;
    --rest.room;
  }
  sum total = sum_at_end(s);
  for (int32_t i = s->term_capacity - 1; i >= quotient; i--)
    total.term[total.count++] = s->term[i];
  rsh_num whole;
  if (!rsh_sum_intern(s, &total, &whole) || __builtin_mul_overflow(whole.n, factor, &whole.n))
    return false;
  *out = whole;
  return true;
}

bool rsh_subtract_product(const sum *t, const rsh_term *by, terms of, sum *rest) {
  *rest = sum_after(t);
  if (rest->room < t->count)
    return false;
  while (rest->count < t->count) {
    rest->term[rest->count] = t->term[rest->count];
    rest->count++;
  }
  for (int32_t j = 0; j < of.count; j++) {
    rsh_term product;
    if (!multiply_exponents(by, &of.term[j], &product) ||
        __builtin_mul_overflow(of.term[j].coef * of.factor, -by->coef, &product.coef) ||
        !rsh_sum_add(rest, product))
      return false;
  }
  return true;
}

bool rsh_rewrite(rsh_symbols *s, rsh_num a, rsh_num zero, rsh_num *out) {
  terms of = terms_of(s, zero);
  rsh_term lead = of.term[0], by;
  sum all = sum_at_end(s), rest;
  if (!rsh_sum_add_scaled(&all, terms_of(s, a)))
    return false;
  for (int32_t k = 0; k < all.count; k++) {
    if (!rsh_divide_term(&all.term[k], &lead, &by))
      continue;
    if (!rsh_subtract_product(&all, &by, of, &rest))
      return false;
    for (all.count = 0; all.count < rest.count; all.count++) // moves `rest` down
      all.term[all.count] = rest.term[all.count];
    return rsh_sum_intern(s, &all, out);
  }
  return false;
}

// Divides with a known exact quotient: if 4 / (2*S) is known to be q, 12 / S is 6*q.
static bool divide_known(rsh_symbols *s, rsh_num a, rsh_num b, const rsh_floor *q, rsh_num *out) {
  rsh_num times, product;
  if (q->of.n == 0 || a.n == INT64_MIN)
    return false;
  times = rsh_int(a.n / q->of.n);
  bool is_seen =
      rsh_are_known(a, q->of) ? a.n % q->of.n == 0 : rsh_divide_exactly(s, a, q->of, &times);
  return is_seen && rsh_mul(s, q->by, q->floor, &product) && rsh_mul(s, product, times, &product) &&
         !rsh_is(product, 0) && rsh_divide_exactly(s, product, b, out);
}

rsh_num rsh_poly_reduce(rsh_symbols *s, rsh_num a) {
  for (int32_t i = 0; i < s->zero_count; i++)
    while (rsh_rewrite(s, a, s->zero[i], &a)) // until there is no such term
      ;
  return a;
}

// a / b, also with known exact quotients.
static bool divide_plain(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (rsh_divide_exactly(s, a, b, out))
    return true;
  for (int32_t i = 0; i < s->quotient_count; i++)
    if (s->quotient[i].is_exact && divide_known(s, a, b, &s->quotient[i], out))
      return true;
  return false;
}

// The same with known equalities: starting from each equality, applies all later ones that apply. Terms only become
// smaller, so this terminates; trying all orders would take too long.
bool rsh_poly_div(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (s == 0)
    return false;
  if (divide_plain(s, a, b, out))
    return true;
  for (int32_t first = 0; first < s->zero_count; first++) {
    rsh_num less = a;
    for (int32_t i = first; i < s->zero_count; i++) {
      if (!rsh_rewrite(s, less, s->zero[i], &less))
        continue;
      if (rsh_are_known(less, b) || less.n == 0 ? rsh_div_any(s, less, b, out)
                                                : divide_plain(s, less, b, out))
        return true;
      i = -1;
    }
  }
  return false;
}

bool rsh_poly_quotient(rsh_symbols *s, rsh_num a, rsh_num b, bool rounds_down, rsh_num *out) {
  if (s == 0)
    return false;
  terms ta = terms_of(s, a), tb = terms_of(s, b);
  sum total = sum_at_end(s);
  rsh_term lead = tb.term[0];
  if (__builtin_mul_overflow(lead.coef, tb.factor, &lead.coef) || lead.coef < 1)
    return false;
  for (int32_t i = 0; i < ta.count; i++) {
    rsh_term term = ta.term[i], q;
    if (__builtin_mul_overflow(term.coef, ta.factor, &term.coef))
      return false;
    int64_t left = term.coef % lead.coef;
    if (__builtin_sub_overflow(term.coef, left < 0 && rounds_down ? left + lead.coef : left,
                               &term.coef))
      return false;
    if (term.coef != 0 && rsh_divide_term(&term, &lead, &q) && !rsh_sum_add(&total, q))
      return false;
  }
  return rsh_sum_intern(s, &total, out);
}

// plus - minus. False: it does not fit.
static bool difference(uint64_t plus, uint64_t minus, int64_t *out) {
  uint64_t n = plus - minus;
  bool is_below = plus < minus;
  *out = is_below ? -(int64_t)((minus - plus - 1) & INT64_MAX) - 1 : (int64_t)(n & INT64_MAX);
  return is_below == (n > INT64_MAX);
}

bool rsh_terms_eval(rsh_terms t, const int64_t *value, int64_t *out) {
  uint64_t plus = 0, minus = 0;
  while (rsh_next_term(&t)) {
    uint64_t product = t.coef < 0 ? 0 - (uint64_t)t.coef : (uint64_t)t.coef;
    uint64_t *side = t.coef < 0 ? &minus : &plus;
    bool fits = t.fits, is_zero = false;
    for (int i; (i = rsh_next_atom(&t)) >= 0; is_zero = is_zero || value[i] == 0)
      fits =
          value[i] >= 0 && !__builtin_mul_overflow(product, (uint64_t)value[i], &product) && fits;
    if (!is_zero && (!fits || __builtin_add_overflow(*side, product, side)))
      return false;
  }
  return difference(plus, minus, out);
}

bool rsh_eval(const rsh_symbols *s, rsh_num a, const int64_t *value, int64_t *out) {
  return !rsh_is_unknown(a) && rsh_terms_eval(rsh_terms_of(s, a), value, out);
}

// True if the greatest common divisor of n and all terms with an atom does not divide the constant.
bool rsh_never_multiple(const rsh_symbols *s, rsh_num a, int64_t n) {
  int64_t common = n, constant = 0;
  if (rsh_is_unknown(a) || (a.poly != 0 && s == 0))
    return false;
  rsh_terms t = rsh_terms_of(s, a);
  while (rsh_next_term(&t)) {
    if (!t.fits || t.coef == INT64_MIN)
      return false;
    if (rsh_degree(&t) == 0)
      constant = t.coef;
    else
      common = rsh_gcd(common, t.coef);
  }
  return common == 0 ? constant != 0 : constant % common != 0;
}
