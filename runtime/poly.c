// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials with integer coefficients in the symbols of a graph, interned in the caller's storage.
//
// A sum is built at the free end of s->term, made primitive, and either found among the polynomials
// that exist (the new terms are then forgotten) or kept:
//
//   add({2, "P"}, {2, 0})  ->  terms 2*P + 2  ->  factor 2, primitive P + 1  ->  {2, id of "P+1"}
#include "runtime/poly.h"

// The terms of a number, read in place: multiply each coefficient by `factor`.
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
    if (++t->atom >= RSH_MAX_SYMBOLS)
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

uint32_t rsh_atoms_of(const rsh_symbols *s, rsh_num a) {
  uint32_t atoms = 0;
  rsh_terms t = rsh_terms_of(s, a);
  while (rsh_next_term(&t))
    for (int i; (i = rsh_next_atom(&t)) >= 0;)
      atoms |= 1U << i;
  return atoms;
}

// Compares terms by their exponents, the first symbol first.
static int compare_exponents(const rsh_term *a, const rsh_term *b) {
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    if (a->exp[i] != b->exp[i])
      return a->exp[i] < b->exp[i] ? -1 : 1;
  return 0;
}

// A sum under construction: its terms in descending order.
typedef struct {
  rsh_term *term;
  int32_t count, room;
} sum;

// A new sum at the free end of the terms, or after another sum there.
static sum sum_at_end(const rsh_symbols *s) {
  sum at = {s->term + s->term_count, 0, s->term_capacity - s->term_count};
  return at;
}
static sum sum_after(const sum *a) {
  sum at = {a->term + a->count, 0, a->room - a->count};
  return at;
}

