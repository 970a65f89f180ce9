// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of a Reshape's target that sizes decide: they may be 0, which copies a size, or -1, which is inferred.
#include "frontend/onnx/onnx_internal.h"

static bool is_open_entry(rsh_num entry) { return !rsh_is_known(entry) && !rsh_is_unknown(entry); }

// The entry next to a -1 that is another one, or less, for some sizes. -1: there is none, or the conditions of other
// entries are checked between its own: a second such entry, or one that copies no size.
//   [S-1, -1]     0
static int32_t entry_below_0(const Lower *l, const rsh_call *call, const rsh_arg *target) {
  int32_t rank = call->in[0]->rank, found = -1;
  bool has_rest = false;
  for (int32_t i = 0; i < target->count; i++) {
    rsh_num entry = target->list[i];
    has_rest = has_rest || rsh_is(entry, -1);
    if (rsh_is_unknown(entry) || (is_open_entry(entry) && i >= rank && rsh_reshape_copies(call)))
      return -1;
    if (rsh_at_most(l->graph->symbols, rsh_int(0), entry) || rsh_is_known(entry))
      continue;
    if (found >= 0)
      return -1;
    found = i;
  }
  return has_rest ? found : -1;
}

// Requires of this entry what the rule does, which then only sees a size.
static void bar_second_rest(Visit *v, Lower *l, const rsh_call *call, rsh_arg *target) {
  int32_t at = entry_below_0(l, call, target);
  if (at < 0)
    return;
  Guard least = {.kind = WHERE_LE, .status = RSH_bad_dim, .is_rule = true, .span = v->span};
  least.left = rsh_int(-1);
  least.right = target->list[at];
  Guard natural = least;
  natural.status = RSH_multiple_infer;
  natural.left = rsh_int(0);
  if (guard_verdict(l->graph->symbols, &least) == ALWAYS || guard_need(l, least, true))
    (void)guard_need(l, natural, true);
}

// Whether an entry copies a size if it is 0, which sizes decide.
static bool may_copy(const Visit *v, const rsh_call *call, rsh_num entry, int32_t i) {
  return is_open_entry(entry) && i < call->in[0]->rank && rsh_sign(symbols_of(v), entry) != 1;
}

// The size that is inferred if entries other than 0 are sizes above 0, and 0 copies. False: it is not a polynomial.
static bool infer_size(const Visit *v, const rsh_call *call, const rsh_num *list, rsh_num *out) {
  rsh_symbols *s = symbols_of(v);
  const rsh_shape *in = call->in[0];
  rsh_num whole = rsh_int(1), known = rsh_int(1);
  for (int32_t i = 0; i < in->rank; i++)
    if ((i >= call->arg[0].count || !rsh_is(list[i], 0)) && !rsh_mul(s, whole, in->dim[i], &whole))
      return false;
  for (int32_t i = 0; i < call->arg[0].count; i++)
    if (!rsh_is(list[i], 0) && !rsh_is(list[i], -1) && !rsh_mul(s, known, list[i], &known))
      return false;
  return rsh_div(s, whole, known, out);
}

// The same, from entry i on for each of these that may copy: its size if it does, and if it does not.
static bool infer_by_entries(const Visit *v, const rsh_call *call, rsh_num *list, int32_t i,
                             rsh_num *out) {
  while (i < call->arg[0].count && !may_copy(v, call, list[i], i))
    i++;
  if (i == call->arg[0].count)
    return infer_size(v, call, list, out);
  const rsh_num entry = list[i];
  rsh_num is_size, size, copied;
  bool has_size = infer_by_entries(v, call, list, i + 1, &size);
  list[i] = rsh_int(0);
  bool has_copied = has_size && infer_by_entries(v, call, list, i + 1, &copied);
  list[i] = entry;
  return has_copied && sizes_compare(v, GREATER, entry, rsh_int(0), &is_size) &&
         sizes_choose(v, is_size, size, copied, out);
}

enum { MOST_COPIED = 3 };

