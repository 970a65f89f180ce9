// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An in-place permutation of one buffer, as code: along each cycle, pieces move up by one, a word at a time. It needs
// one word in addition to the buffer.
//
//   for leader in table:                  or: for leader < count, if no place of its cycle is below it
//     saved = buffer[leader]
//     for (place = leader; (from = source(place)) != leader; place = from)
//       buffer[place] = buffer[from]
//     buffer[place] = saved
//
// If no cycle is longer than two, pieces are swapped, and loops over the digits compute both places. The loops of a
// square and of a flip visit each pair once; other permutations test which of the two places comes first:
//
//   for i < 24, k < 23 - i: swap(buffer[25*i + 1 + k], buffer[25*i + 24 + 24*k])
//   for i < 24, j < 12: swap(buffer[24*i + j], buffer[24*i + 23 - j])
//   for i < 24, j < 24: if (24*i + j < 575 - 24*i - j) swap(buffer[24*i + j], buffer[575 - 24*i - j])
//
// Squares and flips are symmetric, so they may also start at the end, whose address is in a register after a copy.
//
// A roll is three flips: of the pieces that move to the end, of the others, and of all.
#include "codegen/code/code.h"

typedef struct Walk {
  Code *code;
  const Cycles *cycles;
  rsh_num piece; // units from one piece to the next
  CodeValue at;  // the word of piece 0
  bool divides;  // the target has a division instruction
  bool
      is_back; // pairs are exchanged from the end: `piece` is negative, and `at` is after the last piece
} Walk;

// n / by for n < limit. Without a divide instruction: a multiplication and a shift, if the product fits 32 bits.
// m = 2^k / by, rounded up, is too large by e / by; that does not reach the next quotient if n * e < 2^k.
static CodeValue divide_below(const Walk *w, CodeValue n, rsh_num limit, rsh_num by) {
  Code *code = w->code;
  bool is_known = rsh_is_known(limit) && rsh_is_known(by) && limit.n <= UINT16_MAX && by.n > 1;
  for (int k = 1; !w->divides && is_known && k < 31; k++) {
    int64_t power = INT64_C(1) << k, m = power / by.n + 1, e = m * by.n - power;
    if (limit.n * e < power && limit.n * m <= UINT32_MAX) {
      CodeValue product = code_binary(code, CODE_MUL, n, code_index(code, m));
      return code_binary(code, CODE_DIV, product, code_index(code, power));
    }
  }
  return code_binary(code, CODE_DIV, n, code_extent(code, by));
}

// The source of the piece at `place`: its digits times their strides.
static CodeValue leader_source(const Walk *w, CodeValue place) {
  Code *code = w->code;
  CodeValue from = code_extent(code, w->cycles->first), rest = place;
  rsh_num limit = w->cycles->count;
  for (int i = 0; i < w->cycles->digit_count; i++) {
    const Loop *digit = &w->cycles->digit[i];
    bool is_last = rsh_is(digit->dst, 1);
    CodeValue weight = code_extent(code, digit->dst);
    CodeValue n =
        is_last ? rest : code_named(code, divide_below(w, rest, limit, digit->dst), "digit");
    limit = digit->dst;
    from = code_advance(code, CODE_ADVANCE, from, n, digit->src);
    if (!is_last)
      rest = code_named(
          code, code_binary(code, CODE_SUB, rest, code_binary(code, CODE_MUL, n, weight)), "rest");
  }
  return code_named(code, from, "from");
}

static CodeValue word_at(const Walk *w, CodeValue place) {
  return code_advance(w->code, CODE_STEP, w->at, place, w->piece);
}

static void follow_cycle(const Walk *w, CodeValue leader) {
  Code *code = w->code;
  CodeValue saved = code_unary(code, CODE_LOAD, word_at(w, leader));
  code_named(code, saved, "saved");
  CodeValue place = code_named(code, code_unary(code, CODE_LOOP, leader), "place");
  CodeValue from = leader_source(w, place);
  code_unary(code, CODE_BREAK, code_binary(code, CODE_EQUAL, from, leader));
  CodeValue word = code_unary(code, CODE_LOAD, word_at(w, from));
  code_binary(code, CODE_STORE, word_at(w, place), word);
  code_unary(code, CODE_NEXT, from);
  code_binary(code, CODE_STORE, word_at(w, place), saved);
}

