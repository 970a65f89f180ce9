// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked arithmetic on any numbers: known ones here, symbols in poly.c, unknown numbers in unknown.c.
#include "runtime/num.h"

#include "runtime/poly.h"
#include "runtime/unknown.h"

static bool any_unknown(rsh_num a, rsh_num b) { return rsh_is_unknown(a) || rsh_is_unknown(b); }

int64_t rsh_gcd(int64_t a, int64_t b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

bool rsh_add_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (!rsh_are_known(a, b))
    return any_unknown(a, b) ? rsh_unknown_add(s, a, b, out) : rsh_poly_add(s, a, b, out);
  rsh_forget_poly(out);
  return !__builtin_add_overflow(a.n, b.n, &out->n);
}

bool rsh_sub_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (rsh_are_known(a, b)) {
    rsh_forget_poly(out);
    return !__builtin_sub_overflow(a.n, b.n, &out->n);
  }
  if (any_unknown(a, b))
    return rsh_unknown_sub(s, a, b, out);
  if (b.n == INT64_MIN)
    return false;
  b.n = -b.n;
  return rsh_poly_add(s, a, b, out);
}

// 32-bit machines have no instruction for this. When optimizing for size, a bit-by-bit loop takes half the code and a
// third of the stack of the compiler's own expansion; sizes have few bits.
#if defined __OPTIMIZE_SIZE__ && UINTPTR_MAX == UINT32_MAX
bool rsh_multiply_magnitudes(uint64_t a, uint64_t b, uint64_t *out) {
  uint64_t sum = 0;
  if (a < b) {
    sum = a;
    a = b;
    b = sum;
    sum = 0;
  }
  for (;;) {
    if ((b & 1) != 0 && __builtin_add_overflow(sum, a, &sum))
      return false;
    b >>= 1;
    if (b == 0)
      break;
    if (a >> 63 != 0)
      return false;
    a <<= 1;
  }
  *out = sum;
  return true;
}

static inline __attribute__((always_inline)) bool multiply(int64_t a, int64_t b, int64_t *out) {
  uint64_t n, most = INT64_MAX;
  bool is_below = (a < 0) != (b < 0);
  if (!rsh_multiply_magnitudes(rsh_magnitude(a), rsh_magnitude(b), &n) || n > most + is_below)
    return false;
  *out = (int64_t)(is_below ? 0 - n : n);
  return true;
}
#else
bool rsh_multiply_magnitudes(uint64_t a, uint64_t b, uint64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

static bool multiply(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}
#endif

bool rsh_mul_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (!rsh_are_known(a, b))
    return any_unknown(a, b) ? rsh_unknown_mul(s, a, b, out) : rsh_poly_mul(s, a, b, out);
  rsh_forget_poly(out);
  return multiply(a.n, b.n, &out->n);
}

bool rsh_div_any(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  if (any_unknown(a, b)) {
    if (!rsh_is(b, 1))
      return false;
    *out = a;
    return true;
  }
  if (b.n == 0 || (b.n == -1 && a.n == INT64_MIN))
    return false;
  if (!rsh_are_known(a, b) && a.n != 0)
    return rsh_poly_div(s, a, b, out);
  if (a.n % b.n != 0)
    return false;
  *out = rsh_int(a.n / b.n);
  return true;
}

// The quotient if the bounds of both, b > 0, allow only one: (S + 2) / 3 with 4 <= S <= 5 is 2. The bounds of b are
// empty if the elements that are supposed to exist cannot: of f32[A] with A <= 0.
static bool bounded_quotient(const rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_interval x = rsh_bounds(s, a), y = rsh_bounds(s, b);
  if (x.least < 0 || x.most == INT64_MAX || y.most < y.least)
    return false;
  *out = rsh_int(x.least / y.most);
  return out->n == x.most / y.least;
}

// Whether q is known to be a / b rounded down; sets the remainder.
static bool is_quotient(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num q, rsh_num *rest) {
  rsh_num product, next;
  return rsh_mul(s, q, b, &product) && rsh_sub(s, a, product, rest) &&
         rsh_add(s, *rest, rsh_int(1), &next) &&
         (rsh_at_most(s, rsh_int(0), q) || rsh_at_most(s, rsh_int(0), a)) &&
         rsh_at_most(s, rsh_int(0), *rest) && rsh_at_most(s, next, b);
}

