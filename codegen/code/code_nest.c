// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of a nest as code, and the body of a nest by element: load, the steps of its chain, store. Elements and
// parts of elements are words of bits:
//
//   r5g6b5 to r, of FIELDS                  %1 = take %source, %0 as u16
//                                           %2 = shifted %1 by -11
//                                           put %buffer, %0, %2 as u8
//   u4 out of bytes, in groups of two       %1 = take %source, %0 as u8
//                                           element 0 is the low half of %1, element 1 the high one
#include "codegen/code/code.h"
#include "codegen/plan/strategy.h"

typedef struct Iteration {
  Code *code;
  const Nest *nest;
  CodeValue to, from;     // memory; CODE_NONE: the memory of the nest
  CodeValue dst, src, at; // positions in it; `at`: in the tables of the chain
  int64_t dst_unit, src_unit;
  bool in_elements; // addresses in stages count elements of C
} Iteration;

// ---- words

static CodeValue word(Code *code, CodeOp op, CodeValue a, CodeValue b, int64_t n, rsh_dtype type) {
  CodeValue made = code_add(code, op, a, b, CODE_NONE, n);
  code->node.item[made].index = (int)type;
  return made;
}

static CodeValue word_of(Code *code, CodeValue a, rsh_dtype type) {
  return word(code, CODE_WORD_OF, a, CODE_NONE, 0, type);
}

// Left, or right if `by` is negative.
static CodeValue shifted(Code *code, CodeValue a, int64_t by, rsh_dtype type) {
  return by == 0 ? a : word(code, CODE_SHIFTED, a, CODE_NONE, by, type);
}

static CodeValue either(Code *code, CodeValue a, CodeValue b, rsh_dtype type) {
  return a == CODE_NONE ? b : word(code, CODE_EITHER, a, b, 0, type);
}

static void put(const Iteration *t, CodeValue at, CodeValue element, rsh_dtype type) {
  CodeValue to = t->to == CODE_NONE ? code_leaf(t->code, CODE_BUFFER) : t->to;
  CodeValue node = code_add(t->code, CODE_PUT, to, at, element, 0);
  t->code->node.item[node].index = (int)type;
}

// `at` plus `distance` bytes or packed elements.
static CodeValue behind(const Iteration *t, CodeValue at, int64_t distance) {
  return code_further(t->code, at, code_index(t->code, 1), rsh_int(distance));
}

// ---- sources

static CodeValue take(const Iteration *t, CodeValue at, rsh_dtype type) {
  CodeValue from = t->from == CODE_NONE ? code_source(t->code, t->nest->source) : t->from;
  return word(t->code, CODE_TAKE, from, at, t->nest->source, type);
}

// For an iteration with several elements: makes its position the base address; elements are at offsets from it.
static Iteration settled(const Iteration *t) {
  Code *code = t->code;
  Iteration here = *t;
  here.to = code_advance(code, CODE_STEP, code_leaf(code, CODE_BUFFER), t->dst, rsh_int(1));
  here.from =
      code_advance(code, CODE_STEP, code_source(t->code, t->nest->source), t->src, rsh_int(1));
  here.dst = here.src = code_index(code, 0);
  return here;
}

// The integer type of the same width, up to 64 bits.
static rsh_dtype integer_of(rsh_dtype type) {
  int bits = plan_element_bits(type);
  return bits <= 64 ? plan_integer_type(bits) : type;
}

static int64_t units_of(int bits, int64_t unit) { return bits < 8 ? 1 : bits / 8 / unit; }

// Element `n` of the stage that the nest reads, and the same as an integer.
static CodeValue staged(const Iteration *t, CodeValue n, rsh_dtype type) {
  Code *code = t->code;
  int64_t unit = t->in_elements ? plan_element_align(type) : 1;
  rsh_num units = rsh_int(units_of(plan_element_bits(type), unit));
  CodeValue at = rsh_is(units, 1) ? n : code_further(code, code_index(code, 0), n, units);
  int stage = plan_stage(code->plan, t->nest->source);
  return word(code, CODE_STAGED, at, CODE_NONE, stage, type);
}

static CodeValue staged_bits(const Iteration *t, CodeValue n, rsh_dtype type) {
  return word_of(t->code, staged(t, n, type), integer_of(type));
}

