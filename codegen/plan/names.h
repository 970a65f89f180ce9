// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C names of graphs and values. The header and the object agree because both take them from here.
#ifndef CODEGEN_NAMES_H
#define CODEGEN_NAMES_H

#include "codegen/plan/plan.h"

// A valid C and C++ identifier that is not a keyword, a type of <stdint.h>, or a function or macro
// of the standard library: "a-b" is a_b, "int" is int_, "3d" is _3d. Longer names are truncated and
// end in a hash.
enum { C_NAME_MOST = 200 };
const char *c_identifier(Arena *arena, const char *name);
// The same in capitals, for the middle of a macro's name; it may be a reserved word.
const char *c_macro_part(Arena *arena, const char *name);

// A set of names in use.
typedef struct NameSet {
  Arena *arena;
  struct NameSlot {
    const char *name; // NULL: free
    int next;         // the number that name_unique tries next
  } *slot;
  int count, capacity;
} NameSet;

// Returns `name`, or the first of name_2, name_3 ... that is not in use, and adds it to the set.
const char *name_unique(NameSet *set, const char *name);

// Whether text can be a prefix of names: a letter, then letters, digits and underscores.
bool is_prefix(const char *text);
// Whether C code can include a file of this name: #include "name".
bool can_include(const char *name);
// The identifier of a graph with its prefix, before it is made unique.
const char *graph_identifier(Arena *arena, const Graph *graph);

// The functions of an object that its caller calls: the graph's own, NAME_shape, NAME_tasks, NAME_task.
typedef enum EntryPoint {
  ENTRY_WHOLE,
  ENTRY_SHAPE,
  ENTRY_TASK_COUNT,
  ENTRY_TASK,
  ENTRY_POINTS,
  ENTRY_SIZES = ENTRY_POINTS // within a function: like ENTRY_TASK_COUNT, but it calls no variant
} EntryPoint;

// The functions of a graph; NULL: it has no such function.
typedef struct GraphNames {
  const char *entry[ENTRY_POINTS];
  const char *parallel; // NAME_parallel of the header
} GraphNames;

// Those of each plan's graph. Equal lists give equal names. `has_tasks`: the code is emitted in parts, too.
GraphNames *graph_names(Arena *arena, const Plan *const *plans, int count, bool has_tasks);
// Adds them to a set.
void names_take(NameSet *set, const GraphNames *names);
Signature signature_of_entry(Arena *arena, const Plan *plan, EntryPoint entry);

#endif
