// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From plans to the C header.
#ifndef CODEGEN_HEADER_H
#define CODEGEN_HEADER_H

#include "codegen/plan/emit_options.h"
#include "codegen/plan/way.h"

// The C header of all plans; `guard_name` is the header's base name, from which the include guard
// is made. `options` as the object was made with, for this machine.
Bytes emit_header(Arena *arena, const Plan *const *plans, int count, const Source *source,
                  const char *guard_name, int pointer_bytes, const Machine *machine,
                  const EmitOptions *options);

// A number of a plan as a C expression, and the bytes of its scratch. `size`: what the sizes are called, in the order in
// which its function has them.
const char *header_number_text(Arena *arena, const Plan *plan, const char *const *size,
                               rsh_num number);
const char *header_scratch_text(Arena *arena, const Plan *plan, const char *const *size);

#endif
