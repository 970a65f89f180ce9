// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes with only constant operands become constants: operators that move elements, and arithmetic that gives the
// same bits on every machine.
//
//   Transpose(w), w an initializer     an initializer
//   Mul(scale, gamma)                  an initializer
//   ConstantOfShape([64])              an initializer, unless it is large
#include "frontend/onnx/onnx_optimize_internal.h"

#include <math.h>
#include <string.h>

enum {
  SMALL_BYTES = 4096,   // of a constant that may be larger than its operands
  MOST_BYTES = 1 << 26, // of any constant
};

size_t optimize_constant_bytes(const Constant *c) {
  rsh_num volume = rsh_int(0);
  (void)rsh_volume(NULL, &c->shape, &volume);
  return (size_t)volume.n * (size_t)rsh_dtype_bits(c->dtype) / 8;
}

bool optimize_tensor(const Optimizer *o, const Onnx__TensorProto *tensor, size_t most,
                     Constant *out) {
  Reader r = {.arena = o->arena, .file = o->file};
  const char *why = NULL;
  if (!onnx_tensor_type(tensor, o->arena, &out->dtype, &out->shape, &why) ||
      out->dtype == RSH_STRING || rsh_dtype_bits(out->dtype) < 8 ||
      optimize_constant_bytes(out) > most)
    return false;
  out->bytes = onnx_tensor_bytes(&r, tensor, &why);
  return out->bytes != NULL;
}

bool optimize_constant(const Optimizer *o, const Var *var, size_t most, Constant *out) {
  if (var->outer)
    return optimize_constant(o, var->outer, most, out);
  if (var->constant) {
    *out = *var->constant;
    return optimize_constant_bytes(out) <= most;
  }
  bool is_constant = var->tensor && (var->is_lifted || var->maker < 0);
  return is_constant && optimize_tensor(o, var->tensor, most, out);
}

static bool is_known_shape(const rsh_shape *shape) {
  rsh_num volume;
  for (int32_t i = 0; i < shape->rank; i++)
    if (!rsh_is_known(shape->dim[i]))
      return false;
  return shape->rank != RSH_RANK_UNKNOWN && rsh_volume(NULL, shape, &volume) == RSH_ok &&
         volume.n <= MOST_BYTES;
}

static bool is_worth_it(const Constant *made, size_t operands) {
  size_t size = optimize_constant_bytes(made);
  return size <= SMALL_BYTES || size <= operands;
}

static bool keep(Optimizer *o, Var *var, const Constant *made) {
  if (!var || var->is_result || var->same || var->is_weight)
    return false;
  Constant *kept = ARENA_NEW(o->arena, Constant);
  *kept = *made;
  var->constant = kept;
  var->dtype = made->dtype;
  return true;
}

// ---- Moves

static const rsh_moves *identity_moves(Optimizer *o, int32_t source, const Constant *c) {
  rsh_moves *m = ARENA_NEW(o->arena, rsh_moves);
  rsh_num volume = rsh_int(0);
  *m = (rsh_moves){.move = ARENA_NEW(o->arena, rsh_move),
                   .axis = ARENA_NEW(o->arena, rsh_axis),
                   .capacity = 1,
                   .axis_capacity = 1};
  (void)rsh_volume(NULL, &c->shape, &volume);
  (void)rsh_moves_identity(m, source, volume);
  return m;
}

static void move_constants(Optimizer *o, const Onnx__NodeProto *proto, const Node *node) {
  int32_t count = node->call.in_count;
  const rsh_moves **in = ARENA_ARRAY(o->arena, const rsh_moves *, count);
  const void **source = ARENA_ARRAY(o->arena, const void *, count);
  const Graph *graph = o->survey->graph;
  const void **fill = ARENA_ARRAY(o->arena, const void *, graph->fill.count + 1);
  size_t operands = 0;
  if (node->is_undecided || node->data)
    return;
  for (int i = 0; i < graph->fill.count; i++)
    fill[i] = graph->fill.item[i].bits;
  for (int32_t i = 0; i < count; i++) {
    Var *var = optimize_var(o, proto->input[i]);
    Constant c;
    if (!optimize_constant(o, optimize_origin(var), MOST_BYTES, &c))
      return;
    in[i] = identity_moves(o, i, &c);
    source[i] = c.bytes;
    operands += optimize_constant_bytes(&c);
  }
  for (int32_t k = 0; k < node->call.out_count; k++) {
    Constant made = {node->out[k]->dtype, node->out[k]->shape, NULL};
    if (!is_known_shape(&made.shape) || made.dtype != node->in[0]->dtype ||
        !is_worth_it(&made, operands) ||
        rsh_fold(&node->call, k, &made.shape, in, &o->out, &o->work) != RSH_ok)
      continue;
    uint8_t *bytes = arena_alloc(o->arena, optimize_constant_bytes(&made) + 1);
    made.bytes = bytes;
    // a slice of known size may begin at an unknown element
    if (rsh_run_moves(&o->out, (uint32_t)rsh_dtype_bits(made.dtype) / 8, source, fill, bytes) ==
        RSH_ok)
      (void)keep(o, optimize_var(o, proto->output[k]), &made);
  }
}

