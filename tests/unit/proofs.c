// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Cached answers only hold under what was known when they were found: bounds, facts, and the numbers of polynomials.
#include "runtime/poly.h"

#undef NDEBUG
#include <assert.h>

static rsh_poly polys[100];
static rsh_term terms[1000];
static rsh_proofs proofs;

int main(void) {
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
