// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of bits as shifts and masks of whole elements. Nests that move parts of elements in the same loops become one
// nest that assembles each element of the result from bits of source elements:
//
//   u16 as bits, 5, 6 and 5 of them to u8    {N, dst 24, src 16} {5, dst 1, src 1} at 3, from 11, and so on
//     for N: dst 3, src 2     byte 0: bits 13 to 15 at bit 0, 11 to 15 at 3;   byte 1: ...
//
// Loops that step over whole elements on both sides stay; the others are unrolled.
#include "codegen/plan/plan_internal.h"

enum { MOST_FIELDS = 192, MOST_ELEMENTS = 64, LONG_RUN = 64, LARGEST_PART = 8 };

// A loop of a nest that is unrolled.
typedef struct FieldLoop {
  int64_t extent, dst, src; // in bits
} FieldLoop;

// The merged nests. Sizes are in bits: of a part, and of the elements of both memories.
typedef struct Fields {
  Arena *arena;
  rsh_symbols *symbols;
  int64_t part, from, to;
  VEC(Loop) outer; // strides in bits
  VEC(NestField) field;
  VEC(NestElement) element;
  int64_t *covered; // by element: how many of its bits are set so far
} Fields;

static int64_t floor_to(int64_t n, int64_t unit) { return n - ((n % unit) + unit) % unit; }

static bool is_multiple(const Fields *f, rsh_num n, int64_t unit) {
  rsh_num quotient;
  return rsh_div(f->symbols, n, rsh_int(unit), &quotient);
}

static rsh_num bits_of(const Fields *f, rsh_num parts) {
  return (rsh_num){(int64_t)((uint64_t)parts.n * (uint64_t)f->part), parts.poly};
}

// The loop in bits; a fill has no stride in the source.
static Loop loop_in_bits(const Fields *f, const Nest *nest, int i) {
  const Loop *loop = &nest->loop[i];
  return (Loop){.extent = loop->extent,
                .dst = bits_of(f, loop->dst),
                .src = nest->source < 0 ? rsh_int(0) : bits_of(f, loop->src)};
}

// The largest part of a loop that steps over whole elements on both sides, as a loop around one of `*inner` iterations.
static bool outer_part(const Fields *f, const Loop *loop, Loop *outer, int64_t *inner) {
  *inner = 1;
  *outer = *loop;
  if (is_multiple(f, loop->dst, f->to) && is_multiple(f, loop->src, f->from))
    return true;
  if (!rsh_is_known(loop->extent) || !rsh_is_known(loop->dst) || !rsh_is_known(loop->src))
    return false;
  for (int64_t iterations = 2; iterations < loop->extent.n && iterations <= LONG_RUN;
       iterations *= 2)
    if (loop->extent.n % iterations == 0 && loop->dst.n * iterations % f->to == 0 &&
        loop->src.n * iterations % f->from == 0) {
      *inner = iterations;
      *outer = (Loop){.extent = rsh_int(loop->extent.n / iterations),
                      .dst = rsh_int(loop->dst.n * iterations),
                      .src = rsh_int(loop->src.n * iterations)};
      return true;
    }
  return false;
}

static bool is_same_loop(const Loop *a, const Loop *b, bool with_source) {
  return rsh_equal(a->extent, b->extent) && rsh_equal(a->dst, b->dst) &&
         (!with_source || rsh_equal(a->src, b->src));
}

// Whether the nest has a loop with this outer part.
static bool has_loop(const Fields *f, const Nest *nest, const Loop *wanted) {
  for (int i = 0; i < nest->loop_count; i++) {
    Loop loop = loop_in_bits(f, nest, i), outer;
    int64_t inner;
    if (outer_part(f, &loop, &outer, &inner) && is_same_loop(&outer, wanted, nest->source >= 0))
      return true;
  }
  return false;
}

// Finds the loops that all nests share.
static bool find_outer(Fields *f, const Nest *nest, int count) {
  const Nest *first = NULL;
  for (int i = 0; i < count && !first; i++)
    first = nest[i].source >= 0 ? &nest[i] : NULL;
  for (int i = 0; first && i < first->loop_count; i++) {
    Loop loop = loop_in_bits(f, first, i), outer;
    int64_t inner;
    bool is_common = outer_part(f, &loop, &outer, &inner);
    for (int k = 0; is_common && k < count; k++)
      is_common = has_loop(f, &nest[k], &outer);
    if (is_common)
      VEC_PUSH(f->arena, f->outer, outer);
  }
  return first != NULL;
}

// The index of the result element at this byte, which is added if it is new. -1: there are too many.
static int element_at(Fields *f, int64_t byte) {
  for (int i = 0; i < f->element.count; i++)
    if (f->element.item[i].dst == byte)
      return i;
  if (f->element.count == MOST_ELEMENTS)
    return -1;
  VEC_PUSH(f->arena, f->element, ((NestElement){.dst = byte}));
  return f->element.count - 1;
}

