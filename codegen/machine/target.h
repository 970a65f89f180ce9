// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the machine that options name.
#ifndef CODEGEN_TARGET_H
#define CODEGEN_TARGET_H

#include "codegen/plan/emit_options.h"
#include "codegen/plan/way.h"

// Whether there is such a machine as options name; false: reported.
bool emit_has_target(Arena *arena, const EmitOptions *options, Diag *diag);
// Of the target, whose code is then known to be good.
int emit_pointer_bytes(Arena *arena, const EmitOptions *options);
// Whether it has an instruction that divides words.
bool emit_divides(Arena *arena, const EmitOptions *options);
// What decides how nests are carried out: of the target, then of each level of x86-64 that functions are made for beside.
// Gives how many there are.
enum { MOST_MACHINES = 4 };
int emit_machines(Arena *arena, const EmitOptions *options, Machine machine[MOST_MACHINES]);
// What the cost model knows of the processor that options name; of "native" caches as this machine states them.
const Processor *emit_cost(Arena *arena, const EmitOptions *options);
// The processor that code is made for: "x86_64 znver4", "aarch64 generic".
const char *emit_processor(Arena *arena, const EmitOptions *options);

// The triple that code is made for, as LLVM writes it; and whether such code runs on this machine.
const char *emit_triple(Arena *arena, const EmitOptions *options);
bool emit_is_host(const EmitOptions *options);

#endif
