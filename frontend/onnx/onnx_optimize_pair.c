// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges a node and the node that it reads into one.
//
//   Shape(x), Gather(s, [2])                Shape(x), start=2, end=3
//   Gather(x, 3), Unsqueeze(axis 0)         Gather(x, [3])
//   ReduceMean(x, axis 1), Unsqueeze        ReduceMean(x, axis 1), keepdims=1
//   Slice(x, axis 1), Slice(axis 2)         Slice(x, axes 1 and 2)
//   x: [9, 4]; Slice(x, ::-1), Gather(2)    Gather(x, 6)
//   ConstantOfShape([9]), Unsqueeze         ConstantOfShape([9, 1])
//   Not(c), If(c) {a} else {b}              If(c) {b} else {a}
//
// The node that is read is removed in the next round, if nothing else reads it.
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

typedef struct Pair {
  Optimizer *o;
  size_t index, from_index;
  const Onnx__NodeProto *node, *from; // `from` computes the first input of `node`
  const Var *between;
} Pair;

static bool are_stable(const Optimizer *o, const Onnx__NodeProto *node) {
  for (size_t i = 0; i < node->n_input; i++)
    if (!optimize_is_stable(o, node->input[i]))
      return false;
  return true;
}

static bool is_only_reader(const Pair *p) {
  return p->between->readers == 1 && !p->between->is_outer && p->from->n_output == 1;
}

// ---- Axes

static bool has_entry(const IntList *list, int64_t entry) {
  for (int32_t i = 0; i < list->count; i++)
    if (list->item[i] == entry)
      return true;
  return false;
}

static bool same_set(const IntList *a, const IntList *b) {
  for (int32_t i = 0; i < a->count; i++)
    if (!has_entry(b, a->item[i]))
      return false;
  return a->count == b->count && optimize_is_set(a); // so b is a set as well
}

// All axes count from the first, or all from the last: otherwise 0 and -1 may be the same axis.
static bool one_way(const IntList *a, const IntList *b) {
  int below = 0;
  for (int32_t i = 0; i < a->count; i++)
    below += a->item[i] < 0;
  for (int32_t i = 0; i < b->count; i++)
    below += b->item[i] < 0;
  return below == 0 || below == a->count + b->count;
}

// The axes of a Squeeze or an Unsqueeze, as axes of a tensor with this shape.
static bool squeezed_axes(const Optimizer *o, const Onnx__NodeProto *node, const rsh_shape *shape,
                          IntList *out) {
  return optimize_list(o, node, "axes", 1, out) && out->is_given && out->count > 0 &&
         optimize_count_axes(out, shape);
}

// ---- Shape

// A range of consecutive indices; [2, 3]: from 2 to 4.
static bool range_of(const IntList *index, int64_t *start, int64_t *end) {
  for (int32_t i = 1; i < index->count; i++)
    if (index->item[i] != index->item[0] + i)
      return false;
  if (index->count == 0 || index->is_scalar ||
      (index->item[0] < 0 && index->item[index->count - 1] >= 0))
    return false;
  *start = index->item[0];
  *end = index->item[index->count - 1] + 1;
  return true;
}

static bool pick_of_shape(const Pair *p) {
  Optimizer *o = p->o;
  IntList index;
  SliceRange slice;
  int64_t start, end;
  if (o->opset < 15 || !optimize_is_op(p->from, "Shape") || p->from->n_attribute > 0)
    return false;
  if (optimize_read_slice(o, p->node, &slice)) {
    if (slice.step.item[0] != 1) // along the only axis
      return false;
    start = slice.start.item[0];
    end = slice.end.item[0];
  } else if (!optimize_is_op(p->node, "Gather") || optimize_int(p->node, "axis", 0) != 0 ||
             !optimize_list(o, p->node, "", 1, &index) || !range_of(&index, &start, &end)) {
    return false;
  } else if (start < 0 && end == 0) {
    end = INT64_MAX;
  }
  NewNode made = {.op = "Shape", .input = {p->from->input[0]}, .inputs = 1};
  optimize_put_int(o->arena, &made.attributes, "start", start);
  if (end < RSH_MAX_RANK)
    optimize_put_int(o->arena, &made.attributes, "end", end);
  optimize_replace(o, p->index, &made);
  return true;
}

// ---- Axes of size 1 that a node adds or removes

