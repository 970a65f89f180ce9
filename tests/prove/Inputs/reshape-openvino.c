// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenVINO's Reshape: with special_zero a 0 copies, and copied sizes are in neither product that gives the -1.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: powerpc-linux-gnu
// TARGET: x86_64-linux-gnu -Os
// MUTANT: runtime/reshape.c | if (skip && i < t->count && is_copied(t, i)) | if (false)
// MUTANT: runtime/reshape.c | if (i == t->infer || (skip && is_copied(t, i))) | if (i == t->infer)
// MUTANT: runtime/reshape.c | rule->skips_copied = d->skips && rule->copies_zero; | rule->skips_copied = false;
// MUTANT: runtime/dialects.def | WHERE_SET,  true,  ANY,    INTEGERS | WHERE_SET,  false, ANY,    INTEGERS
#define OP RSH_OP_OPENVINO_RESHAPE
#define COPIES(flag) ((flag) == 1)
#define SKIPS(flag) ((flag) == 1)
#define BARS_ZERO false
#define NEEDS_FLAG true
#define HAS_NO_SCALARS false
#include "tests/prove/Inputs/reshape.h"
