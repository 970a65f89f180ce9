// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a call of the library returns to when it cannot go on: memory is used up, or LLVM has a fatal error. The
// program has no such place, and ends.
//
//   Rescue rescue;
//   if (setjmp(rescue_begin(&rescue)->place) == 0) { work(); rescue_end(&rescue); }
//   else { rescue.why says what happened; what work() took from malloc is lost }
#ifndef FRONTEND_RESCUE_H
#define FRONTEND_RESCUE_H

#include <setjmp.h>
#include <stdbool.h>

typedef struct Rescue {
  jmp_buf place;
  struct Rescue *outer;
  bool is_memory;
  char why[512];
} Rescue;

// Of this thread, until rescue_end or the jump.
Rescue *rescue_begin(Rescue *rescue);
void rescue_end(Rescue *rescue);

// Jumps to the innermost place of this thread; returns where there is none.
void rescue_jump(const char *why, bool is_memory);
// Memory is used up: jumps, or ends the program with exit status 3 and a message on standard error.
_Noreturn void out_of_memory(void);

#endif
