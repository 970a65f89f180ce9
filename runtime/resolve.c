// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// resolve: the checks that all operators share, before the operator's own rule.
#include "runtime/rules.h"

static bool is_reshape(rsh_op op) { return rsh_op_family(op) == RSH_RESHAPES; }

// ONNX excludes float8 and types of less than a byte from slice, concat and others. Moving elements works for
// any type, so only reshapes, which follow their dialects, check the type.
rsh_status rsh_check_type(const rsh_call *call, rsh_fault *fault) {
  if (is_reshape(call->op))
    return rsh_check_reshape_type(call, fault);
  for (int32_t i = 0; RSH_HAS_SYMBOLS && i < RSH_MAX_ARGS; i++)
    if (call->arg[i].kind == RSH_ARG_TENSOR && !rsh_dtype_is_integer(call->arg[i].dtype))
      return rsh_fail_int(fault, RSH_bad_type, i, -1, call->arg[i].dtype, 0);
  return RSH_ok;
}

rsh_status rsh_out_count(const rsh_call *call, int32_t *out, rsh_fault *fault) {
  if (rsh_op_result(call->op) == RSH_RESULT_PARTS)
    return rsh_split_count(call, out, fault);
  *out = 1;
  return RSH_ok;
}

RSH_APART static rsh_status check_counts(const rsh_call *call, rsh_fault *fault) {
  int32_t least = rsh_op_min_operands(call->op), most = rsh_op_max_operands(call->op);
  if (call->in_count < least || call->in_count > most)
    return rsh_fail_int(fault, RSH_bad_arg, -1, -1, call->in_count,
                        call->in_count < least ? least : most);
  if (rsh_op_result(call->op) != RSH_RESULT_PARTS && call->out_count != 1) // split checks it itself
    return rsh_fail_int(fault, RSH_bad_arg, -1, -1, call->out_count, 1);
  return RSH_ok;
}

// The rules that do not read axes, so that they accept an unknown rank.
static bool keeps_rank(const rsh_call *call) {
  rsh_result result = rsh_op_result(call->op);
  if (result == RSH_RESULT_BITS)
    return rsh_dtype_bits(call->in_type[0]) == rsh_dtype_bits(rsh_out_type(call));
  return result == RSH_RESULT_SAME || result == RSH_RESULT_TYPED || result == RSH_RESULT_SCALED;
}

// Writes what is known of the results if the rank of an operand is unknown.
static void open_ranks(const rsh_call *call, rsh_shape *out) {
  const rsh_arg *list = &call->arg[0];
  rsh_result result = rsh_op_result(call->op);
  for (int32_t k = 0; k < call->out_count; k++)
    out[k].rank = RSH_RANK_UNKNOWN;
  if (result == RSH_RESULT_PAIR)
    out->rank = 2;
  else if (result == RSH_RESULT_LIST && list->kind == RSH_ARG_LIST && list->count <= RSH_MAX_RANK)
    out->rank = list->count;
  for (int32_t i = 0; i < out->rank; i++)
    out->dim[i] = rsh_any_size(call);
}

// Checks the preconditions of every rule: ranks within the limit, and no negative sizes.
RSH_APART static rsh_status check_operand(const rsh_call *call, int32_t k, rsh_fault *fault) {
  const rsh_shape *in = call->in[k];
  if (in->rank < RSH_RANK_UNKNOWN || in->rank > RSH_MAX_RANK)
    return rsh_fail_input_int(fault, RSH_rank_limit, k, -1, in->rank, RSH_MAX_RANK);
  for (int32_t i = 0; i < in->rank; i++)
    if (rsh_sign(call->symbols, in->dim[i]) == -1)
      return rsh_fail_input_int(fault, RSH_bad_dim, k, i, in->dim[i].n, 0);
  if (is_reshape(call->op) || (keeps_rank(call) && in->rank == RSH_RANK_UNKNOWN))
    return RSH_ok;
  rsh_num volume;
  rsh_status status = rsh_volume(call->symbols, in, &volume);
  return status == RSH_ok ? RSH_ok : rsh_fail_input_int(fault, status, k, -1, 0, 0);
}

bool rsh_check_call(const rsh_call *call, rsh_shape *out, rsh_fault *fault, rsh_status *status) {
  *status = check_counts(call, fault);
  if (*status == RSH_ok)
    *status = rsh_check_type(call, fault);
  for (int32_t k = 0; *status == RSH_ok && k < call->in_count; k++)
    *status = check_operand(call, k, fault);
  if (*status == RSH_ok)
    return true;
  if (*status == RSH_unknown_size) { // the rank of an operand
    *status = rsh_leave_open(call, *status);
    if (*status == RSH_ok)
      open_ranks(call, out);
  }
  return false;
}
