// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All other shape rules: data-dependent counts, losses, strings, random numbers, subgraphs.
#include "frontend/onnx/onnx_infer.h"

#include <string.h>

// ---- Data-dependent counts

// A shape of `which` axes, all open.
void infer_open_rank(Infer *f) { infer_all_open(f, &f->out[0].shape, f->which); }

// Any number of rows with `which` elements.
void infer_rows_of(Infer *f) {
  f->out[0].shape = (rsh_shape){.rank = 2, .dim = {infer_open(f), rsh_int(f->which)}};
}

void infer_non_zero(Infer *f) {
  rsh_shape in;
  rsh_num rank = infer_in(f, 0, &in) ? rsh_int(in.rank) : infer_open(f);
  f->out[0].shape = (rsh_shape){.rank = 2, .dim = {rank, infer_open(f)}};
}

void infer_range(Infer *f) {
  rsh_num start, limit, step, size = infer_open(f);
  if (infer_int(f, 0, &start) && infer_int(f, 1, &limit) && infer_int(f, 2, &step) &&
      rsh_is_known(step) && step.n != 0 && step.n > -INT32_MAX) {
    rsh_num span = step.n > 0 ? infer_sum(f, limit, infer_product(f, start, rsh_int(-1)))
                              : infer_sum(f, start, infer_product(f, limit, rsh_int(-1)));
    size = infer_ceiling(f, span, step.n > 0 ? step.n : -step.n);
    if (rsh_is_known(size) && size.n < 0)
      size = rsh_int(0);
  }
  f->out[0].shape = (rsh_shape){.rank = 1, .dim = {size}};
}

void infer_top_k(Infer *f) {
  rsh_shape in;
  int32_t axis;
  rsh_num k;
  if (!infer_in(f, 0, &in) || !rsh_axis_index(attribute_int(f->v, "axis", -1), in.rank, &axis))
    return;
  if (f->v->frame->opset < 10)
    k = rsh_int(attribute_int(f->v, "k", 0));
  else if (!infer_int(f, 1, &k))
    k = infer_open(f);
  in.dim[axis] = k;
  for (size_t i = 0; i < f->count; i++)
    f->out[i].shape = in;
}

// The distinct elements, along an axis or of all; their first positions, inverse indices and counts.
void infer_unique(Infer *f) {
  rsh_shape in, vector = {.rank = 1, .dim = {infer_open(f)}};
  int32_t axis;
  for (size_t i = 1; i < f->count; i++)
    infer_all_open(f, &f->out[i].shape, 1);
  if (!attribute_of(f->v, "axis")) {
    f->out[0].shape = vector;
  } else if (infer_in(f, 0, &in) &&
             rsh_axis_index(attribute_int(f->v, "axis", 0), in.rank, &axis)) {
    in.dim[axis] = vector.dim[0];
    f->out[0].shape = in;
  }
}

void infer_one_hot(Infer *f) {
  rsh_shape in, out = {0};
  rsh_num depth;
  int32_t axis;
  if (!infer_in(f, 0, &in) || !rsh_axis_index(attribute_int(f->v, "axis", -1), in.rank + 1, &axis))
    return;
  if (!infer_int(f, 1, &depth))
    depth = infer_open(f);
  for (int32_t i = 0; i <= in.rank; i++)
    infer_append(&out, i < axis ? in.dim[i] : i == axis ? depth : in.dim[i - 1]);
  f->out[0].shape = out;
}

// ---- Random numbers

void infer_shape_attribute(Infer *f) {
  const Onnx__AttributeProto *a = attribute_of(f->v, "shape");
  rsh_shape out = {0};
  for (size_t i = 0; a && i < a->n_ints; i++)
    infer_append(&out, rsh_int(a->ints[i]));
  if (a)
    f->out[0].shape = out;
}

void infer_multinomial(Infer *f) {
  f->out[0].shape = (rsh_shape){
      .rank = 2, .dim = {infer_size(f, 0, 0), rsh_int(attribute_int(f->v, "sample_size", 1))}};
}

// ---- Losses

// One number, or one per target; the second result has the shape of the scores.
void infer_loss(Infer *f) {
  rsh_shape scores, labels;
  if (strcmp(infer_word(f, "reduction"), "none") != 0)
    f->out[0].shape = (rsh_shape){0};
  else if (infer_in(f, 1, &labels))
    f->out[0].shape = labels;
  if (f->count > 1 && infer_in(f, 0, &scores))
    f->out[1].shape = scores;
}

