// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls whose shapes resolve cannot decide for all sizes: finds the condition under which the resolver accepts
// them at run time, or a condition that would help but only the user can provide.
//
//   reshape(x: f32[N, 2], [-1, 8])      N % 4 == 0, or else not_divisible
//   concat(x: f32[B, 4], y: f32[8, C])  C == 4, or else shape_mismatch
//   x[:4] of f32[S]                     has min(S, 4) elements: `where S >= 4` would help
#include "frontend/lower/lower_internal.h"

#include <string.h>

// --- Conditions

// A condition of a rule as a guard. False: it cannot be fully expressed as one.
static bool guard_of(Lower *l, const rsh_condition *c, Guard *guard) {
  *guard = (Guard){.kind = c->relation == RSH_AT_LEAST ? WHERE_GE : WHERE_EQ,
                   .status = c->status,
                   .left = c->left,
                   .right = c->right};
  if (c->relation == RSH_MULTIPLE) {
    guard->remainder_of = guard->right;
    guard->right = rsh_int(0);
  }
  guard_cancel(l, guard);
  return c->relation != RSH_MULTIPLE || rsh_sign(l->graph->symbols, guard->remainder_of) == 1;
}

// --- Advice

// The number over the atoms of other facts, which include the facts of l.
static bool over(const Lower *l, Facts *facts, rsh_num n, rsh_num *out) {
  rsh_num atom[RSH_MAX_SYMBOLS] = {{0, 0}};
  for (int i = 0; i < l->graph->symbols->symbol_count; i++)
    if (!rsh_div(facts->symbols, facts->num[i], rsh_int(l->known->facts.divisor[i]), &atom[i]))
      atom[i] = rsh_int(0); // a fact replaced it: it appears nowhere
  return num_substitute(facts->symbols, l->graph->symbols, n, atom, out);
}

// Returns whether resolve, with other facts, gets past the fault of the call.
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

