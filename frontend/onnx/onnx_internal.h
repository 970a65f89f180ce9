// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that read models; only for onnx*.c.
//
//   onnx_scan.c, onnx_file.c  files to messages; openvino*.c make the same messages from OpenVINO IR
//   onnx_locations.c          the files that hold weights
//   onnx_parts.c              messages, attributes, operators by name, storage for numbers
//   onnx_tensor.c             tensors of a file: types, bytes, numbers
//   onnx_edges.c              numbers that only the call computes from sizes: quotients, conditions
//   onnx_sizes.c              arithmetic on shapes: Shape -> Gather -> Mul -> Concat becomes numbers
//   onnx_node.c               turns a node that moves data into a call of an operator (onnx_ops.def)
//   onnx_target.c             target entries of a Reshape that may be 0 or -1
//   onnx_gather.c             turns gathers along several axes into one along a single axis
//   onnx_positions.c          indices that count up, of sizes known only at run time
//   onnx_runs.c               gathers and scatters at such indices, as slices
//   onnx_masks.c              comparisons of these, as causal masks are
//   onnx_where.c              operators that choose by such masks
//   onnx_step.c               operators that replace a node, one after another
//   onnx_pick.c               operators that pick elements by constants, as a gather from all operands
//   onnx_diagonals.c          triangles of matrices of open sizes, as reshapes
//   onnx_pad.c                Pad by an element that is data, as joined parts, or by an amount that may crop
//   onnx_resize.c             Resize and Upsample with nearest mode, as repeats and gathers
//   onnx_softmax.c            Softmax along any axis, as one along the last
//   onnx_sequence.c           sequences of tensors, as lists of their entries
//   onnx_repeat.c             Loop and Scan, iteration by iteration
//   onnx_order.c              topological order of nodes
//   onnx_inputs.c             names, inputs and initializers
//   onnx.c                    nodes, functions, results
//   onnx_infer*.c             for surveys: result shapes of other operators (onnx_shapes.def)
//   onnx_declared.c           shapes that a model declares
//   onnx_survey.c             all nodes of a model that move data
//   onnx_chains.c             the chains of a survey, each a graph
//   onnx_split*.c             cuts the model into chains and the rest
//   onnx_optimize*.c, onnx_reorder.c, onnx_wire.c  rewrites the model with fewer nodes in its chains
#ifndef FRONTEND_ONNX_INTERNAL_H
#define FRONTEND_ONNX_INTERNAL_H

#include "frontend/data/output.h"
#include "frontend/lower/lower_internal.h"
#include "frontend/onnx/onnx.h"
#include "frontend/onnx/onnx_survey.h"
#include "frontend/onnx/onnx_wire.h"

// Elements known at compile time: numbers, perhaps symbolic.
typedef struct Numbers {
  rsh_dtype dtype;
  rsh_shape shape; // all sizes known
  rsh_num *item;
  int32_t count;
  const int64_t *over; // of fractions: a divisor of each, in floating point; else NULL
} Numbers;

// Of indices that count up: the element at [i, k] is first + i*stride[0] + k*stride[1]. Along an axis in blocks, stride
// counts these, and inner the places in them: first + i/block*stride + i%block*inner.
typedef struct Ramp {
  rsh_num first;
  int64_t stride[RSH_MAX_RANK], inner[RSH_MAX_RANK];
} Ramp;

// Of two numbers, or of a number and 0; conditions are sums of these. Of two masks: whether both must hold, or any.
// No masks are ABSOLUTE, what Abs makes of numbers, for comparisons, and indices in another order than that in which
// they count up, for Gather: RESHAPED, TRANSPOSED and JOINED.
enum Orders {
  LESS = 1,
  EQUAL = 2,
  GREATER = 4,
  BOTH = 8,
  ANY = 16,
  ABSOLUTE = 32,
  RESHAPED = 64,
  TRANSPOSED = 128,
  JOINED = 256
};

// Indices that count up (onnx_positions.c). With several ramps, the last axis of the shape counts them: these are
// tuples, as ScatterND has them. Or a mask (onnx_masks.c): its elements have two values, and a comparison of such
// numbers with 0 chooses between them.
typedef struct Positions {
  rsh_dtype dtype;
  int compared;  // of a mask: the Orders that make it true; else 0
  int64_t of[2]; // of a mask: the value of its elements if it is false, and if it is true
  // Of a mask: what BOTH and ANY combine; these have its shape. Of others: the operands.
  const struct Positions *part[2];
  int32_t order[RSH_MAX_RANK]; // of TRANSPOSED: the axes; of JOINED, first: the axis
  rsh_shape shape;
  int64_t block[RSH_MAX_RANK]; // of each axis; 0: it has none, as in all tuples
  int32_t count;
  Ramp ramp[RSH_MAX_RANK];
} Positions;