// Adds one part, from a bit of the source or from a constant.
static bool put_part(Fields *f, const Graph *graph, const Nest *nest, int64_t src, int64_t dst) {
  int64_t start = floor_to(dst, f->to);
  int at = element_at(f, start / 8);
  if (at < 0 || f->field.count == MOST_FIELDS)
    return false;
  f->covered[at] += f->part;
  if (nest->source < 0) {
    uint64_t bits = graph->fill.item[-1 - nest->source].bits[0] & ((1U << f->part) - 1);
    f->element.item[at].constant |= bits << (dst - start);
    return true;
  }
  int64_t from = floor_to(src, f->from);
  NestField *last = f->field.count > 0 ? &f->field.item[f->field.count - 1] : NULL;
  if (last && last->element == at && last->src == from / 8 &&
      last->at + last->bits == (int)(dst - start) &&
      last->shift + last->bits == (int)(src - from)) {
    last->bits += (int)f->part;
    return true;
  }
  VEC_PUSH(f->arena, f->field,
           ((NestField){.element = at,
                        .src = from / 8,
                        .shift = (int)(src - from),
                        .bits = (int)f->part,
                        .at = (int)(dst - start)}));
  return true;
}

// Adds all parts of an iteration of the loops that stay: the `inner` loops are unrolled.
static bool put_parts(Fields *f, const Graph *graph, const Nest *nest, const FieldLoop *inner,
                      int count) {
  int64_t index[RSH_MAX_AXES] = {0}, src = nest->source < 0 ? 0 : nest->src_offset.n * f->part,
          dst = nest->dst_offset.n * f->part;
  for (int k = 0; k >= 0;) {
    if (!put_part(f, graph, nest, src, dst))
      return false;
    for (k = count - 1; k >= 0; k--) {
      dst += inner[k].dst;
      src += inner[k].src;
      if (++index[k] < inner[k].extent)
        break;
      dst -= inner[k].dst * inner[k].extent;
      src -= inner[k].src * inner[k].extent;
      index[k] = 0;
    }
  }
  return true;
}

static bool put_nest(Fields *f, const Graph *graph, const Nest *nest) {
  FieldLoop inner[RSH_MAX_AXES];
  int count = 0;
  for (int i = 0; i < nest->loop_count; i++) {
    Loop loop = loop_in_bits(f, nest, i), outer;
    int64_t iterations = likely_size(loop.extent), split;
    bool stays = false;
    for (int k = 0; k < f->outer.count && outer_part(f, &loop, &outer, &split); k++)
      stays = stays || is_same_loop(&outer, &f->outer.item[k], nest->source >= 0);
    iterations = stays ? split : iterations;
    if (iterations == 1)
      continue;
    if (iterations > LONG_RUN || !rsh_is_known(loop.dst) || !rsh_is_known(loop.src) ||
        count == RSH_MAX_AXES)
      return false;
    inner[count++] = (FieldLoop){iterations, loop.dst.n, loop.src.n};
  }
  return put_parts(f, graph, nest, inner, count);
}

// Whether the number of bits of a nest fits: this many loops of LONG_RUN iterations stay below 2^63.
static bool is_countable(const Nest *nest) {
  const int64_t most = INT64_C(1) << 48;
  const rsh_num offset[] = {nest->dst_offset, nest->src_offset};
  bool is = true;
  for (int i = 0; i < 2; i++)
    is = is && offset[i].n < most && offset[i].n > -most;
  for (int i = 0; i < nest->loop_count; i++) {
    const rsh_num each[] = {nest->loop[i].extent, nest->loop[i].dst, nest->loop[i].src};
    for (int k = 0; k < 3; k++)
      is = is && each[k].n < most && each[k].n > -most;
  }
  return is;
}

// Whether all nests move parts of elements of one source, or constants, in runs that are too short to move as bytes.
static bool can_be_fields(const Graph *graph, const Nest *nest, int count, int *source) {
  *source = -1;
  for (int i = 0; i < count; i++) {
    const Nest *n = &nest[i];
    bool is_fill = rsh_is_fill(n->source);
    if (!is_countable(n) || n->kind != NEST_ELEMENTS || n->elements.map != 0 || n->from != n->to ||
        n->to != nest->to || plan_element_bits(n->to) > LARGEST_PART ||
        !rsh_is_known(n->dst_offset) ||
        (!is_fill && (!rsh_is_known(n->src_offset) || !graph_is_source(graph, n->source) ||
                      (*source >= 0 && n->source != *source))))
      return false;
    *source = is_fill ? *source : n->source;
    if (n->loop_count == 0 || is_fill)
      continue;
    const Loop *run = &n->loop[n->loop_count - 1];
    if (rsh_is(run->dst, 1) && rsh_is(run->src, 1) &&
        !(rsh_is_known(run->extent) && run->extent.n * plan_element_bits(n->to) < LONG_RUN))
      return false;
  }
  return *source >= 0;
}

