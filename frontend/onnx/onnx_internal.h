// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rooms of reading models share. For onnx*.c alone.
//
//   onnx_scan.c, onnx_file.c  files to messages; openvino*.c make the same messages of OpenVINO IR
//   onnx_locations.c          the files that weights are in
//   onnx_parts.c              messages, attributes, operators by name, room for numbers
const char *node_domain(const char *domain); // "" for that of ONNX
//   onnx_tensor.c             tensors of a file: types, bytes, numbers
//   onnx_sizes.c              arithmetic on shapes: Shape -> Gather -> Mul -> Concat becomes numbers
//   onnx_node.c               a node that moves data becomes a call of an operator (onnx_ops.def)
//   onnx_gather.c             gathers along several axes as along one
//   onnx_step.c               operators that a node becomes, one after the other
//   onnx_pick.c               operators that pick elements by constants, as a gather of all operands
//   onnx_resize.c             Resize and Upsample to the nearest, as repeats and gathers
//   onnx_softmax.c            Softmax of any axis, as one of the last
//   onnx_sequence.c           sequences of tensors, as lists of what they have
//   onnx_order.c              nodes in an order in which each comes after what it reads
//   onnx.c                    graphs, values, names
//   onnx_infer*.c             for surveys: shapes of what other operators compute (onnx_shapes.def)
//   onnx_declared.c           shapes that a model declares
//   onnx_survey.c             all nodes of a model that move data
//   onnx_chains.c             the chains of a survey, each a graph
//   onnx_split*.c             the model cut into chains and what is left
//   onnx_optimize*.c, onnx_reorder.c, onnx_wire.c  the model again, with fewer nodes in its chains
#ifndef FRONTEND_ONNX_INTERNAL_H
#define FRONTEND_ONNX_INTERNAL_H

#include "frontend/lower/lower_internal.h"
#include "frontend/onnx/onnx.h"
#include "frontend/onnx/onnx_survey.h"
#include "frontend/onnx/onnx_wire.h"

// Elements that are known when the model is compiled: numbers, some of them perhaps symbolic. Of a
// floating-point type those that are whole.
typedef struct Numbers {
  rsh_dtype dtype;
  rsh_shape shape; // all sizes known
  rsh_num *item;
  int32_t count;
} Numbers;

// What a name of the model stands for.
typedef struct Item {
  const char *name;
  Span span;            // "node 3 'r' (Reshape)"
  bool is_poisoned;     // what is wrong with it is reported
  const char *absent;   // why it has no elements, which matters to who needs them; or NULL
  bool is_of_sizes;     // a survey: computed from shapes
  bool is_rounded;      // a survey: computed in floating point, so that a 0 of `known` may be -0
  const Numbers *known; // NULL where its elements are not, or are too many
  const Onnx__TensorProto *tensor; // an initializer or a Constant; else NULL
  Value *value;                    // in the graph; NULL until somebody moves it
  const struct Sequence *sequence; // what it is instead of a tensor, which it then lacks: `absent`
  bool has_dtype;                  // a survey: of what has no value since its rank is not known
  rsh_dtype dtype;
  UT_hash_handle hh;
} Item;

// The type of a tensor. Its rank may be RSH_RANK_UNKNOWN, its type RSH_DTYPE_NONE.
typedef struct TensorType {
  rsh_dtype dtype;
  rsh_shape shape;
} TensorType;

// What a subgraph gives.
typedef struct BodyTypes {
  TensorType *out;
  size_t count;
} BodyTypes;

struct Declared;

// A graph, subgraph or function of the model while it is walked.
typedef struct Frame {
  const struct Frame *outer;           // whose names a subgraph sees; NULL for functions
  const Onnx__FunctionProto *function; // NULL for graphs
  const struct Frame *caller;          // of a function: where it is called
  const Onnx__NodeProto *call; // of a function: its attributes are those that the body refers to
  Item *items;                 // by name
  struct Declared *declared;   // types that the graph states, by name
  int64_t opset;               // of the default domain; 0: none given
  const char *place;           // "" or the call: "node 3 'c' (F): "
} Frame;

struct Visit;
struct Reader;

// What a survey does instead of lowering.
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
  Lower data;               // what moves data is lowered to data.graph
  Lower sizes;              // what moves elements that are known: its graph is for shapes alone
  VEC(char) places;         // what spans cover
  int64_t known_left;       // numbers that may still be kept
  rsh_moves room[2];        // for folding on numbers
  int visits;               // nodes that were looked at
  const Surveyor *surveyor; // of all operators that move data; NULL: the whole model is lowered
} Reader;

enum { KNOWN_LIMIT = 1 << 20, KNOWN_LIMIT_NARROW = 1 << 13, KNOWN_BUDGET = 1 << 22 };

