// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that make up program: where everything lies in the caller's memory.
#ifndef RSH_PROGRAM_INTERNAL_H
#define RSH_PROGRAM_INTERNAL_H

#include "runtime/engine.h"
#include "runtime/fold.h"
#include "runtime/map.h"
#include "runtime/program.h"

// A list of moves in the pools of a plan.
typedef struct ProgramList {
  int32_t count, axis_count, parts;
  int64_t move_at, axis_at;
} ProgramList;

// One value of the graph.
typedef struct ProgramValue {
  rsh_shape shape;
  int32_t dtype; // rsh_dtype
  int32_t slot;  // of an input: where it is read as a target, or -1
  bool is_staged;
  int64_t elements;
  ProgramList list;
} ProgramValue;

// Where an element of a stage comes from, through which functions, with which entry of their tables.
typedef struct ProgramStep {
  int32_t source;
  int64_t from;
  int32_t map;
  int64_t at;
} ProgramStep;

// A target that is data, as it was read. Of one whose rank is not 0 or 1 nothing is: its rank is what is wrong.
typedef struct ProgramSlot {
  int32_t input, dtype, rank;
  int64_t count, entry[RSH_MAX_RANK];
} ProgramSlot;

// An element on its way, as it stands in memory; the widest has 16 bytes.
typedef struct Element {
  _Alignas(8) unsigned char byte[16]; // as functions of elements read it
} Element;

// An element that is being fetched: number `at` of a source, of `bits` bits. Where that is a stage, it is made of `done`
// elements of the stage so far, each of which comes through a chain.
typedef struct ProgramFetch {
  Element element;
  int64_t at, bits;
  int32_t source, map, done;
  int64_t entry; // of the tables of the chain
} ProgramFetch;

// A move that is ready to be carried out.
typedef struct ProgramBox {
  int32_t source;
  rsh_box box;
} ProgramBox;

enum { OUTPUT_BOXES = 8 };

// One result, as it goes to memory.
typedef struct ProgramOutput {
  int32_t value, logical; // as it is stored, and as it is declared
  bool is_plain;          // nothing but copies from inputs, for the engine
  bool is_ready;          // plain, and all its moves are boxes
  int32_t box_count;
  ProgramList list;
} ProgramOutput;

// What the key keeps of a DLTensor.
enum { TENSOR_WORDS = 1 + 2 * RSH_MAX_RANK }; // rank, dims, strides

// A plan begins with its Program. A second call at the same address with the same tape, and the same key
// in what follows, finds all of it as it left it.
typedef struct Program {
  const int64_t *tape; // NULL: there is nothing yet
  const void *memory;
  bool is_planned; // all that follows from the key is there
  const rsh_program_call *call;
  const int64_t *guard; // that is asked next
  // In the caller's memory, in this order. The first part is all that rsh_program_shape has.
  int64_t *size;     // the key: sizes,
  ProgramSlot *slot; // targets,
  int64_t *tensor;   // TENSOR_WORDS of each input and output that is a DLTensor
  int64_t *atom;     // sizes over their divisors
  ProgramValue *value;
  rsh_num *entry; // of the lists of one node
  const rsh_shape **operand;
  rsh_dtype *operand_type;
  rsh_shape *result;
  ProgramOutput *output;
  // The second part.
  ProgramBox *box; // OUTPUT_BOXES of each output
  rsh_move *move;  // all moves, and room for a list to work in
  rsh_axis *axis;
  rsh_map *map;
  rsh_moves *whole; // of each operand that is taken as it is
  const rsh_moves **folded;
  rsh_move *whole_move;
  rsh_axis *whole_axis;
  unsigned char *fill; // 16 bytes of each
  const void **fill_place;
  const void **source; // where the elements of each input begin
  ProgramFetch *stack; // elements on the way down through stages
  int64_t bytes;       // of all this
} Program;

enum {
  AXES_PER_MOVE = 8 // of a list of moves, beside RSH_MAX_AXES for all
};

static inline int64_t tape_axes(int64_t moves) { return moves * AXES_PER_MOVE + RSH_MAX_AXES; }

// Lays everything out from `memory` on. `whole`: the second part too.
void rsh_program_open(Program *p, const int64_t *tape, void *memory, bool whole);

// One call of a node, as the walk over the tape meets it.
typedef struct NodeCall {
  rsh_call call;
  const int64_t *in;  // ids of operands
  const int64_t *out; // { room, live } of each result
  int32_t first;      // id of the first result
} NodeCall;

// program_resolve.c
rsh_status rsh_program_load(Program *p);              // sizes, and dims of tensors
bool rsh_program_is_same(const Program *p);           // as those the plan was made for
rsh_status rsh_program_resolve_inputs(Program *p);    // and the guards before any node
rsh_status rsh_program_count_inputs(Program *p);      // their bytes
rsh_status rsh_program_ask(Program *p, int64_t node); // the guards up to this node
rsh_status rsh_program_resolve_node(Program *p, NodeCall *n);
rsh_status rsh_program_resolve_outputs(Program *p);
rsh_status rsh_program_write_dims(const Program *p);

// Reads the node at *at, and sets *at behind it. `entry` and the lists of operands are filled.
rsh_status rsh_program_node(Program *p, const int64_t **at, int32_t first, NodeCall *n);

// A number of the tape at *at, and *at behind it. False: it does not fit.
bool rsh_program_number(const Program *p, const int64_t **at, int64_t *out);

// program_fold.c

// Lists stand one behind the other in the pools; `work` stands behind the place of the last.
typedef struct Folding {
  Program *p;
  rsh_maps maps;
  int64_t move_at, axis_at; // where the next list begins
  rsh_moves work;
} Folding;

void rsh_program_load_fills(Program *p);
void rsh_program_begin_folding(Program *p, Folding *f);
rsh_status rsh_program_fold_inputs(Folding *f);
rsh_status rsh_program_fold_node(Folding *f, NodeCall *n);
rsh_status rsh_program_fold_outputs(Folding *f);
rsh_moves rsh_program_moves(const Program *p, const ProgramList *list);

// program_move.c
void rsh_program_prepare(Program *p); // what can be known of moving before elements are there
rsh_status rsh_program_move(Program *p);

#endif
