// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN Graph's StaticReshape: with special_zero a 0 copies; without it, a 0 excludes a -1.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: mips-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: x86_64-linux-gnu -Os
// MUTANT: runtime/reshape.c | rule->bars_zero_infer = !d->skips && !rule->copies_zero; | rule->bars_zero_infer = !d->skips;
// MUTANT: runtime/reshape.c | if (rsh_is(t->known, 0)) | if (rsh_is(t->known, 0) && !rsh_is(t->have, 0))
// MUTANT: runtime/reshape.c | t->known = rsh_int(have / known); | t->known = rsh_int(have / known + 1);
#define OP RSH_OP_ONEDNN_STATIC
#define COPIES(flag) ((flag) == 1)
#define SKIPS(flag) false
#define BARS_ZERO true
#define NEEDS_FLAG true
#define HAS_NO_SCALARS false
#include "tests/prove/Inputs/reshape.h"
