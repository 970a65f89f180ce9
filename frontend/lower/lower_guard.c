// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on sizes known only at run time. Conditions that are always true or always false are resolved; all others
// are checked at entry, and become facts if possible (facts.h).
//
//   where W % 16 == 0                a fact: everything is lowered again, with 16*w for W
//   reshape(x: f32[N], [-1, 4])      the resolver's condition N % 4 == 0, in the same way
//   where B*S % 4 == 0               checked at entry, with no other use
#include "frontend/lower/lower_internal.h"

#include <string.h>

enum { MAX_FACTS = 64 };

// --- The meaning of a condition

static Verdict verdict(bool always, bool never) {
  return always ? ALWAYS : never ? NEVER : DEPENDS;
}

static Verdict compare(rsh_symbols *s, ConditionKind kind, rsh_num a, rsh_num b) {
  bool le = rsh_at_most(s, a, b), ge = rsh_at_most(s, b, a), eq = rsh_equal(a, b) || (le && ge);
  bool lt = false, gt = false; // strictly
  rsh_num next;
  if (rsh_add(s, a, rsh_int(1), &next))
    lt = rsh_at_most(s, next, b);
  if (rsh_add(s, b, rsh_int(1), &next))
    gt = rsh_at_most(s, next, a);
  bool ne = lt || gt || (rsh_sub(s, a, b, &next) && rsh_never_multiple(s, next, 0));
  switch (kind) {
  case WHERE_EQ:
    return verdict(eq, ne);
  case WHERE_NE:
    return verdict(ne, eq);
  case WHERE_LT:
    return verdict(lt, ge);
  case WHERE_LE:
    return verdict(le, gt);
  case WHERE_GT:
    return verdict(gt, le);
  case WHERE_GE:
    return verdict(ge, lt);
  case WHERE_IN:
    break;
  }
  return DEPENDS;
}

// left % remainder_of as a number, if known.
static bool known_left(rsh_symbols *s, const Guard *g, rsh_num *out) {
  rsh_num quotient;
  *out = g->left;
  if (rsh_is(g->remainder_of, 0))
    return true;
  if (rsh_div(s, g->left, g->remainder_of, &quotient)) {
    *out = rsh_int(0);
    return true;
  }
  if (!rsh_is_known(g->left) || !rsh_is_known(g->remainder_of))
    return false;
  *out = rsh_int(g->left.n % g->remainder_of.n);
  return true;
}

static Verdict choose(rsh_symbols *s, const Guard *g, rsh_num left) {
  bool never = true;
  for (int i = 0; i < g->choice_count; i++) {
    Verdict v = compare(s, WHERE_EQ, left, rsh_int(g->choice[i]));
    if (v == ALWAYS)
      return ALWAYS;
    never = never && v == NEVER;
  }
  return verdict(false, never);
}

Verdict guard_verdict(rsh_symbols *s, const Guard *g) {
  rsh_num left, difference;
  if (!known_left(s, g, &left)) {
    bool never = (g->kind == WHERE_EQ || g->kind == WHERE_NE) && rsh_is_known(g->remainder_of) &&
                 rsh_sub(s, g->left, g->right, &difference) &&
                 rsh_never_multiple(s, difference, g->remainder_of.n);
    return verdict(never && g->kind == WHERE_NE, never && g->kind == WHERE_EQ);
  }
  if (g->kind == WHERE_IN)
    return choose(s, g, left);
  return compare(s, g->kind, left, g->right);
}

bool sizes_agree(const Lower *l, rsh_num a, rsh_num b) {
  if (rsh_equal(a, b))
    return true;
  for (int i = 0; i < l->graph->guard.count; i++) {
    Guard g;
    if (l->graph->guard.item[i].kind == WHERE_EQ &&
        facts_from_raw(&l->known->facts, &l->graph->guard.item[i], &g) &&
        rsh_is(g.remainder_of, 0) &&
        ((rsh_equal(g.left, a) && rsh_equal(g.right, b)) ||
         (rsh_equal(g.left, b) && rsh_equal(g.right, a))))
      return true;
  }
  return false;
}

// --- The result of a condition

static bool same_condition(const Guard *a, const Guard *b) {
  bool same = a->kind == b->kind && a->choice_count == b->choice_count &&
              rsh_equal(a->left, b->left) && rsh_equal(a->right, b->right) &&
              rsh_equal(a->remainder_of, b->remainder_of);
  for (int i = 0; same && i < a->choice_count; i++)
    same = a->choice[i] == b->choice[i];
  return same;
}

static bool same_guard(const Guard *a, const Guard *b) {
  if (a->node == GUARD_WHERE && b->node == GUARD_WHERE && !a->is_of_node &&
      a->span.begin == b->span.begin && a->span.end == b->span.end)
    return true;
  return same_condition(a, b);
}

// Keeps guards in the order of the nodes that need them.
static void guard_insert(Lower *l, Guard raw) {
  Graph *graph = l->graph;
  VEC_PUSH(l->arena, graph->guard, raw);
  int at = graph->guard.count - 1;
  for (; at > 0 && graph->guard.item[at - 1].node > raw.node; at--)
    graph->guard.item[at] = graph->guard.item[at - 1];
  graph->guard.item[at] = raw;
}

