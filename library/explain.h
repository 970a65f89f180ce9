// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of each output of a graph, and why.
#ifndef LIBRARY_EXPLAIN_H
#define LIBRARY_EXPLAIN_H

#include "library/pipeline.h"

#include <stdio.h>

// The loops are those that run on `machine`.
void explain_plan(Arena *arena, const Plan *plan, const Machine *machine, bool costs, FILE *out);

// Of all graphs that have a plan; with `costs` what the cost model expects of each nest, which JSON always has.
void explain_text(const Pipeline *p, const EmitOptions *code, bool costs, FILE *out);
void explain_json(const Pipeline *p, const EmitOptions *code, FILE *out);
void explain_html(const Pipeline *p, const EmitOptions *code, bool costs, FILE *out);
void explain_pictures(const Pipeline *p, const EmitOptions *code, bool is_svg, FILE *out);

#endif
