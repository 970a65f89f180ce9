// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Numbers with symbols of which equalities, quotients and inequalities are known, with coefficients up to the ends of
// 64 bits, and with any amount of storage. What is said of two numbers must hold for their values, in 128 bits, at
// every binding for which the facts hold. Without room, with or without cached proofs, less may be said.
#include "runtime/poly.h"

#undef NDEBUG
#include <assert.h>
#include <stddef.h>

enum { POLYS = 1000, TERMS = 3000, BINDINGS = 12, ROUNDS = 20000 };
enum { A, C, D, E, F, G, H, K, L, M, P, SYMBOLS };

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 natural;

static rsh_poly polys[POLYS];
static rsh_term terms[TERMS];
static rsh_proofs proofs;
static rsh_symbols symbols;
static rsh_num symbol[SYMBOLS];
static int64_t binding[BINDINGS][RSH_MAX_SYMBOLS];

static uint64_t state = 1;
static int64_t pick(int64_t count) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)count);
}

// A is 2*F, D is 2*A + C, E is (A*C + 3) / 2 rounded down, K is H*(G + 1), and L is 12 / M. P is 1 to C, and C to 3.
static void bind(void) {
  static const int64_t divisor[] = {1, 2, 3, 4, 6, 12};
  for (int b = 0; b < BINDINGS; b++) {
    int64_t *v = binding[b];
    v[F] = pick(3), v[C] = 1 + pick(3), v[G] = pick(3), v[H] = pick(3), v[M] = divisor[pick(6)];
    v[A] = 2 * v[F], v[D] = 2 * v[A] + v[C], v[E] = (v[A] * v[C] + 3) / 2, v[K] = v[H] * (v[G] + 1);
    v[L] = 12 / v[M], v[P] = 1 + pick(v[C]);
  }
}

static bool is_wide(rsh_num a) { return a.n > INT32_MAX || a.n < INT32_MIN; }

static wide value(rsh_num a, int b) {
  wide sum = 0;
  rsh_terms t = rsh_terms_of(&symbols, a);
  while (rsh_next_term(&t)) {
    wide product = (wide)t.term->coef * t.common;
    for (int i; (i = rsh_next_atom(&t)) >= 0;)
      product *= binding[b][i];
    sum += product;
  }
  return sum;
}

static bool sum_of(rsh_num a, rsh_num b, int64_t more, rsh_num *out) {
  return rsh_add(&symbols, a, b, out) && rsh_add(&symbols, *out, rsh_int(more), out);
}
static bool product_of(rsh_num a, rsh_num b, rsh_num *out) { return rsh_mul(&symbols, a, b, out); }

// What the facts are about, and sums of products of it.
static bool part(rsh_num *out) {
  rsh_num *s = symbol;
  switch (pick(5)) {
  case 0:
    return sum_of(s[A], s[A], 0, out) && sum_of(*out, s[C], 0, out);
  case 1:
    return product_of(s[A], s[C], out) && sum_of(*out, rsh_int(3), pick(3), out);
  case 2:
    return sum_of(s[G], rsh_int(1), 0, out);
  default:
    *out = s[pick(SYMBOLS)];
    return true;
  }
}

static int64_t coefficient(void) {
  static const int64_t ends[] = {INT64_MAX,     INT64_MIN + 1, INT64_MIN,
                                 INT64_MAX / 2, INT64_MIN / 2, INT32_MAX};
  return pick(30) == 0 ? ends[pick(6)] : pick(9) - 4;
}

static bool random_number(rsh_num *sum) {
  *sum = rsh_int(pick(3) == 0 ? coefficient() : 0);
  for (int64_t t = pick(3); t >= 0; t--) {
    rsh_num product = rsh_int(coefficient()), factor;
    for (int64_t f = pick(3); f > 0; f--)
      if (!part(&factor) || !product_of(product, factor, &product))
        return false;
    if (!sum_of(*sum, product, 0, sum))
      return false;
  }
  if (sum->poly != 0 && pick(30) == 0)
    sum->n = coefficient() / 2 * 2 + 1; // the factor of a polynomial may be any but 0
  return true;
}

