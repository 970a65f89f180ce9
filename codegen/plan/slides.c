// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results that are moved within the memory of an input like memmove: in an order in which each element is read before
// it is overwritten. Addresses are offsets in the shared memory, in bytes.
//
//   f32[49, 10] without its first row         {}, run 1920: from 40 to 0                 downward
//   u8[6, 8] in rows of 4, from column 2 on   {6, dst 4, src 8}, run 4: from 2 to 0      downward
//   i8[4, 3] cast to f32                      {12, dst 4, src 1}, 1 to 4 bytes: 0 to 0   upward
//
// A downward move writes at or below the address that it reads. In ascending order of the destination, everything
// written so far is below the destination of the next element, and so below its source. Upward moves are the mirror
// image.
#include "codegen/plan/plan_internal.h"

// Lists of more than MOST_MOVES moves are not ordered; nor are more than MOST_MIXED moves in both directions.
enum { MOST_MIXED = 64, MOST_MOVES = 512 };

// The address that a loop advances: the destination, the source, or the distance from destination to source.
typedef enum Side { SIDE_DST, SIDE_SRC, SIDE_AHEAD } Side;

static bool side_of(rsh_symbols *s, Side side, rsh_num dst, rsh_num src, rsh_num *n) {
  *n = side == SIDE_DST ? dst : src;
  return side != SIDE_AHEAD || rsh_sub(s, src, dst, n);
}

// The lowest or highest start of an iteration on a side, in the loops from `depth` inward. False: unknown.
static bool edge_of(rsh_symbols *s, const Nest *nest, int depth, Side side, bool highest,
                    rsh_num *edge) {
  rsh_num zero = rsh_int(0), step, last;
  if (!side_of(s, side, nest->dst_offset, nest->src_offset, edge))
    return false;
  for (int i = depth; i < nest->loop_count; i++) {
    const Loop *loop = &nest->loop[i];
    if (!side_of(s, side, loop->dst, loop->src, &step))
      return false;
    bool rises = rsh_at_most(s, zero, step), falls = rsh_at_most(s, step, zero);
    if (!rises && !falls)
      return false;
    if (highest ? falls : rises)
      continue;
    if (!rsh_sub(s, loop->extent, rsh_int(1), &last) || !rsh_mul(s, last, step, &last) ||
        !rsh_add(s, *edge, last, edge))
      return false;
  }
  return true;
}

// The bytes that an iteration reads; it writes Nest.run.
static rsh_num read_by(const Nest *nest) {
  return nest_is_by_element(nest) ? rsh_int(plan_element_bits(nest->from) / 8) : nest->run;
}

// Assumes that both moves have elements; the property in question is trivially true otherwise.
static rsh_supposed suppose_some(rsh_symbols *s, const Nest *a, const Nest *b) {
  rsh_supposed added = rsh_suppose_nothing(s);
  rsh_num all = rsh_int(1), more;
  for (const Nest *nest = a; nest; nest = nest == a ? b : NULL) {
    all = rsh_mul(s, all, nest->run, &more) ? more : all;
    for (int i = 0; i < nest->loop_count; i++)
      all = rsh_mul(s, all, nest->loop[i].extent, &more) ? more : all;
  }
  rsh_suppose_positive(s, all, &added);
  return added;
}

static void forget(rsh_symbols *s, const rsh_supposed *added) {
  if (s)
    rsh_forget_supposed(s, added);
}

// Whether no iteration writes above the bytes that it reads.
static bool goes_down(rsh_symbols *s, const Nest *nest) {
  rsh_num ahead;
  rsh_supposed added = suppose_some(s, nest, NULL);
  bool down = edge_of(s, nest, 0, SIDE_AHEAD, false, &ahead) && rsh_at_most(s, rsh_int(0), ahead);
  forget(s, &added);
  return down;
}

// Whether no iteration writes below the bytes that it reads.
static bool goes_up(rsh_symbols *s, const Nest *nest) {
  rsh_num ahead;
  rsh_supposed added = suppose_some(s, nest, NULL);
  bool up = edge_of(s, nest, 0, SIDE_AHEAD, true, &ahead) &&
            rsh_add(s, ahead, read_by(nest), &ahead) && rsh_at_most(s, ahead, nest->run);
  forget(s, &added);
  return up;
}

static bool stays(rsh_symbols *s, const Nest *nest) {
  return nest->kind == NEST_RUNS && goes_down(s, nest) && goes_up(s, nest);
}

// The end of the bytes that the loops from `depth` inward write.
static bool end_of(rsh_symbols *s, const Nest *nest, int depth, rsh_num *end) {
  return edge_of(s, nest, depth, SIDE_DST, true, end) && rsh_add(s, *end, nest->run, end);
}

