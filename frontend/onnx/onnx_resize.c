// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resize and Upsample to the nearest neighbor, each axis by itself: entry i of the result is entry f(i) of the
// operand.
//
//   scale 2, asymmetric, floor              f(i) = floor(i / 2)            repeat by 2, for any size
//   scale 1/2, asymmetric, floor            f(i) = 2 * i                   every second entry, for any size
//   3 to 5, half_pixel, round_prefer_floor  f(i) = 0 0 1 2 2               gather [0, 0, 1, 2, 2]
//   tf_crop_and_resize, past the end        f(i) = 0 1 3 3, of 3 entries   pad by one entry, gather [0, 1, 3, 3]
//
// Source: the operators' documentation, opset 7 to 19. Lengths are integers, and the scale from `sizes` is a quotient,
// so no position is rounded in between. Before opset 11 the text only says "nearest"; this follows onnxruntime, which
// divides in f32 and rounds down, or up if a Resize shrinks the axis, and copies a tensor whose sizes do not change.
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef enum Coordinates {
  HALF_PIXEL,
  HALF_PIXEL_SYMMETRIC,
  PYTORCH_HALF_PIXEL,
  ALIGN_CORNERS,
  ASYMMETRIC,
  TF_HALF_PIXEL,
  CROP,
  BEFORE_11 // has no name
} Coordinates;

typedef enum Rounds { PREFER_FLOOR, PREFER_CEIL, FLOOR, CEIL, FLOOR_OR_CEIL } Rounds;

typedef enum Policy { STRETCH, NOT_LARGER, NOT_SMALLER } Policy;

static const char *const place_names[] = {
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
    "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize", NULL};
static const char *const round_names[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                          "ceil", NULL};
static const char *const policy_names[] = {"stretch", "not_larger", "not_smaller", NULL};

// One axis. Entry i of the result is `per` * i / `over` entries from the first; both are 1 if the size stays.
typedef struct Stretch {
  rsh_num in, out; // out: of a known `in`
  rsh_num factor;  // if integral; else 0
  double per, over;
  float begin, end; // for CROP: a part of the axis
} Stretch;

typedef struct Resize {
  Coordinates place;
  Rounds rounds;
  Policy policy;
  Fill outside; // for CROP
  Stretch axis[RSH_MAX_RANK];
} Resize;

// ---- Attributes and inputs

static bool is_text(const Onnx__AttributeProto *a, const char *text) {
  return a->s.len == strlen(text) && memcmp(a->s.data, text, a->s.len) == 0;
}

// The index of a word; 0 if absent. Below 0: it is not in the list.
static int word_of(const Visit *v, const char *name, const char *const *words) {
  const Onnx__AttributeProto *a = attribute_of(v, name);
  for (int i = 0; a && words[i]; i++)
    if (is_text(a, words[i]))
      return i;
  return a ? -1 : 0;
}

bool resize_is_nearest(const Visit *v) {
  const Onnx__AttributeProto *mode = attribute_of(v, "mode");
  return !mode || is_text(mode, "nearest");
}

static bool has_region(const Visit *v) {
  return strcmp(v->op, "Resize") == 0 && v->frame->opset >= 11;
}

static bool read_words(Visit *v, Resize *r) {
  static const char place[] = "coordinate_transformation_mode", rounds[] = "nearest_mode";
  static const char policy[] = "keep_aspect_ratio_policy";
  if (!has_region(v)) {
    r->place = BEFORE_11;
    r->rounds = strcmp(v->op, "Resize") == 0 ? FLOOR_OR_CEIL : FLOOR;
    return true;
  }
  int by_place = word_of(v, place, place_names), by_rounds = word_of(v, rounds, round_names),
      by_policy = word_of(v, policy, policy_names);
  if (by_place < 0 || by_rounds < 0 || by_policy < 0) {
    const char *name = by_place < 0 ? place : by_rounds < 0 ? rounds : policy;
    const Onnx__AttributeProto *a = attribute_of(v, name);
    return onnx_error(v, "bad_attr", "attribute '%s' is '%.*s', which is not one of its values",
                      name, (int)a->s.len, (const char *)a->s.data);
  }
  r->place = (Coordinates)by_place;
  r->rounds = (Rounds)by_rounds;
  r->policy = (Policy)by_policy;
  return true;
}

