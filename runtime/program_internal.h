// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that make up program: the layout of the caller's memory.
#ifndef RSH_PROGRAM_INTERNAL_H
#define RSH_PROGRAM_INTERNAL_H

#include "runtime/engine.h"
#include "runtime/fold.h"
#include "runtime/map.h"
#include "runtime/picks.h"
#include "runtime/program.h"

// A list of moves in the pools of a plan.
typedef struct ProgramList {
  int32_t count, axis_count, parts;
  int64_t move_at, axis_at;
} ProgramList;

// One value of the graph.
typedef struct ProgramValue {
  rsh_shape *shape; // with room only for its own dims: the shape of the next value follows
  int32_t dtype;    // rsh_dtype
  int32_t slot;     // of an input: where it is read as a target, or -1
  int64_t elements;
} ProgramValue;

// The same value, folded.
typedef struct ProgramFolded {
  bool is_staged;
  int32_t
      pick; // if a tensor of indices picks it, that pick + 1, and the list is the value itself; else 0
  ProgramList list;
} ProgramFolded;

// The origin of an element of a stage: its source, its functions, and its position in their tables.
typedef struct ProgramStep {
  int32_t source;
  int64_t from;
  int32_t map;
  int64_t at;
} ProgramStep;

// A list that is data, as read; its entries are in Program.slot_entry. If its rank is not 0 or 1, it has none, and the
// rank is reported.
typedef struct ProgramSlot {
  int32_t input, dtype, rank;
  uint32_t large; // bits of entries of u64 that do not fit int64_t (large_bit)
  int64_t count;
} ProgramSlot;

// One element in its memory format; the widest has 16 bytes.
typedef struct Element {
  _Alignas(8) unsigned char byte[16]; // aligned for element-wise functions
} Element;

// A value that a tensor of indices picks.
typedef struct ProgramPick {
  int32_t data, indices;   // ids of values
  const unsigned char *by; // the indices of this call, if they are contiguous in an input, or NULL
  rsh_picks of;
} ProgramPick;

// An element that is being fetched: number `at` of a source, of `bits` bits. If the source is a stage, `done` elements
// of the stage, each passed through a chain, are in it so far. If it is picked, `done` of its indices, which begin at
// index number `entry`, have been added to `at` so far.
typedef struct ProgramFetch {
  Element element;
  int64_t at, bits;
  int32_t source, map, done;
  bool is_value;           // the source is looked up by its moves, even if it is an input
  const ProgramPick *pick; // or NULL
  int64_t entry;           // position in the tables of the chain
} ProgramFetch;

// A move that is ready to run.
typedef struct ProgramBox {
  int32_t source;
  rsh_box box;
} ProgramBox;

enum { OUTPUT_BOXES = 8 };

// One result, as it is written to memory.
typedef struct ProgramOutput {
  int32_t value, logical; // as it is stored, and as it is declared
  int32_t copied;         // the input that it is a copy of, or -1
} ProgramOutput;

// The same result, folded.
typedef struct ProgramBoxes {
  bool is_plain; // only copies from inputs and constants, for the engine
  bool is_ready; // plain, and all its moves are boxes
  int32_t box_count;
  ProgramList list;
} ProgramBoxes;

// Words of the key for each DLTensor.
enum { TENSOR_WORDS = 1 + 2 * RSH_MAX_RANK }; // rank, dims, strides

