// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks operators up in the one table. Each column is expanded into the function that gives it, so
// that firmware which asks for no text carries none.
#include "runtime/op.h"

static bool in_table(rsh_op op) { return (unsigned)op < RSH_OP_COUNT; }

const char *rsh_op_name(rsh_op op) {
  static const char *const names[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  name,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return in_table(op) ? names[op] : "";
}

const char *rsh_op_onnx_name(rsh_op op) {
  static const char *const names[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  onnx,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return in_table(op) ? names[op] : "";
}

const char *rsh_op_arguments(rsh_op op) {
  static const char *const arguments[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  args,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return in_table(op) ? arguments[op] : "";
}

const char *rsh_op_summary(rsh_op op) {
  static const char *const summaries[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  summary,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return in_table(op) ? summaries[op] : "";
}

int32_t rsh_op_min_operands(rsh_op op) {
  static const uint8_t least[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  in,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return in_table(op) ? least[op] : 0;
}

int32_t rsh_op_max_operands(rsh_op op) {
  static const uint8_t most[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  max,
#include "runtime/ops.def"
#undef RSH_OP
  };
  if (!in_table(op))
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
  return in_table(op) ? (rsh_family)families[op] : RSH_KEEPS;
}

rsh_result rsh_op_result(rsh_op op) {
  static const uint8_t results[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  RSH_RESULT_##result,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return in_table(op) ? (rsh_result)results[op] : RSH_RESULT_OPEN;
}
