// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of what operators compute that are none of the language's, as far as the chains between them need
// them: of those that are common in models.
//
//   Conv(x: f32[1, 3, 240, 320], w: f32[16, 3, 3, 3]), strides 2, pads 1   ->   f32[1, 16, 120, 160]
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

typedef struct Type {
  rsh_dtype dtype;
  rsh_shape shape;
} Type;

static bool type_of(const Visit *v, size_t input, Type *out) {
  const char *why = NULL;
  const Item *item = input < v->node->n_input ? v->in[input] : NULL;
  if (!item)
    return false;
  if (item->value)
    *out = (Type){item->value->dtype, item->value->shape};
  else if (item->known)
    *out = (Type){item->known->dtype, item->known->shape};
  else if (!item->tensor ||
           !onnx_tensor_type(item->tensor, v->r->arena, &out->dtype, &out->shape, &why))
    return false;
  for (int32_t i = 0; i < out->shape.rank; i++)
    if (rsh_is_unknown(out->shape.dim[i]))
      return false;
  return out->shape.rank != RSH_RANK_UNKNOWN;
}

// Whether op is one of the words of a list.
static bool is_any(const char *op, const char *list) {
  size_t length = strlen(op);
  for (const char *at = list; length > 0 && (at = strstr(at, op)) != NULL; at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

// ---- Element by element

bool infer_broadcast(rsh_shape *shape, const rsh_shape *with) {
  rsh_shape wide = shape->rank >= with->rank ? *shape : *with;
  const rsh_shape *other = shape->rank >= with->rank ? with : shape;
  for (int32_t k = 0; k < other->rank; k++) {
    rsh_num *size = &wide.dim[wide.rank - 1 - k], own = other->dim[other->rank - 1 - k];
    bool is_size = rsh_is_known(*size), is_own = rsh_is_known(own);
    if (rsh_is(*size, 1) || (!is_size && is_own && own.n > 1))
      *size = own;
    else if (!rsh_equal(*size, own) && !rsh_is(own, 1) && !(is_size && !is_own && size->n > 1))
      return false;
  }
  *shape = wide;
  return true;
}

static bool infer_elementwise(Visit *v, size_t first, Type *out) {
  if (!type_of(v, first, out))
    return false;
  for (size_t i = 0; i < v->node->n_input; i++) {
    Type other;
    if (!type_of(v, i, &other) || !infer_broadcast(&out->shape, &other.shape))
      return false;
  }
  return true;
}

// ---- Windows

// (size + before + after - reach) / stride + 1, which symbolic sizes have where the stride is 1.
static bool slide(Visit *v, rsh_num size, int64_t pads, int64_t reach, int64_t stride, bool is_up,
                  rsh_num *out) {
  rsh_symbols *s = v->r->data.graph->symbols;
  rsh_num rest;
  if (stride < 1 || !rsh_add(s, size, rsh_int(pads - reach), &rest))
    return false;
  if (rsh_is_known(rest)) {
    if (rest.n < 0)
      return false;
    *out = rsh_int((rest.n + (is_up ? stride - 1 : 0)) / stride + 1);
    return true;
  }
  return stride == 1 && rsh_add(s, rest, rsh_int(1), out);
}

static int64_t entry(const Onnx__AttributeProto *a, size_t i, int64_t fallback) {
  return a && i < a->n_ints ? a->ints[i] : fallback;
}

static bool is_small(int64_t n) { return n >= 0 && n < (int64_t)1 << 31; }

// Conv and the pools: axes 2 and up of `out`, the sizes of the windows in `kernel`.
static bool infer_windows(Visit *v, Type *out, const rsh_num *kernel) {
  const Onnx__AttributeProto *strides = attribute_of(v, "strides"), *pads = attribute_of(v, "pads"),
                             *dilations = attribute_of(v, "dilations"),
                             *given = attribute_of(v, "auto_pad");
  bool is_same = given && given->s.len > 4 && memcmp(given->s.data, "SAME", 4) == 0;
  bool is_up = attribute_int(v, "ceil_mode", 0) != 0;
  size_t axes = (size_t)out->shape.rank - 2;
  for (size_t i = 0; i < axes; i++) {
    rsh_num *size = &out->shape.dim[i + 2];
    int64_t stride = entry(strides, i, 1), dilation = entry(dilations, i, 1);
    int64_t before = entry(pads, i, 0), after = entry(pads, axes + i, 0);
    if (!rsh_is_known(kernel[i]) || !is_small(kernel[i].n) || !is_small(dilation) ||
        !is_small(stride) || !is_small(before) || !is_small(after) || kernel[i].n < 1)
      return false;
    int64_t reach = dilation * (kernel[i].n - 1) + 1;
    bool good = is_same ? slide(v, *size, 0, 1, stride, false, size)
                        : slide(v, *size, before + after, reach, stride, is_up, size);
    if (!good)
      return false;
  }
  return true;
}

static bool infer_conv(Visit *v, Type *out) {
  Type weight;
  if (!type_of(v, 0, out) || !type_of(v, 1, &weight) || out->shape.rank < 3 ||
      weight.shape.rank != out->shape.rank)
    return false;
  out->shape.dim[1] = weight.shape.dim[0];
  return infer_windows(v, out, &weight.shape.dim[2]);
}

static bool infer_pool(Visit *v, Type *out) {
  const Onnx__AttributeProto *shape = attribute_of(v, "kernel_shape");
  rsh_num kernel[RSH_MAX_RANK];
  if (!shape || !type_of(v, 0, out) || out->shape.rank < 3 ||
      shape->n_ints != (size_t)out->shape.rank - 2)
    return false;
  for (size_t i = 0; i < shape->n_ints; i++)
    kernel[i] = rsh_int(shape->ints[i]);
  return infer_windows(v, out, kernel);
}

static bool infer_global_pool(Visit *v, Type *out) {
  if (!type_of(v, 0, out))
    return false;
  for (int32_t i = 2; i < out->shape.rank; i++)
    out->shape.dim[i] = rsh_int(1);
  return true;
}

// ---- Products and sums

static bool infer_matmul(Visit *v, Type *out) {
  Type right;
  if (!type_of(v, 0, out) || !type_of(v, 1, &right) || out->shape.rank < 2 || right.shape.rank < 2)
    return false;
  rsh_num rows = out->shape.dim[out->shape.rank - 2];
  rsh_num columns = right.shape.dim[right.shape.rank - 1];
  out->shape.rank -= 2;
  right.shape.rank -= 2;
  if (!infer_broadcast(&out->shape, &right.shape) || out->shape.rank + 2 > RSH_MAX_RANK)
    return false;
  out->shape.dim[out->shape.rank++] = rows;
  out->shape.dim[out->shape.rank++] = columns;
  return true;
}

static bool infer_gemm(Visit *v, Type *out) {
  Type right;
  if (!type_of(v, 0, out) || !type_of(v, 1, &right) || out->shape.rank != 2 ||
      right.shape.rank != 2)
    return false;
  out->shape.dim[0] = out->shape.dim[attribute_int(v, "transA", 0) ? 1 : 0];
  out->shape.dim[1] = right.shape.dim[attribute_int(v, "transB", 0) ? 0 : 1];
  return true;
}

// The axes that are summed along, as a set. False: not known.
static bool reduced_axes(Visit *v, int32_t rank, uint32_t *set) {
  const Onnx__AttributeProto *list = attribute_of(v, "axes"), *one = attribute_of(v, "axis");
  bool has_input = v->node->n_input > 1 && v->in[1];
  const Numbers *known = has_input ? v->in[1]->known : NULL;
  bool is_arg = strncmp(v->op, "Arg", 3) == 0;
  if (has_input && !known)
    return false;
  size_t count = known ? (size_t)known->count : list ? list->n_ints : is_arg ? 1 : 0;
  *set = count == 0 && !attribute_int(v, "noop_with_empty_axes", 0) ? UINT32_MAX : 0;
  for (size_t i = 0; i < count; i++) {
    int32_t axis;
    if (known && !rsh_is_known(known->item[i]))
      return false;
    int64_t written = known ? known->item[i].n : list ? list->ints[i] : one ? one->i : 0;
    if (!rsh_axis_index(written, rank, &axis))
      return false;
    *set |= UINT32_C(1) << axis;
  }
  return true;
}

static bool infer_reduction(Visit *v, Type *out) {
  uint32_t set;
  if (!type_of(v, 0, out) || !reduced_axes(v, out->shape.rank, &set))
    return false;
  bool keeps = attribute_int(v, "keepdims", 1) != 0;
  int32_t rank = 0;
  for (int32_t i = 0; i < out->shape.rank; i++) {
    bool is_reduced = set >> i & 1;
    if (!is_reduced || keeps)
      out->shape.dim[rank++] = is_reduced ? rsh_int(1) : out->shape.dim[i];
  }
  out->shape.rank = rank;
  if (strncmp(v->op, "Arg", 3) == 0)
    out->dtype = RSH_I64;
  return true;
}

// ---- Others

// Rows looked up by indices that are data.
static bool infer_gather(Visit *v, Type *out) {
  Type data, indices;
  int32_t axis;
  if (!type_of(v, 0, &data) || !type_of(v, 1, &indices) ||
      !rsh_axis_index(attribute_int(v, "axis", 0), data.shape.rank, &axis) ||
      data.shape.rank + indices.shape.rank - 1 > RSH_MAX_RANK)
    return false;
  *out = (Type){.dtype = data.dtype};
  for (int32_t i = 0; i < axis; i++)
    out->shape.dim[out->shape.rank++] = data.shape.dim[i];
  for (int32_t i = 0; i < indices.shape.rank; i++)
    out->shape.dim[out->shape.rank++] = indices.shape.dim[i];
  for (int32_t i = axis + 1; i < data.shape.rank; i++)
    out->shape.dim[out->shape.rank++] = data.shape.dim[i];
  return true;
}

static bool infer_filled(Visit *v, Type *out) {
  const Onnx__AttributeProto *a = attribute_of(v, "value");
  const Numbers *sizes = v->node->n_input == 1 && v->in[0] ? v->in[0]->known : NULL;
  if (!sizes || sizes->count > RSH_MAX_RANK)
    return false;
  out->dtype = a && a->t ? onnx_dtype(a->t->data_type) : RSH_F32;
  out->shape.rank = sizes->count;
  for (int32_t i = 0; i < sizes->count; i++)
    out->shape.dim[i] = sizes->item[i];
  return out->dtype != RSH_DTYPE_NONE;
}

static bool infer_first(Visit *v, Type *out) {
  static const char same[] =
      "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization LRN "
      "LpNormalization MeanVarianceNormalization RMSNormalization Softmax LogSoftmax Hardmax Clip "
      "Erf Neg Sign Selu Elu Celu LeakyRelu HardSigmoid Softplus ThresholdedRelu Shrink Round Not "
      "CumSum Gelu Swish Dropout ScatterElements ScatterND RotaryEmbedding";
  static const char alike[] = "Add Sub Mul Div Pow Mod Min Max Sum Mean And Or Xor PRelu "
                              "BitShift BitwiseAnd BitwiseOr BitwiseXor";
  static const char compared[] = "Equal Less Greater LessOrEqual GreaterOrEqual";
  static const char pools[] = "MaxPool AveragePool LpPool";
  static const char global[] = "GlobalMaxPool GlobalAveragePool GlobalLpPool";
  int op = onnx_operator(v->op);
  if (is_any(v->op, alike))
    return infer_elementwise(v, 0, out);
  if (is_any(v->op, same) ||
      (op >= 0 && rsh_is_elementwise((rsh_op)op) && rsh_op_result((rsh_op)op) == RSH_RESULT_SAME))
    return type_of(v, 0, out);
  if (is_any(v->op, compared)) {
    bool good = infer_elementwise(v, 0, out);
    out->dtype = RSH_BOOL;
    return good;
  }
  if (strcmp(v->op, "Where") == 0)
    return infer_elementwise(v, 1, out);
  if (strcmp(v->op, "Conv") == 0)
    return infer_conv(v, out);
  if (is_any(v->op, pools))
    return infer_pool(v, out);
  if (is_any(v->op, global))
    return infer_global_pool(v, out);
  if (strcmp(v->op, "MatMul") == 0)
    return infer_matmul(v, out);
  if (strcmp(v->op, "Gemm") == 0)
    return infer_gemm(v, out);
  if (strncmp(v->op, "Reduce", 6) == 0 || strncmp(v->op, "Arg", 3) == 0)
    return infer_reduction(v, out);
  if (strcmp(v->op, "Gather") == 0)
    return infer_gather(v, out);
  if (strcmp(v->op, "ConstantOfShape") == 0)
    return infer_filled(v, out);
  return false;
}

// OpenVINO IR declares the types of what its layers give: true where all sizes of output i are numbers.
static bool declared_output(const Visit *v, size_t i, rsh_dtype *dtype, rsh_shape *shape) {
  const Onnx__AttributeProto *a = attribute_of(v, "outputs");
  if (!a || i >= a->n_type_protos)
    return false;
  const Onnx__TypeProto__Tensor *tensor = a->type_protos[i]->tensor_type;
  *dtype = onnx_dtype(tensor->elem_type);
  *shape = (rsh_shape){0};
  if (*dtype == RSH_DTYPE_NONE || tensor->shape->n_dim > RSH_MAX_RANK)
    return false;
  for (size_t k = 0; k < tensor->shape->n_dim; k++) {
    const Onnx__TensorShapeProto__Dimension *dim = tensor->shape->dim[k];
    if (dim->value_case != ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE)
      return false;
    shape->dim[shape->rank++] = rsh_int(dim->dim_value);
  }
  rsh_num volume;
  return rsh_volume(NULL, shape, &volume) == RSH_ok;
}

bool infer_output(Visit *v, size_t i, rsh_dtype *dtype, rsh_shape *shape) {
  Type type = {.dtype = RSH_DTYPE_NONE};
  if (v->r->file->is_openvino && v->node->domain &&
      strcmp(v->node->domain, ONNX_OPENVINO_DOMAIN) == 0)
    return declared_output(v, i, dtype, shape);
  if (i > 0 || (v->node->domain && *v->node->domain && strcmp(v->node->domain, "ai.onnx") != 0) ||
      !infer_first(v, &type))
    return false;
  rsh_num volume;
  *dtype = type.dtype;
  *shape = type.shape;
  return rsh_volume(v->r->data.graph->symbols, shape, &volume) == RSH_ok;
}
