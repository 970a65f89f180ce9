// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that are determined by run-time sizes but are not polynomials of them: the bounds of a slice, the shift of a
// roll, a quotient of several sizes. Each becomes a new size, an *edge*, which the function computes at entry. Enough
// is known about it to continue folding, so one kernel serves all sizes, without the runtime.
//
//   x[3:] of f32[H]         from min(3, H) on: H-min(3, H) elements
//   x[-3:] of f32[H]        from H-min(3, H) on: min(3, H) elements
//   x[:14*H-P] of f32[14*H] up to edge(14*H-P, 14*H), which is at most 14*H, and counts from the end if
//                           14*H-P is below 0
//   x[::2] of f32[S]        has S/2 elements, rounded up
//   [-1, 4] of f32[N, 6, M] has 3*q rows, q being N*M/2, after the condition N*M % 2 == 0
#include "frontend/lower/lower_internal.h"

// --- Facts about edges

// Edges are over atoms, except in functions that handle Known.edge.

// Expresses a quotient as one rounded down.
static bool floor_of(rsh_symbols *s, Edge p, rsh_floor *q) {
  *q = (rsh_floor){.of = p.at, .by = p.size};
  return p.kind == RSH_EDGE_FLOOR ||
         (rsh_add(s, p.at, p.size, &q->of) && rsh_sub(s, q->of, rsh_int(1), &q->of));
}

// A constant from bounds takes precedence over a quotient from facts: the edge itself may be among these.
static bool decide_quotient(rsh_symbols *s, Edge p, rsh_num *out) {
  rsh_floor q;
  rsh_num rest;
  if (!floor_of(s, p, &q))
    return false;
  bool is_seen = rsh_div_part(s, q.of, q.by, out, &rest);
  return (is_seen && rsh_is_known(*out)) || rsh_div(s, q.of, q.by, out) || is_seen;
}

// Whether n is 0 if one of these atoms is: all are in each of its terms.
static bool is_0_with_any(const rsh_symbols *s, rsh_num n, uint32_t atoms) {
  rsh_terms t = rsh_terms_of(s, n);
  while (rsh_next_term(&t))
    if ((atoms & ~rsh_atoms_of_term(&t)) != 0)
      return false;
  return true;
}

// Whether n is 0 if `product` is, a product of sizes: T if 2*T*T is.
static bool is_0_with_product(const rsh_symbols *s, rsh_num n, rsh_num product) {
  rsh_terms t = rsh_terms_of(s, product);
  return !rsh_is_unknown(n) && rsh_term_count(s, product) == 1 && rsh_next_term(&t) &&
         is_0_with_any(s, n, rsh_atoms_of_term(&t));
}

// The value is `at` if that is above 0, or if `size` is 0 whenever `at` is.
//   [12*B, ...] of f32[B, ...]     [S, ...] of f32[B*S, ...]     [T*T, ...] of f32[T, ...]
static bool decide_either(rsh_symbols *s, Edge p, rsh_num *out) {
  rsh_num factor;
  *out = rsh_is(p.at, 0) ? p.size : p.at;
  return rsh_is_known(p.at) || rsh_sign(s, p.at) == 1 || rsh_div(s, p.size, p.at, &factor) ||
         (rsh_div(s, p.at, p.size, &factor) && rsh_sign(s, factor) == 1) ||
         is_0_with_product(s, p.size, p.at);
}

// The edge's value if it is provable. False: it depends on sizes.
static bool decide(rsh_symbols *s, Edge p, rsh_num *out) {
  if (p.kind == RSH_EDGE_EITHER)
    return decide_either(s, p, out);
  if (p.kind != RSH_EDGE_PLACE)
    return decide_quotient(s, p, out);
  *out = p.at;
  return rsh_slice_bound(s, &p.size, out, &p.least, &p.size) == RSH_ok;
}

// W//32 is w//2, the atom w being W / 16.
static bool edge_over_atoms(Facts *facts, const Edge *edge, Edge *p) {
  Guard raw = {.left = edge->at, .right = edge->size, .remainder_of = edge->least}, guard;
  if (!facts_from_raw(facts, &raw, &guard))
    return false;
  *p = (Edge){
      .kind = edge->kind, .at = guard.left, .size = guard.right, .least = guard.remainder_of};
  bool is_open = !rsh_is_unknown(p->at) && !rsh_is_unknown(p->size);
  if (edge_is_quotient(p->kind) && is_open && p->at.n > 0 && p->size.n > 0) {
    int64_t common = rsh_gcd(p->at.n, p->size.n);
    p->at.n /= common;
    p->size.n /= common;
  }
  return true;
}

