// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs of machine code: what is tried for each graph, and what came of it.
#ifndef DRIVER_VERIFY_H
#define DRIVER_VERIFY_H

#include "driver/base/pipeline.h"
#include "driver/verify/verify_run.h"

// What passing says.
typedef enum Claim {
  CLAIM_PROVED,  // for the sizes that were run no input gives another answer than the graph's
  CLAIM_SAMPLED, // functions change elements: these inputs gave the right answers
  CLAIM_TESTED   // the runtime does the work: these sizes and targets gave the right answers
} Claim;

typedef struct Proof {
  const Plan *plan;
  Claim claim;
  int sizes, refused;       // choices of sizes that were run, and of those the refused ones
  VEC(const char *) choice; // "B = 2, S = 5", of each
  VEC(const char *)
  way; // "in tasks", "as x86-64-v3", of each way in which the object does it; "": the only one
  int64_t runs;
  int patterns, placements; // of the choice of sizes with the most
  const char *failure;      // NULL: passed
} Proof;

// Proves the functions of all plans, or of the graph `only` where that is not NULL, in this object or C code. False:
// it cannot be run, which was reported. Failures are in `proof`, one a plan.
bool verify_code(Pipeline *p, Bytes code, const char *only, Proof *proof);
// Reports the proofs that failed, as faults of the compiler. False: there are some.
bool verify_report(Pipeline *p, const Proof *proof);

#endif