static int64_t word_bits(rsh_dtype type) {
  int bits = plan_element_bits(type);
  return bits < 8 ? 8 : bits;
}

// Sorts elements by their place in the result.
static void sort_elements(Fields *f) {
  int *number = ARENA_ARRAY(f->arena, int, f->element.count);
  NestElement *sorted = ARENA_ARRAY(f->arena, NestElement, f->element.count);
  for (int i = 0; i < f->element.count; i++) {
    for (int k = 0; k < f->element.count; k++)
      number[i] += f->element.item[k].dst < f->element.item[i].dst;
    sorted[number[i]] = f->element.item[i];
  }
  for (int i = 0; i < f->field.count; i++)
    f->field.item[i].element = number[f->field.item[i].element];
  f->element.item = sorted;
}

// Sorts fields by element of the result, then by bit.
static void sort_fields(Fields *f) {
  for (int i = 1; i < f->field.count; i++) {
    NestField a = f->field.item[i];
    int at = i;
    for (; at > 0 &&
           (f->field.item[at - 1].element > a.element ||
            (f->field.item[at - 1].element == a.element && f->field.item[at - 1].at > a.at));
         at--)
      f->field.item[at] = f->field.item[at - 1];
    f->field.item[at] = a;
  }
}

// Whether the fields take less code than loops over single elements, on 32-bit machines: about 8 bytes for each field,
// and 80 for each nest that reads a source; a constant fills the result first (plan_prefill). The loops take about as
// much time as loops by hand: up to 5 times that of fields.
//
//   u1[17, 24] transposed         136 fields, one nest: loops
//   u16 as 5, 6 and 5 bits to u8  6 fields, six nests: fields
static bool is_least_code(const Fields *f, const Nest *nest, int count) {
  enum { MOST = 10 };
  int most = 0;
  for (int i = 0; i < count; i++)
    most += rsh_is_fill(nest[i].source) ? 0 : MOST;
  return f->field.count <= most;
}

bool nest_of_fields(Planner *p, const Nest *nest, int count, rsh_dtype dtype, Nest *out) {
  Fields f = {.arena = p->arena, .symbols = p->graph->symbols};
  int source;
  if (count == 0 || !can_be_fields(p->graph, nest, count, &source))
    return false;
  rsh_dtype from = p->graph->value.item[source]->dtype;
  f.part = plan_element_bits(nest->to);
  f.from = word_bits(from);
  f.to = word_bits(dtype);
  f.covered = ARENA_ARRAY(p->arena, int64_t, MOST_ELEMENTS);
  if (f.from > 64 || f.to > 64 || !find_outer(&f, nest, count))
    return false;
  for (int i = 0; i < count; i++)
    if (!put_nest(&f, p->graph, &nest[i]))
      return false;
  if (p->plan->processor->small && !is_least_code(&f, nest, count))
    return false;
  int64_t src = INT64_MAX, dst = INT64_MAX;
  for (int i = 0; i < f.element.count; i++) {
    if (f.covered[i] != f.to)
      return false;
    dst = f.element.item[i].dst < dst ? f.element.item[i].dst : dst;
  }
  for (int i = 0; i < f.field.count; i++)
    src = f.field.item[i].src < src ? f.field.item[i].src : src;
  sort_elements(&f);
  sort_fields(&f);
  for (int i = 0; i < f.element.count; i++)
    f.element.item[i].dst -= dst;
  for (int i = 0; i < f.field.count; i++)
    f.field.item[i].src -= src;
  *out = (Nest){.source = source,
                .src_offset = rsh_int(src),
                .dst_offset = rsh_int(dst),
                .run = rsh_int(f.element.count * f.to / 8),
                .unit = (uint32_t)f.to / 8,
                .from = plan_integer_type((int)f.from),
                .to = plan_integer_type((int)f.to),
                .kind = NEST_FIELDS,
                .fields = {.element = f.element.item,
                           .element_count = f.element.count,
                           .field = f.field.item,
                           .field_count = f.field.count,
                           .type = plan_integer_type((int)f.to)}};
  out->loop = ARENA_ARRAY(p->arena, Loop, f.outer.count + 1);
  for (int i = 0; i < f.outer.count; i++) {
    Loop *loop = &out->loop[out->loop_count++];
    loop->extent = f.outer.item[i].extent;
    (void)rsh_div(f.symbols, f.outer.item[i].dst, rsh_int(8), &loop->dst);
    (void)rsh_div(f.symbols, f.outer.item[i].src, rsh_int(8), &loop->src);
  }
  return true;
}