// An input; NULL if it is omitted or empty.
static const Item *given(const Visit *v, size_t input) {
  const Item *item = input_of(v, input);
  return item && item->known && item->known->count == 0 ? NULL : item;
}

// Entry i of an f32 vector known at compile time.
static bool float_of(const Visit *v, const Item *item, int32_t i, float *out) {
  const char *why = NULL;
  const Numbers *numbers = onnx_numbers(item);
  if (numbers && numbers->count > i && rsh_is_known(numbers->item[i])) {
    *out = (float)onnx_fraction(numbers, i);
    return true;
  }
  const Onnx__TensorProto *tensor = item->tensor;
  if (!tensor || tensor->data_type != ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT || tensor->n_dims != 1 ||
      i >= tensor->dims[0])
    return false;
  const uint8_t *bytes = onnx_tensor_bytes(v->r, tensor, &why);
  if (bytes)
    memcpy(out, bytes + sizeof *out * (size_t)i, sizeof *out);
  return bytes != NULL;
}

// Upsample before opset 7 scales images, by two attributes.
static bool scales_images(const Visit *v) {
  return strcmp(v->op, "Upsample") == 0 && v->frame->opset < 7;
}

static bool image_scale(const Visit *v, int32_t i, float *out) {
  const Onnx__AttributeProto *a =
      i < 2 ? NULL : attribute_of(v, i == 2 ? "height_scale" : "width_scale");
  *out = a ? a->f : 1;
  return i < 2 || (a && i < 4);
}

bool resize_scale(const Visit *v, size_t input, int32_t i, float *out) {
  const Onnx__AttributeProto *a = attribute_of(v, "scales");
  const Item *item = given(v, input);
  if (scales_images(v))
    return image_scale(v, i, out);
  if (item)
    return float_of(v, item, i, out);
  if (!a || (size_t)i >= a->n_floats)
    return false;
  *out = a->floats[i];
  return true;
}

bool resize_scaled(rsh_num size, float scale, int64_t *out) {
  if (!(scale >= 1.0F / RESIZE_MOST && scale <= RESIZE_MOST) || !rsh_is_known(size) ||
      size.n > RESIZE_FLOAT)
    return false;
  *out = (int64_t)floorf((float)size.n * scale);
  return true;
}

// The length of a vector. Below 0: unknown.
static int32_t length_of(const Item *item) {
  if (onnx_numbers(item))
    return onnx_numbers(item)->count;
  const Onnx__TensorProto *tensor = item->tensor;
  return tensor && tensor->n_dims == 1 && tensor->dims[0] <= RSH_MAX_RANK ? (int32_t)tensor->dims[0]
                                                                          : -1;
}

// ---- Sizes

// Integral factors, which do not require known sizes.
static void set_factor(Visit *v, Stretch *s, const rsh_num *size, float scale) {
  bool is_whole = scale >= 1 && scale <= RESIZE_MOST && scale == floorf(scale);
  if (!size)
    s->factor = rsh_int(is_whole ? (int64_t)scale : 0);
  else if (rsh_equal(*size, s->in))
    s->factor = rsh_int(1);
  else if (!rsh_div(symbols_of(v), *size, s->in, &s->factor) || !rsh_is_known(s->factor) ||
           s->factor.n < 1)
    s->factor = rsh_int(0);
}

