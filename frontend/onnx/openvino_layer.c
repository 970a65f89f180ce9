// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates types of layers to ONNX operators, by the operation sets in OpenVINO's documentation.
//
//   VariadicSplit(x, axis, [2, -1])      ->  Split(x, split=[2, 3]), axis=1
//   StridedSlice(x, b, e), masks         ->  Slice, then Squeeze, then Unsqueeze
//
// Axes and masks are read at compile time; inputs from which shapes are computed stay inputs, so that
// arithmetic on shapes (onnx_sizes.c) evaluates them.
#include "frontend/onnx/openvino_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rule {
  const char *type, *op;
  const char *attributes; // allowed attributes; any other one is a reason to reject it
  const char *(*make)(Ir *ir, const IrLayer *layer, const char *op); // NULL, or the reason why not
} Rule;

static const char not_known[] =
    "an input that must be a constant list of integers is something else";

// ---- Common steps

static const char *attribute_or(const IrLayer *layer, const char *name, const char *fallback) {
  const char *given = ir_attribute(layer, name);
  return given ? given : fallback;
}

static bool has_attribute(const IrLayer *layer, const char *name, const char *value,
                          const char *fallback) {
  return strcmp(attribute_or(layer, name, fallback), value) == 0;
}

static bool is_true(const IrLayer *layer, const char *name, bool fallback) {
  const char *given = ir_attribute(layer, name);
  return given ? strcmp(given, "true") == 0 || strcmp(given, "1") == 0 : fallback;
}

static bool integer_or(const IrLayer *layer, const char *name, int64_t fallback, int64_t *out) {
  const char *given = ir_attribute(layer, name);
  *out = fallback;
  return !given || ir_integer(given, out);
}

// "opset6": 6; 0: not a set of OpenVINO.
static int64_t version_of(const IrLayer *layer) {
  static const char opset[] = "opset";
  int64_t version;
  return strncmp(layer->version, opset, strlen(opset)) == 0 &&
                 ir_integer(layer->version + strlen(opset), &version)
             ? version
             : 0;
}

static const char *bad_value(Ir *ir, const IrLayer *layer, const char *name) {
  const char *given = ir_attribute(layer, name);
  return given ? arena_printf(ir->arena, "'%s' with '%s' set to '%s' is not supported", layer->type,
                              name, given)
               : arena_printf(ir->arena, "'%s' needs '%s'", layer->type, name);
}

// Makes a node with all outputs of the layer.
static Onnx__NodeProto *whole_node(Ir *ir, const IrLayer *layer, const char *op,
                                   const char *const *in, int count) {
  const char **out = ARENA_ARRAY(ir->arena, const char *, layer->out.count + 1);
  for (int i = 0; i < layer->out.count; i++)
    out[i] = layer->out.item[i].value;
  return ir_node(ir, layer, op, in, count, out, layer->out.count);
}

static Onnx__NodeProto *unary(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0)};
  return whole_node(ir, layer, op, in, 1);
}

// Makes an intermediate node; returns the name of its result.
static const char *inner_node(Ir *ir, const IrLayer *layer, const char *op, const char *const *in,
                              int count, Onnx__NodeProto **node) {
  const char *name = ir_name(ir, arena_printf(ir->arena, "%s.%s", layer->name, op));
  Onnx__NodeProto *made = ir_node(ir, layer, op, in, count, &name, 1);
  if (node)
    *node = made;
  return name;
}

static const char *same_inputs(Ir *ir, const IrLayer *layer, const char *op) {
  const char **in = ARENA_ARRAY(ir->arena, const char *, layer->in.count + 1);
  for (int i = 0; i < layer->in.count; i++)
    in[i] = ir_input(layer, i);
  (void)whole_node(ir, layer, op, in, layer->in.count);
  return NULL;
}

// The axis given by input `port`; negative axes count from the end.
static bool axis_of(Ir *ir, const IrLayer *layer, int port, int64_t *axis) {
  int64_t *item;
  int count;
  if (!ir_constant(ir, layer, port, &item, &count) || count != 1)
    return false;
  *axis = item[0];
  return true;
}

// The declared size of an axis of an input, or -1.
static int64_t size_of(const IrLayer *layer, int port, int64_t axis) {
  const IrPort *in = &layer->in.item[port];
  axis += axis < 0 ? in->rank : 0;
  return axis >= 0 && axis < in->rank ? in->dim[axis] : -1;
}

