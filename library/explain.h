// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains how each output of a graph is computed, and why.
#ifndef LIBRARY_EXPLAIN_H
#define LIBRARY_EXPLAIN_H

#include "library/pipeline.h"

#include <stdio.h>

// Explains one plan, with the loops for `machine`.
void explain_plan(Arena *arena, const Plan *plan, const Machine *machine, bool costs, FILE *out);

// Explain all graphs that have a plan; with `costs` also the estimates of the cost model for each nest, which JSON
// always has.
void explain_text(const Pipeline *p, const EmitOptions *code, bool costs, FILE *out);
void explain_json(const Pipeline *p, const EmitOptions *code, FILE *out);
void explain_html(const Pipeline *p, const EmitOptions *code, bool costs, FILE *out);
void explain_pictures(const Pipeline *p, const EmitOptions *code, bool is_svg, FILE *out);

#endif
