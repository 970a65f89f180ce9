// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a call of the library returns to when it cannot go on: memory is used up, or LLVM has a fatal error. The
// program has no such place, and ends.
//
//   Rescue rescue;
//   if (setjmp(rescue_begin(&rescue)->place) == 0) { work(); rescue_end(&rescue); }
//   else { rescue.why says what happened; what work() took from rescue_malloc is given back }
#ifndef FRONTEND_RESCUE_H
#define FRONTEND_RESCUE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct RescueBlock RescueBlock;

typedef struct Rescue {
  jmp_buf place;
  struct Rescue *outer;
  RescueBlock *blocks; // of rescue_malloc
  bool is_memory;
  char why[512];
} Rescue;

// Of this thread, until rescue_end or the jump.
Rescue *rescue_begin(Rescue *rescue);
void rescue_end(Rescue *rescue);

// Jumps to the innermost place of this thread; returns where there is none.
void rescue_jump(const char *why, bool is_memory);
// malloc and free of memory that a jump gives back. Zeroed, and never NULL.
void *rescue_malloc(size_t size);
void *rescue_realloc(void *memory, size_t size);
void rescue_free(void *memory);
// The same of memory that holds something else, which `close` gives back: rescue_free and a jump call it.
void *rescue_open(size_t size, void (*close)(void *memory));
// Memory is used up: jumps, or ends the program with exit status 3 and a message on standard error.
_Noreturn void out_of_memory(void);
// The memory that an allocation gave. NULL: out_of_memory().
void *memory_of(void *allocated);

#endif
