// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// resolve for callers that may use any operator: the table of all rules. Programs have their own tables (program.h),
// so an image without other callers links only the rules that its graphs use.
#include "runtime/rules.h"

rsh_rule *rsh_rule_of(rsh_op op) {
  static rsh_rule *const rules[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  rsh_rule_##rule,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return (unsigned)op < RSH_OP_COUNT ? rules[op] : 0;
}

// Not inlined, because its arguments would use stack below every rule.
RSH_APART static rsh_status fail_unsupported(rsh_fault *fault) {
  return rsh_fail_int(fault, RSH_unsupported, -1, -1, 0, 0);
}

rsh_status rsh_resolve(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_rule *rule = rsh_rule_of(call->op);
  rsh_status status;
  if (!rsh_check_call(call, out, fault, &status))
    return status;
  return rule != 0 ? rule(call, out, fault) : fail_unsupported(fault);
}