// A node, with what its inputs stand for.
typedef struct Visit {
  Reader *r;
  Frame *frame;
  const Onnx__NodeProto *node;
  size_t index; // of the node in its graph
  Span span;
  const char *op; // never NULL
  Item **in;      // node->n_input; NULL for one that is left out
} Visit;

// --- onnx_parts.c
// An input has any rank, and the operator needs to know it. Always false.
bool onnx_rank_error(Visit *v, size_t input);
bool onnx_error(Visit *v, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));                                  // always false
const char *input_label(const Visit *v, size_t i);                          // "input 1 'shape'"
const Onnx__AttributeProto *attribute_of(const Visit *v, const char *name); // NULL: not given
int64_t attribute_int(const Visit *v, const char *name, int64_t fallback);
// The name of a size. NULL: it has none, or what writers put for any size: "?", "-1", "None".
const char *onnx_size_name(const Onnx__TensorShapeProto__Dimension *dim);
// The operator of reshapec, or -1.
int onnx_operator(const char *op);
// NULL when there are too many.
Numbers *numbers_new(Reader *r, rsh_dtype dtype, const rsh_shape *shape);
// Whether a node of ONNX's own domain, without subgraphs, gives the same whenever its inputs are the same.
bool onnx_is_function(const Onnx__NodeProto *node);
// The graph as it stands in the file. False: it is written in several pieces, which is reported.
bool onnx_find_graph(const OnnxFile *file, Diag *diag, WireField *out);
WireField *onnx_node_fields(Arena *arena, const Onnx__GraphProto *graph, const WireField *from);
// A vector of numbers.
Numbers *numbers_vector(Reader *r, int32_t count);

// --- onnx_tensor.c
rsh_dtype onnx_dtype(int32_t number);                       // RSH_DTYPE_NONE: unknown here
int32_t onnx_dtype_number(rsh_dtype dtype);                 // 0: ONNX has none
const char *onnx_dtype_words(Arena *arena, int32_t number); // "element type 999 is unknown"
// False: *why.
bool onnx_tensor_type(const Onnx__TensorProto *tensor, Arena *arena, rsh_dtype *dtype,
                      rsh_shape *shape, const char **why);
// The elements of a tensor as Value.data has them. NULL: *why.
const uint8_t *onnx_tensor_bytes(Reader *r, const Onnx__TensorProto *tensor, const char **why);
Value *constant_new(Reader *r, const Item *item, rsh_dtype dtype, const rsh_shape *shape,
                    const uint8_t *bytes);
// What an item is in the graph of data; a constant is put there now. NULL: reported.
Value *item_value(Reader *r, Item *item, Span span);
// Numbers as the elements of a tensor. NULL: some are symbolic.
const uint8_t *onnx_numbers_bytes(Arena *arena, const Numbers *known);
// NULL where the elements are no whole numbers, or too many.
const Numbers *onnx_tensor_known(Reader *r, const Onnx__TensorProto *tensor);

// --- onnx_sizes.c
// Makes `shape` that of both, all sizes of which are known. False: they do not fit.
bool onnx_broadcast_known(rsh_shape *shape, const rsh_shape *with);
// The element of an operand that element i of a result is made of.
int32_t onnx_broadcast_index(const rsh_shape *shape, const rsh_shape *result, int32_t i);
// Results of a node as far as they are numbers: sets out[i], and is true when it set any.
bool sizes_visit(Visit *v, const Numbers **out);
// Whether it would, if its inputs, all of them numbers, were known when the model is compiled.
bool sizes_would_count(const Visit *v);

// --- onnx_node.c
// The node as a call; its operands are operand[i] of the first inputs. NULL: reported.
Binding *node_bind(Visit *v, Lower *l, rsh_op op, Value *const *operand, int count);
// Of a node with a tensor and a constant: the tensor first, and the operator for that. False: it is no such node, which is
// reported.
bool node_arrange_constant(Visit *v, int *op);
void binding_bound_slices(Lower *l, const Binding *b); // at what ONNX means by a large end

// --- onnx_gather.c
bool gather_is_of_several_axes(const char *op); // GatherND, GatherElements
// Whether the indices of such a node, or of Gather, are known only at run time.
bool indices_are_operand(const Visit *v, rsh_op op);
// Makes such a node one for node_bind, as Gather along axis 0, if its indices are known: they and the
// operand are replaced. False: reported.
bool gather_prepare(Visit *v, Lower *l, Value **x);

// --- onnx_step.c
// NULL: reported.
Value *step_operand(Visit *v, size_t input); // its rank is known
Value *step_shape(Visit *v, Value *x, const rsh_shape *to);
Value *step_gather(Visit *v, Value *x, const rsh_num *index, int32_t count, int32_t axis);
Value *step_expand(Visit *v, Value *x, const rsh_shape *to);
Value *step_repeat(Visit *v, Value *x, const rsh_num *factor); // of each axis
Value *step_join(Visit *v, Value *first, Value *second, int32_t axis);
Value *step_pad(Visit *v, Value *x, int32_t axis,
                const Fill *fill); // by an entry at the end; NULL: a zero
