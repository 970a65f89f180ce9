// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of a node that becomes several operators: each is applied to the result of the one before.
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

Value *step_operand(Visit *v, size_t input) {
  if (input >= v->node->n_input || !v->in[input])
    return refused(onnx_error(v, "arity", "input %zu is left out", input));
  Value *x = item_value(v->r, v->in[input], v->span);
  if (x && x->shape.rank == RSH_RANK_UNKNOWN)
    return refused(onnx_rank_error(v, input));
  return x;
}

static Values apply_to_all(Visit *v, Binding *b, Value *const *in, int count) {
  Lower *l = &v->r->data;
  Span *span = ARENA_ARRAY(l->arena, Span, count);
  for (int i = 0; i < count; i++)
    span[i] = v->span;
  binding_operands(l, b, in, span, count);
  if (rsh_op_family(b->call.op) == RSH_FILLS)
    default_value(l, b);
  return binding_apply(l, b);
}

static Value *apply_to(Visit *v, Binding *b, Value *const *in, int count) {
  for (int i = 0; i < count; i++)
    if (!in[i])
      return NULL;
  Values values = apply_to_all(v, b, in, count);
  return values.count == 1 ? values.item[0] : NULL;
}

static Binding *step_new(Visit *v, rsh_op op) {
  return binding_new(&v->r->data, op, v->op, v->span);
}

static bool is_shape(const Value *x, const rsh_shape *shape) {
  bool is_same = x->shape.rank == shape->rank;
  for (int32_t i = 0; is_same && i < shape->rank; i++)
    is_same = rsh_equal(x->shape.dim[i], shape->dim[i]);
  return is_same;
}

// With sizes known only at run time, merging all elements into one axis is still possible.
Value *step_shape(Visit *v, Value *x, const rsh_shape *to) {
  const rsh_num any = rsh_int(-1);
  bool is_open = false;
  if (!x || is_shape(x, to))
    return x;
  for (int32_t i = 0; i < to->rank; i++)
    is_open = is_open || rsh_is_unknown(to->dim[i]);
  if (is_open && to->rank > 1) {
    onnx_error(v, "unsupported", "'%s' of sizes known only at run time is not supported", v->op);
    return NULL;
  }
  Binding *b = step_new(v, RSH_OP_RESHAPE);
  binding_list(&v->r->data, b, 0, is_open ? &any : to->dim, to->rank);
  if (!is_open)
    binding_int(&v->r->data, b, 1, 1); // allowzero
  return apply_to(v, b, &x, 1);
}

Value *step_gather(Visit *v, Value *x, const rsh_num *index, int32_t count, int32_t axis) {
  Binding *b = step_new(v, RSH_OP_GATHER);
  binding_list(&v->r->data, b, 0, index, count);
  binding_int(&v->r->data, b, 1, axis);
  return apply_to(v, b, &x, 1);
}

Value *step_expand(Visit *v, Value *x, const rsh_shape *to) {
  if (!x || is_shape(x, to))
    return x;
  Binding *b = step_new(v, RSH_OP_EXPAND);
  binding_list(&v->r->data, b, 0, to->dim, to->rank);
  return apply_to(v, b, &x, 1);
}

Value *step_slice(Visit *v, Value *x, rsh_num start, rsh_num end, int32_t axis) {
  const rsh_num axes = rsh_int(axis);
  if (!x || (rsh_is(start, 0) && rsh_equal(end, x->shape.dim[axis])))
    return x;
  Binding *b = step_new(v, RSH_OP_SLICE);
  binding_list(&v->r->data, b, RSH_SLICE_STARTS, &start, 1);
  binding_list(&v->r->data, b, RSH_SLICE_ENDS, &end, 1);
  binding_list(&v->r->data, b, RSH_SLICE_AXES, &axes, 1);
  return apply_to(v, b, &x, 1);
}

Value *step_every(Visit *v, Value *x, rsh_num start, int64_t step, int32_t axis) {
  const rsh_num axes = rsh_int(axis), steps = rsh_int(step);
  if (!x)
    return NULL;
  Binding *b = step_new(v, RSH_OP_SLICE);
  binding_list(&v->r->data, b, RSH_SLICE_STARTS, &start, 1);
  binding_list(&v->r->data, b, RSH_SLICE_ENDS, &x->shape.dim[axis], 1);
  binding_list(&v->r->data, b, RSH_SLICE_AXES, &axes, 1);
  binding_list(&v->r->data, b, RSH_SLICE_STEPS, &steps, 1);
  return apply_to(v, b, &x, 1);
}

Value *step_flip(Visit *v, Value *x, int32_t axis) {
  const rsh_num axes = rsh_int(axis);
  Binding *b = step_new(v, RSH_OP_FLIP);
  binding_list(&v->r->data, b, 0, &axes, 1);
  return apply_to(v, b, &x, 1);
}

Value *step_join(Visit *v, Value *first, Value *second, int32_t axis) {
  Value *both[] = {first, second};
  Binding *b = step_new(v, RSH_OP_CONCAT);
  binding_int(&v->r->data, b, 0, axis);
  return apply_to(v, b, both, 2);
}