// The meaning of a name in the model.
typedef struct Item {
  const char *name;
  Span span;               // "node 3 'r' (Reshape)"
  bool is_poisoned;        // an error in it was reported
  const char *absent;      // why its elements are unavailable, for messages; or NULL
  bool is_of_sizes;        // in a survey: computed from shapes
  bool is_rounded;         // in a survey: computed in floating point, so a 0 of `known` may be -0
  const Numbers *known;    // NULL if its elements are unknown, not all integral, or too many
  const Numbers *fraction; // if not all are integral; NULL until needed
  const Onnx__TensorProto *tensor; // an initializer or a Constant; else NULL
  Value *value;                    // in the graph; NULL until needed
  const Positions *positions;      // of indices that count up, if their number is not known, or 0
  const struct Sequence *sequence; // a sequence is not a tensor, as `absent` says
  bool has_dtype;                  // in a survey: of an item whose rank, so its value, is unknown
  rsh_dtype dtype;
  UT_hash_handle hh;
} Item;

// The numbers of an item, integral or not.
static inline const Numbers *onnx_numbers(const Item *item) {
  return item->known ? item->known : item->fraction;
}

static inline double onnx_fraction(const Numbers *numbers, int32_t i) { // known
  return (double)numbers->item[i].n / (double)(numbers->over ? numbers->over[i] : 1);
}

// The type of a tensor. Its rank may be RSH_RANK_UNKNOWN, its type RSH_DTYPE_NONE.
typedef struct TensorType {
  rsh_dtype dtype;
  rsh_shape shape;
} TensorType;

// The results of a subgraph.
typedef struct BodyTypes {
  TensorType *out;
  size_t count;
} BodyTypes;

struct Declared;

// A graph, subgraph or function of the model during traversal.
typedef struct Frame {
  const struct Frame *outer;    // whose names a subgraph can see; NULL for functions
  const OnnxFunction *function; // NULL for graphs
  const struct Frame *caller;   // of a function: the frame of its call
  const Onnx__NodeProto *call;  // of a function: the call, whose attributes the body refers to
  Item *items;                  // by name
  struct Declared *declared;    // types that the graph declares, by name
  int64_t opset;                // of the default domain; 0: none given
  const char *place;            // "" or the call: "node 3 'c' (F): "
} Frame;

struct Visit;
struct Reader;

// A survey's callbacks, which replace lowering.
typedef struct Surveyor {
  Survey *survey;
  void (*node)(struct Visit *v, bool has_inputs);
  void (*outputs)(struct Reader *r, const Frame *frame, const Onnx__GraphProto *graph);
  bool (*open)(struct Visit *v, Value *value); // as sizes_open
} Surveyor;

typedef struct Reader {
  Arena *arena;
  Diag *diag;
  const OnnxFile *file;
  Lower data;               // data movement is lowered to data.graph
  Lower sizes;              // moves of known elements: its graph is only for shapes
  VEC(char) places;         // text that spans refer to
  int64_t known_left;       // remaining budget for known numbers
  rsh_moves room[2];        // for folding on numbers
  int visits;               // nodes and iterations visited
  const Surveyor *surveyor; // of all operators that move data; NULL: the whole model is lowered
} Reader;

// Nodes visited, once for each call of their function, and iterations.
enum { MAX_VISITS = 1 << 16 };
enum { KNOWN_LIMIT = 1 << 20, KNOWN_LIMIT_NARROW = 1 << 13, KNOWN_BUDGET = 1 << 22 };

// A node, with the meanings of its inputs.
typedef struct Visit {
  Reader *r;
  Frame *frame;
  const Onnx__NodeProto *node;
  size_t index; // of the node in its graph
  Span span;
  const char *op; // never NULL
  Item **in;      // node->n_input; NULL for an omitted one
} Visit;

// NULL: the node has no such input.
static inline Item *input_of(const Visit *v, size_t input) {
  return input < v->node->n_input ? v->in[input] : NULL;
}

