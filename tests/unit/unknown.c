// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Unknown numbers: the bounds of sums, differences and products are the ends of what their operands may be, which this
// table states. A bound that does not fit 64 bits is none; the nearest number is not a bound, as it means none.
#include "runtime/unknown.h"

#include "runtime/num.h"

#undef NDEBUG
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#define NO_LEAST INT64_MIN
#define NO_MOST INT64_MAX
#define HUGE_SIZE (INT64_C(1) << 32)

static rsh_interval bounds[400];

static const struct {
  char op;
  rsh_interval a, b, want;
} rows[] = {
    {'+', {1, 6}, {2, 2}, {3, 8}},
    {'+', {2, 2}, {1, 6}, {3, 8}},
    {'+', {0, 0}, {1, 6}, {1, 6}},
    {'+', {1, 6}, {0, 0}, {1, 6}},
    {'+', {NO_LEAST, 6}, {2, 3}, {NO_LEAST, 9}},
    {'+', {2, 3}, {NO_LEAST, 6}, {NO_LEAST, 9}},
    {'+', {1, NO_MOST}, {2, 3}, {3, NO_MOST}},
    {'+', {2, 3}, {1, NO_MOST}, {3, NO_MOST}},
    {'+', {NO_MOST - 3, NO_MOST - 2}, {5, 6}, {NO_MOST - 1, NO_MOST}},
    {'+', {NO_LEAST + 2, NO_LEAST + 3}, {-6, -5}, {NO_LEAST, NO_LEAST + 1}},
    {'-', {1, 6}, {2, 2}, {-1, 4}},
    {'-', {1, 6}, {0, 0}, {1, 6}},
    {'-', {2, 2}, {1, 6}, {-4, 1}},
    {'-', {1, 6}, {NO_LEAST, 3}, {-2, NO_MOST}},
    {'-', {1, 6}, {2, NO_MOST}, {NO_LEAST, 4}},
    {'*', {0, 0}, {1, 6}, {0, 0}},
    {'*', {1, 6}, {0, 0}, {0, 0}},
    {'*', {1, 1}, {4, 6}, {4, 6}},
    {'*', {4, 6}, {1, 1}, {4, 6}},
    {'*', {2, 3}, {4, 5}, {8, 15}},
    {'*', {0, 3}, {4, 5}, {0, 15}},
    {'*', {2, 3}, {0, 5}, {0, 15}},
    {'*', {2, NO_MOST}, {3, 4}, {6, NO_MOST}},
    {'*', {3, 4}, {2, NO_MOST}, {6, NO_MOST}},
    {'*', {2, HUGE_SIZE}, {3, HUGE_SIZE}, {6, NO_MOST}},
    {'*', {-1, 3}, {4, 5}, {NO_LEAST, NO_MOST}},
    {'*', {2, 3}, {-4, 5}, {NO_LEAST, NO_MOST}},
};

static bool compute(char op, rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out) {
  return op == '+'   ? rsh_add(s, a, b, out)
         : op == '-' ? rsh_sub(s, a, b, out)
                     : rsh_mul(s, a, b, out);
}

int main(void) {
  rsh_symbols s = {.unknown = bounds, .unknown_capacity = 400};
  rsh_num r, rest;
  int failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    rsh_num a = rsh_unknown(&s, rows[i].a.least, rows[i].a.most),
            b = rsh_unknown(&s, rows[i].b.least, rows[i].b.most);
    assert(compute(rows[i].op, &s, a, b, &r));
    rsh_interval got = rsh_bounds(&s, r);
    if (got.least != rows[i].want.least || got.most != rows[i].want.most)
      failed += printf("row %zu: %lld to %lld\n", i, (long long)got.least, (long long)got.most);
  }

  // One unknown number is one number, another with the same bounds is not.
  rsh_num a = rsh_unknown(&s, 1, 3), b = rsh_unknown(&s, 3, 5), same = rsh_unknown(&s, 1, 3);
  assert(rsh_sub(&s, a, a, &r) && rsh_is(r, 0) && rsh_sub(&s, a, same, &r) && !rsh_is_known(r));
  assert(rsh_at_most(&s, a, a) && rsh_at_most(&s, a, b) && !rsh_at_most(&s, a, same) &&
         !rsh_at_most(&s, b, a));
  assert(rsh_at_most(&s, rsh_int(1), a) && rsh_at_most(&s, a, rsh_int(3)) &&
         !rsh_at_most(&s, a, rsh_int(2)));
  assert(rsh_sign(&s, a) == 1 && rsh_sign(&s, rsh_unknown(&s, -5, -1)) == -1 &&
         rsh_sign(&s, rsh_unknown(&s, 0, 5)) == 2);

  // Quotients: only by 1. No number is known never to be a multiple of it, nor its value.
  assert(rsh_div(&s, a, rsh_int(1), &r) && rsh_equal(r, a) && !rsh_div(&s, a, rsh_int(3), &r) &&
         !rsh_div(&s, rsh_int(6), a, &r));
  assert(!rsh_div_part(&s, a, rsh_int(3), &r, &rest) &&
         !rsh_div_part(&s, rsh_int(6), a, &r, &rest));
  assert(!rsh_never_multiple(&s, a, 7) && !rsh_eval(&s, a, (int64_t[RSH_MAX_SYMBOLS]){0}, &r.n));
  assert(rsh_term_count(&s, a) == 0 && rsh_atoms_of(&s, a) == 0);

  // Without room for its bounds a number has none. Without the table, only results that are an operand, or 0, are known.
  s.unknown_capacity = s.unknown_count;
  rsh_interval none = rsh_bounds(&s, rsh_unknown(&s, 1, 3)), nowhere = rsh_bounds(NULL, a);
  assert(none.least == NO_LEAST && none.most == NO_MOST && nowhere.least == NO_LEAST &&
         nowhere.most == NO_MOST);
  for (const char *op = "+-*"; *op; op++)
    assert(!compute(*op, NULL, a, b, &r));
  assert(rsh_add(NULL, a, rsh_int(0), &r) && rsh_equal(r, a) && rsh_mul(NULL, a, rsh_int(0), &r) &&
         rsh_is(r, 0));
  return failed != 0;
}