Value *step_transpose(Visit *v, Value *x, const rsh_num *perm, int32_t rank);
Value *step_softmax(Visit *v, Value *x); // of the last axis
Value *step_same(Visit *v, Value *x);    // a value of its own
Value *step_join_all(Visit *v, Value *const *x, int count, bool stacks, int64_t axis);
Value *step_squeeze(Visit *v, Value *x, int32_t axis);
Values step_split(Visit *v, Value *x, const rsh_num *size, int count, int32_t axis);

// --- onnx_sequence.c
bool sequence_is_op(const char *op); // of ONNX's own domain
// The result of such an operator, of a whole model: a value, a tensor, numbers or a sequence. False: reported.
bool sequence_apply(Visit *v, Item *out);

// --- onnx_softmax.c
Value *softmax_apply(Visit *v); // NULL: reported

// --- onnx_pick.c
// Whether it is an operator of ONNX that picks elements, by what is known when the model is compiled.
bool pick_is_one(const Visit *v);
Value *pick_apply(Visit *v); // its result. NULL: reported

// --- onnx_resize.c
enum {
  RESIZE_MOST = 1 << 20,
  RESIZE_FLOAT = 1 << 24
}; // a scale, or one over it; a size that f32 has
bool resize_is_nearest(const Visit *v);
Value *resize_pick(Visit *v); // NULL: reported
// Scale i, of an input or an attribute. False: it is not known.
bool resize_scale(const Visit *v, size_t input, int32_t i, float *out);
// A known size by a scale, in f32 and rounded down, as onnx and onnxruntime do. False: not known, or out of range.
bool resize_scaled(rsh_num size, float scale, int64_t *out);

// --- onnx_order.c
typedef struct OnnxCycle {
  size_t node;      // one of it
  const char *text; // "'b' <- 'a' <- 'b'"
} OnnxCycle;

// The names that a node reads, in its subgraphs as well, without names that these have of their own.
typedef VEC(const char *) OnnxNames;
void onnx_node_reads(Arena *arena, const Onnx__NodeProto *node, OnnxNames *reads);
// Numbers of the nodes. NULL: some read each other in a cycle.
const size_t *onnx_order(Arena *arena, Onnx__NodeProto *const *node, size_t count,
                         OnnxCycle *cycle);

// --- onnx_infer.c
// The types of all outputs of a node, as far as they are known; `body` has those of its subgraphs. False: there is no rule.
bool infer_outputs(Visit *v, const BodyTypes *body, TensorType *out);

// --- onnx_declared.c
// A size that has this name already, or an open one: what is only stated makes no parameters.
bool declared_symbol(const Graph *graph, const char *name, rsh_num *out); // false: there is none
rsh_num declared_size(Reader *r, const char *name);
// A type as a model writes it.
void onnx_declared_type(Reader *r, const Onnx__TypeProto *type, TensorType *out);
// For surveys: what a graph states, while its frame is there.
void declared_read(Reader *r, Frame *frame, const Onnx__GraphProto *graph);
void declared_forget(Frame *frame);
// Adds to *type what the graph of the node states of its output. NULL, or what the two disagree about: what was inferred
// holds.
const char *declared_refine(const Visit *v, size_t output, TensorType *type);

// Of a layer of OpenVINO IR that is no operator here: why, though its type moves elements; or NULL.
const char *layer_refusal(const Visit *v);

// --- onnx.c
Reader *reader_new(Lower *l, const OnnxFile *file); // of what `l` lowers
bool reader_is_again(const Reader *r);
void set_source(Reader *r);
void read_initializers(Reader *r, Frame *frame, const Onnx__GraphProto *graph);
void read_input(Reader *r, Frame *frame, const Onnx__ValueInfoProto *info);
void read_graph(Reader *r);
Item *item_find(const Frame *frame, const char *name);
// NULL: it has no name, or one that is taken, which is reported.
Item *output_item(Visit *v, size_t i);
const Onnx__FunctionProto *visit_function(const Visit *v);
// The branch of an If whose condition is known, or NULL.
const Onnx__GraphProto *visit_known_branch(const Visit *v);
void visit_constant(Visit *v);
bool visit_sizes(Visit *v);
bool visit_move(Visit *v, rsh_op op);                        // false: reported
bool visit_pick(Visit *v);                                   // of pick_is_one; false: reported
bool visit_call(Visit *v, const Onnx__FunctionProto *f);     // false: reported
void visit_branch(Visit *v, const Onnx__GraphProto *branch); // its results are those of the node
void visit_nodes(Reader *r, Frame *frame, Onnx__NodeProto *const *node,
                 size_t count); // all of them
// The frame of a subgraph of a node.
Frame body_frame(Visit *v);
int64_t onnx_model_opset(const Onnx__ModelProto *model); // of the default domain; 0: none given

#endif