// NULL as well: its numbers are not known.
static inline const Numbers *input_known(const Visit *v, size_t input) {
  const Item *item = input_of(v, input);
  return item ? item->known : NULL;
}

// The symbols of the sizes: the numbers of both graphs refer to these.
static inline rsh_symbols *symbols_of(const Visit *v) { return v->r->data.graph->symbols; }

// Lowering adds edges, which are symbols, to the data's graph; the other graph gets them here.
static inline void share_symbols(Reader *r) { r->sizes.graph->symbol = r->data.graph->symbol; }

// --- onnx_parts.c
const char *node_domain(const char *domain); // "" for that of ONNX
// An input has any rank, but the operator needs to know it. Always false.
bool onnx_rank_error(Visit *v, size_t input);
bool onnx_error(Visit *v, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4))); // always false
// NULL, after an error: return refused(onnx_error(v, ...));
static inline void *refused(bool reported) {
  (void)reported;
  return NULL;
}
const char *input_label(const Visit *v, size_t i);                          // "input 1 'shape'"
const Onnx__AttributeProto *attribute_of(const Visit *v, const char *name); // NULL: absent
int64_t attribute_int(const Visit *v, const char *name, int64_t fallback);
// The name in messages: a layer whose operator has the rules of OpenVINO has no such prefix.
const char *onnx_op_word(const char *op);
// The operator of reshapec, or -1.
int onnx_operator(const char *op);
// NULL: there are too many.
Numbers *numbers_new(Reader *r, rsh_dtype dtype, const rsh_shape *shape);
// Returns whether a node of ONNX's own domain, without subgraphs, is deterministic: equal inputs give equal results.
bool onnx_is_function(const Onnx__NodeProto *node);
// The next subgraph of a node, in the order of its attributes, from a place {0} on; NULL: there are no more.
typedef struct BodyPlace {
  size_t attribute, graph;
} BodyPlace;
const Onnx__GraphProto *onnx_next_body(const Onnx__NodeProto *node, BodyPlace *at);
// Finds the graph in the file. False: it is stored in several pieces, which is reported.
bool onnx_find_graph(const OnnxFile *file, Diag *diag, WireField *out);
// The fields of a graph that is written; they point into the file's bytes or into the arena.
typedef struct GraphParts {
  OutputParts part;
  size_t size;
} GraphParts;
void graph_parts_put(Arena *arena, GraphParts *to, const void *bytes, size_t size);
// The file with such a graph in place of its own, which is the field `from`.
OutputParts onnx_with_graph(Arena *arena, const OnnxFile *file, const WireField *from,
                            const GraphParts *graph);
WireField *onnx_node_fields(Arena *arena, const Onnx__GraphProto *graph, const WireField *from);
// A vector of numbers.
Numbers *numbers_vector(Reader *r, int32_t count);

// --- onnx_tensor.c
rsh_dtype onnx_dtype(int32_t number);                       // RSH_DTYPE_NONE: unsupported
int32_t onnx_dtype_number(rsh_dtype dtype);                 // 0: ONNX has none
const char *onnx_dtype_words(Arena *arena, int32_t number); // "element type 999 is unknown"
// False: see *why.
bool onnx_tensor_type(const Onnx__TensorProto *tensor, Arena *arena, rsh_dtype *dtype,
                      rsh_shape *shape, const char **why);
// Whether an input is a constant in another file, without --external-data.
bool onnx_is_unread(const Visit *v, size_t input);
// Reports an input that is not known: such a constant, or one that only the call knows. Returns false.
bool onnx_refuse_unknown(Visit *v, size_t input);
// The elements of a tensor in the format of Value.data. NULL: see *why.
const uint8_t *onnx_tensor_bytes(Reader *r, const Onnx__TensorProto *tensor, const char **why);
Value *constant_new(Reader *r, const Item *item, rsh_dtype dtype, const rsh_shape *shape,
                    const uint8_t *bytes);
// The value of an item in the graph of data; adds a constant to the graph on first use. NULL: an error was reported.
Value *item_value(Reader *r, Item *item, Span span);
// Numbers as the elements of a tensor. NULL: some are symbolic.
const uint8_t *onnx_numbers_bytes(Arena *arena, const Numbers *known);
// NULL: the elements are not integral, or too many.
const Numbers *onnx_tensor_known(Reader *r, const Onnx__TensorProto *tensor);