// Elements of the stage may be larger or smaller than the element that is read: extracts a part of one, or joins
// several.
static CodeValue take_staged(const Iteration *t, CodeValue at) {
  Code *code = t->code;
  rsh_dtype type = plan_source_type(code->plan->graph, t->nest->source), wanted = t->nest->from;
  int have = plan_element_bits(type), want = plan_element_bits(wanted);
  int64_t units = units_of(want, t->src_unit);
  if (units > 1)
    at = code_add(code, CODE_WHOLE, at, CODE_NONE, CODE_NONE, units);
  if (have == want)
    return staged(t, at, type);
  if (have > want) {
    CodeValue whole = code_add(code, CODE_WHOLE, at, CODE_NONE, CODE_NONE, have / want);
    CodeValue part = code_add(code, CODE_REST, at, CODE_NONE, CODE_NONE, have / want);
    CodeValue shift = code_further(code, code_index(code, 0), part, rsh_int(want));
    CodeValue bits = staged_bits(t, whole, type);
    return word_of(code, word(code, CODE_DOWN_BY, bits, shift, 0, integer_of(type)), wanted);
  }
  rsh_dtype wide = integer_of(wanted);
  CodeValue all = CODE_NONE,
            first = code_further(code, code_index(code, 0), at, rsh_int(want / have));
  for (int i = 0; i < want / have; i++) {
    CodeValue part = word_of(code, staged_bits(t, behind(t, first, i), type), wide);
    all = either(code, all, shifted(code, part, (int64_t)i * have, wide), wide);
  }
  return word_of(code, all, wanted);
}

static CodeValue load(const Iteration *t, CodeValue at) {
  const Nest *nest = t->nest;
  if (rsh_is_fill(nest->source))
    return word(t->code, CODE_FILL, CODE_NONE, CODE_NONE, nest->source, nest->from);
  return graph_is_source(t->code->plan->graph, nest->source) ? take(t, at, nest->from)
                                                             : take_staged(t, at);
}

// ---- steps

// The entry of a step's tables for index `at`, which counts over the tables of all steps together, `places` in number.
static CodeValue entry_of(Code *code, const rsh_step *step, CodeValue at, int64_t places) {
  if (step->tables && step->divisor > 1)
    at = code_add(code, CODE_WHOLE, at, CODE_NONE, CODE_NONE, step->divisor);
  if (step->tables && step->divisor * step->places < places)
    at = code_add(code, CODE_REST, at, CODE_NONE, CODE_NONE, step->places);
  return at;
}

static CodeValue through_steps(Code *code, const Nest *nest, CodeValue element, CodeValue at) {
  const Graph *graph = code->plan->graph;
  NestElements of = nest_elements(nest);
  int count;
  const rsh_step *step = graph_map_steps(code->arena, graph, of.map, &count);
  int64_t places = rsh_map_places(&graph->maps, of.map);
  for (int i = 0; i < count; i++) {
    element = word(code, CODE_APPLY, element, entry_of(code, &step[i], at, places),
                   of.repeat ? of.repeat : 1, step[i].to);
    code->node.item[element].step = &step[i];
  }
  return element;
}

CodeValue code_element(Code *code, const Nest *nest, CodeValue src, CodeValue at,
                       bool in_elements) {
  const Iteration t = {.code = code,
                       .nest = nest,
                       .from = CODE_NONE,
                       .src_unit = in_elements ? plan_element_align(nest->from) : 1,
                       .in_elements = in_elements};
  return through_steps(code, nest, load(&t, src), at);
}

Code *code_steps(Arena *arena, const Plan *plan, const Nest *nest) {
  Code *code = code_new(arena, plan);
  CodeValue given = word(code, CODE_GIVEN, CODE_NONE, CODE_NONE, 0, nest->from);
  code_unary(code, CODE_RETURN_WORD, through_steps(code, nest, given, code_index(code, 0)));
  code_end(code);
  return code;
}

// ---- iterations

// A field shifted to its position, with zeros around it, in a word that holds elements of both sides, so that the
// element is truncated only once.
static CodeValue field_bits(Code *code, const NestField *f, int from, rsh_dtype type,
                            CodeValue whole) {
  whole = shifted(code, word_of(code, whole, type), -f->shift, type);
  if (f->shift + f->bits < from)
    whole = word(code, CODE_LOW, whole, CODE_NONE, f->bits, type);
  return shifted(code, whole, f->at, type);
}

// Each element of the source is loaded once for all of its fields.
static void put_fields(const Iteration *iteration) {
  Code *code = iteration->code;
  const Iteration here = settled(iteration), *t = &here;
  const NestFields *f = &t->nest->fields;
  int from = plan_element_bits(t->nest->from), bits = plan_element_bits(f->type);
  rsh_dtype type = plan_integer_type(from > bits ? from : bits);
  CodeValue *whole = ARENA_ARRAY(code->arena, CodeValue, f->field_count + 1);
  for (int i = 0, n = 0; i < f->element_count; i++) {
    const NestElement *e = &f->element[i];
    CodeValue element = CODE_NONE;
    if (e->constant != 0)
      element = word(code, CODE_BITS, CODE_NONE, CODE_NONE, (int64_t)e->constant, type);
    for (; n < f->field_count && f->field[n].element == i; n++) {
      int same = 0;
      while (f->field[same].src != f->field[n].src)
        same++;
      whole[n] = same < n ? whole[same]
                          : take(t, behind(t, t->src, f->field[n].src / t->src_unit),
                                 plan_integer_type(from));
      element = either(code, element, field_bits(code, &f->field[n], from, type, whole[n]), type);
    }
    if (element == CODE_NONE)
      element = word(code, CODE_BITS, CODE_NONE, CODE_NONE, 0, type);
    CodeValue at = behind(t, t->dst, e->dst / t->dst_unit);
    element = word_of(code, word_of(code, element, plan_integer_type(bits)), f->type);
    put(t, at, through_steps(code, t->nest, element, code_index(code, e->at)), t->nest->to);
  }
}

