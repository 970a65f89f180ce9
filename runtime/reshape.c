// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshape in all its dialects: one procedure, and a small record of what a dialect does otherwise.
//
//   input [2,3,4]   target [0,-1]   0 copies: [2,-1]   known product 2, 24 / 2 = 12   ->   [2,12]
//
// Checks stand in the order in which statuses.def lists their faults, so the first that applies is
// the one reported. Within the walk over the target the leftmost entry wins.
#include "runtime/rules.h"

// Positions in the argument lists of ops.def.
enum { SHAPE = 0, ALLOWZERO = 1, OPSET = 2, CONSUMED_INPUTS = 3 }; // reshape, onnx.reshape
enum { SPECIAL_ZERO = 1 };                                         // openvino, onednn
enum { ACTUAL_SHAPE = 1, ACT = 2, INPLACE = 3, NAME = 4 };         // paddle

enum {
  NEWEST_OPSET = 28,
  TARGET_OPSET = 5, // the target is an attribute before, a tensor from here on
  ALLOWZERO_OPSET = 14,
};

// What a 0 means, and what a dialect cannot hold.
typedef struct reshape_rule {
  int32_t rank_limit;
  bool copies_zero;     // 0 takes the input's size at its index; else it is a size of zero
  bool bars_zero_infer; // a literal 0 beside a -1 is refused, whatever the input
  bool skips_copied;    // copied sizes stay out of both products that give the -1
  bool has_scalars;     // a target without entries is a scalar
} reshape_rule;

// One target while it is resolved.
typedef struct target {
  const rsh_call *call;
  const rsh_num *list;
  int32_t count;
  int32_t arg;   // where it came from
  int32_t infer; // index of its -1, or -1
  reshape_rule rule;
} target;

static bool is_onnx(const rsh_call *call) {
  return call->op == RSH_OP_RESHAPE || call->op == RSH_OP_ONNX_RESHAPE;
}
static bool is_paddle(const rsh_call *call) { return call->op == RSH_OP_PADDLE_RESHAPE; }
static bool is_openvino(const rsh_call *call) { return call->op == RSH_OP_OPENVINO_RESHAPE; }
static bool is_given(const rsh_call *call, int32_t arg) {
  return call->arg[arg].kind != RSH_ARG_ABSENT;
}

static bool is_set(const rsh_call *call, int32_t arg) {
  int64_t value;
  return rsh_arg_int(&call->arg[arg], &value) && value != 0;
}

static int32_t opset_of(const rsh_call *call) {
  int64_t opset;
  if (call->op == RSH_OP_ONNX_RESHAPE && rsh_arg_int(&call->arg[OPSET], &opset) && opset >= 1 &&
      opset <= NEWEST_OPSET)
    return (int32_t)opset;
  return NEWEST_OPSET;
}

static reshape_rule rule_of(const rsh_call *call) {
  reshape_rule rule = {RSH_MAX_RANK, true, false, false, true};
  switch (call->op) {
  case RSH_OP_OPENVINO_RESHAPE:
    rule.copies_zero = rule.skips_copied = is_set(call, SPECIAL_ZERO);
    break;
  case RSH_OP_ONEDNN_STATIC:
  case RSH_OP_ONEDNN_DYNAMIC:
    rule.copies_zero = is_set(call, SPECIAL_ZERO);
    rule.bars_zero_infer = !rule.copies_zero;
    rule.rank_limit = 12;
    break;
  case RSH_OP_PADDLE_RESHAPE:
    rule.has_scalars = false;
    rule.rank_limit = 9;
    break;
  default:
    rule.bars_zero_infer = is_set(call, ALLOWZERO);
    rule.copies_zero = !rule.bars_zero_infer;
    break;
  }
  return rule;
}

// ---- types ----

static bool takes_data(const rsh_call *call, rsh_dtype type) {
  switch (call->op) {
  case RSH_OP_ONNX_RESHAPE:
    return rsh_dtype_onnx_since(type) <= opset_of(call);
  case RSH_OP_ONEDNN_STATIC:
  case RSH_OP_ONEDNN_DYNAMIC:
    return type == RSH_F32 || type == RSH_F16 || type == RSH_BF16;
  case RSH_OP_PADDLE_RESHAPE:
    return type == RSH_F16 || type == RSH_F32 || type == RSH_F64 || type == RSH_I16 ||
           type == RSH_I32 || type == RSH_I64 || type == RSH_BOOL || type == RSH_BF16;
  default:
    return true;
  }
}