// Bounds follow from what the edge is computed of. Conditions may have added narrower ones.
static void add_bounds(rsh_symbols *s, int symbol, int64_t least, int64_t most) {
  if (least > s->least[symbol])
    s->least[symbol] = least;
  if (most < s->most[symbol])
    s->most[symbol] = most;
}

// Adds bounds, and the quotient as a fact. The condition that makes it exact adds that itself (edges_divide). `again`:
// it was added before, but new facts about its parts exist.
static void add_quotient_fact(Facts *facts, int symbol, rsh_num n, Edge p, bool again) {
  rsh_symbols *s = facts->symbols;
  rsh_floor q;
  if (!edge_is_quotient(p.kind) || !floor_of(s, p, &q))
    return;
  rsh_interval of = rsh_bounds(s, q.of), by = rsh_bounds(s, q.by);
  add_bounds(s, symbol, of.least > 0 && by.most > 0 ? of.least / by.most : 0,
             of.most != INT64_MAX && by.least > 0 ? of.most / by.least : INT64_MAX);
  q.floor = n;
  if (!again && rsh_at_most(s, rsh_int(0), p.at) && rsh_sign(s, p.size) == 1)
    rsh_fact_quotient(s, q);
}

// Adds the facts that proofs need about edge `n`, which is symbol `symbol`.
static void add_edge_facts(Facts *facts, int symbol, rsh_num n, Edge p) {
  rsh_symbols *s = facts->symbols;
  if (edge_is_quotient(p.kind)) {
    add_quotient_fact(facts, symbol, n, p, false);
    return;
  }
  if (p.kind == RSH_EDGE_EITHER) {
    add_bounds(s, symbol, rsh_bounds(s, p.size).least > 0, INT64_MAX);
    rsh_fact(s, n, p.at);
    if (rsh_at_most(s, p.at, p.size))
      rsh_fact(s, p.size, n);
    return;
  }
  bool is_forth = rsh_at_most(s, rsh_int(0), p.at);
  bool may_be_high = is_forth && rsh_at_most(s, p.least, p.at);
  int64_t least = rsh_bounds(s, p.least).least, most = rsh_bounds(s, p.size).most;
  int64_t at = rsh_bounds(s, p.at).least, size = rsh_bounds(s, p.size).least;
  if (is_forth && least < at && least < size)
    least = at < size ? at : size;
  if (may_be_high && rsh_bounds(s, p.at).most < most)
    most = rsh_bounds(s, p.at).most;
  // If it is not known that least is at most size, a later condition may establish it.
  bool is_in_order = rsh_at_most(s, p.least, p.size);
  add_bounds(s, symbol, least, is_in_order ? most : INT64_MAX);
  if (is_in_order)
    rsh_fact(s, p.size, n);
  rsh_fact(s, n, p.least);
  if (may_be_high)
    rsh_fact(s, p.at, n);
}

uint32_t edge_symbols(const rsh_symbols *raw, const Edge *edge) {
  return rsh_atoms_of(raw, edge->at) | rsh_atoms_of(raw, edge->size) |
         rsh_atoms_of(raw, edge->least);
}

// Makes the symbol of an edge given over symbols. False: there is no room.
static bool edge_symbol(Facts *facts, int symbol, const Edge *edge) {
  if (!facts_symbol(facts, symbol))
    return false;
  facts->made_of[symbol] = edge_symbols(facts->raw, edge);
  return true;
}

void edges_know(const Known *known, Facts *facts) {
  for (int i = 0; i < known->edge_count; i++) {
    int symbol = known->edge_symbol[i];
    Edge p;
    rsh_num n;
    if (!edge_symbol(facts, symbol, &known->edge[i]) ||
        !edge_over_atoms(facts, &known->edge[i], &p) ||
        !rsh_equal(facts->num[symbol], facts->atom[symbol]))
      continue;
    if (!decide(facts->symbols, p, &n))
      add_edge_facts(facts, symbol, facts->num[symbol], p);
    else if (!rsh_equal(n, facts->num[symbol]))
      facts_replace(facts, symbol, n);
    else // a quotient may resolve to its own edge
      add_quotient_fact(facts, symbol, n, p, true);
  }
}

// --- Creating edges

void edges_add(Lower *l) {
  Known *known = l->known;
  for (int i = 0; i < known->edge_count; i++) {
    int symbol = known->edge_symbol[i];
    if (symbol == l->graph->symbol.count)
      VEC_PUSH(l->arena, l->graph->symbol,
               ((Symbol){.num = known->facts.num[symbol],
                         .divisor = known->facts.divisor[symbol],
                         .is_edge = true,
                         .edge = known->edge[i]}));
  }
  if (known->symbol_count < l->graph->symbol.count)
    known->symbol_count = l->graph->symbol.count;
}