// A plan begins with its Program. A second call at the same address with the same tape and key reuses all of it.
typedef struct Program {
  const int64_t *tape; // NULL: the plan is empty
  unsigned char *memory;
  bool is_planned;        // everything that depends only on the key is computed
  rsh_status fold_status; // of folding so far
  const rsh_program_call *call;
  const int64_t *guard;      // the next guard to check
  size_t bytes;              // of the memory below
  unsigned char *next_shape; // where the shape of the next value goes
  // In the caller's memory, in this order. rsh_program_shape has only the first part.
  int64_t *size;       // the key: sizes,
  ProgramSlot *slot;   // lists that are data,
  int64_t *slot_entry; // RSH_TAPE_SLOT_ROOM of each
  int64_t *tensor;     // TENSOR_WORDS of each input and output that is a DLTensor
  int64_t *atom;       // sizes over their divisors
  ProgramValue *value;
  unsigned char *shapes; // of the values, one after another
  struct NodeCall *node;
  rsh_num *entry; // of the lists of one node
  const rsh_shape **operand;
  rsh_dtype *operand_type;
  rsh_shape *result;
  ProgramOutput *output;
  // The second part, of rsh_program_moves.
  ProgramFolded *folded; // of each value
  ProgramBoxes *boxes;   // of each output
  struct Folding *folding;
  ProgramBox *box; // OUTPUT_BOXES of each output
  rsh_move *move;  // all moves, and room for a work list
  rsh_axis *axis;
  rsh_map *map;
  rsh_moves *whole; // the moves of each operand
  const rsh_moves **operand_moves;
  rsh_move *whole_move;
  rsh_axis *whole_axis;
  unsigned char *fill; // 16 bytes for each
  const void **fill_place;
  const void **source; // the first element of each input
  ProgramFetch *stack; // pending fetches through stages
  ProgramPick *pick;
  rsh_axis *pick_axis;
} Program;

// Lays out the first part at `memory`.
void rsh_program_open(Program *p, const int64_t *tape, void *memory);
// Allocates the next `count` objects of the memory. Their size is rounded up, so that all are aligned to 8.
void *rsh_program_take(Program *p, size_t count, size_t size);

// rsh_program_parts.tensors. Tensors are numbered: inputs, then outputs.
typedef struct rsh_program_tensors {
  rsh_status (*load)(Program *p);    // writes rank, dims and strides of all to Program.tensor
  bool (*is_same)(const Program *p); // true if they are unchanged since load
  rsh_status (*check)(const Program *p, int32_t k, rsh_dtype type);
  const void *(*data)(const Program *p, int32_t k);
} rsh_program_tensors;

// rsh_program_parts.edges: loads the edges among the first n sizes; guards: checks those up to node n.
typedef struct rsh_program_check {
  rsh_status (*check)(Program *p, int32_t n);
} rsh_program_check;

// Counts and positions fit 32 bits, which small cores compare with one instruction.
static inline int32_t tape_count(const Program *p, rsh_tape_word word) {
  return (int32_t)p->tape[word];
}

static inline size_t tape_size(const Program *p, rsh_tape_word word) {
  return (size_t)p->tape[word];
}

// The elements of tensor k.
static inline const void *rsh_program_data(const Program *p, int32_t k) {
  const rsh_program_tensors *tensors = p->call->parts->tensors;
  int32_t inputs = tape_count(p, RSH_TAPE_INPUTS);
  if (tensors != 0)
    return tensors->data(p, k);
  return k < inputs ? p->call->inputs[k] : p->call->outputs[k - inputs];
}

// Size i on the tape.
static inline const int64_t *rsh_program_size_words(const Program *p, int32_t i) {
  return p->tape + tape_count(p, RSH_TAPE_AT_SIZES) + 3 * i;
}
void rsh_program_set_size(Program *p, int32_t i, int64_t n);

// The number of elements of a value that is an operand of a node, an output or picked. It fits: rsh_check_call, the
// outputs and the rules of picks refuse the others.
static inline rsh_num rsh_program_volume(const Program *p, int32_t value) {
  rsh_num volume = rsh_int(0);
  (void)rsh_volume(0, p->value[value].shape, &volume);
  return volume;
}

