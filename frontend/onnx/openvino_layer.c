// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates types of layers to ONNX operators, by the operation sets in OpenVINO's documentation.
//
//   Gather(x, i, axis), opset 8          ->  Gather(x, i), axis=1
//   VariadicSplit, Pad, StridedSlice ... ->  see openvino_moves.c
//
// Axes and masks are read at compile time; inputs from which shapes are computed stay inputs, so that
// arithmetic on shapes (onnx_sizes.c) evaluates them.
#include "frontend/onnx/openvino_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = INT_MAX };

typedef struct Rule {
  const char *type;
  int least, most; // inputs
  const char *op;
  const char *attributes; // allowed attributes; any other one is a reason to reject it
  const char *(*make)(Ir *ir, const IrLayer *layer, const char *op); // NULL, or the reason why not
} Rule;

// ---- Common steps

static bool is_true(const IrLayer *layer, const char *name, bool fallback) {
  const char *given = ir_attribute(layer, name);
  return given ? ir_is_word(given, "true") || strcmp(given, "1") == 0 : fallback;
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

static const char *same_inputs(Ir *ir, const IrLayer *layer, const char *op) {
  const char **in = ARENA_ARRAY(ir->arena, const char *, layer->in.count + 1);
  for (int i = 0; i < layer->in.count; i++)
    in[i] = ir_input(layer, i);
  (void)ir_whole_node(ir, layer, op, in, layer->in.count);
  return NULL;
}

// ---- Layers that are a single operator

static const char *make_roll(Ir *ir, const IrLayer *layer, const char *op) {
  int shifts = ir_length(ir, layer, 1), axes = ir_length(ir, layer, 2);
  const IrPort *shift = &layer->in.item[1], *axis = &layer->in.item[2];
  bool is_list = !shift->is_open && shift->rank == 1;
  if (is_list && !axis->is_open && axis->rank == 0)
    return "'Roll' has a list of shifts for a scalar axis; a list needs a list of axes";
  if (is_list && shifts >= 0 && axes >= 0 && shifts != axes)
    return arena_printf(ir->arena, "'Roll' has a shift of length %d for axes of length %d", shifts,
                        axes);
  return same_inputs(ir, layer, op);
}

static const char *make_broadcasting(Ir *ir, const IrLayer *layer, const char *op) {
  if (!ir_has(layer, "auto_broadcast", "numpy", "numpy") &&
      !ir_has(layer, "auto_broadcast", "none", "numpy"))
    return ir_bad_word(ir, layer, "auto_broadcast", "numpy none");
  const IrPort *a = &layer->in.item[layer->in.count - 2], *b = a + 1;
  bool differ = !a->is_open && !b->is_open && a->rank != b->rank;
  for (int i = 0; i < a->rank && i < b->rank; i++)
    differ = differ || (a->dim[i] >= 0 && b->dim[i] >= 0 && a->dim[i] != b->dim[i]);
  if (differ && ir_has(layer, "auto_broadcast", "none", ""))
    return arena_printf(ir->arena,
                        "'%s' with 'auto_broadcast' set to 'none' needs operands of one shape",
                        layer->type);
  return same_inputs(ir, layer, op);
}

static const char *make_reshape(Ir *ir, const IrLayer *layer, const char *op) {
  if (!ir_attribute(layer, "special_zero"))
    return "'Reshape' needs 'special_zero'";
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  ir_int(ir, ir_whole_node(ir, layer, op, in, layer->in.count), "special_zero",
         is_true(layer, "special_zero", false));
  return NULL;
}

// Leaves out the axes whose size is known not to be 1: since OpenVINO 2024.3 they stay as they are. One of unknown size
// must be 1, unless it may be skipped. False: it may be.
static bool skip_axes(const IrLayer *layer, bool may_skip, int64_t *axes, int *count) {
  int kept = 0;
  for (int i = 0; i < *count; i++) {
    int64_t size = ir_size(layer, axes[i]);
    if (size < 0 && may_skip)
      return false;
    if (size < 0 || size == 1)
      axes[kept++] = axes[i];
  }
  *count = kept;
  return true;
}

// Without axes, or with an empty list, all axes of size 1 are removed.
static const char *make_squeeze(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  int64_t *axes;
  int count = ir_length(ir, layer, 1), given = count;
  bool is_constant = ir_constant(ir, layer, 1, &axes, &count);
  bool may_skip = is_true(layer, "allow_axis_skip", false);
  if (given != 0 && layer->in.count > 1 &&
      !(is_constant ? skip_axes(layer, may_skip, axes, &count) : !may_skip))
    return ir_bad_value(ir, layer, "allow_axis_skip");
  if (given == 0)
    in[1] = "";
  else if (is_constant)
    in[1] = ir_list(ir, layer, axes, count); // a single axis may be a scalar
  (void)ir_whole_node(ir, layer, op, in, 2);
  return NULL;
}

static const char *make_unsqueeze(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  int64_t *axes;
  int count;
  if (ir_constant(ir, layer, 1, &axes, &count))
    in[1] = ir_list(ir, layer, axes, count); // a single axis may be a scalar
  (void)ir_whole_node(ir, layer, op, in, 2);
  return NULL;
}

// ONNX's perm is an attribute; here it may be known only at run time.
static const char *make_transpose(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t *order;
  int count;
  bool is_constant = ir_constant(ir, layer, 1, &order, &count);
  if (!is_constant && ir_length(ir, layer, 1) != 0)
    return same_inputs(ir, layer, "openvino.Transpose");
  Onnx__NodeProto *node = ir_unary(ir, layer, op);
  if (is_constant && count > 0)
    ir_ints(ir, node, "perm", order, count);
  return NULL;
}

static const char *make_concat(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis;
  if (!ir_attribute(layer, "axis") || !ir_integer_or(layer, "axis", 0, &axis))
    return ir_bad_value(ir, layer, "axis");
  const char **in = ARENA_ARRAY(ir->arena, const char *, layer->in.count + 1);
  for (int i = 0; i < layer->in.count; i++)
    in[i] = ir_input(layer, i);
  ir_int(ir, ir_whole_node(ir, layer, op, in, layer->in.count), "axis", axis);
  return NULL;
}

// Parts have equal sizes, unlike in ONNX.
static const char *make_split(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis, parts;
  if (!ir_axis(ir, layer, 1, &axis))
    return ir_not_known(ir, layer, 1, "the axis");
  if (!ir_attribute(layer, "num_splits") || !ir_integer_or(layer, "num_splits", 0, &parts) ||
      parts < 1)
    return ir_bad_value(ir, layer, "num_splits");
  if (parts != layer->out.count)
    return arena_printf(ir->arena, "'Split' has 'num_splits' set to %" PRId64 ", but %d output%s",
                        parts, layer->out.count, layer->out.count == 1 ? "" : "s");
  int64_t size = ir_size(layer, axis);
  if (size >= 0 && size % parts != 0)
    return arena_printf(ir->arena,
                        "'Split' cannot divide a size of %" PRId64 " into %" PRId64 " equal parts",
                        size, parts);
  Onnx__NodeProto *node = ir_unary(ir, layer, op);
  ir_int(ir, node, "axis", axis);
  return NULL;
}

// The axes are the last input, and the steps are always present.
static const char *make_slice(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1), ir_input(layer, 2),
                      ir_input(layer, 4), ir_input(layer, 3)};
  (void)ir_whole_node(ir, layer, op, in, 5);
  return NULL;
}