// Whether the bytes that `writer` writes do not overlap those that `reader` reads.
static bool spares(rsh_symbols *s, const Nest *writer, const Nest *reader) {
  rsh_num from, to, least, end;
  rsh_supposed added = suppose_some(s, writer, reader);
  bool apart = edge_of(s, reader, 0, SIDE_SRC, false, &from) &&
               edge_of(s, reader, 0, SIDE_SRC, true, &to) && rsh_add(s, to, read_by(reader), &to) &&
               edge_of(s, writer, 0, SIDE_DST, false, &least) && end_of(s, writer, 0, &end) &&
               (rsh_at_most(s, end, from) || rsh_at_most(s, to, least));
  forget(s, &added);
  return apart;
}

// Whether the second move writes only after the end of the first one's bytes, in the loops from `depth` inward.
static bool follows(rsh_symbols *s, const Nest *first, const Nest *second, int depth) {
  rsh_num end;
  rsh_supposed added = suppose_some(s, first, second);
  bool behind = end_of(s, first, depth, &end) && rsh_at_most(s, end, second->dst_offset);
  forget(s, &added);
  return behind;
}

// Whether the bytes that these moves write in one iteration of their shared loop `depth` are within one stride of that
// loop.
static bool interleave(rsh_symbols *s, const Slide *slide, int count, int depth) {
  const Nest *first = &slide->nest;
  for (int i = 0; i < count; i++) {
    const Nest *nest = &slide[i].nest;
    rsh_num end, span;
    if (depth >= nest->loop_count || depth >= first->loop_count ||
        !rsh_equal(nest->loop[depth].extent, first->loop[depth].extent) ||
        !rsh_equal(nest->loop[depth].dst, first->loop[depth].dst) ||
        !end_of(s, nest, depth + 1, &end) || !rsh_sub(s, end, first->dst_offset, &span) ||
        !rsh_at_most(s, span, first->loop[depth].dst))
      return false;
  }
  return true;
}

// Arranges moves, sorted by destination, so that they write in ascending order. Interleaved moves share loops:
//
//   channels 0 and 2 of u8[H, W, 3]    for H*W: from 3*i to 2*i, then from 3*i + 2 to 2*i + 1
//
// The recursion is bounded by the number of axes of a move.
static bool arrange(rsh_symbols *s, Slide *slide, int count, int depth) {
  for (int i = 0, next; i < count; i = next) {
    bool is_behind = false;
    for (next = i + 1; next < count && !is_behind; next += !is_behind) {
      is_behind = true;
      for (int k = i; k < next && is_behind; k++)
        is_behind = follows(s, &slide[k].nest, &slide[next].nest, depth);
    }
    if (next - i == 1)
      continue;
    if (!interleave(s, slide + i, next - i, depth))
      return false;
    for (int k = i + 1; k < next; k++)
      slide[k].shared = depth + 1;
    if (!arrange(s, slide + i, next - i, depth + 1))
      return false;
  }
  return true;
}

static void swap(Slide *a, Slide *b) {
  Slide kept = *a;
  *a = *b;
  *b = kept;
}

// Puts moves in an order in which none overwrites what a later one reads. False: there is none.
static bool order_mixed(rsh_symbols *s, Slide *slide, int count) {
  if (count > MOST_MIXED)
    return false;
  for (int i = 0; i < count; i++) {
    bool is_free = false;
    for (int k = i; k < count && !is_free; k++) {
      is_free = true;
      for (int other = i; other < count && is_free; other++)
        is_free = other == k || spares(s, &slide[k].nest, &slide[other].nest);
      if (is_free)
        swap(&slide[i], &slide[k]);
    }
    if (!is_free)
      return false;
    slide[i].shared = 0;
  }
  return true;
}

// Reverses the loops of a nest. False: a number overflows.
static bool reverse_loops(rsh_symbols *s, Nest *nest) {
  for (int i = 0; i < nest->loop_count; i++) {
    Loop *loop = &nest->loop[i];
    rsh_num last;
    if (!rsh_sub(s, loop->extent, rsh_int(1), &last) || !nest_start_at(s, nest, loop, last))
      return false;
    loop->dst.n = -loop->dst.n;
    loop->src.n = -loop->src.n;
    loop->at.n = -loop->at.n;
  }
  return true;
}

static void reverse(Slide *slide, int count) {
  for (int i = 0; i < count / 2; i++)
    swap(&slide[i], &slide[count - 1 - i]);
  for (int i = count - 1; i > 0;
       i--) // loops shared with the next move become shared with the previous one
    slide[i].shared = slide[i - 1].shared;
  if (count > 0)
    slide[0].shared = 0;
}

