// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of operators whose indices are a tensor: gather_elements, gather_nd, and gather with two operands. Sizes
// depend only on the shapes; the kernel checks the indices.
#include "runtime/rules.h"

enum { DATA, INDICES };

bool rsh_takes_indices(const rsh_call *call) {
  return call->op == RSH_OP_GATHER_ELEMENTS || call->op == RSH_OP_GATHER_ND ||
         (call->op == RSH_OP_GATHER && call->in_count == 2);
}

static rsh_status check_index_type(const rsh_call *call, rsh_fault *fault) {
  rsh_dtype type = call->in_type[INDICES];
  return type == RSH_I32 || type == RSH_I64
             ? RSH_ok
             : rsh_fail_input_int(fault, RSH_bad_type, INDICES, -1, type, 0);
}

static rsh_status check_no_scalar(const rsh_call *call, int32_t input, rsh_fault *fault) {
  int32_t rank = call->in[input]->rank;
  return rank >= 1 ? RSH_ok : rsh_fail_input_int(fault, RSH_bad_rank, input, -1, rank, 1);
}

// The first sizes of one shape, all sizes of another (or its first), and the sizes of a third from one axis on.
typedef struct Joined {
  const rsh_shape *first, *middle, *last;
  int32_t first_count, middle_count, last_from;
} Joined;

static const rsh_num *joined_size(const Joined *j, int32_t i) {
  if (i < j->first_count)
    return &j->first->dim[i];
  i -= j->first_count;
  return i < j->middle_count ? &j->middle->dim[i]
                             : &j->last->dim[j->last_from + i - j->middle_count];
}

static rsh_status join(const rsh_call *call, const Joined *j, rsh_shape *out, rsh_fault *fault) {
  int32_t rank = j->first_count + j->middle_count + j->last->rank - j->last_from;
  if (rank > RSH_MAX_RANK)
    return rsh_fail_input_int(fault, RSH_rank_limit, INDICES, -1, rank, RSH_MAX_RANK);
  rsh_product volume = rsh_product_one();
  for (int32_t i = 0; i < rank; i++)
    if (!rsh_product_take(call->symbols, &volume, joined_size(j, i)))
      return rsh_fail_int(fault, RSH_overflow, -1, -1, 0, 0);
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++)
    out->dim[i] = *joined_size(j, i);
  return RSH_ok;
}

// [4,5,6] at i64[2,3], axis 1  ->  [4,2,3,6]
rsh_status rsh_rule_gather_at(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  int32_t axis = 0;
  rsh_status status = check_no_scalar(call, DATA, fault);
  if (status == RSH_ok)
    status = check_index_type(call, fault);
  if (status == RSH_ok)
    status = rsh_read_one_axis(call, 1, 0, call->in[DATA]->rank, &axis, fault);
  if (status != RSH_ok)
    return status;
  Joined j = {call->in[DATA], call->in[INDICES],       call->in[DATA],
              axis,           call->in[INDICES]->rank, axis + 1};
  return join(call, &j, out, fault);
}

// [4,5] at i64[2,5], axis 0  ->  [2,5]; other sizes of the indices may be smaller than the data's
rsh_status rsh_rule_gather_elements(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *data = call->in[DATA], *indices = call->in[INDICES];
  int32_t axis = 0;
  rsh_status status = check_no_scalar(call, DATA, fault);
  if (status == RSH_ok)
    status = check_index_type(call, fault);
  if (status == RSH_ok && indices->rank != data->rank)
    status = rsh_fail_input_int(fault, RSH_shape_mismatch, INDICES, -1, indices->rank, data->rank);
  if (status == RSH_ok)
    status = rsh_read_one_axis(call, 0, 0, data->rank, &axis, fault);
  for (int32_t i = 0; status == RSH_ok && i < data->rank; i++) {
    if (i == axis)
      continue;
    status = rsh_require(call, RSH_AT_LEAST, &data->dim[i], &indices->dim[i], RSH_shape_mismatch,
                         rsh_in_input(INDICES, i), 0);
    if (status != RSH_ok)
      rsh_fail_input(fault, status, INDICES, i, &indices->dim[i], &data->dim[i]);
  }
  if (status == RSH_ok)
    rsh_copy_shape(out, indices);
  return status;
}

// [2,4,5,6] at i64[2,7,2], batch_dims 1  ->  [2,7,6]
rsh_status rsh_rule_gather_nd(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *data = call->in[DATA], *indices = call->in[INDICES];
  int64_t batches = 0;
  rsh_status status = check_no_scalar(call, DATA, fault);
  if (status == RSH_ok)
    status = check_index_type(call, fault);
  if (status == RSH_ok)
    status = check_no_scalar(call, INDICES, fault);
  if (status == RSH_ok)
    status = rsh_read_int(call, 0, 0, &batches, fault);
  if (status != RSH_ok)
    return status;
  const rsh_num *length = &indices->dim[indices->rank - 1];
  int32_t most = data->rank < indices->rank ? data->rank : indices->rank;
  if (batches < 0 || batches >= most)
    return rsh_fail_int(fault, RSH_bad_axis, 0, -1, batches, most);
  if (!rsh_is_known(*length))
    return rsh_fail_input(fault, RSH_unknown_size, INDICES, indices->rank - 1, length, length);
  int64_t needed = length->n < INT64_MAX - batches ? batches + length->n : INT64_MAX;
  if (length->n < 1 || needed > data->rank)
    return rsh_fail_input_int(fault, RSH_bad_rank, DATA, -1, data->rank, needed);
  for (int32_t i = 0; status == RSH_ok && i < (int32_t)batches; i++)
    status = rsh_require(call, RSH_EQUAL, &indices->dim[i], &data->dim[i], RSH_shape_mismatch,
                         rsh_in_input(INDICES, i), fault);
  if (status != RSH_ok)
    return status;
  Joined j = {indices, 0, data, indices->rank - 1, 0, (int32_t)needed};
  return join(call, &j, out, fault);
}
