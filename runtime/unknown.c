// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unknown numbers: interval arithmetic, saturating at the ends of int64, which mean no bound.
//
//   [1, 6] + [2, 2]  ->  a new number of [3, 8]        [1, 6] * 1  ->  the number itself
#include "runtime/unknown.h"

#include "runtime/poly.h"

rsh_num rsh_unknown(rsh_symbols *s, int64_t least, int64_t most) {
  if (least == most)
    return rsh_int(least);
  rsh_num id = {s->unknown_count, RSH_UNKNOWN};
  if (s->unknown_count < s->unknown_capacity) {
    s->unknown[s->unknown_count].least = least;
    s->unknown[s->unknown_count].most = most;
  }
  s->unknown_count++;
  return id;
}

rsh_interval rsh_bounds(const rsh_symbols *s, rsh_num a) {
  rsh_interval r = {INT64_MIN, INT64_MAX};
  if (rsh_is_known(a))
    r.least = r.most = a.n;
  else if (!rsh_is_unknown(a))
    r = rsh_poly_bounds(s, a);
  else if (s != 0 && a.n < s->unknown_capacity)
    r = s->unknown[a.n];
  return r;
}

// Sums of bounds; no bound plus any bound is no bound.
static int64_t add_least(int64_t a, int64_t b) {
  int64_t sum;
  if (a == INT64_MIN || b == INT64_MIN)
    return INT64_MIN;
  if (!__builtin_add_overflow(a, b, &sum))
    return sum;
  return a < 0 ? INT64_MIN : INT64_MAX - 1;
}

static int64_t add_most(int64_t a, int64_t b) {
  int64_t sum;
  if (a == INT64_MAX || b == INT64_MAX)
    return INT64_MAX;
  if (!__builtin_add_overflow(a, b, &sum))
    return sum;
  return a < 0 ? INT64_MIN + 1 : INT64_MAX;
}

static int64_t negated(int64_t a) {
  return a == INT64_MIN ? INT64_MAX : a == INT64_MAX ? INT64_MIN : -a;
}

bool rsh_unknown_add(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (rsh_is(a, 0) || rsh_is(b, 0)) {
    *out = rsh_is(a, 0) ? b : a;
    return true;
  }
  if (s == 0)
    return false;
  rsh_interval x = rsh_bounds(s, a), y = rsh_bounds(s, b);
  *out = rsh_unknown(s, add_least(x.least, y.least), add_most(x.most, y.most));
  return true;
}

bool rsh_unknown_sub(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (rsh_is(b, 0) || rsh_equal(a, b)) {
    *out = rsh_is(b, 0) ? a : rsh_int(0);
    return true;
  }
  if (s == 0)
    return false;
  rsh_interval x = rsh_bounds(s, a), y = rsh_bounds(s, b);
  *out = rsh_unknown(s, add_least(x.least, negated(y.most)), add_most(x.most, negated(y.least)));
  return true;
}

// A bound of a product of two numbers that are not negative; 0 times no bound is 0.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  if (a == 0 || b == 0)
    return 0;
  if (a == INT64_MAX || b == INT64_MAX || __builtin_mul_overflow(a, b, &product))
    return INT64_MAX;
  return product;
}

bool rsh_unknown_mul(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (rsh_is(a, 0) || rsh_is(b, 0)) {
    *out = rsh_int(0);
    return true;
  }
  if (rsh_is(a, 1) || rsh_is(b, 1)) {
    *out = rsh_is(a, 1) ? b : a;
    return true;
  }
  if (s == 0)
    return false;
  rsh_interval x = rsh_bounds(s, a), y = rsh_bounds(s, b);
  if (x.least < 0 || y.least < 0)
    *out = rsh_unknown(s, INT64_MIN, INT64_MAX);
  else // a lower bound of INT64_MAX is not an overflow, since actual sizes fit 64 bits
    *out = rsh_unknown(s, multiply(x.least, y.least), multiply(x.most, y.most));
  return true;
}

int rsh_unknown_sign(const rsh_symbols *s, rsh_num a) {
  rsh_interval r = rsh_bounds(s, a);
  return r.least > 0 ? 1 : r.most < 0 ? -1 : 2;
}

bool rsh_unknown_at_most(const rsh_symbols *s, rsh_num a, rsh_num b) {
  return rsh_equal(a, b) || rsh_bounds(s, a).most <= rsh_bounds(s, b).least;
}