// --- onnx_edges.c; false: a number is unknown, or there are too many edges
// The quotient of sizes that are not negative, rounded down, as an edge, which the call computes.
bool sizes_quotient(const Visit *v, rsh_num n, rsh_num by, rsh_num *out);
bool sizes_quotient_down(const Visit *v, rsh_num n, rsh_num by, rsh_num *out); // of any number
// How far a number is above 0 and below 0: one of these is 0.
//   H-W    H - min(W, H), W - min(W, H)
bool sizes_split_at_0(const Visit *v, rsh_num n, rsh_num *above, rsh_num *below);
bool sizes_above_0(const Visit *v, rsh_num n, rsh_num *out); // the number, or 0 if it is below
// The smaller (-1) or the larger (1) of two numbers.
bool sizes_extreme(const Visit *v, int which, const rsh_num *a, rsh_num *out);
// Conditions are 1 or 0. Whether two numbers are in one of these Orders:
bool sizes_compare(const Visit *v, int orders, rsh_num a, rsh_num b, rsh_num *out);
bool sizes_combine(const Visit *v, int which, rsh_num a, rsh_num b, rsh_num *out);
// x if a condition holds, else y.
bool sizes_choose(const Visit *v, rsh_num condition, rsh_num x, rsh_num y, rsh_num *out);

// --- onnx_sizes.c
typedef enum Rounding { TRUNCATES, ROUNDS_DOWN } Rounding; // toward zero, or down
// Broadcasts `shape` with another shape; all sizes are known. False: they do not fit.
bool onnx_broadcast_known(rsh_shape *shape, const rsh_shape *with);
// The index of the operand's element that element i of a broadcast result reads.
int32_t onnx_broadcast_index(const rsh_shape *shape, const rsh_shape *result, int32_t i);
// Computes results of a node that are numbers: sets out[i], and returns true if it set any.
bool sizes_visit(Visit *v, const Numbers **out);
// Returns whether it would succeed if all inputs were numbers known at compile time.
bool sizes_would_count(const Visit *v);
// The type and the shape of EyeLike. False: they are not known here.
bool sizes_eye(Visit *v, rsh_dtype *dtype, rsh_shape *shape);
int sizes_orders(const char *op); // the Orders of a comparison; 0: it is none
// Whether it divides sizes by a number that is not above 0.
bool sizes_divides_by(const Visit *v, int64_t *divisor);
const Numbers *sizes_cast(Visit *v, const Numbers *in, rsh_dtype to); // NULL: they do not fit
// Makes low <= high a condition of the graph, and a fact from then on.
void sizes_require(const Visit *v, rsh_num low, rsh_num high);
// The quotient by a number above 0. That an open size is not 0 becomes a condition. False: it is not an edge.
bool sizes_rounded(const Visit *v, Rounding how, rsh_num n, rsh_num by, rsh_num *out);
// Whether a number is exact in this type; adds a guard if that depends on sizes.
bool sizes_fit(Visit *v, rsh_num n, rsh_dtype dtype);

// --- onnx_fractions.c
const Numbers *fractions_visit(Visit *v); // NULL: not of fractions, or not exact

// --- onnx_node.c
// The node as a call; operand[i] are the values of the first inputs. NULL: an error was reported.
Binding *node_bind(Visit *v, Lower *l, rsh_op op, Value *const *operand, int count);
// Whether the node has only attributes of its version. False: an error was reported.
bool node_has_attributes(Visit *v);
// Makes an input of the node an argument of the call. False: an error was reported.
bool node_bind_input(Visit *v, Lower *l, Binding *b, int arg, ParamKind kind, size_t input);
// For a node with a tensor and a constant: puts the tensor first, and selects the operator for that order. False: the
// node has another form, which is reported.
bool node_arrange_constant(Visit *v, int *op);
void binding_bound_slices(Lower *l, const Binding *b); // so that a large end means the end

// --- onnx_target.c
// Replaces entries of a Reshape's target that sizes decide.
void target_bind(Visit *v, Lower *l, rsh_call *call);

