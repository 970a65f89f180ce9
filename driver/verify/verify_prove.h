// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves one graph: runs its code for all choices of sizes in a child process.
#ifndef DRIVER_VERIFY_PROVE_H
#define DRIVER_VERIFY_PROVE_H

#include "driver/verify/verify.h"

// A variant in which a graph of an object can be run: "in tasks", "as x86-64-v3"; "" if there is only one.
typedef struct CodeVariant {
  const char *name;
  Callable code;
} CodeVariant;

// A graph to verify, and the variants in which it is called.
typedef struct Subject {
  const char *header, *name;
  bool is_quick;
  VEC(CodeVariant) variant;
} Subject;

// Fills in `proof`, whose plan is set. False: its tensors are too large, which is reported.
bool verify_prove(Pipeline *p, const Subject *subject, Proof *proof);

#endif
