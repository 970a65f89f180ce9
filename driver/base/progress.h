// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line on standard error that says what is being done, where that is a terminal and takes more than half a
// second:
//
//   chain 120 of 300, Reshape_3, 4 s
//
// It is gone before anything else is printed. Elsewhere nothing is shown, and `progress_start` gives NULL, which the
// other functions take.
#ifndef DRIVER_PROGRESS_H
#define DRIVER_PROGRESS_H

#include "frontend/text/arena.h"

typedef struct Progress Progress;

// `total` things called `what`, or 0: "reading", and no count. The texts must stay.
Progress *progress_start(Arena *arena, const char *what, int total);
// Thing `done` of them, from 0 on, has begun. Its name may be "".
void progress_step(Progress *progress, int done, const char *name);
void progress_end(Progress *progress);

#endif
