// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of operators that move elements, for nodes that could not be lowered: even if an input is data, the rank
// and the sizes of other axes may be known.
//
//   Slice(x: f32[4, N, 8], starts computed, axes=[1])   ->   f32[4, ?, 8]
#include "frontend/onnx/onnx_infer.h"

#include <math.h>
#include <string.h>

static bool axis_of(const Infer *f, int64_t fallback, int32_t rank, int32_t *axis) {
  return rsh_axis_index(attribute_int(f->v, "axis", fallback), rank, axis);
}

// ---- Shapes of other shapes

// A vector of sizes, as a shape.
void infer_target(Infer *f) {
  rsh_shape out = {0};
  int32_t rank;
  const Numbers *known = infer_known(f, 0);
  for (int32_t i = 0; known && i < known->count; i++)
    infer_append(&out, known->item[i]);
  if (known)
    f->out[0].shape = out;
  else if (infer_length(f, 0, &rank))
    infer_all_open(f, &f->out[0].shape, rank);
}

void infer_shape(Infer *f) {
  rsh_shape in, out = {.rank = 1, .dim = {infer_open(f)}};
  if (infer_in(f, 0, &in)) {
    int64_t start = attribute_int(f->v, "start", 0), end = attribute_int(f->v, "end", in.rank);
    start = start < 0 ? start + in.rank : start;
    end = end < 0 ? end + in.rank : end;
    start = start < 0 ? 0 : start;
    end = end > in.rank ? in.rank : end;
    out.dim[0] = rsh_int(end > start ? end - start : 0);
  }
  f->out[0].shape = out;
}

// Whether an entry that sizes decide may be 0, and so copy a size that is not.
//   [K*N, 0] of [2, M]     2 rows where K*N is 0
static bool may_copy(rsh_symbols *s, rsh_num entry, rsh_num size) {
  rsh_num times;
  bool is_open = !rsh_is_known(entry) && !rsh_is_unknown(entry);
  return is_open && rsh_sign(s, entry) != 1 && !rsh_div(s, size, entry, &times) &&
         !(rsh_div(s, entry, size, &times) && rsh_sign(s, times) == 1);
}

// Resolves the entries of a target that copy or infer a size.
static void resolve_target(Infer *f, rsh_shape *out, const rsh_shape *in) {
  rsh_symbols *s = graph_symbols(&f->v->r->data);
  rsh_num volume = infer_open(f), rest = rsh_int(1);
  bool copies = attribute_int(f->v, "allowzero", 0) == 0;
  int32_t infers = -1;
  if (in)
    (void)rsh_volume(s, in, &volume);
  for (int32_t i = 0; i < out->rank; i++) {
    if (rsh_is(out->dim[i], 0) && copies)
      out->dim[i] = in && i < in->rank ? in->dim[i] : infer_open(f);
    else if (copies && in && i < in->rank && may_copy(s, out->dim[i], in->dim[i]))
      out->dim[i] = infer_open(f);
    if (rsh_is(out->dim[i], -1))
      infers = i;
    else
      rest = infer_product(f, rest, out->dim[i]);
  }
  if (infers >= 0 && (rsh_is(rest, 0) || !rsh_div(s, volume, rest, &out->dim[infers])))
    out->dim[infers] = infer_open(f);
}

void infer_reshape(Infer *f) {
  rsh_shape in, out = {0};
  const Onnx__AttributeProto *list = attribute_of(f->v, "shape");
  const Numbers *known = infer_known(f, 1);
  int32_t rank;
  bool has_in = infer_in(f, 0, &in);
  if (!known && !list) {
    if (infer_length(f, 1, &rank))
      infer_all_open(f, &f->out[0].shape, rank);
    return;
  }
  for (int32_t i = 0; known && i < known->count; i++)
    infer_append(&out, known->item[i]);
  for (size_t i = 0; !known && i < list->n_ints; i++)
    infer_append(&out, rsh_int(list->ints[i]));
  resolve_target(f, &out, has_in ? &in : NULL);
  f->out[0].shape = out;
}

static rsh_num product_of(const Infer *f, const rsh_shape *in, int32_t from, int32_t to) {
  rsh_num product = rsh_int(1);
  for (int32_t i = from; i < to; i++)
    product = infer_product(f, product, in->dim[i]);
  return product;
}