// Adds the edge `raw` over symbols, which is p over atoms. A new one goes after all symbols, including those later in
// the text, since earlier results refer to symbols by index. False: there is no room.
static bool add_edge(Lower *l, Edge raw, Edge p, rsh_num *out) {
  Known *known = l->known;
  int symbol = -1;
  for (int i = 0; i < known->edge_count && symbol < 0; i++) {
    Edge old;
    if (edge_over_atoms(&known->facts, &known->edge[i], &old) && old.kind == p.kind &&
        rsh_equal(old.at, p.at) && rsh_equal(old.size, p.size) && rsh_equal(old.least, p.least))
      symbol = known->edge_symbol[i];
  }
  if (symbol < 0) {
    symbol = l->graph->symbol.count;
    if (symbol < known->symbol_count || !edge_symbol(&known->facts, symbol, &raw))
      return false;
    known->edge[known->edge_count] = raw;
    known->edge_symbol[known->edge_count++] = symbol;
    edges_add(l);
  }
  *out = known->facts.num[symbol];
  if (rsh_equal(*out, known->facts.atom[symbol]))
    add_edge_facts(&known->facts, symbol, *out, p);
  return true;
}

// Adds an edge that is not decided. Over symbols, both sides of a quotient may be multiplied.
static bool make_edge(Lower *l, Edge p, rsh_num *out) {
  Guard guard = {.kind = edge_is_quotient(p.kind) ? WHERE_EQ : WHERE_IN,
                 .left = p.at,
                 .right = p.size,
                 .remainder_of = p.least},
        raw;
  bool may_be_negative = !rsh_at_most(l->graph->symbols, rsh_int(0), p.at);
  if (!facts_to_raw(&l->known->facts, &guard, &raw))
    return false;
  Edge edge = {p.kind, raw.left, raw.right, raw.remainder_of, may_be_negative};
  return edge_over_atoms(&l->known->facts, &edge, &p) && add_edge(l, edge, p, out);
}

// A place on an axis of multiples, as a multiple of one on an axis of single elements. False: it is not a multiple.
//   min(2, 4*H)    2*min(1, H)
//   min(6, 4*H)    2*min(3, 2*H)
static bool make_multiple(Lower *l, Edge p, rsh_num *out) {
  rsh_symbols *s = l->graph->symbols;
  if (p.kind != RSH_EDGE_PLACE || !rsh_is(p.least, 0) || !rsh_is_known(p.at) || p.at.n < 1 ||
      rsh_is_known(p.size) || p.size.n < 2 || !rsh_at_most(s, rsh_int(0), p.size))
    return false;
  bool is_within_one = p.at.n <= p.size.n;
  int64_t times = is_within_one ? p.at.n : rsh_gcd(p.at.n, p.size.n);
  if (!is_within_one && times == 1)
    return false;
  p.at.n /= times;
  p.size.n = is_within_one ? 1 : p.size.n / times;
  return edge_new(l, p, out) && rsh_mul(s, rsh_int(times), *out, out);
}

// either(a, either(a, b)) is the inner one.
static bool find_either(const Lower *l, Edge p, rsh_num *out) {
  Facts *facts = &l->known->facts;
  for (int i = 0; p.kind == RSH_EDGE_EITHER && i < l->known->edge_count; i++) {
    Edge inner;
    *out = facts->num[l->known->edge_symbol[i]];
    if (rsh_equal(*out, p.size) && edge_over_atoms(facts, &l->known->edge[i], &inner) &&
        inner.kind == RSH_EDGE_EITHER && rsh_equal(inner.at, p.at))
      return true;
  }
  return false;
}

bool edge_new(Lower *l, Edge p, rsh_num *out) {
  rsh_num n;
  if (!decide(l->graph->symbols, p, &n) && !find_either(l, p, &n) && !make_multiple(l, p, &n) &&
      !make_edge(l, p, &n))
    return false;
  *out = n;
  return true;
}

// Whether p is min(of, c) for a known c of at least `least`.
static bool is_limited(Edge p, rsh_num of, int64_t least) {
  if (p.kind != RSH_EDGE_PLACE || !rsh_is(p.least, 0))
    return false;
  rsh_num limit = rsh_equal(p.at, of) ? p.size : p.at;
  return (rsh_equal(p.at, of) || rsh_equal(p.size, of)) && rsh_is_known(limit) && limit.n >= least;
}

