// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers that split and join axes, or move them to the operator:
//
//   ShuffleChannels(x), 2 groups          ->  Reshape [N, 2, C/2, H], Transpose, Reshape
//   DepthToSpace(x) of rank 3             ->  Reshape [N, C/2, 2, D], Transpose, Reshape
//   SpaceToBatch(x, [1, 2], ...)          ->  Pad, Reshape [N, H/2, 2], Transpose, Reshape
//   BatchToSpace(x, [1, 2], ...)          ->  Reshape [2, N/2, H], Transpose, Reshape, Slice
//   Gather(x, i, axis=2), batch_dims=1    ->  Transpose, GatherND, Transpose
//   ScatterUpdate(x, i, u), axis=1        ->  Transpose, ScatterND, Transpose
//   Reverse(x, axes)                      ->  Slice by -1
#include "frontend/onnx/openvino_internal.h"

#include <inttypes.h>
#include <string.h>

// ---- Targets made of sizes

// Sizes `from` to `to` of a value, as a list.
static const char *sizes_of(Ir *ir, const IrLayer *layer, const char *value, int from, int to) {
  Onnx__NodeProto *node;
  const char *sizes = ir_inner_node(ir, layer, "Shape", &value, 1, &node);
  ir_int(ir, node, "start", from);
  ir_int(ir, node, "end", to);
  return sizes;
}

// The size of one axis times or divided by a number.
static const char *size_by(Ir *ir, const IrLayer *layer, const char *value, int axis,
                           const char *op, int64_t number) {
  const char *in[] = {sizes_of(ir, layer, value, axis, axis + 1), ir_list(ir, layer, &number, 1)};
  return ir_inner_node(ir, layer, op, in, 2, NULL);
}

static const char *joined(Ir *ir, const IrLayer *layer, const char *const *list, int count) {
  Onnx__NodeProto *node;
  const char *all = ir_inner_node(ir, layer, "Concat", list, count, &node);
  ir_int(ir, node, "axis", 0);
  return all;
}

static const char *reshaped(Ir *ir, const IrLayer *layer, const char *value, const char *target) {
  Onnx__NodeProto *node;
  const char *in[] = {value, target};
  const char *made = ir_inner_node(ir, layer, "openvino.Reshape", in, 2, &node);
  ir_int(ir, node, "special_zero", 0);
  return made;
}

static void reshape_whole(Ir *ir, const IrLayer *layer, const char *value, const char *target) {
  const char *in[] = {value, target};
  ir_int(ir, ir_whole_node(ir, layer, "openvino.Reshape", in, 2), "special_zero", 0);
}

static const char *does_not_divide(Ir *ir, const IrLayer *layer, int64_t size, int64_t by) {
  return arena_printf(ir->arena, "'%s' divides a size of %" PRId64 " by %" PRId64, layer->type,
                      size, by);
}

// ---- ShuffleChannels

const char *ir_shuffle(Ir *ir, const IrLayer *layer, const char *op) {
  const char *data = ir_input(layer, 0);
  int rank = layer->in.item[0].rank;
  int64_t axis, group;
  (void)op;
  if (!ir_integer_or(layer, "group", 1, &group) || group < 1)
    return ir_bad_value(ir, layer, "group");
  if (layer->in.item[0].is_open)
    return ir_open_rank(ir, layer);
  if (!ir_integer_or(layer, "axis", 1, &axis) || axis < -rank || axis >= rank)
    return ir_bad_value(ir, layer, "axis");
  int at = (int)(axis < 0 ? axis + rank : axis);
  int64_t size = ir_size(layer, at);
  if (size > 0 && size % group != 0)
    return does_not_divide(ir, layer, size, group);
  const char *part[] = {sizes_of(ir, layer, data, 0, at), ir_list(ir, layer, &group, 1),
                        size_by(ir, layer, data, at, "openvino.Quotient", group),
                        sizes_of(ir, layer, data, at + 1, rank)};
  const char *apart = reshaped(ir, layer, data, joined(ir, layer, part, 4));
  int64_t *order = ARENA_ARRAY(ir->arena, int64_t, rank + 1);
  for (int i = 0; i <= rank; i++)
    order[i] = i == at ? at + 1 : i == at + 1 ? at : i;
  apart = ir_transposed(ir, layer, apart, order, rank + 1);
  reshape_whole(ir, layer, apart, sizes_of(ir, layer, data, 0, rank));
  return NULL;
}