// Negative indices count from the end since opset 8; before, they refer to no entry.
static const char *make_gather(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis, batch, *index;
  int count;
  if (!ir_axis(ir, layer, 2, &axis))
    return ir_not_known(ir, layer, 2, "the axis");
  if (!ir_integer_or(layer, "batch_dims", 0, &batch))
    return ir_bad_value(ir, layer, "batch_dims");
  if (batch < 0 && !layer->in.item[1].is_open) // counts from the last axis of the indices
    batch += layer->in.item[1].rank;
  if (version_of(layer) < 8 && ir_constant(ir, layer, 1, &index, &count))
    for (int i = 0; i < count; i++)
      if (index[i] < 0)
        return "'Gather' before opset8 does not take indices below 0";
  if (batch != 0)
    return ir_gather_in_batches(ir, layer, axis, batch);
  const char *in[] = {ir_input(layer, 0), ir_indices(ir, layer, 1)};
  ir_int(ir, ir_whole_node(ir, layer, op, in, 2), "axis", axis);
  return NULL;
}

static const char *make_gather_elements(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis;
  if (!ir_attribute(layer, "axis") || !ir_integer_or(layer, "axis", 0, &axis))
    return ir_bad_value(ir, layer, "axis");
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  ir_int(ir, ir_whole_node(ir, layer, op, in, 2), "axis", axis);
  return NULL;
}