static bool takes_target(const rsh_call *call, rsh_dtype type) {
  switch (call->op) {
  case RSH_OP_OPENVINO_RESHAPE:
    return type == RSH_I8 || type == RSH_I16 || type == RSH_I32 || type == RSH_I64 ||
           type == RSH_U8 || type == RSH_U16 || type == RSH_U32 || type == RSH_U64;
  case RSH_OP_ONEDNN_STATIC:
  case RSH_OP_ONEDNN_DYNAMIC:
    return type == RSH_I64 || type == RSH_I32;
  case RSH_OP_PADDLE_RESHAPE:
    return type == RSH_I32;
  default:
    return type == RSH_I64;
  }
}

static rsh_status check_target_type(const rsh_call *call, int32_t arg, rsh_fault *fault) {
  const rsh_arg *a = &call->arg[arg];
  if (a->kind == RSH_ARG_TENSOR && !takes_target(call, a->dtype))
    return rsh_fail_int(fault, RSH_bad_type, arg, -1, a->dtype, 0);
  return RSH_ok;
}

rsh_status rsh_check_reshape_type(const rsh_call *call, rsh_fault *fault) {
  rsh_dtype type = call->in_type[0];
  if (!takes_data(call, type)) {
    int since = call->op == RSH_OP_ONNX_RESHAPE ? rsh_dtype_onnx_since(type) : 0;
    return rsh_fail_input(fault, RSH_bad_type, 0, -1, rsh_int(type), rsh_int(since));
  }
  rsh_status status = check_target_type(call, SHAPE, fault);
  if (status == RSH_ok && is_paddle(call))
    status = check_target_type(call, ACTUAL_SHAPE, fault);
  return status;
}

// ---- attributes and the kinds of arguments ----

static rsh_status check_flag(const rsh_call *call, int32_t arg, rsh_fault *fault) {
  int64_t value;
  if (rsh_arg_int(&call->arg[arg], &value) && value != 0 && value != 1)
    return rsh_fail_int(fault, RSH_bad_attr, arg, -1, value, 1);
  return RSH_ok;
}

static rsh_status check_opset(const rsh_call *call, rsh_fault *fault) {
  int64_t opset;
  if (rsh_arg_int(&call->arg[OPSET], &opset) && (opset < 1 || opset > NEWEST_OPSET))
    return rsh_fail_int(fault, RSH_bad_attr, OPSET, -1, opset, NEWEST_OPSET);
  opset = opset_of(call);
  if (is_given(call, ALLOWZERO) && opset < ALLOWZERO_OPSET)
    return rsh_fail_int(fault, RSH_bad_attr, ALLOWZERO, -1, opset, ALLOWZERO_OPSET);
  if (is_given(call, CONSUMED_INPUTS) && opset >= TARGET_OPSET)
    return rsh_fail_int(fault, RSH_bad_attr, CONSUMED_INPUTS, -1, opset, TARGET_OPSET);
  return RSH_ok;
}

static rsh_status check_attributes(const rsh_call *call, rsh_fault *fault) {
  if (is_paddle(call))
    return check_flag(call, INPLACE, fault);
  if (call->op == RSH_OP_ONNX_RESHAPE) {
    rsh_status status = check_opset(call, fault);
    if (status != RSH_ok)
      return status;
  }
  if (!is_onnx(call) && !is_given(call, SPECIAL_ZERO))
    return rsh_fail_int(fault, RSH_bad_attr, SPECIAL_ZERO, -1, 0, 0);
  return check_flag(call, is_onnx(call) ? ALLOWZERO : SPECIAL_ZERO, fault);
}

static bool is_target(const rsh_call *call) {
  rsh_arg_kind kind = call->arg[SHAPE].kind;
  if (kind == RSH_ARG_TENSOR) // where the target is an attribute its values cannot be data
    return call->op != RSH_OP_ONEDNN_STATIC && opset_of(call) >= TARGET_OPSET;
  return kind != RSH_ARG_TEXT;
}

static bool is_int_or_absent(const rsh_call *call, int32_t arg) {
  int64_t value;
  return !is_given(call, arg) || rsh_arg_int(&call->arg[arg], &value);
}

static bool is_text_or_absent(const rsh_call *call, int32_t arg) {
  return !is_given(call, arg) || call->arg[arg].kind == RSH_ARG_TEXT;
}

static bool is_ints_or_absent(const rsh_call *call, int32_t arg) {
  const rsh_arg *a = &call->arg[arg];
  return a->kind == RSH_ARG_ABSENT || (a->kind == RSH_ARG_LIST && a->rank <= 1);
}

// fluid wants a variable here. Its values come as a list when the program runs; an int never does.
static bool is_actual_shape(const rsh_arg *a) {
  return a->kind == RSH_ARG_ABSENT || a->kind == RSH_ARG_TENSOR ||
         (a->kind == RSH_ARG_LIST && a->rank == 1);
}

