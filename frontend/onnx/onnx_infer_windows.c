// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of convolutions and pools: the number of window positions.
//
//   H of 3, stride 2, pads 1 1      (H + 1) / 2, rounded down
#include "frontend/onnx/onnx_infer.h"

#include <string.h>

static bool is_small(int64_t n) { return n >= 0 && n < (int64_t)1 << 31; }

typedef struct Window {
  int64_t stride, dilation, before, after;
  rsh_num reach; // from the first to the last element in the window
} Window;

// False: an attribute is out of range.
static bool window_of(const Infer *f, size_t axis, size_t axes, rsh_num kernel, Window *w) {
  w->stride = infer_entry(f, "strides", axis, 1);
  w->dilation = infer_entry(f, "dilations", axis, 1);
  w->before = infer_entry(f, "pads", axis, 0);
  w->after = infer_entry(f, "pads", axes + axis, 0);
  if (strcmp(infer_word(f, "auto_pad"), "VALID") == 0)
    w->before = w->after = 0;
  if (!is_small(w->stride) || !is_small(w->dilation) || !is_small(w->before) ||
      !is_small(w->after) || w->stride < 1 || (rsh_is_known(kernel) && !is_small(kernel.n)))
    return false;
  w->reach = infer_sum(f, infer_product(f, infer_sum(f, kernel, rsh_int(-1)), rsh_int(w->dilation)),
                       rsh_int(1));
  return true;
}

static bool is_same_size(const Infer *f) {
  return strncmp(infer_word(f, "auto_pad"), "SAME", 4) == 0;
}

// No window may start beyond the input.
static rsh_num round_up(const Infer *f, rsh_num size, rsh_num rest, const Window *w) {
  rsh_num count = infer_sum(f, infer_ceiling(f, rest, w->stride), rsh_int(1));
  bool none_is_past = w->stride == 1 && rsh_is_known(w->reach) && w->after < w->reach.n;
  if (!rsh_is_known(count) || !rsh_is_known(size))
    return none_is_past ? count : infer_open(f);
  bool is_past = (count.n - 1) * w->stride >= size.n + w->before;
  return is_past ? rsh_int(count.n - 1) : count;
}

static rsh_num slide(const Infer *f, rsh_num size, const Window *w) {
  if (is_same_size(f))
    return infer_ceiling(f, size, w->stride);
  rsh_num padded = infer_sum(f, size, rsh_int(w->before + w->after));
  rsh_num rest = infer_sum(f, padded, infer_product(f, w->reach, rsh_int(-1)));
  if (rsh_is_known(rest) && rest.n < 0)
    return infer_open(f);
  if (attribute_int(f->v, "ceil_mode", 0) != 0)
    return round_up(f, size, rest, w);
  rsh_num more = infer_sum(f, rest, rsh_int(w->stride));
  if (!rsh_is_known(more) && !rsh_is_unknown(more)) // a model that runs has images as large as that
    sizes_require(f->v, rsh_int(0), more);
  return infer_floor(f, more, w->stride);
}

// Sets axes 2 and up of `shape`; `kernel` has the sizes of the windows.
static void slide_all(const Infer *f, rsh_shape *shape, const rsh_num *kernel) {
  size_t axes = (size_t)shape->rank - 2;
  for (size_t i = 0; i < axes; i++) {
    Window w;
    bool good = window_of(f, i, axes, kernel[i], &w);
    shape->dim[i + 2] = good ? slide(f, shape->dim[i + 2], &w) : infer_open(f);
  }
}

// The kernel sizes: "kernel_shape", or from the weights.
static void kernel_of(const Infer *f, int32_t axes, const rsh_shape *weights, rsh_num *kernel) {
  for (int32_t i = 0; i < axes; i++) {
    int64_t given = infer_entry(f, "kernel_shape", (size_t)i, -1);
    kernel[i] = given >= 0 ? rsh_int(given) : weights ? weights->dim[i + 2] : infer_open(f);
  }
}

// The weights are input `which`.
void infer_conv(Infer *f) {
  rsh_shape in, weights;
  rsh_num kernel[RSH_MAX_RANK];
  bool has_weights = infer_in(f, (size_t)f->which, &weights);
  if (!infer_ranked(f, 0, 2, RSH_MAX_RANK, &in) || (has_weights && weights.rank != in.rank))
    return;
  kernel_of(f, in.rank - 2, has_weights ? &weights : NULL, kernel);
  in.dim[1] = has_weights ? weights.dim[0] : infer_open(f);
  slide_all(f, &in, kernel);
  f->out[0].shape = in;
}

