// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the memory accesses of loop nests: the loops as a table, and below it the cells of the sources and of the
// destination, numbered and colored in the order in which they are copied.
#ifndef DRIVER_WALK_H
#define DRIVER_WALK_H

#include "codegen/plan/strategy.h"
#include "driver/pictures/svg.h"

// Draws `nest_count` nests that write to a tensor of this name on a machine, starting at (x, y). Returns the y below
// it.
int walk_draw(Svg *svg, int x, int y, const Plan *plan, const Machine *machine, const Nest *nest,
              int nest_count, const Value *to, const char *name);

#endif
