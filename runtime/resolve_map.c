// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// resolve: the element-wise operators, softmax, and bitcast. All but bitcast keep the shape; the rules check types
// and arguments.
#include "runtime/map.h"
#include "runtime/rules.h"

enum { SCALE, ZERO_POINT, DTYPE, SATURATE }; // arguments of quantize and dequantize

rsh_status rsh_rule_cast(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_dtype from = call->in_type[0];
  int64_t to, saturate;
  rsh_step step;
  rsh_status status = rsh_need_int(call, 0, &to, fault);
  if (status == RSH_ok)
    status = rsh_read_int(call, 1, 1, &saturate, fault);
  if (status != RSH_ok)
    return status;
  if (to < 0 || to >= RSH_DTYPE_COUNT || !rsh_is_convertible(from, (rsh_dtype)to))
    return rsh_fail_int(fault, RSH_bad_type, 0, -1, from, to);
  if (saturate < 0 || saturate > 1)
    return rsh_fail_int(fault, RSH_bad_attr, 1, -1, saturate, 1);
  if (call->arg[2].kind != RSH_ARG_ABSENT && call->arg[2].kind != RSH_ARG_TEXT)
    return rsh_fail_kind(call, 2, fault);
  if (!rsh_step_of_call(call, &step))
    return rsh_fail_int(fault, RSH_bad_mode, 2, -1, 0, 0);
  rsh_copy_shape(out, call->in[0]);
  return RSH_ok;
}

static bool has_plain_bits(rsh_dtype type) {
  return type != RSH_STRING && !rsh_dtype_is_complex(type);
}

// u16[H, W] to u1 is u1[H, W, 16], and u1[H, W, 16] to u16 is u16[H, W].
rsh_status rsh_rule_bitcast(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_dtype from = call->in_type[0];
  const rsh_shape *in = call->in[0];
  int32_t last = in->rank - 1;
  int64_t to;
  rsh_status status = rsh_need_int(call, 0, &to, fault);
  if (status != RSH_ok)
    return status;
  if (to < 0 || to >= RSH_DTYPE_COUNT || !has_plain_bits(from) || !has_plain_bits((rsh_dtype)to))
    return rsh_fail_int(fault, RSH_bad_type, 0, -1, from, to);
  int32_t before = rsh_dtype_bits(from), after = rsh_dtype_bits((rsh_dtype)to);
  const rsh_num parts = rsh_int(before > after ? before / after : after / before);
  if (before > after && in->rank == RSH_MAX_RANK)
    return rsh_fail_int(fault, RSH_rank_limit, 0, -1, in->rank + 1, RSH_MAX_RANK);
  if (before < after && in->rank == 0)
    return rsh_fail_input_int(fault, RSH_bad_rank, 0, -1, 0, 1);
  if (before < after)
    status = rsh_require(call, RSH_EQUAL, &in->dim[last], &parts, RSH_shape_mismatch,
                         rsh_in_input(0, last), fault);
  if (status != RSH_ok)
    return status;
  out->rank = before < after ? last : in->rank;
  for (int32_t i = 0; i < out->rank; i++)
    out->dim[i] = in->dim[i];
  if (before > after)
    out->dim[out->rank++] = parts;
  return RSH_ok;
}

// Takes floats; the two functions that are exact on integers also take those.
rsh_status rsh_rule_activation(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_dtype type = call->in_type[0];
  bool is_exact = call->op == RSH_OP_RELU || call->op == RSH_OP_ABS;
  if (!rsh_dtype_is_wide_float(type) &&
      (!is_exact || !rsh_dtype_is_integer(type) || rsh_dtype_bits(type) < 8))
    return rsh_fail_input_int(fault, RSH_bad_type, 0, -1, type, 0);
  rsh_copy_shape(out, call->in[0]);
  return RSH_ok;
}

// ---- arithmetic ----

typedef enum Takes { NUMBERS, FLOATS, INTEGERS, BITS } Takes;

static Takes takes_of(rsh_op op) {
  static const uint8_t takes[RSH_OP_COUNT] = {
#define RSH_ARITHMETIC(id, name, args, types, sign, libm, onnx, definition) [RSH_OP_##id] = types,
#include "runtime/arithmetic.def"
#undef RSH_ARITHMETIC
  };
  return (Takes)takes[op];
}

static bool does_take(Takes takes, rsh_dtype type) {
  bool is_integer = rsh_dtype_is_integer(type) && rsh_dtype_bits(type) >= 8;
  switch (takes) {
  case NUMBERS:
    return rsh_dtype_is_wide_float(type) || is_integer;
  case FLOATS:
    return rsh_dtype_is_wide_float(type);
  case INTEGERS:
    return is_integer;
  case BITS:
    break;
  }
  return is_integer || type == RSH_BOOL;
}