// ---- Layers that are a single operator

static const char *make_broadcasting(Ir *ir, const IrLayer *layer, const char *op) {
  if (!has_attribute(layer, "auto_broadcast", "numpy", "numpy") &&
      !has_attribute(layer, "auto_broadcast", "none", "numpy"))
    return bad_value(ir, layer, "auto_broadcast");
  return same_inputs(ir, layer, op);
}

static const char *make_reshape(Ir *ir, const IrLayer *layer, const char *op) {
  if (!ir_attribute(layer, "special_zero"))
    return "'Reshape' needs 'special_zero'";
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  ir_int(ir, whole_node(ir, layer, op, in, layer->in.count), "special_zero",
         is_true(layer, "special_zero", false));
  return NULL;
}

// Without axes, or with an empty list, all axes of size 1 are removed.
static const char *make_squeeze(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  int64_t *axes;
  int count;
  if (is_true(layer, "allow_axis_skip", false))
    return bad_value(ir, layer, "allow_axis_skip");
  if (ir_constant(ir, layer, 1, &axes, &count) && count == 0)
    in[1] = "";
  else if (layer->in.count > 1)
    in[1] = ir_constant(ir, layer, 1, &axes, &count) ? ir_list(ir, layer, axes, count) : in[1];
  (void)whole_node(ir, layer, op, in, 2);
  return NULL;
}

static const char *make_unsqueeze(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  int64_t *axes;
  int count;
  if (ir_constant(ir, layer, 1, &axes, &count))
    in[1] = ir_list(ir, layer, axes, count); // a single axis may be a scalar
  (void)whole_node(ir, layer, op, in, 2);
  return NULL;
}

// ONNX's perm is an attribute; here it may be known only at run time.
static const char *make_transpose(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t *order;
  int count;
  if (!ir_constant(ir, layer, 1, &order, &count))
    return same_inputs(ir, layer, "openvino.Transpose");
  Onnx__NodeProto *node = unary(ir, layer, op);
  if (count > 0)
    ir_ints(ir, node, "perm", order, count);
  return NULL;
}

static const char *make_concat(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis;
  if (!ir_attribute(layer, "axis") || !integer_or(layer, "axis", 0, &axis))
    return bad_value(ir, layer, "axis");
  const char **in = ARENA_ARRAY(ir->arena, const char *, layer->in.count + 1);
  for (int i = 0; i < layer->in.count; i++)
    in[i] = ir_input(layer, i);
  ir_int(ir, whole_node(ir, layer, op, in, layer->in.count), "axis", axis);
  return NULL;
}

// Parts have equal sizes, unlike in ONNX.
static const char *make_split(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis, parts;
  if (!axis_of(ir, layer, 1, &axis))
    return not_known;
  if (!ir_attribute(layer, "num_splits") || !integer_or(layer, "num_splits", 0, &parts) ||
      parts < 1 || parts != layer->out.count)
    return bad_value(ir, layer, "num_splits");
  int64_t size = size_of(layer, 0, axis);
  if (size >= 0 && size % parts != 0)
    return arena_printf(ir->arena, "'Split' cuts %" PRId64 " into %" PRId64 " parts of one size",
                        size, parts);
  Onnx__NodeProto *node = unary(ir, layer, op);
  ir_int(ir, node, "axis", axis);
  return NULL;
}

// [2, -1] for an axis of 5 is [2, 3].
static const char *infer_length(Ir *ir, const IrLayer *layer, int64_t axis, int64_t *length,
                                int count) {
  int64_t rest = size_of(layer, 0, axis);
  int open = -1;
  for (int i = 0; i < count; i++) {
    if (length[i] < -1 || (length[i] == -1 && open >= 0))
      return "'VariadicSplit' needs lengths of at least 0; one of them may be -1";
    if (length[i] == -1)
      open = i;
    else if (rest >= 0)
      rest = length[i] <= rest ? rest - length[i] : -2;
  }
  if (open < 0)
    return NULL;
  if (rest < 0)
    return arena_printf(ir->arena, "'VariadicSplit' with a length of -1 %s",
                        rest == -1 ? "needs a known size"
                                   : "has lengths that add up to more than the size");
  length[open] = rest;
  return NULL;
}

