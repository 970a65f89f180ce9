// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// program: a whole graph as data, executed once its shapes are known. For a graph whose structure depends on
// run-time values the compiler writes a tape of 64-bit words; this code resolves, folds and moves it by the
// compiler's own rules.
//
//   tape        the graph; constant, without pointers
//   call        the sizes and tensors of one call
//   plan        results of the last call: dims and moves, reused while sizes and lists that are data stay the same;
//               a copy at another address counts as empty
//
// A tape, in words. A *number* is one of
//
//   0 n                             the integer n
//   k  { coef m factor ... } ...    k > 0 terms: coef times the product of m factors: size i over its
//                                   divisor, or where that is below 0 size -1 - i itself, of which those
//                                   of guards and edges are
//   -1 slot entry                   entry of the tensor that is read into this slot: a target, or another list
//
// The first words are rsh_tape_word; sections follow, each at the word that its offset names:
//
//   sizes    divisor value axis          size i: a parameter (value -1), the size of this axis of a value, or
//                                        an edge (value -2 or -3), whose numbers stand at the word `axis`:
//            { at size least }           -2: at, counted from the end where it is below 0, within least and size
//                                        -3: at / size, 0 where size is below 1
//   inputs   dtype rank slot strided sizes    rank -1: unknown; slot: where it is read as a list, or -1;
//                                        the dims are made of the first so many sizes
//            { number of each dim }      then, where strided, the numbers of each stride and of the offset
//   guards   node kind status sizes left right remainder count choice ...    left, right and remainder are numbers,
//                                        made of the first so many sizes;
//                                        node: before which it is asked, -1: before the elements of inputs are counted
//   nodes    op in_count out_count fill count     count: arguments
//            in ...  { room live } ...            of each result: moves that its fold may take, 0: nobody asks
//            { kind rank count sizes listed } of each argument, followed for lists by
//               { dims } where rank > 1, { number } of each entry;  text: index into a table of words
//            for a tensor: listed is 0, and the slot follows; count is that of the slot
//   outputs  value logical rank strided copied  rank: of the type declared of `logical`, -2 where nothing was;
//                                        copied: the input that the value is a copy of, or -1
//            { number of each dim }      -3 in the place of a number: this dim was not declared
//            then, where strided, the numbers of each stride and of the offset
// Values are numbered: the inputs, then the results of one node after the other.
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

// Of tapes and of rsh_program_parts. It grows whenever either changes, so that an object of another version is refused.
enum { RSH_TAPE_VERSION = 10 };

typedef enum rsh_tape_word {
  RSH_TAPE_MAGIC,  // RSH_TAPE_VERSION
  RSH_TAPE_LENGTH, // words in all
  RSH_TAPE_DLPACK, // 1: tensors are DLTensor *, sizes come from their shapes
  RSH_TAPE_SIZES,  // counts
  RSH_TAPE_INPUTS,
  RSH_TAPE_OUTPUTS,
  RSH_TAPE_VALUES,
  RSH_TAPE_DIMS, // that all values have at most
  RSH_TAPE_NODES,
  RSH_TAPE_GUARDS,
  RSH_TAPE_FILLS,
  RSH_TAPE_SLOTS,
  RSH_TAPE_SLOT_ROOM, // entries that are read for one of them at most
  RSH_TAPE_OPERANDS,  // the most that a node has: operands, ...
  RSH_TAPE_RESULTS,   // 0: none has more than one
  RSH_TAPE_ENTRIES,   // entries of lists
  RSH_TAPE_ROOM,      // room for moves: of the largest value, and of all together
  RSH_TAPE_ROOM_ALL,
  RSH_TAPE_MAPS,     // chains of elementwise functions
  RSH_TAPE_PICKS,    // nodes that pick by a tensor of indices, and room for the axes of all
  RSH_TAPE_PICK_AXES,
  RSH_TAPE_AT_SIZES, // where sections begin
  RSH_TAPE_AT_INPUTS,
  RSH_TAPE_AT_GUARDS,
  RSH_TAPE_AT_NODES,
  RSH_TAPE_AT_OUTPUTS,
  RSH_TAPE_AT_FILLS,
  RSH_TAPE_HEAD // words
} rsh_tape_word;

// Before the dims of an input, and of an output.
enum { RSH_TAPE_INPUT_WORDS = 5, RSH_TAPE_OUTPUT_WORDS = 5 };

enum { RSH_NUMBER_INT = 0, RSH_NUMBER_DATA = -1, RSH_NUMBER_NONE = -3 };
enum { RSH_SIZE_GIVEN = -1, RSH_SIZE_EDGE = -2 }; // of an edge: the latter less its rsh_edge_kind

// How guards compare; the remainder is not taken where it is 0.
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

// Conversions, as the functions of rsh_operator.element have it.
rsh_status rsh_program_cast(const rsh_step *step, void *element);

// The index of a text, a mode, in tapes. 0 for every other text.
int32_t rsh_tape_text(const char *text);

// Bytes of `memory` that rsh_program_run needs, on any target. A plan must be all zeros before its first call.
int64_t rsh_program_plan_bytes(const int64_t *tape, const struct rsh_program_mover *mover);

// Entry `i` of a target that is data, of any integer type; the first of packed entries is in the lowest bits. A u64
// above INT64_MAX becomes INT64_MAX.
int64_t rsh_target_entry(const void *data, rsh_dtype type, int64_t i);
int64_t rsh_program_shape_bytes(const int64_t *tape);

#ifdef __cplusplus
}
#endif
#endif
