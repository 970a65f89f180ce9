// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves one graph: runs its code for all choices of sizes, in a child process.
#ifndef DRIVER_VERIFY_PROVE_H
#define DRIVER_VERIFY_PROVE_H

#include "driver/verify/verify.h"

// One of the ways in which an object does what a graph says: "in tasks", "as x86-64-v3"; "" where there is one alone.
typedef struct Way {
  const char *name;
  Callable code;
} Way;

// What is proved of a graph, and how it is called.
typedef struct Subject {
  const char *header, *name;
  bool is_quick;
  VEC(Way) way;
} Subject;

// Fills in `proof`, whose plan is given. False: its tensors are too large, which is among the diagnostics.
bool verify_prove(Pipeline *p, const Subject *subject, Proof *proof);

#endif
