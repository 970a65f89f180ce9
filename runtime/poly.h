// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow path of num.h: arithmetic where at least one side has a symbol in it.
#ifndef RSH_POLY_H
#define RSH_POLY_H

#include "runtime/num.h"

bool rsh_poly_add(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_poly_mul(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
// Neither is 0.
bool rsh_poly_div(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
// The terms of a over the first term of b > 0, rounded down where only the factor is left over.
bool rsh_poly_quotient(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
int rsh_poly_sign(const rsh_symbols *s, rsh_num a);
rsh_interval rsh_poly_bounds(const rsh_symbols *s, rsh_num a);
bool rsh_poly_at_most(const rsh_symbols *s, rsh_num a, rsh_num b);

#endif
