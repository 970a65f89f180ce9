// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs machine code in guarded memory: for one graph and one choice of sizes, every pattern of verify_image.h at every
// alignment that the header allows. Code that touches forbidden memory ends the process, so a child process makes the
// calls (verify_prove.c).
#ifndef DRIVER_VERIFY_RUN_H
#define DRIVER_VERIFY_RUN_H

#include "codegen/emit.h"
#include "driver/verify/guest.h"
#include "driver/verify/verify_header.h"
#include "driver/verify/verify_image.h"

// The code of a graph: in this process, as jit_call takes it, or in a program for another machine.
typedef struct Callable {
  bool has[ENTRY_POINTS];
  void *function[ENTRY_POINTS];
  const Guest *guest; // NULL: the code is in this process
  Line *line;         // to the guest; the first run starts it
  int index;          // of the plan, in the guest
  bool in_tasks;      // the work runs in tasks, in a different order each time
  int32_t *
      level; // --multiversion: the variable of the level, set to forced_level; NULL: the processor decides it
  int32_t forced_level;
} Callable;

// The result that a call must have.
typedef struct Expected {
  rsh_status status;
  bool is_any;  // this or another refusal
  bool is_huge; // tensors too large for any memory
} Expected;

typedef struct RunResult {
  bool passed;       // else the watch says why
  rsh_status status; // of the last refused call
  int64_t runs;      // number of calls
  int patterns;      // number of patterns
  int placements;    // number of placements in memory
} RunResult;

// The progress of the runs, for the parent if the process ends.
typedef struct Watch {
  bool in_call;
  char doing[200], failure[400]; // "" if there is nothing to say
} Watch;

// `map` has its cells, or if `expected` is not ok, its sizes as far as they are known. `asked`: memory that the header
// requires.
RunResult verify_run(const Map *map, const Plan *plan, const CallerMemory *required,
                     Expected expected, const Callable *code, Watch *watch);

#endif