static bool has_guard(const Guard *guard, int count, const Guard *raw) {
  for (int i = 0; i < count; i++)
    if (same_guard(&guard[i], raw))
      return true;
  return false;
}

// The graph checks it.
static bool is_known(const Lower *l, const Guard *raw) {
  return has_guard(l->graph->guard.item, l->graph->guard.count, raw);
}

// An earlier pass made it a fact. The graph does not check it if those before it imply it.
static bool is_taken(const Lower *l, const Guard *raw) {
  return has_guard(l->known->guard.item, l->known->guard.count, raw);
}

// The number of factors in all terms.
static int factors_of(const rsh_symbols *s, rsh_num n) {
  int count = 0;
  rsh_terms t = rsh_terms_of(s, n);
  while (rsh_next_term(&t))
    count += rsh_degree(&t);
  return count;
}

static bool cancel_by(rsh_symbols *s, rsh_num *a, rsh_num *b, rsh_num by) {
  rsh_num x, y;
  bool is_done = rsh_is(by, 1) || (rsh_is(*a, 0) && rsh_is(*b, 0)); // dividing changes nothing
  if (is_done || !rsh_div(s, *a, by, &x) || !rsh_div(s, *b, by, &y))
    return false;
  // If S*q == 1 is known, dividing by S multiplies by q, without end.
  if (!rsh_is_known(by) &&
      factors_of(s, x) + factors_of(s, y) >= factors_of(s, *a) + factors_of(s, *b))
    return false;
  *a = x;
  *b = y;
  return true;
}

// Cancels common factors that are positive for all sizes: 8*B*S and 6*B  ->  4*S and 3.
static void cancel_factor(const Lower *l, rsh_num *a, rsh_num *b) {
  rsh_symbols *s = l->graph->symbols;
  const rsh_num primitive[2] = {{1, a->poly}, {1, b->poly}};
  if (a->n != INT64_MIN && b->n != INT64_MIN)
    cancel_by(s, a, b, rsh_int(rsh_gcd(a->n, b->n)));
  for (int i = 0; i < 2; i++)
    if (primitive[i].poly != 0 && rsh_sign(s, primitive[i]) == 1)
      cancel_by(s, a, b, primitive[i]);
  for (int i = 0; i < s->symbol_count; i++)
    while (s->least[i] > 0 && cancel_by(s, a, b, l->known->facts.atom[i]))
      ;
}

void guard_cancel(const Lower *l, Guard *guard) {
  if (guard->kind == WHERE_EQ && rsh_is(guard->remainder_of, 0))
    cancel_factor(l, &guard->left, &guard->right);
  else if (guard->kind == WHERE_EQ && rsh_is(guard->right, 0))
    cancel_factor(l, &guard->left, &guard->remainder_of);
}

// Rewrites a condition with current facts: N*M == 14 is M == 7 if N is known to be 2. False: it cannot be expressed.
static bool rewrite_guard(Lower *l, const Guard *raw, Guard *now) {
  Guard guard;
  if (!facts_from_raw(&l->known->facts, raw, &guard))
    return false;
  guard_cancel(l, &guard);
  if (!facts_to_raw(&l->known->facts, &guard, now))
    return false;
  facts_simplify(now);
  return true;
}

// Returns whether a guard already requires the same under current facts.
static bool is_required(Lower *l, const Guard *raw) {
  Guard wanted, now;
  if (!rewrite_guard(l, raw, &wanted))
    return is_known(l, raw);
  for (int i = 0; i < l->graph->guard.count; i++)
    if (rewrite_guard(l, &l->graph->guard.item[i], &now) && same_guard(&now, &wanted))
      return true;
  return is_known(l, raw);
}

// Keeps the condition as first found: facts from later operators may simplify it, but are not checked before it.
static void guard_require(Lower *l, const Guard *raw) {
  VEC_PUSH(l->arena, l->known->required, *raw);
  guard_insert(l, *raw);
}

// True if it becomes a fact.
static bool guard_take(Lower *l, const Guard *guard, const Guard *raw) {
  if (is_taken(l, raw)) {
    l->again = edge_of_multiple(l, raw); // it adds nothing new, but its quotient is used now
    return l->again;
  }
  // Conditions of an earlier operator are left to the program, which checks them, and counts elements, first.
  bool is_program = l->is_undecided || l->known->finds_nothing;
  if (l->known->checks_sizes || l->known->guard.count >= MAX_FACTS ||
      (raw->node >= 0 && is_program))
    return false;
  counts_keep(l);
  if (!facts_take(&l->known->facts, guard) && !edge_of_multiple(l, raw))
    return false;
  VEC_PUSH(l->arena, l->known->guard, *raw);
  l->again = true;
  return true;
}