// rsh_program_parts.picks
struct NodeCall;
typedef struct rsh_program_picker {
  // Sets ProgramFolded.pick of the result if the node picks by a tensor of indices.
  void (*open)(Program *p, const struct NodeCall *n);
  rsh_status (*check)(Program *p); // checks all indices
  // Fetches element `at` of the value: `next` selects the element to fetch next, each index and then the datum, and
  // `take` receives it. True: the element is complete.
  ProgramFetch (*begin)(const Program *p, int32_t value, int64_t at);
  ProgramFetch (*next)(const Program *p, const ProgramFetch *f);
  bool (*take)(const Program *p, ProgramFetch *f, const Element *e);
  // Writes output k, run by run. False, and nothing is written: it must be copied element by element.
  bool (*copy)(Program *p, int32_t k, unsigned char *out);
} rsh_program_picker;

// One call of a node, as read from the tape.
typedef struct NodeCall {
  rsh_call call;
  const rsh_operator *rules;
  const int64_t *in;   // ids of operands
  const int64_t *out;  // { room, live } of each result
  int32_t first;       // id of the first result
  int32_t next_first;  // id of the first result of the next node,
  const int64_t *next; // and its words
  rsh_shape *result;   // the rule's output: the final place of a single result
} NodeCall;

// program_resolve.c
const rsh_operator *rsh_program_operator(const Program *p, rsh_op op);
rsh_status rsh_program_load(Program *p);           // loads sizes, and dims of tensors
bool rsh_program_is_same(const Program *p);        // true if the plan is valid for this call
rsh_status rsh_program_resolve_inputs(Program *p); // also checks the guards before any node
// Loads the sizes of `count` values that have just been resolved, and the edges, which may depend on them.
rsh_status rsh_program_load_sizes(Program *p, int32_t first, int32_t count);
rsh_status rsh_program_count_inputs(Program *p);      // checks that their bytes fit
rsh_status rsh_program_ask(Program *p, int32_t node); // checks the guards up to this node
rsh_status rsh_program_keep_results(Program *p, const NodeCall *n); // also loads their sizes
rsh_status rsh_program_resolve_outputs(Program *p);
rsh_status rsh_program_check_pointers(Program *p); // NULL is allowed only without elements
rsh_status rsh_program_write_dims(const Program *p);

// Reads the next node, after rsh_program_first_node the first. Fills `entry` and the lists of operands.
void rsh_program_first_node(Program *p);
rsh_status rsh_program_node(Program *p, NodeCall *n);

// Reads the number of the tape at *at, and advances *at past it. False: it does not fit.
bool rsh_program_number(const Program *p, const int64_t **at, int64_t *out);

// rsh_program_parts.mover: folds while nodes are resolved, then moves the elements. All but `move` may be NULL.
typedef struct rsh_program_mover {
  void (*open)(Program *p); // lays out its memory, and fills in the constants
  rsh_status (*fold_inputs)(Program *p);
  rsh_status (*fold_node)(Program *p, NodeCall *n);
  rsh_status (*fold_outputs)(Program *p);
  rsh_status (*move)(Program *p); // moves the elements
} rsh_program_mover;

// program_fold.c

// Lists are stored one after another in the pools; `work` is after the room for all of them.
typedef struct Folding {
  rsh_maps maps;
  int64_t move_at, axis_at; // where the next list begins
  int32_t pick_count, pick_axis_count;
  rsh_moves work;
} Folding;

void rsh_program_open_folding(Program *p);
rsh_status rsh_program_fold_inputs(Program *p);
rsh_status rsh_program_fold_node(Program *p, NodeCall *n);
rsh_status rsh_program_fold_outputs(Program *p);
rsh_moves rsh_program_moves_of(const Program *p, const ProgramList *list);

// program_move.c
ProgramFetch rsh_program_begin_fetch(int32_t source, int64_t at, int64_t bits);
Element rsh_program_fetch(Program *p, ProgramFetch first);

// The size of an element in bits; for strings, of their handles.
static inline int64_t rsh_program_bits(rsh_dtype type) {
  return type == RSH_STRING ? 8 * (int64_t)sizeof(void *) : rsh_dtype_bits(type);
}

#endif