// Searches for the position from the end, because most terms come in order.
static bool sum_add(sum *a, rsh_term t) {
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

static bool sum_add_scaled(sum *a, terms t) {
  for (int32_t i = 0; i < t.count; i++) {
    rsh_term term = t.term[i];
    if (__builtin_mul_overflow(term.coef, t.factor, &term.coef) || !sum_add(a, term))
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

// Makes a sum at the free end a number: primitive, and interned.
static bool sum_intern(rsh_symbols *s, const sum *a, rsh_num *out) {
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
  if (count == 1 && compare_exponents(&term[0], &one) == 0) {
    *out = rsh_int(factor);
    return true;
  }
  out->n = factor;
  for (int32_t p = 1; p < s->poly_count; p++) {
    if (s->poly[p].count == count && same_terms(s->term + s->poly[p].first, term, count)) {
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

bool rsh_atom(rsh_symbols *s, int atom, rsh_num *out) {
  rsh_term t = {1, {0}};
  t.exp[atom] = 1;
  sum a = sum_at_end(s);
  return sum_add(&a, t) && sum_intern(s, &a, out);
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
  return sum_add_scaled(&total, terms_of(s, a)) && sum_add_scaled(&total, terms_of(s, b)) &&
         sum_intern(s, &total, out);
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
          __builtin_mul_overflow(t.coef, factor, &t.coef) || !sum_add(&total, t))
        return false;
    }
  }
  return sum_intern(s, &total, out);
}

// lead / divisor as one term. False: it does not divide.
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
// factors are divided separately. The remainder is at the free end of the terms and shrinks; the quotient
// grows down from the end of the storage.
//   (B*S + S) / S   lead B*S / S = B, rest S;   S / S = 1, rest 0   ->   B + 1
static bool divide(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (a.n % b.n != 0)
    return false;
  int64_t factor = a.n / b.n;
  a.n = b.n = 1;
  int32_t quotient = s->term_capacity;
  sum rest = sum_at_end(s);
  if (!sum_add_scaled(&rest, terms_of(s, a)))
    return false;
  terms tb = terms_of(s, b);
  while (rest.count > 0) {
    rsh_term q;
    if (!divide_term(&rest.term[0], &tb.term[0], &q))
      return false;
    for (int32_t j = 0; j < tb.count; j++) {
      rsh_term t;
      if (!multiply_exponents(&q, &tb.term[j], &t) ||
          __builtin_mul_overflow(q.coef, -tb.term[j].coef, &t.coef) || !sum_add(&rest, t))
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
  if (!sum_intern(s, &total, out))
    return false;
  return !__builtin_mul_overflow(out->n, factor, &out->n);
}

// t - by * of, where `of` is a fact or 0: its factor is 1 or -1.
static bool subtract_product(const sum *t, const rsh_term *by, terms of, sum *rest) {
  *rest = sum_after(t);
  for (int32_t j = 0; j < t->count; j++)
    if (!sum_add(rest, t->term[j]))
      return false;
  for (int32_t j = 0; j < of.count; j++) {
    rsh_term product;
    if (!multiply_exponents(by, &of.term[j], &product) ||
        __builtin_mul_overflow(of.term[j].coef * of.factor, -by->coef, &product.coef) ||
        !sum_add(rest, product))
      return false;
  }
  return true;
}

// Replaces a term of a that is a multiple of the first term of `zero`, which is 0, by the other terms. False: there is
// none.
//   6*N*M with N*M - 2*q   ->   12*q
static bool rewrite(rsh_symbols *s, rsh_num a, rsh_num zero, rsh_num *out) {
  terms of = terms_of(s, zero);
  rsh_term lead = of.term[0], by;
  sum all = sum_at_end(s), rest;
  if (!sum_add_scaled(&all, terms_of(s, a)))
    return false;
  for (int32_t k = 0; k < all.count; k++) {
    if (!divide_term(&all.term[k], &lead, &by))
      continue;
    if (!subtract_product(&all, &by, of, &rest))
      return false;
    for (all.count = 0; all.count < rest.count; all.count++) // moves `rest` down
      all.term[all.count] = rest.term[all.count];
    return sum_intern(s, &all, out);
  }
  return false;
}

// Divides with a known exact quotient: if 4 / (2*S) is known to be q, 12 / S is 6*q.
static bool divide_known(rsh_symbols *s, rsh_num a, rsh_num b, const rsh_floor *q, rsh_num *out) {
  rsh_num times, product;
  if (q->of.n == 0 || a.n == INT64_MIN)
    return false;
  times = rsh_int(a.n / q->of.n);
  bool is_seen = rsh_are_known(a, q->of) ? a.n % q->of.n == 0 : divide(s, a, q->of, &times);
  return is_seen && rsh_mul(s, q->by, q->floor, &product) && rsh_mul(s, product, times, &product) &&
         !rsh_is(product, 0) && divide(s, product, b, out);
}

// a / b, also with known exact quotients.
static bool divide_plain(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (divide(s, a, b, out))
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
      if (!rewrite(s, less, s->zero[i], &less))
        continue;
      if (rsh_are_known(less, b) || less.n == 0 ? rsh_div_any(s, less, b, out)
                                                : divide_plain(s, less, b, out))
        return true;
      i = -1;
    }
  }
  return false;
}

bool rsh_poly_quotient(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
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
    if (__builtin_sub_overflow(term.coef, left < 0 ? left + lead.coef : left, &term.coef))
      return false;
    if (term.coef != 0 && divide_term(&term, &lead, &q) && !sum_add(&total, q))
      return false;
  }
  return sum_intern(s, &total, out);
}

// Updates *factor from that of y^k in (base + y)^e to that of y^(k-1).
//   (2 + y)^3  ->  1, 3*2, 3*4, 8
static bool next_binomial(int64_t *factor, int e, int k, int64_t base) {
  return !__builtin_mul_overflow(*factor, (int64_t)k, factor) &&
         !__builtin_mul_overflow(*factor / (e - k + 1), base, factor);
}

// Writes the sum `from` to `to` with atom i as base + y; y takes the place of the atom.
static bool sum_shift(const sum *from, int i, int64_t base, sum *to) {
  for (int32_t t = 0; t < from->count; t++) {
    int64_t factor = 1; // always an integer
    rsh_term term = from->term[t];
    for (int e = term.exp[i], k = e; k >= 0; k--) {
      rsh_term part = term;
      part.exp[i] = (uint8_t)k;
      if (__builtin_mul_overflow(part.coef, factor, &part.coef) || !sum_add(to, part) ||
          (k > 0 && !next_binomial(&factor, e, k, base)))
        return false;
    }
  }
  return true;
}

static bool is_bounded(const rsh_symbols *s, int i) { return s->most[i] != INT64_MAX; }

// A negative term is least when its atoms are at their upper bounds; replaces the bounded atoms by their bounds.
static bool most_of_term(const rsh_symbols *s, rsh_term *term) {
  for (int i = 0; i < s->symbol_count; i++) {
    for (; is_bounded(s, i) && term->exp[i] > 0; term->exp[i]--)
      if (__builtin_mul_overflow(term->coef, s->most[i] - s->least[i], &term->coef))
        return false;
  }
  return true;
}

static bool is_used(const sum *t, int i) {
  for (int32_t k = 0; k < t->count; k++)
    if (t->term[k].exp[i] > 0)
      return true;
  return false;
}

static bool uses_any(const rsh_symbols *s, const sum *t, uint32_t atoms) {
  for (int i = 0; i < s->symbol_count; i++)
    if ((atoms >> i & 1) != 0 && is_used(t, i))
      return true;
  return false;
}

// Whether t can be proved to be at least 0. Each atom is written as its least value plus a new atom, so that positive
// terms can only increase the sum. Negative terms must be offset by terms of the same atoms, or, if bounded, by the
// constant.
//
//   B*S - S       with B = 1 + b, S = 1 + s       b*s + b               at least 0
//   1080 - H      with H = 1 + h, h <= 1079       1079 - h, 1079 - 1079 at least 0
static bool is_sum_natural(const rsh_symbols *s, const sum *t) {
  sum all = sum_after(t), next;
  for (int32_t i = 0; i < t->count; i++)
    if (!sum_add(&all, t->term[i]))
      return false;
  for (int i = 0; i < s->symbol_count; i++) {
    if (!is_used(t, i))
      continue;
    next = sum_after(&all);
    if (!sum_shift(&all, i, s->least[i], &next))
      return false;
    all.count = 0; // moves `next` down over its input, which is no longer needed
    for (int32_t k = 0; k < next.count; k++)
      all.term[all.count++] = next.term[k];
  }
  next = sum_after(&all);
  for (int32_t k = 0; k < all.count; k++) {
    rsh_term term = all.term[k];
    if ((term.coef < 0 && !most_of_term(s, &term)) || !sum_add(&next, term))
      return false;
  }
  for (int32_t k = 0; k < next.count; k++)
    if (next.term[k].coef < 0)
      return false;
  return true;
}

// Subtracts a multiple of `fact` from t that removes its negative term k, or makes it positive: the rest is at most t.
//   P <= 14*H:  14*B*H - B*P  ->  0
//   C >= 2:     10*C - 11     ->  4*C + 1, less 6*(C - 2)
static bool take_fact(const rsh_symbols *s, const sum *t, int32_t k, rsh_num fact, sum *rest) {
  terms of = terms_of(s, fact);
  rsh_term by;
  for (int32_t i = 0; i < of.count; i++) {
    rsh_term part = of.term[i], whole = t->term[k];
    part.coef *= of.factor;
    if (part.coef >= 0)
      continue;
    int64_t left = whole.coef % part.coef, more = left == 0 ? 0 : part.coef - left;
    if (__builtin_add_overflow(whole.coef, more, &whole.coef) || !divide_term(&whole, &part, &by))
      continue;
    return subtract_product(t, &by, of, rest);
  }
  return false;
}

// plus - minus. False: it does not fit.
static bool difference(uint64_t plus, uint64_t minus, int64_t *out) {
  uint64_t n = plus - minus;
  bool is_below = plus < minus;
  *out = is_below ? -(int64_t)((minus - plus - 1) & INT64_MAX) - 1 : (int64_t)(n & INT64_MAX);
  return is_below == (n > INT64_MAX);
}

// The sum for these values of its atoms. Negative terms are added separately: 2*A - 1 may fit even if 2*A does not. A
// term with a factor 0 is 0, even if the product of its other factors overflows.
static bool eval_terms(rsh_terms t, const int64_t *value, int64_t *out) {
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
  return !rsh_is_unknown(a) && eval_terms(rsh_terms_of(s, a), value, out);
}

// Sets the atoms of an example that are quotients of others.
static bool set_quotients(const rsh_symbols *s, int64_t *value) {
  for (int32_t i = 0; i < s->quotient_count; i++) {
    const rsh_floor *q = &s->quotient[i];
    rsh_terms floor = rsh_terms_of(s, q->floor);
    int64_t of, by;
    int atom = rsh_next_term(&floor) ? rsh_next_atom(&floor) : -1;
    if (atom < 0 || !rsh_eval(s, q->of, value, &of) || !rsh_eval(s, q->by, value, &by) || of < 0 ||
        by <= 0)
      return false;
    value[atom] = of / by;
  }
  return true;
}

// Lowers atoms with a negative coefficient until the facts are satisfied: A - q - 1 >= 0 with A = 3 makes q at most 2.
static void lower_to_facts(const rsh_symbols *s, int64_t *value) {
  for (int32_t i = 0; i < s->fact_count; i++) {
    int64_t n;
    rsh_terms t = rsh_terms_of(s, s->fact[i]);
    bool is_met = !rsh_eval(s, s->fact[i], value, &n) || n >= 0;
    while (!is_met && rsh_next_term(&t)) {
      int atom = rsh_degree(&t) == 1 && t.coef < 0 ? rsh_next_atom(&t) : -1;
      int64_t lower = atom < 0 ? -1 : value[atom] - 1 + (n + 1) / -t.coef;
      is_met = lower >= 0 && lower >= s->least[atom];
      if (is_met)
        value[atom] = lower;
    }
  }
}

// Whether an example satisfies all bounds and facts.
static bool is_possible(const rsh_symbols *s, const int64_t *value) {
  int64_t n;
  for (int i = 0; i < s->symbol_count; i++)
    if (value[i] < s->least[i] || value[i] > s->most[i])
      return false;
  for (int32_t i = 0; i < s->fact_count; i++)
    if (!rsh_eval(s, s->fact[i], value, &n) || n < 0)
      return false;
  return true;
}

// Makes example k: values within the bounds of the atoms, and values derived from them that satisfy the facts. False:
// they do not.
static bool make_example(const rsh_symbols *s, int k, int64_t *bounded, int64_t *value) {
  static const int64_t above[] = {0, 1, 2, 3, 5, 8, 60, 1000};
  for (int i = 0; i < s->symbol_count; i++) {
    if (__builtin_add_overflow(s->least[i], above[k * (2 * i + 1) % RSH_MAX_EXAMPLES],
                               &bounded[i]) ||
        bounded[i] > s->most[i])
      bounded[i] = s->most[i];
    value[i] = bounded[i];
  }
  if (!set_quotients(s, value))
    return false;
  lower_to_facts(s, value);
  return set_quotients(s, value) && is_possible(s, value);
}

// Example k of the possible ones, or of all within the bounds; NULL: there are fewer.
static const int64_t *example(const rsh_symbols *s, rsh_examples *e, int k, bool is_possible) {
  while ((is_possible ? e->count : e->made) <= k) {
    if (e->made == RSH_MAX_EXAMPLES)
      return 0;
    e->count += make_example(s, e->made, e->bounded[e->made], e->possible[e->count]);
    e->made++;
  }
  return is_possible ? e->possible[k] : e->bounded[k];
}

static bool is_below_0(const rsh_symbols *s, rsh_examples *e, const sum *t, bool is_possible) {
  const int64_t *value;
  for (int k = 0; (value = example(s, e, k, is_possible)) != 0; k++) {
    int64_t n;
    rsh_terms all = {.next = t->term, .left = t->count, .common = 1};
    if (eval_terms(all, value, &n) && n < 0)
      return true;
  }
  return false;
}

typedef bool IsNatural(const rsh_symbols *s, rsh_examples *e, const sum *t);

static bool is_natural_by_fact(const rsh_symbols *s, rsh_examples *e, const sum *t,
                               IsNatural *of_rest) {
  sum rest;
  // Subtracting multiples of facts only makes it smaller, so a proof is impossible.
  if (is_below_0(s, e, t, true))
    return false;
  if (of_rest(s, e, t))
    return true;
  for (int32_t k = 0; k < t->count; k++)
    for (int32_t i = 0; i < s->fact_count && t->term[k].coef < 0; i++)
      if (take_fact(s, t, k, s->fact[i], &rest) && of_rest(s, e, &rest))
        return true;
  return false;
}

static bool is_natural_by_none(const rsh_symbols *s, rsh_examples *e, const sum *t) {
  return !is_below_0(s, e, t, false) && is_sum_natural(s, t);
}
static bool is_natural_by_one(const rsh_symbols *s, rsh_examples *e, const sum *t) {
  return is_natural_by_fact(s, e, t, is_natural_by_none);
}

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
    divide_term(&t.term[i], by, &part);
    if (!sum_add(&rest, part))
      return false;
  }
  return sum_intern(s, &rest, out);
}

