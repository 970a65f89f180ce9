// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers that move elements and become several nodes, or a node with other lists:
//
//   VariadicSplit(x, axis, [2, -1])      ->  Split(x, split=[2, 3]), axis=1
//   Pad(x) "reflect", pads below 0       ->  Pad, then Slice
//   Broadcast(x), an axis of size ? to 1 ->  Squeeze, Unsqueeze, Expand
//   ReverseSequence(x), other axes       ->  Transpose, ReverseSequence, Transpose
//   StridedSlice(x, b, e), masks         ->  Slice, then Squeeze, then Unsqueeze
#include "frontend/onnx/openvino_internal.h"

#include <inttypes.h>
#include <string.h>

// ---- VariadicSplit

// The remainder of an axis whose size is known only at run time, as a list: Sub(Gather(Shape(x), [axis]), [lengths]).
static const char *open_rest(Ir *ir, const IrLayer *layer, int64_t axis, int64_t lengths) {
  const char *data = ir_input(layer, 0);
  const char *of_axis[] = {ir_inner_node(ir, layer, "Shape", &data, 1, NULL),
                           ir_list(ir, layer, &axis, 1)};
  const char *less[] = {ir_inner_node(ir, layer, "Gather", of_axis, 2, NULL),
                        ir_list(ir, layer, &lengths, 1)};
  return ir_inner_node(ir, layer, "Sub", less, 2, NULL);
}

// The input for lengths; entry `open` is the remainder of the axis: [2, -1] for an axis of 5 is [2, 3].
static const char *lengths_of(Ir *ir, const IrLayer *layer, int64_t axis, int64_t *length,
                              int count, int open) {
  int64_t size = ir_size(layer, axis), others = 1; // cancels the entry -1
  for (int i = 0; i < count; i++)
    others += length[i];
  if (open < 0 || size >= 0) {
    if (open >= 0)
      length[open] = size - others;
    return ir_list(ir, layer, length, count);
  }
  const char *part[] = {ir_list(ir, layer, length, open), open_rest(ir, layer, axis, others),
                        ir_list(ir, layer, length + open + 1, count - open - 1)};
  Onnx__NodeProto *node;
  const char *all = ir_inner_node(ir, layer, "Concat", part, 3, &node);
  ir_int(ir, node, "axis", 0);
  return all;
}

// Checks the lengths; *open is the index of the entry -1, or -1 if there is none.
static const char *check_lengths(Ir *ir, const IrLayer *layer, int64_t axis, const int64_t *length,
                                 int count, int *open) {
  int64_t size = ir_size(layer, axis), rest = size < 0 ? INT64_MAX / 2 : size;
  *open = -1;
  for (int i = 0; i < count; i++) {
    if (length[i] < -1 || (length[i] == -1 && *open >= 0))
      return "'VariadicSplit' needs lengths of at least 0; one of them may be -1";
    if (length[i] == -1)
      *open = i;
    else if (length[i] > rest)
      return size < 0 ? "'VariadicSplit' has lengths that add up to more than a size can be"
                      : arena_printf(ir->arena,
                                     "'VariadicSplit' has lengths that add up to more than the "
                                     "size of its axis, %" PRId64,
                                     size);
    else
      rest -= length[i];
  }
  return NULL;
}

const char *ir_variadic_split(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t axis, *length;
  int count;
  if (!ir_axis(ir, layer, 1, &axis))
    return ir_not_known(ir, layer, 1, "the axis");
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 2)};
  count = ir_length(ir, layer, 2);
  if (count >= 0 && count != layer->out.count)
    return arena_printf(ir->arena, "'VariadicSplit' has %d lengths, but %d output%s", count,
                        layer->out.count, layer->out.count == 1 ? "" : "s");
  if (ir_constant(ir, layer, 2, &length, &count)) {
    int open;
    const char *why = check_lengths(ir, layer, axis, length, count, &open);
    if (why)
      return why;
    in[1] = lengths_of(ir, layer, axis, length, count, open);
  }
  ir_int(ir, ir_whole_node(ir, layer, op, in, 2), "axis", axis);
  return NULL;
}