// ---- Strings

void infer_string_normalizer(Infer *f) {
  rsh_shape in;
  if (!infer_ranked(f, 0, 1, 2, &in))
    return;
  in.dim[in.rank - 1] = infer_open(f);
  f->out[0].shape = in;
}

void infer_string_split(Infer *f) {
  rsh_shape in;
  if (!infer_in(f, 0, &in))
    return;
  if (f->count > 1)
    f->out[1].shape = in;
  infer_append(&in, infer_open(f));
  f->out[0].shape = in;
}

// The largest of "ngram_indexes" determines the number of counts, which replaces the last axis.
void infer_tf_idf(Infer *f) {
  rsh_shape in;
  const Onnx__AttributeProto *a = attribute_of(f->v, "ngram_indexes");
  int64_t most = -1;
  for (size_t i = 0; a && i < a->n_ints; i++)
    most = a->ints[i] > most ? a->ints[i] : most;
  if (!a || !infer_ranked(f, 0, 1, 2, &in) || most == INT64_MAX)
    return;
  in.dim[in.rank - 1] = rsh_int(most + 1);
  f->out[0].shape = in;
}

// ---- Subgraphs

// The properties on which both branches agree.
void infer_branches(Infer *f) {
  const BodyTypes *a = &f->body[0], *b = &f->body[1];
  for (size_t i = 0; i < f->count && i < a->count && i < b->count; i++) {
    rsh_shape shape = a->out[i].shape;
    const rsh_shape *other = &b->out[i].shape;
    f->out[i].dtype = a->out[i].dtype == b->out[i].dtype ? a->out[i].dtype : RSH_DTYPE_NONE;
    if (shape.rank == RSH_RANK_UNKNOWN || shape.rank != other->rank)
      continue;
    for (int32_t k = 0; k < shape.rank; k++)
      if (!rsh_equal(shape.dim[k], other->dim[k]))
        shape.dim[k] = infer_open(f);
    f->out[i].shape = shape;
  }
}

// Sizes inside a body belong to a single run of it.
static void stack(const Infer *f, TensorType *out, const TensorType *one, rsh_num runs,
                  int32_t axis) {
  rsh_shape shape = {0};
  out->dtype = one->dtype;
  if (one->shape.rank == RSH_RANK_UNKNOWN)
    return;
  for (int32_t i = 0; i <= one->shape.rank; i++) {
    rsh_num own = i == axis ? runs : one->shape.dim[i < axis ? i : i - 1];
    infer_append(&shape, i == axis || rsh_is_known(own) ? own : infer_open(f));
  }
  out->shape = shape;
}

// The body returns a condition, then carried values, which may change their shapes, then collected values.
void infer_loop(Infer *f) {
  const BodyTypes *body = &f->body[0];
  size_t carried = f->v->node->n_input > 2 ? f->v->node->n_input - 2 : 0;
  for (size_t i = 0; i < f->count && i + 1 < body->count; i++) {
    if (i < carried)
      f->out[i].dtype = body->out[i + 1].dtype;
    else
      stack(f, &f->out[i], &body->out[i + 1], infer_open(f), 0);
  }
}

// Carried values keep their shapes; collected values are stacked along an axis; scanned inputs are split along one.
void infer_scan(Infer *f) {
  const BodyTypes *body = &f->body[0];
  int64_t scanned = attribute_int(f->v, "num_scan_inputs", 0);
  size_t inputs = f->v->node->n_input;
  if (f->v->frame->opset < 9 || scanned < 1 || (size_t)scanned > inputs)
    return;
  size_t carried = inputs - (size_t)scanned;
  rsh_num runs = infer_open(f);
  rsh_shape in;
  int32_t axis;
  if (infer_in(f, carried, &in) &&
      rsh_axis_index(infer_entry(f, "scan_input_axes", 0, 0), in.rank, &axis))
    runs = in.dim[axis];
  for (size_t i = 0; i < f->count && i < body->count; i++) {
    if (i < carried) {
      f->out[i].dtype = body->out[i].dtype;
      if (infer_in(f, i, &in))
        f->out[i].shape = in;
      continue;
    }
    int32_t rank = body->out[i].shape.rank;
    if (rank != RSH_RANK_UNKNOWN &&
        rsh_axis_index(infer_entry(f, "scan_output_axes", i - carried, 0), rank + 1, &axis))
      stack(f, &f->out[i], &body->out[i], runs, axis);
  }
}
