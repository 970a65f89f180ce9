// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of what operators compute, as far as they can be known without data: the rules of onnx_shapes.def.
//
//   Conv(x: f32[N, 3, H, 320], w: f32[16, 3, 3, 3]), strides 2, pads 1   ->   f32[N, 16, (H + 1) / 2, 160]
//   NonZero(x: f32[4, 5])                                                ->   i64[2, ?]
#include "frontend/onnx/onnx_infer.h"

#include <stdlib.h>
#include <string.h>

typedef struct ShapeRow {
  const char *op;
  int since;
  ShapeRule *rule;
  int which;
  const char *types;
} ShapeRow;

static const ShapeRow rows[] = {
#define ONNX_SHAPE(op, since, rule, which, types) {op, since, infer_##rule, which, types},
#include "frontend/onnx/onnx_shapes.def"
#undef ONNX_SHAPE
};

static const ShapeRow *row_of(const char *op, int64_t opset) {
  const ShapeRow *found = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].op, op) == 0 && rows[i].since <= opset)
      found = &rows[i];
  return found;
}

// ---- Inputs

bool infer_has(const Infer *f, size_t input) {
  return input < f->v->node->n_input && f->v->in[input];
}

static bool type_of(const Visit *v, size_t input, TensorType *out) {
  const char *why = NULL;
  const Item *item = input < v->node->n_input ? v->in[input] : NULL;
  if (!item)
    return false;
  if (item->value)
    *out = (TensorType){item->value->dtype, item->value->shape};
  else if (item->known)
    *out = (TensorType){item->known->dtype, item->known->shape};
  else
    return item->tensor &&
           onnx_tensor_type(item->tensor, v->r->arena, &out->dtype, &out->shape, &why);
  return true;
}

bool infer_in(const Infer *f, size_t input, rsh_shape *out) {
  TensorType type;
  if (!type_of(f->v, input, &type))
    return false;
  *out = type.shape;
  return out->rank != RSH_RANK_UNKNOWN;
}

const Numbers *infer_known(const Infer *f, size_t input) {
  return infer_has(f, input) ? f->v->in[input]->known : NULL;
}

bool infer_int(const Infer *f, size_t input, rsh_num *out) {
  const Numbers *known = infer_known(f, input);
  if (!known || known->count != 1)
    return false;
  *out = known->item[0];
  return true;
}

// ---- Attributes

const char *infer_word(const Infer *f, const char *attribute) {
  const Onnx__AttributeProto *a = attribute_of(f->v, attribute);
  return a ? arena_text(f->v->r->arena, (const char *)a->s.data, a->s.len) : "";
}

int64_t infer_entry(const Infer *f, const char *list, size_t i, int64_t fallback) {
  const Onnx__AttributeProto *a = attribute_of(f->v, list);
  return a && i < a->n_ints ? a->ints[i] : fallback;
}

bool infer_axes(const Infer *f, size_t input, const char *attribute, int32_t rank, uint32_t *set,
                bool *given) {
  const Onnx__AttributeProto *a = attribute_of(f->v, attribute);
  bool is_input = infer_has(f, input);
  const Numbers *known = infer_known(f, input);
  size_t count = is_input ? (known ? (size_t)known->count : 0) : a ? a->n_ints : 0;
  *set = 0;
  *given = is_input || a;
  if (is_input && !known)
    return false;
  for (size_t i = 0; i < count; i++) {
    int32_t axis;
    rsh_num n = is_input ? known->item[i] : rsh_int(a->ints[i]);
    if (!rsh_is_known(n) || !rsh_axis_index(n.n, rank, &axis))
      return false;
    *set |= UINT32_C(1) << axis;
  }
  return true;
}

// ---- Sizes

rsh_num infer_open(const Infer *f) {
  return rsh_unknown(graph_symbols(&f->v->r->data), 0, INT64_MAX);
}

rsh_num infer_sum(const Infer *f, rsh_num a, rsh_num b) {
  rsh_num out;
  return rsh_add(graph_symbols(&f->v->r->data), a, b, &out) ? out : infer_open(f);
}

rsh_num infer_product(const Infer *f, rsh_num a, rsh_num b) {
  rsh_num out;
  return rsh_mul(graph_symbols(&f->v->r->data), a, b, &out) ? out : infer_open(f);
}

rsh_num infer_floor(const Infer *f, rsh_num a, int64_t by) {
  Lower *data = &f->v->r->data;
  rsh_num out;
  if (by < 1)
    return infer_open(f);
  if (rsh_is_known(a))
    return rsh_int(a.n / by - (a.n % by < 0));
  bool is_made = edge_quotient(data, a, rsh_int(by), &out);
  f->v->r->sizes.graph->symbol = data->graph->symbol;
  return is_made ? out : infer_open(f);
}

rsh_num infer_ceiling(const Infer *f, rsh_num a, int64_t by) {
  return infer_floor(f, infer_sum(f, a, rsh_int(by - 1)), by);
}

