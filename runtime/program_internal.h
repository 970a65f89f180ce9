// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that make up program: where everything lies in the caller's memory.
#ifndef RSH_PROGRAM_INTERNAL_H
#define RSH_PROGRAM_INTERNAL_H

#include "runtime/fold.h"
#include "runtime/map.h"
#include "runtime/program.h"

// A list of moves in the pools of a plan, without pointers: a plan may be moved between calls.
typedef struct ProgramList {
  int32_t count, axis_count;
  int64_t move_at, axis_at;
} ProgramList;

// One value of the graph.
typedef struct ProgramValue {
  rsh_shape shape;
  int32_t dtype; // rsh_dtype
  int32_t slot;  // of an input that is a target; else -1
  bool is_staged;
  int64_t elements;
  ProgramList list;
} ProgramValue;

// One result, as it goes to memory.
typedef struct ProgramOutput {
  int32_t value;
  bool is_plain; // nothing but copies from inputs, for the engine
  ProgramList list;
} ProgramOutput;

// What the key keeps of a DLTensor.
enum { TENSOR_WORDS = 1 + 2 * RSH_MAX_RANK }; // rank, dims, strides

typedef struct Program {
  const int64_t *tape;
  const rsh_program_call *call;
  // In the caller's memory, in this order. The first part is all that rsh_program_shape has.
  int64_t *ready;  // what the rest holds for: the tape's address, or 0
  int64_t *size;   // the key: parameters,
  int64_t *slot;   // RSH_SLOT_ENTRIES words of each target: its length, and what was read of it,
  int64_t *tensor; // TENSOR_WORDS of each input and output that is a DLTensor
  int64_t *atom;
  ProgramValue *value;
  rsh_num *entry; // of the lists of one node
  const rsh_shape **operand;
  rsh_dtype *operand_type;
  rsh_shape *result;
  // The second part.
  ProgramOutput *output;
  rsh_move *move; // all moves, and room for a list to work in
  rsh_axis *axis;
  rsh_map *map;
  rsh_moves *whole; // of each operand that is taken as it is
  const rsh_moves **folded;
  rsh_move *whole_move;
  rsh_axis *whole_axis;
  unsigned char *fill; // 16 bytes of each
  const void **fill_place;
  const void **source; // where the elements of each input begin
  int32_t *stack;      // chains of functions on the way down through stages
  int64_t bytes;       // of all this
} Program;

enum {
  AXES_PER_MOVE = 8 // of a list of moves, beside RSH_MAX_AXES for all
};

static inline int64_t tape_axes(int64_t moves) { return moves * AXES_PER_MOVE + RSH_MAX_AXES; }

// Lays everything out in call->memory. `whole`: the second part too.
void rsh_program_open(Program *p, const int64_t *tape, const rsh_program_call *call, bool whole);

// program_resolve.c
rsh_status rsh_program_load(Program *p); // sizes, and dims of tensors
bool rsh_program_is_same(Program *p);    // as those the plan was made for
rsh_status rsh_program_resolve(Program *p);
rsh_status rsh_program_write_dims(Program *p);

// One call of a node, as the walk over the tape meets it.
typedef struct NodeCall {
  rsh_call call;
  const int64_t *in;  // ids of operands
  const int64_t *out; // { room, live } of each result
  int32_t first;      // id of the first result
} NodeCall;
// Reads the node at *at, and sets *at behind it. `entry` and the lists of operands are filled.
rsh_status rsh_program_node(Program *p, const int64_t **at, int32_t first, NodeCall *n);

// A number of the tape at *at, and *at behind it. False: it does not fit.
bool rsh_program_number(const Program *p, const int64_t **at, int64_t *out);

// program_fold.c
rsh_status rsh_program_fold(Program *p);
rsh_moves rsh_program_moves(const Program *p, const ProgramList *list);

// program_move.c
rsh_status rsh_program_move(Program *p);

#endif
