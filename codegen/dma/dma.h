// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From plans to tables of copies, for programming a DMA engine: a C header without functions.
#ifndef CODEGEN_DMA_H
#define CODEGEN_DMA_H

#include "codegen/plan/emit_options.h"

// The tables of all graphs as one header. False: a graph does more than copy bytes between known places; reported.
// `is_big`: the machine is big-endian.
bool emit_dma(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              bool is_big, Bytes *out, Diag *diag);

#endif