void infer_flatten(Infer *f) {
  rsh_shape in;
  int64_t axis = attribute_int(f->v, "axis", 1);
  infer_all_open(f, &f->out[0].shape, 2);
  if (!infer_in(f, 0, &in))
    return;
  axis = axis < 0 ? axis + in.rank : axis;
  if (axis < 0 || axis > in.rank)
    return;
  f->out[0].shape.dim[0] = product_of(f, &in, 0, (int32_t)axis);
  f->out[0].shape.dim[1] = product_of(f, &in, (int32_t)axis, in.rank);
}

void infer_squeeze(Infer *f) {
  rsh_shape in, out = {0};
  uint32_t set;
  bool given;
  if (!infer_in(f, 0, &in) || !infer_axes(f, 1, "axes", in.rank, &set, &given))
    return;
  for (int32_t i = 0; i < in.rank; i++) {
    if (!given && !rsh_is_known(in.dim[i]))
      return;
    if (given ? !(set >> i & 1) : !rsh_is(in.dim[i], 1))
      infer_append(&out, in.dim[i]);
  }
  f->out[0].shape = out;
}

void infer_unsqueeze(Infer *f) {
  rsh_shape in, out = {0};
  uint32_t set;
  bool given;
  const Onnx__AttributeProto *list = attribute_of(f->v, "axes");
  int32_t count = list ? (int32_t)list->n_ints : 0, next = 0;
  if (!infer_in(f, 0, &in) || (!list && !infer_length(f, 1, &count)) ||
      count + in.rank > RSH_MAX_RANK)
    return;
  if (!infer_axes(f, 1, "axes", in.rank + count, &set, &given)) {
    infer_all_open(f, &f->out[0].shape, in.rank + count);
    return;
  }
  for (int32_t i = 0; i < in.rank + count; i++) {
    bool is_new = set >> i & 1;
    if (!is_new && next >= in.rank)
      return;
    infer_append(&out, is_new ? rsh_int(1) : in.dim[next++]);
  }
  f->out[0].shape = out;
}

void infer_transpose(Infer *f) {
  rsh_shape in, out = {0};
  const Onnx__AttributeProto *perm = attribute_of(f->v, "perm");
  if (!infer_in(f, 0, &in) || (perm && perm->n_ints > 0 && perm->n_ints != (size_t)in.rank))
    return;
  for (int32_t i = 0; i < in.rank; i++) {
    int64_t from = perm && perm->n_ints > 0 ? perm->ints[i] : in.rank - 1 - i;
    if (from < 0 || from >= in.rank)
      return;
    infer_append(&out, in.dim[from]);
  }
  f->out[0].shape = out;
}

// ---- Parts

static rsh_num slice_size(const Infer *f, rsh_num size, int32_t i) {
  rsh_num start, end;
  int64_t step = 1;
  rsh_range range;
  bool good =
      infer_number(f, 1, "starts", i, &start) && infer_number(f, 2, "ends", i, &end) &&
      (!infer_has(f, 4) || infer_listed(f, 4, "steps", i, &step)) &&
      rsh_slice_range(graph_symbols(&f->v->r->data), size, start, end, step, &range) == RSH_ok;
  return good ? range.count : infer_open(f);
}

void infer_slice(Infer *f) {
  rsh_shape in;
  uint32_t set;
  bool given;
  if (!infer_in(f, 0, &in))
    return;
  if (!infer_axes(f, 3, "axes", in.rank, &set, &given)) {
    infer_all_open(f, &f->out[0].shape, in.rank);
    return;
  }
  int32_t count = in.rank, at;
  const Onnx__AttributeProto *list = attribute_of(f->v, "starts");
  if (list)
    count = (int32_t)list->n_ints;
  else
    (void)infer_length(f, 1, &count);
  for (int32_t i = 0; i < count; i++)
    if (infer_axis_of(f, 3, "axes", given, i, in.rank, &at))
      in.dim[at] = slice_size(f, in.dim[at], i);
  f->out[0].shape = in;
}