// False: n is not an edge.
static bool find_edge(const Lower *l, rsh_num n, Edge *out) {
  Facts *facts = &l->known->facts;
  for (int i = 0; i < l->known->edge_count; i++)
    if (rsh_equal(facts->num[l->known->edge_symbol[i]], n) &&
        edge_over_atoms(facts, &l->known->edge[i], out))
      return true;
  return false;
}

bool edge_fits_only(const Lower *l, rsh_num n, rsh_num of) {
  Edge p;
  return find_edge(l, n, &p) &&
         (p.kind == RSH_EDGE_EITHER ? rsh_equal(p.at, of) : is_limited(p, of, 1));
}

bool edge_must_equal(const Lower *l, rsh_num n, rsh_num of) {
  Edge p;
  return find_edge(l, n, &p) && is_limited(p, of, 2);
}

// Finds edge number i as the smaller of two numbers, neither of which is negative. False: it is not a minimum.
static bool is_smaller(const Lower *l, int i, rsh_num *a, rsh_num *b) {
  const Edge *raw = &l->known->edge[i];
  Edge p;
  if (!edge_over_atoms(&l->known->facts, raw, &p))
    return false;
  *a = p.at;
  *b = p.size;
  return p.kind == RSH_EDGE_PLACE && rsh_is(p.least, 0) && !raw->may_be_negative;
}

// Finds the difference that `above` is, or 0 if it is negative: `above` is a - min(a, b).
static void find_difference(const Lower *l, rsh_num above, rsh_num *out) {
  Facts *facts = &l->known->facts;
  rsh_symbols *s = l->graph->symbols;
  *out = above;
  for (int i = 0; i < l->known->edge_count; i++) {
    rsh_num a, b, sum;
    if (is_smaller(l, i, &a, &b) && rsh_add(s, above, facts->num[l->known->edge_symbol[i]], &sum) &&
        (rsh_equal(sum, a) || rsh_equal(sum, b)) && rsh_sub(s, sum, rsh_equal(sum, a) ? b : a, out))
      return;
  }
}

bool edge_is_positive(const Lower *l, rsh_num n, rsh_num *above, rsh_num *difference) {
  Facts *facts = &l->known->facts;
  for (int i = 0; i < l->known->edge_count; i++) {
    rsh_num a, b;
    if (!rsh_equal(facts->num[l->known->edge_symbol[i]], n) || !is_smaller(l, i, &a, &b) ||
        (!rsh_is(a, 1) && !rsh_is(b, 1)))
      continue;
    *above = rsh_is(a, 1) ? b : a;
    find_difference(l, *above, difference);
    return true;
  }
  return false;
}

// The bound -n of 0 <= n <= size is size - n, but the start if n is 0: -0 does not count from the end.
//   x[-S:] of f32[S+P]      from S+P - either(S, S+P) on
static bool from_end(Lower *l, Edge p, rsh_num *out) {
  rsh_symbols *s = l->graph->symbols;
  const rsh_num zero = rsh_int(0);
  Edge n = {.kind = RSH_EDGE_EITHER, .size = p.size};
  return rsh_is(p.least, 0) && !rsh_is_known(p.at) && rsh_sub(s, zero, p.at, &n.at) &&
         rsh_at_most(s, zero, n.at) && rsh_at_most(s, n.at, p.size) && edge_new(l, n, out) &&
         rsh_sub(s, p.size, *out, out);
}

// Expresses an edge as a distance from the bound that it is counted from, which says more about element counts:
//   -3 on H, at least 0     H - min(3, H)
//   5 on H, at least 2      2 + min(3, H-2)
static bool make(Lower *l, Edge p, rsh_num *out) {
  rsh_symbols *s = l->graph->symbols;
  const rsh_num zero = rsh_int(0);
  bool is_back = rsh_sign(s, p.at) == -1 && !rsh_is(p.at, INT64_MIN);
  bool is_past_least = !rsh_is(p.least, 0) && rsh_at_most(s, p.least, p.at);
  Edge from = {.least = zero};
  if (decide(s, p, out) || from_end(l, p, out))
    return true;
  if (!is_back && !is_past_least)
    return edge_new(l, p, out);
  return rsh_sub(s, is_back ? zero : p.at, is_back ? p.at : p.least, &from.at) &&
         rsh_sub(s, p.size, p.least, &from.size) && edge_new(l, from, out) &&
         (is_back ? rsh_sub(s, p.size, *out, out) : rsh_add(s, p.least, *out, out));
}

// --- Quotients