// ---- DepthToSpace and SpaceToDepth

// DepthToSpace and SpaceToDepth of other ranks than 4. `c` is the number of channels without blocks, `d` the size of an
// axis without blocks.
//   DepthToSpace blocks_first [N, C, D]   [N, b, c, D], axes 0 2 3 1, [N, c, D*b]
//   SpaceToDepth blocks_first [N, C, D]   [N, C, d, b], axes 0 3 1 2, [N, C*b, d]
typedef struct Blocks {
  bool to_depth, is_depth_first;
  int64_t block;
  int axes; // of blocks: the rank without batch and channels
} Blocks;

static const char *make_blocks_of_axes(Ir *ir, const IrLayer *layer, const Blocks *b) {
  const char *data = ir_input(layer, 0), *block = ir_list(ir, layer, &b->block, 1);
  int k = b->axes, wide = 2 + 2 * k;
  int64_t *order = ARENA_ARRAY(ir->arena, int64_t, wide), all = 1;
  const char **split = ARENA_ARRAY(ir->arena, const char *, wide),
             **whole = ARENA_ARRAY(ir->arena, const char *, 2 + k);
  for (int i = 0; i < k; i++)
    if (__builtin_mul_overflow(all, b->block, &all) || all > INT32_MAX)
      return ir_bad_value(ir, layer, "block_size");
  for (int i = b->to_depth ? 2 : 1; i < (b->to_depth ? 2 + k : 2); i++) {
    int64_t size = ir_size(layer, i), by = b->to_depth ? b->block : all;
    if (size >= 0 && size % by != 0)
      return does_not_divide(ir, layer, size, by);
  }
  // The axes of the channels and of the first block: after the Reshape, or after the Transpose.
  int channel = b->is_depth_first ? 1 : 1 + k, first = b->is_depth_first ? 2 : 1;
  split[0] = whole[0] = sizes_of(ir, layer, data, 0, 1);
  order[0] = 0;
  if (b->to_depth) {
    split[1] = sizes_of(ir, layer, data, 1, 2);
    whole[1] = size_by(ir, layer, data, 1, "Mul", all);
    order[channel] = 1;
  } else {
    split[channel] = whole[1] = size_by(ir, layer, data, 1, "openvino.Quotient", all);
    order[1] = channel;
  }
  for (int i = 0; i < k; i++) {
    if (b->to_depth) {
      split[2 + 2 * i] = whole[2 + i] =
          size_by(ir, layer, data, 2 + i, "openvino.Quotient", b->block);
      split[3 + 2 * i] = block;
      order[first + i] = 3 + 2 * i;
      order[2 + k + i] = 2 + 2 * i;
    } else {
      split[first + i] = block;
      split[2 + k + i] = sizes_of(ir, layer, data, 2 + i, 3 + i);
      whole[2 + i] = size_by(ir, layer, data, 2 + i, "Mul", b->block);
      order[2 + 2 * i] = 2 + k + i;
      order[3 + 2 * i] = first + i;
    }
  }
  data = reshaped(ir, layer, data, joined(ir, layer, split, wide));
  data = ir_transposed(ir, layer, data, order, wide);
  reshape_whole(ir, layer, data, joined(ir, layer, whole, 2 + k));
  return NULL;
}

const char *ir_blocks(Ir *ir, const IrLayer *layer, const char *op) {
  Blocks b = {.to_depth = strcmp(op, "SpaceToDepth") == 0,
              .is_depth_first = ir_has(layer, "mode", "depth_first", ""),
              .axes = layer->in.item[0].rank - 2};
  if (!b.is_depth_first && !ir_has(layer, "mode", "blocks_first", ""))
    return ir_bad_word(ir, layer, "mode", "blocks_first depth_first");
  if (!ir_integer_or(layer, "block_size", 1, &b.block) || b.block < 1)
    return ir_bad_value(ir, layer, "block_size");
  if (layer->in.item[0].is_open)
    return ir_open_rank(ir, layer);
  if (b.axes < 1)
    return arena_printf(ir->arena, "'%s' needs data of rank 3 or more", layer->type);
  if (b.axes != 2)
    return make_blocks_of_axes(ir, layer, &b);
  Onnx__NodeProto *node = ir_unary(ir, layer, op);
  ir_int(ir, node, "blocksize", b.block);
  ir_text(ir, node, "mode", b.is_depth_first ? "CRD" : "DCR");
  return NULL;
}