static bool set_scale(Visit *v, Stretch *s, int32_t i, float scale) {
  int64_t out = 0;
  set_factor(v, s, NULL, scale);
  if (rsh_is_known(s->in) && s->factor.n == 0 && !resize_scaled(s->in, scale, &out))
    return onnx_error(v, "bad_attr", "entry %d of 'scales' is %g, which is out of range", (int)i,
                      (double)scale);
  if (rsh_is_known(s->in) && s->factor.n > 0 && s->in.n <= RESIZE_FLOAT)
    out = s->in.n * s->factor.n;
  s->out = rsh_int(out);
  s->per = 1;
  s->over = (double)scale;
  return true;
}

static bool set_size(Visit *v, Stretch *s, int32_t i, rsh_num size) {
  set_factor(v, s, &size, 0);
  if (rsh_is_known(size) && size.n < 0)
    return onnx_error(v, "bad_dim", "entry %d of 'sizes' is %" PRId64, (int)i, size.n);
  s->out = size;
  s->per = rsh_is_known(s->in) ? (double)s->in.n : 0;
  s->over = rsh_is_known(size) ? (double)size.n : 0;
  return true;
}

// Scales all listed axes alike, by their least (or greatest) scale; halves are rounded up.
static bool keep_ratio(Visit *v, const Resize *r, Stretch *const *named, int32_t count) {
  const Stretch *least = named[0];
  for (int32_t i = 0; i < count; i++) {
    const Stretch *s = named[i];
    if (!rsh_is_known(s->in) || !rsh_is_known(s->out) || s->in.n < 1 || s->in.n > RESIZE_FLOAT ||
        s->out.n > RESIZE_FLOAT)
      return onnx_error(v, "unsupported",
                        "'keep_aspect_ratio_policy' of sizes that are 0 or not "
                        "known when the model is compiled is not supported");
    bool is_less = s->over * least->per < least->over * s->per;
    least = is_less == (r->policy == NOT_LARGER) ? s : least;
  }
  int64_t per = least->in.n, over = least->out.n;
  for (int32_t i = 0; i < count; i++) {
    Stretch *s = named[i];
    s->out = rsh_int((2 * over * s->in.n + per) / (2 * per));
    s->factor = rsh_int(0);
    s->per = (double)per;
    s->over = (double)over;
  }
  return true;
}

// The axis of entry i. Below 0: it is invalid, which is reported.
static int32_t axis_of(Visit *v, int32_t i, int32_t rank) {
  const Onnx__AttributeProto *axes = attribute_of(v, "axes");
  int32_t axis = i;
  if (!axes || rsh_axis_index(axes->ints[i], rank, &axis))
    return axis;
  onnx_error(v, "bad_axis", "entry %d of 'axes' is not an axis of %s, which has rank %d", (int)i,
             input_label(v, 0), (int)rank);
  return -1;
}

// The part of each axis that CROP takes: all starts, then all ends.
static bool read_region(Visit *v, Stretch *s, int32_t i, int32_t count) {
  const Item *region = given(v, 1);
  if (region && float_of(v, region, i, &s->begin) && float_of(v, region, count + i, &s->end))
    return true;
  return onnx_error(v, "unsupported",
                    "'tf_crop_and_resize' needs 'roi', known when the model is compiled");
}

static bool read_outside(Visit *v, rsh_dtype dtype, Fill *fill) {
  const Onnx__AttributeProto *a = attribute_of(v, "extrapolation_value");
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  float value = a ? a->f : 0;
  *fill = (Fill){dtype, {0}};
  return rsh_convert(&value, RSH_F32, fill->bits, dtype, plain) == RSH_ok ||
         onnx_error(v, "bad_attr", "'extrapolation_value' has no meaning in %s",
                    rsh_dtype_name(dtype));
}

