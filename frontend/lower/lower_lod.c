// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `lod`: the offsets of an input's sequences, tracked from value to value. They matter only during
// lowering, not for data movement.
//
//   x: f32[T, 8] lod
//     %0 x: f32[T, 8] lod           an input
//     %1: f32[T, 2, 4] lod          a reshape that keeps the first size
//     %2: f32[2, T, 4]              transposed: the rows differ, the offsets are lost
#include "frontend/graph/lod.h"
#include "frontend/lower/lower_internal.h"

void lod_pass_on(Lower *l, const Node *node, Value *out) {
  const Value *from = node->in[0];
  bool keeps = from->lod && lod_is_kept(l->arena, &node->call, out->result, &out->shape);
  out->lod = keeps ? from->lod : NULL;
  out->lod_lost = from->lod && !keeps ? node : from->lod_lost;
}

bool lod_declare(Lower *l, const AstValue *input, Value *stored) {
  if (!input->type.has_lod)
    return true;
  if (input->type.dim_count == 0) {
    lower_error(l, input->type.lod_span, "bad_rank",
                "'%s' is a scalar; offsets count along a first axis", input->name);
    return false;
  }
  stored->lod = stored;
  return true;
}

bool lod_check(Lower *l, const Declaration *d, const Value *value) {
  if (!d->type->has_lod || value->lod)
    return true;
  lower_error(l, d->type->lod_span, "no_lod", "%s '%s' is declared lod but has no sequence offsets",
              d->role, d->name);
  const Node *lost = value->lod_lost;
  if (lost)
    diag_note(l->diag, lost->span, "%s keeps them only if the rows of %s stay as they are",
              rsh_op_name(lost->call.op), value_label(l, lost->in[0]));
  else
    diag_note(l->diag, value->span,
              "the first tensor it is computed from is not an input declared lod");
  return false;
}