static void put_gather(const Pair *p, int64_t index, bool is_scalar, int64_t axis) {
  Optimizer *o = p->o;
  IntList list = {.item = {index}, .count = 1, .is_scalar = is_scalar};
  const char *name = optimize_put_list(o, p->node->output[0], "index", &list);
  NewNode made = {.op = "Gather", .input = {p->from->input[0], name}, .inputs = 2};
  optimize_put_int(o->arena, &made.attributes, "axis", axis);
  optimize_replace(o, p->index, &made);
}

// A Slice of one index. If it is out of range, nothing remains: Squeeze rejects that as Gather rejects the index.
static bool sliced(const Optimizer *o, const Onnx__NodeProto *node, int64_t *index, IntList *axis) {
  SliceRange slice;
  if (!optimize_read_slice(o, node, &slice) || slice.axis.count != 1 || slice.step.item[0] != 1)
    return false;
  int64_t start = slice.start.item[0], end = slice.end.item[0];
  *index = start;
  *axis = slice.axis;
  return start == -1 ? end >= INT32_MAX : start < INT64_MAX && end == start + 1;
}

static bool axis_of_gather(const Pair *p) {
  const Optimizer *o = p->o;
  bool adds = optimize_is_op(p->node, "Unsqueeze");
  const rsh_shape *shape = optimize_shape(o, p->from->input[0]);
  IntList axes, axis;
  int64_t index;
  if ((!adds && !optimize_is_op(p->node, "Squeeze")) || !is_only_reader(p) ||
      !squeezed_axes(o, p->node, shape, &axes))
    return false;
  bool is_one = optimize_gathered(o, p->from, adds, &index, &axis) ||
                (!adds && sliced(o, p->from, &index, &axis));
  if (!is_one || !same_set(&axes, &axis))
    return false;
  put_gather(p, index, !adds, axis.item[0]);
  return true;
}

static bool axes_of_reduction(const Pair *p) {
  static const char reductions[] = "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax "
                                   "ReduceMin ReduceMean ReduceProd ReduceSum ReduceSumSquare";
  Optimizer *o = p->o;
  bool adds = optimize_is_op(p->node, "Unsqueeze");
  bool has_axis = optimize_is_op(p->from, "ArgMax ArgMin");
  const rsh_shape *shape = optimize_shape(o, p->from->input[0]);
  IntList axes, own = {.item = {optimize_int(p->from, "axis", 0)}, .count = 1};
  if ((!adds && !optimize_is_op(p->node, "Squeeze")) || !is_only_reader(p) ||
      (!has_axis && !optimize_is_op(p->from, reductions)) || p->from->n_input > 2 ||
      (optimize_int(p->from, "keepdims", 1) != 0) == adds ||
      !squeezed_axes(o, p->node, shape, &axes))
    return false;
  if ((!has_axis && !optimize_list(o, p->from, "axes", 1, &own)) ||
      !optimize_count_axes(&own, shape) || !same_set(&axes, &own))
    return false;
  NewNode made = {.op = p->from->op_type, .inputs = (int)p->from->n_input};
  for (int i = 0; i < made.inputs; i++)
    made.input[i] = p->from->input[i];
  optimize_copy_attributes(o, p->from_index, "keepdims", &made.attributes);
  optimize_put_int(o->arena, &made.attributes, "keepdims", adds);
  optimize_replace(o, p->index, &made);
  return true;
}

// ---- Slices

// x[a:b][c:d] is x[a+c:min(b, a+d)]; no bound counts from the end.
static bool join_range(SliceRange *first, int32_t i, const SliceRange *second, int32_t k) {
  int64_t a = first->start.item[i], b = first->end.item[i], c = second->start.item[k],
          d = second->end.item[k], start, end;
  if (a < 0 || b < 0 || c < 0 || d < 0 || first->step.item[i] != 1 || second->step.item[k] != 1 ||
      __builtin_add_overflow(a, c, &start))
    return false;
  if (__builtin_add_overflow(a, d, &end) || end > b)
    end = b;
  first->start.item[i] = start;
  first->end.item[i] = end;
  return true;
}