static bool put_in_order(Arena *arena, rsh_symbols *s, Slides *slides) {
  bool down = true, up = true;
  int count = slides->count;
  Slide *slide = slides->slide;
  for (int i = 0; i < count; i++) {
    bool falls = goes_down(s, &slide[i].nest), rises = goes_up(s, &slide[i].nest);
    if (!falls && !rises)
      return false;
    slide[i].is_up = !falls;
    down = down && falls;
    up = up && rises;
  }
  bool in_order = (down || up) && arrange(s, slide, count, 0);
  if (!in_order && !order_mixed(s, slide, count))
    return false;
  Nest *reversed = ARENA_ARRAY(arena, Nest, count + 1);
  for (int i = 0; i < count; i++) {
    slide[i].is_up = in_order ? !down : slide[i].is_up;
    reversed[i] = nest_copy(arena, &slide[i].nest);
    if (slide[i].is_up && !reverse_loops(s, &reversed[i]))
      return false;
  }
  for (int i = 0; i < count; i++)
    slide[i].nest = reversed[i];
  if (in_order && !down)
    reverse(slide, count);
  return true;
}

// Unrolls short outermost loops into separate moves, because folding may have joined a downward and an upward move.
// False: there is no such loop, or there would be too many moves.
static bool unroll(Arena *arena, rsh_symbols *s, Slides *slides) {
  enum { MOST_ITERATIONS = 8 };
  Slides parts = {ARENA_ARRAY(arena, Slide, MOST_MIXED + MOST_ITERATIONS), 0};
  for (int i = 0; i < slides->count; i++) {
    const Nest *nest = &slides->slide[i].nest;
    const Loop *loop = nest->loop;
    bool is_unrolled =
        nest->loop_count > 0 && plan_nest_is_known(nest) && loop->extent.n <= MOST_ITERATIONS;
    for (int64_t k = 0; k < (is_unrolled ? loop->extent.n : 1); k++) {
      Nest one = *nest;
      if (is_unrolled) {
        one.loop++;
        one.loop_count--;
        if (!nest_start_at(s, &one, loop, rsh_int(k)))
          return false;
      }
      int at = parts.count++;
      for (; at > 0 && plan_nest_is_known(&one) && plan_nest_is_known(&parts.slide[at - 1].nest) &&
             parts.slide[at - 1].nest.dst_offset.n > one.dst_offset.n;
           at--)
        parts.slide[at] = parts.slide[at - 1];
      parts.slide[at] = (Slide){.nest = one};
    }
    if (parts.count > MOST_MIXED)
      return false;
  }
  bool more = parts.count > slides->count;
  *slides = parts;
  return more;
}

// Why no order allows a move of the input in place; NULL: some order may.
static const char *refusal(const Nest *nest) {
  if (nest->kind == NEST_RUNS)
    return NULL;
  if (nest->kind != NEST_ELEMENTS || plan_element_bits(nest->from) < 8 ||
      plan_element_bits(nest->to) < 8)
    return "elements smaller than a byte cannot be moved one by one";
  bool is_wide = plan_element_bits(nest->from) > 64 || plan_element_bits(nest->to) > 64 ||
                 nest->from == RSH_C64 || nest->to == RSH_C64;
  return is_wide ? "complex elements are changed and moved at once" : NULL;
}

const char *plan_slides_text(const Slides *slides) {
  bool down = false, up = false;
  for (int i = 0; i < slides->count; i++) {
    down = down || !slides->slide[i].is_up;
    up = up || slides->slide[i].is_up;
  }
  return down && up ? "downward and upward" : up ? "upward" : down ? "downward" : "nowhere";
}

bool plan_slides_bytes(const Graph *graph, const Slides *slides, rsh_num *bytes) {
  *bytes = rsh_int(0);
  for (int i = 0; i < slides->count; i++) {
    const Nest *nest = &slides->slide[i].nest;
    rsh_num all = nest->run;
    for (int k = 0; k < nest->loop_count; k++)
      if (!rsh_mul(graph->symbols, all, nest->loop[k].extent, &all))
        return false;
    if (!rsh_add(graph->symbols, *bytes, all, bytes))
      return false;
  }
  return true;
}

const Slides *slides_of(Arena *arena, const Graph *graph, const OutputPlan *out, const Value *input,
                        const char **why) {
  rsh_symbols *symbols = graph->symbols;
  Slides *slides = ARENA_NEW(arena, Slides);
  slides->slide = ARENA_ARRAY(arena, Slide, out->moves->count + 1);
  for (int i = 0; i < out->moves->count; i++) {
    const Nest *nest = &out->moved[i];
    if (plan_is_staged(graph, nest->source)) {
      *why = "elements of a value on the way are looked up";
      return NULL;
    }
    if (nest->source != input->id || stays(symbols, nest))
      continue;
    if ((*why = refusal(nest)))
      return NULL;
    slides->slide[slides->count++] = (Slide){.nest = *nest};
  }
  if (slides->count > MOST_MOVES) {
    *why = arena_printf(arena, "no order is searched for among more than %d moves", MOST_MOVES);
    return NULL;
  }
  bool in_order = false;
  if (rsh_moves_have_digits(symbols, out->moves))
    do
      in_order = put_in_order(arena, symbols, slides);
    while (!in_order && unroll(arena, symbols, slides));
  *why = in_order ? NULL : "in no order is each element read before it is overwritten";
  return in_order ? slides : NULL;
}
