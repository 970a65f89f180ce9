// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands without effect, bit for bit.
//
//   Mul(x, 1), Div(x, 1), Sub(x, 0), Add(x, -0.0)     x; Add(x, 0) stays: it makes 0 of -0
//   Concat(a: f32[B, 2], b: f32[B, 0])                Concat(a)
//   LSTM(x, w, r, b, , h, c), h and c are zeros       LSTM(x, w, r, b): an omitted state is zero
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

enum { NEUTRAL_BYTES = 1 << 16, MOST_STEPS = 16, MOST_DROPPED = 64 };

// ---- Arithmetic

typedef enum Neutral { ZERO, MINUS_ZERO, ONE } Neutral;

typedef struct NeutralOperand {
  const char *op;
  bool is_either; // of the two operands; else it is the second
  Neutral element;
} NeutralOperand;

// -0 leaves every sum unchanged: 0 + -0 is 0.
static const NeutralOperand neutral_operands[] = {
    {"Mul", true, ONE}, {"Div", false, ONE}, {"Add", true, MINUS_ZERO}, {"Sub", false, ZERO},
    {"And", true, ONE}, {"Or", true, ZERO},  {"Xor", true, ZERO},
};

static uint64_t neutral_bits(Neutral element, rsh_dtype dtype) {
  if (element == MINUS_ZERO && rsh_dtype_is_float(dtype))
    return UINT64_C(1) << (rsh_dtype_bits(dtype) - 1);
  if (element != ONE)
    return 0;
  rsh_float f = rsh_dtype_float(dtype); // 1 is 2^0: the exponent is the bias, the mantissa 0
  return f.special == RSH_NO_FLOAT ? 1 : (uint64_t)f.bias << f.mantissa_bits;
}

static bool is_all(const Constant *c, uint64_t bits) {
  size_t size = (size_t)rsh_dtype_bits(c->dtype) / 8, bytes = optimize_constant_bytes(c);
  for (size_t i = 0; i < bytes; i++)
    if (c->bytes[i] != (uint8_t)(bits >> 8 * (i % size)))
      return false;
  return true;
}

// Returns whether the other operand keeps its shape when broadcast.
static bool keeps_shape(const rsh_shape *with, const Var *var) {
  if (with->rank > 0 && (!var->shape || var->shape->rank < with->rank))
    return false;
  for (int32_t k = 1; k <= with->rank; k++)
    if (!rsh_is(with->dim[with->rank - k], 1) &&
        !rsh_equal(with->dim[with->rank - k], var->shape->dim[var->shape->rank - k]))
      return false;
  return true;
}

// Types with integer or IEEE 754 arithmetic.
static bool has_neutral(rsh_dtype dtype) { return (dtype >= RSH_BOOL && dtype <= RSH_F64); }

static bool is_neutral(const Optimizer *o, const NeutralOperand *rule, const Var *var,
                       const Var *other) {
  Constant c;
  return optimize_constant(o, var, NEUTRAL_BYTES, &c) && has_neutral(c.dtype) &&
         keeps_shape(&c.shape, other) && is_all(&c, neutral_bits(rule->element, c.dtype));
}

int optimize_passed_operand(const Optimizer *o, const Onnx__NodeProto *node) {
  size_t rules = sizeof neutral_operands / sizeof *neutral_operands;
  if (node->n_input != 2 || o->opset < 7)
    return -1;
  Var *a = optimize_var(o, node->input[0]), *b = optimize_var(o, node->input[1]);
  for (size_t i = 0; a && b && i < rules; i++) {
    const NeutralOperand *rule = &neutral_operands[i];
    if (!optimize_is_op(node, rule->op))
      continue;
    a = optimize_origin(a);
    b = optimize_origin(b);
    return is_neutral(o, rule, b, a) ? 0 : rule->is_either && is_neutral(o, rule, a, b) ? 1 : -1;
  }
  return -1;
}

// ---- Omitted operands

void optimize_drop_input(Optimizer *o, size_t index, size_t input) {
  o->node[index].dropped |= UINT64_C(1) << input;
  optimize_origin(optimize_var(o, o->graph->node[index]->input[input]))->readers--;
}

// Drops operands without elements along the axis; if all are empty, the first one stays.
static void drop_empty(Optimizer *o, size_t index) {
  const Onnx__NodeProto *node = o->graph->node[index];
  size_t left = node->n_input;
  const Onnx__AttributeProto *given = optimize_attribute(node, "axis");
  if (!given)
    return;
  for (size_t i = left < MOST_DROPPED ? left : MOST_DROPPED; i-- > 0 && left > 1;) {
    const rsh_shape *shape = optimize_shape(o, node->input[i]);
    int32_t axis;
    if (!shape || !rsh_axis_index(given->i, shape->rank, &axis) || !rsh_is(shape->dim[axis], 0))
      continue;
    optimize_drop_input(o, index, i);
    left--;
  }
}

// Returns whether all elements are +0, for any element count.
static bool is_zeros(const Optimizer *o, const char *name, int steps) {
  static const char moves[] =
      "Slice Reshape Transpose Squeeze Unsqueeze Expand Gather Tile Flatten Split Identity";
  Var *var = optimize_var(o, name);
  Constant c;
  if (!var || steps == 0)
    return false;
  var = optimize_origin(var);
  if (optimize_constant(o, var, NEUTRAL_BYTES, &c))
    return is_all(&c, 0);
  const Onnx__NodeProto *node = var->maker < 0 ? NULL : o->graph->node[var->maker];
  if (!node || node->n_input == 0)
    return false;
  if (optimize_is_op(node, "ConstantOfShape")) {
    const Onnx__AttributeProto *given = optimize_attribute(node, "value");
    const Onnx__TensorProto *value = given ? given->t : NULL;
    return !value || (optimize_tensor(o, value, NEUTRAL_BYTES, &c) && is_all(&c, 0));
  }
  if (optimize_is_op(node, "Concat")) {
    bool are_zeros = true;
    for (size_t i = 0; i < node->n_input; i++)
      are_zeros = are_zeros && is_zeros(o, node->input[i], steps - 1);
    return are_zeros;
  }
  return optimize_is_op(node, moves) && is_zeros(o, node->input[0], steps - 1);
}

static void drop_zeros(Optimizer *o, size_t index) {
  const Onnx__NodeProto *node = o->graph->node[index];
  for (size_t i = 5; i < node->n_input && i <= 6; i++) // initial_h, initial_c
    if (is_zeros(o, node->input[i], MOST_STEPS))
      optimize_drop_input(o, index, i);
}

void optimize_drop(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++) {
    const Onnx__NodeProto *node = o->graph->node[i];
    if (o->node[i].is_left_out)
      continue;
    if (optimize_is_op(node, "Concat"))
      drop_empty(o, i);
    else if (optimize_is_op(node, "LSTM GRU RNN"))
      drop_zeros(o, i);
  }
}