// ---- Pad

// Pads at the beginning and the end, of one type.
static const char *join_pads(Ir *ir, const IrLayer *layer) {
  const char *both[2];
  int64_t *given[2];
  int count[2];
  bool is_known[2];
  for (int i = 0; i < 2; i++) {
    both[i] = ir_input(layer, 1 + i);
    is_known[i] = ir_constant(ir, layer, 1 + i, &given[i], &count[i]);
  }
  for (int i = 0; i < 2; i++)
    if (is_known[i])
      both[i] = is_known[1 - i] ? ir_list(ir, layer, given[i], count[i])
                                : ir_list_like(ir, layer, 2 - i, given[i], count[i]);
  Onnx__NodeProto *node;
  const char *joined = ir_inner_node(ir, layer, "Concat", both, 2, &node);
  ir_int(ir, node, "axis", 0);
  return joined;
}

const char *ir_pad(Ir *ir, const IrLayer *layer, const char *op) {
  static const char modes[] = "constant edge reflect symmetric";
  const char *mode = ir_word_of(ir, modes, ir_attribute_or(layer, "pad_mode", ""));
  if (!mode)
    return ir_bad_word(ir, layer, "pad_mode", modes);
  int begins = ir_length(ir, layer, 1), ends = ir_length(ir, layer, 2);
  if (begins >= 0 && ends >= 0 && begins != ends)
    return arena_printf(ir->arena, "'Pad' has %d pads at the beginning, but %d at the end", begins,
                        ends);
  if (begins >= 0 && !layer->in.item[0].is_open && begins != layer->in.item[0].rank)
    return arena_printf(ir->arena, "the pads of 'Pad' have length %d; the data have rank %d",
                        begins, layer->in.item[0].rank);
  for (int i = 1; i <= 2; i++)
    if (ir_length(ir, layer, i) < 0 && strcmp(layer->in.item[i].from->type, "Parameter") == 0)
      return arena_printf(ir->arena,
                          "'Pad' needs to know the length of input %d, the pads at the %s, when "
                          "the model is compiled",
                          i, i == 1 ? "beginning" : "end");
  bool is_constant = strcmp(mode, "constant") == 0;
  const char *in[] = {ir_input(layer, 0), join_pads(ir, layer),
                      is_constant ? ir_input(layer, 3) : ""};
  Onnx__NodeProto *node = ir_whole_node(ir, layer, is_constant ? op : "openvino.Pad", in, 3);
  ir_text(ir, node, "mode", mode);
  if (!is_constant)
    ir_int(ir, node, "crop_last", 1);
  return NULL;
}

// ---- Broadcast

// expand broadcasts in both directions (a target of 1 keeps a size of 5), but Broadcast only the data. Axis i of the
// data becomes axis at[i] of the result. Squeezes and unsqueezes axes of unknown size whose target is 1, which checks
// that their size is 1. With a target that is not a constant, a Reshape checks that the result has that shape.
static const char *check_target(Ir *ir, const IrLayer *layer, const int64_t *target,
                                const int64_t *at, const char **data) {
  const IrPort *in = &layer->in.item[0];
  int64_t *ones = ARENA_ARRAY(ir->arena, int64_t, in->rank + 1);
  int count = 0;
  for (int i = 0; i < in->rank; i++) {
    int64_t size = in->dim[i], wanted = target[at[i]];
    if (size >= 0 && size != 1 && size != wanted)
      return arena_printf(
          ir->arena, "'Broadcast' cannot change a size from %" PRId64 " to %" PRId64, size, wanted);
    if (size < 0 && wanted == 1)
      ones[count++] = i;
  }
  if (count > 0) {
    const char *checked[] = {*data, ir_list(ir, layer, ones, count)};
    checked[0] = ir_inner_node(ir, layer, "Squeeze", checked, 2, NULL);
    *data = ir_inner_node(ir, layer, "Unsqueeze", checked, 2, NULL);
  }
  return NULL;
}