void infer_pool(Infer *f) {
  rsh_shape in;
  rsh_num kernel[RSH_MAX_RANK];
  if (!infer_ranked(f, 0, 2, RSH_MAX_RANK, &in))
    return;
  kernel_of(f, in.rank - 2, NULL, kernel);
  slide_all(f, &in, kernel);
  for (size_t i = 0; i < f->count; i++)
    f->out[i].shape = in;
}

void infer_global_pool(Infer *f) {
  rsh_shape in;
  if (!infer_in(f, 0, &in))
    return;
  for (int32_t i = 2; i < in.rank; i++)
    in.dim[i] = rsh_int(1);
  f->out[0].shape = in;
}

// ---- Transposed

// stride * (size - 1) + output_padding + reach - pads
static rsh_num unslide(const Infer *f, rsh_num size, size_t axis, const Window *w) {
  rsh_num stride = rsh_int(w->stride);
  bool has_gaps = !rsh_is_known(w->reach) || w->reach.n < w->stride; // engines differ in this case
  if (is_same_size(f))
    return has_gaps ? infer_open(f) : infer_product(f, size, stride);
  rsh_num moved = infer_product(f, infer_sum(f, size, rsh_int(-1)), stride);
  rsh_num more = rsh_int(infer_entry(f, "output_padding", axis, 0));
  more = infer_sum(f, more, rsh_int(-w->before - w->after));
  return infer_sum(f, infer_sum(f, moved, w->reach), more);
}

void infer_conv_transpose(Infer *f) {
  rsh_shape in, weights;
  rsh_num kernel[RSH_MAX_RANK];
  bool has_weights = infer_in(f, 1, &weights);
  if (!infer_ranked(f, 0, 2, RSH_MAX_RANK, &in) || (has_weights && weights.rank != in.rank))
    return;
  size_t axes = (size_t)in.rank - 2;
  kernel_of(f, in.rank - 2, has_weights ? &weights : NULL, kernel);
  in.dim[1] = has_weights
                  ? infer_product(f, weights.dim[1], rsh_int(attribute_int(f->v, "group", 1)))
                  : infer_open(f);
  for (size_t i = 0; i < axes; i++) {
    Window w;
    bool good = window_of(f, i, axes, kernel[i], &w);
    int64_t given = infer_entry(f, "output_shape", i, -1);
    in.dim[i + 2] = given >= 0 ? rsh_int(given)
                    : good     ? unslide(f, in.dim[i + 2], i, &w)
                               : infer_open(f);
  }
  f->out[0].shape = in;
}

void infer_max_unpool(Infer *f) {
  rsh_shape in;
  rsh_num kernel[RSH_MAX_RANK];
  const Numbers *sizes = infer_known(f, 2);
  if (!infer_ranked(f, 0, 2, RSH_MAX_RANK, &in))
    return;
  size_t axes = (size_t)in.rank - 2;
  kernel_of(f, in.rank - 2, NULL, kernel);
  if (infer_has(f, 2)) {
    for (int32_t i = 0; i < in.rank; i++)
      in.dim[i] = infer_item(f, sizes, i);
    f->out[0].shape = in;
    return;
  }
  for (size_t i = 0; i < axes; i++) {
    Window w;
    bool good = window_of(f, i, axes, kernel[i], &w);
    in.dim[i + 2] = good ? unslide(f, in.dim[i + 2], i, &w) : infer_open(f);
  }
  f->out[0].shape = in;
}

// ---- Windows of other kinds

// Combines blocks into an image: [N, C * block, L], image sizes, block sizes.
void infer_col2im(Infer *f) {
  rsh_shape out = {0};
  int32_t axes;
  const Numbers *image = infer_known(f, 1), *block = infer_known(f, 2);
  if (!infer_length(f, 1, &axes))
    return;
  rsh_num elements = block ? rsh_int(1) : infer_open(f);
  for (int32_t i = 0; block && i < block->count; i++)
    elements = infer_product(f, elements, block->item[i]);
  infer_append(&out, infer_size(f, 0, 0));
  infer_append(&out, infer_floor(f, infer_size(f, 0, 1), rsh_is_known(elements) ? elements.n : 0));
  for (int32_t i = 0; i < axes; i++)
    infer_append(&out, infer_item(f, image, i));
  f->out[0].shape = out;
}

void infer_max_roi_pool(Infer *f) {
  rsh_num height = rsh_int(infer_entry(f, "pooled_shape", 0, 1)),
          width = rsh_int(infer_entry(f, "pooled_shape", 1, 1));
  f->out[0].shape =
      (rsh_shape){.rank = 4, .dim = {infer_size(f, 1, 0), infer_size(f, 0, 1), height, width}};
}

