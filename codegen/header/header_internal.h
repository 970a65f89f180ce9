// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the files of the C header: header.c puts together what the others write.
#ifndef CODEGEN_HEADER_INTERNAL_H
#define CODEGEN_HEADER_INTERNAL_H

#include "codegen/header/c_text.h"
#include "codegen/plan/emit_options.h"
#include "codegen/plan/names.h"

typedef struct Header {
  Arena *arena;
  CText text;
  int pointer_bytes; // of the target
  NameSet macros;    // beginnings of macro names, as CHW_Y
  NameSet functions; // those of the graphs, then those of aliases
  bool hook;         // tasks are done by rsh_parallel_for
} Header;

#define put(h, ...) c_put(&(h)->text, __VA_ARGS__)

// How the header calls a parameter, and the beginning of its macros (of tensors).
typedef struct Naming {
  const char *name, *prefix;
} Naming;

// Placed inputs, which are no parameters, have theirs behind those, in order of the graph.
const Naming *header_naming(const Plan *plan, const Naming *n, ParameterKind kind, int index);
// How many parameters are sizes: the first ones.
int header_size_count(const Plan *plan);

// ---- sizes as C (header_size.c)

// A number as a C expression of the sizes: "768 * (int64_t)(B) * (int64_t)(S)".
const char *header_sum(Header *h, const Plan *plan, const Naming *n, rsh_num number);
// The same as part of another one.
const char *header_number(Header *h, const Plan *plan, const Naming *n, rsh_num number);
// "(B, S)" behind the name of a macro whose value depends on them.
const char *header_arguments(Header *h, const Plan *plan, const Naming *n);
// The bytes of scratch: "(4 * (int64_t)(B) * (int64_t)(S))".
const char *header_scratch(Header *h, const Plan *plan, const Naming *n);
// "" where it is the same for all sizes.
const char *header_scratch_arguments(Header *h, const Plan *plan, const Naming *n);
// The macros of an input or an output, and those of an input that lies in an output.
void header_put_value(Header *h, const Plan *plan, const Naming *n, const char *prefix,
                      const Value *value);
void header_put_placed(Header *h, const Plan *plan, const Naming *n, const Value *input,
                       const Placed *placed);
// "#define CHW_Y_OFFSET 12", of which `what` is the last word.
void header_put_offset(Header *h, const Plan *plan, const Naming *n, const char *prefix,
                       const char *what, rsh_num offset);

// ---- functions (header_task.c)

// "void chw(const uint8_t *RSH_RESTRICT x, uint8_t *RSH_RESTRICT y)"
const char *header_prototype(Header *h, const Plan *plan, const Signature *signature,
                             const char *function);
// The work in parts, for threads of the caller.
void header_put_tasks(Header *h, const Plan *plan, const char *function, TaskNames name);
// The function that has tasks done.
void header_put_hook(Header *h);

// ---- comments (header_comment.c)

// `shape`: the function that gives the dims of the outputs alone, or NULL.
void header_put_comment(Header *h, const Plan *plan, const Naming *n, const char *shape);
void header_put_dynamic_comment(Header *h, const Plan *plan, const Naming *n, const char *shape);

#endif