static bool join_slices(SliceRange *first, const SliceRange *second) {
  for (int32_t k = 0; k < second->axis.count; k++) {
    int32_t i = 0;
    while (i < first->axis.count && first->axis.item[i] != second->axis.item[k])
      i++;
    if (i < first->axis.count) {
      if (!join_range(first, i, second, k))
        return false;
      continue;
    }
    if (i == RSH_MAX_RANK)
      return false;
    first->axis.item[first->axis.count++] = second->axis.item[k];
    first->start.item[first->start.count++] = second->start.item[k];
    first->end.item[first->end.count++] = second->end.item[k];
    first->step.item[first->step.count++] = second->step.item[k];
  }
  return true;
}

static void put_slice(const Pair *p, const SliceRange *slice) {
  Optimizer *o = p->o;
  const char *base = p->node->output[0];
  NewNode made = {.op = "Slice", .input = {p->from->input[0]}, .inputs = 1};
  bool has_steps = false;
  for (int32_t i = 0; i < slice->step.count; i++)
    has_steps = has_steps || slice->step.item[i] != 1;
  if (o->opset >= 10) {
    made.input[made.inputs++] = optimize_put_list(o, base, "starts", &slice->start);
    made.input[made.inputs++] = optimize_put_list(o, base, "ends", &slice->end);
    made.input[made.inputs++] = optimize_put_list(o, base, "axes", &slice->axis);
    if (has_steps)
      made.input[made.inputs++] = optimize_put_list(o, base, "steps", &slice->step);
  } else {
    optimize_put_ints(o->arena, &made.attributes, "starts", slice->start.item, slice->start.count);
    optimize_put_ints(o->arena, &made.attributes, "ends", slice->end.item, slice->end.count);
    optimize_put_ints(o->arena, &made.attributes, "axes", slice->axis.item, slice->axis.count);
  }
  optimize_replace(o, p->index, &made);
}

static bool slice_of_slice(const Pair *p) {
  SliceRange first, second;
  if (!is_only_reader(p) || !optimize_read_slice(p->o, p->node, &second) ||
      !optimize_read_slice(p->o, p->from, &first) || !one_way(&first.axis, &second.axis) ||
      !join_slices(&first, &second))
    return false;
  put_slice(p, &first);
  return true;
}

// ---- A Gather after a Slice

static bool are_gathers(const Optimizer *o, const Var *var, int32_t axis, int32_t rank) {
  for (int i = 0; i < var->reader.count; i++) {
    const Onnx__NodeProto *node = o->graph->node[var->reader.item[i]];
    IntList index;
    int32_t own;
    if (!optimize_is_op(node, "Gather") || strcmp(node->input[0], var->name) != 0 ||
        !rsh_axis_index(optimize_int(node, "axis", 0), rank, &own) || own != axis ||
        !optimize_list(o, node, "", 1, &index) || index.count == 0)
      return false;
  }
  return !var->is_outer;
}

// Row 2 of a reversed tensor of 9 rows is row 6.
static bool gather_of_slice(const Pair *p) {
  Optimizer *o = p->o;
  const rsh_shape *shape = optimize_shape(o, p->from->input[0]);
  IntList index;
  SliceRange slice;
  rsh_range range;
  if (!optimize_is_op(p->node, "Gather") || !shape || !optimize_read_slice(o, p->from, &slice) ||
      slice.axis.count != 1 || !rsh_is_known(shape->dim[slice.axis.item[0]]) ||
      !optimize_list(o, p->node, "", 1, &index) ||
      !are_gathers(o, p->between, (int32_t)slice.axis.item[0], shape->rank) ||
      rsh_slice_range(o->symbols, shape->dim[slice.axis.item[0]], rsh_int(slice.start.item[0]),
                      rsh_int(slice.end.item[0]), slice.step.item[0], &range) != RSH_ok)
    return false;
  for (int32_t i = 0; i < index.count; i++) {
    int64_t at = index.item[i] < 0 ? index.item[i] + range.count.n : index.item[i];
    if (at < 0 || at >= range.count.n)
      return false;
    index.item[i] = range.start.n + at * range.step.n;
  }
  NewNode made = {.op = "Gather", .input = {p->from->input[0]}, .inputs = 2};
  made.input[1] = optimize_put_list(o, p->node->output[0], "index", &index);
  optimize_put_int(o->arena, &made.attributes, "axis", slice.axis.item[0]);
  optimize_replace(o, p->index, &made);
  return true;
}

// ---- Transposes of tensors with unknown sizes; others are reorders