// The axes of the data are the last ones of the target.
static const char *align_right(Ir *ir, const IrLayer *layer, const char **data) {
  int rank = layer->in.item[0].rank, count;
  int64_t *target, *at = ARENA_ARRAY(ir->arena, int64_t, rank + 1);
  count = ir_length(ir, layer, 1);
  if (count >= 0 && rank > count)
    return arena_printf(ir->arena, "'Broadcast' has a target of length %d for data of rank %d",
                        count, rank);
  if (!ir_constant(ir, layer, 1, &target, &count))
    return NULL;
  for (int i = 0; i < rank; i++)
    at[i] = count - rank + i;
  return check_target(ir, layer, target, at, data);
}

// Axis i of the data becomes axis mapping[i] of the result; all others are new.
static const char *map_axes(Ir *ir, const IrLayer *layer, const char **data) {
  int64_t *mapping, *target;
  int mapped, count = ir_length(ir, layer, 1);
  if (layer->in.item[0].is_open)
    return ir_open_rank(ir, layer);
  if (!ir_constant(ir, layer, 2, &mapping, &mapped))
    return ir_not_known(ir, layer, 2, "the axes mapping");
  if (count < 0)
    return "the length of input 1, the target shape, is not known when the model is compiled";
  for (int i = 0; i < mapped; i++)
    if (mapping[i] < 0 || mapping[i] >= count)
      return arena_printf(ir->arena,
                          "'Broadcast' maps to axis %" PRId64 ", outside its target of length %d",
                          mapping[i], count);
  int64_t *added = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  int next = 0, news = 0;
  for (int axis = 0; axis < count; axis++) {
    if (next < mapped && mapping[next] == axis)
      next++;
    else
      added[news++] = axis;
  }
  if (next != mapped)
    return "'Broadcast' with a mapping whose axes are not in ascending order is not supported";
  if (mapped != layer->in.item[0].rank)
    return arena_printf(ir->arena, "'Broadcast' maps %d axes of data of rank %d", mapped,
                        layer->in.item[0].rank);
  const char *why = ir_constant(ir, layer, 1, &target, &count)
                        ? check_target(ir, layer, target, mapping, data)
                        : NULL;
  if (!why && news > 0) {
    const char *in[] = {*data, ir_list(ir, layer, added, news)};
    *data = ir_inner_node(ir, layer, "Unsqueeze", in, 2, NULL);
  }
  return why;
}

const char *ir_broadcast(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)}, *why = NULL;
  if (ir_has(layer, "mode", "numpy", "numpy"))
    why = align_right(ir, layer, &in[0]);
  else if (ir_has(layer, "mode", "explicit", "") || ir_has(layer, "mode", "none", "")) // synonyms
    why = map_axes(ir, layer, &in[0]);
  else if (!ir_has(layer, "mode", "bidirectional", ""))
    why = ir_bad_word(ir, layer, "mode", "numpy explicit bidirectional");
  if (why)
    return why;
  int64_t *target;
  int count;
  if (ir_has(layer, "mode", "bidirectional", "") || ir_constant(ir, layer, 1, &target, &count)) {
    (void)ir_whole_node(ir, layer, op, in, 2);
    return NULL;
  }
  const char *expanded[] = {ir_inner_node(ir, layer, op, in, 2, NULL), in[1]};
  ir_int(ir, ir_whole_node(ir, layer, "openvino.Reshape", expanded, 2), "special_zero", 0);
  return NULL;
}

// ---- ReverseSequence

