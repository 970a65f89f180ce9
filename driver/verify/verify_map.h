// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reference implementation of all operators, as simple as possible: it evaluates their definitions on indices, one
// element at a time, on tensors of labels. `verify` checks machine code against it. It shares no code with the compiler
// after resolve (no moves, plans or kernels), so it cannot share an error of these steps.
//
//   x: f32[2, 3]                 labels 1 2 3 4 5 6
//   y = transpose(x)             cells  1 4 2 5 3 6
//   z = pad(y, [0, 0, 0, 1])     cells  1 4 F 2 5 F 3 6 F         F: the label of the constant
//   w = relu(z)                  the same labels, each with the number of the chain "relu"
#ifndef DRIVER_VERIFY_MAP_H
#define DRIVER_VERIFY_MAP_H

#include "frontend/graph/graph.h"

// A cell identifies an element: its label, and in the high bits the functions that were applied to it.
enum { CELL_LABEL_BITS = 44 };
#define CELL_LABEL(cell) ((cell) & ((INT64_C(1) << CELL_LABEL_BITS) - 1))
#define CELL_CHAIN(cell) ((int)((cell) >> CELL_LABEL_BITS))

typedef struct Tensor {
  int rank;
  int64_t dim[RSH_MAX_RANK];
  int64_t count; // elements
  int64_t *cell; // of each element, in row-major order; NULL: not computed, or freed
  int64_t *at;   // not NULL: `cell` has only these elements,
  int64_t some;  // the number of these
} Tensor;

// The origin of labels: `count` of them, starting at `first`.
typedef enum OriginKind {
  ORIGIN_INPUT,    // label first + i is element i in its memory
  ORIGIN_CONSTANT, // element i of a weight
  ORIGIN_FILL,     // the constant of a pad
  ORIGIN_ROWS,     // element i of softmax applied to the cells in rows of `length`
  ORIGIN_BITS      // element i of a bitcast of the cells to another size
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

// Functions of one element: those of chain `before`, then the node with entry `entry` of its tables. Chain 0 does
// nothing.
typedef struct Chain {
  int before;
  const Node *node;
  int64_t entry; // 0 if there are none
  int next;      // in the same bucket; 0: the last one
} Chain;

enum { CHAIN_BUCKETS = 4096 };

typedef struct Map {
  Arena *arena;
  const Graph *graph;
  int64_t given[RSH_MAX_SYMBOLS];  // of each symbol of the compiled graph: its value
  int64_t symbol[RSH_MAX_SYMBOLS]; // the same for `graph`, which may have different symbols
  const rsh_shape *in_shape;       // of each input; used if its rank is unknown
  const int64_t *const *target;    // of each input that targets are read from: its elements
  Tensor *value;                   // of each value, by id
  VEC(Origin) origin;
  VEC(Chain) chain;
  int *bucket;       // the last chain of each bucket
  rsh_status status; // RSH_bad_index: a tensor of indices holds an invalid one; the sizes are valid
  bool is_quick; // use few patterns and placements, and check only some elements of large outputs
} Map;

// Computes the sizes of the inputs; then those of all values, or the status of the first operator that refuses its
// operands.
void map_inputs(Map *map);
rsh_status map_sizes(Map *map);
// Computes the cells of the outputs. False: there are more labels or chains than a cell can hold.
bool map_run(Map *map);
// True if elements are selected by indices of a tensor; then the status of a call with these indices is independent of
// the map.
bool map_picks(const Map *map);
rsh_status map_indices(Map *map);
void map_free(Map *map);
// The number of elements of an output that have a cell.
static inline int64_t tensor_cells(const Tensor *t) { return t->at ? t->some : t->count; }
static inline int64_t tensor_at(const Tensor *t, int64_t i) { return t->at ? t->at[i] : i; }

// Elements in the memory of an input or output, including gaps between strides.
int64_t map_elements(const Map *map, const Value *value);
// The position of element i of a value in its memory.
int64_t map_place(const Map *map, const Value *value, int64_t i);
// The value of a number of the graph.
int64_t map_number(const Map *map, rsh_num n);

// --- verify_declared.c
// Whether a result has the sizes that the text or model declares.
bool map_is_as_declared(const Map *map, int output);

// --- verify_cell.c
// One more than the last label.
int64_t map_labels(const Map *map);
// Adds the labels of an origin; returns the first.
int64_t map_new_labels(Map *map, Origin origin);
const Origin *map_origin(const Map *map, int64_t label);
// The number of the chain that applies chain `before`, then the node with this entry of its tables.
int map_chain(Map *map, int before, const Node *node, int64_t entry);

#endif
