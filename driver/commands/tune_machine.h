// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cost model should know of this machine, found by measuring.
#ifndef DRIVER_TUNE_MACHINE_H
#define DRIVER_TUNE_MACHINE_H

#include "codegen/emit.h"

#include <stdio.h>

// Begins with `known`, whose caches are as the machine states them, and changes a number of it where kernels that are
// planned by another one are clearly faster. What is found goes to `out`, if that is not NULL. False: reported.
bool machine_measure(Arena *arena, const EmitOptions *code, const Processor *known, FILE *out,
                     Processor *found, Diag *diag);

#endif