// ---- SpaceToBatch and BatchToSpace

// What both read: a block for each axis, and the amounts at both ends.
typedef struct Spaces {
  int64_t *block, *begin, *end, blocks; // `blocks`: their product
  int rank;
} Spaces;

static const char *read_spaces(Ir *ir, const IrLayer *layer, Spaces *s) {
  static const char *const words[] = {"", "the block shape", "the amounts at the beginning",
                                      "the amounts at the end"};
  int64_t **list[] = {NULL, &s->block, &s->begin, &s->end};
  if (layer->in.item[0].is_open)
    return ir_open_rank(ir, layer);
  s->rank = layer->in.item[0].rank;
  for (int i = 1; i <= 3; i++) {
    int count;
    if (!ir_constant(ir, layer, i, list[i], &count))
      return ir_not_known(ir, layer, i, words[i]);
    if (count != s->rank)
      return arena_printf(ir->arena, "input %d, %s, has %d entries; the data have rank %d", i,
                          words[i], count, s->rank);
  }
  s->blocks = 1;
  for (int i = 0; i < s->rank; i++) {
    if (s->block[i] < 1 || s->begin[i] < 0 || s->end[i] < 0 || (i == 0 && s->block[i] != 1))
      return arena_printf(ir->arena,
                          "'%s' needs blocks of at least 1, of 1 for the batch, and amounts of at "
                          "least 0",
                          layer->type);
    if (__builtin_mul_overflow(s->blocks, s->block[i], &s->blocks))
      return arena_printf(ir->arena, "'%s' has a block shape that is too large", layer->type);
  }
  return s->rank < 2
             ? arena_printf(ir->arena, "'%s' of rank %d is not supported", layer->type, s->rank)
             : NULL;
}

const char *ir_space_to_batch(Ir *ir, const IrLayer *layer, const char *op) {
  Spaces s;
  const char *why = read_spaces(ir, layer, &s);
  (void)op;
  if (why)
    return why;
  int k = s.rank - 1, wide = 1 + 2 * k; // axes after the batch; with their blocks
  for (int i = 1; i <= k; i++) {
    int64_t size = ir_size(layer, i), all;
    if (size >= 0 && !__builtin_add_overflow(size, s.begin[i], &all) &&
        !__builtin_add_overflow(all, s.end[i], &all) && all % s.block[i] != 0)
      return does_not_divide(ir, layer, all, s.block[i]);
  }
  int64_t *pads = ARENA_ARRAY(ir->arena, int64_t, 2 * s.rank),
          *order = ARENA_ARRAY(ir->arena, int64_t, wide);
  const char **split = ARENA_ARRAY(ir->arena, const char *, wide),
             **batch = ARENA_ARRAY(ir->arena, const char *, s.rank);
  for (int i = 0; i < s.rank; i++) {
    pads[i] = s.begin[i];
    pads[s.rank + i] = s.end[i];
  }
  const char *in[] = {ir_input(layer, 0), ir_list(ir, layer, pads, 2 * s.rank)};
  const char *data = ir_inner_node(ir, layer, "Pad", in, 2, NULL);
  split[0] = sizes_of(ir, layer, data, 0, 1);
  order[k] = 0;
  batch[0] = size_by(ir, layer, data, 0, "Mul", s.blocks);
  for (int i = 1; i <= k; i++) {
    split[2 * i - 1] = batch[i] = size_by(ir, layer, data, i, "openvino.Quotient", s.block[i]);
    split[2 * i] = ir_list(ir, layer, &s.block[i], 1);
    order[i - 1] = 2 * i;
    order[k + i] = 2 * i - 1;
  }
  data = reshaped(ir, layer, data, joined(ir, layer, split, wide));
  data = ir_transposed(ir, layer, data, order, wide);
  reshape_whole(ir, layer, data, joined(ir, layer, batch, s.rank));
  return NULL;
}

