// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of fold rules.
#ifndef RSH_FOLD_RULES_H
#define RSH_FOLD_RULES_H

#include "runtime/moves.h"

// One call being folded.
typedef struct rsh_fold_state {
  Calc c;
  const rsh_call *call;
  int32_t result;
  const rsh_shape *out_shape;
  const rsh_moves *const *in;
  rsh_moves *out, *work;
} Fold;

// An axis that is the whole axis `from` of the operand, or, if `from` is -1, repeats the operand `size` times.
static inline Projection keep(int32_t from, rsh_num size) {
  Projection p = {from, {0}, rsh_int(1), size, {0}, rsh_int(1), {0}};
  return p;
}

// The projection that changes nothing; rules then change the axes that they affect.
static inline void keep_all(const rsh_shape *shape, Projection *dim) {
  for (int32_t i = 0; i < shape->rank; i++)
    dim[i] = keep(i, shape->dim[i]);
}

// Appends the moves of the result that read the first operand.
static inline void project(Fold *f, const rsh_shape *in_shape, const rsh_shape *out_shape,
                           const Projection *dim) {
  rsh_moves_project(&f->c, in_shape, f->in[0], out_shape, dim, f->out, f->work);
}

// Operators that share a rule.
#define rsh_fold_flatten rsh_fold_reshape
#define rsh_fold_squeeze rsh_fold_reshape
#define rsh_fold_unsqueeze rsh_fold_reshape
#define rsh_fold_identity rsh_fold_reshape
#define rsh_fold_softmax rsh_fold_reshape
#define rsh_fold_cast rsh_fold_activation
#define rsh_fold_arithmetic rsh_fold_activation
#define rsh_fold_quantize rsh_fold_activation
#define rsh_fold_dequantize rsh_fold_activation
#define rsh_fold_requantize rsh_fold_activation
#define rsh_fold_lookup rsh_fold_activation

// The rules, of fold.c and fold_pieces.c.
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  rsh_fold_rule rsh_fold_##rule;
#include "runtime/ops.def"
#undef RSH_OP

// rsh_fold with the rule of the call's operator.
rsh_status rsh_fold_by(rsh_fold_rule *rule, const rsh_call *call, int32_t k,
                       const rsh_shape *out_shape, const rsh_moves *const *in, rsh_moves *out,
                       rsh_moves *work);

#endif