static const char *make_variadic_split(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis, *length;
  int count;
  if (!axis_of(ir, layer, 1, &axis) || !ir_constant(ir, layer, 2, &length, &count))
    return not_known;
  const char *why = infer_length(ir, layer, axis, length, count);
  if (why)
    return why;
  const char *in[] = {ir_input(layer, 0), ir_list(ir, layer, length, count)};
  ir_int(ir, whole_node(ir, layer, op, in, 2), "axis", axis);
  return NULL;
}

// The axes are the last input, and the steps are always present.
static const char *make_slice(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1), ir_input(layer, 2),
                      ir_input(layer, 4), ir_input(layer, 3)};
  (void)whole_node(ir, layer, op, in, 5);
  return NULL;
}

// Negative indices count from the end since opset 8; before, they refer to no entry.
static const char *make_gather(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis, batch, *index;
  int count;
  if (!axis_of(ir, layer, 2, &axis))
    return not_known;
  if (!integer_or(layer, "batch_dims", 0, &batch) || batch != 0)
    return bad_value(ir, layer, "batch_dims");
  if (version_of(layer) < 8 && ir_constant(ir, layer, 1, &index, &count))
    for (int i = 0; i < count; i++)
      if (index[i] < 0)
        return "'Gather' before opset8 does not take indices below 0";
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  ir_int(ir, whole_node(ir, layer, op, in, 2), "axis", axis);
  return NULL;
}

static const char *make_gather_elements(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis;
  if (!ir_attribute(layer, "axis") || !integer_or(layer, "axis", 0, &axis))
    return bad_value(ir, layer, "axis");
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  ir_int(ir, whole_node(ir, layer, op, in, 2), "axis", axis);
  return NULL;
}

// Opset 5 merges the batch axes in the result.
static const char *make_gather_nd(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t batch;
  if (!integer_or(layer, "batch_dims", 0, &batch) || (batch > 1 && version_of(layer) < 8))
    return bad_value(ir, layer, "batch_dims");
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  ir_int(ir, whole_node(ir, layer, op, in, 2), "batch_dims", batch);
  return NULL;
}

static const char *make_pad(Ir *ir, const IrLayer *layer, const char *op) {
  const char *mode = attribute_or(layer, "pad_mode", "");
  if (strcmp(mode, "constant") != 0 && strcmp(mode, "edge") != 0 && strcmp(mode, "reflect") != 0)
    return bad_value(ir, layer, "pad_mode");
  const char *ends[] = {ir_input(layer, 1), ir_input(layer, 2)};
  Onnx__NodeProto *node;
  int64_t *begin, *end;
  int begins, count;
  const char *pads;
  if (ir_constant(ir, layer, 1, &begin, &begins) && ir_constant(ir, layer, 2, &end, &count)) {
    int64_t *both = ARENA_ARRAY(ir->arena, int64_t, begins + count + 1);
    for (int i = 0; i < begins; i++)
      both[i] = begin[i];
    for (int i = 0; i < count; i++)
      both[begins + i] = end[i];
    pads = ir_list(ir, layer, both, begins + count);
  } else {
    pads = inner_node(ir, layer, "Concat", ends, 2, &node);
    ir_int(ir, node, "axis", 0);
  }
  const char *value = strcmp(mode, "constant") == 0 ? ir_input(layer, 3) : "";
  const char *in[] = {ir_input(layer, 0), pads, value};
  ir_text(ir, whole_node(ir, layer, op, in, 3), "mode", mode);
  return NULL;
}

// The shorter of the shape and the repeats is padded with leading ones.
static const char *make_tile(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  int64_t *repeat;
  int count, rank = layer->in.item[0].rank;
  if (ir_constant(ir, layer, 1, &repeat, &count) && count < rank) {
    int64_t *all = ARENA_ARRAY(ir->arena, int64_t, rank + 1);
    for (int i = 0; i < rank; i++)
      all[i] = i < rank - count ? 1 : repeat[i - (rank - count)];
    in[1] = ir_list(ir, layer, all, rank);
  } else if (ir_constant(ir, layer, 1, &repeat, &count) && count > rank && rank > 0) {
    int64_t *axes = ARENA_ARRAY(ir->arena, int64_t, count);
    for (int i = 0; i < count - rank; i++)
      axes[i] = i;
    const char *wide[] = {in[0], ir_list(ir, layer, axes, count - rank)};
    in[0] = inner_node(ir, layer, "Unsqueeze", wide, 2, NULL);
  }
  (void)whole_node(ir, layer, op, in, 2);
  return NULL;
}

