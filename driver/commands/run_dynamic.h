// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of `reshapec run` that calls graphs whose shapes depend on the input files.
#ifndef DRIVER_RUN_DYNAMIC_H
#define DRIVER_RUN_DYNAMIC_H

#include "library/bind.h"
#include "driver/base/options.h"
#include "driver/base/pipeline.h"
#include "frontend/data/npy.h"

// Queries the dims of the results, allocates and computes them. The caller frees `in` and `out`.
Exit run_dynamic(Pipeline *p, const Plan *plan, const Sizes *sizes, Npy *in, Npy *out);
// Reports that a call of the graph returned this status.
Exit run_refused(const Graph *graph, rsh_status status);

#endif
