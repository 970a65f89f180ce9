// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the C header and the C code of a graph: growing text, names and types of parameters, prototypes.
#ifndef CODEGEN_C_TEXT_H
#define CODEGEN_C_TEXT_H

#include "codegen/plan/plan.h"

// Declares DLTensor, which graphs with tensors of any rank take.
#define DLPACK_INCLUDE "#include <dlpack/dlpack.h>\n"

typedef struct CText {
  Arena *arena;
  VEC(char) letter;
} CText;

void c_put(CText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Escapes text for a comment, so that it cannot end the comment or begin another.
const char *c_comment(Arena *arena, const char *text);

// `const char *const *x`: the element type and its qualifier, up to the last star.
const char *c_element(Arena *arena, rsh_dtype type, bool is_const);

// The input that contains an alias; NULL: it is not an alias. A value without elements may be anywhere: it is assigned
// to the first input of its type, if any.
const Value *c_alias_place(const Graph *graph, const OutputPlan *out);

// Whether an alias output may point into this input, or an output may be computed in it: then neither is `restrict`.
bool c_meets_an_output(const Plan *plan, const Value *input);

// The C names of the parameters, in order.
const char **c_parameter_names(Arena *arena, const Graph *graph, const Signature *signature);
// The type of a parameter, up to its name: "const float *restrict ". `alone`: the qualifier of pointers that do not
// alias, "restrict " or "".
const char *c_parameter_type(Arena *arena, const Plan *plan, Parameter parameter,
                             const char *alone);
// "void chw(const uint8_t *restrict x, uint8_t *restrict y)", with these parameter names.
const char *c_prototype(Arena *arena, const Plan *plan, const Signature *signature,
                        const char *function, const char *const *name, const char *alone);

// The same with the task before the other parameters: "void chw(int32_t task, const uint8_t *restrict x, ..."
const char *c_prototype_of_task(Arena *arena, const char *prototype, const char *task);

// The type rsh_status, with the include guard of runtime/status.h: both may be included.
void c_put_statuses(CText *text);

// The macro RSH_EDGE(at, size, least), which does the same as rsh_edge() to a place on an axis (runtime/resolve.h).
void c_put_edge(CText *text);

#endif
