// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks operators up in the table. Each column is expanded in the function that returns it, so that
// firmware that uses no text does not contain it.
#include "runtime/op.h"

static bool op_in_table(rsh_op op) { return (unsigned)op < RSH_OP_COUNT; }

const char *rsh_op_name(rsh_op op) {
  static const char *const names[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  name,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return op_in_table(op) ? names[op] : "";
}

const char *rsh_op_onnx_name(rsh_op op) {
  static const char *const names[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  onnx,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return op_in_table(op) ? names[op] : "";
}

const char *rsh_op_arguments(rsh_op op) {
  static const char *const arguments[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  args,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return op_in_table(op) ? arguments[op] : "";
}

const char *rsh_op_summary(rsh_op op) {
  static const char *const summaries[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  summary,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return op_in_table(op) ? summaries[op] : "";
}

int32_t rsh_op_min_operands(rsh_op op) {
  static const uint8_t least[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  in,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return op_in_table(op) ? least[op] : 0;
}

int32_t rsh_op_max_operands(rsh_op op) {
  static const uint8_t most[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  max,
#include "runtime/ops.def"
#undef RSH_OP
  };
  if (!op_in_table(op))
    return 0;
  return most[op] == 0 ? INT32_MAX : most[op];
}

rsh_family rsh_op_family(rsh_op op) {
  static const uint8_t families[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  RSH_##family,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return op_in_table(op) ? (rsh_family)families[op] : RSH_KEEPS;
}

rsh_result rsh_op_result(rsh_op op) {
  static const uint8_t results[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  RSH_RESULT_##result,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return op_in_table(op) ? (rsh_result)results[op] : RSH_RESULT_OPEN;
}

rsh_dtype rsh_out_type(const rsh_call *call) {
  rsh_result result = rsh_op_result(call->op);
  bool is_first = result == RSH_RESULT_TYPED || result == RSH_RESULT_BITS;
  if (!is_first && result != RSH_RESULT_SCALED)
    return call->in_type[0];
  int32_t arg = is_first                        ? 0
                : call->op == RSH_OP_LOOKUP     ? 1
                : call->op == RSH_OP_REQUANTIZE ? 3
                                                : 2;
  if (call->arg[arg].kind == RSH_ARG_LIST)
    return (rsh_dtype)call->arg[arg].list[0].n;
  return call->op == RSH_OP_QUANTIZE     ? RSH_U8
         : call->op == RSH_OP_DEQUANTIZE ? RSH_F32
         : call->op == RSH_OP_REQUANTIZE ? RSH_I8
                                         : call->in_type[0];
}

rsh_dtype rsh_value_type(const rsh_call *call, int32_t arg) {
  bool of_result = (call->op == RSH_OP_QUANTIZE && arg == 1) ||
                   (call->op == RSH_OP_DEQUANTIZE && arg == 0) ||
                   (call->op == RSH_OP_REQUANTIZE && arg == 2) || call->op == RSH_OP_LOOKUP;
  return of_result ? rsh_out_type(call) : call->in_type[0];
}
