// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators as data: the table of ops.def, and one call of an operator with its arguments.
#ifndef RSH_OP_H
#define RSH_OP_H

#include "runtime/dtype.h"
#include "runtime/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rsh_op {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  RSH_OP_##id,
#include "runtime/ops.def"
#undef RSH_OP
  RSH_OP_COUNT
} rsh_op;

// The effect of an operator on elements.
typedef enum rsh_family {
  RSH_RESHAPES, // none: they stay in row-major order; a dialect determines the accepted types
  RSH_KEEPS,    // none
  RSH_MOVES,    // picks, repeats and moves them
  RSH_FILLS,    // the same, and adds a constant: rsh_call.fill
  RSH_MAPS,     // a function of each (map.h)
  RSH_ROWS      // computes with each row of the last axis
} rsh_family;

// The known properties of the result if the rank of an operand is unknown.
typedef enum rsh_result {
  RSH_RESULT_OPEN,  // nothing
  RSH_RESULT_SAME,  // all: its shape is the operand's
  RSH_RESULT_TYPED, // the same, and its element type is argument 0
  RSH_RESULT_BITS, // its element type is argument 0; its shape is the operand's if both types have one size
  RSH_RESULT_SCALED, // the same; its element type is an argument, or the default, of (de)quantize, requantize, lookup
  RSH_RESULT_PAIR, // it has 2 axes
  RSH_RESULT_LIST, // it has as many axes as argument 0 has entries
  RSH_RESULT_PARTS // nothing; there are several, counted by rsh_split_count
} rsh_result;

enum { RSH_MAX_ARGS = 6 };

typedef enum rsh_arg_kind {
  RSH_ARG_ABSENT, // omitted
  RSH_ARG_LIST,   // integers; an int or bool is a list of one with rank 0
  RSH_ARG_TEXT,   // a mode, an activation
  // One element, as written. Its bits are the caller's constant rsh_call.fill, and list[0] if they fit in 64. For a
  // lookup, `list` has the bits of each entry, or in a program only the number of the table. If the rank is 1 or more,
  // it is a table of constants for functions of elements: `table` is its number, and `list` has the bits, or is NULL
  // once they are no longer needed.
  RSH_ARG_VALUE,
  RSH_ARG_TENSOR, // a list that is data: a tensor, or a list with one-element tensors among its entries
} rsh_arg_kind;

// One argument other than a tensor operand.
typedef struct rsh_arg {
  rsh_arg_kind kind;
  int32_t
      rank; // LIST, VALUE: 0 for a bare number, 1 for a list, more for nested lists; TENSOR: its rank
  int32_t count; // LIST, TENSOR: entries of list, of nested lists in row-major order; 1 for a bare
                 // integer; -1 for a tensor of unknown length
  rsh_dtype dtype; // TENSOR: its element type; else RSH_I64
  bool in_parts;   // TENSOR: a list with integers and tensors of one element
  // LIST, TENSOR: the entries, unknown numbers if they are data; NULL: their count is unknown, or the list is nested
  // and the operator takes no nested lists.
  const rsh_num *list;
  union {
    const char *text; // TEXT, VALUE of rank 0
    const int32_t
        *dims; // LIST of rank 2 and more with entries, VALUE of rank 1 and more: its sizes
  };
  union {
    // LIST, TENSOR: bit i: entry i of a target is a size, not an instruction, even if it is 0 or -1.
    uint32_t sizes;
    uint32_t table; // VALUE of rank 1 and more: its number
  };
} rsh_arg;

static inline bool rsh_arg_is_table(const rsh_arg *arg) {
  return arg->kind == RSH_ARG_VALUE && arg->rank > 0;
}

struct rsh_maps;

typedef struct rsh_call {
  rsh_op op;
  int32_t in_count;
  int32_t out_count;          // results; see rsh_out_count
  const rsh_shape *const *in; // shape of each tensor operand
  const rsh_dtype *in_type;   // element type of each
  rsh_arg arg[RSH_MAX_ARGS];  // in the order of ops.def
  int32_t fill;               // RSH_FILLS: number of the constant in the caller's table
  rsh_symbols *symbols;       // NULL if every size is known
  struct rsh_maps *maps;      // for folding elementwise operators (map.h); else NULL
} rsh_call;

// True if some list is data, which is read when the program runs.
static inline bool rsh_reads_data(const rsh_call *call) {
  for (int i = 0; i < RSH_MAX_ARGS; i++)
    if (call->arg[i].kind == RSH_ARG_TENSOR)
      return true;
  return false;
}

// True if an argument is data: some or all of its entries are known only when the program runs.
static inline bool rsh_is_late(const rsh_call *call, int32_t arg) {
  return RSH_HAS_SYMBOLS && call->arg[arg].kind == RSH_ARG_TENSOR && call->arg[arg].rank <= 1;
}

// True if an argument is data without a known length.
static inline bool rsh_lacks_length(const rsh_call *call, int32_t arg) {
  return rsh_is_late(call, arg) && call->arg[arg].list == 0;
}

// True if its last operand has the indices of the elements that it picks from the first.
bool rsh_takes_indices(const rsh_call *call);
const char *rsh_op_name(rsh_op op);
const char *rsh_op_onnx_name(rsh_op op);
const char *rsh_op_arguments(rsh_op op); // the column of ops.def
const char *rsh_op_summary(rsh_op op);
rsh_family rsh_op_family(rsh_op op);
rsh_result rsh_op_result(rsh_op op);
// The element type of the results.
rsh_dtype rsh_out_type(const rsh_call *call);
// The type of an argument that is one element.
rsh_dtype rsh_value_type(const rsh_call *call, int32_t arg);

int32_t rsh_op_min_operands(rsh_op op);
int32_t rsh_op_max_operands(rsh_op op); // INT32_MAX: any number

#ifdef __cplusplus
}
#endif
#endif