// Opset 5 merges the batch axes in the result.
static const char *make_gather_nd(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t batch;
  if (!ir_integer_or(layer, "batch_dims", 0, &batch) || (batch > 1 && version_of(layer) < 8))
    return ir_bad_value(ir, layer, "batch_dims");
  const char *in[] = {ir_input(layer, 0), ir_indices(ir, layer, 1)};
  ir_int(ir, ir_whole_node(ir, layer, op, in, 2), "batch_dims", batch);
  return NULL;
}

// The shorter of the shape and the repeats is padded with leading ones.
static const char *make_tile(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  const IrPort *data = &layer->in.item[0];
  int count = ir_length(ir, layer, 1), missing = data->rank - count;
  if (!data->is_open && count >= 0 && missing > 0) {
    int64_t *ones = ARENA_ARRAY(ir->arena, int64_t, missing);
    for (int i = 0; i < missing; i++)
      ones[i] = 1;
    const char *all[] = {ir_list_like(ir, layer, 1, ones, missing), in[1]};
    Onnx__NodeProto *node;
    in[1] = ir_inner_node(ir, layer, "Concat", all, 2, &node);
    ir_int(ir, node, "axis", 0);
  } else if (!data->is_open && count >= 0 && missing < 0) {
    int64_t *axes = ARENA_ARRAY(ir->arena, int64_t, -missing);
    for (int i = 0; i < -missing; i++)
      axes[i] = i;
    const char *wide[] = {in[0], ir_list(ir, layer, axes, -missing)};
    in[0] = ir_inner_node(ir, layer, "Unsqueeze", wide, 2, NULL);
  }
  (void)ir_whole_node(ir, layer, op, in, 2);
  return NULL;
}

// Conversions to floats of a byte or less saturate in ONNX, but not in OpenVINO.
static bool is_small_float(const char *type) {
  return strncmp(type, "f8", 2) == 0 || strncmp(type, "F8", 2) == 0 ||
         strcmp(type, "f4e2m1") == 0 || strcmp(type, "F4E2M1") == 0;
}

static const char *make_convert(Ir *ir, const IrLayer *layer, const char *op) {
  int32_t type = ir_element_type(ir_attribute_or(layer, "destination_type", ""));
  if (type == IR_NO_TYPE || is_small_float(ir_attribute_or(layer, "destination_type", "")))
    return ir_bad_value(ir, layer, "destination_type");
  ir_int(ir, ir_unary(ir, layer, op), "to", type);
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
  const char *data = ir_input(layer, 0);
  if (ir_has(layer, "output_type", "i64", "i64"))
    return same_inputs(ir, layer, op);
  if (!ir_has(layer, "output_type", "i32", ""))
    return ir_bad_word(ir, layer, "output_type", "i64 i32");
  const char *shape = ir_inner_node(ir, layer, op, &data, 1, NULL);
  ir_int(ir, ir_whole_node(ir, layer, "Cast", &shape, 1), "to",
         ONNX__TENSOR_PROTO__DATA_TYPE__INT32);
  return NULL;
}