Value *step_pad(Visit *v, Value *x, int32_t axis, rsh_num before, rsh_num after, const Fill *fill) {
  enum { PADS, VALUE, AXES = 3 };
  const rsh_num pads[] = {before, after}, axes = rsh_int(axis);
  if (!x)
    return NULL;
  Binding *b = step_new(v, RSH_OP_PAD);
  binding_list(&v->r->data, b, PADS, pads, 2);
  binding_list(&v->r->data, b, AXES, &axes, 1);
  if (fill)
    binding_value(&v->r->data, b, VALUE, fill, literal_text(v->r->arena, fill));
  return apply_to(v, b, &x, 1);
}

Value *step_crop(Visit *v, Value *x, const rsh_num *pads) {
  Binding *b = step_new(v, RSH_OP_PAD);
  binding_list(&v->r->data, b, 0, pads, 2 * x->shape.rank);
  return apply_to(v, b, &x, 1);
}

Value *step_repeat(Visit *v, Value *x, const rsh_num *factor) {
  Binding *b = step_new(v, RSH_OP_REPEAT);
  binding_list(&v->r->data, b, 0, factor, x->shape.rank);
  return apply_to(v, b, &x, 1);
}

Value *step_transpose(Visit *v, Value *x, const rsh_num *perm, int32_t rank) {
  bool moves = false;
  for (int32_t i = 0; i < rank; i++)
    moves = moves || perm[i].n != i;
  Binding *b = step_new(v, RSH_OP_TRANSPOSE);
  binding_list(&v->r->data, b, 0, perm, rank);
  return moves ? apply_to(v, b, &x, 1) : x;
}

Value *step_softmax(Visit *v, Value *x) { return apply_to(v, step_new(v, RSH_OP_SOFTMAX), &x, 1); }

Value *step_same(Visit *v, Value *x) { return apply_to(v, step_new(v, RSH_OP_IDENTITY), &x, 1); }

Value *step_result(Visit *v, Value *made, int nodes) {
  bool is_operand = made && v->r->data.graph->node.count == nodes;
  return is_operand ? apply_identity(&v->r->data, made, v->span) : made;
}

Value *step_join_all(Visit *v, Value *const *x, int count, bool stacks, int64_t axis) {
  Binding *b = step_new(v, stacks ? RSH_OP_STACK : RSH_OP_CONCAT);
  binding_int(&v->r->data, b, 0, axis);
  return apply_to(v, b, x, count);
}

Value *step_squeeze(Visit *v, Value *x, int32_t axis) {
  const rsh_num axes = rsh_int(axis);
  Binding *b = step_new(v, RSH_OP_SQUEEZE);
  binding_list(&v->r->data, b, 0, &axes, 1);
  return apply_to(v, b, &x, 1);
}

Values step_split(Visit *v, Value *x, const rsh_num *size, int count, int32_t axis) {
  enum { AXIS, SIZES = 2 };
  Binding *b = step_new(v, RSH_OP_SPLIT);
  binding_int(&v->r->data, b, AXIS, axis);
  binding_list(&v->r->data, b, SIZES, size, count);
  b->arg[SIZES].name = "split"; // of SplitToSequence
  return apply_to_all(v, b, &x, 1);
}

// Broadcasts the sizes of two operands on an axis: sizes known only at run time must be equal, which a survey does not
// assume. False: an error was reported.
static bool both_sizes(Visit *v, rsh_num *size, rsh_num other) {
  if (rsh_is(*size, 1) && !rsh_is_unknown(other)) {
    *size = other;
    return true;
  }
  if (rsh_is_unknown(*size) || rsh_is_unknown(other))
    return onnx_error(v, "unsupported", "'%s' of sizes known only at run time is not supported",
                      v->op);
  return rsh_is(other, 1) || rsh_equal(*size, other) ||
         (!v->r->surveyor &&
          sizes_must_agree(&v->r->data, *size, other, RSH_shape_mismatch, v->span)) ||
         onnx_error(v, "shape_mismatch", "sizes %s and %s do not broadcast",
                    size_label(&v->r->data, *size), size_label(&v->r->data, other));
}

bool step_broadcast(Visit *v, rsh_shape *shape, const rsh_shape *with) {
  while (shape->rank < with->rank) {
    memmove(shape->dim + 1, shape->dim, (size_t)shape->rank * sizeof *shape->dim);
    shape->dim[0] = rsh_int(1);
    shape->rank++;
  }
  for (int32_t i = 1; i <= with->rank; i++)
    if (!both_sizes(v, &shape->dim[shape->rank - i], with->dim[with->rank - i]))
      return false;
  return true;
}

Value *step_with(Visit *v, Value *x, rsh_op op, rsh_num n) {
  Fill fill = {x ? x->dtype : RSH_BOOL, {0}};
  Binding *b = step_new(v, op);
  if (!x || !rsh_element_from_int(n.n, fill.dtype, fill.bits))
    return NULL;
  binding_value(&v->r->data, b, 0, &fill, literal_text(v->r->arena, &fill));
  return apply_to(v, b, &x, 1);
}

Value *step_cast(Visit *v, Value *x, rsh_dtype to) {
  Binding *b = step_new(v, RSH_OP_CAST);
  binding_int(&v->r->data, b, 0, (int64_t)to);
  return x && x->dtype == to ? x : apply_to(v, b, &x, 1);
}

Value *step_not(Visit *v, Value *x) { return apply_to(v, step_new(v, RSH_OP_BITWISE_NOT), &x, 1); }