rsh_num infer_same_size(rsh_num a, rsh_num b) {
  return rsh_is_known(a) || rsh_is_unknown(b) ? a : b;
}

void infer_append(rsh_shape *shape, rsh_num dim) {
  if (shape->rank == RSH_RANK_UNKNOWN || shape->rank >= RSH_MAX_RANK)
    shape->rank = RSH_RANK_UNKNOWN;
  else
    shape->dim[shape->rank++] = dim;
}

void infer_all_open(const Infer *f, rsh_shape *shape, int32_t rank) {
  *shape = (rsh_shape){0};
  for (int32_t i = 0; i < rank; i++)
    infer_append(shape, infer_open(f));
}

// ---- Element types

static rsh_dtype input_dtype(const Visit *v, size_t input) {
  TensorType type;
  return type_of(v, input, &type) ? type.dtype : RSH_DTYPE_NONE;
}

// "@value|f32": of a tensor its type, of a number the type of that number.
static rsh_dtype attribute_dtype(const Visit *v, const char *name) {
  const Onnx__AttributeProto *a = attribute_of(v, name);
  if (a && a->has_s) { // opsets 1 to 5: "FLOAT"
    const char *text = arena_text(v->r->arena, (const char *)a->s.data, a->s.len);
    const ProtobufCEnumValue *named = protobuf_c_enum_descriptor_get_value_by_name(
        &onnx__tensor_proto__data_type__descriptor, text);
    return named ? onnx_dtype(named->value) : RSH_DTYPE_NONE;
  }
  int64_t number = !a ? 0 : a->t ? a->t->data_type : a->i;
  return number > 0 && number <= INT32_MAX ? onnx_dtype((int32_t)number) : RSH_DTYPE_NONE;
}

// "2", "i64", "@dtype|2|u8": the first that is known.
static rsh_dtype dtype_of(const Visit *v, const char *word, size_t length) {
  const char *text = arena_text(v->r->arena, word, length), *more = strchr(text, '|');
  size_t own = more ? (size_t)(more - text) : strlen(text);
  const char *name = arena_text(v->r->arena, text, own);
  rsh_dtype dtype = *name == '@'                   ? attribute_dtype(v, name + 1)
                    : *name >= '0' && *name <= '9' ? input_dtype(v, (size_t)(*name - '0'))
                                                   : rsh_dtype_find(name, strlen(name));
  return dtype == RSH_DTYPE_NONE && more ? dtype_of(v, more + 1, length - own - 1) : dtype;
}

static void set_dtypes(const Visit *v, const char *types, TensorType *out) {
  for (size_t i = 0; i < v->node->n_output && *types; i++) {
    size_t length = strcspn(types, " ");
    out[i].dtype = dtype_of(v, types, length);
    if (types[length])
      types += length + 1;
  }
}

// ---- Any node

void infer_none(Infer *f) { (void)f; }

// OpenVINO IR declares the types of what its layers give.
static void declared_outputs(const Visit *v, TensorType *out) {
  const Onnx__AttributeProto *a = attribute_of(v, "outputs");
  for (size_t i = 0; a && i < a->n_type_protos && i < v->node->n_output; i++)
    onnx_declared_type(v->r, a->type_protos[i], &out[i]);
}

// No size is below 0: what could be is open. More elements than 64 bits can count are none.
//   Conv of 3 without pads on H: ?, not H - 2
static void check_sizes(const Infer *f, rsh_shape *shape) {
  rsh_symbols *s = graph_symbols(&f->v->r->data);
  rsh_num volume;
  for (int32_t i = 0; i < shape->rank; i++)
    if (!rsh_at_most(s, rsh_int(0), shape->dim[i]))
      shape->dim[i] = infer_open(f);
  if (shape->rank != RSH_RANK_UNKNOWN && rsh_volume(s, shape, &volume) != RSH_ok)
    shape->rank = RSH_RANK_UNKNOWN;
}

bool infer_outputs(Visit *v, const BodyTypes *body, TensorType *out) {
  const char *domain = v->node->domain ? v->node->domain : "";
  for (size_t i = 0; i < v->node->n_output; i++)
    out[i] = (TensorType){RSH_DTYPE_NONE, {.rank = RSH_RANK_UNKNOWN}};
  if (v->r->file->is_openvino && strcmp(domain, ONNX_OPENVINO_DOMAIN) == 0) {
    declared_outputs(v, out);
    return true;
  }
  const ShapeRow *row = row_of(v->op, v->frame->opset);
  if ((*domain && strcmp(domain, "ai.onnx") != 0) || !row)
    return false;
  set_dtypes(v, row->types, out);
  Infer f = {.v = v, .which = row->which, .out = out, .count = v->node->n_output, .body = body};
  if (f.count > 0)
    row->rule(&f);
  for (size_t i = 0; i < f.count; i++)
    check_sizes(&f, &out[i].shape);
  return true;
}
