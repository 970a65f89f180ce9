// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From plans to the C header.
#ifndef CODEGEN_HEADER_H
#define CODEGEN_HEADER_H

#include "codegen/plan/emit_options.h"
#include "codegen/plan/strategy.h"

// The C header of all plans. `guard_name`: the header's file name, for the include guard. `options` and
// `machine` are those of the object.
Bytes emit_header(Arena *arena, const Plan *const *plans, int count, const Source *source,
                  const char *guard_name, int pointer_bytes, const Machine *machine,
                  const EmitOptions *options);

// A number of a plan as a C expression, and the bytes of its scratch. `size`: names of the sizes, in the order of its
// function's parameters.
const char *header_number_text(Arena *arena, const Plan *plan, const char *const *size,
                               rsh_num number);
const char *header_scratch_text(Arena *arena, const Plan *plan, const char *const *size);

#endif
