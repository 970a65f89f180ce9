// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A permutation of one buffer in place, as code: along each cycle pieces move up by one, a word at a time. Beside the
// buffer it needs one word.
//
//   for leader in table:                  or: for leader < count, where no place of its cycle is below it
//     saved = buffer[leader]
//     for (place = leader; (from = source(place)) != leader; place = from)
//       buffer[place] = buffer[from]
//     buffer[place] = saved
//
// Where no cycle is longer than two, pieces change places, and loops over the digits give both:
//
//   for i < 24, j < 24: if (24*i + j < i + 24*j) swap(buffer[24*i + j], buffer[i + 24*j])
#include "codegen/code/code.h"

typedef struct Walk {
  Code *code;
  const Cycles *cycles;
  rsh_num piece; // units from one piece to the next
  CodeValue at;  // the word of piece 0
} Walk;

// The place of the piece that goes to `place`: its digits times their strides.
static CodeValue source(const Walk *w, CodeValue place) {
  Code *code = w->code;
  CodeValue from = code_extent(code, w->cycles->first), rest = place;
  for (int i = 0; i < w->cycles->digit_count; i++) {
    const Loop *digit = &w->cycles->digit[i];
    bool is_last = rsh_is(digit->dst, 1);
    CodeValue weight = code_extent(code, digit->dst);
    CodeValue n =
        is_last ? rest : code_named(code, code_binary(code, CODE_DIV, rest, weight), "digit");
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
  CodeValue from = source(w, place);
  code_unary(code, CODE_BREAK, code_binary(code, CODE_EQUAL, from, leader));
  CodeValue word = code_unary(code, CODE_LOAD, word_at(w, from));
  code_binary(code, CODE_STORE, word_at(w, place), word);
  code_unary(code, CODE_NEXT, from);
  code_binary(code, CODE_STORE, word_at(w, place), saved);
}

static CodeValue begin_for(Code *code, rsh_num count, int64_t step, const char *name) {
  CodeValue index = code_unary(code, CODE_FOR, code_extent(code, count));
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
  CodeValue index = begin_for(code, rsh_int(c->cycles), 1, "cycle");
  follow_cycle(w, code_entry_of(code, c->leader, c->cycles, index, "leader"));
  code_leaf(code, CODE_END);
}

// A place leads its cycle where the way from it comes back before it comes below it.
static void follow_searched(const Walk *w) {
  Code *code = w->code;
  CodeValue leader = begin_for(code, w->cycles->count, 1, "leader");
  CodeValue lowest = code_named(code, code_unary(code, CODE_LOOP, source(w, leader)), "lowest");
  code_unary(code, CODE_BREAK, code_binary(code, CODE_AT_MOST, lowest, leader));
  code_unary(code, CODE_NEXT, source(w, lowest));
  // A piece that stays is moved to itself.
  code_unary(code, CODE_IF, code_binary(code, CODE_EQUAL, lowest, leader));
  follow_cycle(w, leader);
  code_leaf(code, CODE_END);
  code_leaf(code, CODE_END);
}

static void exchange(const Walk *w) {
  Code *code = w->code;
  const Cycles *c = w->cycles;
  CodeValue place = code_extent(code, rsh_int(0)), from = code_extent(code, c->first);
  for (int i = 0; i < c->digit_count; i++) {
    CodeValue digit = begin_for(code, c->digit[i].extent, 1, "digit");
    place = code_advance(code, CODE_ADVANCE, place, digit, c->digit[i].dst);
    from = code_advance(code, CODE_ADVANCE, from, digit, c->digit[i].src);
  }
  code_unary(code, CODE_IF, code_binary(code, CODE_LESS, place, from));
  CodeValue one = code_named(code, code_unary(code, CODE_LOAD, word_at(w, place)), "saved");
  CodeValue other = code_named(code, code_unary(code, CODE_LOAD, word_at(w, from)), "other");
  code_binary(code, CODE_STORE, word_at(w, place), other);
  code_binary(code, CODE_STORE, word_at(w, from), one);
  for (int i = 0; i <= c->digit_count; i++)
    code_leaf(code, CODE_END);
}

// any && n > 0. CODE_NONE stands for true.
static CodeValue also_above(Code *code, CodeValue any, rsh_num n) {
  if (plan_is_positive(code->plan, n))
    return any;
  CodeValue some =
      code_binary(code, CODE_MORE, code_extent(code, n), code_extent(code, rsh_int(0)));
  return any == CODE_NONE ? some : code_and(code, any, some);
}

// Without elements nothing is walked: 2^40 batches of nothing would take as long as something, and weights may be 0.
static bool begin_if_any(Code *code, const Cycles *c) {
  CodeValue any = also_above(code, also_above(code, CODE_NONE, c->count), c->piece);
  for (int i = 0; i < c->batch_count; i++)
    any = also_above(code, any, c->batch[i].extent);
  if (any != CODE_NONE)
    code_unary(code, CODE_IF, any);
  return any != CODE_NONE;
}

Code *code_cycles(Arena *arena, const Plan *plan, const Cycles *c, int64_t width, int64_t unit) {
  Code *code = ARENA_NEW(arena, Code);
  *code = (Code){.arena = arena, .plan = plan};
  Walk w = {code, c, code_divided(c->piece, unit), code_leaf(code, CODE_BUFFER)};
  bool has_words = !rsh_is(c->piece, width), has_test = begin_if_any(code, c);
  for (int i = 0; i < c->batch_count; i++) {
    CodeValue batch = begin_for(code, c->batch[i].extent, 1, "batch");
    w.at = code_advance(code, CODE_STEP, w.at, batch, code_divided(c->batch[i].dst, unit));
  }
  if (has_words) {
    CodeValue word = begin_for(code, w.piece, width / unit, "word");
    w.at = code_advance(code, CODE_STEP, w.at, word, rsh_int(1));
  }
  if (c->swaps)
    exchange(&w);
  else if (c->leader)
    follow_listed(&w);
  else
    follow_searched(&w);
  for (int i = 0; i < c->batch_count + has_words + has_test; i++)
    code_leaf(code, CODE_END);
  code_end(code);
  return code;
}
