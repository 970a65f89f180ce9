// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C names of graphs and values. The header and the object agree because both ask here.
#ifndef CODEGEN_NAMES_H
#define CODEGEN_NAMES_H

#include "codegen/plan/plan.h"

// A valid C and C++ identifier that is no keyword, no type of <stdint.h> and no function or macro
// of the standard library: "a-b" is a_b, "int" is int_, "3d" is _3d. Long names are cut, with a
// hash at the end.
const char *c_identifier(Arena *arena, const char *name);
// The same in capitals, for the middle of a macro's name; keywords are no matter.
const char *c_macro_part(Arena *arena, const char *name);

// A set of names that were given out.
typedef struct NameSet {
  Arena *arena;
  struct NameSlot {
    const char *name; // NULL: free
    int next;         // the number that name_unique tries next
  } *slot;
  int count, capacity;
} NameSet;

// `name`, or the first of name_2, name_3 ... that was not given out.
const char *name_unique(NameSet *set, const char *name);

// Whether names can begin with it: a letter, then letters, digits and underscores.
bool is_prefix(const char *text);
// The identifier of a graph with its prefix, before it is told apart from those of others.
const char *graph_identifier(Arena *arena, const Graph *graph);
// The function of each plan's graph. Equal lists give equal names.
const char **function_names(Arena *arena, const Plan *const *plans, int count);
// NAME_shape of each plan's graph; NULL where its function returns no status.
const char **shape_names(Arena *arena, const Plan *const *plans, int count);

// NAME_tasks, NAME_task and NAME_parallel of each plan's graph; NULL where it is dynamic.
typedef struct TaskNames {
  const char *count, *task, *parallel;
} TaskNames;

TaskNames *task_names(Arena *arena, const Plan *const *plans, int count);

#endif