// expand broadcasts both ways, a target of 1 for a size of 5; numpy's mode does not.
static const char *check_numpy(Ir *ir, const IrLayer *layer) {
  const IrPort *data = &layer->in.item[0];
  int64_t *target;
  int count;
  if (!ir_constant(ir, layer, 1, &target, &count))
    return NULL;
  if (data->rank > count)
    return "'Broadcast' has a target whose rank is lower than that of its data";
  for (int i = 0; i < data->rank; i++) {
    int64_t size = data->dim[i], wanted = target[count - data->rank + i];
    if (size > 1 && size != wanted)
      return arena_printf(
          ir->arena, "'Broadcast' cannot change a size from %" PRId64 " to %" PRId64, size, wanted);
    if (size < 0 && wanted == 1)
      return "'Broadcast' of an unknown size to 1 is not supported";
  }
  return NULL;
}

// Axis i of the data becomes axis mapping[i] of the result; all others are new.
static const char *map_axes(Ir *ir, const IrLayer *layer, const char **data) {
  int64_t *mapping, *target;
  int mapped, count;
  if (!ir_constant(ir, layer, 2, &mapping, &mapped) || !ir_constant(ir, layer, 1, &target, &count))
    return not_known;
  int64_t *added = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  int next = 0, news = 0;
  for (int axis = 0; axis < count; axis++) {
    if (next < mapped && mapping[next] == axis) {
      int64_t size = size_of(layer, 0, next++);
      if ((size > 1 && size != target[axis]) || (size < 0 && target[axis] == 1))
        return "'Broadcast' has a target that its data cannot be broadcast to";
      continue;
    }
    added[news++] = axis;
  }
  if (next != mapped)
    return "'Broadcast' with a mapping whose axes are not in ascending order is not supported";
  if (news > 0) {
    const char *in[] = {*data, ir_list(ir, layer, added, news)};
    *data = inner_node(ir, layer, "Unsqueeze", in, 2, NULL);
  }
  return NULL;
}

static const char *make_broadcast(Ir *ir, const IrLayer *layer, const char *op) {
  const char *mode = attribute_or(layer, "mode", "numpy");
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)}, *why = NULL;
  if (strcmp(mode, "numpy") == 0)
    why = check_numpy(ir, layer);
  else if (strcmp(mode, "explicit") == 0)
    why = map_axes(ir, layer, &in[0]);
  else if (strcmp(mode, "bidirectional") != 0)
    why = bad_value(ir, layer, "mode");
  if (!why)
    (void)whole_node(ir, layer, op, in, 2);
  return why;
}

static const char *make_blocks(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t block;
  bool is_depth_first = has_attribute(layer, "mode", "depth_first", "");
  if (!is_depth_first && !has_attribute(layer, "mode", "blocks_first", ""))
    return bad_value(ir, layer, "mode");
  if (!integer_or(layer, "block_size", 1, &block))
    return bad_value(ir, layer, "block_size");
  if (layer->in.item[0].rank != 4)
    return arena_printf(ir->arena, "'%s' of a rank other than 4 is not supported", layer->type);
  Onnx__NodeProto *node = unary(ir, layer, op);
  ir_int(ir, node, "blocksize", block);
  ir_text(ir, node, "mode", is_depth_first ? "CRD" : "DCR");
  return NULL;
}

static const char *make_reverse(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t batch, time;
  if (!integer_or(layer, "batch_axis", 0, &batch))
    return bad_value(ir, layer, "batch_axis");
  if (!integer_or(layer, "seq_axis", 1, &time))
    return bad_value(ir, layer, "seq_axis");
  int rank = layer->in.item[0].rank;
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  Onnx__NodeProto *node = whole_node(ir, layer, op, in, 2);
  ir_int(ir, node, "batch_axis", batch < 0 ? batch + rank : batch);
  ir_int(ir, node, "time_axis", time < 0 ? time + rank : time);
  return NULL;
}

// Conversions to floats of a byte or less saturate in ONNX, but not in OpenVINO.
static bool is_small_float(const char *type) {
  return strncmp(type, "f8", 2) == 0 || strncmp(type, "F8", 2) == 0 ||
         strcmp(type, "f4e2m1") == 0 || strcmp(type, "F4E2M1") == 0;
}

