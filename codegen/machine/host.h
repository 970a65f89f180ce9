// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine states about its caches.
#ifndef CODEGEN_HOST_H
#define CODEGEN_HOST_H

#include "codegen/plan/processor.h"
#include "frontend/text/arena.h"

// A row with the caches that this machine states, in a folder of Linux or through sysconf; what neither states stays.
const Processor *host_processor(Arena *arena, const Processor *row);

#endif