// The edge that is left / remainder_of of a condition, or -left / remainder_of if left is not above 0; or NULL.
static const Edge *quotient_of(const Known *known, const Guard *raw) {
  for (int i = 0; i < known->edge_count; i++) {
    const Edge *edge = &known->edge[i];
    rsh_num sum;
    bool is_left = rsh_equal(edge->at, raw->left) ||
                   (rsh_add(known->facts.raw, edge->at, raw->left, &sum) && rsh_is(sum, 0));
    if (edge->kind == RSH_EDGE_FLOOR && is_left && rsh_equal(edge->size, raw->remainder_of))
      return edge;
  }
  return NULL;
}

// Separates the multiples of b >= 1 from a: whole*b + rest. A constant in the rest is at least 0.
//   4*q - H + 7, by 4     whole q + 1, rest 3 - H
static bool take_multiples(rsh_symbols *s, rsh_num a, int64_t b, rsh_num *whole, rsh_num *rest) {
  rsh_terms t = rsh_terms_of(s, a);
  *whole = rsh_int(0);
  while (rsh_next_term(&t)) {
    rsh_num term = rsh_int(t.coef / b), factor;
    if (rsh_degree(&t) == 0 && t.coef % b < 0)
      --term.n;
    for (int atom; (atom = rsh_next_atom(&t)) >= 0;)
      if (!rsh_atom(s, atom, &factor) || !rsh_mul(s, term, factor, &term))
        return false;
    if (!t.fits || !rsh_add(s, *whole, term, whole))
      return false;
  }
  return rsh_mul(s, *whole, rsh_int(b), rest) && rsh_sub(s, a, *rest, rest);
}

// The quotient of the rest by b. False: it is not a single edge, because the terms of the rest differ in sign.
//   3 - H, of 4     -(H/4)
static bool quotient_of_rest(Lower *l, rsh_num rest, rsh_num b, rsh_num *out) {
  rsh_symbols *s = l->graph->symbols;
  rsh_num up;
  if (rsh_at_most(s, rsh_int(0), rest))
    return edge_quotient(l, rest, b, out);
  return rsh_sub(s, b, rest, &up) && rsh_sub(s, up, rsh_int(1), &up) &&
         rsh_at_most(s, rsh_int(0), up) && edge_quotient(l, up, b, out) &&
         rsh_sub(s, rsh_int(0), *out, out);
}

// Multiples of b are taken out of a dividend first, so that all ways in which models round a size up give one quotient:
//   (H + 3) / 4
//   (4 - H % 4 + H) / 4     that is (4*(H/4) + 4) / 4 if the rest is added, and not if it is 0
static bool quotient_without_multiples(Lower *l, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_symbols *s = l->graph->symbols;
  rsh_num whole, rest;
  return rsh_is_known(b) && take_multiples(s, a, b.n, &whole, &rest) && !rsh_is(whole, 0) &&
         quotient_of_rest(l, rest, b, out) && rsh_add(s, *out, whole, out);
}

bool edge_quotient(Lower *l, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_symbols *s = l->graph->symbols;
  rsh_num rest;
  if (rsh_div_part(s, a, b, out, &rest))
    return true;
  return !l->has_no_edges && !rsh_is_unknown(a) && !rsh_is_unknown(b) &&
         rsh_at_most(s, rsh_int(0), a) && rsh_sign(s, b) == 1 &&
         (quotient_without_multiples(l, a, b, out) ||
          edge_new(l, (Edge){.kind = RSH_EDGE_FLOOR, .at = a, .size = b}, out));
}

bool edge_split_signs(rsh_symbols *s, rsh_num n, rsh_num *above, rsh_num *below) {
  const rsh_num zero = rsh_int(0);
  rsh_terms t = rsh_terms_of(s, n);
  bool is_above = rsh_at_most(s, zero, n);
  *above = is_above ? n : zero;
  *below = zero;
  if (is_above || rsh_at_most(s, n, zero))
    return is_above || rsh_sub(s, zero, n, below);
  while (rsh_next_term(&t)) {
    rsh_num term = rsh_int(t.coef), factor;
    for (int atom; (atom = rsh_next_atom(&t)) >= 0;)
      if (!rsh_atom(s, atom, &factor) || !rsh_mul(s, term, factor, &term))
        return false;
    if (!t.fits || (t.coef > 0 && !rsh_add(s, *above, term, above)))
      return false;
  }
  return rsh_sub(s, *above, n, below) && rsh_at_most(s, zero, *above) &&
         rsh_at_most(s, zero, *below);
}

