// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/text/rescue.h"

#include <stdio.h>
#include <stdlib.h>

// Handlers of LLVM and of hash tables are given nothing that would lead to the call.
static _Thread_local Rescue *innermost;

Rescue *rescue_begin(Rescue *rescue) {
  rescue->outer = innermost;
  rescue->is_memory = false;
  rescue->why[0] = '\0';
  innermost = rescue;
  return rescue;
}

void rescue_end(Rescue *rescue) { innermost = rescue->outer; }

void rescue_jump(const char *why, bool is_memory) {
  Rescue *rescue = innermost;
  if (!rescue)
    return;
  innermost = rescue->outer;
  rescue->is_memory = is_memory;
  snprintf(rescue->why, sizeof rescue->why, "%s", why);
  longjmp(rescue->place, 1);
}

void out_of_memory(void) {
  enum { EXIT_FAULT = 3 };
  rescue_jump("out of memory", true);
  fputs("reshapec: error: out of memory\n", stderr);
  exit(EXIT_FAULT);
}
