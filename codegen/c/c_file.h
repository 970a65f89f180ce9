// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From plans to C.
#ifndef CODEGEN_C_FILE_H
#define CODEGEN_C_FILE_H

#include "codegen/llvm/llvm_module.h"

// All plans as one file; `header`: that it includes, or NULL. False: a message was reported.
bool emit_c(Arena *arena, const Plan *const *plans, int count, const Target *target,
            const char *header, Bytes *out, Diag *diag);

#endif
