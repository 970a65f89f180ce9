// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph means, said a second time and as plainly as can be: every operator's definition on indices, one
// element after the other, on tensors of labels. `verify` holds machine code to it. Of what the compiler does
// after resolve (moves, plans, kernels) nothing is used here, so that one mistake cannot be in both.
//
//   x: f32[2, 3]                 labels 1 2 3 4 5 6
//   y = transpose(x)             cells  1 4 2 5 3 6
//   z = pad(y, [0, 0, 0, 1])     cells  1 4 F 2 5 F 3 6 F         F: the label of the constant
//   w = relu(z)                  the same labels, each with the number of the chain "relu"
#ifndef DRIVER_VERIFY_MAP_H
#define DRIVER_VERIFY_MAP_H

#include "frontend/graph/graph.h"

// A cell says what an element is: which label, and in its high bits which functions it went through.
enum { CELL_LABEL_BITS = 44 };
#define CELL_LABEL(cell) ((cell) & ((INT64_C(1) << CELL_LABEL_BITS) - 1))
#define CELL_CHAIN(cell) ((int)((cell) >> CELL_LABEL_BITS))

typedef struct Tensor {
  int rank;
  int64_t dim[RSH_MAX_RANK];
  int64_t count; // elements
  int64_t *cell; // of each, in row-major order; NULL: not computed, or given back
  int64_t *at;   // not NULL: `cell` has these elements alone,
  int64_t some;  // so many of them
} Tensor;

// Where labels come from: `count` of them, from `first` on.
typedef enum OriginKind {
  ORIGIN_INPUT,    // label first + i is element i of its memory
  ORIGIN_CONSTANT, // element i of a weight
  ORIGIN_FILL,     // the one constant of a pad
  ORIGIN_ROWS,     // element i of what softmax makes of rows of `length` of the cells
  ORIGIN_BITS      // element i of what bitcast to another size makes of the cells
} OriginKind;

typedef struct Origin {
  OriginKind kind;
  int64_t first, count;
  const Value *value; // INPUT, CONSTANT
  const Fill *fill;   // FILL
  const Node *node;   // ROWS, BITS
  const int64_t *cell;
  int64_t length;
} Origin;

// Functions of one element: `before`, then what the node does with entry `entry` of its tables. Chain 0 does nothing.
typedef struct Chain {
  int before;
  const Node *node;
  int64_t entry; // 0 where it has none
  int next;      // in the same bucket; 0: it is the last
} Chain;

enum { CHAIN_BUCKETS = 4096 };

typedef struct Map {
  Arena *arena;
  const Graph *graph;
  int64_t given[RSH_MAX_SYMBOLS];  // of each symbol of the graph that was compiled: its value
  int64_t symbol[RSH_MAX_SYMBOLS]; // the same of `graph`, which may have other ones
  const rsh_shape *in_shape;       // of each input; used where its rank is not known
  const int64_t *const *target;    // of each input that targets are read from: its elements
  Tensor *value;                   // of each value, by id
  VEC(Origin) origin;
  VEC(Chain) chain;
  int *bucket;       // the last chain of each
  rsh_status status; // RSH_bad_index: what a tensor of indices holds is none; the sizes are good
  bool
      is_quick; // few patterns at few places will do, and of outputs with many elements some of these
} Map;

// The sizes of the inputs, in numbers; then those of all values, or the status of the first operator that refuses its operands.
void map_inputs(Map *map);
rsh_status map_sizes(Map *map);
// The cells of the outputs. False: there are more labels or chains than a cell can say.
bool map_run(Map *map);
// Whether elements are picked by indices of a tensor; and the status of a call with these indices, apart from the map.
bool map_picks(const Map *map);
rsh_status map_indices(Map *map);
void map_free(Map *map);
// The elements of an output that have a cell.
static inline int64_t tensor_cells(const Tensor *t) { return t->at ? t->some : t->count; }
static inline int64_t tensor_at(const Tensor *t, int64_t i) { return t->at ? t->at[i] : i; }

// Elements of the memory of an input or output: gaps between strides included.
int64_t map_elements(const Map *map, const Value *value);
// The place of element i of a value in its memory.
int64_t map_place(const Map *map, const Value *value, int64_t i);
// A number of the graph.
int64_t map_number(const Map *map, rsh_num n);

// --- verify_cell.c
// One more than the last label.
int64_t map_labels(const Map *map);
// Labels of an origin; the first of them.
int64_t map_new_labels(Map *map, Origin origin);
const Origin *map_origin(const Map *map, int64_t label);
// The number of the chain of functions `before`, then what the node does with this entry of its tables.
int map_chain(Map *map, int before, const Node *node, int64_t entry);

#endif
