// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshape of Paddle's fluid: a 0 always copies, and there are no scalars.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: powerpc-linux-gnu
// MUTANT: runtime/dialects.def | RSH_DIALECT(PADDLE_RESHAPE,   9,            false, | RSH_DIALECT(PADDLE_RESHAPE,   9,            true,
// MUTANT: runtime/dialects.def | ALWAYS,     false, PADDLE | WHERE_SET,  false, PADDLE
// MUTANT: runtime/reshape.c | t->known = rsh_int(have / known); | t->known = rsh_int(have / known + 1);
#define OP RSH_OP_PADDLE_RESHAPE
#define COPIES(flag) true
#define SKIPS(flag) false
#define BARS_ZERO false
#define NEEDS_FLAG false
#define HAS_NO_SCALARS true
#define FLAG_AT 3
#include "tests/prove/Inputs/reshape.h"