static bool transpose_of_transpose(const Pair *p) {
  int64_t first[RSH_MAX_RANK], second[RSH_MAX_RANK], both[RSH_MAX_RANK];
  int32_t rank, other;
  bool is_identity = true;
  if (!optimize_perm(p->o, p->from, first, &rank) ||
      !optimize_perm(p->o, p->node, second, &other) || rank != other)
    return false;
  for (int32_t i = 0; i < rank; i++) {
    both[i] = first[second[i]];
    is_identity = is_identity && both[i] == i;
  }
  if (!is_identity && !is_only_reader(p))
    return false;
  NewNode made = {
      .op = is_identity ? "Identity" : "Transpose", .input = {p->from->input[0]}, .inputs = 1};
  if (!is_identity)
    optimize_put_ints(p->o->arena, &made.attributes, "perm", both, rank);
  optimize_replace(p->o, p->index, &made);
  return true;
}

// ---- Moves of equal elements

static bool move_of_fill(const Pair *p) {
  static const char moves[] =
      "Expand Flatten Gather Reshape Slice Squeeze Tile Transpose Unsqueeze";
  Optimizer *o = p->o;
  const rsh_shape *shape = optimize_shape(o, p->node->output[0]);
  IntList list = {0};
  if (!optimize_is_op(p->from, "ConstantOfShape") || !shape || !optimize_is_op(p->node, moves))
    return false;
  for (list.count = 0; list.count < shape->rank; list.count++) {
    if (!rsh_is_known(shape->dim[list.count]))
      return false;
    list.item[list.count] = shape->dim[list.count].n;
  }
  NewNode made = {.op = "ConstantOfShape", .inputs = 1};
  made.input[0] = optimize_put_list(o, p->node->output[0], "shape", &list);
  optimize_copy_attributes(o, p->from_index, NULL, &made.attributes);
  optimize_replace(o, p->index, &made);
  return true;
}

// ---- If

static const char *other_branch(const char *name) {
  return strcmp(name, "then_branch") == 0 ? "else_branch" : "then_branch";
}

static bool are_conditions(const Optimizer *o, const Var *var) {
  for (int i = 0; i < var->reader.count; i++)
    if (!optimize_is_op(o->graph->node[var->reader.item[i]], "If"))
      return false;
  return !var->is_outer;
}

static bool if_not(const Pair *p) {
  Optimizer *o = p->o;
  const WireField *wire = &o->wire[p->index];
  WireField field, in;
  size_t given = 0;
  if (!optimize_is_op(p->node, "If") || !optimize_is_op(p->from, "Not") ||
      !are_conditions(o, p->between))
    return false;
  NewNode made = {.op = "If", .input = {p->from->input[0]}, .inputs = 1};
  for (const uint8_t *at = wire->body; wire_next(&at, wire->end, &field);) {
    if (field.number != NODE_ATTRIBUTE)
      continue;
    const char *name = p->node->attribute[given++]->name;
    WireBytes a = {0};
    for (const uint8_t *part = field.body; wire_next(&part, field.end, &in);)
      if (in.number == ATTRIBUTE_NAME)
        wire_put_text(o->arena, &a, ATTRIBUTE_NAME, other_branch(name));
      else
        wire_put_raw(o->arena, &a, in.begin, (size_t)(in.end - in.begin));
    wire_put_bytes(o->arena, &made.attributes, NODE_ATTRIBUTE, a.item, (size_t)a.count);
  }
  optimize_replace(o, p->index, &made);
  return true;
}

// ---- All nodes

static bool find_pair(Optimizer *o, size_t index, Pair *out) {
  const Onnx__NodeProto *node = o->graph->node[index];
  const Var *between = node->n_input > 0 ? optimize_var(o, node->input[0]) : NULL;
  if (o->node[index].is_rewritten || o->node[index].branch || node->n_output == 0 || !between ||
      between->maker < 0 || o->node[between->maker].is_rewritten || !are_stable(o, node))
    return false;
  *out = (Pair){o, index, (size_t)between->maker, node, o->graph->node[between->maker], between};
  return are_stable(o, out->from) && out->from->n_input > 0;
}

void optimize_pairs(Optimizer *o) {
  static bool (*const rules[])(const Pair *) = {
      pick_of_shape,  axis_of_gather,         gather_of_slice, axes_of_reduction,
      slice_of_slice, transpose_of_transpose, move_of_fill,    if_not};
  Pair pair;
  for (size_t i = 0; i < o->graph->n_node; i++)
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
      if (find_pair(o, o->order[i], &pair) && rules[k](&pair))
        break;
}
