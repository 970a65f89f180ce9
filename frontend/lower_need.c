// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls whose shapes resolve cannot decide for all sizes: the condition under which the resolver accepts
// them when the program runs, or a condition that would help and only the user can give.
//
//   reshape(x: f32[N, 2], [-1, 8])      N % 4 == 0, or else not_divisible
//   concat(x: f32[B, 4], y: f32[8, C])  C == 4, or else shape_mismatch
//   x[:4] of f32[S]                     has min(S, 4) elements: `where S >= 4` would help
#include "frontend/lower_internal.h"

// --- Conditions

static bool cancel_by(rsh_symbols *s, rsh_num *a, rsh_num *b, rsh_num by) {
  rsh_num x, y;
  bool is_done = rsh_is(by, 1) || (rsh_is(*a, 0) && rsh_is(*b, 0)); // dividing changes nothing
  if (is_done || !rsh_div(s, *a, by, &x) || !rsh_div(s, *b, by, &y))
    return false;
  *a = x;
  *b = y;
  return true;
}

// Takes out what divides both and is above 0 for all sizes: 8*B*S and 6*B  ->  4*S and 3.
static void cancel(Lower *l, rsh_num *a, rsh_num *b) {
  rsh_symbols *s = l->graph->symbols;
  const rsh_num primitive[2] = {{1, a->poly}, {1, b->poly}};
  int64_t common = a->n < 0 ? -a->n : a->n;
  for (int64_t rest, n = b->n < 0 ? -b->n : b->n; n != 0; n = rest) {
    rest = common % n;
    common = n;
  }
  if (common > 1)
    cancel_by(s, a, b, rsh_int(common));
  for (int i = 0; i < 2; i++)
    if (primitive[i].poly != 0 && rsh_sign(s, primitive[i]) == 1)
      cancel_by(s, a, b, primitive[i]);
  for (int i = 0; i < s->symbol_count; i++)
    while (s->least[i] > 0 && cancel_by(s, a, b, l->known->facts.atom[i]))
      ;
}

static bool divides(Lower *l, rsh_num by, rsh_num whole, rsh_status status, Guard *guard) {
  cancel(l, &whole, &by);
  *guard = (Guard){.kind = WHERE_EQ, .status = status, .left = whole, .remainder_of = by};
  return rsh_is_known(by) && by.n > 1;
}

static bool equals(Lower *l, rsh_num a, rsh_num b, rsh_status status, Guard *guard) {
  cancel(l, &a, &b);
  *guard = (Guard){.kind = WHERE_EQ, .status = status, .left = a, .right = b};
  return true;
}

static bool at_least(rsh_num a, rsh_num least, rsh_status status, Guard *guard) {
  *guard = (Guard){.kind = WHERE_GE, .status = status, .left = a, .right = least};
  return true;
}

// --- What the resolver asks

static const rsh_num *entry_of(const rsh_call *call, const rsh_fault *fault) {
  const rsh_arg *arg = fault->arg >= 0 ? &call->arg[fault->arg] : NULL;
  bool has_entry = arg && arg->kind == RSH_ARG_LIST && fault->entry >= 0 &&
                   fault->entry < arg->count && arg->list;
  return has_entry ? &arg->list[fault->entry] : NULL;
}

static bool is_set(const rsh_call *call, int arg) {
  return call->arg[arg].kind == RSH_ARG_LIST && rsh_is(call->arg[arg].list[0], 1);
}

// Whether a 0 beside a -1 is refused before the sizes are multiplied.
static bool bars_zero(const rsh_call *call) {
  bool is_onednn = call->op == RSH_OP_ONEDNN_STATIC || call->op == RSH_OP_ONEDNN_DYNAMIC;
  bool is_onnx = call->op == RSH_OP_RESHAPE || call->op == RSH_OP_ONNX_RESHAPE;
  return is_onednn ? !is_set(call, 1) : is_onnx && is_set(call, 1);
}