// The first argument of the wrong kind, or -1.
static int32_t wrong_kind(const rsh_call *call) {
  if (!is_target(call))
    return SHAPE;
  if (is_paddle(call)) {
    if (!is_actual_shape(&call->arg[ACTUAL_SHAPE]))
      return ACTUAL_SHAPE;
    if (!is_text_or_absent(call, ACT))
      return ACT;
    if (!is_int_or_absent(call, INPLACE))
      return INPLACE;
    return is_text_or_absent(call, NAME) ? -1 : NAME;
  }
  if (!is_int_or_absent(call, ALLOWZERO)) // SPECIAL_ZERO has the same position
    return ALLOWZERO;
  if (call->op == RSH_OP_ONNX_RESHAPE) {
    if (!is_int_or_absent(call, OPSET))
      return OPSET;
    if (!is_ints_or_absent(call, CONSUMED_INPUTS))
      return CONSUMED_INPUTS;
  }
  return -1;
}

// ---- the target as a whole ----

// The 0-D target of OpenVINO: 1 stands for a target without entries.
static rsh_status open_scalar(target *t, rsh_fault *fault) {
  if (!is_openvino(t->call))
    return rsh_fail_int(fault, RSH_bad_shape_rank, t->arg, -1, 0, 1);
  const rsh_arg *a = &t->call->arg[t->arg];
  if (a->kind == RSH_ARG_TENSOR)
    return RSH_ok;
  if (!rsh_is(a->list[0], 1)) {
    rsh_status status = rsh_is_known(a->list[0]) ? RSH_bad_scalar_pattern : RSH_unknown_size;
    return rsh_fail(fault, status, t->arg, 0, a->list[0], rsh_int(1));
  }
  t->count = 0;
  return RSH_ok;
}

// Takes argument `arg` as the target. RSH_unknown_size for a tensor that is fine as far as known.
static rsh_status open_target(target *t, int32_t arg, rsh_fault *fault) {
  const rsh_arg *a = &t->call->arg[arg];
  t->list = a->list;
  t->count = a->kind == RSH_ARG_LIST ? a->count : 0;
  t->arg = arg;
  if (a->kind == RSH_ARG_ABSENT)
    return rsh_fail_int(fault, RSH_missing_shape, arg, -1, 0, 0);
  if (a->kind == RSH_ARG_LIST && a->rank == 1 && a->count == 0 && !t->rule.has_scalars)
    return rsh_fail_int(fault, RSH_empty_shape, arg, -1, 0, 0);
  if (a->rank > 1)
    return rsh_fail_int(fault, RSH_bad_shape_rank, arg, -1, a->rank, 1);
  if (a->rank == 0) {
    rsh_status status = open_scalar(t, fault);
    if (status != RSH_ok)
      return status;
  }
  int32_t limit = t->rule.rank_limit;
  if (t->count > limit)
    return rsh_fail_int(fault, RSH_rank_limit, arg, -1, t->count, limit);
  if (t->call->in[0]->rank > limit)
    return rsh_fail_input(fault, RSH_rank_limit, 0, -1, rsh_int(t->call->in[0]->rank),
                          rsh_int(limit));
  if (a->kind == RSH_ARG_TENSOR)
    return rsh_fail_int(fault, RSH_unknown_size, arg, -1, 0, 0);
  return RSH_ok;
}

// ---- the entries ----

static bool is_copied(const target *t, int32_t i) {
  return t->rule.copies_zero && rsh_is(t->list[i], 0);
}

// Size i of the result; a -1 stays as it is.
static rsh_num size_of(const target *t, int32_t i) {
  return is_copied(t, i) ? t->call->in[0]->dim[i] : t->list[i];
}

// Looks at each entry by itself, from the left, and finds the -1.
static rsh_status walk(target *t, rsh_fault *fault) {
  int32_t rank = t->call->in[0]->rank, zero = -1;
  t->infer = -1;
  for (int32_t i = 0; i < t->count; i++) {
    rsh_num size = t->list[i];
    if (rsh_is(size, -1)) {
      if (t->infer >= 0)
        return rsh_fail_int(fault, RSH_multiple_infer, t->arg, i, t->infer, i);
      t->infer = i;
    } else if (rsh_sign(t->call->symbols, size) == -1) {
      return rsh_fail(fault, RSH_bad_dim, t->arg, i, size, rsh_int(-1));
    } else if (is_copied(t, i)) {
      if (rank != RSH_RANK_UNKNOWN && i >= rank)
        return rsh_fail_int(fault, RSH_zero_out_of_range, t->arg, i, i, rank);
    } else if (rsh_is(size, 0) && zero < 0) {
      zero = i;
    }
  }
  if (t->rule.bars_zero_infer && zero >= 0 && t->infer >= 0)
    return rsh_fail_int(fault, RSH_zero_with_infer, t->arg, zero, zero, t->infer);
  return RSH_ok;
}

