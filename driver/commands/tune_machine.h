// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the parameters of the cost model on this machine.
#ifndef DRIVER_TUNE_MACHINE_H
#define DRIVER_TUNE_MACHINE_H

#include "codegen/emit.h"

#include <stdio.h>

// Starts from `known`, whose cache sizes are those that the machine reports, and changes a parameter if kernels planned
// with another value are significantly faster. Prints the measurements to `out`, if not NULL. False: reported.
bool machine_measure(Arena *arena, const EmitOptions *code, const Processor *known, FILE *out,
                     Processor *found, Diag *diag);

#endif