static void quotient(rsh_num of, rsh_num by, rsh_num floor, bool is_exact) {
  rsh_fact_quotient(&symbols, (rsh_floor){of, by, floor, is_exact});
}

// Any of what is known, in any storage: what has no room is not known.
static void know(void) {
  rsh_num *s = symbol, a, b;
  symbols.most[C] = 3;
  symbols.most[E] = 10;
  symbols.least[L] = 1;
  if (pick(5) == 0 && sum_of(s[A], s[A], 0, &a) && sum_of(a, s[C], 0, &a))
    rsh_fact_equal(&symbols, s[D], a);
  if (pick(5) == 0)
    quotient(s[A], rsh_int(2), s[F], true);
  if (pick(5) == 0 && product_of(s[A], s[C], &a) && sum_of(a, rsh_int(3), 0, &a))
    quotient(a, rsh_int(2), s[E], false);
  if (pick(5) == 0 && sum_of(s[G], rsh_int(1), 0, &b))
    quotient(s[K], b, s[H], true);
  if (pick(5) == 0)
    quotient(rsh_int(12), s[M], s[L], true);
  if (pick(5) == 0 && rsh_sub(&symbols, s[D], s[C], &a)) // below 0 where D and C are not known
    quotient(a, rsh_int(4), s[F], true);
  if (pick(5) == 0 && rsh_sub(&symbols, s[D], s[C], &b) && sum_of(b, rsh_int(1), 0, &b) &&
      product_of(b, s[H], &a))
    quotient(a, b, s[H], true);
  if (pick(5) == 0 && product_of(s[P], s[H], &a)) {
    rsh_fact(&symbols, s[C], s[P]);
    quotient(a, s[P], s[H], true);
  }
  if (pick(8) == 0 && product_of(s[F], rsh_int(INT64_MAX / 2), &b) &&
      product_of(b, rsh_int(2), &a)) {
    quotient(a, rsh_int(2), b, true); // past 2^63 for all but small F
    if (sum_of(b, rsh_int(1), 0, &b) && product_of(b, s[H], &a))
      quotient(a, b, s[H], true);
  }
  if (pick(8) == 0 && sum_of(s[F], s[F], 0, &b) && rsh_sub(&symbols, s[A], b, &a))
    quotient(a, s[M], rsh_int(0), true); // A - 2*F is 0
  if (pick(8) == 0)
    quotient(rsh_int(0), s[M], rsh_int(0), true);
  if (pick(5) == 0) {
    symbols.term_capacity = symbols.term_count + (int32_t)pick(60);
    symbols.poly_capacity = symbols.poly_count + (int32_t)pick(8);
  }
  // The time of proofs and of divisions is exponential in these.
  symbols.fact_count = symbols.fact_count < 8 ? symbols.fact_count : 8;
  symbols.zero_count = symbols.zero_count < 2 ? symbols.zero_count : 2;
}

static void begin(void) {
  bool is_full = pick(4) != 0;
  symbols = (rsh_symbols){.poly_capacity = is_full ? POLYS : (int32_t)pick(40),
                          .term_capacity = is_full ? TERMS : (int32_t)pick(100),
                          .poly = polys,
                          .term = terms,
                          .proofs = pick(2) ? &proofs : NULL};
  rsh_forget_proofs(&symbols);
  bool is_room = true;
  for (int i = 0; is_room && i < SYMBOLS; i++)
    is_room = rsh_symbol(&symbols, &symbol[i]);
  assert(is_room || !is_full);
  if (is_room)
    know();
  else
    symbols.symbol_count = 0;
}