// ---- Arithmetic: one IEEE 754 operation per element, rounded to nearest

typedef enum Sum { SUM_ADD, SUM_SUB, SUM_MUL, SUM_DIV, SUM_NONE } Sum;

static Sum sum_of(const Optimizer *o, const Onnx__NodeProto *node) {
  static const char *const name[] = {"Add", "Sub", "Mul", "Div"};
  bool is_broadcast = o->opset >= 7 && node->n_input == 2 && node->n_output == 1;
  for (int i = 0; is_broadcast && i < SUM_NONE; i++)
    if (optimize_is_op(node, name[i]))
      return (Sum)i;
  return SUM_NONE;
}

static float sum_single(Sum sum, float a, float b) {
  switch (sum) {
  case SUM_ADD:
    return a + b;
  case SUM_SUB:
    return a - b;
  case SUM_MUL:
    return a * b;
  case SUM_DIV:
    return a / b;
  case SUM_NONE:
    break;
  }
  return NAN;
}

static void sum_constants(Optimizer *o, const Onnx__NodeProto *node, Sum sum) {
  Constant in[2], made = {RSH_F32, {0}, NULL};
  for (int i = 0; i < 2; i++) {
    Var *var = optimize_var(o, node->input[i]);
    if (!var || !optimize_constant(o, optimize_origin(var), MOST_BYTES, &in[i]) ||
        in[i].dtype != RSH_F32)
      return;
  }
  made.shape = in[0].shape;
  size_t operands = optimize_constant_bytes(&in[0]) + optimize_constant_bytes(&in[1]);
  if (!onnx_broadcast_known(&made.shape, &in[1].shape) || !is_known_shape(&made.shape) ||
      !is_worth_it(&made, operands))
    return;
  size_t count = optimize_constant_bytes(&made) / sizeof(float);
  uint8_t *bytes = arena_alloc(o->arena, count * sizeof(float) + 1);
  for (size_t i = 0; i < count; i++) {
    float a, b, result;
    int32_t at = onnx_broadcast_index(&in[0].shape, &made.shape, (int32_t)i);
    int32_t other = onnx_broadcast_index(&in[1].shape, &made.shape, (int32_t)i);
    memcpy(&a, in[0].bytes + (size_t)at * sizeof a, sizeof a);
    memcpy(&b, in[1].bytes + (size_t)other * sizeof b, sizeof b);
    result = sum_single(sum, a, b);
    if (isnan(result)) // machines differ in its bits
      return;
    memcpy(bytes + i * sizeof result, &result, sizeof result);
  }
  made.bytes = bytes;
  (void)keep(o, optimize_var(o, node->output[0]), &made);
}

// ---- Equal elements

static void fill_constant(Optimizer *o, const Onnx__NodeProto *node) {
  Var *var = optimize_var(o, node->output[0]);
  const Onnx__AttributeProto *a = optimize_attribute(node, "value");
  float zero = 0;
  Constant value = {RSH_F32, {0}, (const uint8_t *)&zero}, made;
  if (!var->shape || !is_known_shape(var->shape) || node->n_output != 1 ||
      (a && (!a->t || !optimize_tensor(o, a->t, SMALL_BYTES, &value))))
    return;
  size_t size = (size_t)rsh_dtype_bits(value.dtype) / 8;
  made = (Constant){value.dtype, *var->shape, NULL};
  if (optimize_constant_bytes(&value) != size || !is_worth_it(&made, 0))
    return;
  uint8_t *bytes = arena_alloc(o->arena, optimize_constant_bytes(&made) + 1);
  for (size_t i = 0; i < optimize_constant_bytes(&made); i++)
    bytes[i] = value.bytes[i % size];
  made.bytes = bytes;
  (void)keep(o, var, &made);
}

// ---- All nodes

void optimize_constants(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++) {
    size_t index = o->order[i];
    const Onnx__NodeProto *node = o->graph->node[index];
    const Moved *moved = o->node[index].moved;
    Sum sum = sum_of(o, node);
    Var *var = node->n_output > 0 ? optimize_var(o, node->output[0]) : NULL;
    if (!var || var->constant)
      continue;
    if (optimize_is_op(node, "ConstantOfShape"))
      fill_constant(o, node);
    else if (moved && moved->is_one)
      move_constants(o, node, moved->made);
    else if (sum != SUM_NONE)
      sum_constants(o, node, sum);
  }
}
