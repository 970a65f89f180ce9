// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hash tables, with memory allocated and released by rescue.h.
#ifndef FRONTEND_HASH_H
#define FRONTEND_HASH_H

#include "frontend/text/rescue.h"

#define uthash_fatal(message) out_of_memory()
#define uthash_malloc(size) rescue_malloc(size)
#define uthash_free(memory, size) rescue_free(memory)
#include <uthash.h>

#endif