static void test_terms(rsh_num a) {
  uint32_t atoms = 0;
  int32_t count = 0;
  for (rsh_terms t = rsh_terms_of(&symbols, a); rsh_next_term(&t); count++)
    for (int i; (i = rsh_next_atom(&t)) >= 0;)
      atoms |= UINT32_C(1) << i;
  assert(rsh_term_count(&symbols, a) == count && rsh_atoms_of(&symbols, a) == atoms);
}

static void compare(rsh_num a, rsh_num b) {
  int sign = rsh_sign(&symbols, a);
  bool at_most = rsh_at_most(&symbols, a, b);
  int64_t n = pick(5), small;
  bool never = rsh_never_multiple(&symbols, a, n);
  rsh_interval bounds = rsh_bounds(&symbols, a);
  for (int i = 0; i < BINDINGS; i++) {
    wide x = value(a, i), y = value(b, i);
    assert(sign == 2 || sign == (x > 0) - (x < 0));
    assert(!at_most || x <= y);
    assert(!never || (n == 0 ? x != 0 : x % n != 0));
    assert(bounds.least == INT64_MIN || bounds.least <= x);
    assert(bounds.most == INT64_MAX || x <= bounds.most);
    assert(!rsh_eval(&symbols, a, binding[i], &small) || small == x);
  }
}

static void test_meaning(rsh_num a, rsh_num b) {
  rsh_num r, rest;
  bool is_sum = rsh_add(&symbols, a, b, &r);
  for (int i = 0; is_sum && i < BINDINGS; i++)
    assert(value(r, i) == value(a, i) + value(b, i));
  bool is_difference = rsh_sub(&symbols, a, b, &r);
  for (int i = 0; is_difference && i < BINDINGS; i++)
    assert(value(r, i) == value(a, i) - value(b, i));
  bool is_quotient = rsh_div(&symbols, a, b, &r);
  for (int i = 0; is_quotient && !is_wide(r) && !is_wide(b) && i < BINDINGS; i++)
    assert(value(r, i) * value(b, i) == value(a, i));
  bool is_part = rsh_div_part(&symbols, a, b, &r, &rest);
  for (int i = 0; is_part && !is_wide(r) && i < BINDINGS; i++) {
    wide x = value(a, i), y = value(b, i), over = value(rest, i);
    assert(x == y * value(r, i) + over && 0 <= over && over < y);
  }
  if (rsh_mul(&symbols, a, b, &r) && !is_wide(a) && !is_wide(b))
    for (int i = 0; i < BINDINGS; i++)
      assert(value(r, i) == value(a, i) * value(b, i));
  compare(a, b);
  test_terms(a);
}

// What holds at every binding may be supposed, or be a fact.
static void suppose(rsh_num a, rsh_num b) {
  bool is_positive = true, is_least = true;
  for (int i = 0; i < BINDINGS; i++) {
    is_positive = is_positive && value(a, i) > 0;
    is_least = is_least && value(b, i) <= value(a, i);
  }
  rsh_supposed added = rsh_suppose_nothing(&symbols);
  if (is_positive)
    rsh_suppose_positive(&symbols, a, &added);
  if (is_least)
    rsh_fact(&symbols, a, b);
  compare(a, b);
  compare(b, a);
  rsh_forget_supposed(&symbols, &added);
  assert(symbols.fact_count == added.fact_count);
  for (int i = 0; i < symbols.symbol_count; i++)
    assert(symbols.least[i] == (i == L));
}

static void begin_with(int32_t poly_capacity, int32_t term_capacity) {
  symbols = (rsh_symbols){
      .poly_capacity = poly_capacity, .term_capacity = term_capacity, .poly = polys, .term = terms};
}

static rsh_num power(rsh_num base, int exponent) {
  rsh_num out = rsh_int(1);
  while (exponent-- > 0)
    assert(rsh_mul(&symbols, out, base, &out));
  return out;
}

