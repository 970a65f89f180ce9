// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resize and Upsample to the nearest neighbour, by whole factors, repeat elements: whatever an exporter
// calls it, element i of the result is element i / factor.
//
//   asymmetric, floor               floor(i / 2)                 0 0 1 1 2 2
//   half_pixel, round_prefer_floor  nearest of (i + 0.5) / 2 - 0.5   the same, and never in the middle of two
#include "frontend/onnx/onnx_internal.h"

#include <math.h>
#include <string.h>

static bool is_text(const Visit *v, const char *name, const char *fallback, const char *wanted) {
  const Onnx__AttributeProto *a = attribute_of(v, name);
  size_t length = a ? a->s.len : strlen(fallback);
  const char *text = a ? (const char *)a->s.data : fallback;
  return length == strlen(wanted) && strncmp(text, wanted, length) == 0;
}

bool resize_repeats(const Visit *v) {
  enum { WITH_MODES = 11 };
  static const char place[] = "coordinate_transformation_mode", rounds[] = "nearest_mode";
  static const char floor_of[] = "round_prefer_floor";
  if (!is_text(v, "mode", "nearest", "nearest"))
    return false;
  if (strcmp(v->op, "Upsample") == 0 || v->frame->opset < WITH_MODES)
    return true;
  if (!is_text(v, "keep_aspect_ratio_policy", "stretch", "stretch"))
    return false;
  if (is_text(v, place, "half_pixel", "asymmetric") ||
      is_text(v, place, "half_pixel", "tf_half_pixel_for_nn"))
    return is_text(v, rounds, floor_of, "floor");
  bool is_centred = is_text(v, place, "half_pixel", "half_pixel") ||
                    is_text(v, place, "half_pixel", "pytorch_half_pixel");
  return is_centred && (is_text(v, rounds, floor_of, "round_prefer_floor") ||
                        is_text(v, rounds, floor_of, "round_prefer_ceil"));
}

// The numbers of an input; NULL where it is left out, or has none.
static const Item *given(const Visit *v, size_t input) {
  const Item *item = input < v->node->n_input ? v->in[input] : NULL;
  return item && item->known && item->known->count == 0 ? NULL : item;
}

// Whether there is an entry for each axis, or for each of those that are named.
static bool check_length(Visit *v, const char *name, int32_t count, int32_t rank) {
  const Onnx__AttributeProto *axes = attribute_of(v, "axes");
  size_t needed = axes ? axes->n_ints : (size_t)rank;
  return (size_t)count == needed ||
         onnx_error(v, "bad_length", "'%s' has length %d; %zu is needed", name, (int)count, needed);
}

// The axis that entry i is about; -1: there is none.
static int32_t axis_of(const Visit *v, int32_t i, int32_t rank) {
  const Onnx__AttributeProto *axes = attribute_of(v, "axes");
  int32_t axis = i;
  return !axes || rsh_axis_index(axes->ints[i], rank, &axis) ? axis : -1;
}

// Whole factors, given as sizes, relative to those of the operand.
static bool set_factor(Visit *v, Lower *l, const rsh_shape *x, rsh_num number, bool is_size,
                       int32_t axis, rsh_num *factor) {
  factor[axis] = number;
  bool is_whole = !is_size || rsh_equal(number, x->dim[axis]) ||
                  rsh_div(l->graph->symbols, number, x->dim[axis], &factor[axis]);
  if (is_size && rsh_equal(number, x->dim[axis]))
    factor[axis] = rsh_int(1);
  if (is_whole && rsh_is_known(factor[axis]) && factor[axis].n >= 1)
    return true;
  return onnx_error(v, "unsupported",
                    "'%s' by another than a whole factor is not supported, on axis %d", v->op,
                    (int)axis);
}

// Upsample of opset 7 and 8 has its factors as an attribute.
static const Numbers *factors_of_attribute(Visit *v) {
  const Onnx__AttributeProto *a = attribute_of(v, "scales");
  Numbers *made = a ? numbers_vector(v->r, (int32_t)a->n_floats) : NULL;
  for (int32_t i = 0; made && i < made->count; i++) {
    float factor = a->floats[i];
    made->item[i] =
        rsh_int(factor >= 1 && factor < 1e9F && factor == floorf(factor) ? (int64_t)factor : 0);
  }
  return made;
}

bool resize_bind(Visit *v, Lower *l, Binding *b) {
  const rsh_shape *x = b->call.in[0];
  bool has_region = strcmp(v->op, "Resize") == 0 && v->frame->opset >= 11;
  const Item *scales = given(v, has_region ? 2 : 1), *sizes = given(v, 3);
  const Item *item = scales ? scales : sizes;
  const Numbers *number = item ? item->known : factors_of_attribute(v);
  bool is_size = item && item == sizes;
  rsh_num factor[RSH_MAX_RANK];
  if (!resize_repeats(v))
    return onnx_error(v, "unsupported", "'%s' that does more than repeat elements is not supported",
                      v->op);
  if (x->rank == RSH_RANK_UNKNOWN)
    return onnx_rank_error(v, 0);
  if (scales && sizes)
    return onnx_error(v, "arity", "'%s' takes 'scales' or 'sizes', and has both", v->op);
  if (!item && !number)
    return onnx_error(v, "arity", "'%s' needs 'scales'%s", v->op, has_region ? " or 'sizes'" : "");
  if (!number)
    return onnx_error(v, "unsupported",
                      "'%s' by factors that are not whole, or not known when the model is "
                      "compiled, is not supported",
                      v->op);
  if (!check_length(v, is_size ? "sizes" : "scales", number->count, x->rank))
    return false;
  for (int32_t i = 0; i < x->rank; i++)
    factor[i] = rsh_int(1);
  for (int32_t i = 0; i < number->count; i++) {
    int32_t axis = axis_of(v, i, x->rank);
    if (axis < 0)
      return onnx_error(v, "bad_axis", "entry %d of 'axes' is no axis of %s, which has rank %d",
                        (int)i, input_label(v, 0), (int)x->rank);
    if (!set_factor(v, l, x, number->item[i], is_size, axis, factor))
      return false;
  }
  binding_list(l, b, 0, factor, x->rank);
  b->arg[0].given = true;
  return true;
}