static const char *make_convert(Ir *ir, const IrLayer *layer, const char *op) {
  int32_t type = ir_element_type(attribute_or(layer, "destination_type", ""));
  if (type == IR_NO_TYPE || is_small_float(attribute_or(layer, "destination_type", "")))
    return bad_value(ir, layer, "destination_type");
  ir_int(ir, unary(ir, layer, op), "to", type);
  return NULL;
}

static const char *make_convert_like(Ir *ir, const IrLayer *layer, const char *op) {
  const char *type = layer->out.item[0].precision;
  if (type && is_small_float(type))
    return arena_printf(ir->arena, "'ConvertLike' to %s is not supported", type);
  return same_inputs(ir, layer, op);
}

// Sizes have type i64, or i32 if the layer says so.
static const char *make_shape(Ir *ir, const IrLayer *layer, const char *op) {
  const char *type = attribute_or(layer, "output_type", "i64");
  const char *data = ir_input(layer, 0);
  if (strcmp(type, "i64") == 0)
    return same_inputs(ir, layer, op);
  if (strcmp(type, "i32") != 0)
    return bad_value(ir, layer, "output_type");
  const char *shape = inner_node(ir, layer, op, &data, 1, NULL);
  ir_int(ir, whole_node(ir, layer, "Cast", &shape, 1), "to", ONNX__TENSOR_PROTO__DATA_TYPE__INT32);
  return NULL;
}

static const char *make_reduce(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  int64_t *axes;
  int count;
  if (!ir_constant(ir, layer, 1, &axes, &count) || count == 0)
    return not_known;
  in[1] = ir_list(ir, layer, axes, count);
  ir_int(ir, whole_node(ir, layer, op, in, 2), "keepdims", is_true(layer, "keep_dims", false));
  return NULL;
}

// ---- Elementwise functions

static const char *make_elu(Ir *ir, const IrLayer *layer, const char *op) {
  char *end;
  const char *alpha = attribute_or(layer, "alpha", "");
  float number = strtof(alpha, &end);
  if (end == alpha)
    return bad_value(ir, layer, "alpha");
  ir_float(ir, unary(ir, layer, op), "alpha", number);
  return NULL;
}

static const char *make_gelu(Ir *ir, const IrLayer *layer, const char *op) {
  const char *mode = attribute_or(layer, "approximation_mode", "ERF");
  if (strcmp(mode, "ERF") != 0 && strcmp(mode, "erf") != 0)
    return bad_value(ir, layer, "approximation_mode");
  (void)unary(ir, layer, op);
  return NULL;
}

static const char *make_swish(Ir *ir, const IrLayer *layer, const char *op) {
  if (layer->in.count > 1)
    return "'Swish' with a beta is not supported";
  (void)unary(ir, layer, op);
  return NULL;
}

static const char *make_softmax(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis;
  if (!integer_or(layer, "axis", 1, &axis))
    return bad_value(ir, layer, "axis");
  ir_int(ir, unary(ir, layer, op), "axis", axis);
  return NULL;
}

// ---- Layers that compute, between chains: their result types

static const char *make_matmul(Ir *ir, const IrLayer *layer, const char *op) {
  if (is_true(layer, "transpose_a", false) || is_true(layer, "transpose_b", false))
    return "";
  return same_inputs(ir, layer, op);
}

static const char *make_convolution(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t *stride, *begin, *end, *dilation;
  int strides, begins, ends, dilations;
  if (!has_attribute(layer, "auto_pad", "explicit", "explicit") ||
      !ir_integers(ir->arena, attribute_or(layer, "strides", ""), &stride, &strides) ||
      !ir_integers(ir->arena, attribute_or(layer, "pads_begin", ""), &begin, &begins) ||
      !ir_integers(ir->arena, attribute_or(layer, "pads_end", ""), &end, &ends) ||
      !ir_integers(ir->arena, attribute_or(layer, "dilations", ""), &dilation, &dilations) ||
      strides == 0 || begins != strides || ends != strides || dilations != strides)
    return "";
  int64_t *pads = ARENA_ARRAY(ir->arena, int64_t, 2 * begins);
  for (int i = 0; i < begins; i++) {
    pads[i] = begin[i];
    pads[begins + i] = end[i];
  }
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  Onnx__NodeProto *node = whole_node(ir, layer, op, in, 2);
  ir_ints(ir, node, "strides", stride, strides);
  ir_ints(ir, node, "pads", pads, 2 * begins);
  ir_ints(ir, node, "dilations", dilation, dilations);
  return NULL;
}