// (X^n - 1) / (X - 1) has n terms, more than both: in any storage it is these, or not known.
static void test_room_of_quotients(void) {
  for (int n = 1; n < 12; n++)
    for (int32_t room = 0; room < 40; room++) {
      rsh_num x, over, by, r;
      begin_with(POLYS, TERMS);
      assert(rsh_symbol(&symbols, &x) && rsh_sub(&symbols, power(x, n), rsh_int(1), &over));
      assert(rsh_sub(&symbols, x, rsh_int(1), &by));
      symbols.term_capacity = symbols.term_count + room;
      bool is_known = rsh_div(&symbols, over, by, &r);
      assert(is_known || room < 3 * n + 3);
      symbols.term_capacity = TERMS;
      rsh_num sum = rsh_int(0);
      for (int k = 0; is_known && k < n; k++)
        assert(rsh_add(&symbols, sum, power(x, k), &sum));
      assert(!is_known || rsh_equal(r, sum));
    }
}

// Without room for another polynomial, a quotient or a rest that would be one is not known.
static void test_quotients_without_room(void) {
  rsh_num x, y, half, a, quotient, rest, want;
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &x) && rsh_symbol(&symbols, &y) && rsh_symbol(&symbols, &half));
  assert(rsh_fact_quotient(&symbols, (rsh_floor){x, rsh_int(2), half, false}));
  assert(rsh_mul(&symbols, y, rsh_int(2), &a) && rsh_add(&symbols, x, a, &a));
  symbols.poly_capacity = symbols.poly_count;
  assert(!rsh_div_part(&symbols, a, rsh_int(2), &quotient, &rest));
  symbols.poly_capacity = POLYS; // (x + 2*y) / 2 is x / 2 + y
  assert(rsh_div_part(&symbols, a, rsh_int(2), &quotient, &rest));
  assert(rsh_add(&symbols, half, y, &want) && rsh_equal(quotient, want));

  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &x) && rsh_symbol(&symbols, &y));
  symbols.least[0] = 7, symbols.most[0] = 8;
  symbols.least[1] = symbols.most[1] = 3;
  symbols.poly_capacity = symbols.poly_count;
  assert(!rsh_div_part(&symbols, x, y, &quotient, &rest));
  symbols.poly_capacity = POLYS; // 7 / 3 and 8 / 3 are 2, and the rest is x - 2*y
  assert(rsh_div_part(&symbols, x, y, &quotient, &rest) && rsh_is(quotient, 2));
  assert(rsh_mul(&symbols, y, rsh_int(2), &want) && rsh_sub(&symbols, x, want, &want) &&
         rsh_equal(rest, want));
}

// Without room for what a known equality makes of it, a number stays as it is: x*y + 2*w is 2*z + 2*w if x*y is 2*z.
static void test_reduced_without_room(void) {
  rsh_num x, y, z, w, product, twice, a, want;
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &x) && rsh_symbol(&symbols, &y) && rsh_symbol(&symbols, &z) &&
         rsh_symbol(&symbols, &w));
  assert(rsh_mul(&symbols, x, y, &product) && rsh_mul(&symbols, z, rsh_int(2), &twice) &&
         rsh_fact_equal(&symbols, product, twice));
  assert(rsh_add(&symbols, product, w, &a) && rsh_add(&symbols, a, w, &a));
  symbols.poly_capacity = symbols.poly_count;
  assert(rsh_equal(rsh_reduce(&symbols, a), a));
  symbols.poly_capacity = POLYS;
  assert(rsh_add(&symbols, z, w, &want) && rsh_mul(&symbols, want, rsh_int(2), &want) &&
         rsh_equal(rsh_reduce(&symbols, a), want));
}

// Exponents have 8 bits. What would need more is not known.
static void test_exponents(void) {
  rsh_num x, y, a, b, r;
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &x) && rsh_symbol(&symbols, &y));
  rsh_num half = power(x, 127), most = power(y, 200);
  assert(rsh_mul(&symbols, half, half, &r) && rsh_mul(&symbols, r, x, &r) &&
         !rsh_mul(&symbols, r, x, &r));
  // x*y^100 / (x + y^200): y^100 times y^200 is no term; nor is it where x is y^200.
  assert(rsh_add(&symbols, x, most, &b) && rsh_mul(&symbols, x, power(y, 100), &a));
  assert(!rsh_div(&symbols, a, b, &r));
  assert(rsh_fact_equal(&symbols, x, most) && !rsh_div(&symbols, a, most, &r));
}