// In ONNX the two axes are 0 and 1; other axes are transposed to these and back.
const char *ir_reverse(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t batch, time;
  int rank = layer->in.item[0].rank;
  if (!ir_integer_or(layer, "batch_axis", 0, &batch))
    return ir_bad_value(ir, layer, "batch_axis");
  if (!ir_integer_or(layer, "seq_axis", 1, &time))
    return ir_bad_value(ir, layer, "seq_axis");
  if (layer->in.item[0].is_open)
    return ir_open_rank(ir, layer);
  batch += batch < 0 ? rank : 0;
  time += time < 0 ? rank : 0;
  bool is_moved = (batch > 1 || time > 1) && batch != time && batch >= 0 && batch < rank &&
                  time >= 0 && time < rank;
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1)};
  Onnx__NodeProto *node;
  if (!is_moved) {
    node = ir_whole_node(ir, layer, op, in, 2);
    ir_int(ir, node, "batch_axis", batch);
    ir_int(ir, node, "time_axis", time);
    return NULL;
  }
  int64_t *there = ARENA_ARRAY(ir->arena, int64_t, 2 * (rank + 1)), *back = there + rank + 1;
  int next = 2;
  there[0] = batch;
  there[1] = time;
  for (int i = 0; i < rank; i++)
    if (i != batch && i != time)
      there[next++] = i;
  for (int i = 0; i < rank; i++)
    back[there[i]] = i;
  in[0] = ir_transposed(ir, layer, in[0], there, rank);
  const char *reversed = ir_inner_node(ir, layer, op, in, 2, &node);
  ir_int(ir, node, "batch_axis", 0);
  ir_int(ir, node, "time_axis", 1);
  ir_ints(ir, ir_whole_node(ir, layer, "Transpose", &reversed, 1), "perm", back, rank);
  return NULL;
}

// ---- StridedSlice

typedef struct Masks {
  int64_t *begin, *end, *added, *shrink, *ellipsis; // one entry per index
} Masks;

// A bound: a number, or an entry of the layer's list that other layers compute.
typedef struct Bound {
  int64_t n;
  int entry; // -1: the number
} Bound;

static Bound number(int64_t n) { return (Bound){n, -1}; }

// Entry i of a list; NULL: it is computed.
static Bound bound_at(const int64_t *list, int i) {
  return list ? number(list[i]) : (Bound){.entry = i};
}

// The effect of a StridedSlice on the axes of its data, and the positions at which axes of size 1 are removed and
// added.
typedef struct Strided {
  Bound *start, *end;
  int64_t *axis, *step, *squeezed, *added;
  int slices, squeezes, adds;
  bool is_computed; // some bound is
} Strided;

static const char *read_masks(Ir *ir, const IrLayer *layer, int count, Masks *m) {
  const struct {
    const char *name;
    int64_t **out;
  } masks[] = {{"begin_mask", &m->begin},
               {"end_mask", &m->end},
               {"new_axis_mask", &m->added},
               {"shrink_axis_mask", &m->shrink},
               {"ellipsis_mask", &m->ellipsis}};
  for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
    const char *text = ir_attribute_or(layer, masks[k].name, "");
    int64_t *item;
    int given;
    bool good = ir_integers(ir->arena, text, &item, &given);
    *masks[k].out = ARENA_ARRAY(ir->arena, int64_t, count + 1);
    for (int i = 0; i < given && good; i++) {
      good = item[i] == 0 || item[i] == 1;
      if (i < count)
        (*masks[k].out)[i] = item[i];
    }
    if (!good)
      return arena_printf(ir->arena,
                          "'%s' of 'StridedSlice' is '%s'; it must be a list of 0 and 1, '1,0'",
                          masks[k].name, text);
  }
  return NULL;
}

static void slice_add(Strided *s, int64_t axis, Bound start, Bound end, int64_t step) {
  s->axis[s->slices] = axis;
  s->start[s->slices] = start;
  s->end[s->slices] = end;
  s->step[s->slices++] = step;
  s->is_computed = s->is_computed || start.entry >= 0 || end.entry >= 0;
}