// All tables of a call have one shape, aligned with the last axes of the operand, or a table of rank 1 with the given
// axis: [3, 1] of f32[8, 3, S].
static rsh_status check_tables(const rsh_call *call, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  int32_t axis_arg = rsh_table_axis_arg(call->op), axis = in->rank - 1;
  rsh_status status = RSH_ok;
  if (axis_arg >= 0 && call->arg[axis_arg].kind != RSH_ARG_ABSENT)
    status = rsh_read_one_axis(call, axis_arg, -1, in->rank, &axis, fault);
  for (int32_t i = 0; i < RSH_CONSTANTS && status == RSH_ok; i++) {
    const rsh_arg *arg = &call->arg[i];
    if (!rsh_arg_is_table(arg))
      continue;
    if (in->rank == RSH_RANK_UNKNOWN)
      return rsh_leave_open(call, rsh_fail_input_int(fault, RSH_unknown_size, 0, -1, 0, 0));
    int32_t first = (arg->rank == 1 ? axis + 1 : in->rank) - arg->rank;
    if (first < 0)
      return rsh_fail_int(fault, RSH_not_broadcastable, i, -1, in->rank, arg->rank);
    for (int32_t k = 0; k < arg->rank && status == RSH_ok; k++) {
      rsh_num size = rsh_int(arg->dims[k]);
      if (!rsh_is(size, 1))
        status = rsh_require(call, RSH_EQUAL, &in->dim[first + k], &size, RSH_not_broadcastable,
                             rsh_in_arg(i, k), fault);
    }
  }
  return status;
}

// The result of a function whose tables fit has the operand's shape.
static rsh_status keep_shape(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_status status = check_tables(call, fault);
  if (status == RSH_ok)
    rsh_copy_shape(out, call->in[0]);
  return status;
}

// An argument that is an element, or a table of elements, whose bits may be absent when the program runs.
static bool has_elements(const rsh_arg *arg) {
  return arg->kind == RSH_ARG_VALUE && (arg->list != 0 || rsh_arg_is_table(arg));
}

// The number of a refused entry in its table; -1: the argument is one element.
static int32_t entry_of(const rsh_arg *arg, int32_t i) { return rsh_arg_is_table(arg) ? i : -1; }

// Refuses integer division by 0 and negative shifts.
rsh_status rsh_rule_arithmetic(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_dtype type = call->in_type[0];
  if (!does_take(takes_of(call->op), type))
    return rsh_fail_input_int(fault, RSH_bad_type, 0, -1, type, 0);
  for (int i = 0; i < RSH_CONSTANTS; i++)
    if (call->arg[i].kind != RSH_ARG_ABSENT && !has_elements(&call->arg[i]))
      return rsh_fail_kind(call, i, fault);
  const rsh_arg *arg = &call->arg[0];
  bool divides = call->op == RSH_OP_DIV || call->op == RSH_OP_MOD || call->op == RSH_OP_REM;
  bool shifts = call->op == RSH_OP_SHIFT_LEFT || call->op == RSH_OP_SHIFT_RIGHT;
  bool has_limits = rsh_dtype_is_integer(type) && arg->kind == RSH_ARG_VALUE && arg->list != 0;
  for (int32_t i = 0; has_limits && i < arg->count; i++) {
    int64_t n = arg->list[i].n;
    bool is_negative = rsh_dtype_is_signed(type) && n >> (rsh_dtype_bits(type) - 1) & 1;
    if ((divides && n == 0) || (shifts && is_negative))
      return rsh_fail_int(fault, RSH_bad_attr, 0, entry_of(arg, i), n, 0);
  }
  return keep_shape(call, out, fault);
}

// ---- quantize, dequantize ----

static bool is_scale_type(rsh_dtype type) {
  return rsh_dtype_is_wide_float(type) && type != RSH_F64;
}

static bool is_quantized(rsh_dtype type) {
  bool is_integer = rsh_dtype_is_integer(type) && rsh_dtype_bits(type) <= 16;
  return is_integer || type == RSH_F8E4M3FN || type == RSH_F8E4M3FNUZ || type == RSH_F8E5M2 ||
         type == RSH_F8E5M2FNUZ || type == RSH_F4E2M1;
}

// For floats and i32, the zero point must be 0.
static rsh_status check_scale(const rsh_call *call, rsh_dtype quantized, rsh_shape *out,
                              rsh_fault *fault) {
  const rsh_arg *scale = &call->arg[SCALE], *zero = &call->arg[ZERO_POINT];
  if (!has_elements(scale))
    return rsh_fail_kind(call, SCALE, fault);
  if (zero->kind != RSH_ARG_ABSENT && !has_elements(zero))
    return rsh_fail_kind(call, ZERO_POINT, fault);
  bool has_zero = rsh_dtype_is_integer(quantized) && quantized != RSH_I32;
  for (int32_t i = 0; zero->kind == RSH_ARG_VALUE && zero->list != 0 && i < zero->count; i++)
    if (!has_zero && zero->list[i].n != 0)
      return rsh_fail_int(fault, RSH_bad_attr, ZERO_POINT, entry_of(zero, i), zero->list[i].n, 0);
  return keep_shape(call, out, fault);
}

