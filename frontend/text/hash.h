// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hash tables, for which running out of memory is as for the arena.
#ifndef FRONTEND_HASH_H
#define FRONTEND_HASH_H

#include "frontend/text/rescue.h"

#define uthash_fatal(message) out_of_memory()
#include <uthash.h>

#endif
