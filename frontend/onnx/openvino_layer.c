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
#include <stdlib.h>
#include <string.h>

typedef struct Rule {
  const char *type, *op;
  const char *attributes; // allowed attributes; any other one is a reason to reject it
  const char *(*make)(Ir *ir, const IrLayer *layer, const char *op); // NULL, or the reason why not
} Rule;

// ---- Common steps

static bool is_true(const IrLayer *layer, const char *name, bool fallback) {
  const char *given = ir_attribute(layer, name);
  return given ? strcmp(given, "true") == 0 || strcmp(given, "1") == 0 : fallback;
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

static const char *make_broadcasting(Ir *ir, const IrLayer *layer, const char *op) {
  if (!ir_has(layer, "auto_broadcast", "numpy", "numpy") &&
      !ir_has(layer, "auto_broadcast", "none", "numpy"))
    return ir_bad_value(ir, layer, "auto_broadcast");
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

// Leaves out the axes whose size is not 1, as `allow_axis_skip` says. False: a size, or the axes are unknown.
static bool skip_axes(const IrLayer *layer, int64_t *axes, int *count) {
  int kept = 0;
  for (int i = 0; i < *count; i++) {
    int64_t size = ir_size(layer, axes[i]);
    if (size < 0)
      return false;
    if (size == 1)
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
  if (given != 0 && layer->in.count > 1 && is_true(layer, "allow_axis_skip", false) &&
      !(is_constant && skip_axes(layer, axes, &count)))
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
      parts < 1 || parts != layer->out.count)
    return ir_bad_value(ir, layer, "num_splits");
  int64_t size = ir_size(layer, axis);
  if (size >= 0 && size % parts != 0)
    return arena_printf(ir->arena, "'Split' cuts %" PRId64 " into %" PRId64 " parts of one size",
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
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
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
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
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
  const char *type = ir_attribute_or(layer, "output_type", "i64");
  const char *data = ir_input(layer, 0);
  if (strcmp(type, "i64") == 0)
    return same_inputs(ir, layer, op);
  if (strcmp(type, "i32") != 0)
    return ir_bad_value(ir, layer, "output_type");
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
  const char *mode = ir_attribute_or(layer, "approximation_mode", "ERF");
  if (strcmp(mode, "ERF") != 0 && strcmp(mode, "erf") != 0)
    return ir_bad_value(ir, layer, "approximation_mode");
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
    {"Reshape", "openvino.Reshape", "special_zero", make_reshape},
    {"Squeeze", "Squeeze", "allow_axis_skip", make_squeeze},
    {"Unsqueeze", "Unsqueeze", "", make_unsqueeze},
    {"Transpose", "Transpose", "", make_transpose},
    {"Concat", "Concat", "axis", make_concat},
    {"Split", "openvino.Split", "num_splits", make_split},
    {"VariadicSplit", "Split", "", ir_variadic_split},
    {"StridedSlice", "Slice", "begin_mask end_mask new_axis_mask shrink_axis_mask ellipsis_mask",
     ir_strided_slice},
    {"Slice", "Slice", "", make_slice},
    {"Gather", "Gather", "batch_dims", make_gather},
    {"GatherElements", "GatherElements", "axis", make_gather_elements},
    {"GatherND", "GatherND", "batch_dims", make_gather_nd},
    {"Pad", "Pad", "pad_mode", ir_pad},
    {"Tile", "Tile", "", make_tile},
    {"Broadcast", "Expand", "mode", ir_broadcast},
    {"DepthToSpace", "DepthToSpace", "mode block_size", ir_blocks},
    {"SpaceToDepth", "SpaceToDepth", "mode block_size", ir_blocks},
    {"ReverseSequence", "ReverseSequence", "batch_axis seq_axis", ir_reverse},
    {"Roll", "openvino.Roll", "", same_inputs},
    {"Reverse", "Slice", "mode", ir_reverse_axes},
    {"ScatterUpdate", "ScatterND", "", ir_scatter_update},
    {"ScatterElementsUpdate", "ScatterElements", "reduction use_init_val", ir_scatter_elements},
    {"ScatterNDUpdate", "ScatterND", "reduction", ir_scatter_nd},
    {"ShuffleChannels", "", "axis group", ir_shuffle},
    {"SpaceToBatch", "", "", ir_space_to_batch},
    {"BatchToSpace", "", "", ir_batch_to_space},
    {"Convert", "Cast", "destination_type", make_convert},
    {"ConvertLike", "CastLike", "", make_convert_like},
    // Shapes and arithmetic on them; as data, they are not operators here.
    {"ShapeOf", "Shape", "output_type", make_shape},
    {"Add", "Add", "auto_broadcast", make_broadcasting},
    {"Subtract", "Sub", "auto_broadcast", make_broadcasting},
    {"Multiply", "Mul", "auto_broadcast", make_broadcasting},
    {"Divide", "Div", "auto_broadcast m_pythondiv", make_divide},
    {"FloorMod", "Mod", "auto_broadcast", make_mod},
    {"Mod", "Mod", "auto_broadcast", make_mod},
    {"Range", "Range", "output_type", make_range},
    {"Maximum", "Max", "auto_broadcast", make_broadcasting},
    {"Minimum", "Min", "auto_broadcast", make_broadcasting},
    {"Equal", "Equal", "auto_broadcast", make_broadcasting},
    {"Less", "Less", "auto_broadcast", make_broadcasting},
    {"LessEqual", "LessOrEqual", "auto_broadcast", make_broadcasting},
    {"Greater", "Greater", "auto_broadcast", make_broadcasting},
    {"GreaterEqual", "GreaterOrEqual", "auto_broadcast", make_broadcasting},
    {"LogicalAnd", "And", "auto_broadcast", make_broadcasting},
    {"LogicalOr", "Or", "auto_broadcast", make_broadcasting},
    {"LogicalNot", "Not", "", make_not},
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
    {"Ceiling", "Ceil", "", make_round},
    {"Floor", "Floor", "", make_round},
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
      return arena_printf(ir->arena, "'%s' has an unknown attribute '%s'; known: %s", layer->type,
                          layer->attribute.item[i].name,
                          *rule->attributes ? rule->attributes : "none");
  if (layer->in.count == 0 || layer->out.count == 0)
    return arena_printf(ir->arena, "'%s' has no %s", layer->type,
                        layer->in.count == 0 ? "inputs" : "outputs");
  return rule->make(ir, layer, rule->op);
}