static const char *make_reduce(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  int64_t *axes;
  int count;
  if (!ir_constant(ir, layer, 1, &axes, &count) || count == 0)
    return ir_not_known(ir, layer, 1, "the axes");
  in[1] = ir_list(ir, layer, axes, count);
  ir_int(ir, ir_whole_node(ir, layer, op, in, 2), "keepdims", is_true(layer, "keep_dims", false));
  return NULL;
}

// ---- Elementwise functions

static int32_t data_type(const IrLayer *layer) {
  const char *type = layer->in.item[0].precision;
  return type ? ir_element_type(type) : IR_NO_TYPE;
}

static const char *make_cast(Ir *ir, const IrLayer *layer, const char *data, int32_t type) {
  Onnx__NodeProto *node;
  const char *cast = ir_inner_node(ir, layer, "Cast", &data, 1, &node);
  ir_int(ir, node, "to", type);
  return cast;
}

// Other types than booleans are true if they are not 0, and the result is 0 or 1 of their type.
static const char *make_not(Ir *ir, const IrLayer *layer, const char *op) {
  int32_t type = data_type(layer), boolean = ONNX__TENSOR_PROTO__DATA_TYPE__BOOL;
  if (type == boolean || type == IR_NO_TYPE)
    return same_inputs(ir, layer, op);
  const char *data = make_cast(ir, layer, ir_input(layer, 0), boolean);
  data = ir_inner_node(ir, layer, op, &data, 1, NULL);
  ir_int(ir, ir_whole_node(ir, layer, "Cast", &data, 1), "to", type);
  return NULL;
}

// `letters` begin the names of its types: "iI" are signed.
static bool is_integer(const IrLayer *layer, const char *letters) {
  const char *type = layer->in.item[0].precision;
  return type && *type && strchr(letters, *type);
}

// Integers stay the same.
static const char *make_round(Ir *ir, const IrLayer *layer, const char *op) {
  return same_inputs(ir, layer, is_integer(layer, "iIuU") ? "Identity" : op);
}

// Quotients of integers are rounded down, unless the layer says otherwise; in ONNX, toward zero.
static const char *make_divide(Ir *ir, const IrLayer *layer, const char *op) {
  bool rounds_down = is_integer(layer, "iI") && is_true(layer, "m_pythondiv", true);
  return make_broadcasting(ir, layer, rounds_down ? "openvino.Divide" : op);
}

// The remainder has the sign of the divisor in FloorMod, and that of the dividend in Mod. FloorMod of floats is not
// exact in OpenVINO.
static const char *make_mod(Ir *ir, const IrLayer *layer, const char *op) {
  bool is_floor = strcmp(layer->type, "FloorMod") == 0;
  if (is_floor && !is_integer(layer, "iIuU"))
    return "'FloorMod' of floats is not supported";
  const char *why = make_broadcasting(ir, layer, op);
  if (!why && !is_floor)
    ir_int(ir, ir->node.item[ir->node.count - 1], "fmod", 1);
  return why;
}

// The type of the numbers is that of the bounds.
static const char *make_range(Ir *ir, const IrLayer *layer, const char *op) {
  int32_t type = ir_element_type(ir_attribute_or(layer, "output_type", ""));
  if (ir_attribute(layer, "output_type") && type != data_type(layer))
    return ir_bad_value(ir, layer, "output_type");
  return same_inputs(ir, layer, op);
}

static const char *make_elu(Ir *ir, const IrLayer *layer, const char *op) {
  char *end;
  const char *alpha = ir_attribute_or(layer, "alpha", "");
  float number = strtof(alpha, &end);
  if (end == alpha)
    return ir_bad_value(ir, layer, "alpha");
  ir_float(ir, ir_unary(ir, layer, op), "alpha", number);
  return NULL;
}

