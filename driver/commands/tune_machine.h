// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures what the cost model should know about this machine.
#ifndef DRIVER_TUNE_MACHINE_H
#define DRIVER_TUNE_MACHINE_H

#include "codegen/emit.h"

#include <stdio.h>

// Starts from `known`, whose caches are as the machine reports them, and changes a number if kernels planned with
// another value are clearly faster. The findings are printed to `out`, if not NULL. False: reported.
bool machine_measure(Arena *arena, const EmitOptions *code, const Processor *known, FILE *out,
                     Processor *found, Diag *diag);

#endif