static bool need_of_reshape(Lower *l, const rsh_call *call, const rsh_fault *fault, Guard *guard) {
  const rsh_num *entry = entry_of(call, fault);
  if (call->in[0]->rank == RSH_RANK_UNKNOWN || fault->arg < 0)
    return false;
  bool has_sides = !rsh_is(fault->left, 0) || !rsh_is(fault->right, 0);
  if (!entry)
    return fault->entry < 0 && has_sides &&
           equals(l, fault->left, fault->right, RSH_volume_mismatch, guard);
  if (rsh_equal(*entry, fault->left))
    return at_least(fault->left, rsh_int(0), RSH_bad_dim, guard);
  if (!rsh_is(fault->right, 0))
    return divides(l, fault->right, fault->left, RSH_not_divisible, guard);
  rsh_num product = fault->left; // is at least 1 when what is left without symbols is
  for (int i = 0; i < l->graph->symbols->symbol_count; i++)
    while (l->graph->symbols->least[i] > 0 &&
           rsh_div(l->graph->symbols, product, l->known->facts.atom[i], &product))
      ;
  return at_least(product, rsh_int(1), bars_zero(call) ? RSH_zero_with_infer : RSH_ambiguous_infer,
                  guard);
}

static bool need_of_split(Lower *l, const rsh_call *call, const rsh_fault *fault, Guard *guard) {
  enum { AXIS, PARTS, SIZES };
  int32_t axis = 0;
  if (fault->arg == SIZES)
    return fault->entry >= 0 ? at_least(fault->left, rsh_int(0), RSH_bad_parts, guard)
                             : equals(l, fault->left, fault->right, RSH_bad_parts, guard);
  if (call->arg[AXIS].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[AXIS].list[0].n, call->in[0]->rank, &axis);
  // Where parts are given the last may be smaller.
  return fault->arg == PARTS && call->arg[PARTS].kind == RSH_ARG_ABSENT &&
         divides(l, fault->left, call->in[0]->dim[axis], RSH_bad_parts, guard);
}

static bool need_of_index(rsh_num index, rsh_num size, Guard *guard) {
  if (!rsh_is_known(index) || index.n == INT64_MIN || index.n == INT64_MAX)
    return false;
  return at_least(size, rsh_int(index.n < 0 ? -index.n : index.n + 1), RSH_bad_index, guard);
}

// The condition that the rule of the call asks where the fault is.
static bool need_of_call(Lower *l, const rsh_call *call, const rsh_fault *fault, Guard *guard) {
  const rsh_num *entry = entry_of(call, fault);
  const rsh_num left = fault->left, right = fault->right, zero = rsh_int(0);
  if (rsh_is_unknown(left) || rsh_is_unknown(right))
    return false;
  switch (call->op) {
  case RSH_OP_RESHAPE:
  case RSH_OP_ONNX_RESHAPE:
  case RSH_OP_OPENVINO_RESHAPE:
  case RSH_OP_ONEDNN_STATIC:
  case RSH_OP_ONEDNN_DYNAMIC:
  case RSH_OP_PADDLE_RESHAPE:
    return need_of_reshape(l, call, fault, guard);
  case RSH_OP_SPLIT:
    return need_of_split(l, call, fault, guard);
  case RSH_OP_DEPTH_TO_SPACE:
  case RSH_OP_SPACE_TO_DEPTH:
    return fault->input == 0 && divides(l, left, right, RSH_bad_block, guard);
  case RSH_OP_SQUEEZE: // without axes it drops what is 1, and refuses nothing
    return call->arg[0].kind == RSH_ARG_LIST && fault->input == 0 &&
           equals(l, left, right, RSH_not_one, guard);
  case RSH_OP_CONCAT:
  case RSH_OP_STACK:
    return fault->input >= 0 && fault->entry >= 0 &&
           equals(l, left, right, RSH_shape_mismatch, guard);
  case RSH_OP_GATHER:
    return entry && need_of_index(left, right, guard);
  case RSH_OP_REVERSE_SEQUENCE:
    if (fault->arg == 0 && fault->entry < 0)
      return equals(l, left, right, RSH_bad_length, guard);
    return entry && rsh_is_known(left) && at_least(right, left, RSH_bad_index, guard);
  case RSH_OP_PAD: // an amount that may go either way has no condition, what is left of an axis has
    return entry && !rsh_equal(*entry, left) && at_least(left, zero, RSH_bad_dim, guard);
  case RSH_OP_TILE:
  case RSH_OP_REPEAT:
    return entry && at_least(left, zero, RSH_bad_dim, guard);
  case RSH_OP_EXPAND:
    return entry && rsh_equal(*entry, left) && rsh_is(right, 0) &&
           at_least(left, zero, RSH_bad_dim, guard);
  default:
    return false;
  }
}

// --- Advice