// Multiples that make the dividend at least 0 are added first:
//   -S / 4         -((S+3)/4)
//   (H-W) / 4      (H + (W+3)/4*4 - W)/4 - (W+3)/4
bool edge_quotient_signed(Lower *l, rsh_num a, rsh_num b, rsh_num *out) {
  rsh_symbols *s = l->graph->symbols;
  rsh_num above, below, up, least, quotient = rsh_int(0);
  return rsh_sign(s, b) == 1 && !rsh_is_unknown(a) && edge_split_signs(s, a, &above, &below) &&
         rsh_add(s, below, b, &up) && rsh_sub(s, up, rsh_int(1), &up) &&
         edge_quotient(l, up, b, &up) && rsh_mul(s, up, b, &least) &&
         rsh_add(s, a, least, &least) &&
         (rsh_is(above, 0) || edge_quotient(l, least, b, &quotient)) &&
         rsh_sub(s, quotient, up, out);
}

static bool is_multiple_guard(const Guard *guard) {
  return guard->kind == WHERE_EQ && rsh_is(guard->right, 0) && !rsh_is(guard->remainder_of, 0);
}

bool edges_divide(const Known *known, Facts *facts, const Guard *raw) {
  rsh_symbols *s = facts->symbols;
  const Edge *edge = is_multiple_guard(raw) ? quotient_of(known, raw) : NULL;
  Edge p;
  if (!edge || !edge_over_atoms(facts, edge, &p))
    return false;
  int symbol = known->edge_symbol[edge - known->edge];
  return edge_symbol(facts, symbol, edge) &&
         rsh_fact_quotient(s, (rsh_floor){p.at, p.size, facts->num[symbol], true});
}

// The edge of a condition, over symbols as *edge and over atoms as *p. An edge is a size, so not negative: if the
// dividend is never positive, as B*e - 2*B with e at most 2, the edge uses its negation. False: its sign is not known.
static bool multiple_of(Lower *l, const Guard *raw, Edge *edge, Edge *p) {
  Facts *facts = &l->known->facts;
  rsh_symbols *s = l->graph->symbols;
  const rsh_num zero = rsh_int(0);
  *edge = (Edge){.kind = RSH_EDGE_FLOOR, .at = raw->left, .size = raw->remainder_of};
  if (!edge_over_atoms(facts, edge, p) || rsh_sign(s, p->size) != 1)
    return false;
  return rsh_at_most(s, zero, p->at) ||
         (rsh_at_most(s, p->at, zero) && rsh_sub(s, zero, p->at, &p->at) &&
          rsh_sub(facts->raw, zero, edge->at, &edge->at));
}

// If two conditions coincide because sizes are bound, the second uses the quotient of the first: nothing is new.
bool edge_of_multiple(Lower *l, const Guard *raw) {
  Edge edge, p;
  rsh_num quotient;
  int before = l->known->edge_count;
  return is_multiple_guard(raw) && !quotient_of(l->known, raw) && !l->has_no_edges &&
         multiple_of(l, raw, &edge, &p) && add_edge(l, edge, p, &quotient) &&
         l->known->edge_count > before;
}

// --- Slices

// The number of steps is a quotient: (S + 1) / 2 for [::2].
static bool count_steps(Lower *l, rsh_num size, rsh_num start, rsh_num end, int64_t step) {
  rsh_symbols *s = l->graph->symbols;
  int64_t one = step < 0 ? -1 : 1;
  rsh_range range;
  rsh_num quotient;
  return step != INT64_MIN && rsh_slice_range(s, size, start, end, one, &range) == RSH_ok &&
         !l->has_no_edges && rsh_at_most(s, rsh_int(0), range.count) &&
         edge_new(l,
                  (Edge){.kind = RSH_EDGE_CEILING, .at = range.count, .size = rsh_int(step * one)},
                  &quotient);
}

// Puts edges into entry i if it depends on sizes.
static bool slice_at_edges(Lower *l, const rsh_call *call, int32_t i, rsh_num *start,
                           rsh_num *end) {
  rsh_symbols *s = l->graph->symbols;
  int32_t axis = i;
  rsh_range range;
  const rsh_num step = call->arg[RSH_SLICE_STEPS].kind == RSH_ARG_LIST
                           ? call->arg[RSH_SLICE_STEPS].list[i]
                           : rsh_int(1);
  if (call->arg[RSH_SLICE_AXES].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[RSH_SLICE_AXES].list[i].n, call->in[0]->rank, &axis);
  rsh_num size = call->in[0]->dim[axis];
  if (rsh_is_unknown(size) || rsh_is_unknown(*start) || rsh_is_unknown(*end))
    return false;
  if (!rsh_is_known(step))
    return false;
  if (step.n == 0 || rsh_slice_range(s, size, *start, *end, step.n, &range) == RSH_ok)
    return step.n != 0;
  int64_t one = step.n < 0 ? -1 : 1;
  if (rsh_slice_range(s, size, *start, *end, one, &range) != RSH_ok &&
      (one < 0 || !make(l, (Edge){.at = *start, .size = size, .least = rsh_int(0)}, start) ||
       !make(l, (Edge){.at = *end, .size = size, .least = *start}, end)))
    return false;
  return step.n == one || count_steps(l, size, *start, *end, step.n);
}