// ---- StridedSlice

typedef struct Masks {
  int64_t *begin, *end, *added, *shrink, *ellipsis; // one entry per index
} Masks;

// The effect of a StridedSlice on the axes of its data, and where axes of size 1 are removed and added.
typedef struct Strided {
  int64_t *start, *end, *axis, *step, *squeezed, *added;
  int slices, squeezes, adds;
} Strided;

static bool read_mask(Ir *ir, const IrLayer *layer, const char *name, int count, int64_t **out) {
  int64_t *item;
  int given;
  *out = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  if (!ir_integers(ir->arena, attribute_or(layer, name, ""), &item, &given))
    return false;
  for (int i = 0; i < given && i < count; i++)
    (*out)[i] = item[i] != 0;
  return true;
}

static bool read_masks(Ir *ir, const IrLayer *layer, int count, Masks *m) {
  return read_mask(ir, layer, "begin_mask", count, &m->begin) &&
         read_mask(ir, layer, "end_mask", count, &m->end) &&
         read_mask(ir, layer, "new_axis_mask", count, &m->added) &&
         read_mask(ir, layer, "shrink_axis_mask", count, &m->shrink) &&
         read_mask(ir, layer, "ellipsis_mask", count, &m->ellipsis);
}

static void slice_add(Strided *s, int64_t axis, int64_t start, int64_t end, int64_t step) {
  s->axis[s->slices] = axis;
  s->start[s->slices] = start;
  s->end[s->slices] = end;
  s->step[s->slices++] = step;
}

// One index at a time: `axis` is its axis in the data, `out` that in the result.
static const char *stride_axes(const Masks *m, const int64_t *begin, const int64_t *end,
                               const int64_t *step, int count, int rank, Strided *s) {
  int64_t axis = 0, out = 0;
  int rest = count, ellipses = 0;
  for (int i = 0; i < count; i++) {
    if (m->ellipsis[i] + m->added[i] + m->shrink[i] > 1)
      return "'StridedSlice' with two masks that set the same index is not supported";
    rest -= m->ellipsis[i] || m->added[i];
    ellipses += m->ellipsis[i] != 0;
  }
  if (ellipses > 1)
    return "'StridedSlice' with two ellipses is not supported";
  if (rest > rank)
    return "'StridedSlice' has more indices than its data has axes";
  for (int i = 0; i < count; i++) {
    if (m->ellipsis[i]) {
      axis += rank - rest;
      out += rank - rest;
    } else if (m->added[i]) {
      s->added[s->adds++] = out++;
    } else if (m->shrink[i]) {
      if (m->begin[i])
        return "'StridedSlice' with begin_mask and shrink_axis_mask for one index is not supported";
      s->squeezed[s->squeezes++] = axis;
      slice_add(s, axis++, begin[i], begin[i] == -1 ? INT64_MAX : begin[i] + 1, 1);
    } else {
      if (step[i] == 0)
        return "'StridedSlice' with a stride of 0 is not supported";
      int64_t first = m->begin[i] ? (step[i] > 0 ? 0 : INT64_MAX) : begin[i];
      int64_t last = m->end[i] ? (step[i] > 0 ? INT64_MAX : INT64_MIN) : end[i];
      if (!m->begin[i] || !m->end[i] || step[i] != 1)
        slice_add(s, axis, first, last, step[i]);
      axis++;
      out++;
    }
  }
  return NULL;
}

static void emit_strided(Ir *ir, const IrLayer *layer, const Strided *s) {
  const char *data = ir_input(layer, 0);
  if (s->slices > 0) {
    const char *in[] = {
        data, ir_list(ir, layer, s->start, s->slices), ir_list(ir, layer, s->end, s->slices),
        ir_list(ir, layer, s->axis, s->slices), ir_list(ir, layer, s->step, s->slices)};
    if (s->squeezes == 0 && s->adds == 0) {
      (void)whole_node(ir, layer, "Slice", in, 5);
      return;
    }
    data = inner_node(ir, layer, "Slice", in, 5, NULL);
  }
  if (s->squeezes > 0) {
    const char *in[] = {data, ir_list(ir, layer, s->squeezed, s->squeezes)};
    if (s->adds == 0) {
      (void)whole_node(ir, layer, "Squeeze", in, 2);
      return;
    }
    data = inner_node(ir, layer, "Squeeze", in, 2, NULL);
  }
  const char *in[] = {data, s->adds > 0 ? ir_list(ir, layer, s->added, s->adds) : ""};
  (void)whole_node(ir, layer, s->adds > 0 ? "Unsqueeze" : "Identity", in, 2);
}