// Takes one element, as a range. The end of one from a computed start is not known: x[i:][0:1], since x[i:i+1] is empty
// for i = -1.
static void element_add(Strided *s, int64_t axis, Bound first) {
  if (first.entry < 0) {
    bool is_last = first.n == -1 || first.n == INT64_MAX;
    slice_add(s, axis, first, number(is_last ? INT64_MAX : first.n + 1), 1);
    return;
  }
  slice_add(s, axis, first, number(INT64_MAX), 1);
  slice_add(s, axis, number(0), number(1), 1);
}

// One index at a time: `axis` is its axis in the data, `out` its axis in the result. If several masks set the same
// index, ellipsis takes precedence over new axis, and new axis over shrink, as in OpenVINO 2025.4. A list that is NULL
// is computed.
static const char *stride_axes(Ir *ir, const IrLayer *layer, const Masks *m, const int64_t *begin,
                               const int64_t *end, const int64_t *step, int count, Strided *s) {
  int rank = layer->in.item[0].rank;
  int64_t axis = 0, out = 0;
  int rest = count, ellipses = 0;
  for (int i = 0; i < count; i++) {
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
      int64_t size = ir_size(layer, axis);
      if (begin && !m->begin[i] && size >= 0 && (begin[i] < -size || begin[i] >= size))
        return arena_printf(ir->arena,
                            "index %" PRId64 " of 'StridedSlice' is outside axis %" PRId64
                            " of size %" PRId64,
                            begin[i], axis, size);
      s->squeezed[s->squeezes++] = axis;
      element_add(s, axis++, m->begin[i] ? number(0) : bound_at(begin, i));
    } else {
      if (step[i] == 0)
        return "'StridedSlice' with a stride of 0 is not supported";
      Bound first = m->begin[i] ? number(step[i] > 0 ? 0 : INT64_MAX) : bound_at(begin, i);
      Bound last = m->end[i] ? number(step[i] > 0 ? INT64_MAX : INT64_MIN) : bound_at(end, i);
      if (!m->begin[i] || !m->end[i] || step[i] != 1)
        slice_add(s, axis, first, last, step[i]);
      axis++;
      out++;
    }
  }
  return NULL;
}

// Bounds at one end of slices, as an input: all are numbers, or there is one.
static const char *list_of_bounds(Ir *ir, const IrLayer *layer, int port, const Bound *bound,
                                  int count) {
  int64_t *n = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  for (int i = 0; i < count; i++)
    n[i] = bound[i].entry < 0 ? bound[i].n : bound[i].entry;
  const char *in[] = {ir_input(layer, port), ir_list(ir, layer, n, count)};
  return bound[0].entry < 0 ? in[1] : ir_inner_node(ir, layer, "Gather", in, 2, NULL);
}

// Numbers fit one node. Computed bounds need one for each axis: those of a type cannot be in a list with the numbers
// that masks stand for, which are larger.
static void emit_strided(Ir *ir, const IrLayer *layer, const Strided *s) {
  const char *data = ir_input(layer, 0);
  int group = s->is_computed ? 1 : s->slices;
  for (int i = 0; i < s->slices; i += group) {
    const char *in[] = {data, list_of_bounds(ir, layer, 1, s->start + i, group),
                        list_of_bounds(ir, layer, 2, s->end + i, group),
                        ir_list(ir, layer, s->axis + i, group),
                        ir_list(ir, layer, s->step + i, group)};
    if (i + group == s->slices && s->squeezes == 0 && s->adds == 0) {
      (void)ir_whole_node(ir, layer, "Slice", in, 5);
      return;
    }
    data = ir_inner_node(ir, layer, "Slice", in, 5, NULL);
  }
  if (s->squeezes > 0) {
    const char *in[] = {data, ir_list(ir, layer, s->squeezed, s->squeezes)};
    if (s->adds == 0) {
      (void)ir_whole_node(ir, layer, "Squeeze", in, 2);
      return;
    }
    data = ir_inner_node(ir, layer, "Squeeze", in, 2, NULL);
  }
  const char *in[] = {data, s->adds > 0 ? ir_list(ir, layer, s->added, s->adds) : ""};
  (void)ir_whole_node(ir, layer, s->adds > 0 ? "Unsqueeze" : "Identity", in, 2);
}

