// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that read OpenVINO IR; only for openvino*.c.
//
//   openvino_xml.c    the file to layers, in topological order
//   openvino_parts.c  names, nodes, attributes, initializers
//   openvino.c        layers to nodes, inputs, outputs and initializers of an ONNX model
//   openvino_moves.c  layers that move elements and become several nodes
//   openvino_axes.c   those that split and join axes
//   openvino_layer.c  translates layers by type
#ifndef FRONTEND_OPENVINO_INTERNAL_H
#define FRONTEND_OPENVINO_INTERNAL_H

#include "frontend/onnx/openvino.h"
#include "frontend/text/hash.h"

typedef struct IrLayer IrLayer;

typedef struct IrPort {
  int64_t id;
  const char *precision; // "FP32"
  const char *names;     // "a,b", or NULL
  int64_t *dim;          // -1: unknown
  int rank;
  bool is_open; // its rank is unknown; any other port without sizes is a scalar
  unsigned line;
  IrLayer *from;     // of an input: the layer that it reads
  int from_port;     // index into from->out
  const char *value; // of an output: its unique name in the model
} IrPort;

typedef struct IrAttribute {
  const char *name, *value;
} IrAttribute;

typedef enum IrVisit { IR_NEW, IR_OPEN, IR_DONE } IrVisit;

struct IrLayer {
  int64_t id;
  const char *name, *type, *version, *output_names; // never NULL
  const char *label;                                // "layer 3 'r' (Reshape), line 20"
  unsigned line;
  VEC(IrAttribute) attribute;
  VEC(IrPort) in;
  VEC(IrPort) out;
  const Onnx__TensorProto *tensor; // of a Const that was read
  IrVisit visit;
  int next_input; // used while layers are sorted
  UT_hash_handle hh;
};

typedef struct IrName {
  const char *text;
  UT_hash_handle hh;
} IrName;

typedef struct Ir {
  Arena *arena;
  Diag *diag;
  const char *path;
  const Source *source;
  VEC(IrLayer *) layer; // as in the file
  VEC(IrLayer *) order; // in topological order
  IrLayer *by_id;
  IrName *names;
  OnnxWeights *bin; // NULL until a constant needs it
  VEC(Onnx__NodeProto *) node;
  VEC(Onnx__TensorProto *) initializer;
  VEC(Onnx__ValueInfoProto *) input;
  VEC(Onnx__ValueInfoProto *) output;
  VEC(Onnx__ValueInfoProto *) declared; // results of layers
  VEC(OnnxBound) bound;
} Ir;