// Lower bounds so large that terms do not fit: nothing is proved.
static void test_bounds(void) {
  rsh_num x, y, a, b;
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &x) && rsh_symbol(&symbols, &y));
  symbols.least[0] = INT64_C(1) << 61;
  assert(rsh_mul(&symbols, x, rsh_int(5), &a) && rsh_sub(&symbols, a, y, &a) &&
         rsh_sign(&symbols, a) == 2);
  assert(rsh_sub(&symbols, power(x, 3), y, &b) && rsh_sign(&symbols, b) == 2);
  assert(rsh_sign(&symbols, power(x, 3)) == 1);
}

// Of facts, equalities and quotients there are RSH_MAX_FACTS at most; what is known already, or of no symbol, is none.
static void test_full_tables(void) {
  rsh_num x, y, a;
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &x) && rsh_symbol(&symbols, &y));
  assert(!rsh_fact_equal(&symbols, rsh_int(3), rsh_int(3)) && !rsh_fact_equal(&symbols, x, x));
  for (int i = 0; i < RSH_MAX_FACTS; i++) {
    assert(rsh_add(&symbols, x, rsh_int(i), &a) && rsh_fact_equal(&symbols, y, a) &&
           !rsh_fact_equal(&symbols, a, y));
    assert(rsh_fact_quotient(&symbols, (rsh_floor){a, rsh_int(2), y, false}));
  }
  assert(symbols.fact_count == RSH_MAX_FACTS && symbols.zero_count == RSH_MAX_FACTS);
  assert(rsh_add(&symbols, x, rsh_int(RSH_MAX_FACTS), &a) && !rsh_fact_equal(&symbols, y, a));
  assert(!rsh_fact_quotient(&symbols, (rsh_floor){a, rsh_int(2), y, false}));
}

// With the facts a >= 0 and b >= 0, a*b >= 0 is known, and a*b >= 1 says that both are at least 1.
static void test_products_of_facts(void) {
  rsh_num h, q, w, a, b, product, zero = rsh_int(0), one = rsh_int(1);
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &h) && rsh_symbol(&symbols, &q) && rsh_symbol(&symbols, &w));
  assert(rsh_sub(&symbols, h, q, &a) && rsh_sub(&symbols, w, q, &b));
  assert(rsh_mul(&symbols, a, b, &product) && !rsh_at_most(&symbols, zero, product));
  rsh_fact(&symbols, h, q);
  rsh_fact(&symbols, w, q);
  assert(rsh_at_most(&symbols, zero, product) && !rsh_at_most(&symbols, one, a));
  rsh_supposed added = rsh_suppose_nothing(&symbols);
  rsh_suppose_positive(&symbols, product, &added);
  assert(rsh_at_most(&symbols, one, a) && rsh_at_most(&symbols, one, b));
  rsh_forget_supposed(&symbols, &added);
  assert(!rsh_at_most(&symbols, one, a) && rsh_sub(&symbols, zero, product, &product));
  assert(!rsh_at_most(&symbols, zero, product) && rsh_at_most(&symbols, product, zero));
}

// (S + 4) / 2 is below S + 4 by 2 or more.
static void test_quotient_below(void) {
  rsh_num size, q, of, below;
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &size) && rsh_symbol(&symbols, &q));
  assert(rsh_add(&symbols, size, rsh_int(4), &of) && rsh_add(&symbols, size, rsh_int(2), &below));
  assert(rsh_fact_quotient(&symbols, (rsh_floor){of, rsh_int(2), q, false}));
  assert(rsh_at_most(&symbols, q, below) && !rsh_at_most(&symbols, q, size));
}