static const char *make_gelu(Ir *ir, const IrLayer *layer, const char *op) {
  if (!ir_has(layer, "approximation_mode", "erf", "erf"))
    return ir_bad_word(ir, layer, "approximation_mode", "ERF");
  (void)ir_unary(ir, layer, op);
  return NULL;
}

static const char *make_swish(Ir *ir, const IrLayer *layer, const char *op) {
  if (layer->in.count > 1)
    return "'Swish' with a beta is not supported";
  (void)ir_unary(ir, layer, op);
  return NULL;
}

static const char *make_softmax(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis;
  if (!ir_integer_or(layer, "axis", 1, &axis))
    return ir_bad_value(ir, layer, "axis");
  ir_int(ir, ir_unary(ir, layer, op), "axis", axis);
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
  if (!ir_has(layer, "auto_pad", "explicit", "explicit") ||
      !ir_integers(ir->arena, ir_attribute_or(layer, "strides", ""), &stride, &strides) ||
      !ir_integers(ir->arena, ir_attribute_or(layer, "pads_begin", ""), &begin, &begins) ||
      !ir_integers(ir->arena, ir_attribute_or(layer, "pads_end", ""), &end, &ends) ||
      !ir_integers(ir->arena, ir_attribute_or(layer, "dilations", ""), &dilation, &dilations) ||
      strides == 0 || begins != strides || ends != strides || dilations != strides)
    return "";
  int64_t *pads = ARENA_ARRAY(ir->arena, int64_t, 2 * begins);
  for (int i = 0; i < begins; i++) {
    pads[i] = begin[i];
    pads[begins + i] = end[i];
  }
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  Onnx__NodeProto *node = ir_whole_node(ir, layer, op, in, 2);
  ir_ints(ir, node, "strides", stride, strides);
  ir_ints(ir, node, "pads", pads, 2 * begins);
  ir_ints(ir, node, "dilations", dilation, dilations);
  return NULL;
}

// ---- The table