static CodeValue begin_for(Code *code, CodeValue count, int64_t step, const char *name) {
  CodeValue index = code_unary(code, CODE_FOR, count);
  code->node.item[index].n = step;
  return code_named(code, index, name);
}

static void follow_listed(const Walk *w) {
  Code *code = w->code;
  const Cycles *c = w->cycles;
  if (c->cycles == 1) {
    follow_cycle(w, code_extent(code, rsh_int(c->leader[0])));
    return;
  }
  CodeValue index = begin_for(code, code_extent(code, rsh_int(c->cycles)), 1, "cycle");
  follow_cycle(w, code_entry_of(code, c->leader, c->cycles, index, "leader"));
  code_leaf(code, CODE_END);
}

// A place leads its cycle if following the cycle returns to it before it reaches a lower place.
static void follow_searched(const Walk *w) {
  Code *code = w->code;
  CodeValue leader = begin_for(code, code_extent(code, w->cycles->count), 1, "leader");
  CodeValue lowest =
      code_named(code, code_unary(code, CODE_LOOP, leader_source(w, leader)), "lowest");
  code_unary(code, CODE_BREAK, code_binary(code, CODE_AT_MOST, lowest, leader));
  code_unary(code, CODE_NEXT, leader_source(w, lowest));
  // A piece that stays is copied onto itself.
  code_unary(code, CODE_IF, code_binary(code, CODE_EQUAL, lowest, leader));
  follow_cycle(w, leader);
  code_leaf(code, CODE_END);
  code_leaf(code, CODE_END);
}

// The digits in which the two places of a pair differ.
typedef struct Pairs {
  int moved, first, second; // their number, and two of them
  bool is_square;           // these two are exchanged
  bool is_flip;             // the first is reversed
} Pairs;

static Pairs pairs_of(const Code *code, const Cycles *c) {
  Pairs p = {0, -1, -1, false, false};
  rsh_num sum;
  for (int i = 0; i < c->digit_count; i++) {
    if (rsh_equal(c->digit[i].dst, c->digit[i].src))
      continue;
    p.second = i;
    p.first = p.moved++ == 0 ? i : p.first;
  }
  if (p.moved == 0 || p.second != c->digit_count - 1)
    return p;
  const Loop *a = &c->digit[p.first], *b = &c->digit[p.second];
  p.is_square = p.moved == 2 && rsh_is(c->first, 0) && rsh_equal(a->extent, b->extent) &&
                rsh_equal(a->dst, b->src) && rsh_equal(a->src, b->dst);
  p.is_flip =
      p.moved == 1 && rsh_add(code->plan->graph->symbols, a->dst, a->src, &sum) && rsh_is(sum, 0);
  return p;
}

static void exchange_words(Code *code, CodeValue a, CodeValue b) {
  CodeValue saved = code_named(code, code_unary(code, CODE_LOAD, a), "saved");
  CodeValue other = code_named(code, code_unary(code, CODE_LOAD, b), "other");
  code_binary(code, CODE_STORE, a, other);
  code_binary(code, CODE_STORE, b, saved);
}

static void end_blocks(Code *code, int count) {
  for (int i = 0; i < count; i++)
    code_leaf(code, CODE_END);
}

static void exchange_lower(const Walk *w) {
  Code *code = w->code;
  const Cycles *c = w->cycles;
  CodeValue place = code_index(code, 0), from = code_extent(code, c->first);
  for (int i = 0; i < c->digit_count; i++) {
    CodeValue digit = begin_for(code, code_extent(code, c->digit[i].extent), 1, "digit");
    place = code_advance(code, CODE_ADVANCE, place, digit, c->digit[i].dst);
    from = code_advance(code, CODE_ADVANCE, from, digit, c->digit[i].src);
  }
  code_unary(code, CODE_IF, code_binary(code, CODE_LESS, place, from));
  CodeValue to = word_at(w, place);
  exchange_words(code, to, word_at(w, from));
  end_blocks(code, c->digit_count + 1);
}

// Addresses of a pair that loops carry. `from` CODE_NONE: its distance from `place` is the same in all iterations.
typedef struct Pair {
  CodeValue place, from;
} Pair;

static CodeValue begin_walk(Code *code, CodeValue from, const char *name) {
  return from == CODE_NONE ? from : code_named(code, code_unary(code, CODE_WALK, from), name);
}