static bool read_axes(Visit *v, const rsh_shape *x, Resize *r) {
  bool has_sizes = has_region(v), is_image = scales_images(v);
  const Item *scales = given(v, has_sizes ? 2 : 1), *sizes = has_sizes ? given(v, 3) : NULL;
  const Onnx__AttributeProto *axes = attribute_of(v, "axes"), *list = attribute_of(v, "scales");
  const Item *item = scales ? scales : sizes;
  bool by_sizes = !scales && sizes;
  const char *name = by_sizes ? "sizes" : "scales";
  Stretch *named[RSH_MAX_RANK];
  if (scales && sizes)
    return onnx_error(v, "arity", "'%s' takes 'scales' or 'sizes', and has both", v->op);
  if (is_image && !(attribute_of(v, "height_scale") && attribute_of(v, "width_scale")))
    return onnx_error(v, "arity", "'%s' needs 'height_scale' and 'width_scale'", v->op);
  if (is_image && x->rank != 4)
    return onnx_error(v, "bad_rank", "%s has rank %d; 'Upsample' before opset 7 needs 4",
                      input_label(v, 0), (int)x->rank);
  if (!is_image && !item && !list)
    return onnx_error(v, "arity", "'%s' needs 'scales'%s", v->op, has_sizes ? " or 'sizes'" : "");
  int64_t count = is_image ? x->rank : item ? length_of(item) : (int64_t)list->n_floats;
  size_t needed = axes ? axes->n_ints : (size_t)x->rank;
  if (count < 0)
    return onnx_error(v, "unsupported", "'%s' are not known when the model is compiled", name);
  if ((size_t)count != needed || count > RSH_MAX_RANK)
    return onnx_error(v, "bad_length", "'%s' has length %" PRId64 "; %zu is needed", name, count,
                      needed);
  for (int32_t i = 0; i < x->rank; i++)
    r->axis[i] = (Stretch){x->dim[i], x->dim[i], rsh_int(1), 1, 1, 0, 1};
  for (int32_t i = 0; i < count; i++) {
    float scale = 0;
    int32_t axis = axis_of(v, i, x->rank);
    if (axis < 0)
      return false;
    Stretch *s = named[i] = &r->axis[axis];
    if (by_sizes ? !sizes->known : !resize_scale(v, has_sizes ? 2 : 1, i, &scale))
      return onnx_error(v, "unsupported", "'%s' are not known when the model is compiled", name);
    if (by_sizes ? !set_size(v, s, i, sizes->known->item[i]) : !set_scale(v, s, i, scale))
      return false;
    if (r->place == CROP && !read_region(v, s, i, (int32_t)count))
      return false;
  }
  return r->policy == STRETCH || !by_sizes || count == 0 || keep_ratio(v, r, named, (int32_t)count);
}

// ---- Positions

// The position of entry i of the result among the entries of the operand.
static double place_of(const Resize *r, const Stretch *s, int64_t i) {
  double at = (double)i, in = (double)s->in.n, out = (double)s->out.n;
  switch (r->place) {
  case HALF_PIXEL:
    return (at + 0.5) * s->per / s->over - 0.5;
  case HALF_PIXEL_SYMMETRIC: // the centers of both coincide
    return (at + 0.5 - out / 2) * s->per / s->over + (in - 1) / 2;
  case PYTORCH_HALF_PIXEL:
    return s->out.n > 1 ? (at + 0.5) * s->per / s->over - 0.5 : 0;
  case ALIGN_CORNERS:
    return s->out.n > 1 ? at * (in - 1) / (out - 1) : 0;
  case ASYMMETRIC:
    return at * s->per / s->over;
  case TF_HALF_PIXEL:
    return (at + 0.5) * s->per / s->over;
  case BEFORE_11:
    return (double)((float)at / (float)s->over);
  case CROP:
    return s->out.n > 1 ? (double)s->begin * (in - 1) +
                              at * ((double)s->end - (double)s->begin) * (in - 1) / (out - 1)
                        : 0.5 * ((double)s->begin + (double)s->end) * (in - 1);
  }
  return 0;
}

static double rounded(const Resize *r, const Stretch *s, double at) {
  switch (r->rounds) {
  case PREFER_FLOOR:
    return ceil(at - 0.5);
  case PREFER_CEIL:
    return floor(at + 0.5);
  case FLOOR:
    return floor(at);
  case CEIL:
    return ceil(at);
  case FLOOR_OR_CEIL:
    return s->over < s->per ? ceil(at) : floor(at);
  }
  return at;
}