const char *ir_batch_to_space(Ir *ir, const IrLayer *layer, const char *op) {
  const char *data = ir_input(layer, 0);
  Spaces s;
  const char *why = read_spaces(ir, layer, &s);
  (void)op;
  if (why)
    return why;
  int k = s.rank - 1, wide = 1 + 2 * k;
  int64_t size = ir_size(layer, 0);
  if (size >= 0 && size % s.blocks != 0)
    return does_not_divide(ir, layer, size, s.blocks);
  int64_t *order = ARENA_ARRAY(ir->arena, int64_t, wide),
          *stop = ARENA_ARRAY(ir->arena, int64_t, s.rank);
  const char **split = ARENA_ARRAY(ir->arena, const char *, wide),
             **space = ARENA_ARRAY(ir->arena, const char *, s.rank);
  split[k] = space[0] = size_by(ir, layer, data, 0, "openvino.Quotient", s.blocks);
  order[0] = k;
  for (int i = 1; i <= k; i++) {
    split[i - 1] = ir_list(ir, layer, &s.block[i], 1);
    split[k + i] = sizes_of(ir, layer, data, i, i + 1);
    space[i] = size_by(ir, layer, data, i, "Mul", s.block[i]);
    order[2 * i - 1] = k + i;
    order[2 * i] = i - 1;
  }
  data = reshaped(ir, layer, data, joined(ir, layer, split, wide));
  data = ir_transposed(ir, layer, data, order, wide);
  for (int i = 0; i < s.rank; i++)
    stop[i] = s.end[i] > 0 ? -s.end[i] : INT64_MAX;
  const char *in[] = {reshaped(ir, layer, data, joined(ir, layer, space, s.rank)),
                      ir_list(ir, layer, s.begin, s.rank), ir_list(ir, layer, stop, s.rank)};
  (void)ir_whole_node(ir, layer, "Slice", in, 3);
  return NULL;
}

// ---- Gather in batches

// The axis becomes the first one after the batches, and its place is taken by those of the indices at the end.
const char *ir_gather_in_batches(Ir *ir, const IrLayer *layer, int64_t axis, int64_t batches) {
  int rank = layer->in.item[0].rank, indices = layer->in.item[1].rank;
  if (layer->in.item[0].is_open || layer->in.item[1].is_open)
    return "'Gather' with 'batch_dims' and an unknown rank is not supported";
  axis += axis < 0 ? rank : 0;
  if (batches < 0 || batches > indices || axis < batches || axis >= rank)
    return arena_printf(ir->arena,
                        "'Gather' along axis %" PRId64 " with 'batch_dims' set to '%s' is not "
                        "supported; data have rank %d, indices %d",
                        axis, ir_attribute(layer, "batch_dims"), rank, indices);
  int at = (int)axis, batch = (int)batches, inner = indices - batch;
  int64_t *there = ARENA_ARRAY(ir->arena, int64_t, rank),
          *back = ARENA_ARRAY(ir->arena, int64_t, rank + inner), last = indices;
  const char *wide[] = {ir_indices(ir, layer, 1), ir_list(ir, layer, &last, 1)};
  const char *in[] = {ir_input(layer, 0), ir_inner_node(ir, layer, "Unsqueeze", wide, 2, NULL)};
  if (at == batch) {
    ir_int(ir, ir_whole_node(ir, layer, "GatherND", in, 2), "batch_dims", batch);
    return NULL;
  }
  for (int i = 0; i < rank; i++)
    there[i] = i < batch || i > at ? i : i == batch ? at : i - 1;
  for (int i = 0; i < rank - 1 + inner; i++)
    back[i] = i < batch || i >= at + inner ? i : i < at ? i + inner : i - at + batch;
  in[0] = ir_transposed(ir, layer, in[0], there, rank);
  Onnx__NodeProto *node;
  const char *gathered = ir_inner_node(ir, layer, "GatherND", in, 2, &node);
  ir_int(ir, node, "batch_dims", batch);
  ir_ints(ir, ir_whole_node(ir, layer, "Transpose", &gathered, 1), "perm", back, rank - 1 + inner);
  return NULL;
}