// A STEP or GO by `pieces`, which may be negative, because in C only a stride is signed.
static CodeValue by_pieces(const Walk *w, CodeOp op, CodeValue at, rsh_num pieces) {
  if (rsh_is_known(pieces) && rsh_is_known(w->piece))
    return code_advance(w->code, op, at, code_index(w->code, 1), rsh_int(pieces.n * w->piece.n));
  return code_advance(w->code, op, at, code_extent(w->code, w->piece), pieces);
}

// The other end of a flip. If the count is open, its distance is not a number of the plan, so it is computed.
static CodeValue flipped_from(const Walk *w, CodeValue place, rsh_num count) {
  if (w->is_back || !rsh_is_known(count))
    place = by_pieces(w, CODE_STEP, place, count);
  if (w->is_back)
    return place;
  return by_pieces(w, CODE_STEP, place, rsh_int(rsh_is_known(count) ? count.n - 1 : -1));
}

static void along_diagonal(const Walk *w, CodeValue place, const Loop *first) {
  Code *code = w->code;
  if (rsh_is_known(first->dst) && rsh_is_known(first->src)) {
    by_pieces(w, CODE_GO, place, rsh_int(first->dst.n + first->src.n));
    return;
  }
  CodeValue dst = code_extent(code, first->dst), one = code_index(code, 1);
  code_advance(code, CODE_GO, place, code_advance(code, CODE_ADVANCE, dst, one, first->src),
               w->piece);
}

// A square begins after the diagonal, along which both places advance by a row and a column; a flip ends in the middle.
// The innermost loop is over the second digit. From the end, walks step before each access.
static void exchange_pairs(const Walk *w, const Pairs *pairs) {
  Code *code = w->code;
  const Cycles *c = w->cycles;
  const Loop *first = &c->digit[pairs->first], *second = &c->digit[pairs->second];
  bool is_square = pairs->is_square, may_be_one = !rsh_is_known(first->extent);
  CodeValue one = code_index(code, 1), outer = CODE_NONE;
  Pair at = {w->at, CODE_NONE};
  CodeValue *in = ARENA_ARRAY(code->arena, CodeValue, c->digit_count);
  if (is_square && w->is_back)
    at.place = by_pieces(w, CODE_STEP, at.place, rsh_int(1));
  if (may_be_one) // there may be no pairs, but loops run at least once
    code_unary(code, CODE_IF, code_binary(code, CODE_MORE, code_extent(code, first->extent), one));
  for (int i = 0; i < c->digit_count; i++) {
    CodeValue count = code_extent(code, c->digit[i].extent);
    if (is_square && (i == pairs->first || i == pairs->second))
      count = code_binary(code, CODE_SUB, count, one);
    if (is_square && i == pairs->second) {
      count = code_binary(code, CODE_SUB, count, outer);
      at.from = w->is_back ? at.place : by_pieces(w, CODE_STEP, at.place, second->src);
      at.place = w->is_back ? at.place : by_pieces(w, CODE_STEP, at.place, second->dst);
    }
    if (!is_square && i == pairs->first) {
      count = code_binary(code, CODE_DIV, count, code_index(code, 2));
      at.from = flipped_from(w, at.place, first->extent);
    }
    in[i] = at.place = begin_walk(code, at.place, "place");
    at.from = begin_walk(code, at.from, "from");
    CodeValue digit = begin_for(code, count, 1, "digit");
    outer = i == pairs->first ? digit : outer;
  }
  if (w->is_back)
    by_pieces(w, CODE_GO, at.place, second->dst);
  if (w->is_back && is_square)
    by_pieces(w, CODE_GO, at.from, second->src);
  exchange_words(code, at.place, at.from);
  if (!w->is_back)
    by_pieces(w, CODE_GO, at.place, second->dst);
  if (!w->is_back || !is_square)
    by_pieces(w, CODE_GO, at.from, second->src);
  if (!is_square)
    code_binary(code, CODE_MEET, w->is_back ? at.from : at.place, w->is_back ? at.place : at.from);
  code_leaf(code, CODE_END);
  for (int i = c->digit_count - 2; i >= 0; i--) {
    if (is_square && i == pairs->first)
      along_diagonal(w, in[i], first);
    else
      by_pieces(w, CODE_GO, in[i], c->digit[i].dst);
    code_leaf(code, CODE_END);
  }
  end_blocks(code, may_be_one);
}

