// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// A division by way of many known equalities ends soon, whether it succeeds or not: it does not try them in every order.
#include "runtime/num.h"

#undef NDEBUG
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

enum { POLYS = 5000, TERMS = 60000, FACTORS = 8 };

static rsh_poly polys[POLYS];
static rsh_term terms[TERMS];

int main(void) {
  rsh_symbols s = {.poly_capacity = POLYS, .term_capacity = TERMS, .poly = polys, .term = terms};
  rsh_num factor[FACTORS], product, y, sum = rsh_int(0), quotient, rest;
  for (int i = 0; i < FACTORS; i++)
    assert(rsh_symbol(&s, &factor[i]));
  assert(rsh_symbol(&s, &y));
  for (int i = 0; i < FACTORS; i++) {
    for (int k = 0; k < i; k++) { // each product of two is 14*y
      assert(rsh_mul(&s, factor[i], factor[k], &product) && rsh_mul(&s, y, rsh_int(14), &rest));
      assert(rsh_fact_equal(&s, product, rest) && rsh_add(&s, sum, product, &sum));
    }
  }
  clock_t begin = clock();
  assert(rsh_div(&s, sum, rsh_int(7), &quotient)); // 28 * 14*y / 7
  assert(rsh_mul(&s, y, rsh_int(56), &rest) && rsh_equal(quotient, rest));
  assert(rsh_add(&s, sum, rsh_int(1), &sum));
  assert(!rsh_div(&s, sum, rsh_int(7), &quotient));
  assert(!rsh_div(&s, sum, rsh_int(3), &quotient));
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  printf("%.3f s\n", seconds);
  return seconds > 2;
}