// The elements of a byte of packed elements, on the source or the destination side.
static void put_group(const Iteration *iteration, int64_t group) {
  Code *code = iteration->code;
  const Iteration here = settled(iteration), *t = &here;
  const Nest *nest = t->nest;
  const Loop *loop = &nest->loop[nest->loop_count - 1];
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to);
  CodeValue byte = from < 8 ? take(t, t->src, RSH_U8) : CODE_NONE;
  for (int64_t i = 0; i < group; i++) {
    CodeValue at = behind(t, t->at, i * loop->at.n);
    CodeValue element = from < 8
                            ? word_of(code, shifted(code, byte, -i * from, RSH_U8), nest->from)
                            : take(t, behind(t, t->src, i * loop->src.n / t->src_unit), nest->from);
    element = through_steps(code, nest, element, at);
    if (from < 8)
      put(t, behind(t, t->dst, i * loop->dst.n / t->dst_unit), element, nest->to);
    else
      byte =
          either(code, byte, shifted(code, word_of(code, element, RSH_U8), i * to, RSH_U8), RSH_U8);
  }
  if (from >= 8)
    put(t, t->dst, word_of(code, byte, RSH_U8), RSH_U8);
}

static void do_inside(const Iteration *t, int64_t count) {
  code_binary(t->code, CODE_INSIDE, t->dst, t->src);
  for (int64_t i = 1; i < count; i++) {
    const Loop *planes = &t->nest->loop[t->nest->loop_count - 1];
    CodeValue dst = behind(t, t->dst, i * planes->dst.n / t->dst_unit);
    code_binary(t->code, CODE_INSIDE, dst, behind(t, t->src, i * planes->src.n / t->src_unit));
  }
}

static void do_iteration(const Iteration *t, const CodeLoops *how, int64_t group) {
  const Nest *nest = t->nest;
  bool has_elements = nest_is_by_element(nest) || nest_elements(nest).map;
  if (how->end < nest->loop_count || !has_elements)
    do_inside(t, how->planes);
  else if (nest->kind == NEST_FIELDS)
    put_fields(t);
  else if (group > 0)
    put_group(t, group);
  else
    put(t, t->dst, through_steps(t->code, nest, load(t, t->src), t->at), nest->to);
}

static CodeValue start(Code *code, int64_t side) {
  return code_add(code, CODE_START, CODE_NONE, CODE_NONE, CODE_NONE, side);
}

// Loop i if the innermost loop iterates over whole bytes of packed elements: the packed side counts bytes.
static Loop grouped(const Nest *nest, int i, int64_t group) {
  Loop loop = nest->loop[i];
  rsh_num *packed = plan_element_bits(nest->from) < 8 ? &loop.src : &loop.dst;
  if (i == nest->loop_count - 1) {
    loop.extent.n /= group;
    loop.dst.n *= group;
    loop.src.n *= group;
    loop.at.n *= group;
  }
  packed->n /= group;
  return loop;
}

Code *code_loops(Arena *arena, const Plan *plan, const Nest *nest, CodeLoops how) {
  Code *code = code_new(arena, plan);
  Iteration t = {.code = code,
                 .nest = nest,
                 .to = CODE_NONE,
                 .from = CODE_NONE,
                 .dst = start(code, CODE_DST),
                 .src = start(code, CODE_SRC),
                 .at = start(code, CODE_AT),
                 .dst_unit = how.dst_unit,
                 .src_unit = how.src_unit,
                 .in_elements = how.in_elements};
  int64_t group = how.groups ? nest_group(nest) : 0;
  for (int i = how.begin; i < how.end; i++) {
    Loop loop = group > 0 ? grouped(nest, i, group) : nest->loop[i];
    CodeValue index = code_for(code, code_extent(code, loop.extent));
    code->node.item[index].index = i + 1;
    t.src = code_further(code, t.src, index, code_divided(loop.src, t.src_unit));
    t.dst = code_further(code, t.dst, index, code_divided(loop.dst, t.dst_unit));
    t.at = code_further(code, t.at, index, loop.at);
  }
  do_iteration(&t, &how, group);
  for (int i = how.begin; i < how.end; i++)
    code_leaf(code, CODE_END);
  code_end(code);
  return code;
}
