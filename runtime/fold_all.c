// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fold for callers that may use any operator: the table of all rules, like resolve_all.c.
#include "runtime/fold_rules.h"

rsh_fold_rule *rsh_fold_rule_of(rsh_op op) {
  static rsh_fold_rule *const rules[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  rsh_fold_##rule,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return rules[op];
}

rsh_status rsh_fold(const rsh_call *call, int32_t k, const rsh_shape *out_shape,
                    const rsh_moves *const *in, rsh_moves *out, rsh_moves *work) {
  return rsh_fold_by(rsh_fold_rule_of(call->op), call, k, out_shape, in, out, work);
}