// Without given sizes, all parts are equal; if a known size is not a multiple, the last part is smaller.
static rsh_num split_size(const Infer *f, rsh_num size, size_t i, bool is_given) {
  int64_t parts = (int64_t)f->count;
  rsh_num own, even;
  if (is_given)
    return infer_number(f, 1, "split", (int32_t)i, &own) ? own : infer_open(f);
  if (!rsh_is_known(size))
    return rsh_div(graph_symbols(&f->v->r->data), size, rsh_int(parts), &even) ? even
                                                                               : infer_open(f);
  int64_t chunk = size.n / parts + (size.n % parts != 0), left = size.n - (int64_t)i * chunk;
  return rsh_int(left < 0 ? 0 : left < chunk ? left : chunk);
}

void infer_split(Infer *f) {
  rsh_shape in;
  int32_t axis;
  const Onnx__AttributeProto *list = attribute_of(f->v, "split");
  bool is_given = infer_has(f, 1) || (list && list->n_ints > 0);
  if (!infer_in(f, 0, &in) || !axis_of(f, 0, in.rank, &axis))
    return;
  for (size_t i = 0; i < f->count; i++) {
    f->out[i].shape = in;
    f->out[i].shape.dim[axis] = split_size(f, in.dim[axis], i, is_given);
  }
}

// ---- Joined, padded, repeated

void infer_concat(Infer *f) {
  rsh_shape all, one;
  int32_t axis;
  if (!infer_in(f, 0, &all) || !axis_of(f, 1, all.rank, &axis))
    return;
  for (size_t i = 1; i < f->v->node->n_input; i++) {
    if (!infer_in(f, i, &one) || one.rank != all.rank) {
      all.dim[axis] = infer_open(f);
      continue;
    }
    for (int32_t k = 0; k < all.rank; k++)
      all.dim[k] = k == axis ? infer_sum(f, all.dim[k], one.dim[k])
                             : infer_same_size(all.dim[k], one.dim[k]);
  }
  f->out[0].shape = all;
}

void infer_pad(Infer *f) {
  rsh_shape in;
  uint32_t set;
  bool given;
  const char *attribute = attribute_of(f->v, "paddings") ? "paddings" : "pads";
  if (!infer_in(f, 0, &in))
    return;
  if (!infer_axes(f, 3, "", in.rank, &set, &given)) {
    infer_all_open(f, &f->out[0].shape, in.rank);
    return;
  }
  int32_t count = given ? infer_known(f, 3)->count : in.rank, at;
  for (int32_t i = 0; i < count; i++) {
    rsh_num before, after;
    if (!infer_axis_of(f, 3, "", given, i, in.rank, &at))
      continue;
    bool good = infer_number(f, 1, attribute, i, &before) &&
                infer_number(f, 1, attribute, count + i, &after);
    in.dim[at] = good ? infer_sum(f, infer_sum(f, in.dim[at], before), after) : infer_open(f);
  }
  f->out[0].shape = in;
}

void infer_center_crop_pad(Infer *f) {
  rsh_shape in;
  uint32_t set;
  bool given;
  const Numbers *sizes = infer_known(f, 1);
  if (!infer_in(f, 0, &in))
    return;
  if (!infer_axes(f, SIZE_MAX, "axes", in.rank, &set, &given)) {
    infer_all_open(f, &f->out[0].shape, in.rank);
    return;
  }
  int32_t at;
  for (int32_t i = 0; i < in.rank; i++)
    if (infer_axis_of(f, SIZE_MAX, "axes", given, i, in.rank, &at))
      in.dim[at] = infer_item(f, sizes, i);
  f->out[0].shape = in;
}

// Before opset 6 the inputs are a count and an axis.
void infer_tile(Infer *f) {
  rsh_shape in;
  const Numbers *known = f->v->frame->opset >= 6 ? infer_known(f, 1) : NULL;
  if (!infer_in(f, 0, &in))
    return;
  for (int32_t i = 0; i < in.rank; i++)
    in.dim[i] = infer_product(f, in.dim[i], infer_item(f, known, i));
  f->out[0].shape = in;
}

// ---- Blocks

// [N, C, H, W]  ->  [N, 4*C, H/2, W/2] for blocks of 2 by 2, or back.
static void infer_blocks(Infer *f, bool to_depth) {
  rsh_shape in;
  int64_t block = attribute_int(f->v, "blocksize", 0);
  if (!infer_ranked(f, 0, 4, 4, &in) || block < 1 || block > INT32_MAX)
    return;
  for (int i = 1; i < 4; i++) {
    int64_t by = i == 1 ? block * block : block;
    in.dim[i] = to_depth == (i == 1) ? infer_product(f, in.dim[i], rsh_int(by))
                                     : infer_floor(f, in.dim[i], by);
  }
  f->out[0].shape = in;
}

