// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of `reshapec run` that calls graphs whose shapes depend on the files.
#ifndef DRIVER_RUN_DYNAMIC_H
#define DRIVER_RUN_DYNAMIC_H

#include "library/bind.h"
#include "driver/base/options.h"
#include "driver/base/pipeline.h"
#include "frontend/data/npy.h"

// Asks for the dims of the results, allocates and computes them. `in` and `out` are the caller's to free.
Exit run_dynamic(Pipeline *p, const Plan *plan, const Sizes *sizes, Npy *in, Npy *out);

#endif