// Bounds computed from shapes can only be passed on if no mask applies.
static const char *make_open_slice(Ir *ir, const IrLayer *layer) {
  const IrPort *begin = &layer->in.item[1];
  int count =
      begin->rank == 1 && begin->dim[0] >= 0 && begin->dim[0] < 64 ? (int)begin->dim[0] : -1;
  Masks m;
  if (count < 0 || !read_masks(ir, layer, count, &m))
    return not_known;
  int64_t *axes = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  for (int i = 0; i < count; i++) {
    axes[i] = i;
    if (m.begin[i] || m.end[i] || m.added[i] || m.shrink[i] || m.ellipsis[i])
      return "'StridedSlice' with masks, and bounds that are not constants, is not supported";
  }
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1), ir_input(layer, 2),
                      ir_list(ir, layer, axes, count), ir_input(layer, 3)};
  (void)whole_node(ir, layer, "Slice", in, 5);
  return NULL;
}

static const char *make_strided_slice(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t *begin, *end, *step;
  int count, ends, steps;
  Masks m;
  (void)op;
  if (!ir_constant(ir, layer, 1, &begin, &count) || !ir_constant(ir, layer, 2, &end, &ends))
    return make_open_slice(ir, layer);
  if (layer->in.count < 4) {
    steps = count;
    step = ARENA_ARRAY(ir->arena, int64_t, count + 1);
    for (int i = 0; i < count; i++)
      step[i] = 1;
  } else if (!ir_constant(ir, layer, 3, &step, &steps)) {
    return not_known;
  }
  if (ends != count || steps != count || !read_masks(ir, layer, count, &m))
    return "'StridedSlice' has lists of different lengths, or an invalid mask";
  int64_t *room = ARENA_ARRAY(ir->arena, int64_t, 6 * (count + 1));
  int size = count + 1;
  Strided s = {.start = room,
               .end = room + size,
               .axis = room + 2 * size,
               .step = room + 3 * size,
               .squeezed = room + 4 * size,
               .added = room + 5 * size};
  const char *why = stride_axes(&m, begin, end, step, count, layer->in.item[0].rank, &s);
  if (!why)
    emit_strided(ir, layer, &s);
  return why;
}

// ---- The table