void infer_depth_to_space(Infer *f) { infer_blocks(f, false); }
void infer_space_to_depth(Infer *f) { infer_blocks(f, true); }

// ---- Indices that are data

void infer_gather(Infer *f) {
  rsh_shape data, indices, out = {0};
  int32_t axis;
  if (!infer_in(f, 0, &data) || !infer_in(f, 1, &indices) || !axis_of(f, 0, data.rank, &axis))
    return;
  for (int32_t i = 0; i < axis; i++)
    infer_append(&out, data.dim[i]);
  for (int32_t i = 0; i < indices.rank; i++)
    infer_append(&out, indices.dim[i]);
  for (int32_t i = axis + 1; i < data.rank; i++)
    infer_append(&out, data.dim[i]);
  f->out[0].shape = out;
}

// All axes of the indices but the last, then the axes of the data that an index does not cover.
void infer_gather_nd(Infer *f) {
  rsh_shape data, indices, out = {0};
  int64_t batch = attribute_int(f->v, "batch_dims", 0);
  if (!infer_in(f, 0, &data) || !infer_ranked(f, 1, 1, RSH_MAX_RANK, &indices) || batch < 0 ||
      batch > data.rank)
    return;
  rsh_num named = indices.dim[indices.rank - 1];
  if (!rsh_is_known(named) || named.n > data.rank - batch)
    return;
  for (int32_t i = 0; i + 1 < indices.rank; i++)
    infer_append(&out, indices.dim[i]);
  for (int32_t i = (int32_t)(named.n + batch); i < data.rank; i++)
    infer_append(&out, data.dim[i]);
  f->out[0].shape = out;
}

// Along an axis, or over all elements as a vector.
void infer_compress(Infer *f) {
  rsh_shape in;
  int32_t axis;
  if (!attribute_of(f->v, "axis")) {
    infer_all_open(f, &f->out[0].shape, 1);
  } else if (infer_in(f, 0, &in) && axis_of(f, 0, in.rank, &axis)) {
    in.dim[axis] = infer_open(f);
    f->out[0].shape = in;
  }
}

// ---- Resize

static rsh_num scaled(const Infer *f, rsh_num size, float scale) {
  int64_t known;
  if (scale >= 1 && scale == floorf(scale) && scale <= RESIZE_MOST)
    return infer_product(f, size, rsh_int((int64_t)scale));
  return resize_scaled(size, scale, &known) ? rsh_int(known) : infer_open(f);
}

// Upsample: X, scales; Resize: X, scales before opset 11, then X, roi, scales, sizes.
void infer_resize(Infer *f) {
  rsh_shape in;
  uint32_t set;
  int32_t count = -1;
  bool given;
  bool is_new = strcmp(f->v->op, "Resize") == 0 && f->v->frame->opset >= 11;
  size_t scales = is_new ? 2 : 1;
  if (!infer_in(f, 0, &in))
    return;
  const char *policy = infer_word(f, "keep_aspect_ratio_policy");
  (void)infer_length(f, 3, &count);
  bool has_sizes = is_new && infer_has(f, 3) && count != 0;
  bool keeps = has_sizes && *policy && strcmp(policy, "stretch") != 0;
  const Numbers *sizes = infer_known(f, 3);
  if (!infer_axes(f, SIZE_MAX, "axes", in.rank, &set, &given)) {
    infer_all_open(f, &f->out[0].shape, in.rank);
    return;
  }
  for (int32_t i = 0; i < in.rank; i++) {
    int32_t at;
    float scale;
    if (!infer_axis_of(f, SIZE_MAX, "axes", given, i, in.rank, &at))
      continue;
    if (has_sizes)
      in.dim[at] = infer_item(f, keeps ? NULL : sizes, i);
    else
      in.dim[at] =
          resize_scale(f->v, scales, i, &scale) ? scaled(f, in.dim[at], scale) : infer_open(f);
  }
  f->out[0].shape = in;
}