static int64_t nearest(const Resize *r, const Stretch *s, int64_t i) {
  double at = place_of(r, s, i), most = (double)(s->in.n - 1), to = rounded(r, s, at);
  bool is_outside = r->place == CROP && !(at >= 0 && at <= most);
  return is_outside ? s->in.n : (int64_t)(to < 0 ? 0 : to > most ? most : to);
}

// Returns whether an integral factor repeats every entry, for any size. HALF_PIXEL positions are never midway between
// two entries.
static bool repeats(const Resize *r, const Stretch *s) {
  bool is_centered =
      r->place == HALF_PIXEL || r->place == HALF_PIXEL_SYMMETRIC || r->place == PYTORCH_HALF_PIXEL;
  bool is_floor = r->rounds == FLOOR || r->rounds == FLOOR_OR_CEIL;
  if (s->factor.n == 1 && r->place != TF_HALF_PIXEL && r->place != CROP)
    return true;
  return s->factor.n > 0 &&
         ((is_centered && r->rounds <= PREFER_CEIL) ||
          ((r->place == ASYMMETRIC || r->place == TF_HALF_PIXEL || r->place == BEFORE_11) &&
           is_floor));
}

// 2 entries scaled by 1.2 are 2 again.
static bool keeps_sizes(const Resize *r, int32_t rank) {
  bool same = true;
  for (int32_t i = 0; i < rank && same; i++)
    same = r->axis[i].factor.n == 1 ||
           (rsh_is_known(r->axis[i].in) && rsh_equal(r->axis[i].in, r->axis[i].out));
  return same;
}

// "by 2.5", "to 8"
static const char *scale_text(const Visit *v, const Stretch *s) {
  return s->per == 1 && s->over > 0
             ? arena_printf(v->r->arena, "by %g", s->over)
             : arena_printf(v->r->arena, "to %s", size_label(&v->r->data, s->out));
}

// " in mode 'align_corners' with 'ceil'"
static const char *mode_text(const Visit *v, const Resize *r) {
  return has_region(v) ? arena_printf(v->r->arena, " in mode '%s' with '%s'", place_names[r->place],
                                      round_names[r->rounds])
                       : "";
}

// By a half, a quarter, ...: every second, fourth, ... entry. Returns this number, or 0.
static int64_t every(const Resize *r, const Stretch *s) {
  double each = s->over > 0 ? 1 / s->over : 0;
  bool is_place = r->place == HALF_PIXEL || r->place == ASYMMETRIC || r->place == TF_HALF_PIXEL ||
                  r->place == BEFORE_11;
  bool is_halved = each >= 2 && each <= RESIZE_FLOAT && log2(each) == floor(log2(each));
  return is_place && s->per == 1 && is_halved ? (int64_t)each : 0;
}

// f32[H], each 2    split [H//2*2, H-H//2*2], reshape [H//2, 2], gather [0]
static Value *take_every(Visit *v, Value *x, const Resize *r, int32_t axis, int64_t each) {
  rsh_symbols *s = symbols_of(v);
  const Stretch block = {
      .in = rsh_int(each), .out = rsh_int(1), .per = 1, .over = 1 / (double)each};
  rsh_num part[2], out, first = rsh_int(nearest(r, &block, 0));
  rsh_shape blocks = x->shape, shape = x->shape;
  if (!sizes_quotient(v, shape.dim[axis], rsh_int(each), &out) ||
      !rsh_mul(s, out, rsh_int(each), &part[0]) || !rsh_sub(s, shape.dim[axis], part[0], &part[1]))
    return refused(onnx_error(v, "unsupported",
                              "axis %d of %s has too many sizes known only at run time", (int)axis,
                              input_label(v, 0)));
  Values halves = step_split(v, x, part, 2, axis);
  if (halves.count != 2)
    return NULL;
  for (int32_t i = blocks.rank++; i > axis + 1; i--)
    blocks.dim[i] = blocks.dim[i - 1];
  shape.dim[axis] = blocks.dim[axis] = out;
  blocks.dim[axis + 1] = rsh_int(each);
  x = step_shape(v, halves.item[0], &blocks);
  x = step_gather(v, x, &first, 1, axis + 1);
  return step_shape(v, x, &shape);
}