static const Rule rules[] = {
    // Layers that move elements.
    {"Reshape", 2, 2, "openvino.Reshape", "special_zero", make_reshape},
    {"Squeeze", 1, 2, "Squeeze", "allow_axis_skip", make_squeeze},
    {"Unsqueeze", 2, 2, "Unsqueeze", "", make_unsqueeze},
    {"Transpose", 2, 2, "Transpose", "", make_transpose},
    {"Concat", 1, MANY, "Concat", "axis", make_concat},
    {"Split", 2, 2, "openvino.Split", "num_splits", make_split},
    {"VariadicSplit", 3, 3, "Split", "", ir_variadic_split},
    {"StridedSlice", 3, 4, "Slice",
     "begin_mask end_mask new_axis_mask shrink_axis_mask ellipsis_mask", ir_strided_slice},
    {"Slice", 4, 5, "Slice", "", make_slice},
    {"Gather", 3, 3, "Gather", "batch_dims", make_gather},
    {"GatherElements", 2, 2, "GatherElements", "axis", make_gather_elements},
    {"GatherND", 2, 2, "GatherND", "batch_dims", make_gather_nd},
    {"Pad", 3, 4, "Pad", "pad_mode", ir_pad},
    {"Tile", 2, 2, "Tile", "", make_tile},
    {"Broadcast", 2, 3, "Expand", "mode", ir_broadcast},
    {"DepthToSpace", 1, 1, "DepthToSpace", "mode block_size", ir_blocks},
    {"SpaceToDepth", 1, 1, "SpaceToDepth", "mode block_size", ir_blocks},
    {"ReverseSequence", 2, 2, "ReverseSequence", "batch_axis seq_axis", ir_reverse},
    {"Roll", 3, 3, "openvino.Roll", "", make_roll},
    {"Reverse", 2, 2, "Slice", "mode", ir_reverse_axes},
    {"ScatterUpdate", 4, 4, "ScatterND", "", ir_scatter_update},
    {"ScatterElementsUpdate", 4, 4, "ScatterElements", "reduction use_init_val",
     ir_scatter_elements},
    {"ScatterNDUpdate", 3, 3, "ScatterND", "reduction", ir_scatter_nd},
    {"ShuffleChannels", 1, 1, "", "axis group", ir_shuffle},
    {"SpaceToBatch", 4, 4, "", "", ir_space_to_batch},
    {"BatchToSpace", 4, 4, "", "", ir_batch_to_space},
    {"Convert", 1, 1, "Cast", "destination_type", make_convert},
    {"ConvertLike", 2, 2, "CastLike", "", make_convert_like},
    // Shapes and arithmetic on them; as data, they are not operators here.
    {"ShapeOf", 1, 1, "Shape", "output_type", make_shape},
    {"Add", 2, 2, "Add", "auto_broadcast", make_broadcasting},
    {"Subtract", 2, 2, "Sub", "auto_broadcast", make_broadcasting},
    {"Multiply", 2, 2, "Mul", "auto_broadcast", make_broadcasting},
    {"Divide", 2, 2, "Div", "auto_broadcast m_pythondiv", make_divide},
    {"FloorMod", 2, 2, "Mod", "auto_broadcast", make_mod},
    {"Mod", 2, 2, "Mod", "auto_broadcast", make_mod},
    {"Range", 3, 3, "Range", "output_type", make_range},
    {"Maximum", 2, 2, "Max", "auto_broadcast", make_broadcasting},
    {"Minimum", 2, 2, "Min", "auto_broadcast", make_broadcasting},
    {"Equal", 2, 2, "Equal", "auto_broadcast", make_broadcasting},
    {"Less", 2, 2, "Less", "auto_broadcast", make_broadcasting},
    {"LessEqual", 2, 2, "LessOrEqual", "auto_broadcast", make_broadcasting},
    {"Greater", 2, 2, "Greater", "auto_broadcast", make_broadcasting},
    {"GreaterEqual", 2, 2, "GreaterOrEqual", "auto_broadcast", make_broadcasting},
    {"LogicalAnd", 2, 2, "And", "auto_broadcast", make_broadcasting},
    {"LogicalOr", 2, 2, "Or", "auto_broadcast", make_broadcasting},
    {"LogicalNot", 1, 1, "Not", "", make_not},
    {"Negative", 1, 1, "Neg", "", same_inputs},
    {"Select", 3, 3, "Where", "auto_broadcast", make_broadcasting},
    {"ReduceProd", 2, 2, "ReduceProd", "keep_dims", make_reduce},
    {"ReduceSum", 2, 2, "ReduceSum", "keep_dims", make_reduce},
    {"ReduceMax", 2, 2, "ReduceMax", "keep_dims", make_reduce},
    {"ReduceMin", 2, 2, "ReduceMin", "keep_dims", make_reduce},
    {"MatMul", 2, 2, "MatMul", "transpose_a transpose_b", make_matmul},
    {"Convolution", 2, 2, "Conv", "strides pads_begin pads_end dilations auto_pad",
     make_convolution},
    // Elementwise functions, and softmax.
    {"ReLU", 1, 1, "Relu", "", same_inputs},
    {"Sigmoid", 1, 1, "Sigmoid", "", same_inputs},
    {"Tanh", 1, 1, "Tanh", "", same_inputs},
    {"Elu", 1, 1, "Elu", "alpha", make_elu},
    {"SoftPlus", 1, 1, "Softplus", "", same_inputs},
    {"SoftSign", 1, 1, "Softsign", "", same_inputs},
    {"HSwish", 1, 1, "HardSwish", "", same_inputs},
    {"Swish", 1, 2, "Swish", "", make_swish},
    {"Mish", 1, 1, "Mish", "", same_inputs},
    {"Gelu", 1, 1, "Gelu", "approximation_mode", make_gelu},
    {"Exp", 1, 1, "Exp", "", same_inputs},
    {"Log", 1, 1, "Log", "", same_inputs},
    {"Sqrt", 1, 1, "Sqrt", "", same_inputs},
    {"Sin", 1, 1, "Sin", "", same_inputs},
    {"Cos", 1, 1, "Cos", "", same_inputs},
    {"Tan", 1, 1, "Tan", "", same_inputs},
    {"Asin", 1, 1, "Asin", "", same_inputs},
    {"Acos", 1, 1, "Acos", "", same_inputs},
    {"Atan", 1, 1, "Atan", "", same_inputs},
    {"Sinh", 1, 1, "Sinh", "", same_inputs},
    {"Cosh", 1, 1, "Cosh", "", same_inputs},
    {"Asinh", 1, 1, "Asinh", "", same_inputs},
    {"Acosh", 1, 1, "Acosh", "", same_inputs},
    {"Atanh", 1, 1, "Atanh", "", same_inputs},
    {"Abs", 1, 1, "Abs", "", same_inputs},
    {"Ceiling", 1, 1, "Ceil", "", make_round},
    {"Floor", 1, 1, "Floor", "", make_round},
    {"SoftMax", 1, 1, "Softmax", "axis", make_softmax},
};