rsh_num rsh_reduce(rsh_symbols *s, rsh_num a) {
  return rsh_is_known(a) || rsh_is_unknown(a) ? a : rsh_poly_reduce(s, a);
}

// a / q.by as q.floor plus a number: (S + 5) / 2 is (S + 1) / 2 + 2. If it divides by 2, that of the next number is the
// other half: (S + 1) / 2 is S - S/2.
static bool quotient_from(rsh_symbols *s, rsh_num a, const rsh_floor *q, rsh_num *out) {
  rsh_num above, more, half;
  if (!rsh_sub(s, a, q->of, &above))
    return false;
  if (rsh_div(s, above, q->by, &more))
    return rsh_add(s, q->floor, more, out);
  return rsh_is(q->by, 2) && rsh_sub(s, above, rsh_int(1), &above) &&
         rsh_div(s, above, q->by, &more) && rsh_sub(s, q->of, q->floor, &half) &&
         rsh_add(s, half, more, out);
}

// The quotient as a known one, with remainder; both numbers may be multiples of those: 3*S / 12 is S / 4.
static bool known_quotient(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out, rsh_num *rest) {
  rsh_num common, part;
  for (int32_t i = 0; s != 0 && i < s->quotient_count; i++) {
    const rsh_floor *q = &s->quotient[i];
    if (rsh_div(s, b, q->by, &common) && rsh_div(s, a, common, &part) &&
        quotient_from(s, part, q, out) && is_quotient(s, part, q->by, *out, rest))
      return rsh_mul(s, common, *rest, rest);
  }
  return false;
}

// The quotient of terms, with remainder. What is less than nothing of a term is part of the remainder if that is not
// negative:
//   4*R*H + 2*W - 2*R by 4*R     is H, the rest 2*W - 2*R with R <= W <= 2*R
// If the remainder is negative, the quotient is one less:
//   3*W + 5 by W + 2             is 2, the rest W + 1
static bool quotient_of_terms(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out, rsh_num *rest) {
  for (int rounds_down = 1; rounds_down >= 0; rounds_down--) {
    if (!rsh_poly_quotient(s, a, b, rounds_down, out))
      continue;
    if (is_quotient(s, a, b, *out, rest) ||
        (rsh_sub(s, *out, rsh_int(1), out) && is_quotient(s, a, b, *out, rest)))
      return true;
  }
  return false;
}

bool rsh_div_part(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *quotient, rsh_num *rest) {
  rsh_num q, r;
  if (any_unknown(a, b) || rsh_sign(s, b) != 1)
    return false;
  if (bounded_quotient(s, a, b, &q)) {
    if (!rsh_mul(s, q, b, &r) || !rsh_sub(s, a, r, &r))
      return false;
  } else if (rsh_are_known(a, b) ||
             (!quotient_of_terms(s, a, b, &q, &r) && !known_quotient(s, a, b, &q, &r))) {
    return false;
  }
  *quotient = q;
  *rest = r;
  return true;
}

bool rsh_div_terms(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *quotient, rsh_num *rest) {
  rsh_num product;
  return !rsh_are_known(a, b) && !any_unknown(a, b) && rsh_poly_quotient(s, a, b, true, quotient) &&
         rsh_mul(s, *quotient, b, &product) && rsh_sub(s, a, product, rest);
}

int rsh_sign_any(const rsh_symbols *s, rsh_num a) {
  if (!rsh_is_known(a))
    return rsh_is_unknown(a) ? rsh_unknown_sign(s, a) : rsh_poly_sign(s, a);
  return (a.n > 0) - (a.n < 0);
}

bool rsh_at_most_any(const rsh_symbols *s, rsh_num a, rsh_num b) {
  if (!rsh_are_known(a, b))
    return any_unknown(a, b) ? rsh_unknown_at_most(s, a, b) : rsh_poly_at_most(s, a, b);
  return a.n <= b.n;
}