static void reverse(const Walk *w, const Reversal *r) {
  const Pairs pairs = {.moved = 1, .is_flip = true};
  Loop digit = {.extent = r->count, .dst = rsh_int(1), .src = rsh_int(-1)};
  const Cycles flip = {.digit = &digit, .digit_count = 1, .count = r->count};
  Walk part = *w;
  part.cycles = &flip;
  part.at = rsh_is(r->begin, 0) ? w->at : by_pieces(w, CODE_STEP, w->at, r->begin);
  if (!rsh_is(r->count, 1))
    exchange_pairs(&part, &pairs);
}

static void exchange(const Walk *w, const Pairs *pairs) {
  if (pairs->is_square || pairs->is_flip)
    exchange_pairs(w, pairs);
  else
    exchange_lower(w);
}

// any && n > 0. CODE_NONE is true.
static CodeValue also_above(Code *code, CodeValue any, rsh_num n) {
  if (plan_is_positive(code->plan, n))
    return any;
  CodeValue extent = code_extent(code, n);
  CodeValue some = code_binary(code, CODE_MORE, extent, code_index(code, 0));
  return any == CODE_NONE ? some : code_and(code, any, some);
}

// Skips the loops if there are no elements: 2^40 empty batches would take as long as full ones, and weights would be 0.
static bool begin_if_any(Code *code, const Cycles *c) {
  CodeValue any = also_above(code, also_above(code, CODE_NONE, c->count), c->piece);
  for (int i = 0; i < c->batch_count; i++)
    any = also_above(code, any, c->batch[i].extent);
  if (any != CODE_NONE)
    code_unary(code, CODE_IF, any);
  return any != CODE_NONE;
}

// The same roll with words as pieces.
static const Cycles *roll_in_words(Arena *arena, rsh_symbols *s, const Cycles *c, int64_t width) {
  Cycles *words = ARENA_NEW(arena, Cycles);
  Reversal *reversal = ARENA_ARRAY(arena, Reversal, 3);
  rsh_num times = rsh_int(c->piece.n / width);
  *words = *c;
  words->piece = rsh_int(width);
  words->reversal = reversal;
  bool fits = rsh_mul(s, c->count, times, &words->count);
  for (int i = 0; i < 3 && fits; i++)
    fits = rsh_mul(s, c->reversal[i].begin, times, &reversal[i].begin) &&
           rsh_mul(s, c->reversal[i].count, times, &reversal[i].count);
  return fits ? words : c;
}

Code *code_cycles(Arena *arena, const Plan *plan, const Cycles *c, int64_t width, int64_t unit,
                  int64_t passed, bool divides) {
  Code *code = code_new(arena, plan);
  c = c->reversal ? roll_in_words(arena, plan->graph->symbols, c, width) : c;
  Walk w = {code, c, code_divided(c->piece, unit), code_leaf(code, CODE_BUFFER), divides, false};
  Pairs pairs = c->swaps ? pairs_of(code, c) : (Pairs){0};
  w.is_back = passed > 0 && (pairs.is_square || pairs.is_flip);
  if (w.is_back)
    w.piece.n = -w.piece.n;
  else if (passed > 0)
    w.at = code_advance(code, CODE_STEP, w.at, code_index(code, 1), rsh_int(-passed));
  bool has_words = !rsh_is(c->piece, width), has_test = begin_if_any(code, c);
  CodeValue *batch = ARENA_ARRAY(arena, CodeValue, c->batch_count + 1);
  for (int i = 0; i < c->batch_count; i++) {
    batch[i] = w.at = begin_walk(code, w.at, "batch");
    begin_for(code, code_extent(code, c->batch[i].extent), 1, "digit");
  }
  if (has_words) {
    CodeValue word =
        begin_for(code, code_extent(code, code_divided(c->piece, unit)), width / unit, "word");
    w.at = code_advance(code, CODE_STEP, w.at, word, rsh_int(1));
  }
  for (int i = 0; c->reversal && i < 3; i++)
    reverse(&w, &c->reversal[i]);
  if (c->swaps)
    exchange(&w, &pairs);
  else if (c->leader)
    follow_listed(&w);
  else if (!c->reversal)
    follow_searched(&w);
  end_blocks(code, has_words);
  for (int i = c->batch_count - 1; i >= 0; i--) {
    rsh_num step = code_divided(c->batch[i].dst, unit);
    step.n *= w.is_back ? -1 : 1;
    code_advance(code, CODE_GO, batch[i], code_index(code, 1), step);
    code_leaf(code, CODE_END);
  }
  end_blocks(code, has_test);
  code_end(code);
  return code;
}
