// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between an object and the library (runtime/program.h). Emitted C repeats the text below the includes,
// so all types are named by `struct`, and a comment has its own line or follows a `;`.
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

// A function of one element other than a cast, in place. The compiler supplies it, because the runtime has no
// floating-point arithmetic.
struct rsh_element_function {
  int32_t op;
  int32_t from, to; // element types
  int32_t saturate; // of quantize; else 1
  uint64_t constant[3];
  uint64_t tables; // bit k: constant[k] is the number of a table, which `run` contains
  void (*run)(void *element, int64_t entry); // with this entry of its tables
};

// The library's functions for an operator. The object of a graph has a table of only those that the graph uses, so an
// image links no others.
struct rsh_operator {
  int32_t op;
  rsh_status (*rule)(const struct rsh_call *call, struct rsh_shape *out, struct rsh_fault *fault);
  void (*fold)(
      struct rsh_fold_state *fold); // NULL: nothing is folded, or no result needs this operator
  rsh_status (*element)(const struct rsh_step *step,
                        void *element); // casts an element in place; NULL: this is not a cast
};

// Tensors that are DLTensor *.
extern const struct rsh_program_tensors rsh_program_dlpack;

// Loads sizes that are edges, and checks guards.
extern const struct rsh_program_check rsh_program_edges;
extern const struct rsh_program_check rsh_program_guards;

// Picks by tensors of indices.
extern const struct rsh_program_picker rsh_program_picks;

// How results are made: by folding, which works for any graph; or by copying inputs, for graphs that consist only of
// reshapes.
extern const struct rsh_program_mover rsh_program_moves;
extern const struct rsh_program_mover rsh_program_copies;

// The parts of the library that a function of an object needs, as constants of the object.
struct rsh_program_parts {
  const struct rsh_operator *operators; // all that the tape names
  const struct rsh_element_function *functions;
  int32_t function_count;
  const struct rsh_program_tensors *tensors; // NULL: inputs and outputs are plain addresses
  const struct rsh_program_check *edges;     // NULL: no size is an edge
  const struct rsh_program_check *guards;    // NULL: there are no guards
  const struct rsh_program_picker
      *picks; // for rsh_program_run, if tensors of indices pick; else NULL
  const struct rsh_program_mover *mover; // for rsh_program_run; else NULL
};

// One call. Lists are in the order of the graph's text.
struct rsh_program_call {
  const int64_t *sizes;      // values of the symbols
  const void *const *inputs; // elements, or DLTensor *; constants follow the graph's inputs
  void *const *outputs;      // elements, or DLTensor *
  int64_t *const *dims;      // for each output: receives its dims, or NULL; the list may be NULL
  int32_t *const *ranks;     // the same for its rank; NULL if `dims` is
  const struct rsh_program_parts *parts;
  void *memory; // rsh_program_run: a plan; rsh_program_shape: anything. Aligned to 8 bytes
};

#ifdef __cplusplus
extern "C" {
#endif

// Computes the dims and ranks of all outputs. Only inputs that are read as lists need memory. RSH_unsupported: the
// object was compiled for another version of the library.
rsh_status rsh_program_shape(const int64_t *tape, const struct rsh_program_call *call);

// Computes the outputs. Unless the status is ok, only the plan is written. RSH_unsupported: as above.
rsh_status rsh_program_run(const int64_t *tape, const struct rsh_program_call *call);

#ifdef __cplusplus
}
#endif
#endif