// Always false. The message refers to a line of the file.
bool ir_error(Ir *ir, unsigned line, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// --- openvino_xml.c
bool ir_parse(Ir *ir);                                            // false: reported
void ir_free(Ir *ir);                                             // memory outside the arena
const char *ir_attribute(const IrLayer *layer, const char *name); // NULL: not given
bool ir_integer(const char *text, int64_t *out);
// Parses a list: "1, 0,-1". False: it is not one.
bool ir_integers(Arena *arena, const char *text, int64_t **out, int *count);

// --- openvino_parts.c
char *ir_copy(Ir *ir,
              const char *text); // the schema's strings are not const, though nobody writes them
// An initializer without elements.
Onnx__TensorProto *ir_initializer(Ir *ir, const IrLayer *layer, const char *name, int32_t type,
                                  const int64_t *dim, int rank);
enum { IR_NO_TYPE = 0 };                         // for types without a counterpart in ONNX
int32_t ir_element_type(const char *name);       // "f32", "FP32": ONNX's number for it
const char *ir_name(Ir *ir, const char *wanted); // this name, or a similar one that is still free
const char *ir_input(const IrLayer *layer, int port); // the name of the value that it reads
// The numbers of the constant that an input reads. False: it is not a constant, or not of integers.
bool ir_constant(Ir *ir, const IrLayer *layer, int port, int64_t **item, int *count);
const char *ir_list(Ir *ir, const IrLayer *layer, const int64_t *item, int count); // an initializer
// The same, in the element type of an input.
const char *ir_list_like(Ir *ir, const IrLayer *layer, int port, const int64_t *item, int count);
// An input that is indices, in a type that ONNX takes for these.
const char *ir_indices(Ir *ir, const IrLayer *layer, int port);
// The number of entries of an input that is a list, or -1 if that is unknown.
int ir_length(Ir *ir, const IrLayer *layer, int port);
Onnx__NodeProto *ir_node(Ir *ir, const IrLayer *layer, const char *op, const char *const *in,
                         int in_count, const char *const *out, int out_count);
void ir_attribute_add(Ir *ir, Onnx__NodeProto *node, Onnx__AttributeProto **out, const char *name,
                      Onnx__AttributeProto__AttributeType type);
void ir_int(Ir *ir, Onnx__NodeProto *node, const char *name, int64_t value);
void ir_ints(Ir *ir, Onnx__NodeProto *node, const char *name, const int64_t *item, int count);
void ir_float(Ir *ir, Onnx__NodeProto *node, const char *name, float value);
void ir_text(Ir *ir, Onnx__NodeProto *node, const char *name, const char *text);

// Steps that layers share.
const char *ir_attribute_or(const IrLayer *layer, const char *name, const char *fallback);
bool ir_is_word(const char *text, const char *word); // in upper or lower case, as in OpenVINO
// The word of such a list, "constant edge", that an attribute's value is; NULL: none of them.
const char *ir_word_of(Ir *ir, const char *words, const char *text);
// Whether an attribute, or `fallback` if it is absent, is this word.
bool ir_has(const IrLayer *layer, const char *name, const char *value, const char *fallback);
bool ir_integer_or(const IrLayer *layer, const char *name, int64_t fallback, int64_t *out);
// The reason why a layer with this attribute, or without it, is not translated.
const char *ir_bad_value(Ir *ir, const IrLayer *layer, const char *name);
// The same, if it is none of these words.
const char *ir_bad_word(Ir *ir, const IrLayer *layer, const char *name, const char *words);
// Makes a node with all outputs of the layer.
Onnx__NodeProto *ir_whole_node(Ir *ir, const IrLayer *layer, const char *op, const char *const *in,
                               int count);
Onnx__NodeProto *ir_unary(Ir *ir, const IrLayer *layer, const char *op);
// Makes an intermediate node; returns the name of its result.
const char *ir_inner_node(Ir *ir, const IrLayer *layer, const char *op, const char *const *in,
                          int count, Onnx__NodeProto **node);
const char *ir_transposed(Ir *ir, const IrLayer *layer, const char *data, const int64_t *order,
                          int rank); // the same, of a Transpose
// The axis given by input `port`; negative axes count from the end.
bool ir_axis(Ir *ir, const IrLayer *layer, int port, int64_t *axis);
// The declared size of an axis of input 0, or -1.
int64_t ir_size(const IrLayer *layer, int64_t axis);
// The reason why data of unknown rank are not translated, or NULL.
const char *ir_open_rank(Ir *ir, const IrLayer *layer);
// The reason why an input is not the required constant; `what`: its name in the message.
const char *ir_not_known(Ir *ir, const IrLayer *layer, int port, const char *what);

// --- openvino_moves.c
// Each creates the nodes of such a layer. Returns NULL, or the reason why there are none.
const char *ir_variadic_split(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_pad(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_broadcast(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_reverse(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_strided_slice(Ir *ir, const IrLayer *layer, const char *op);

// --- openvino_axes.c
const char *ir_blocks(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_shuffle(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_space_to_batch(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_batch_to_space(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_scatter_update(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_scatter_elements(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_scatter_nd(Ir *ir, const IrLayer *layer, const char *op);
const char *ir_reverse_axes(Ir *ir, const IrLayer *layer, const char *op);
// Gather whose first `batches` axes are those of the indices.
const char *ir_gather_in_batches(Ir *ir, const IrLayer *layer, int64_t axis, int64_t batches);

// --- openvino_layer.c
// Creates the nodes of a layer. Returns NULL, or the reason why there are none, for a layer without an
// equivalent operator: "" if its type has no translation.
const char *ir_translate(Ir *ir, const IrLayer *layer);

#endif