// --- onnx_gather.c
bool gather_is_of_several_axes(const char *op); // GatherND, GatherElements
// Returns whether the indices of such a node, or of Gather, are known only at run time.
bool indices_are_operand(const Visit *v, rsh_op op, const Value *x);
// Prepares such a node for node_bind, as Gather along axis 0, if its indices are known: replaces them and the operand.
// False: an error was reported.
bool gather_prepare(Visit *v, Lower *l, Value **x);
// Requires that known indices of such a node fit an operand of open sizes. False: they never do, which is reported.
bool gather_require(Visit *v, const Value *x);
// Conditions of a node on open sizes. A declared result may fix these later, but its condition comes after those of the
// node. A survey adds none. False: they never hold.
bool node_sizes_agree(Visit *v, rsh_num a, rsh_num b);
bool node_size_fits(Visit *v, rsh_num least, rsh_num size, rsh_status status); // least <= size
// Requires that every `step`-th of the numbers, from `first` on, is an index of the axis: for [3, -5] its size is at
// least 5. False: it was reported.
bool node_indices_fit(Visit *v, const Numbers *given, int32_t first, int32_t step, rsh_num size,
                      int32_t axis);

// --- onnx_positions.c
// The result of a node as indices that count up. NULL: it is none, or an error was reported.
const Positions *positions_visit(Visit *v);
Positions *positions_new(Visit *v, rsh_dtype dtype, const rsh_shape *shape);
bool positions_have_blocks(const Positions *in);
const Positions *positions_of(Visit *v, size_t input); // NULL: it does not count up
// Whether their type has all of these numbers: others would have wrapped, or been rounded.
bool positions_fit(Visit *v, const Positions *in);
// a + b, or a - b for a sign of -1, whether or not it fits; each may be NULL. NULL: it does not count up.
const Positions *positions_sum(Visit *v, const Positions *a, const Positions *b, int sign);
bool positions_are_mask(const Positions *in);
// Whether they are in another order than that in which they count up.
bool positions_are_rearranged(const Positions *in);
// Finds the ramp of every `each`-th number from `at` on; these have the given shape. False: there is none.
bool positions_ramp(const Visit *v, const Numbers *known, const rsh_shape *shape, int32_t at,
                    int32_t each, Ramp *ramp);
bool positions_move(rsh_op op); // whether an operator only changes shapes, or slices
// The result of such an operator. NULL: it has another form.
const Positions *positions_moved(Visit *v, rsh_op op, const Positions *in);

// --- onnx_runs.c
// Returns whether a node gathers or scatters by indices that count up.
bool positions_are_read(const Visit *v);
Value *positions_gather(Visit *v); // NULL: reported
// ScatterND, also of data whose indexed axes have sizes known only at run time. NULL: reported
Value *positions_scatter(Visit *v);

// --- onnx_masks.c
// The result of a node as a mask. NULL: it is none.
const Positions *masks_visit(Visit *v);
const Positions *masks_input(const Visit *v, size_t input); // NULL: it is none
// Whether all elements are equal, so that each operator can compute with one of them.
bool positions_are_filled(const Positions *in, int64_t *n);
// A mask of the same shape and numbers.
Positions *masks_new(Visit *v, int orders, const Positions *of);
// A condition as the part of a larger one that begins at index `at` of an axis. NULL: it has no such form.
Positions *masks_placed(Visit *v, const Positions *mask, const rsh_shape *shape, int32_t axis,
                        rsh_num at);
int masks_turned(int orders); // the order of b to a, from that of a to b
const Numbers *numbers_scalar(Visit *v, rsh_dtype dtype, int64_t n); // NULL: too many numbers

// --- onnx_where.c
bool masks_are_read(const Visit *v); // whether Where chooses by a mask
// x where the mask is true, y elsewhere; both have this shape, which that of the mask broadcasts to. NULL: reported
Value *masks_choose(Visit *v, const Positions *mask, const rsh_shape *shape, Value *x, Value *y);
// Makes a mask a tensor. False: an error was reported.
bool masks_value(Visit *v, Item *item);
// Whether a node is an element-wise operator of a tensor and a mask, or compares a tensor with a number.
bool masks_are_applied(const Visit *v);
Value *masks_apply(Visit *v); // its result. NULL: reported

// --- onnx_step.c
// NULL: an error was reported. The step of such a NULL is NULL, too.
Value *step_operand(Visit *v, size_t input); // its rank is known
Value *step_shape(Visit *v, Value *x, const rsh_shape *to);
Value *step_gather(Visit *v, Value *x, const rsh_num *index, int32_t count, int32_t axis);
Value *step_expand(Visit *v, Value *x, const rsh_shape *to);
Value *step_slice(Visit *v, Value *x, rsh_num start, rsh_num end, int32_t axis);
Value *step_every(Visit *v, Value *x, rsh_num start, int64_t step,
                  int32_t axis); // to the end of the axis