// The number over the atoms of other facts, which know all that those of l know.
static bool over(const Lower *l, Facts *facts, rsh_num n, rsh_num *out) {
  rsh_num atom[RSH_MAX_SYMBOLS] = {{0, 0}};
  for (int i = 0; i < l->graph->symbols->symbol_count; i++)
    if (!rsh_div(facts->symbols, facts->num[i], rsh_int(l->known->facts.divisor[i]), &atom[i]))
      atom[i] = rsh_int(0); // a fact replaced it: it stands nowhere
  return num_substitute(facts->symbols, l->graph->symbols, n, atom, out);
}

// What resolve says of the call over other facts: whether it gets past the fault.
static bool gets_on(Lower *l, Arena *arena, Facts *facts, const rsh_call *call,
                    const rsh_fault *fault) {
  rsh_call copy = *call;
  const rsh_shape **in = ARENA_ARRAY(arena, const rsh_shape *, call->in_count);
  for (int32_t k = 0; k < call->in_count; k++) {
    rsh_shape *shape = ARENA_NEW(arena, rsh_shape);
    *shape = *call->in[k];
    for (int32_t i = 0; i < shape->rank; i++)
      if (!over(l, facts, call->in[k]->dim[i], &shape->dim[i]))
        return false;
    in[k] = shape;
  }
  copy.in = in;
  copy.symbols = facts->symbols;
  for (int a = 0; a < RSH_MAX_ARGS; a++) {
    if (call->arg[a].kind != RSH_ARG_LIST || !call->arg[a].list)
      continue;
    rsh_num *list = ARENA_ARRAY(arena, rsh_num, call->arg[a].count);
    for (int32_t i = 0; i < call->arg[a].count; i++)
      if (!over(l, facts, call->arg[a].list[i], &list[i]))
        return false;
    copy.arg[a].list = list;
  }
  rsh_fault next = {.input = -1, .arg = -1, .entry = -1};
  rsh_status status = rsh_resolve(&copy, ARENA_ARRAY(arena, rsh_shape, call->out_count), &next);
  return status == RSH_ok ||
         (status == RSH_unknown_size && (next.arg != fault->arg || next.entry != fault->entry));
}

// Whether the condition as a fact would help.
static bool helps(Lower *l, const rsh_call *call, const rsh_fault *fault, Guard guard, Guard *raw) {
  Arena *arena = arena_new();
  Facts facts;
  facts_init(&facts, arena);
  for (int i = 0; i < l->graph->symbols->symbol_count; i++)
    facts_symbol(&facts, i);
  known_facts(l->known, &facts);
  facts.symbols->unknown_capacity = 0; // nothing is left to the program here
  Guard there;
  bool good = guard_verdict(l->graph->symbols, &guard) == DEPENDS &&
              facts_to_raw(&l->known->facts, &guard, raw) &&
              over(l, &facts, guard.left, &guard.left) &&
              over(l, &facts, guard.right, &guard.right) &&
              over(l, &facts, guard.remainder_of, &guard.remainder_of);
  there = guard;
  good = good && facts_take(&facts, &there) && gets_on(l, arena, &facts, call, fault);
  arena_free(arena);
  return good;
}

typedef struct Advice {
  Lower *l;
  const rsh_call *call;
  const rsh_fault *fault;
  const char *text; // the first condition that helps
} Advice;

static void advise(Advice *a, Guard guard) {
  Guard raw;
  if (a->text || !helps(a->l, a->call, a->fault, guard, &raw))
    return;
  facts_simplify(&raw);
  a->text = guard_text(a->l->arena, a->l->graph, &raw);
}

static void advise_at_least(Advice *a, rsh_num n, rsh_num least) {
  Guard guard;
  at_least(n, least, RSH_guard_failed, &guard);
  advise(a, guard);
}

// Any one atom of `whole` that is a multiple makes it one: B*S % 4 == 0 with S % 4 == 0.
static void advise_divides(Advice *a, rsh_num by, rsh_num whole) {
  Guard guard;
  if (!divides(a->l, by, whole, RSH_guard_failed, &guard))
    return;
  advise(a, guard);
  for (int i = a->l->graph->symbols->symbol_count - 1; i >= 0; i--) {
    guard.left = a->l->known->facts.atom[i];
    advise(a, guard);
  }
}

