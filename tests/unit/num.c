// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Numbers with symbols, checked against their meaning: whatever the arithmetic says of two numbers must hold for their
// values at every binding of the symbols. Overflow is reported, never wrapped.
#include "runtime/num.h"

#include <stdio.h>
#include <stdlib.h>

enum { SYMBOLS = 4, POLYS = 4000, TERMS = 40000, BINDINGS = 12 };

static rsh_poly polys[POLYS];
static rsh_term terms[TERMS];
static rsh_symbols symbols;
static rsh_num symbol[SYMBOLS];
static int64_t binding[BINDINGS][RSH_MAX_SYMBOLS];

static uint64_t state = 12345;
static int64_t pick(int64_t count) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)count);
}

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

// Two of the symbols have bounds, which limit their bindings.
static const int64_t least[SYMBOLS] = {1, 1, 2, 4}, most[SYMBOLS] = {INT64_MAX, 7, 5, INT64_MAX};

static void begin(void) {
  rsh_symbols empty = {
      .poly_capacity = POLYS, .term_capacity = TERMS, .poly = polys, .term = terms};
  symbols = empty;
  for (int i = 0; i < SYMBOLS; i++)
    EXPECT(rsh_symbol(&symbols, &symbol[i]));
  for (int i = 0; i < SYMBOLS; i++) {
    symbols.least[i] = least[i];
    symbols.most[i] = most[i];
  }
}

static int64_t value(rsh_num a, int b) {
  int64_t v;
  EXPECT(rsh_eval(&symbols, a, binding[b], &v));
  return v;
}

// A sum of up to three products of small numbers and symbols.
static rsh_num random_number(void) {
  rsh_num sum = rsh_int(0);
  for (int64_t t = pick(3); t >= 0; t--) {
    rsh_num product = rsh_int(pick(9) - 4);
    for (int64_t f = pick(3); f > 0; f--)
      EXPECT(rsh_mul(&symbols, product, symbol[pick(SYMBOLS)], &product));
    EXPECT(rsh_add(&symbols, sum, product, &sum));
  }
  return sum;
}

static void test_meaning(void) {
  rsh_num a = random_number(), b = random_number(), r;
  int sign = rsh_sign(&symbols, a);
  bool at_most = rsh_at_most(&symbols, a, b), same = true;
  for (int i = 0; i < BINDINGS; i++) {
    int64_t x = value(a, i), y = value(b, i);
    EXPECT(rsh_add(&symbols, a, b, &r) && value(r, i) == x + y);
    EXPECT(rsh_sub(&symbols, a, b, &r) && value(r, i) == x - y);
    EXPECT(rsh_mul(&symbols, a, b, &r) && value(r, i) == x * y);
    if (!rsh_is(b, 0)) {
      rsh_num q; // what was multiplied can be divided again
      EXPECT(rsh_div(&symbols, r, b, &q) && rsh_equal(q, a));
    }
    if (rsh_div(&symbols, a, b, &r))
      EXPECT(value(r, i) * y == x);
    rsh_num rest;
    if (rsh_div_part(&symbols, a, b, &r, &rest))
      EXPECT(value(r, i) == x / y && value(rest, i) == x % y && x >= 0 && y > 0);
    EXPECT(sign == 2 || sign == (x > 0) - (x < 0));
    EXPECT(!at_most || x <= y);
    same = same && x == y;
  }
  EXPECT(!rsh_equal(a, b) || same);
}

static void test_identities(void) {
  rsh_num B = symbol[0], S = symbol[1], n, m;
  EXPECT(rsh_mul(&symbols, B, S, &n) && rsh_mul(&symbols, S, B, &m) && rsh_equal(n, m));
  EXPECT(rsh_mul(&symbols, n, rsh_int(768), &n) && rsh_div(&symbols, n, rsh_int(64), &m));
  EXPECT(rsh_div(&symbols, m, B, &m) && rsh_div(&symbols, m, S, &m) && rsh_is(m, 12));
  EXPECT(!rsh_div(&symbols, B, rsh_int(2), &m));
  EXPECT(rsh_sub(&symbols, B, B, &n) && rsh_is(n, 0));
  // (S + 1) * 2 is 2*S + 2, and divides by S + 1.
  EXPECT(rsh_add(&symbols, S, rsh_int(1), &n) && rsh_mul(&symbols, n, rsh_int(2), &m));
  EXPECT(rsh_div(&symbols, m, n, &m) && rsh_is(m, 2));
  // 1 <= B*S, but nothing is known of B against S.
  EXPECT(rsh_mul(&symbols, B, S, &n) && rsh_at_most(&symbols, rsh_int(1), n) &&
         rsh_at_most(&symbols, B, n));
  EXPECT(!rsh_at_most(&symbols, B, S) && !rsh_at_most(&symbols, S, B));
  EXPECT(rsh_sub(&symbols, B, S, &n) && rsh_sign(&symbols, n) == 2);
}

