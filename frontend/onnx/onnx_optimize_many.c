// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces many nodes that split a tensor, or join several, by few.
//
//   Slice(x, :129), Slice(x, 129:)                            Split(x, [129, 129])
//   x: [20, B, 512]; Gather(x, 0) ... Gather(x, 19)           Reshape(x, [-1, 512]), Split into 20
//   Unsqueeze(h0), ... Unsqueeze(h19), Concat                 Concat, Reshape([20, -1, 512])
#include "frontend/onnx/onnx_optimize_internal.h"

#include <stdlib.h>
#include <string.h>

// ---- Slices that cover a whole axis

typedef struct Piece {
  int64_t start, end;
  size_t node;
} Piece;

static int by_start(const void *a, const void *b) {
  const Piece *first = a, *second = b;
  return (first->start > second->start) - (first->start < second->start);
}

static int64_t clamp(int64_t at, int64_t size) {
  at = at < 0 ? at + size : at;
  return at < 0 ? 0 : at > size ? size : at;
}

// The range of one axis that a node takes.
static bool piece_of(const Optimizer *o, const Var *from, size_t index, int32_t *axis, Piece *out) {
  const Onnx__NodeProto *node = o->graph->node[index];
  IntList of = {0};
  SliceRange slice;
  int64_t start, end;
  if (o->node[index].is_rewritten || strcmp(node->input[0], from->name) != 0)
    return false;
  if (optimize_read_slice(o, node, &slice) && slice.axis.count == 1 && slice.step.item[0] == 1) {
    of = slice.axis;
    start = slice.start.item[0];
    end = slice.end.item[0];
  } else if (optimize_gathered(o, node, false, &start, &of)) {
    end = start == -1 ? INT64_MAX : start + 1;
  } else {
    return false;
  }
  *axis = (int32_t)of.item[0];
  rsh_num size = from->shape->dim[*axis];
  if (!rsh_is_known(size))
    return false;
  *out = (Piece){clamp(start, size.n), clamp(end, size.n), index};
  return true;
}

static void put_split(Optimizer *o, const Var *from, int32_t axis, const Piece *piece, int count) {
  size_t first = piece[0].node;
  IntList sizes = {.count = count};
  const char *output[RSH_MAX_RANK];
  for (int i = 0; i < count; i++) {
    first = piece[i].node < first ? piece[i].node : first;
    sizes.item[i] = piece[i].end - piece[i].start;
    output[i] = o->graph->node[piece[i].node]->output[0];
  }
  NewNode made = {.op = "Split",
                  .input = {from->name},
                  .inputs = 1,
                  .output = output,
                  .outputs = (size_t)count};
  if (o->opset >= 13)
    made.input[made.inputs++] = optimize_put_list(o, output[0], "split", &sizes);
  else
    optimize_put_ints(o->arena, &made.attributes, "split", sizes.item, count);
  optimize_put_int(o->arena, &made.attributes, "axis", axis);
  for (int i = 0; i < count; i++)
    o->node[piece[i].node].is_rewritten = true;
  optimize_replace(o, first, &made);
}

static void slices_to_split(Optimizer *o, const Var *from) {
  VEC(Piece) piece = {0};
  int32_t axis = -1, other;
  Piece one;
  if (o->opset < 2 || !from->shape || !optimize_is_stable(o, from->name))
    return;
  for (int i = 0; i < from->reader.count; i++)
    if (piece_of(o, from, from->reader.item[i], &other, &one) && (axis < 0 || axis == other)) {
      axis = other;
      VEC_PUSH(o->arena, piece, one);
    }
  if (piece.count < 2 || piece.count > RSH_MAX_RANK)
    return;
  qsort(piece.item, (size_t)piece.count, sizeof *piece.item, by_start);
  int64_t at = 0;
  for (int i = 0; i < piece.count; i++) {
    if (piece.item[i].start != at || piece.item[i].end <= at)
      return;
    at = piece.item[i].end;
  }
  if (at == from->shape->dim[axis].n)
    put_split(o, from, axis, piece.item, piece.count);
}

// ---- Rows: a tensor is split along an axis, or joined

// The shape with two axes merged into one.
//   [20, B, 512], axis 0: [-1, 512]
static bool joined_target(const rsh_shape *shape, int32_t axis, IntList *out) {
  int open = 0;
  *out = (IntList){0};
  for (int32_t i = 0; i < shape->rank; i++) {
    rsh_num size = shape->dim[i];
    bool is_known = rsh_is_known(size);
    open += !is_known;
    if (i != axis + 1)
      out->item[out->count++] = is_known ? size.n : -1;
    else if (!is_known || out->item[axis] == -1)
      out->item[axis] = -1;
    else if (__builtin_mul_overflow(out->item[axis], size.n, &out->item[axis]))
      return false;
    if (is_known && size.n < 1)
      return false;
  }
  return open <= 1 && axis + 1 < shape->rank;
}

static void put_reshape(Optimizer *o, WireBytes *to, const char *from, const char *made,
                        const char *target) {
  WireBytes node = {0};
  wire_put_text(o->arena, &node, NODE_INPUT, from);
  wire_put_text(o->arena, &node, NODE_INPUT, target);
  wire_put_text(o->arena, &node, NODE_OUTPUT, made);
  wire_put_text(o->arena, &node, NODE_OPERATOR, "Reshape");
  wire_put_bytes(o->arena, to, GRAPH_NODE, node.item, (size_t)node.count);
}

enum { MOST_ROWS = 4096 };

