// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Cached answers only hold under what was known when they were found: bounds, facts, and the numbers of polynomials.
// A false claim is refuted by examples, which satisfy all facts; without any, all facts are tried in vain.
#include "runtime/poly.h"

#undef NDEBUG
#include <assert.h>

static rsh_poly polys[100];
static rsh_term terms[1000];
static rsh_proofs proofs;

// The sizes of a chain of splits: facts relate them to each other and to their parts.
//   H - (H + 1)/2 is W + H/5, and W - (W + 1)/2 >= 2
static void test_examples(void) {
  rsh_symbols s = {
      .poly_capacity = 100, .term_capacity = 1000, .poly = polys, .term = terms, .proofs = &proofs};
  rsh_num h, w, q, r, v, next, low, sum, least, area, one = rsh_int(1), two = rsh_int(2);
  rsh_init_proofs(&proofs);
  assert(rsh_symbol(&s, &h) && rsh_symbol(&s, &w) && rsh_symbol(&s, &q) && rsh_symbol(&s, &r) &&
         rsh_symbol(&s, &v));
  assert(rsh_add(&s, h, one, &next) && rsh_fact_quotient(&s, (rsh_floor){next, two, q, false}));
  assert(rsh_add(&s, w, one, &next) && rsh_fact_quotient(&s, (rsh_floor){next, two, r, false}));
  assert(rsh_fact_quotient(&s, (rsh_floor){h, rsh_int(5), v, false}));
  assert(rsh_sub(&s, h, q, &low) && rsh_add(&s, w, v, &sum) && rsh_fact_equal(&s, low, sum));
  assert(rsh_sub(&s, w, r, &least) && rsh_mul(&s, low, least, &area));
  rsh_fact(&s, least, two);
  assert(!rsh_at_most(&s, area, two) && !rsh_at_most(&s, h, w));
  assert(proofs.premises[proofs.count - 1].examples.count > 0);
}

int main(void) {
  test_examples();
  rsh_init_proofs(&proofs);
  rsh_symbols s = {
      .poly_capacity = 100, .term_capacity = 1000, .poly = polys, .term = terms, .proofs = &proofs};
  rsh_num a, b, gap;
  assert(rsh_symbol(&s, &a) && rsh_symbol(&s, &b) && rsh_sub(&s, b, a, &gap));
  assert(!rsh_at_most(&s, a, b) && !rsh_at_most(&s, a, b) && rsh_sign(&s, gap) == 2);

  // A temporary fact: a <= b.
  for (int i = 0; i < 6; i++) {
    rsh_supposed none = rsh_suppose_nothing(&s);
    rsh_fact(&s, b, a);
    assert(rsh_at_most(&s, a, b) && rsh_at_most(&s, a, b) && !rsh_at_most(&s, b, a));
    rsh_forget_supposed(&s, &none);
    assert(!rsh_at_most(&s, a, b));
  }

  // Bounds, more of them than cached premises, and back: a <= i.
  for (int round = 0; round < 2; round++)
    for (int i = 1; i < 2 * RSH_MAX_PREMISES; i++) {
      s.most[0] = i;
      assert(rsh_at_most(&s, a, rsh_int(i)) && !rsh_at_most(&s, a, rsh_int(i - 1)));
      s.least[1] = i + 1;
      assert(rsh_at_most(&s, a, b) && rsh_sign(&s, gap) == 1);
      s.least[1] = 0;
      assert(!rsh_at_most(&s, a, b) && rsh_sign(&s, gap) == 2);
    }

  // Symbols and polynomials are renumbered: the number of b - a is now that of b + a, which is never below 0.
  s.symbol_count = s.term_count = 0;
  s.poly_count = 1;
  rsh_forget_proofs(&s);
  rsh_num sum, was_a = a, was_b = b;
  assert(rsh_symbol(&s, &a) && rsh_symbol(&s, &b) && rsh_add(&s, b, a, &sum));
  assert(rsh_equal(a, was_a) && rsh_equal(b, was_b) && sum.poly == gap.poly);
  assert(rsh_at_most(&s, rsh_int(0), sum) && rsh_at_most(&s, a, sum));

  // Another symbol, and each part of a quotient, are other premises; the same ones are found again.
  rsh_num c, two = rsh_int(2), three = rsh_int(3);
  int64_t id = proofs.last_id;
  assert(rsh_symbol(&s, &c) && !rsh_at_most(&s, a, b) && proofs.last_id == ++id);
  const rsh_floor quotient[] = {
      {a, two, b, false}, {c, two, b, false}, {c, three, b, false}, {c, three, a, false}};
  s.quotient_count = 1;
  for (int i = 0; i < 4; i++) {
    s.quotient[0] = quotient[i];
    assert(!rsh_at_most(&s, a, b) && proofs.last_id == ++id);
    assert(!rsh_at_most(&s, b, a) && proofs.last_id == id);
  }
  return 0;
}
