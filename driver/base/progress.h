// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A progress line on standard error, shown if that is a terminal and the work takes more than half a second:
//
//   chain 120 of 300, Reshape_3, 4 s
//
// `progress_end` erases it, before anything else is printed. If standard error is not a terminal, `progress_start`
// returns NULL, which the other functions accept.
#ifndef DRIVER_PROGRESS_H
#define DRIVER_PROGRESS_H

#include "frontend/text/arena.h"

typedef struct Progress Progress;

// `total` items called `what`; total 0: "reading", without a count. The strings must outlive the progress line.
Progress *progress_start(Arena *arena, const char *what, int total);
// Work on item `done` (from 0) has begun. Its name may be "".
void progress_step(Progress *progress, int done, const char *name);
void progress_end(Progress *progress);

#endif
