// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recovery of a library call that cannot continue, because memory is exhausted or LLVM reports a fatal error: it jumps
// to a place set by setjmp. The program sets no such place and exits.
//
//   Rescue rescue;
//   if (setjmp(rescue_begin(&rescue)->place) == 0) { work(); rescue_end(&rescue); }
//   else { rescue.why says what happened; what work() took from rescue_malloc is freed }
#ifndef FRONTEND_RESCUE_H
#define FRONTEND_RESCUE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct RescueBlock RescueBlock;

typedef struct Rescue {
  jmp_buf place;
  struct Rescue *outer;
  RescueBlock *blocks; // from rescue_malloc
  bool is_memory;
  char why[512];
} Rescue;

// For this thread, until rescue_end or the jump.
Rescue *rescue_begin(Rescue *rescue);
void rescue_end(Rescue *rescue);

// Jumps to the innermost place of this thread; returns if there is none.
void rescue_jump(const char *why, bool is_memory);
// malloc and free of memory that a jump frees. Zeroed, never NULL.
void *rescue_malloc(size_t size);
void *rescue_realloc(void *memory, size_t size);
void rescue_free(void *memory);
// The same for memory that owns another resource: rescue_free and a jump call `close` to release it.
void *rescue_open(size_t size, void (*close)(void *memory));
// Out of memory: jumps, or exits with status 3 and a message on standard error.
_Noreturn void out_of_memory(void);
// Returns the result of an allocation; calls out_of_memory() if it is NULL.
void *memory_of(void *allocated);

#endif
