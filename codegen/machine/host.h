// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache sizes that this machine reports.
#ifndef CODEGEN_HOST_H
#define CODEGEN_HOST_H

#include "codegen/plan/processor.h"
#include "frontend/text/arena.h"

// A row with the caches that this machine reports in Linux's /sys or by sysconf; facts that neither reports stay.
const Processor *host_processor(Arena *arena, const Processor *row);

#endif