static bool is_word_of(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

static const char *check_booleans(Ir *ir, const IrLayer *layer) {
  static const char names[] = "special_zero allow_axis_skip keep_dims transpose_a transpose_b "
                              "m_pythondiv use_init_val";
  for (int i = 0; i < layer->attribute.count; i++) {
    const IrAttribute *a = &layer->attribute.item[i];
    if (is_word_of(names, a->name) && !ir_word_of(ir, "true false 1 0", a->value))
      return arena_printf(ir->arena, "'%s' of '%s' is '%s'; it must be 'true' or 'false'", a->name,
                          layer->type, a->value);
  }
  return NULL;
}

static const char *wrong_count(Ir *ir, const IrLayer *layer, const char *ports, int count,
                               const char *wanted) {
  return arena_printf(ir->arena, "'%s' has %d %s%s; it must have %s", layer->type, count, ports,
                      count == 1 ? "" : "s", wanted);
}

// Only the layers that split have several outputs, whose number they check.
static const char *check_ports(Ir *ir, const IrLayer *layer, const Rule *rule) {
  int in = layer->in.count, out = layer->out.count;
  bool splits = strcmp(rule->type, "Split") == 0 || strcmp(rule->type, "VariadicSplit") == 0;
  const char *wanted = rule->most == MANY ? arena_printf(ir->arena, "at least %d", rule->least)
                       : rule->least == rule->most
                           ? arena_printf(ir->arena, "%d", rule->least)
                           : arena_printf(ir->arena, "%d or %d", rule->least, rule->most);
  if (in < rule->least || in > rule->most)
    return wrong_count(ir, layer, "input", in, wanted);
  if (out == 0 || (out > 1 && !splits))
    return wrong_count(ir, layer, "output", out, splits ? "at least 1" : "1");
  return NULL;
}

const char *ir_translate(Ir *ir, const IrLayer *layer) {
  const Rule *rule = NULL;
  for (size_t i = 0; i < sizeof rules / sizeof *rules && !rule; i++)
    if (strcmp(rules[i].type, layer->type) == 0)
      rule = &rules[i];
  if (!rule)
    return "";
  if (version_of(layer) < 1)
    return arena_printf(ir->arena, "'%s' has version '%s'; it must be 'opset1' or later",
                        layer->type, layer->version);
  for (int i = 0; i < layer->attribute.count; i++)
    if (!is_word_of(rule->attributes, layer->attribute.item[i].name))
      return arena_printf(ir->arena, "'%s' has an unknown attribute '%s'; known: %s", layer->type,
                          layer->attribute.item[i].name,
                          *rule->attributes ? rule->attributes : "none");
  const char *why = check_booleans(ir, layer);
  if (!why)
    why = check_ports(ir, layer, rule);
  return why ? why : rule->make(ir, layer, rule->op);
}
