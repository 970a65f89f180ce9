// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C header and the C code of a graph have in common: growing text, names and types of parameters,
// prototypes.
#ifndef CODEGEN_C_TEXT_H
#define CODEGEN_C_TEXT_H

#include "codegen/plan/plan.h"

typedef struct CText {
  Arena *arena;
  VEC(char) letter;
} CText;

void c_put(CText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Text for a comment: nothing in it can end the comment or begin another.
const char *c_comment(Arena *arena, const char *text);

// `const char *const *x`: the element type and its qualifier, up to the last star.
const char *c_element(Arena *arena, rsh_dtype type, bool is_const);

// The input an alias lies in; NULL: it is none. A value without elements lies anywhere: in the first of its
// type, if any.
const Value *c_alias_place(const Graph *graph, const OutputPlan *out);

// How a C function calls its parameters, in their order.
const char **c_parameter_names(Arena *arena, const Graph *graph, const Signature *signature);
// The type of a parameter, up to its name: "const float *restrict ". `alone` says that what a pointer points to
// is reached through it alone.
const char *c_parameter_type(Arena *arena, const Plan *plan, Parameter parameter,
                             const char *alone);
// "void chw(const uint8_t *restrict x, uint8_t *restrict y)", with these names.
const char *c_prototype(Arena *arena, const Plan *plan, const Signature *signature,
                        const char *function, const char *const *name, const char *alone);

// The type rsh_status. As runtime/status.h has it: who includes both gets one.
void c_put_statuses(CText *text);

// The macro RSH_EDGE(at, size, least): what rsh_edge() makes of a place on an axis (runtime/resolve.h).
void c_put_edge(CText *text);

#endif
