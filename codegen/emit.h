// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From plans to bytes: LLVM IR, assembly, objects, bitcode, C, tables for DMA engines, the C header, and code in
// memory.
#ifndef CODEGEN_EMIT_H
#define CODEGEN_EMIT_H

#include "codegen/header/header.h"
#include "codegen/machine/jit.h"
#include "codegen/machine/report.h"
#include "codegen/machine/target.h"

// Compiles all plans into one module. Without `passes`, LLVM_IR is the code before optimization
// (--dump=llvm). The module is verified before and after the passes, and an object is read back. False: a message
// was reported.
bool emit_code(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
               EmitKind kind, bool passes, Bytes *out, Diag *diag);

#endif