// A bound of a slice that lies inside the axis, and a length that the step divides.
static void advise_slice(Advice *a) {
  enum { STARTS, ENDS, AXES, STEPS };
  const rsh_call *call = a->call;
  int32_t i = a->fault->entry, axis = i;
  if (i < 0 || i >= call->arg[STARTS].count || i >= call->arg[ENDS].count)
    return;
  if (call->arg[AXES].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[AXES].list[i].n, call->in[0]->rank, &axis);
  rsh_symbols *s = a->l->graph->symbols;
  rsh_num d = call->in[0]->dim[axis], zero = rsh_int(0), inside = zero;
  for (int arg = STARTS; arg <= ENDS; arg++) {
    rsh_num bound = call->arg[arg].list[i], distance = bound;
    if (rsh_is(bound, INT64_MAX) || rsh_is(bound, INT64_MIN)) // as far as it goes
      continue;
    if (rsh_sign(s, bound) == -1 && !rsh_sub(s, zero, bound, &distance))
      continue;
    advise_at_least(a, d, distance);
    advise_at_least(a, bound, zero);
    if (rsh_add(s, inside, distance, &inside))
      advise_at_least(a, d, inside);
  }
  if (call->arg[STEPS].kind != RSH_ARG_LIST || call->arg[STEPS].list[i].n == INT64_MIN)
    return;
  int64_t step = call->arg[STEPS].list[i].n;
  advise_divides(a, rsh_int(step < 0 ? -step : step), d);
}

static void advise_split(Advice *a) {
  int32_t axis = 0;
  const rsh_call *call = a->call;
  if (call->arg[0].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[0].list[0].n, call->in[0]->rank, &axis);
  if (a->fault->arg == 1)
    advise_divides(a, a->fault->left, call->in[0]->dim[axis]);
}

static const char *need_advice(Lower *l, const rsh_call *call, const rsh_fault *fault) {
  Advice a = {l, call, fault, NULL};
  Guard guard;
  if (need_of_call(l, call, fault, &guard))
    advise(&a, guard);
  if (call->op <= RSH_OP_PADDLE_RESHAPE && fault->entry >= 0 && !rsh_is(fault->right, 0))
    advise_divides(&a, fault->right, fault->left);
  else if (call->op == RSH_OP_SLICE)
    advise_slice(&a);
  else if (call->op == RSH_OP_SPLIT)
    advise_split(&a);
  else if (call->op == RSH_OP_SQUEEZE)
    advise_at_least(&a, fault->left, rsh_int(2));
  else if (call->op == RSH_OP_PAD)
    advise_at_least(&a, fault->left, rsh_int(0));
  else if (call->op == RSH_OP_EXPAND && equals(l, fault->left, fault->right, RSH_ok, &guard))
    advise(&a, guard);
  return a.text;
}

// ---

// The first thing that is not decided, as if nothing could be left to the program.
static bool first_undecided(Lower *l, const rsh_call *call, rsh_fault *fault) {
  rsh_symbols *s = l->graph->symbols;
  int64_t capacity = s->unknown_capacity;
  rsh_shape *out = ARENA_ARRAY(l->arena, rsh_shape, call->out_count);
  *fault = (rsh_fault){.input = -1, .arg = -1, .entry = -1};
  s->unknown_capacity = 0;
  rsh_status status = rsh_resolve(call, out, fault);
  s->unknown_capacity = capacity;
  return status == RSH_unknown_size && !rsh_is_unknown(fault->left) &&
         !rsh_is_unknown(fault->right);
}

// Whether edges decide a slice, which has them then.
static bool resolve_at_edges(Lower *l, rsh_call *call, rsh_shape *out) {
  rsh_symbols *s = l->graph->symbols;
  rsh_fault fault = {.input = -1, .arg = -1, .entry = -1};
  rsh_call cut = *call;
  if (!edges_of_slice(l, &cut))
    return false;
  s->undecided = false;
  if (rsh_resolve(&cut, out, &fault) != RSH_ok || s->undecided)
    return false;
  *call = cut;
  return true;
}

rsh_status need_resolve(Lower *l, rsh_call *call, rsh_shape *out, rsh_fault *fault, Span span,
                        const char **missing) {
  rsh_symbols *s = l->graph->symbols;
  rsh_fault first;
  *missing = NULL;
  if (s)
    s->undecided = false;
  rsh_status status = rsh_resolve(call, out, fault);
  if (status != RSH_ok || !s || !s->undecided)
    return status;
  if (!l->is_undecided && resolve_at_edges(l, call, out))
    return RSH_ok;
  s->undecided = true;
  if (!l->is_undecided && first_undecided(l, call, &first)) {
    Guard guard;
    bool has_need = need_of_call(l, call, &first, &guard);
    guard.span = span;
    guard.is_rule = true;
    if (has_need && guard_need(l, guard))
      return RSH_ok;
    *missing = need_advice(l, call, &first);
  }
  l->is_undecided = true;
  s->undecided = true;
  return RSH_ok;
}
