// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A specification of reshape in each dialect, which computes no step in the way the code does. It decides for each
// status, in 128 bits, whether it applies. The first one that does, in the order of statuses.def, is expected.
#ifndef TESTS_UNIT_RESHAPE_H
#define TESTS_UNIT_RESHAPE_H

#include "runtime/resolve.h"

__extension__ typedef __int128 wide;

enum { MAX_RANK = 4 }; // of inputs and targets

typedef struct Dialect {
  const char *name;
  rsh_op op;
  int64_t flag;    // allowzero or special_zero; -1: left out
  bool copies;     // a 0 copies
  bool bars;       // a literal 0 and a -1 exclude each other
  bool skips;      // copied sizes do not take part in inference
  bool has_scalar; // a target without entries is valid
} Dialect;

static const Dialect dialects[] = {
    {"reshape", RSH_OP_RESHAPE, -1, true, false, false, true},
    {"onnx allowzero=1", RSH_OP_ONNX_RESHAPE, 1, false, true, false, true},
    {"openvino special_zero=0", RSH_OP_OPENVINO_RESHAPE, 0, false, false, false, true},
    {"openvino special_zero=1", RSH_OP_OPENVINO_RESHAPE, 1, true, false, true, true},
    {"onednn special_zero=0", RSH_OP_ONEDNN_STATIC, 0, false, true, false, true},
    {"onednn special_zero=1", RSH_OP_ONEDNN_DYNAMIC, 1, true, false, false, true},
    {"paddle", RSH_OP_PADDLE_RESHAPE, -1, true, false, false, false},
};

typedef struct List {
  int count;
  int64_t n[MAX_RANK];
  uint32_t sizes; // of a target: bit i says that entry i is a size: 0 does not copy, -1 is no size
} List;

// Product of the nonzero sizes. Once too large it stays too large.
static wide nonzero_product(const int64_t *n, const bool *is_counted, int count) {
  wide product = 1;
  for (int i = 0; i < count; i++)
    if (is_counted[i] && n[i] != 0 && product <= INT64_MAX)
      product *= n[i];
  return product;
}

static wide product_of(const int64_t *n, const bool *is_counted, int count) {
  for (int i = 0; i < count; i++)
    if (is_counted[i] && n[i] == 0)
      return 0;
  return nonzero_product(n, is_counted, count);
}

// Whether this value is an instruction, and not a size.
static bool says(const List *target, int i, int64_t value) {
  return target->n[i] == value && (target->sizes >> i & 1) == 0;
}

static rsh_status entry_fault(const Dialect *d, const List *in, const List *target) {
  for (int i = 0, infers = 0; i < target->count; i++) {
    infers += says(target, i, -1);
    if (target->n[i] < 0 && !says(target, i, -1))
      return RSH_bad_dim;
    if (infers == 2)
      return RSH_multiple_infer;
    if (d->copies && says(target, i, 0) && i >= in->count)
      return RSH_zero_out_of_range;
  }
  return RSH_ok;
}

static rsh_status specification(const Dialect *d, const List *in, const List *target, List *out) {
  bool of_input[MAX_RANK], of_target[MAX_RANK], of_input_part[MAX_RANK], of_target_part[MAX_RANK];
  int infer = -1;
  bool has_zero = false;
  if (target->count == 0 && !d->has_scalar)
    return RSH_empty_shape;
  rsh_status status = entry_fault(d, in, target);
  if (status != RSH_ok)
    return status;
  *out = *target;
  for (int i = 0; i < MAX_RANK; i++) {
    bool is_copied = d->copies && i < target->count && says(target, i, 0);
    of_input[i] = true;
    of_target[i] = i >= target->count || !says(target, i, -1);
    of_input_part[i] = !(d->skips && is_copied);
    of_target_part[i] = of_target[i] && !(d->skips && is_copied);
    if (is_copied)
      out->n[i] = in->n[i];
    else if (i < target->count && target->n[i] == 0)
      has_zero = true;
    if (i < target->count && says(target, i, -1))
      infer = i;
  }
  if (d->bars && has_zero && infer >= 0)
    return RSH_zero_with_infer;
  if (nonzero_product(in->n, of_input, in->count) > INT64_MAX ||
      nonzero_product(out->n, of_target, out->count) > INT64_MAX)
    return RSH_overflow;
  wide have = product_of(in->n, infer < 0 ? of_input : of_input_part, in->count);
  wide known = product_of(out->n, infer < 0 ? of_target : of_target_part, out->count);
  if (infer < 0)
    return have == known ? RSH_ok : RSH_volume_mismatch;
  if (known == 0)
    return RSH_ambiguous_infer;
  out->n[infer] = (int64_t)(have / known);
  return known * out->n[infer] == have ? RSH_ok : RSH_not_divisible;
}

#endif
