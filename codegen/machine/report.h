// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The resources that the code of graphs needs on its target: code size and stack.
#ifndef CODEGEN_REPORT_H
#define CODEGEN_REPORT_H

#include "codegen/plan/plan.h"

typedef struct GraphReport {
  const Plan *plan;
  uint64_t text;        // bytes of its function and of all functions that it calls
  uint64_t stack;       // their maximum stack in bytes,
  uint64_t shape_stack; // and that of NAME_shape; 0: there is none
  int calls;            // maximum call depth: 1 if it calls no function
  const char *outside;  // a function outside the object, whose stack is not counted; NULL: none
} GraphReport;

typedef struct ObjectReport {
  const char *target;
  uint64_t text, rodata; // bytes of the object, tables for unwinding included
  GraphReport *graph;
  int graph_count;
} ObjectReport;

// Bytes that are written to an output and its passes. False: unknown (a size known only at run time, or
// an overflow).
bool report_bytes_moved(const Graph *graph, const OutputPlan *output, rsh_num *bytes);

// The depth of a graph's deepest nest.
int report_loops(const Plan *plan);

#endif