// An axis without entries cannot get any. False: it was reported.
static bool have_entries(Visit *v, const Resize *r, int32_t rank) {
  for (int32_t i = 0; i < rank; i++) {
    const Stretch *s = &r->axis[i];
    bool is_some = !repeats(r, s) && rsh_is_known(s->out) && s->out.n > 0;
    if (is_some && (rsh_is(s->in, 0) || !node_size_fits(v, rsh_int(1), s->in, RSH_bad_dim)))
      return onnx_error(v, "bad_dim", "axis %d of %s has no entries; it cannot get %" PRId64,
                        (int)i, input_label(v, 0), s->out.n);
  }
  return true;
}

static Value *gather_nearest(Visit *v, Value *x, const Resize *r, int32_t axis) {
  const Stretch *s = &r->axis[axis];
  bool is_known = rsh_is_known(s->in) && rsh_is_known(s->out), is_outside = false, moves = false;
  if (!rsh_is_known(s->in) && !rsh_is_unknown(s->in) && x->shape.rank < RSH_MAX_RANK && every(r, s))
    return take_every(v, x, r, axis, every(r, s));
  if (!is_known)
    return refused(
        onnx_error(v, "unsupported",
                   "axis %d of %s has a size known only at run time: it can be scaled by a "
                   "whole number%s, not %s%s",
                   (int)axis, input_label(v, 0),
                   has_region(v) ? " in mode 'asymmetric' with 'floor', or 'half_pixel' with "
                                   "'round_prefer_floor'"
                                 : "",
                   scale_text(v, s), mode_text(v, r)));
  if (s->in.n > RESIZE_FLOAT || s->out.n > KNOWN_LIMIT)
    return refused(onnx_error(v, "limit", "'%s' gives axis %d more than %d entries", v->op,
                              (int)axis, KNOWN_LIMIT));
  rsh_num *index = ARENA_ARRAY(v->r->arena, rsh_num, s->out.n);
  for (int64_t i = 0; i < s->out.n; i++) {
    index[i] = rsh_int(nearest(r, s, i));
    is_outside = is_outside || index[i].n == s->in.n;
    moves = moves || index[i].n != i;
  }
  if (!moves && s->out.n == s->in.n)
    return x;
  if (is_outside)
    x = step_pad(v, x, axis, rsh_int(0), rsh_int(1), &r->outside);
  return step_gather(v, x, index, (int32_t)s->out.n, axis);
}

Value *resize_pick(Visit *v) {
  Resize r = {0};
  rsh_num factor[RSH_MAX_RANK];
  Value *x = step_operand(v, 0);
  if (!x || !read_words(v, &r) || !read_axes(v, &x->shape, &r) ||
      (r.place == CROP && !read_outside(v, x->dtype, &r.outside)))
    return NULL;
  int32_t rank = x->shape.rank;
  bool any = false;
  if (!has_region(v) && keeps_sizes(&r, rank))
    return x;
  for (int32_t i = 0; i < rank; i++) {
    factor[i] = repeats(&r, &r.axis[i]) ? r.axis[i].factor : rsh_int(1);
    any = any || factor[i].n > 1;
  }
  if (!have_entries(v, &r, rank))
    return NULL;
  if (any)
    x = step_repeat(v, x, factor);
  for (int32_t i = 0; i < rank && x; i++)
    if (!repeats(&r, &r.axis[i]))
      x = gather_nearest(v, x, &r, i);
  return x;
}
