// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs of machine code: the cases that are run for each graph, and the outcome.
#ifndef DRIVER_VERIFY_H
#define DRIVER_VERIFY_H

#include "driver/base/pipeline.h"
#include "driver/verify/verify_run.h"

// The meaning of a pass.
typedef enum Claim {
  CLAIM_PROVED,  // for the tested sizes, no input gives a wrong result
  CLAIM_SAMPLED, // elements are computed: the tested inputs gave correct results
  CLAIM_TESTED   // executed by the runtime: the tested sizes and targets gave correct results
} Claim;

typedef struct Proof {
  const Plan *plan;
  Claim claim;
  int sizes, refused; // choices of sizes that were run, and the number of those that were refused
  VEC(const char *) choice; // "B = 2, S = 5", of each
  VEC(const char *)
  variant; // each variant of the object: "in tasks", "as x86-64-v3"; "": there is only one
  int64_t runs;
  int patterns, placements; // the maximum over the choices of sizes
  const char *failure;      // NULL: passed
} Proof;

// Proves the functions of all plans in this object or C code; `only`: of this graph, if not NULL. False: it cannot be
// run, which was reported. Failures are in `proof`, one per plan.
bool verify_code(Pipeline *p, Bytes code, const char *only, Proof *proof);
// Reports failed proofs as faults of the compiler. False: there are some.
bool verify_report(Pipeline *p, const Proof *proof);

#endif