// Whether the entries are one -1, and sizes, of which some may copy.
static bool infers_by_entries(const Visit *v, const rsh_call *call, const rsh_num *list) {
  int32_t rests = 0, copies = 0;
  bool good = true;
  for (int32_t i = 0; i < call->arg[0].count; i++) {
    rests += rsh_is(list[i], -1);
    copies += may_copy(v, call, list[i], i);
    good = good && !rsh_is_unknown(list[i]) &&
           (rsh_is(list[i], -1) || rsh_at_most(symbols_of(v), rsh_int(0), list[i]));
  }
  for (int32_t i = 0; i < call->in[0]->rank; i++)
    good = good && !rsh_is_unknown(call->in[0]->dim[i]);
  for (int32_t i = call->in[0]->rank; i < call->arg[0].count;
       i++) // it may copy a size that does not exist
    good = good && (rsh_is(list[i], -1) || rsh_sign(symbols_of(v), list[i]) == 1);
  return good && rests == 1 && copies > 0 && copies <= MOST_COPIED;
}

// Replaces the -1 next to entries that may copy by its size, and these by what they are.
static void infer_apart(Visit *v, rsh_call *call, rsh_num *list) {
  rsh_arg *target = &call->arg[0];
  rsh_num rest;
  uint32_t sizes = 0;
  if (!infers_by_entries(v, call, list) || !infer_by_entries(v, call, list, 0, &rest))
    return;
  rsh_num *made = ARENA_ARRAY(v->r->arena, rsh_num, target->count);
  for (int32_t i = 0; i < target->count; i++) {
    const Edge either = {.kind = RSH_EDGE_EITHER, .at = list[i], .size = call->in[0]->dim[i]};
    made[i] = rsh_is(list[i], -1) ? rest : list[i];
    if (may_copy(v, call, list[i], i) && !edge_new(&v->r->data, either, &made[i]))
      return;
    if (!rsh_is_known(made[i]) || rsh_is(list[i], -1))
      sizes |= UINT32_C(1) << i;
  }
  v->r->sizes.graph->symbol = v->r->data.graph->symbol;
  target->list = made;
  target->sizes |= sizes;
}

// A target entry that sizes decide is data: if it is 0, it copies the size at its index, so it becomes an edge. A
// survey takes it as a size. If nothing can be checked at entry, the rule copies once it sees the sizes.
//   [B*S, 64] of f32[B, S, 64]    rows: B*S, or B where S is 0
//   [B-1, 4] of f32[A, B]         the runtime decides: B-1 may be -1, which is inferred
//   [B-1, -1] of f32[A, B]        rows: B-1, or A where B is 1; B is not 0
//   [B, S, -1] of f32[B*S, 8]     B, for the copied size is 0 if B is
// Where a -1 is inferred, copies of OpenVINO do not count, so its size depends on which entries are 0.
//   [B, -1] of f32[B, C, 4]       0, which copies B in any case
//   [B*C, -1] of f32[B, C, 4]     4, or 4*C where B*C is 0
void target_bind(Visit *v, Lower *l, rsh_call *call) {
  const rsh_shape *in = call->in[0];
  rsh_arg *target = &call->arg[0];
  if (rsh_op_family(call->op) != RSH_RESHAPES || target->kind != RSH_ARG_LIST || target->rank != 1)
    return;
  if (!l->has_no_edges && !rsh_reshape_skips_copied(call))
    bar_second_rest(v, l, call, target);
  if (!rsh_reshape_copies(call))
    return;
  rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, target->count);
  bool makes_edges = !l->has_no_edges && !l->known->finds_nothing && !l->again;
  bool may_infer = false;
  for (int32_t i = 0; i < target->count; i++) {
    list[i] = target->list[i];
    may_infer = may_infer || !rsh_at_most(l->graph->symbols, rsh_int(0), list[i]);
  }
  bool skips_copied = may_infer && rsh_reshape_skips_copied(call) && !l->has_no_edges;
  for (int32_t i = 0; i < target->count && i < in->rank; i++) {
    Edge either = {.kind = RSH_EDGE_EITHER, .at = list[i], .size = in->dim[i]};
    bool is_open = is_open_entry(list[i]) && !rsh_is_unknown(in->dim[i]);
    bool is_natural = rsh_at_most(l->graph->symbols, rsh_int(0), list[i]);
    if (is_open && skips_copied && rsh_equal(list[i], in->dim[i]))
      list[i] = rsh_int(0);
    else if (is_open && !skips_copied &&
             (l->has_no_edges || (makes_edges && is_natural && edge_new(l, either, &list[i]))))
      target->sizes |= UINT32_C(1) << i;
  }
  target->list = list;
  if (skips_copied && makes_edges && l == &v->r->data)
    infer_apart(v, call, list);
}