// Out of line, known numbers have the same results as in registers. gcd takes magnitudes.
static void test_known(void) {
  static const int64_t value[] = {0, 1, -1, 2, -6, 4, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++) {
      rsh_num a = rsh_int(value[i]), b = rsh_int(value[k]), r;
      wide x = value[i], y = value[k];
      bool is_sum = rsh_add_any(NULL, a, b, &r);
      assert(is_sum == (x + y == (int64_t)(x + y)) && (!is_sum || r.n == x + y));
      bool is_difference = rsh_sub_any(NULL, a, b, &r);
      assert(is_difference == (x - y == (int64_t)(x - y)) && (!is_difference || r.n == x - y));
      bool is_product = rsh_mul_any(NULL, a, b, &r);
      assert(is_product == (x * y == (int64_t)(x * y)) && (!is_product || r.n == x * y));
      bool divides = y != 0 && x % y == 0 && x / y == (int64_t)(x / y);
      assert(rsh_div_any(NULL, a, b, &r) == divides && (!divides || r.n == x / y));
      assert(rsh_sign_any(NULL, a) == (x > 0) - (x < 0) && rsh_at_most_any(NULL, a, b) == (x <= y));
      uint64_t magnitude, of = rsh_magnitude(a.n), times = rsh_magnitude(b.n);
      bool fits = rsh_multiply_magnitudes(of, times, &magnitude);
      assert(fits == ((natural)of * times <= UINT64_MAX) && (!fits || magnitude == of * times));
    }
  assert(rsh_gcd(-6, 4) == 2 && rsh_gcd(4, -6) == 2 && rsh_gcd(0, -5) == 5 && rsh_gcd(0, 0) == 0);
}

// Without the table of its symbols nothing is known of a number.
static void test_without_symbols(void) {
  rsh_num x, r, rest, two = rsh_int(2);
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &x));
  assert(!rsh_add(NULL, x, two, &r) && !rsh_sub(NULL, two, x, &r) && !rsh_mul(NULL, x, two, &r));
  assert(!rsh_div(NULL, x, two, &r) && !rsh_div_part(NULL, x, two, &r, &rest) &&
         rsh_sign(NULL, x) == 2);
  assert(!rsh_at_most(NULL, rsh_int(0), x) && !rsh_never_multiple(NULL, x, 0) &&
         rsh_never_multiple(NULL, two, 3));
  rsh_interval bounds = rsh_bounds(NULL, x);
  assert(bounds.least == INT64_MIN && bounds.most == INT64_MAX);
  assert(!rsh_eval(&symbols, x, (int64_t[RSH_MAX_SYMBOLS]){-1}, &r.n)); // no size is below 0
}

// What is supposed of a tensor that never has elements contradicts its sizes, but a division by these does not trap.
static void test_contradiction(void) {
  rsh_num x, y, r, rest;
  begin_with(POLYS, TERMS);
  assert(rsh_symbol(&symbols, &x) && rsh_symbol(&symbols, &y));
  symbols.most[0] = 9;
  symbols.most[1] = 0;
  rsh_supposed added = rsh_suppose_nothing(&symbols);
  rsh_suppose_positive(&symbols, y, &added);
  (void)rsh_div_part(&symbols, x, y, &r, &rest);
  rsh_forget_supposed(&symbols, &added);
  assert(rsh_bounds(&symbols, y).least == 0);
}

int main(void) {
  rsh_num a, b;
  test_known();
  test_without_symbols();
  test_room_of_quotients();
  test_quotients_without_room();
  test_reduced_without_room();
  test_exponents();
  test_bounds();
  test_contradiction();
  test_full_tables();
  test_products_of_facts();
  test_quotient_below();
  for (int i = 0; i < ROUNDS; i++) {
    if (i % 20 == 0) {
      bind();
      begin();
    }
    if (symbols.symbol_count && random_number(&a) && random_number(&b)) {
      test_meaning(a, b);
      suppose(a, b);
    }
  }
  return 0;
}
