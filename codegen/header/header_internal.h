// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of the C header: header.c combines their output.
#ifndef CODEGEN_HEADER_INTERNAL_H
#define CODEGEN_HEADER_INTERNAL_H

#include "codegen/header/c_text.h"
#include "codegen/plan/emit_options.h"
#include "codegen/plan/names.h"

typedef struct Header {
  Arena *arena;
  CText text;
  int pointer_bytes; // of the target
  NameSet macros;    // prefixes of macro names, as CHW_Y
  NameSet functions; // names of graph functions, then of alias functions
  bool hook;         // rsh_parallel_for runs the tasks
} Header;

#define put(h, ...) c_put(&(h)->text, __VA_ARGS__)

// The name of a parameter in the header, and the prefix of its macros if it is a pointer.
typedef struct Naming {
  const char *name, *prefix;
} Naming;

// The naming of a parameter. Placed inputs, which are not parameters, come after these, in order of the graph.
const Naming *header_naming(const Plan *plan, const Naming *n, ParameterKind kind, int index);
// The number of parameters that are sizes; they come first.
int header_size_count(const Plan *plan);

// ---- sizes as C (header_size.c)

// A number as a C expression of the sizes, which may be a factor of another: "768 * (int64_t)(B) * (int64_t)(S)".
const char *header_number(Header *h, const Plan *plan, const Naming *n, rsh_num number);
// The bytes of scratch: "(4 * (int64_t)(B) * (int64_t)(S))".
const char *header_scratch(Header *h, const Plan *plan, const Naming *n);
// The arguments of its macro: "" if it is the same for all sizes.
const char *header_scratch_arguments(Header *h, const Plan *plan, const Naming *n);
// The macros of an input or an output, and of an input that is placed in an output.
void header_put_value(Header *h, const Plan *plan, const Naming *n, const char *prefix,
                      const Value *value);
void header_put_placed(Header *h, const Plan *plan, const Naming *n, const Value *input,
                       const Placed *placed);
// The macro of the parameter whose sequence offsets belong to a value, if any do.
void header_put_lod(Header *h, const Plan *plan, const char *prefix, const Value *value);
// "#define CHW_Y_OFFSET 12", where `what` is "OFFSET".
void header_put_offset(Header *h, const Plan *plan, const Naming *n, const char *prefix,
                       const char *what, rsh_num offset);

// ---- functions (header_task.c)

// "void chw(const uint8_t *RSH_RESTRICT x, uint8_t *RSH_RESTRICT y)"
const char *header_prototype(Header *h, const Plan *plan, const Signature *signature,
                             const char *function);
// The functions that divide the work into tasks, for threads of the caller.
void header_put_tasks(Header *h, const Plan *plan, const GraphNames *names);
// The declaration of rsh_parallel_for.
void header_put_hook(Header *h);

// ---- comments (header_comment.c)

// `shape`: the function that computes only the dims of the outputs, or NULL.
void header_put_comment(Header *h, const Plan *plan, const Naming *n, const char *shape);
void header_put_dynamic_comment(Header *h, const Plan *plan, const Naming *n, const char *shape);

#endif
