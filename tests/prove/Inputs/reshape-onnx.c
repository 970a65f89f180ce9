// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX's Reshape: a 0 copies, except with allowzero=1, where it excludes a -1.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: thumbv7em-none-eabi -DRSH_ONLY_KNOWN
// TARGET: x86_64-linux-gnu -Os
// TARGET: s390x-linux-gnu
// TARGET: x86_64-linux-gnu -DRANK=3
// MUTANT: runtime/reshape.c | return have == known && in->rank != RSH_RANK_UNKNOWN; | return in->rank != RSH_RANK_UNKNOWN;
// MUTANT: runtime/reshape.c | return have % known == 0 && in->rank != RSH_RANK_UNKNOWN; | return in->rank != RSH_RANK_UNKNOWN;
// MUTANT: runtime/reshape.c | if (is_copied(t, i) && i < in->rank) | if (is_copied(t, i) && i <= in->rank)
// MUTANT: runtime/reshape.c | if (rank != RSH_RANK_UNKNOWN && i >= rank) | if (rank != RSH_RANK_UNKNOWN && i > rank)
// MUTANT: runtime/reshape.c | rule->bars_zero_infer = !d->skips && !rule->copies_zero; | rule->bars_zero_infer = false;
// MUTANT: runtime/rules.h | if (rsh_is(*size, 0)) { | if (rsh_is(*size, 1)) {
#define OP RSH_OP_RESHAPE
#define COPIES(flag) ((flag) != 1)
#define SKIPS(flag) false
#define BARS_ZERO true
#define NEEDS_FLAG false
#define HAS_NO_SCALARS false
#include "tests/prove/Inputs/reshape.h"
