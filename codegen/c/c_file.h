// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From plans to C.
#ifndef CODEGEN_C_FILE_H
#define CODEGEN_C_FILE_H

#include "codegen/element/machine.h"
#include "codegen/plan/emit_options.h"
#include "codegen/plan/strategy.h"

// The target that C code is written for.
typedef struct CTarget {
  ElementMachine machine;
  Machine can;        // decides how runs are moved
  bool freestanding;  // no <string.h>
  bool small;         // size counts more than speed
  bool divides;       // the machine has a division instruction
  bool parallel;      // also write tasks
  const Stamp *stamp; // for the comment at the top; NULL: none
} CTarget;

// Writes all plans as one file. `header`: the one that it includes, or NULL. False: a message was reported.
bool emit_c(Arena *arena, const Plan *const *plans, int count, const CTarget *target,
            const char *header, Bytes *out, Diag *diag);

#endif
