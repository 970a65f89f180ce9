// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs about polynomials: whether one is at least 0 for all values of its atoms that the bounds and facts allow.
#include "runtime/poly_internal.h"

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
      if (__builtin_mul_overflow(part.coef, factor, &part.coef) || !rsh_sum_add(to, part) ||
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
    if (!rsh_sum_add(&all, t->term[i]))
      return false;
  for (int i = 0; i < s->symbol_count; i++) {
    if (s->least[i] == 0 || !is_used(t, i))
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
    if ((term.coef < 0 && !most_of_term(s, &term)) || !rsh_sum_add(&next, term))
      return false;
  }
  for (int32_t k = 0; k < next.count; k++)
    if (next.term[k].coef < 0)
      return false;
  return true;
}

// Finds the multiple of `fact` that removes the negative term k of t, or makes it positive: what is left after it is
// subtracted is at most t.
//   P <= 14*H:  14*B*H - B*P  ->  B, which leaves 0
//   C >= 2:     10*C - 11     ->  6, which leaves 4*C + 1
static bool find_multiple(const sum *t, int32_t k, terms fact, rsh_term *by) {
  for (int32_t i = 0; i < fact.count; i++) {
    rsh_term part = fact.term[i], whole = t->term[k];
    part.coef *= fact.factor;
    if (part.coef >= 0)
      continue;
    int64_t left = whole.coef % part.coef, more = left == 0 ? 0 : part.coef - left;
    if (!__builtin_add_overflow(whole.coef, more, &whole.coef) &&
        rsh_divide_term(&whole, &part, by))
      return true;
  }
  return false;
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

// Raises, or else lowers, an atom that is not one of `fixed`, so that a fact whose value is n < 0 is satisfied, or
// nearer to it: A - B - 1 >= 0 with A = 3 and B = 4 makes A 5, or, if that is too much, B 2.
static bool move_to_fact(const rsh_symbols *s, rsh_num fact, int64_t n, uint32_t fixed,
                         int64_t *value) {
  for (int sign = 1; sign >= -1; sign -= 2) {
    rsh_terms t = rsh_terms_of(s, fact);
    while (rsh_next_term(&t)) {
      int64_t by = rsh_degree(&t) == 1 ? (n + 1) / t.coef - sign : -sign, to;
      for (int i; t.coef * sign > 0 && (i = rsh_next_atom(&t)) >= 0;) {
        if ((fixed >> i & 1) == 0 && !__builtin_sub_overflow(value[i], by, &to) &&
            to >= s->least[i] && to <= s->most[i]) {
          value[i] = to;
          return true;
        }
      }
    }
  }
  return false;
}

// Sets the quotients among the values, and moves the other values until all facts are satisfied. False: a few steps do
// not suffice.
static bool move_to_facts(const rsh_symbols *s, int64_t *value) {
  enum { MOST_STEPS = 16 };
  int steps = 0;
  uint32_t fixed = 0;
  for (int32_t i = 0; i < s->quotient_count; i++)
    fixed |= rsh_atoms_of(s, s->quotient[i].floor);
  if (!set_quotients(s, value))
    return false;
  for (int32_t i = 0, met = 0; met < s->fact_count; i = (i + 1) % s->fact_count) {
    int64_t n;
    if (!rsh_eval(s, s->fact[i], value, &n))
      return false;
    met = n < 0 ? 0 : met + 1;
    if (n < 0 && (steps++ == MOST_STEPS || !move_to_fact(s, s->fact[i], n, fixed, value) ||
                  !set_quotients(s, value)))
      return false;
  }
  return true;
}

// Whether an example satisfies all bounds and facts.
static bool is_possible(const rsh_symbols *s, const rsh_example *e) {
  for (int i = 0; i < s->symbol_count; i++)
    if (e->value[i] < s->least[i] || e->value[i] > s->most[i])
      return false;
  for (int32_t i = 0; i < s->fact_count; i++)
    if ((e->fits >> i & 1) == 0 || e->fact[i] < 0)
      return false;
  return true;
}

static void set_facts(const rsh_symbols *s, rsh_example *e) {
  e->fits = 0;
  for (int32_t i = 0; i < s->fact_count; i++)
    e->fits |= (uint64_t)rsh_eval(s, s->fact[i], e->value, &e->fact[i]) << i;
}

// Makes example k: values within the bounds of the atoms, and values derived from them that satisfy the facts. False:
// they do not.
static bool make_example(const rsh_symbols *s, int k, rsh_example *bounded, rsh_example *possible) {
  static const int64_t above[] = {0, 1, 2, 3, 5, 8, 60, 1000};
  for (int i = 0; i < s->symbol_count; i++) {
    if (__builtin_add_overflow(s->least[i], above[k * (2 * i + 1) % RSH_MAX_EXAMPLES],
                               &bounded->value[i]) ||
        bounded->value[i] > s->most[i])
      bounded->value[i] = s->most[i];
    possible->value[i] = bounded->value[i];
  }
  set_facts(s, bounded);
  if (!move_to_facts(s, possible->value))
    return false;
  set_facts(s, possible);
  return is_possible(s, possible);
}

// Example k of a kind; NULL: there are fewer.
static const rsh_example *example(const rsh_symbols *s, rsh_examples *e, rsh_example_kind kind,
                                  int k) {
  while ((kind == RSH_POSSIBLE ? e->count : e->made) <= k) {
    if (e->made == RSH_MAX_EXAMPLES)
      return 0;
    e->count += make_example(s, e->made, &e->example[RSH_BOUNDED][e->made],
                             &e->example[RSH_POSSIBLE][e->count]);
    e->made++;
  }
  return &e->example[kind][k];
}

// The values of a sum at the examples.
typedef struct {
  int64_t n[RSH_EXAMPLE_KINDS][RSH_MAX_EXAMPLES];
  uint32_t known[RSH_EXAMPLE_KINDS]; // bit k: there is such an example, and its value fits
} sum_values;

static bool is_below_0(const sum_values *v, rsh_example_kind kind) {
  for (int k = 0; k < RSH_MAX_EXAMPLES; k++)
    if ((v->known[kind] >> k & 1) != 0 && v->n[kind][k] < 0)
      return true;
  return false;
}

// Sets the values of t at the examples of one kind, up to the first below 0 if `stops`.
static void set_values(const rsh_symbols *s, rsh_examples *e, rsh_example_kind kind, bool stops,
                       const sum *t, sum_values *v) {
  const rsh_example *at;
  bool is_below = false;
  v->known[kind] = 0;
  for (int k = 0; !(stops && is_below) && (at = example(s, e, kind, k)) != 0; k++) {
    rsh_terms all = {.next = t->term, .left = t->count, .common = 1};
    bool fits = rsh_terms_eval(all, at->value, &v->n[kind][k]);
    is_below = fits && v->n[kind][k] < 0;
    v->known[kind] |= (uint32_t)fits << k;
  }
}

// Sets the values of t - by * fact from those of t. False: one is below 0, at an example of the kinds up to `last`.
static bool set_values_less(const rsh_examples *e, const sum_values *of_t, const rsh_term *by,
                            int32_t fact, rsh_example_kind last, sum_values *v) {
  for (rsh_example_kind kind = RSH_POSSIBLE; kind < RSH_EXAMPLE_KINDS; kind++) {
    v->known[kind] = 0;
    for (int k = 0; k < RSH_MAX_EXAMPLES; k++) {
      const rsh_example *at = &e->example[kind][k];
      rsh_terms factor = {.next = by, .left = 1, .common = 1};
      int64_t n;
      if ((of_t->known[kind] >> k & 1) == 0 || (at->fits >> fact & 1) == 0 ||
          !rsh_terms_eval(factor, at->value, &n) || __builtin_mul_overflow(n, at->fact[fact], &n) ||
          __builtin_sub_overflow(of_t->n[kind][k], n, &n))
        continue;
      if (n < 0 && kind <= last)
        return false;
      v->n[kind][k] = n;
      v->known[kind] |= 1U << k;
    }
  }
  return true;
}

// `v` has the values of t.
typedef bool IsNatural(const rsh_symbols *s, rsh_examples *e, const sum *t, const sum_values *v);

static bool is_natural_by_none(const rsh_symbols *s, rsh_examples *e, const sum *t,
                               const sum_values *v) {
  (void)e;
  return !is_below_0(v, RSH_BOUNDED) && is_sum_natural(s, t);
}

static bool is_natural_by_fact(const rsh_symbols *s, rsh_examples *e, const sum *t,
                               const sum_values *v, IsNatural *of_rest) {
  if (of_rest(s, e, t, v))
    return true;
  // What is below 0 at a possible example is not natural by any facts; at a bounded one, not without any.
  rsh_example_kind last = of_rest == is_natural_by_none ? RSH_BOUNDED : RSH_POSSIBLE;
  for (int32_t k = 0; k < t->count; k++)
    for (int32_t i = 0; i < s->fact_count && t->term[k].coef < 0; i++) {
      terms fact = terms_of(s, s->fact[i]);
      sum rest;
      sum_values of;
      rsh_term by;
      if (find_multiple(t, k, fact, &by) && set_values_less(e, v, &by, i, last, &of) &&
          rsh_subtract_product(t, &by, fact, &rest) && of_rest(s, e, &rest, &of))
        return true;
    }
  return false;
}

static bool is_natural_by_one(const rsh_symbols *s, rsh_examples *e, const sum *t,
                              const sum_values *v) {
  return is_natural_by_fact(s, e, t, v, is_natural_by_none);
}

bool rsh_terms_are_positive(const rsh_symbols *s, terms t) {
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

void rsh_init_proofs(rsh_proofs *proofs) {
  proofs->last_id = 0;
  proofs->count = proofs->oldest = 0;
  for (int i = 0; i < RSH_MAX_PROOFS; i++)
    proofs->proof[i].premises = 0;
}

void rsh_forget_proofs(rsh_symbols *s) {
  if (s->proofs != 0)
    s->proofs->count = s->proofs->oldest = 0;
}

// Proofs use at most two facts: a <= b and b <= c. A sum of more terms takes one: the number of pairs grows with the
// square of its terms.
static bool is_natural_by_facts(const rsh_symbols *s, rsh_examples *e, const sum *t) {
  enum { MOST_TERMS_OF_PAIRS = 24 };
  sum_values v;
  set_values(s, e, RSH_POSSIBLE, true, t, &v);
  if (is_below_0(&v, RSH_POSSIBLE))
    return false;
  set_values(s, e, RSH_BOUNDED, false, t, &v);
  return is_natural_by_fact(
      s, e, t, &v, t->count > MOST_TERMS_OF_PAIRS ? is_natural_by_none : is_natural_by_one);
}

// Whether an earlier quotient of an atom of t has the divisor of quotient k.
static bool is_divisor_tried(const rsh_symbols *s, const sum *t, int32_t k) {
  for (int32_t i = 0; i < k; i++)
    if (rsh_equal(s->quotient[i].by, s->quotient[k].by) &&
        uses_any(s, t, rsh_atoms_of(s, s->quotient[i].floor)))
      return true;
  return false;
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
    if (n > 1 && uses_any(s, t, rsh_atoms_of(s, q->floor)) && !is_divisor_tried(s, t, i) &&
        rsh_sum_add_scaled(&scaled, all) && rsh_sum_add(&scaled, below) &&
        is_natural_by_facts(s, e, &scaled))
      return true;
  }
  return false;
}

// Whether sign * t >= least.
static bool is_at_least(const rsh_symbols *s, terms t, int64_t sign, int64_t least) {
  rsh_term taken = {.coef = -least};
  sum all = sum_at_end(s);
  rsh_examples own;
  t.factor = sign;
  if (!rsh_sum_add_scaled(&all, t) || (least != 0 && !rsh_sum_add(&all, taken)))
    return false;
  if (is_sum_natural(s, &all))
    return true;
  own.made = own.count = 0;
  rsh_examples *e = s->proofs == 0 ? &own : &premises_of(s, s->proofs)->examples;
  return is_natural_by_facts(s, e, &all) || is_natural_rounded(s, e, &all);
}

static int find_sign(const rsh_symbols *s, rsh_num a) {
  terms t = terms_of(s, a);
  int factor = a.n > 0 ? 1 : -1;
  if (same_signs(t) && rsh_terms_are_positive(s, t))
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

// Whether a is a product of factors of at least `least`, 0 or 1. Facts are multiplied only by terms, so a product of
// two facts is found by division:
//   (H - 2*q) * (W - r)    at least 0, with H >= 2*q and W >= r
static bool is_product_of(rsh_symbols *s, rsh_num a, int64_t least) {
  rsh_num rest, factor;
  for (int32_t i = 0; i < s->fact_count; i++)
    if (rsh_term_count(s, s->fact[i]) < rsh_term_count(s, a) &&
        rsh_divide_exactly(s, a, s->fact[i], &rest) && rsh_sub(s, rest, rsh_int(least), &rest) &&
        is_natural(s, rest) &&
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
