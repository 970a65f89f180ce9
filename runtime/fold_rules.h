// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of fold rules.
#ifndef RSH_FOLD_RULES_H
#define RSH_FOLD_RULES_H

#include "runtime/moves.h"

// One call being folded.
typedef struct Fold {
  Calc c;
  const rsh_call *call;
  int32_t result;
  const rsh_shape *out_shape;
  const rsh_moves *const *in;
  rsh_moves *out, *work;
} Fold;

// An axis that is taken whole from axis `from` of the operand, or where that is -1 repeats it `size` times.
static inline Projection keep(int32_t from, rsh_num size) {
  Projection p = {from, {0}, rsh_int(1), size, {0}, rsh_int(1), {0}};
  return p;
}

// The projection that changes nothing; rules then change the dims they concern.
static inline void keep_all(const rsh_shape *shape, Projection *dim) {
  for (int32_t i = 0; i < shape->rank; i++)
    dim[i] = keep(i, shape->dim[i]);
}

// Appends the moves of the result as far as they come from the first operand.
static inline void project(Fold *f, const rsh_shape *in_shape, const rsh_shape *out_shape,
                           const Projection *dim) {
  rsh_moves_project(&f->c, in_shape, f->in[0], out_shape, dim, f->out, f->work);
}

// The rules of fold_pieces.c.
void rsh_fold_pad(Fold *f);
void rsh_fold_center_crop_pad(Fold *f);
void rsh_fold_tile(Fold *f);
void rsh_fold_repeat(Fold *f);
void rsh_fold_roll(Fold *f);
void rsh_fold_gather(Fold *f);
void rsh_fold_reverse_sequence(Fold *f);

#endif
