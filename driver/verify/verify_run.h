// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs machine code in memory that is guarded: for one graph and one choice of sizes, every pattern of
// verify_image.h at every alignment that the header allows. Code that touches what it may not ends the process, so
// a child makes the calls (verify_prove.c).
#ifndef DRIVER_VERIFY_RUN_H
#define DRIVER_VERIFY_RUN_H

#include "codegen/emit.h"
#include "driver/verify/guest.h"
#include "driver/verify/verify_header.h"
#include "driver/verify/verify_image.h"

// The code of a graph: in this process, as jit_call takes it, or in a program for another machine.
typedef struct Callable {
  void *function, *shape; // `shape` gives the sizes alone; NULL: there is none
  const Guest *guest;     // NULL: it is here
  int call, call_shape;   // there: for line_call
  // Of --parallel: what is done is done in tasks, in another order each time. NULL: by `function`.
  void *task_count, *task;
  int32_t *
      level; // of --multiversion: where the level is kept, that of these calls; NULL: the processor's is taken
  int32_t forced_level;
} Callable;

// What a call must return.
typedef struct Expected {
  rsh_status status; // not ok: this or another refusal
  bool is_huge;      // of tensors that no memory holds: this status and no other
} Expected;

typedef struct RunResult {
  bool passed;       // else the watch says what went wrong
  rsh_status status; // of the last call that was refused
  int64_t runs;      // calls that were made
  int patterns;      // kinds of contents
  int placements;    // of memory
} RunResult;

// Where the runs are, for whoever finds that the process has ended.
typedef struct Watch {
  bool in_call;
  char doing[200], failure[400]; // texts, "" where there is nothing to say
} Watch;

// `map` has its cells, or where `expected` is not ok, its sizes as far as they go. `asked`: memory that the header
// asks for.
RunResult verify_run(const Map *map, const Plan *plan, const Asked *asked, Expected expected,
                     const Callable *code, Watch *watch);

#endif