// Product of the target's sizes but the -1; without those that a 0 copies where `skip` is set.
static rsh_status target_volume(const target *t, bool skip, rsh_num *out, rsh_fault *fault) {
  rsh_product p = rsh_product_one();
  for (int32_t i = 0; i < t->count; i++) {
    if (i == t->infer || (skip && is_copied(t, i)))
      continue;
    if (!rsh_product_take(t->call->symbols, &p, size_of(t, i)))
      return rsh_fail(fault, RSH_overflow, t->arg, i, p.nonzero, size_of(t, i));
  }
  *out = rsh_product_value(&p);
  return RSH_ok;
}

// Product of the input's sizes that no 0 copies.
static rsh_status uncopied_volume(const target *t, rsh_num *out, rsh_fault *fault) {
  const rsh_shape *in = t->call->in[0];
  rsh_product p = rsh_product_one();
  for (int32_t i = 0; i < in->rank; i++) {
    if (i < t->count && is_copied(t, i))
      continue;
    if (!rsh_product_take(t->call->symbols, &p, in->dim[i]))
      return rsh_fail_input(fault, RSH_overflow, 0, i, p.nonzero, in->dim[i]);
  }
  *out = rsh_product_value(&p);
  return RSH_ok;
}

// The -1: what is left of the input's elements for it.
static rsh_status infer_size(const target *t, rsh_num have, rsh_num known, rsh_num *out,
                             rsh_fault *fault) {
  if (t->rule.skips_copied) {
    // Parts of products that fit, when the sizes are known; polynomials have to be multiplied anew.
    rsh_status status = uncopied_volume(t, &have, fault);
    if (status == RSH_ok)
      status = target_volume(t, true, &known, fault);
    if (status != RSH_ok)
      return status;
  }
  if (rsh_is(known, 0))
    return rsh_fail(fault, RSH_ambiguous_infer, t->arg, t->infer, have, known);
  if (rsh_div(t->call->symbols, have, known, out))
    return RSH_ok;
  rsh_status status =
      rsh_is_known(have) && rsh_is_known(known) ? RSH_not_divisible : RSH_unknown_size;
  return rsh_fail(fault, status, t->arg, t->infer, have, known);
}

static rsh_status compare_volumes(const target *t, rsh_num have, rsh_num want, rsh_fault *fault) {
  if (rsh_equal(have, want))
    return RSH_ok;
  rsh_num difference;
  rsh_status status = RSH_unknown_size;
  if (rsh_is_known(have) && rsh_is_known(want))
    status = RSH_volume_mismatch;
  else if (rsh_sub(t->call->symbols, have, want, &difference) &&
           rsh_sign(t->call->symbols, difference) != 2)
    status = RSH_volume_mismatch;
  return rsh_fail(fault, status, t->arg, -1, have, want);
}

// Steps 2 to 6 for an opened target. `out` is NULL where only the verdict is wanted.
static rsh_status resolve_target(target *t, rsh_shape *out, rsh_fault *fault) {
  rsh_num have, known, inferred = {0, 0};
  rsh_status status = walk(t, fault);
  if (status != RSH_ok)
    return status;
  status = rsh_volume(t->call->symbols, t->call->in[0], &have);
  if (status != RSH_ok) // overflow, or of unknown rank
    return rsh_fail_input(fault, status, 0, -1, rsh_int(0), rsh_int(0));
  status = target_volume(t, false, &known, fault);
  if (status != RSH_ok)
    return status;
  status = t->infer >= 0 ? infer_size(t, have, known, &inferred, fault)
                         : compare_volumes(t, have, known, fault);
  if (status != RSH_ok || out == 0)
    return status;
  out->rank = t->count;
  for (int32_t i = 0; i < t->count; i++)
    out->dim[i] = i == t->infer ? inferred : size_of(t, i);
  return RSH_ok;
}

rsh_status rsh_rule_reshape(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_status status = check_attributes(call, fault);
  if (status != RSH_ok)
    return status;
  int32_t wrong = wrong_kind(call);
  if (wrong >= 0)
    return rsh_fail_int(fault, RSH_bad_arg, wrong, -1, 0, 0);
  target t;
  t.call = call;
  t.rule = rule_of(call);
  status = open_target(&t, SHAPE, fault);
  if (status == RSH_ok && is_paddle(call) && is_given(call, ACTUAL_SHAPE)) {
    // fluid resolves the list when the graph is built, and then lets the variable's values win.
    status = resolve_target(&t, 0, fault);
    if (status == RSH_ok)
      status = open_target(&t, ACTUAL_SHAPE, fault);
  }
  return status == RSH_ok ? resolve_target(&t, out, fault) : status;
}