static bool has_masks(const Masks *m, int count) {
  bool any = false;
  for (int i = 0; i < count; i++)
    any = any || m->begin[i] || m->end[i] || m->added[i] || m->shrink[i] || m->ellipsis[i];
  return any;
}

// Without masks, the lists are those of Slice. Its strides may be computed, too.
static void emit_unmasked(Ir *ir, const IrLayer *layer, int count) {
  int64_t *axes = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  for (int i = 0; i < count; i++)
    axes[i] = i;
  const char *in[] = {ir_input(layer, 0), ir_input(layer, 1), ir_input(layer, 2),
                      ir_list(ir, layer, axes, count), ir_input(layer, 3)};
  (void)ir_whole_node(ir, layer, "Slice", in, 5);
}

static const char *unequal_lists(Ir *ir, const char *other, int begins, int others) {
  return arena_printf(ir->arena,
                      "the lists 'begin' and '%s' of 'StridedSlice' have %d and %d entries; they "
                      "must have the same length",
                      other, begins, others);
}

const char *ir_strided_slice(Ir *ir, const IrLayer *layer, const char *op) {
  int64_t *begin = NULL, *end = NULL, *step;
  int count, ends, steps;
  Masks m;
  (void)op;
  bool is_constant = ir_constant(ir, layer, 1, &begin, &count);
  is_constant = ir_constant(ir, layer, 2, &end, &ends) && is_constant;
  for (int i = 1; i <= 3 && !begin && (i == 1 || count < 0); i++) // all have the same length
    count = ir_length(ir, layer, i);
  if (!end)
    ends = count;
  if (count < 0)
    return "the number of bounds, the length of input 1, is not known when the model is compiled";
  if (ends != count)
    return unequal_lists(ir, "end", count, ends);
  const char *why = read_masks(ir, layer, count, &m);
  if (why)
    return why;
  if (!is_constant && !has_masks(&m, count)) {
    emit_unmasked(ir, layer, count);
    return NULL;
  }
  for (int i = 1; i <= 2; i++)
    if (ir_length(ir, layer, i) < 0)
      return arena_printf(ir->arena,
                          "'StridedSlice' with masks needs to know the length of input %d, the %s, "
                          "when the model is compiled",
                          i, i == 1 ? "begins" : "ends");
  if (layer->in.count < 4) {
    steps = count;
    step = ARENA_ARRAY(ir->arena, int64_t, count + 1);
    for (int i = 0; i < count; i++)
      step[i] = 1;
  } else if (!ir_constant(ir, layer, 3, &step, &steps)) {
    return ir_not_known(ir, layer, 3, "the strides");
  }
  if (steps != count)
    return unequal_lists(ir, "strides", count, steps);
  int size = 2 * count + 1; // an index may need two slices
  int64_t *room = ARENA_ARRAY(ir->arena, int64_t, 4 * size);
  Strided s = {.start = ARENA_ARRAY(ir->arena, Bound, size),
               .end = ARENA_ARRAY(ir->arena, Bound, size),
               .axis = room,
               .step = room + size,
               .squeezed = room + 2 * size,
               .added = room + 3 * size};
  why = ir_open_rank(ir, layer);
  if (!why)
    why = stride_axes(ir, layer, &m, begin, end, step, count, &s);
  if (!why)
    emit_strided(ir, layer, &s);
  return why;
}
