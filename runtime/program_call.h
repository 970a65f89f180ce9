// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an object passes to the library (runtime/program.h). The text below the include also stands in C that calls it,
// and so names all types by `struct`.
#ifndef RSH_PROGRAM_CALL_H
#define RSH_PROGRAM_CALL_H

#include "runtime/status.h"

#include <stdint.h>

// ---- librsh_runtime ----

struct rsh_call;
struct rsh_shape;
struct rsh_fault;
struct rsh_fold_state;
struct rsh_step;

// A function of one element other than a cast, in place. The compiler supplies it, as the runtime has no floating-point
// arithmetic.
struct rsh_element_function {
  int32_t op;
  int32_t dtype;
  uint64_t constant[3];
  uint64_t tables; // bit k: constant[k] is the number of a table, which `run` knows
  void (*run)(void *element, int64_t entry); // of its tables
};

// What the library has for an operator. The object of a graph has a table of those that the graph uses, and so an
// image has no others.
struct rsh_operator {
  int32_t op;
  rsh_status (*rule)(const struct rsh_call *call, struct rsh_shape *out, struct rsh_fault *fault);
  void (*fold)(
      struct rsh_fold_state *fold); // NULL: nothing is folded, or no result needs this operator
  rsh_status (*element)(const struct rsh_step *step,
                        void *element); // of a cast, in place; else NULL
};

// Tensors that are DLTensor *.
extern const struct rsh_program_tensors rsh_program_dlpack;

// Sizes that are edges, and guards.
extern const struct rsh_program_check rsh_program_edges;
extern const struct rsh_program_check rsh_program_guards;

// What tensors of indices pick.
extern const struct rsh_program_picker rsh_program_picks;

// How elements come to the results: by folding, which any graph may need; or each result is an input as it lies in
// memory, of reshapes and nothing else.
extern const struct rsh_program_mover rsh_program_moves;
extern const struct rsh_program_mover rsh_program_copies;

// What a function of an object needs of the library, as constants of the object.
struct rsh_program_parts {
  const struct rsh_operator *operators; // each that the tape names
  const struct rsh_element_function *functions;
  int32_t function_count;
  const struct rsh_program_tensors *tensors; // NULL: the words of addresses are all there is
  const struct rsh_program_check *edges;     // where sizes are edges; else NULL
  const struct rsh_program_check *guards;    // where there are any; else NULL
  const struct rsh_program_picker
      *picks; // of rsh_program_run, where tensors of indices pick; else NULL
  const struct rsh_program_mover *mover; // of rsh_program_run; else NULL
};

// One call. Lists are in the order of the graph's text.
struct rsh_program_call {
  const int64_t *sizes;      // of the symbols
  const void *const *inputs; // elements, or DLTensor *; constants follow the graph's inputs
  void *const *outputs;      // likewise
  int64_t *const *dims;      // for each output: receives its dims, or NULL; the list may be NULL
  int32_t *const *ranks;     // likewise
  const struct rsh_program_parts *parts;
  void *memory; // rsh_program_run: a plan; rsh_program_shape: anything. Aligned to 8 bytes
};

#ifdef __cplusplus
extern "C" {
#endif

// The dims and ranks of all outputs. Only inputs that are read as targets need memory. RSH_unsupported: the object was
// compiled for a library of another version.
rsh_status rsh_program_shape(const int64_t *tape, const struct rsh_program_call *call);

// The outputs. Unless the status is ok, nothing but the plan is written. Also RSH_unsupported, as above.
rsh_status rsh_program_run(const int64_t *tape, const struct rsh_program_call *call);

#ifdef __cplusplus
}
#endif
#endif