rsh_status rsh_rule_quantize(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_dtype from = call->in_type[0], to = rsh_out_type(call);
  int64_t saturate;
  if (!is_scale_type(from))
    return rsh_fail_input_int(fault, RSH_bad_type, 0, -1, from, 0);
  if (!is_quantized(to))
    return rsh_fail_int(fault, RSH_bad_type, DTYPE, -1, from, to);
  rsh_status status = rsh_read_int(call, SATURATE, 1, &saturate, fault);
  if (status == RSH_ok && (saturate < 0 || saturate > 1))
    return rsh_fail_int(fault, RSH_bad_attr, SATURATE, -1, saturate, 1);
  return status == RSH_ok ? check_scale(call, to, out, fault) : status;
}

rsh_status rsh_rule_dequantize(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_dtype from = call->in_type[0], to = rsh_out_type(call);
  if (!is_quantized(from) && from != RSH_I32)
    return rsh_fail_input_int(fault, RSH_bad_type, 0, -1, from, 0);
  if (!is_scale_type(to))
    return rsh_fail_int(fault, RSH_bad_type, DTYPE, -1, from, to);
  return check_scale(call, from, out, fault);
}

// As in TensorFlow Lite, the multiplier is not negative; the shift is within -31..30.
rsh_status rsh_rule_requantize(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  enum { MULTIPLIER, SHIFT, ZERO, TO };
  rsh_dtype from = call->in_type[0], to = rsh_out_type(call);
  const rsh_arg *multiplier = &call->arg[MULTIPLIER], *zero = &call->arg[ZERO];
  const rsh_arg *shift = &call->arg[SHIFT];
  if (from != RSH_I32)
    return rsh_fail_input_int(fault, RSH_bad_type, 0, -1, from, 0);
  if (!rsh_dtype_is_integer(to) || !is_quantized(to))
    return rsh_fail_int(fault, RSH_bad_type, TO, -1, from, to);
  if (!has_elements(multiplier))
    return rsh_fail_kind(call, MULTIPLIER, fault);
  if (!has_elements(shift))
    return rsh_fail_kind(call, SHIFT, fault);
  if (zero->kind != RSH_ARG_ABSENT && !has_elements(zero))
    return rsh_fail_kind(call, ZERO, fault);
  for (int32_t i = 0; multiplier->list != 0 && i < multiplier->count; i++)
    if (multiplier->list[i].n > INT32_MAX)
      return rsh_fail_int(fault, RSH_bad_attr, MULTIPLIER, entry_of(multiplier, i),
                          multiplier->list[i].n, INT32_MAX);
  for (int32_t i = 0; shift->list != 0 && i < shift->count; i++) {
    int32_t by = (int32_t)(uint32_t)shift->list[i].n;
    if (by < -31 || by > 30)
      return rsh_fail_int(fault, RSH_bad_attr, SHIFT, entry_of(shift, i), by, 30);
  }
  return keep_shape(call, out, fault);
}

static bool is_index(rsh_dtype type) {
  return type == RSH_BOOL || (rsh_dtype_is_integer(type) && rsh_dtype_bits(type) <= 8);
}

rsh_status rsh_rule_lookup(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  enum { TABLE, TO };
  rsh_dtype from = call->in_type[0], to = rsh_out_type(call);
  const rsh_arg *table = &call->arg[TABLE];
  if (!is_index(from))
    return rsh_fail_input_int(fault, RSH_bad_type, 0, -1, from, 0);
  if (to != RSH_BOOL && !rsh_dtype_is_integer(to) && !rsh_dtype_is_float(to))
    return rsh_fail_int(fault, RSH_bad_type, TO, -1, from, to);
  if (table->kind != RSH_ARG_VALUE || table->list == 0)
    return rsh_fail_kind(call, TABLE, fault);
  int32_t entries = from == RSH_BOOL ? 2 : 1 << rsh_dtype_bits(from);
  if (table->count != 1 && table->count != entries)
    return rsh_fail_int(fault, RSH_bad_length, TABLE, -1, table->count, entries);
  rsh_copy_shape(out, call->in[0]);
  return RSH_ok;
}

// Takes only floats; the row of a scalar is its one element.
rsh_status rsh_rule_softmax(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_dtype type = call->in_type[0];
  if (!rsh_dtype_is_wide_float(type))
    return rsh_fail_input_int(fault, RSH_bad_type, 0, -1, type, 0);
  rsh_copy_shape(out, call->in[0]);
  return RSH_ok;
}