static const Rule rules[] = {
    // Layers that move elements.
    {"Reshape", "openvino.Reshape", "special_zero", make_reshape},
    {"Squeeze", "Squeeze", "allow_axis_skip", make_squeeze},
    {"Unsqueeze", "Unsqueeze", "", make_unsqueeze},
    {"Transpose", "Transpose", "", make_transpose},
    {"Concat", "Concat", "axis", make_concat},
    {"Split", "openvino.Split", "num_splits", make_split},
    {"VariadicSplit", "Split", "", make_variadic_split},
    {"StridedSlice", "Slice", "begin_mask end_mask new_axis_mask shrink_axis_mask ellipsis_mask",
     make_strided_slice},
    {"Slice", "Slice", "", make_slice},
    {"Gather", "Gather", "batch_dims", make_gather},
    {"GatherElements", "GatherElements", "axis", make_gather_elements},
    {"GatherND", "GatherND", "batch_dims", make_gather_nd},
    {"Pad", "Pad", "pad_mode", make_pad},
    {"Tile", "Tile", "", make_tile},
    {"Broadcast", "Expand", "mode", make_broadcast},
    {"DepthToSpace", "DepthToSpace", "mode block_size", make_blocks},
    {"SpaceToDepth", "SpaceToDepth", "mode block_size", make_blocks},
    {"ReverseSequence", "ReverseSequence", "batch_axis seq_axis", make_reverse},
    {"Roll", "openvino.Roll", "", same_inputs},
    {"Convert", "Cast", "destination_type", make_convert},
    {"ConvertLike", "CastLike", "", make_convert_like},
    // Shapes and arithmetic on them; as data, they are not operators here.
    {"ShapeOf", "Shape", "output_type", make_shape},
    {"Add", "Add", "auto_broadcast", make_broadcasting},
    {"Subtract", "Sub", "auto_broadcast", make_broadcasting},
    {"Multiply", "Mul", "auto_broadcast", make_broadcasting},
    {"Maximum", "Max", "auto_broadcast", make_broadcasting},
    {"Minimum", "Min", "auto_broadcast", make_broadcasting},
    {"Equal", "Equal", "auto_broadcast", make_broadcasting},
    {"Less", "Less", "auto_broadcast", make_broadcasting},
    {"LessEqual", "LessOrEqual", "auto_broadcast", make_broadcasting},
    {"Greater", "Greater", "auto_broadcast", make_broadcasting},
    {"GreaterEqual", "GreaterOrEqual", "auto_broadcast", make_broadcasting},
    {"LogicalAnd", "And", "auto_broadcast", make_broadcasting},
    {"LogicalOr", "Or", "auto_broadcast", make_broadcasting},
    {"LogicalNot", "Not", "", same_inputs},
    {"Negative", "Neg", "", same_inputs},
    {"Select", "Where", "auto_broadcast", make_broadcasting},
    {"ReduceProd", "ReduceProd", "keep_dims", make_reduce},
    {"ReduceSum", "ReduceSum", "keep_dims", make_reduce},
    {"ReduceMax", "ReduceMax", "keep_dims", make_reduce},
    {"ReduceMin", "ReduceMin", "keep_dims", make_reduce},
    {"MatMul", "MatMul", "transpose_a transpose_b", make_matmul},
    {"Convolution", "Conv", "strides pads_begin pads_end dilations auto_pad", make_convolution},
    // Elementwise functions, and softmax.
    {"ReLU", "Relu", "", same_inputs},
    {"Sigmoid", "Sigmoid", "", same_inputs},
    {"Tanh", "Tanh", "", same_inputs},
    {"Elu", "Elu", "alpha", make_elu},
    {"SoftPlus", "Softplus", "", same_inputs},
    {"SoftSign", "Softsign", "", same_inputs},
    {"HSwish", "HardSwish", "", same_inputs},
    {"Swish", "Swish", "", make_swish},
    {"Mish", "Mish", "", same_inputs},
    {"Gelu", "Gelu", "approximation_mode", make_gelu},
    {"Exp", "Exp", "", same_inputs},
    {"Log", "Log", "", same_inputs},
    {"Sqrt", "Sqrt", "", same_inputs},
    {"Sin", "Sin", "", same_inputs},
    {"Cos", "Cos", "", same_inputs},
    {"Tan", "Tan", "", same_inputs},
    {"Asin", "Asin", "", same_inputs},
    {"Acos", "Acos", "", same_inputs},
    {"Atan", "Atan", "", same_inputs},
    {"Sinh", "Sinh", "", same_inputs},
    {"Cosh", "Cosh", "", same_inputs},
    {"Asinh", "Asinh", "", same_inputs},
    {"Acosh", "Acosh", "", same_inputs},
    {"Atanh", "Atanh", "", same_inputs},
    {"Abs", "Abs", "", same_inputs},
    {"Ceiling", "Ceil", "", same_inputs},
    {"Floor", "Floor", "", same_inputs},
    {"SoftMax", "Softmax", "axis", make_softmax},
};

static bool is_word_of(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

const char *ir_translate(Ir *ir, const IrLayer *layer) {
  const Rule *rule = NULL;
  for (size_t i = 0; i < sizeof rules / sizeof *rules && !rule; i++)
    if (strcmp(rules[i].type, layer->type) == 0)
      rule = &rules[i];
  if (!rule || version_of(layer) < 1)
    return "";
  for (int i = 0; i < layer->attribute.count; i++)
    if (!is_word_of(rule->attributes, layer->attribute.item[i].name))
      return arena_printf(ir->arena, "'%s' has an unknown attribute '%s'", layer->type,
                          layer->attribute.item[i].name);
  if (layer->in.count == 0 || layer->out.count == 0)
    return arena_printf(ir->arena, "'%s' has no %s", layer->type,
                        layer->in.count == 0 ? "inputs" : "outputs");
  return rule->make(ir, layer, rule->op);
}