// Returns whether the condition, as a fact, would help.
static bool helps(Lower *l, const rsh_call *call, const rsh_fault *fault, Guard guard, Guard *raw) {
  Arena *arena = arena_new();
  Facts facts;
  facts_init(&facts, arena);
  for (int i = 0; i < l->graph->symbols->symbol_count; i++)
    facts_symbol(&facts, i);
  known_facts(l->known, &facts);
  facts.symbols->unknown_capacity = 0; // here nothing may be deferred to the runtime
  bool good = guard_verdict(l->graph->symbols, &guard) == DEPENDS &&
              facts_to_raw(&l->known->facts, &guard, raw) &&
              over(l, &facts, guard.left, &guard.left) &&
              over(l, &facts, guard.right, &guard.right) &&
              over(l, &facts, guard.remainder_of, &guard.remainder_of);
  good = good && facts_take(&facts, &guard) && gets_on(l, arena, &facts, call, fault);
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

static void advise_condition(Advice *a, const rsh_condition *c) {
  Guard guard;
  if (!guard_of(a->l, c, &guard))
    return;
  guard.status = RSH_guard_failed;
  advise(a, guard);
  if (c->relation != RSH_MULTIPLE)
    return;
  // The left side is a multiple if one of its atoms is: B*S % 4 == 0 with S % 4 == 0.
  for (int i = a->l->graph->symbols->symbol_count - 1; i >= 0; i--) {
    guard.left = a->l->known->facts.atom[i];
    advise(a, guard);
  }
}

static void advise_at_least(Advice *a, rsh_num n, rsh_num least) {
  advise_condition(a, &(rsh_condition){RSH_AT_LEAST, RSH_guard_failed, n, least});
}

static void advise_multiple(Advice *a, rsh_num n, rsh_num of) {
  advise_condition(a, &(rsh_condition){RSH_MULTIPLE, RSH_guard_failed, n, of});
}

// Suggests a bound of a slice inside the axis, and a length divisible by the step.
static void advise_slice(Advice *a) {
  const rsh_call *call = a->call;
  int32_t i = a->fault->entry, axis = i;
  if (i < 0 || i >= call->arg[RSH_SLICE_STARTS].count || i >= call->arg[RSH_SLICE_ENDS].count)
    return;
  if (call->arg[RSH_SLICE_AXES].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[RSH_SLICE_AXES].list[i].n, call->in[0]->rank, &axis);
  rsh_symbols *s = a->l->graph->symbols;
  rsh_num d = call->in[0]->dim[axis], zero = rsh_int(0), inside = zero;
  for (int arg = RSH_SLICE_STARTS; arg <= RSH_SLICE_ENDS; arg++) {
    rsh_num bound = call->arg[arg].list[i], distance = bound;
    if (rsh_is(bound, INT64_MAX) || rsh_is(bound, INT64_MIN)) // to the end
      continue;
    if (rsh_sign(s, bound) == -1 && !rsh_sub(s, zero, bound, &distance))
      continue;
    advise_at_least(a, d, distance);
    advise_at_least(a, bound, zero);
    if (rsh_add(s, inside, distance, &inside))
      advise_at_least(a, d, inside);
  }
  if (call->arg[RSH_SLICE_STEPS].kind != RSH_ARG_LIST ||
      call->arg[RSH_SLICE_STEPS].list[i].n == INT64_MIN)
    return;
  int64_t step = call->arg[RSH_SLICE_STEPS].list[i].n;
  advise_multiple(a, d, rsh_int(step < 0 ? -step : step));
}

// The first fault that is undecided if nothing may be deferred to the runtime.
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

// A condition that would help, or NULL. `conditions` belong to the rule.
static const char *need_advice(Lower *l, const rsh_call *call, const rsh_condition *conditions,
                               int count) {
  rsh_fault first;
  if (rsh_reads_data(call) || !first_undecided(l, call, &first))
    return NULL;
  Advice a = {l, call, &first, NULL};
  for (int i = 0; i < count; i++)
    advise_condition(&a, &conditions[i]);
  if (call->op == RSH_OP_SLICE)
    advise_slice(&a);
  else if (call->op == RSH_OP_SPLIT && first.arg == 1)
    advise_multiple(&a, first.right, first.left);
  else if (call->op == RSH_OP_SQUEEZE)
    advise_at_least(&a, first.left, rsh_int(2));
  else if (call->op == RSH_OP_PAD)
    advise_at_least(&a, first.left, rsh_int(0));
  else if (call->op == RSH_OP_EXPAND)
    advise_condition(&a, &(rsh_condition){RSH_EQUAL, RSH_ok, first.left, first.right});
  return a.text;
}

// ---

// The conditions of the rule that was resolved last; the next one overwrites them.
static const rsh_condition *keep_conditions(Lower *l) {
  const rsh_symbols *s = l->graph->symbols;
  rsh_condition *kept = ARENA_ARRAY(l->arena, rsh_condition, s->condition_count);
  memcpy(kept, s->condition, (size_t)s->condition_count * sizeof *kept);
  return kept;
}

// Returns whether the conditions of a rule suffice: then they are checked at entry. If one can become a fact,
// everything is lowered again.
static bool ask(Lower *l, const rsh_condition *condition, int count, bool is_undecided, Span span) {
  bool can_ask = !is_undecided;
  if (l->known->finds_nothing || l->has_no_edges)
    return false;
  for (int i = 0; i < count; i++) {
    Guard guard;
    bool is_guard = guard_of(l, &condition[i], &guard);
    guard.span = span;
    guard.is_rule = true;
    if (is_guard && guard_need(l, guard, true))
      return true;
    can_ask = is_guard && guard_add(l, guard) && can_ask;
  }
  return can_ask;
}

// If this call is decided, perhaps with conditions, puts it in place of the other and returns true. False:
// `call` and `out` are unchanged.
static bool resolve_instead(Lower *l, rsh_call *call, const rsh_call *by, rsh_shape *out,
                            Span span) {
  rsh_symbols *s = l->graph->symbols;
  rsh_fault fault = {.input = -1, .arg = -1, .entry = -1};
  rsh_shape *made = ARENA_ARRAY(l->arena, rsh_shape, by->out_count);
  s->undecided = false;
  s->condition_count = 0;
  if (rsh_resolve(by, made, &fault) != RSH_ok || s->undecided ||
      !ask(l, keep_conditions(l), s->condition_count, false, span))
    return false;
  *call = *by;
  memcpy(out, made, sizeof *out * (size_t)by->out_count);
  return true;
}

// If edges decide a slice, a roll or a split, perhaps with conditions, puts them into the call and returns true.
static bool resolve_at_edges(Lower *l, rsh_call *call, rsh_shape *out, Span span) {
  rsh_call resolved = *call;
  return edges_of_call(l, &resolved) && resolve_instead(l, call, &resolved, out, span);
}

// If the sizes that an expand cannot decide must be equal, puts those of the operand into the call and returns true.
// Not in a survey, whose facts remove nodes: without the Max of table[max(0, 16 - S):], 17 rows would be one that is
// repeated.
static bool resolve_equal_sizes(Lower *l, rsh_call *call, rsh_shape *out, Span span) {
  rsh_call resolved = *call;
  const rsh_shape *in = call->in[0];
  rsh_arg *shape = &resolved.arg[0];
  if (l->is_survey || call->op != RSH_OP_EXPAND || shape->kind != RSH_ARG_LIST)
    return false;
  rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, shape->count);
  for (int32_t i = 0; i < shape->count; i++) {
    int32_t axis = in->rank - shape->count + i;
    rsh_num size = list[i] = shape->list[i], own = axis >= 0 ? in->dim[axis] : rsh_int(1);
    if (rsh_equal(size, own) || (!edge_must_equal(l, own, size) && !edge_must_equal(l, size, own)))
      continue;
    if (!ask(l, &(rsh_condition){RSH_EQUAL, RSH_not_broadcastable, own, size}, 1, false, span))
      return false;
    list[i] = own;
  }
  shape->list = list;
  return resolve_instead(l, call, &resolved, out, span);
}

rsh_status need_resolve(Lower *l, rsh_call *call, rsh_shape *out, rsh_fault *fault, Span span,
                        const char **missing) {
  rsh_symbols *s = l->graph->symbols;
  *missing = NULL;
  if (!s)
    return rsh_resolve(call, out, fault);
  s->undecided = false;
  s->condition_count = 0;
  rsh_status status = rsh_resolve(call, out, fault);
  if (status != RSH_ok || (!s->undecided && s->condition_count == 0))
    return status;
  if (!l->is_undecided) {
    int count = s->condition_count;
    bool is_undecided = s->undecided;
    const rsh_condition *condition = keep_conditions(l);
    if (resolve_at_edges(l, call, out, span) || resolve_equal_sizes(l, call, out, span) ||
        ask(l, condition, count, is_undecided, span)) {
      s->undecided = false;
      return RSH_ok;
    }
    *missing = need_advice(l, call, condition, count);
  }
  l->is_undecided = true;
  s->undecided = true;
  return RSH_ok;
}