Value *step_flip(Visit *v, Value *x, int32_t axis);
Value *step_repeat(Visit *v, Value *x, const rsh_num *factor); // along each axis
Value *step_join(Visit *v, Value *first, Value *second, int32_t axis);
Value *step_pad(Visit *v, Value *x, int32_t axis, rsh_num before, rsh_num after,
                const Fill *fill);                         // NULL: zero
Value *step_crop(Visit *v, Value *x, const rsh_num *pads); // not above 0, of all axes
Value *step_transpose(Visit *v, Value *x, const rsh_num *perm, int32_t rank);
Value *step_softmax(Visit *v, Value *x); // along the last axis
Value *step_same(Visit *v, Value *x);    // a value of its own
// A node's result, which has a name of its own even if no step since `nodes` made it.
Value *step_result(Visit *v, Value *made, int nodes);
Value *step_join_all(Visit *v, Value *const *x, int count, bool stacks, int64_t axis);
Value *step_squeeze(Visit *v, Value *x, int32_t axis);
Value *step_with(Visit *v, Value *x, rsh_op op,
                 rsh_num n); // an operator of x and a known number of its type
Value *step_cast(Visit *v, Value *x, rsh_dtype to);
Value *step_not(Visit *v, Value *x); // of bool
// Broadcasts a shape with another one. False: they do not fit, which is reported.
bool step_broadcast(Visit *v, rsh_shape *shape, const rsh_shape *with);
Values step_split(Visit *v, Value *x, const rsh_num *size, int count, int32_t axis);

// --- onnx_sequence.c
bool sequence_is_op(const char *op);   // of ONNX's own domain
bool sequence_is_made(const char *op); // by it; others take tensors out of one
// The result of such an operator, in a whole model: a value, a tensor, numbers or a sequence. False: reported.
bool sequence_apply(Visit *v, Item *out);

// --- onnx_softmax.c
Value *softmax_apply(Visit *v); // NULL: reported

// --- onnx_pick.c
// Returns whether it is an operator of ONNX that picks elements by indices known at compile time.
bool pick_is_one(const Visit *v);
bool pick_is_named(const Visit *v); // whether it may be one, whatever its inputs
int pick_by_data(
    const Visit *v);         // the input that would select elements, but is data; -1: there is none
Value *pick_apply(Visit *v); // its result. NULL: reported

// --- onnx_diagonals.c
// The elements from diagonal k on (upper), or up to it, of matrices whose sizes need not be known; zeros elsewhere.
// NULL: reported
Value *diagonals_triangle(Visit *v, Value *x, rsh_num k, bool is_upper);

// `above` from diagonal k on, `below` up to it; both have the same shape.
Value *diagonals_join(Visit *v, Value *above, Value *below, rsh_num k);

// --- onnx_pad.c
bool pad_is_of_steps(const Visit *v);
Value *pad_apply(Visit *v); // NULL: reported

// --- onnx_resize.c
enum {
  RESIZE_MOST = 1 << 20,
  RESIZE_FLOAT = 1 << 24
}; // a scale, or its inverse; a size exact in f32
bool resize_is_nearest(const Visit *v);
Value *resize_pick(Visit *v); // NULL: reported
// Scale i, from an input or an attribute. False: it is unknown.
bool resize_scale(const Visit *v, size_t input, int32_t i, float *out);
// A known size times a scale, in f32 and rounded down, as in onnx and onnxruntime. False: unknown, or out of range.
bool resize_scaled(rsh_num size, float scale, int64_t *out);

// --- onnx_order.c
typedef struct OnnxCycle {
  size_t node;      // a node on the cycle
  const char *text; // "'b' <- 'a' <- 'b'"
} OnnxCycle;

// The names that a node reads, including its subgraphs, but without names defined in these.
typedef VEC(const char *) OnnxNames;
void onnx_node_reads(Arena *arena, const Onnx__NodeProto *node, OnnxNames *reads);
// The order, as indices of nodes. NULL: there is a cycle.
const size_t *onnx_order(Arena *arena, Onnx__NodeProto *const *node, size_t count,
                         OnnxCycle *cycle);