// A condition that was simplified by later conditions is checked after them. After an operator that failed without its
// conditions, it is one of the graph: as a fact, it may be what that operator needs.
static bool guard_to_raw(Lower *l, Guard *guard, Guard *raw) {
  bool is_first = l->lacks_conditions && !l->is_survey && l->stage >= 0;
  guard->is_of_node = guard->is_of_node || is_first;
  guard->node = is_first ? GUARD_WHERE : l->stage < 0 ? l->stage : l->graph->node.count;
  for (int i = 0; guard->node >= 0 && i < l->known->guard.count; i++)
    if (l->known->guard.item[i].node > guard->node)
      guard->node = l->known->guard.item[i].node;
  return facts_to_raw(&l->known->facts, guard, raw);
}

// A condition in the source. False: an error was reported.
static bool written_to_raw(Lower *l, Guard *guard, Guard *raw) {
  bool fits = guard_to_raw(l, guard, raw);
  if (!fits)
    lower_error(l, guard->span, "overflow",
                "this condition has numbers that do not fit 64 bits, or too many terms: use a size "
                "of an input, such as S of s: u8[S], instead of a computed one");
  return fits;
}

bool guard_add(Lower *l, Guard guard) {
  Guard raw;
  Verdict v = guard_verdict(l->graph->symbols, &guard);
  if (v != DEPENDS || l->again)
    return v != NEVER;
  if (l->known->checks_sizes && guard.status != RSH_bad_dim) // a layout's: checked in the next pass
    return true;
  if (written_to_raw(l, &guard, &raw)) {
    // The size was shown not to be negative in its original form; that stays true after `where` rewrites it.
    bool is_settled =
        l->known->sizes_are_checked && raw.node == GUARD_SIZE && raw.status == RSH_bad_dim;
    if (!is_settled && !is_required(l, &raw))
      guard_require(l, &raw);
    guard_take(l, &guard, &raw);
  }
  return true;
}

bool sizes_must_agree(Lower *l, rsh_num a, rsh_num b, rsh_status status, Span span) {
  const Guard guard = {.kind = WHERE_EQ, .status = status, .left = a, .right = b, .span = span};
  return guard_agree(l, guard);
}

bool guard_agree(Lower *l, Guard guard) {
  return sizes_agree(l, guard.left, guard.right) || (l->graph->symbols && guard_add(l, guard));
}

// All conditions of `where` are read before the first becomes a fact, so that they stay as written.
bool guard_where(Lower *l, Guard guard) {
  Guard raw;
  Verdict v = guard_verdict(l->graph->symbols, &guard);
  if (v != DEPENDS)
    return v != NEVER;
  bool has_room = !guard.is_of_node || l->known->guard.count < MAX_FACTS;
  if (has_room && written_to_raw(l, &guard, &raw) && !is_taken(l, &raw)) {
    VEC_PUSH(l->arena, l->known->guard, raw);
    l->again = true;
  }
  return true;
}

bool guard_need(Lower *l, Guard guard, bool is_checked_first) {
  Guard raw;
  if (l->known->finds_nothing && l->stage != GUARD_SIZE) // the layout of an input is in the text
    return false;
  if (l->again || l->known->checks_sizes)
    return true;
  if (guard_verdict(l->graph->symbols, &guard) != DEPENDS || !guard_to_raw(l, &guard, &raw))
    return false;
  facts_simplify(&raw);
  bool was_required = is_required(l, &raw); // checked now: facts would simplify it away
  bool is_fact = guard_take(l, &guard, &raw);
  if (!was_required && (is_checked_first || is_fact))
    guard_require(l, &raw);
  return is_fact;
}

// False: known facts imply it.
static bool known_take(const Known *known, Facts *facts, const Guard *raw) {
  Guard guard;
  if (!facts_from_raw(facts, raw, &guard))
    return true;
  Verdict v = guard_verdict(facts->symbols, &guard);
  if (v == DEPENDS && !facts_take(facts, &guard))
    edges_divide(known, facts, raw);
  return v != ALWAYS; // contradictory conditions are all checked, in order
}

// Applies all known facts; l gets the conditions of `where`, or is NULL.
static void take_all(const Known *known, Facts *facts, Lower *l) {
  for (int i = 0; i < facts->symbols->symbol_count; i++)
    if (known->bound[i] >= 0)
      facts_bind(facts, i, known->bound[i]);
  edges_know(known, facts);
  for (int i = 0; i < known->guard.count; i++)
    if (known_take(known, facts, &known->guard.item[i]) && l &&
        known->guard.item[i].node == GUARD_WHERE)
      guard_insert(l, known->guard.item[i]);
  for (int i = 0; i < known->guard.count; i++) // N*M == 14 implies more once N == 2 is known
    known_take(known, facts, &known->guard.item[i]);
  edges_know(known, facts); // new facts may imply more about edges
}

void known_apply(Lower *l) {
  Known *known = l->known;
  if (!known->facts.symbols)
    return;
  facts_forget(&known->facts);
  l->graph->symbols = known->facts.symbols;
  l->graph->raw = known->facts.raw;
  take_all(known, &known->facts, l);
  for (int i = 0; i < known->required.count; i++)
    if (!is_known(l, &known->required.item[i]))
      guard_insert(l, known->required.item[i]);
}

void known_facts(const Known *known, Facts *facts) {
  facts->raw = known->facts.raw; // guards are over it
  take_all(known, facts, NULL);
}