// Finds the nodes that take row 0, 1, ... of an axis. False: a row is not taken, or is taken twice.
static bool find_rows(Optimizer *o, const Var *from, int32_t *axis, size_t *row, int64_t count) {
  int64_t found = 0;
  for (int i = 0; i < from->reader.count; i++) {
    size_t index = from->reader.item[i];
    const Onnx__NodeProto *node = o->graph->node[index];
    IntList of;
    int64_t at;
    if (o->node[index].is_rewritten || strcmp(node->input[0], from->name) != 0 ||
        !optimize_gathered(o, node, true, &at, &of) || of.item[0] != *axis)
      continue;
    at = at < 0 ? at + count : at;
    if (at < 0 || at >= count || row[at] != SIZE_MAX)
      return false;
    row[at] = index;
    found++;
  }
  return found == count;
}

// In opset 18 a Split states the number of parts; before, the number of outputs determines that of equal parts.
static void put_rows(Optimizer *o, const Var *from, int32_t axis, const IntList *target,
                     const size_t *row, int64_t count) {
  const char **output = ARENA_ARRAY(o->arena, const char *, count);
  size_t first = row[0];
  for (int64_t i = 0; i < count; i++) {
    first = row[i] < first ? row[i] : first;
    output[i] = o->graph->node[row[i]]->output[0];
    o->node[row[i]].is_rewritten = true;
  }
  const char *joined = optimize_new_name(o, from->name, "rows");
  const char *list = optimize_put_list(o, joined, "shape", target);
  put_reshape(o, &o->node[first].before, from->name, joined, list);
  NewNode made = {
      .op = "Split", .input = {joined}, .inputs = 1, .output = output, .outputs = (size_t)count};
  optimize_put_int(o->arena, &made.attributes, "axis", axis);
  if (o->opset >= 18)
    optimize_put_int(o->arena, &made.attributes, "num_outputs", count);
  optimize_replace(o, first, &made);
}

static void gathers_to_split(Optimizer *o, const Var *from) {
  int32_t axis = -1;
  IntList target, of;
  int64_t at;
  if (o->opset < 5 || !from->shape || !optimize_is_stable(o, from->name))
    return;
  for (int i = 0; axis < 0 && i < from->reader.count; i++)
    if (optimize_gathered(o, o->graph->node[from->reader.item[i]], true, &at, &of))
      axis = (int32_t)of.item[0];
  if (axis < 0 || !rsh_is_known(from->shape->dim[axis]))
    return;
  int64_t count = from->shape->dim[axis].n;
  if (count < 3 || count > MOST_ROWS || count > from->reader.count ||
      !joined_target(from->shape, axis, &target))
    return;
  size_t *row = ARENA_ARRAY(o->arena, size_t, count);
  for (int64_t i = 0; i < count; i++)
    row[i] = SIZE_MAX;
  if (find_rows(o, from, &axis, row, count))
    put_rows(o, from, axis, &target, row, count);
}

// The tensor that an Unsqueeze turns into a row, if nothing else reads the row.
static const char *row_of(const Optimizer *o, const char *name, const rsh_shape *shape,
                          int32_t axis) {
  const Var *var = optimize_var(o, name);
  const Onnx__NodeProto *node = var && var->maker >= 0 ? o->graph->node[var->maker] : NULL;
  IntList axes;
  if (!node || !optimize_is_op(node, "Unsqueeze") || var->readers != 1 || var->is_outer ||
      o->node[var->maker].is_rewritten || !optimize_is_stable(o, node->input[0]) ||
      !optimize_list(o, node, "axes", 1, &axes) || axes.count != 1 ||
      !optimize_count_axes(&axes, shape) || axes.item[0] != axis)
    return NULL;
  return node->input[0];
}

// Unsqueeze for each, Concat: becomes Concat, Reshape.
static void rows_to_concat(Optimizer *o, size_t index) {
  const Onnx__NodeProto *node = o->graph->node[index];
  const rsh_shape *shape = node->n_output == 1 ? optimize_shape(o, node->output[0]) : NULL;
  const Onnx__AttributeProto *given = optimize_attribute(node, "axis");
  IntList target = {0}, joined;
  WireBytes concat = {0};
  int32_t axis;
  if (o->node[index].is_rewritten || o->opset < 5 || !optimize_is_op(node, "Concat") ||
      node->n_input < 3 || !shape || !given || !rsh_axis_index(given->i, shape->rank, &axis) ||
      !joined_target(shape, axis, &joined))
    return;
  for (size_t i = 0; i < node->n_input; i++) {
    const char *from = row_of(o, node->input[i], shape, axis);
    if (!from)
      return;
    wire_put_text(o->arena, &concat, NODE_INPUT, from);
  }
  for (target.count = 0; target.count < shape->rank; target.count++) {
    rsh_num size = shape->dim[target.count];
    target.item[target.count] = rsh_is_known(size) ? size.n : -1;
  }
  const char *rows = optimize_new_name(o, node->output[0], "rows");
  wire_put_text(o->arena, &concat, NODE_OUTPUT, rows);
  wire_put_text(o->arena, &concat, NODE_OPERATOR, "Concat");
  optimize_put_int(o->arena, &concat, "axis", axis);
  wire_put_bytes(o->arena, &o->node[index].before, GRAPH_NODE, concat.item, (size_t)concat.count);
  NewNode made = {.op = "Reshape", .input = {rows}, .inputs = 2};
  made.input[1] = optimize_put_list(o, node->output[0], "shape", &target);
  optimize_replace(o, index, &made);
}

// ---- All nodes

void optimize_many(Optimizer *o) {
  Var *var, *next;
  HASH_ITER(hh, o->vars, var, next) {
    slices_to_split(o, var);
    gathers_to_split(o, var);
  }
  for (size_t i = 0; i < o->graph->n_node; i++)
    rows_to_concat(o, o->order[i]);
}
