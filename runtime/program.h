// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// program: a whole graph as data, executed once its shapes are known. For a graph whose structure depends on
// run-time values the compiler writes a tape of 64-bit words; this code resolves and folds it by the compiler's own
// rules, then runs the moves.
//
//   tape        the graph; constant, without pointers
//   call        the sizes and tensors of one call
//   plan        results of the last call: dims and moves, reused while sizes and lists that are data do not change;
//               a copy at another address counts as empty
//
// A tape, in words. A *number* is one of
//
//   0 n                             the integer n
//   k  { coef m factor ... } ...    k > 0 terms: coef times the product of m factors. Factor i >= 0 is size i over its
//                                   divisor; factor i < 0, as in guards and edges, is size -1 - i itself
//   -1 slot entry                   entry of the tensor that is read into this slot: a target, or another list
//
// The first words are rsh_tape_word; sections follow, each at its offset in words:
//
//   sizes    divisor value axis          size i: a parameter (value -1), the size of this axis of a value (0 if it has
//                                        fewer axes; axis -1: its rank), or
//                                        an edge (value -2 - rsh_edge_kind), with its numbers at the word `axis`:
//            { at size least }           the arguments of rsh_edge
//   inputs   dtype rank slot strided sizes    rank -1: unknown; slot: where it is read as a list, or -1;
//                                        sizes: its dims use only the first `sizes` sizes
//            { number of each dim }      then, if strided, the numbers of each stride and of the offset
//   guards   node kind status sizes left right remainder count choice ...    left, right and remainder are numbers,
//                                        which use only the first `sizes` sizes;
//                                        node: checked before this node; -1: before the elements of inputs are counted
//   nodes    op in_count out_count fill count     count: arguments
//            in ...  { room live } ...            of each result: room for its moves; live 0: the result is not used
//            { kind rank count sizes listed } of each argument, followed for lists by
//               { dims } if rank > 1, { number } of each entry;  text: index into a table of words
//            for a tensor: listed is 0, and the slot follows; count is that of the slot
//   outputs  value logical rank strided copied  rank: the rank declared for `logical`, -2 if none was declared;
//                                        copied: the input that the value is a copy of, or -1
//            { number of each dim }      -3 in place of a number: this dim was not declared
//            then, if strided, the numbers of each stride and of the offset
// Values are numbered: the inputs, then the results of each node in order.
//
//   fills    dtype low high              16 bytes of an element, the first in the lowest bits of `low`
#ifndef RSH_PROGRAM_H
#define RSH_PROGRAM_H

#include "runtime/fold.h"
#include "runtime/map.h"
#include "runtime/program_call.h"
#include "runtime/rules.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of tapes and of rsh_program_parts. It grows whenever either changes, so that the runtime rejects objects
// of other versions.
enum { RSH_TAPE_VERSION = 12 };

typedef enum rsh_tape_word {
  RSH_TAPE_MAGIC,  // RSH_TAPE_VERSION
  RSH_TAPE_LENGTH, // words in all
  RSH_TAPE_DLPACK, // 1: tensors are DLTensor *, sizes come from their shapes
  RSH_TAPE_SIZES,  // counts
  RSH_TAPE_INPUTS,
  RSH_TAPE_OUTPUTS,
  RSH_TAPE_VALUES,
  RSH_TAPE_DIMS, // the most dims that all values have in total
  RSH_TAPE_NODES,
  RSH_TAPE_GUARDS,
  RSH_TAPE_FILLS,
  RSH_TAPE_SLOTS,
  RSH_TAPE_SLOT_ROOM, // the most entries that are read into one slot
  RSH_TAPE_OPERANDS,  // the most operands of a node,
  RSH_TAPE_RESULTS,   // results (0: no node has more than one),
  RSH_TAPE_ENTRIES,   // and entries of lists
  RSH_TAPE_ROOM,      // room for moves: of the largest value, and of all together
  RSH_TAPE_ROOM_ALL,
  RSH_TAPE_MAPS,  // chains of elementwise functions
  RSH_TAPE_PICKS, // nodes that pick by a tensor of indices, and room for all their axes
  RSH_TAPE_PICK_AXES,
  RSH_TAPE_AT_SIZES, // offsets of sections
  RSH_TAPE_AT_INPUTS,
  RSH_TAPE_AT_GUARDS,
  RSH_TAPE_AT_NODES,
  RSH_TAPE_AT_OUTPUTS,
  RSH_TAPE_AT_FILLS,
  RSH_TAPE_HEAD // words
} rsh_tape_word;

// The number of words before the dims of an input and of an output.
enum { RSH_TAPE_INPUT_WORDS = 5, RSH_TAPE_OUTPUT_WORDS = 5 };

enum { RSH_NUMBER_INT = 0, RSH_NUMBER_DATA = -1, RSH_NUMBER_NONE = -3 };
enum { RSH_SIZE_GIVEN = -1, RSH_SIZE_EDGE = -2 }; // an edge has RSH_SIZE_EDGE - its rsh_edge_kind
enum { RSH_SIZE_RANK = -1 };                      // in place of an axis

// The comparison of a guard: left % remainder with right, or left itself if remainder is 0.
typedef enum rsh_guard_kind {
  RSH_GUARD_EQ,
  RSH_GUARD_NE,
  RSH_GUARD_LT,
  RSH_GUARD_LE,
  RSH_GUARD_GT,
  RSH_GUARD_GE,
  RSH_GUARD_IN
} rsh_guard_kind;

typedef struct rsh_element_function rsh_element_function;
typedef struct rsh_operator rsh_operator;
typedef struct rsh_program_parts rsh_program_parts;
typedef struct rsh_program_call rsh_program_call;

// Converts an element in place: an rsh_operator.element.
rsh_status rsh_program_cast(const rsh_step *step, void *element);

// The index of a text, such as a mode, in tapes. 0 for every other text.
int32_t rsh_tape_text(const char *text);

// The bytes of `memory` that rsh_program_run needs. A plan must be all zeros before its first call.
int64_t rsh_program_plan_bytes(const int64_t *tape, const struct rsh_program_mover *mover);

// Entry `i` of a target that is data, of any integer type; the first of packed entries is in the lowest bits. A u64
// above INT64_MAX becomes INT64_MAX.
int64_t rsh_target_entry(const void *data, rsh_dtype type, int64_t i);
int64_t rsh_program_shape_bytes(const int64_t *tape);

#ifdef __cplusplus
}
#endif
#endif
