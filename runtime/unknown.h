// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of num.h with an unknown number on at least one side.
#ifndef RSH_UNKNOWN_H
#define RSH_UNKNOWN_H

#include "runtime/num.h"

bool rsh_unknown_add(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_unknown_sub(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
bool rsh_unknown_mul(rsh_symbols *s, rsh_num a, rsh_num b, rsh_num *out);
int rsh_unknown_sign(const rsh_symbols *s, rsh_num a);
bool rsh_unknown_at_most(const rsh_symbols *s, rsh_num a, rsh_num b);

#endif