// --- onnx_infer.c
// The types of all outputs of a node, as far as known; `body` has the types of its subgraphs. `misfit` may be NULL; it
// is set to "sizes 2 and 4 do not broadcast", or NULL. False: there is no rule.
bool infer_outputs(Visit *v, const BodyTypes *body, TensorType *out, const char **misfit);

// --- onnx_declared.c
// The size that already has this name, or an open one: a mere declaration adds no parameter.
bool declared_symbol(const Graph *graph, const char *name, rsh_num *out); // false: there is none
rsh_num declared_size(Reader *r, const char *name);
// Reads a type declared in a model.
void onnx_declared_type(Reader *r, const Onnx__TypeProto *type, TensorType *out);
// The declarations of a graph, for the lifetime of its frame.
void declared_read(Reader *r, Frame *frame, const Onnx__GraphProto *graph);
void declared_forget(Frame *frame);
// Whether a graph declares the type and the rank of a value.
bool declared_has_shape(Reader *r, const Frame *frame, const char *name);
// Reports the result of a layer of OpenVINO IR if it contradicts its declaration.
void declared_check(Visit *v, Item *result);
// Adds to *type what the node's graph declares about its output. Returns NULL, or the contradiction: then the inferred
// type is kept.
const char *declared_refine(const Visit *v, size_t output, TensorType *type);

// For an OpenVINO IR layer that is not an operator here although its type moves elements: the reason; else NULL.
const char *layer_refusal(const Visit *v);

// --- onnx_standard.c
enum { ONNX_NEWEST_OPSET = 28 };
// Why a model of this opset cannot have the operator, which is of the domain ai.onnx; NULL: it can.
const char *standard_refusal(Arena *arena, const char *op, int64_t opset);
// Whether ONNX still has the node's operator, and its attributes have their types. False: the model is invalid, which
// is reported. `called`: the function that the node calls instead, or NULL.
bool standard_allows(Visit *v, const OnnxFunction *called);

// --- onnx_inputs.c
// Adds a part of the model, which messages name: "node 3 'r' (Reshape)".
Span place_add(Reader *r, const char *text);
// Makes the parts so far the source of messages.
void set_source(Reader *r);
// Errors that make a file invalid as a model for any command.
void structure_error(Reader *r, Span span, const char *kind, const char *format, const char *a);
Item *item_find(const Frame *frame, const char *name);
// NULL: the name is taken, which is reported.
Item *item_add(Reader *r, Frame *frame, const char *name, Span span);
void read_input(Reader *r, Frame *frame, const Onnx__ValueInfoProto *info);
void read_initializers(Reader *r, Frame *frame, const Onnx__GraphProto *graph);
static inline const char *text_or(const char *text, const char *other) {
  return *text ? text : other;
}

// --- onnx_repeat.c
bool repeat_is_op(const Visit *v); // Loop, Scan
bool repeat_visit(Visit *v);       // false: an error was reported, or the graph is lowered again

// --- onnx.c
Reader *reader_new(Lower *l, const OnnxFile *file); // for a graph that `l` lowers
bool reader_is_again(const Reader *r);
void read_graph(Reader *r);
// NULL: it has no name, or a duplicate one, which is reported.
Item *output_item(Visit *v, size_t i);
const OnnxFunction *visit_function(const Visit *v);
// The branch of an If whose condition is known, or NULL.
const Onnx__GraphProto *visit_known_branch(const Visit *v);
void visit_constant(Visit *v);
bool visit_sizes(Visit *v);
bool visit_move(Visit *v, rsh_op op);                        // false: reported
bool visit_pick(Visit *v);                                   // of pick_is_one; false: reported
bool visit_call(Visit *v, const OnnxFunction *function);     // false: reported
void visit_branch(Visit *v, const Onnx__GraphProto *branch); // its results become those of the node
// Visits the nodes of a subgraph; `given` are its inputs. `made` gets a copy of each result.
void visit_body(Visit *v, const Onnx__GraphProto *graph, Item *given, Item *made);
// Makes a result of a body a result of the node. In a survey, values of the body, from number `first` on, get the names
// that the graph has for them.
void visit_result(Visit *v, size_t output, const Item *made, int first);
void visit_nodes(Reader *r, Frame *frame, Onnx__NodeProto *const *node,
                 size_t count); // all of them
// The frame of a subgraph of a node.
Frame body_frame(Visit *v);
int64_t onnx_model_opset(const Onnx__ModelProto *model); // of the default domain; 0: none given

#endif