void infer_roi_align(Infer *f) {
  rsh_num count = infer_same_size(infer_size(f, 1, 0), infer_size(f, 2, 0)),
          height = rsh_int(attribute_int(f->v, "output_height", 1)),
          width = rsh_int(attribute_int(f->v, "output_width", 1));
  f->out[0].shape = (rsh_shape){.rank = 4, .dim = {count, infer_size(f, 0, 1), height, width}};
}

// Batch and channels of the image, positions of the grid.
void infer_grid_sample(Infer *f) {
  rsh_shape out;
  if (!infer_in(f, 0, &out) && !infer_in(f, 1, &out))
    return;
  for (int32_t i = 0; i < out.rank; i++)
    out.dim[i] = i < 2 ? infer_size(f, 0, i) : infer_size(f, 1, i - 1);
  f->out[0].shape = out;
}

// [N, C, H, W] or [N, C, D, H, W] becomes [N, H, W, 2] or [N, D, H, W, 3].
void infer_affine_grid(Infer *f) {
  rsh_shape out = {0};
  int32_t count;
  const Numbers *size = infer_known(f, 1);
  if (!infer_length(f, 1, &count) || count < 4 || count > 5)
    return;
  for (int32_t i = 0; i < count; i++)
    if (i != 1)
      infer_append(&out, infer_item(f, size, i));
  infer_append(&out, rsh_int(count - 2));
  f->out[0].shape = out;
}

// ---- Signals

void infer_window(Infer *f) {
  rsh_num size;
  if (!infer_int(f, 0, &size))
    size = infer_open(f);
  f->out[0].shape = (rsh_shape){.rank = 1, .dim = {size}};
}

// [bins, DFT size / 2 + 1, mel bins ...]
void infer_mel_weights(Infer *f) {
  rsh_num bins, size;
  bool has_bins = infer_int(f, 0, &bins), has_size = infer_int(f, 1, &size);
  rsh_num half = has_size ? infer_sum(f, infer_floor(f, size, 2), rsh_int(1)) : infer_open(f);
  f->out[0].shape = (rsh_shape){.rank = 2, .dim = {half, has_bins ? bins : infer_open(f)}};
}

// Before opset 20 the axis is an attribute.
static bool dft_axis(const Infer *f, int32_t rank, int32_t *axis) {
  rsh_num given;
  int64_t fallback = f->v->frame->opset < 20 ? attribute_int(f->v, "axis", 1) : -2;
  if (f->v->frame->opset >= 20 && infer_has(f, 2)) {
    if (!infer_int(f, 2, &given) || !rsh_is_known(given))
      return false;
    fallback = given.n;
  }
  return rsh_axis_index(fallback, rank, axis);
}

// [batch, signal ..., 1 or 2] becomes [batch, signal ..., 2]; one-sided: half of the axis plus one; the inverse
// of that is real.
void infer_dft(Infer *f) {
  rsh_shape in;
  int32_t axis;
  bool is_half = attribute_int(f->v, "onesided", 0) != 0;
  bool is_back = attribute_int(f->v, "inverse", 0) != 0;
  if (!infer_ranked(f, 0, 2, RSH_MAX_RANK, &in))
    return;
  in.dim[in.rank - 1] = rsh_int(is_half && is_back ? 1 : 2);
  if (!dft_axis(f, in.rank, &axis)) {
    for (int32_t i = 0; i + 1 < in.rank; i++)
      in.dim[i] = infer_open(f);
  } else {
    rsh_num length = in.dim[axis];
    bool has_length = infer_has(f, 1);
    if (has_length && !infer_int(f, 1, &length))
      length = infer_open(f);
    if (is_half && is_back && !has_length)
      length = infer_product(f, infer_sum(f, length, rsh_int(-1)), rsh_int(2));
    else if (is_half && !is_back)
      length = infer_sum(f, infer_floor(f, length, 2), rsh_int(1));
    in.dim[axis] = length;
  }
  f->out[0].shape = in;
}

// [batch, signal, 1 or 2] becomes [batch, frames, bins, 2].
void infer_stft(Infer *f) {
  rsh_num length, step = infer_item(f, infer_known(f, 1), 0);
  if (!infer_int(f, 3, &length))
    length = infer_size(f, 2, 0);
  rsh_num rest = infer_sum(f, infer_size(f, 0, 1), infer_product(f, length, rsh_int(-1)));
  rsh_num frames = infer_floor(f, infer_sum(f, rest, step), rsh_is_known(step) ? step.n : 0);
  rsh_num bins = attribute_int(f->v, "onesided", 1)
                     ? infer_sum(f, infer_floor(f, length, 2), rsh_int(1))
                     : length;
  f->out[0].shape = (rsh_shape){.rank = 4, .dim = {infer_size(f, 0, 0), frames, bins, rsh_int(2)}};
}