// Consequences of bounds: C is 2 to 5, D at least 4, S at most 7, B anything.
static void test_bounds(void) {
  rsh_num B = symbol[0], S = symbol[1], C = symbol[2], D = symbol[3], n, m;
  EXPECT(rsh_at_most(&symbols, rsh_int(4), D) && !rsh_at_most(&symbols, rsh_int(5), D));
  EXPECT(rsh_at_most(&symbols, C, rsh_int(5)) && !rsh_at_most(&symbols, C, rsh_int(4)));
  EXPECT(rsh_sub(&symbols, D, rsh_int(3), &n) && rsh_sign(&symbols, n) == 1);
  EXPECT(rsh_sub(&symbols, C, rsh_int(6), &n) && rsh_sign(&symbols, n) == -1);
  EXPECT(rsh_sub(&symbols, C, rsh_int(5), &n) && rsh_sign(&symbols, n) == 2); // 0 for one C
  // C*S <= 35, C*B <= 5*B, and (S + 1) * C >= 2*S + 2.
  EXPECT(rsh_mul(&symbols, C, S, &n) && rsh_at_most(&symbols, n, rsh_int(35)) &&
         !rsh_at_most(&symbols, n, rsh_int(34)));
  EXPECT(rsh_mul(&symbols, C, B, &n) && rsh_mul(&symbols, B, rsh_int(5), &m) &&
         rsh_at_most(&symbols, n, m));
  EXPECT(rsh_add(&symbols, S, rsh_int(1), &n) && rsh_mul(&symbols, n, C, &m) &&
         rsh_mul(&symbols, n, rsh_int(2), &n) && rsh_at_most(&symbols, n, m));
  // D*D >= 4*D, and D*D - 4*D >= 0 is tight.
  EXPECT(rsh_mul(&symbols, D, D, &n) && rsh_mul(&symbols, D, rsh_int(4), &m) &&
         rsh_at_most(&symbols, m, n));
  EXPECT(rsh_sub(&symbols, n, m, &n) && rsh_sign(&symbols, n) == 2);
  // 3*D + 2 over D is 3 and 2; S + D over D is not known, since S may be more than D.
  EXPECT(rsh_mul(&symbols, D, rsh_int(3), &n) && rsh_add(&symbols, n, rsh_int(2), &n) &&
         rsh_div_part(&symbols, n, D, &n, &m) && rsh_is(n, 3) && rsh_is(m, 2));
  EXPECT(rsh_add(&symbols, S, D, &n) && !rsh_div_part(&symbols, n, D, &n, &m));
  // A bound past every value is not a bound.
  symbols.least[3] = INT64_MAX - 1;
  EXPECT(rsh_mul(&symbols, D, D, &n) && rsh_sub(&symbols, n, B, &m) && rsh_sign(&symbols, m) == 2);
}

static void test_limits(void) {
  rsh_num r, big = rsh_int(INT64_MAX);
  EXPECT(!rsh_add(NULL, big, rsh_int(1), &r) && !rsh_mul(NULL, big, rsh_int(2), &r));
  EXPECT(!rsh_sub(NULL, rsh_int(INT64_MIN), rsh_int(1), &r));
  EXPECT(!rsh_div(NULL, rsh_int(7), rsh_int(0), &r) && !rsh_div(NULL, rsh_int(7), rsh_int(2), &r));
  EXPECT(!rsh_div(NULL, rsh_int(INT64_MIN), rsh_int(-1), &r));
  // Wraps to exactly 24 modulo 2^64: known-bugs C3.
  EXPECT(!rsh_mul(NULL, rsh_int(5), rsh_int(3689348814741910328), &r));
  EXPECT(!rsh_mul(&symbols, symbol[0], big, &r) || !rsh_mul(&symbols, r, rsh_int(2), &r));
  // Running out of symbols is an error, and so is running out of storage.
  begin();
  for (int i = SYMBOLS; i < RSH_MAX_SYMBOLS; i++)
    EXPECT(rsh_symbol(&symbols, &r));
  EXPECT(!rsh_symbol(&symbols, &r));
  begin();
  r = symbol[0];
  bool ok = true;
  for (int i = 0; ok; i++) {
    ok = rsh_add(&symbols, r, rsh_int(1), &r);
    EXPECT(i < POLYS);
  }
}

int main(void) {
  for (int b = 0; b < BINDINGS; b++)
    for (int i = 0; i < SYMBOLS; i++)
      binding[b][i] =
          b == 0 ? least[i] : least[i] + pick((most[i] < 9 ? most[i] : 9) - least[i] + 1);
  begin();
  test_identities();
  begin();
  test_bounds();
  for (int i = 0; i < 20000; i++) {
    begin();
    test_meaning();
  }
  test_limits();
  return 0;
}