static rsh_num *copy_list(Lower *l, const rsh_arg *arg) {
  rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, arg->count);
  for (int32_t i = 0; i < arg->count; i++)
    list[i] = arg->list[i];
  return list;
}

static bool edges_of_slice(Lower *l, rsh_call *call) {
  rsh_num *start = copy_list(l, &call->arg[RSH_SLICE_STARTS]),
          *end = copy_list(l, &call->arg[RSH_SLICE_ENDS]);
  for (int32_t i = 0; i < call->arg[RSH_SLICE_STARTS].count; i++)
    if (!slice_at_edges(l, call, i, &start[i], &end[i]))
      return false;
  call->arg[RSH_SLICE_STARTS].list = start;
  call->arg[RSH_SLICE_ENDS].list = end;
  return true;
}

// --- Rolls

// A shift by a number, modulo the size of the axis; 0 if the axis has no elements.
//   1 along H    min(1, H)          -1 along H    H - min(1, H)          3 along H    min(3 - 3//H*H, H)
static bool roll_at_edge(Lower *l, rsh_num size, rsh_num *shift) {
  rsh_symbols *s = l->graph->symbols;
  const rsh_num zero = rsh_int(0);
  rsh_supposed elements = rsh_suppose_nothing(s);
  bool is_back = rsh_is_known(*shift) && shift->n < 0;
  if (!rsh_is_known(*shift) || (is_back && !rsh_sub(s, zero, *shift, shift)))
    return false;
  rsh_suppose_positive(s, size, &elements);
  bool goes_round = !rsh_at_most(s, *shift, size);
  rsh_forget_supposed(s, &elements);
  rsh_num turns;
  if (goes_round &&
      (!edge_new(l, (Edge){.kind = RSH_EDGE_FLOOR, .at = *shift, .size = size}, &turns) ||
       !rsh_mul(s, turns, size, &turns) || !rsh_sub(s, *shift, turns, shift)))
    return false;
  return edge_new(l, (Edge){.at = *shift, .size = size, .least = zero}, shift) &&
         (!is_back || rsh_sub(s, size, *shift, shift));
}

// Every axis has one shift, and every shift one axis.
static bool edges_of_roll(Lower *l, rsh_call *call) {
  enum { SHIFTS, ROLL_AXES };
  const rsh_shape *in = call->in[0];
  const rsh_arg *axes = &call->arg[ROLL_AXES];
  rsh_num *shift = copy_list(l, &call->arg[SHIFTS]), size;
  bool is_flat = axes->kind == RSH_ARG_ABSENT;
  uint32_t seen = 0;
  if (call->arg[SHIFTS].count != (is_flat ? 1 : axes->count) || rsh_is_late(call, ROLL_AXES))
    return false;
  if (is_flat)
    return rsh_volume(l->graph->symbols, in, &size) == RSH_ok && !rsh_is_unknown(size) &&
           roll_at_edge(l, size, shift) && (call->arg[SHIFTS].list = shift) != NULL;
  for (int32_t i = 0; i < axes->count; i++) {
    int32_t axis = 0;
    rsh_num distance;
    rsh_axis_index(axes->list[i].n, in->rank, &axis);
    if (seen >> axis & 1 || rsh_is_unknown(in->dim[axis]))
      return false;
    seen |= UINT32_C(1) << axis;
    if (rsh_roll_distance(call, axis, &in->dim[axis], &distance) != RSH_ok &&
        !roll_at_edge(l, in->dim[axis], &shift[i]))
      return false;
  }
  call->arg[SHIFTS].list = shift;
  return true;
}

// --- Splits

// The size of all parts but the last is a quotient: (S + 2) / 3 of S in 3 parts.
static bool edges_of_split(Lower *l, const rsh_call *call) {
  enum { SPLIT_AXIS, PARTS, SIZES };
  int32_t axis = 0;
  rsh_num part;
  if (call->arg[PARTS].kind != RSH_ARG_LIST || call->arg[SIZES].kind != RSH_ARG_ABSENT)
    return false;
  if (call->arg[SPLIT_AXIS].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[SPLIT_AXIS].list[0].n, call->in[0]->rank, &axis);
  rsh_num size = call->in[0]->dim[axis], parts = call->arg[PARTS].list[0];
  return !rsh_is_unknown(size) && rsh_is_known(parts) && parts.n > 0 &&
         edge_new(l, (Edge){.kind = RSH_EDGE_CEILING, .at = size, .size = parts}, &part);
}

