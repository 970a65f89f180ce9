// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the shape rules; only for onnx_infer*.c.
//
//   onnx_infer_parts.c    inputs, attributes, arithmetic on sizes that may be open
//   onnx_infer_each.c     elementwise operators, reductions, products, normalizations
//   onnx_infer_windows.c  convolutions and pools
//   onnx_infer_moves.c    operators that move elements, if their node could not be made
//   onnx_infer_others.c   everything else
//   onnx_infer.c          the table, element types
#ifndef FRONTEND_ONNX_INFER_H
#define FRONTEND_ONNX_INFER_H

#include "frontend/onnx/onnx_internal.h"

// A node whose results are inferred. Results start as unknown: their rank is RSH_RANK_UNKNOWN.
typedef struct Infer {
  Visit *v;
  int which;       // from the table row
  TensorType *out; // v->node->n_output
  size_t count;
  const BodyTypes *body; // of the subgraphs, in the order of their attributes
  const char **misfit;   // set if the sizes of inputs do not fit
} Infer;

// A rule leaves unknown results untouched.
typedef void ShapeRule(Infer *f);

#define ONNX_SHAPE_RULES(RULE)                                                                     \
  RULE(affine_grid)                                                                                \
  RULE(arg)                                                                                        \
  RULE(attention)                                                                                  \
  RULE(batch_normalization)                                                                        \
  RULE(branches)                                                                                   \
  RULE(broadcast)                                                                                  \
  RULE(center_crop_pad)                                                                            \
  RULE(col2im)                                                                                     \
  RULE(compress) RULE(concat) RULE(conv) RULE(conv_transpose) RULE(depth_to_space) RULE(det)       \
      RULE(dft) RULE(einsum) RULE(expand) RULE(first_and_scalars) RULE(flatten) RULE(gather)       \
          RULE(gather_nd) RULE(gemm) RULE(global_pool) RULE(grid_sample) RULE(layer_normalization) \
              RULE(loop) RULE(loss) RULE(matmul) RULE(max_roi_pool) RULE(max_unpool)               \
                  RULE(mel_weights) RULE(multinomial) RULE(non_zero) RULE(none) RULE(one_hot)      \
                      RULE(open_rank) RULE(pad) RULE(pool) RULE(range) RULE(recurrent)             \
                          RULE(reduce) RULE(reshape) RULE(resize) RULE(roi_align) RULE(rows_of)    \
                              RULE(same) RULE(scalar) RULE(scan) RULE(shape) RULE(shape_attribute) \
                                  RULE(slice) RULE(space_to_depth) RULE(split) RULE(squeeze)       \
                                      RULE(stft) RULE(string_normalizer) RULE(string_split)        \
                                          RULE(target) RULE(tf_idf) RULE(tile) RULE(top_k)         \
                                              RULE(transpose) RULE(unique) RULE(unsqueeze)         \
                                                  RULE(window)

#define RULE(name) ShapeRule infer_##name;
ONNX_SHAPE_RULES(RULE)
#undef RULE

// --- onnx_infer_parts.c
bool infer_type(const Visit *v, size_t input, TensorType *out); // false: nothing is known about it
bool infer_has(const Infer *f, size_t input);                   // it is present
bool infer_in(const Infer *f, size_t input, rsh_shape *out);    // false: not even its rank is known
bool infer_ranked(const Infer *f, size_t input, int32_t least, int32_t most, rsh_shape *out);
rsh_num infer_size(const Infer *f, size_t input, int32_t axis); // open if it is unknown
// The length of a vector. False: it is unknown, or exceeds any rank.
bool infer_length(const Infer *f, size_t input, int32_t *out);
const Numbers *infer_known(const Infer *f, size_t input);   // NULL: its elements are unknown
bool infer_int(const Infer *f, size_t input, rsh_num *out); // a single element
// Open if it is unknown, or past the end.
rsh_num infer_item(const Infer *f, const Numbers *known, int32_t i);
const char *infer_word(const Infer *f, const char *attribute); // "" if absent
int64_t infer_entry(const Infer *f, const char *list, size_t i, int64_t fallback);

// Arithmetic on sizes; a result that is not a polynomial of the symbols is an open size.
rsh_num infer_open(const Infer *f);
rsh_num infer_sum(const Infer *f, rsh_num a, rsh_num b);
rsh_num infer_product(const Infer *f, rsh_num a, rsh_num b);
rsh_num infer_floor(const Infer *f, rsh_num a, int64_t by); // a / by, rounded down
rsh_num infer_ceiling(const Infer *f, rsh_num a, int64_t by);
rsh_num infer_same_size(rsh_num a, rsh_num b); // of two that must be equal: the more specific

void infer_append(rsh_shape *shape, rsh_num dim); // past the highest rank: the rank becomes unknown
void infer_all_open(const Infer *f, rsh_shape *shape, int32_t rank);
// Entry i of an input or, in old opsets, of an attribute. False: it is unknown.
bool infer_number(const Infer *f, size_t input, const char *attribute, int32_t i, rsh_num *out);
// The same, of a number that is known now.
bool infer_listed(const Infer *f, size_t input, const char *attribute, int32_t i, int64_t *out);
// The axes in an input or attribute, as a set. False: unknown or invalid.
bool infer_axes(const Infer *f, size_t input, const char *attribute, int32_t rank, uint32_t *set,
                bool *given);
// The axis of entry i of another list, if the axes are good. False: there is none.
bool infer_axis_of(const Infer *f, size_t input, const char *attribute, bool given, int32_t i,
                   int32_t rank, int32_t *axis);

#endif