// Assumes that the factors of a that facts show to be at least 0 are at least 1, and leaves the rest.
//   (H - 2*q) * (W - r)  with H >= 2*q   ->   H - 2*q >= 1, leaves W - r
static void suppose_factors(rsh_symbols *s, rsh_num *a) {
  int32_t count = s->fact_count;
  for (int32_t i = 0; i < count; i++) {
    rsh_num fact = s->fact[i], rest;
    if (rsh_term_count(s, fact) < rsh_term_count(s, *a) && divide(s, *a, fact, &rest)) {
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

// Whether q.floor is a product of some of these atoms.
static bool is_floor_of(const rsh_symbols *s, const rsh_floor *q, uint32_t atoms) {
  return rsh_term_count(s, q->floor) == 1 && (rsh_atoms_of(s, q->floor) & ~atoms) == 0;
}

// What follows for quotients that were assumed to be at least 1, and for others of the same sizes, so that products of
// these can be compared:
//   H/4 >= 1    ->    H >= 4    ->    (H + 3)/4 >= 1
static void suppose_quotients(rsh_symbols *s, rsh_supposed *added) {
  uint32_t linked = added->atoms;
  for (int32_t i = 0; i < s->quotient_count; i++) {
    const rsh_floor *q = &s->quotient[i];
    if (is_floor_of(s, q, added->atoms)) {
      rsh_fact(s, q->of, q->by);
      linked |= rsh_atoms_of(s, q->of);
    }
  }
  for (int32_t i = 0; i < s->quotient_count; i++) {
    const rsh_floor *q = &s->quotient[i];
    if (is_floor_of(s, q, UINT32_MAX) && (rsh_atoms_of(s, q->of) & linked) != 0 &&
        rsh_at_most(s, q->by, q->of))
      suppose_atoms(s, rsh_atoms_of(s, q->floor), added);
  }
}

void rsh_suppose_positive(rsh_symbols *s, rsh_num a, rsh_supposed *added) {
  rsh_num rest;
  uint32_t atoms = 0, before = added->atoms;
  if (a.poly <= 0)
    return;
  rsh_term common = common_atoms(terms_of(s, a));
  for (int k = 0; k < s->symbol_count; k++)
    atoms |= (uint32_t)(common.exp[k] > 0) << k;
  suppose_atoms(s, atoms, added);
  if (added->atoms != before)
    suppose_quotients(s, added);
  if (!divide_terms(s, terms_of(s, a), &common, &rest))
    return;
  rest.n = a.n > 0 ? rest.n : -rest.n;
  suppose_factors(s, &rest);
  rsh_fact(s, rest, rsh_int(1));
}

void rsh_forget_supposed(rsh_symbols *s, const rsh_supposed *added) {
  s->fact_count = added->fact_count;
  for (int k = 0; k < s->symbol_count; k++)
    if ((added->atoms >> k & 1) != 0)
      s->least[k] = 0;
}

// Whether every atom in it is at least 1.
static bool is_positive(const rsh_symbols *s, terms t) {
  for (int i = 0; i < s->symbol_count; i++)
    for (int32_t k = 0; k < t.count && s->least[i] < 1; k++)
      if (t.term[k].exp[i] > 0)
        return false;
  return true;
}

// The common case, sizes: no term is negative, as the first is not.
static bool same_signs(terms t) {
  for (int32_t i = 1; i < t.count; i++)
    if (t.term[i].coef < 0)
      return false;
  return true;
}

static bool are_premises(const rsh_symbols *s, const rsh_premises *p) {
  if (p->symbol_count != s->symbol_count || p->fact_count != s->fact_count ||
      p->quotient_count != s->quotient_count)
    return false;
  for (int32_t i = 0; i < s->symbol_count; i++)
    if (p->least[i] != s->least[i] || p->most[i] != s->most[i])
      return false;
  for (int32_t i = 0; i < s->fact_count; i++)
    if (!rsh_equal(p->fact[i], s->fact[i]))
      return false;
  for (int32_t i = 0; i < s->quotient_count; i++)
    if (!rsh_equal(p->quotient[i].of, s->quotient[i].of) ||
        !rsh_equal(p->quotient[i].by, s->quotient[i].by) ||
        !rsh_equal(p->quotient[i].floor, s->quotient[i].floor))
      return false;
  return true;
}

// The entry for the current premises; if there is no room, it replaces the oldest.
static rsh_premises *premises_of(const rsh_symbols *s, rsh_proofs *proofs) {
  for (int32_t i = 0; i < proofs->count; i++)
    if (are_premises(s, &proofs->premises[i]))
      return &proofs->premises[i];
  int32_t at = proofs->count;
  if (at == RSH_MAX_PREMISES) {
    at = proofs->oldest;
    proofs->oldest = (at + 1) % RSH_MAX_PREMISES;
  } else {
    proofs->count++;
  }
  rsh_premises *p = &proofs->premises[at];
  p->symbol_count = s->symbol_count;
  p->fact_count = s->fact_count;
  p->quotient_count = s->quotient_count;
  for (int32_t i = 0; i < s->symbol_count; i++) {
    p->least[i] = s->least[i];
    p->most[i] = s->most[i];
  }
  for (int32_t i = 0; i < s->fact_count; i++)
    p->fact[i] = s->fact[i];
  for (int32_t i = 0; i < s->quotient_count; i++)
    p->quotient[i] = s->quotient[i];
  p->examples.made = p->examples.count = 0;
  p->id = ++proofs->last_id;
  return p;
}

// The cache entry for this question; NULL: there is no cache. Sets `is_known` if the entry has the answer.
static rsh_proof *proof_of(const rsh_symbols *s, rsh_num a, rsh_num b, bool *is_known) {
  *is_known = false;
  if (s->proofs == 0)
    return 0;
  int64_t id = premises_of(s, s->proofs)->id;
  uint64_t key = (uint64_t)id;
  const uint64_t part[4] = {(uint64_t)a.n, (uint64_t)a.poly, (uint64_t)b.n, (uint64_t)b.poly};
  for (int i = 0; i < 4; i++)
    key = (key ^ part[i]) * UINT64_C(0x9E3779B97F4A7C15);
  rsh_proof *proof = &s->proofs->proof[(key >> 32) % RSH_MAX_PROOFS];
  *is_known = proof->premises == id && rsh_equal(proof->a, a) && rsh_equal(proof->b, b);
  if (!*is_known)
    *proof = (rsh_proof){.premises = id, .a = a, .b = b};
  return proof;
}

void rsh_forget_proofs(rsh_symbols *s) {
  if (s->proofs != 0)
    s->proofs->count = s->proofs->oldest = 0;
}

// Whether an integer t that may be negative between its multiples is at least 0, as n*t > -n: with q = H/4 and
// r = (H + 3)/4, facts about 4*q and 4*r say
//   4*r - 4*q >= 1    of r - q - 1, which is at least 0 because 4*(r - q - 1) + 3 is
static bool is_natural_rounded(const rsh_symbols *s, rsh_examples *e, const sum *t) {
  for (int32_t i = 0; i < s->quotient_count; i++) {
    const rsh_floor *q = &s->quotient[i];
    int64_t n = rsh_is_known(q->by) ? q->by.n : 0;
    sum scaled = sum_after(t);
    terms all = {t->term, t->count, n};
    rsh_term below = {.coef = n - 1};
    if (n > 1 && uses_any(s, t, rsh_atoms_of(s, q->floor)) && sum_add_scaled(&scaled, all) &&
        sum_add(&scaled, below) && is_natural_by_fact(s, e, &scaled, is_natural_by_one))
      return true;
  }
  return false;
}

// Whether sign * t >= least. Proofs use at most two facts: a <= b and b <= c.
static bool is_at_least(const rsh_symbols *s, terms t, int64_t sign, int64_t least) {
  rsh_term taken = {.coef = -least};
  sum all = sum_at_end(s);
  rsh_examples own;
  t.factor = sign;
  if (!sum_add_scaled(&all, t) || (least != 0 && !sum_add(&all, taken)))
    return false;
  if (is_sum_natural(s, &all))
    return true;
  own.made = own.count = 0;
  rsh_examples *e = s->proofs == 0 ? &own : &premises_of(s, s->proofs)->examples;
  return is_natural_by_fact(s, e, &all, is_natural_by_one) || is_natural_rounded(s, e, &all);
}

static int find_sign(const rsh_symbols *s, rsh_num a) {
  terms t = terms_of(s, a);
  int factor = a.n > 0 ? 1 : -1;
  if (same_signs(t) && is_positive(s, t))
    return factor;
  if (is_at_least(s, t, 1, 1))
    return factor;
  if (is_at_least(s, t, -1, 1))
    return -factor;
  return 2;
}

int rsh_poly_sign(const rsh_symbols *s, rsh_num a) {
  if (s == 0)
    return 2;
  bool is_known;
  rsh_proof *proof = proof_of(s, a, (rsh_num){0, RSH_UNKNOWN}, &is_known);
  if (is_known)
    return proof->answer;
  int sign = find_sign(s, a);
  if (proof != 0)
    proof->answer = sign;
  return sign;
}

static bool is_natural(const rsh_symbols *s, rsh_num a) {
  return a.poly == 0 ? a.n >= 0 : is_at_least(s, terms_of(s, a), a.n > 0 ? 1 : -1, 0);
}

// Whether a is a product of factors of at least `least`, 0 or 1. Facts are multiplied only by terms, so a product of two
// facts is found by division:
//   (H - 2*q) * (W - r)    at least 0, with H >= 2*q and W >= r
static bool is_product_of(rsh_symbols *s, rsh_num a, int64_t least) {
  rsh_num rest, factor;
  for (int32_t i = 0; i < s->fact_count; i++)
    if (rsh_term_count(s, s->fact[i]) < rsh_term_count(s, a) && divide(s, a, s->fact[i], &rest) &&
        rsh_sub(s, rest, rsh_int(least), &rest) && is_natural(s, rest) &&
        (least == 0 || (rsh_sub(s, s->fact[i], rsh_int(least), &factor) && is_natural(s, factor))))
      return true;
  return false;
}

static bool is_product_natural(rsh_symbols *s, rsh_num a) {
  rsh_num next;
  return is_product_of(s, a, 0) || (rsh_add(s, a, rsh_int(1), &next) && is_product_of(s, next, 1));
}

static bool find_at_most(const rsh_symbols *s, rsh_num a, rsh_num b) {
  // The difference is temporary: a copy of the counters leaves the caller's storage unchanged.
  rsh_symbols scratch = *s;
  rsh_num d;
  if (b.n == INT64_MIN || a.n == INT64_MIN || !rsh_sub(&scratch, b, a, &d))
    return false;
  return is_natural(&scratch, d) || is_product_natural(&scratch, d);
}

bool rsh_poly_at_most(const rsh_symbols *s, rsh_num a, rsh_num b) {
  if (s == 0)
    return false;
  bool is_known;
  rsh_proof *proof = proof_of(s, a, b, &is_known);
  if (is_known)
    return proof->answer;
  bool answer = find_at_most(s, a, b);
  if (proof != 0)
    proof->answer = answer;
  return answer;
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

// total + factor * coef * product of bound[i]^exp[i]; INT64_MAX, no bound, if it does not fit.
static int64_t add_bounded(int64_t total, const rsh_term *term, int64_t factor,
                           const int64_t *bound) {
  int64_t product;
  if (total == INT64_MAX || __builtin_mul_overflow(term->coef, factor, &product))
    return INT64_MAX;
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    for (int e = 0; e < term->exp[i]; e++)
      if (bound[i] == INT64_MAX || __builtin_mul_overflow(product, bound[i], &product))
        return INT64_MAX;
  return __builtin_add_overflow(total, product, &total) ? INT64_MAX : total;
}

rsh_interval rsh_poly_bounds(const rsh_symbols *s, rsh_num a) {
  rsh_interval r = {INT64_MIN, INT64_MAX};
  if (s == 0)
    return r;
  terms t = terms_of(s, a);
  if (same_signs(t) && a.n > 0) {
    r.least = r.most = 0;
    for (int32_t i = 0; i < t.count; i++) {
      r.least = add_bounded(r.least, &t.term[i], a.n, s->least);
      r.most = add_bounded(r.most, &t.term[i], a.n, s->most);
    }
  }
  if (r.least < 1 && rsh_poly_sign(s, a) == 1)
    r.least = 1;
  return r;
}