// ---- Scatter layers

// The axis becomes the first one, and its place in the updates is that of the indices' axes.
static const char *scatter_along(Ir *ir, const IrLayer *layer, int at, const char *indices) {
  int rank = layer->in.item[0].rank, inner = layer->in.item[1].rank, all = rank - 1 + inner;
  int64_t *there = ARENA_ARRAY(ir->arena, int64_t, rank),
          *back = ARENA_ARRAY(ir->arena, int64_t, rank),
          *updates = ARENA_ARRAY(ir->arena, int64_t, all + 1);
  for (int i = 0; i < rank; i++) {
    there[i] = i == 0 ? at : i <= at ? i - 1 : i;
    back[i] = i == at ? 0 : i < at ? i + 1 : i;
  }
  for (int i = 0; i < all; i++)
    updates[i] = i < inner ? at + i : i < at + inner ? i - inner : i;
  const char *in[] = {ir_transposed(ir, layer, ir_input(layer, 0), there, rank), indices,
                      ir_transposed(ir, layer, ir_input(layer, 2), updates, all)};
  const char *scattered = ir_inner_node(ir, layer, "ScatterND", in, 3, NULL);
  ir_ints(ir, ir_whole_node(ir, layer, "Transpose", &scattered, 1), "perm", back, rank);
  return NULL;
}

// Replaces slices along an axis.
const char *ir_scatter_update(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis, last;
  int rank = layer->in.item[0].rank;
  if (!ir_axis(ir, layer, 3, &axis))
    return ir_not_known(ir, layer, 3, "the axis");
  if (layer->in.item[0].is_open || layer->in.item[1].is_open)
    return "'ScatterUpdate' with an unknown rank is not supported";
  if (axis < -rank || axis >= rank)
    return arena_printf(ir->arena, "axis %" PRId64 " is outside rank %d", axis, rank);
  axis += axis < 0 ? rank : 0;
  last = layer->in.item[1].rank;
  const char *wide[] = {ir_input(layer, 1), ir_list(ir, layer, &last, 1)};
  const char *in[] = {ir_input(layer, 0), ir_inner_node(ir, layer, "Unsqueeze", wide, 2, NULL),
                      ir_input(layer, 2)};
  if (axis > 0)
    return scatter_along(ir, layer, (int)axis, in[1]);
  (void)ir_whole_node(ir, layer, op, in, 3);
  return NULL;
}

// Replaces elements; with a reduction, the layer computes.
const char *ir_scatter_elements(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis;
  if (!ir_has(layer, "reduction", "none", "none"))
    return "";
  if (!ir_axis(ir, layer, 3, &axis))
    return ir_not_known(ir, layer, 3, "the axis");
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1), ir_input(layer, 2)};
  ir_int(ir, ir_whole_node(ir, layer, op, in, 3), "axis", axis);
  return NULL;
}

const char *ir_scatter_nd(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1), ir_input(layer, 2)};
  if (!ir_has(layer, "reduction", "none", "none"))
    return "";
  (void)ir_whole_node(ir, layer, op, in, 3);
  return NULL;
}

// ---- Reverse

const char *ir_reverse_axes(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t *axes;
  int count;
  if (!ir_has(layer, "mode", "index", ""))
    return ir_bad_word(ir, layer, "mode", "index");
  if (!ir_constant(ir, layer, 1, &axes, &count))
    return ir_not_known(ir, layer, 1, "the axes");
  int64_t *start = ARENA_ARRAY(ir->arena, int64_t, 3 * count + 1), *stop = start + count,
          *step = stop + count;
  for (int i = 0; i < count; i++) {
    start[i] = INT64_MAX;
    stop[i] = INT64_MIN;
    step[i] = -1;
  }
  const char *in[] = {ir_input(layer, 0), ir_list(ir, layer, start, count),
                      ir_list(ir, layer, stop, count), ir_list(ir, layer, axes, count),
                      ir_list(ir, layer, step, count)};
  (void)ir_whole_node(ir, layer, op, in, 5);
  return NULL;
}