bool edges_of_call(Lower *l, rsh_call *call) {
  if (l->has_no_edges || l->known->finds_nothing || l->again || rsh_reads_data(call))
    return false;
  return call->op == RSH_OP_SLICE   ? edges_of_slice(l, call)
         : call->op == RSH_OP_SPLIT ? edges_of_split(l, call)
                                    : call->op == RSH_OP_ROLL && edges_of_roll(l, call);
}

// --- Parts of whole windows

// Whether a size consists of whole windows of n, and their number is a quotient that was rounded up or down:
// 4*((H+3)//4).
static bool has_windows(rsh_symbols *s, rsh_num size, const rsh_floor *q) {
  rsh_num count;
  return rsh_is_known(q->by) && q->by.n > 1 && rsh_div(s, size, q->by, &count) &&
         (rsh_atoms_of(s, size) & rsh_atoms_of(s, q->floor)) != 0;
}

// One size is whole windows and the other a part of them. Later operators split the part where its last window begins.
static void edge_of_part(Lower *l, rsh_num whole, rsh_num part) {
  rsh_symbols *s = l->graph->symbols;
  int32_t count = s->quotient_count;
  for (int32_t i = 0; i < count; i++) {
    rsh_num by = s->quotient[i].by, windows;
    if (has_windows(s, whole, &s->quotient[i]) && !rsh_div(s, part, by, &windows))
      (void)edge_quotient(l, part, by, &windows); // without room, elements are looked up
  }
}

// Axis k of the value of a reshape, of which the inner axes of its operand make windows of a known size.
//   16*C of [C, 16]      windows of 16
static void edges_of_joined(Lower *l, const Value *value, int32_t k, rsh_num part) {
  rsh_symbols *s = l->graph->symbols;
  if (!value->node || rsh_op_family(value->node->call.op) != RSH_RESHAPES)
    return;
  const rsh_shape *from = value->node->call.in[0];
  rsh_num inner = rsh_int(1), behind = inner, windows;
  int32_t i = from->rank;
  for (int32_t o = value->shape.rank - 1; o > k; o--)
    if (!rsh_mul(s, inner, value->shape.dim[o], &inner))
      return;
  while (i > 0 && !rsh_equal(behind, inner))
    if (!rsh_mul(s, behind, from->dim[--i], &behind))
      return;
  rsh_num window = rsh_int(1);
  for (i--; i > 0 && rsh_is_known(from->dim[i]) && rsh_mul(s, window, from->dim[i], &window); i--)
    if (window.n > 1 && rsh_div(s, value->shape.dim[k], window, &windows) && !rsh_is(windows, 1))
      (void)edge_quotient(l, part, window, &windows);
}

void edges_of_parts(Lower *l, const rsh_call *call, Value *const *operand, const rsh_shape *out) {
  bool is_part = call->op == RSH_OP_SLICE || call->op == RSH_OP_PAD || call->op == RSH_OP_CONCAT;
  if (!is_part || !call->symbols || l->has_no_edges || l->known->finds_nothing || l->again)
    return;
  for (int32_t i = 0; i < call->in_count; i++) {
    const rsh_shape *in = call->in[i];
    for (int32_t k = 0; in->rank == out->rank && k < out->rank; k++) {
      rsh_num a = in->dim[k], b = out->dim[k];
      if (call->op == RSH_OP_SLICE && !rsh_is_known(b) && !rsh_is_unknown(b))
        edges_of_joined(l, operand[i], k, b);
      if (rsh_is_known(a) || rsh_is_known(b) || rsh_is_unknown(a) || rsh_is_unknown(b) ||
          rsh_equal(a, b))
        continue;
      edge_of_part(l, a, b);
      edge_of_part(l, b, a);
    }
  }
}

// --- Bytes of packed elements

void edge_of_bytes(Lower *l, const rsh_call *call, const rsh_shape *out) {
  enum { BYTE = 8 };
  rsh_num elements, bytes;
  if (rsh_op_family(call->op) != RSH_MAPS || !call->symbols || l->has_no_edges ||
      l->known->finds_nothing || l->again)
    return;
  int from = rsh_dtype_bits(call->in_type[0]), to = rsh_dtype_bits(rsh_out_type(call));
  if ((from < BYTE) != (to < BYTE) && rsh_volume(l->graph->symbols, out, &elements) == RSH_ok &&
      !rsh_is_known(elements) && !rsh_is_unknown(elements)) // without room, one by one
    (void)edge_quotient(l, elements, rsh_int(BYTE / (from < to ? from : to)), &bytes);
}
