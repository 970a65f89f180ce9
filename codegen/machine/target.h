// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of the target that options select.
#ifndef CODEGEN_TARGET_H
#define CODEGEN_TARGET_H

#include "codegen/plan/emit_options.h"
#include "codegen/plan/strategy.h"

// Whether the machine that options select exists; false: reported.
bool emit_has_target(Arena *arena, const EmitOptions *options, Diag *diag);
// Bytes of the target's pointers; those of this machine if it does not exist.
int emit_pointer_bytes(Arena *arena, const EmitOptions *options);
// Whether the target has an instruction that divides words.
bool emit_divides(Arena *arena, const EmitOptions *options);
// The properties that determine how nests are executed: of the target, then of each x86-64 level of --multiversion.
// Returns their number.
enum { MOST_MACHINES = 4 };
int emit_machines(Arena *arena, const EmitOptions *options, Machine machine[MOST_MACHINES]);
// The cost model's data on the processor that options name; for "native", with the caches that this machine reports.
const Processor *emit_cost(Arena *arena, const EmitOptions *options);
// The processor that code is compiled for: "x86_64 znver4", "aarch64 generic".
const char *emit_processor(Arena *arena, const EmitOptions *options);

// The triple that code is compiled for, in LLVM's normal form; and whether such code runs on this machine.
const char *emit_triple(Arena *arena, const EmitOptions *options);
bool emit_is_host(const EmitOptions *options);

#endif
