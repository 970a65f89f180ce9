// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that only the call computes from its sizes: quotients, the smaller of two, and conditions, which are 0 or 1.
//
//   T < 4                     min(4 - min(T, 4), 1)
//   Where(T < K, K - T, 0)    K - min(T, K)
//   Where(T == 1, K, T)       K*c + T*(1-c), for the condition c
#include "frontend/onnx/onnx_internal.h"

static bool share_edges(const Visit *v, bool is_made) {
  share_symbols(v->r);
  return is_made;
}

bool sizes_quotient(const Visit *v, rsh_num n, rsh_num by, rsh_num *out) {
  return share_edges(v, edge_quotient(&v->r->data, n, by, out));
}

bool sizes_quotient_down(const Visit *v, rsh_num n, rsh_num by, rsh_num *out) {
  return share_edges(v, edge_quotient_signed(&v->r->data, n, by, out));
}

// The smaller of two numbers that are not negative: min(3, H), as slices have it, also for H and 3.
static bool smaller(const Visit *v, rsh_num a, rsh_num b, rsh_num *out) {
  bool is_limit = !rsh_is_known(b);
  const Edge edge = {.at = is_limit ? a : b, .size = is_limit ? b : a, .least = rsh_int(0)};
  return share_edges(v, edge_new(&v->r->data, edge, out));
}

bool sizes_split_at_0(const Visit *v, rsh_num n, rsh_num *above, rsh_num *below) {
  rsh_symbols *s = symbols_of(v);
  rsh_num least;
  rsh_terms t = rsh_terms_of(s, n); // H-W and W-H have the same edge
  bool rises = !rsh_is_unknown(n) && rsh_next_term(&t) && t.coef > 0;
  return !rsh_is_unknown(n) && edge_split_signs(s, n, above, below) &&
         smaller(v, rises ? *below : *above, rises ? *above : *below, &least) &&
         rsh_sub(s, *above, least, above) && rsh_sub(s, *below, least, below);
}

bool sizes_above_0(const Visit *v, rsh_num n, rsh_num *out) {
  rsh_num below;
  return sizes_split_at_0(v, n, out, &below);
}

bool sizes_extreme(const Visit *v, int which, const rsh_num *a, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num above;
  bool rises = rsh_at_most(s, a[0], a[1]);
  *out = rises == (which < 0) ? a[0] : a[1];
  return rises || rsh_at_most(s, a[1], a[0]) ||
         (rsh_sub(s, a[0], a[1], &above) && sizes_above_0(v, above, &above) &&
          (which < 0 ? rsh_sub(s, a[0], above, out) : rsh_add(s, a[1], above, out)));
}

// ---- Conditions

// 1 if a number is above 0, else 0.
static bool is_above_0(const Visit *v, rsh_num n, rsh_num *out) {
  return sizes_above_0(v, n, out) && smaller(v, *out, rsh_int(1), out);
}

static bool negate(const Visit *v, rsh_num condition, rsh_num *out) {
  return rsh_sub(symbols_of(v), rsh_int(1), condition, out);
}

// A comparison that only the call decides.
static bool compare_open(const Visit *v, int orders, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num up, down, is_greater = rsh_int(0), is_less = rsh_int(0);
  bool needs_greater = orders != LESS && orders != (EQUAL | GREATER),
       needs_less = orders != GREATER && orders != (LESS | EQUAL);
  return rsh_sub(s, a, b, &up) && rsh_sub(s, b, a, &down) &&
         (!needs_greater || is_above_0(v, up, &is_greater)) &&
         (!needs_less || is_above_0(v, down, &is_less)) && rsh_add(s, is_greater, is_less, out) &&
         (!(orders & EQUAL) || negate(v, *out, out));
}

bool sizes_compare(const Visit *v, int orders, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num difference;
  int sign = (a.n > b.n) - (a.n < b.n);
  if (!rsh_is_known(a) || !rsh_is_known(b))
    sign = rsh_sub(s, a, b, &difference) ? rsh_sign(s, difference) : 2;
  int order = sign == -1 ? LESS : sign == 0 ? EQUAL : GREATER;
  *out = rsh_int((orders & order) != 0);
  return sign != 2 || compare_open(v, orders, a, b, out);
}

// The function of conditions a and b whose result is bit 2*a + b of `which`: a polynomial, such as a + b - a*b of Or.
bool sizes_combine(const Visit *v, int which, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  int neither = which & 1, only_b = which >> 1 & 1, only_a = which >> 2 & 1, both = which >> 3 & 1;
  rsh_num both_of;
  a = rsh_is_known(a) ? rsh_int(a.n != 0) : a;
  b = rsh_is_known(b) ? rsh_int(b.n != 0) : b;
  return rsh_mul(s, a, b, &both_of) && rsh_mul(s, a, rsh_int(only_a - neither), &a) &&
         rsh_mul(s, b, rsh_int(only_b - neither), &b) &&
         rsh_mul(s, both_of, rsh_int(both - only_a - only_b + neither), &both_of) &&
         rsh_add(s, a, b, out) && rsh_add(s, *out, both_of, out) &&
         rsh_add(s, *out, rsh_int(neither), out);
}

// n if a condition holds, else 0; n is not negative. A product that is not seen to be neither is an edge: it is at most
// n.
static bool only_if(const Visit *v, rsh_num condition, rsh_num n, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  return rsh_mul(s, n, condition, out) &&
         (rsh_at_most(s, rsh_int(0), *out) ||
          share_edges(
              v, edge_new(&v->r->data, (Edge){.at = n, .size = *out, .least = rsh_int(0)}, out)));
}

static bool choose_natural(const Visit *v, rsh_num condition, rsh_num x, rsh_num y, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num other, more;
  if (!negate(v, condition, &other))
    return false;
  if (rsh_at_most(s, y, x))
    return rsh_sub(s, x, y, &more) && only_if(v, condition, more, &more) &&
           rsh_add(s, y, more, out);
  if (rsh_at_most(s, x, y))
    return rsh_sub(s, y, x, &more) && only_if(v, other, more, &more) && rsh_add(s, x, more, out);
  return only_if(v, condition, x, out) && only_if(v, other, y, &more) &&
         rsh_add(s, *out, more, out);
}

// The choice by the sign of the difference of x and y, up to a factor:
//   Where(T < K, K - T, 0)    K - min(T, K)
static bool choose_by_distance(const Visit *v, rsh_num condition, rsh_num x, rsh_num y,
                               rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num above, difference, distance, factor, product;
  return edge_is_positive(&v->r->data, condition, &above, &difference) &&
         rsh_sub(s, x, y, &distance) && rsh_div(s, distance, difference, &factor) &&
         rsh_is_known(factor) && rsh_mul(s, factor, difference, &product) &&
         rsh_equal(product, distance) && rsh_mul(s, factor, above, &product) &&
         rsh_add(s, y, product, out);
}

bool sizes_choose(const Visit *v, rsh_num condition, rsh_num x, rsh_num y, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  rsh_num above[2], below[2], other;
  *out = rsh_is(condition, 0) ? y : x;
  if (rsh_is_known(condition) || rsh_equal(x, y))
    return true;
  if (choose_by_distance(v, condition, x, y, out) ||
      (negate(v, condition, &other) && choose_by_distance(v, other, y, x, out)))
    return true;
  return sizes_split_at_0(v, x, &above[0], &below[0]) &&
         sizes_split_at_0(v, y, &above[1], &below[1]) &&
         choose_natural(v, condition, above[0], above[1], out) &&
         choose_natural(v, condition, below[0], below[1], &below[0]) &&
         rsh_sub(s, *out, below[0], out);
}
