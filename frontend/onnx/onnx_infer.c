// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of operators' results, as far as known without data: the rules of onnx_shapes.def.
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

// ---- Element types

static rsh_dtype input_dtype(const Visit *v, size_t input) {
  TensorType type;
  return infer_type(v, input, &type) ? type.dtype : RSH_DTYPE_NONE;
}

// "@value|f32": the type of a tensor attribute, or the type of a number.
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

// OpenVINO IR declares the types of its layers' results.
static void declared_outputs(const Visit *v, TensorType *out) {
  const Onnx__AttributeProto *a = attribute_of(v, "outputs");
  for (size_t i = 0; a && i < a->n_type_protos && i < v->node->n_output; i++)
    onnx_declared_type(v->r, a->type_protos[i], &out[i]);
}

// Sizes of an operand were checked when it was created; repeated proofs are slow.
static bool is_size_of_input(const Visit *v, rsh_num size) {
  for (size_t i = 0; i < v->node->n_input; i++) {
    const Value *value = v->in[i] ? v->in[i]->value : NULL;
    for (int32_t k = 0; value && k < value->shape.rank; k++)
      if (rsh_equal(value->shape.dim[k], size))
        return true;
  }
  return false;
}

// Sizes are not negative: one that could be becomes open. A shape whose element count exceeds 64 bits
// becomes unknown.
//   Conv of 3 without pads on H: ?, not H - 2
static void check_sizes(const Infer *f, rsh_shape *shape) {
  rsh_symbols *s = graph_symbols(&f->v->r->data);
  rsh_num volume;
  for (int32_t i = 0; i < shape->rank; i++)
    if (!is_size_of_input(f->v, shape->dim[i]) && !rsh_at_most(s, rsh_int(0), shape->dim[i]))
      shape->dim[i] = infer_open(f);
  if (shape->rank != RSH_RANK_UNKNOWN && rsh_volume(s, shape, &volume) != RSH_ok)
    shape->rank = RSH_RANK_UNKNOWN;
}

bool infer_outputs(Visit *v, const BodyTypes *body, TensorType *out, const char **misfit) {
  const char *domain = node_domain(v->node->domain), *own = NULL;
  for (size_t i = 0; i < v->node->n_output; i++)
    out[i] = (TensorType){RSH_DTYPE_NONE, {.rank = RSH_RANK_UNKNOWN}};
  if (misfit)
    *misfit = NULL;
  if (v->r->file->is_openvino && strcmp(domain, ONNX_OPENVINO_DOMAIN) == 0) {
    declared_outputs(v, out);
    return true;
  }
  const ShapeRow *row = row_of(v->op, v->frame->opset);
  if (*domain || !row)
    return false;
  set_dtypes(v, row->types, out);
  Infer f = {.v = v,
             .which = row->which,
             .out = out,
             .count = v->node->n_output,
             .body = body,
             .misfit = &own};
  if (f.count > 0)
    row->rule(&f);
  for (size_t i = 0; i < f.count; i++)
    check_sizes(&f, &out[i].shape);
  if (misfit)
    *misfit = own;
  return true;
}
