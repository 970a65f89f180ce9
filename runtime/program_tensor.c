// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a program that are passed as DLTensor *.
#include "runtime/dlpack.h"
#include "runtime/program_internal.h"

static const DLTensor *tensor_of(const Program *p, int32_t k) {
  int32_t inputs = tape_count(p, RSH_TAPE_INPUTS);
  const void *t = k < inputs ? p->call->inputs[k] : p->call->outputs[k - inputs];
  return t;
}

static int32_t tensor_count(const Program *p) {
  return tape_count(p, RSH_TAPE_INPUTS) + tape_count(p, RSH_TAPE_OUTPUTS);
}

// Writes rank, dims and strides as words; NULL strides, and strides of axes of size 1, become row-major ones.
static rsh_status load_tensor(const DLTensor *t, int64_t *word) {
  if (t == 0 || (t->ndim > 0 && t->shape == 0))
    return RSH_null_pointer;
  if (t->ndim < 0 || t->ndim > RSH_MAX_RANK)
    return RSH_rank_limit;
  word[0] = t->ndim;
  int64_t stride = 1;
  for (int32_t i = t->ndim - 1; i >= 0; i--) {
    int64_t d = t->shape[i];
    word[1 + i] = d;
    if (d < 0)
      return RSH_bad_dim;
    word[1 + RSH_MAX_RANK + i] = t->strides != 0 && d != 1 ? t->strides[i] : stride;
    if (d > 1 && __builtin_mul_overflow(stride, d, &stride))
      return RSH_overflow;
  }
  return RSH_ok;
}

static rsh_status load_tensors(Program *p) {
  rsh_status status = RSH_ok;
  for (int32_t k = 0; k < tensor_count(p) && status == RSH_ok; k++) {
    bool is_missing_output = k >= tape_count(p, RSH_TAPE_INPUTS) && p->call->outputs == 0;
    if (!is_missing_output)
      status = load_tensor(tensor_of(p, k), p->tensor + k * TENSOR_WORDS);
  }
  return status;
}

static bool is_tensor_same(const DLTensor *t, const int64_t *word) {
  if (t == 0 || t->ndim != word[0] || (t->ndim > 0 && t->shape == 0))
    return false;
  int64_t stride = 1;
  for (int32_t i = t->ndim - 1; i >= 0; i--) {
    int64_t d = t->shape[i], step = t->strides != 0 && d != 1 ? t->strides[i] : stride;
    if (d != word[1 + i] || step != word[1 + RSH_MAX_RANK + i])
      return false;
    stride *= d > 1 ? d : 1; // fits, as it did in load_tensor
  }
  return true;
}

// A type that DLPack lacks may be passed as any type.
static rsh_status check_type(const Program *p, int32_t k, rsh_dtype type) {
  const DLTensor *t = tensor_of(p, k);
  DLDataType wanted;
  if (!rsh_dtype_to_dlpack(type, &wanted))
    return RSH_ok;
  bool fits = t->dtype.code == wanted.code && t->dtype.bits == wanted.bits &&
              t->dtype.lanes == wanted.lanes;
  return fits ? RSH_ok : RSH_type_mismatch;
}

static bool are_same(const Program *p) {
  int32_t inputs = tape_count(p, RSH_TAPE_INPUTS);
  for (int32_t k = 0; k < tensor_count(p); k++) {
    int32_t value = k < inputs ? k : p->output[k - inputs].value;
    if (!is_tensor_same(tensor_of(p, k), p->tensor + k * TENSOR_WORDS) ||
        check_type(p, k, (rsh_dtype)p->value[value].dtype) != RSH_ok)
      return false;
  }
  return true;
}

// Of a tensor that is loaded.
static const void *tensor_data(const Program *p, int32_t k) {
  const DLTensor *t = tensor_of(p, k);
  return t->data != 0 ? (const unsigned char *)t->data + t->byte_offset : 0;
}

const rsh_program_tensors rsh_program_dlpack = {load_tensors, are_same, check_type, tensor_data};
