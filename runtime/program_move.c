// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last part of a program: moves the elements. The engine copies from inputs; elements from stages, with functions,
// or of less than a byte are moved one at a time.
#include "runtime/move.h"
#include "runtime/program_internal.h"

// The size in bits of the elements, or parts of elements, that moves to a value of this type count.
static int64_t bits_of_moves(const rsh_moves *m, rsh_dtype type) {
  return rsh_program_bits(type) / rsh_moves_parts(m);
}

// ---- preparation of moves ----

static bool prepare_output(Program *p, int64_t k) {
  ProgramBoxes *o = &p->boxes[k];
  ProgramBox *ready = p->box + k * OUTPUT_BOXES;
  rsh_moves m = rsh_program_moves_of(p, &o->list);
  rsh_dtype type = (rsh_dtype)p->value[p->output[k].value].dtype;
  uint32_t width = (uint32_t)(bits_of_moves(&m, type) / 8);
  if (!o->is_plain || m.count > OUTPUT_BOXES)
    return false;
  o->box_count = m.count;
  for (int32_t i = 0; i < m.count; i++) {
    const rsh_move *move = &m.move[i];
    rsh_box *box = &ready[i].box;
    ready[i].source = move->source;
    if (!rsh_box_of(box, m.axis + move->first, move->axis_count, width))
      return false;
    box->dst += (ptrdiff_t)(move->dst_offset.n * width);
    box->src += (ptrdiff_t)(move->src_offset.n * width);
  }
  return true;
}

// Also prepares the boxes, which do not depend on elements.
static rsh_status fold_outputs(Program *p) {
  rsh_status status = rsh_program_fold_outputs(p);
  for (int64_t k = 0; k < p->tape[RSH_TAPE_OUTPUTS] && status == RSH_ok; k++)
    p->boxes[k].is_ready = prepare_output(p, k);
  return status;
}

static void run_boxes(const Program *p, int64_t k, unsigned char *out) {
  const ProgramBox *ready = p->box + k * OUTPUT_BOXES;
  for (int32_t i = 0; i < p->boxes[k].box_count; i++) {
    int32_t source = ready[i].source;
    rsh_run_box(&ready[i].box, out,
                rsh_is_fill(source) ? p->fill_place[-1 - source] : p->source[source]);
  }
}

// ---- one element ----

// Element i of packed elements, the first in the lowest bits. In a tensor that runs backward, i may be negative: -1 is
// the last one of the byte before.
static void load_packed(const unsigned char *base, int64_t i, int64_t bits, Element *out) {
  int64_t per_byte = 8 / bits, part = i & (per_byte - 1);
  out->byte[0] = (unsigned char)(base[(i - part) / per_byte] >> part * bits & ((1 << bits) - 1));
}

static void store_packed(unsigned char *base, int64_t i, int64_t bits, const Element *e) {
  int64_t per_byte = 8 / bits, shift = i % per_byte * bits;
  int mask = ((1 << bits) - 1) << shift;
  base[i / per_byte] = (unsigned char)((base[i / per_byte] & ~mask) | (e->byte[0] << shift & mask));
}

static void load(const unsigned char *base, int64_t i, int64_t bits, Element *out) {
  if (bits < 8) {
    load_packed(base, i, bits, out);
    return;
  }
  for (int64_t b = 0; b < bits / 8; b++)
    out->byte[b] = base[i * (bits / 8) + b];
}

static void store(unsigned char *base, int64_t i, int64_t bits, const Element *e) {
  if (bits < 8) {
    store_packed(base, i, bits, e);
    return;
  }
  for (int64_t b = 0; b < bits / 8; b++)
    base[i * (bits / 8) + b] = e->byte[b];
}

// Whether a move writes element `at` of a value; if so, its functions, and the element of its source. The dst strides
// work like digits of the address (fold.h). The move does not begin after `at`.
static bool has_element(const rsh_moves *m, const rsh_move *move, int64_t at, ProgramStep *step) {
  const rsh_axis *axis = m->axis + move->first;
  int64_t rest = at - move->dst_offset.n, src = move->src_offset.n, entry = move->at_offset.n;
  for (int32_t k = 0; k < move->axis_count; k++) {
    int64_t index = rest / axis[k].dst.n;
    if (index >= axis[k].extent.n)
      index = axis[k].extent.n - 1;
    rest -= index * axis[k].dst.n;
    src += index * axis[k].src.n;
    entry += index * axis[k].at.n;
  }
  *step = (ProgramStep){move->source, src, move->map, entry};
  return rest == 0;
}

// The moves of a value write all of its elements. They are in order of dst_offset.
static ProgramStep find_move(const rsh_moves *m, int64_t at) {
  ProgramStep step;
  for (const rsh_move *move = m->move; !has_element(m, move, at, &step);)
    move++;
  return step;
}

// The type of the elements that a chain other than 0 takes.
static rsh_dtype type_taken(const Program *p, int32_t map) {
  while (p->map[map].before != 0)
    map = p->map[map].before;
  return p->map[map].step.from;
}

// The properties that identify the function of a step (rsh_same_step).
static bool is_function_of(const rsh_element_function *f, const rsh_step *step) {
  bool same = f->op == (int32_t)step->op && f->from == (int32_t)step->from &&
              f->to == (int32_t)step->to && f->saturate == step->rule.saturate &&
              f->tables == step->tables;
  for (int32_t k = 0; k < RSH_CONSTANTS; k++)
    same = same && f->constant[k] == step->constant[k];
  return same;
}

// The object has a function for each step.
static void run_function(const Program *p, const rsh_step *step, int64_t at, Element *e) {
  const rsh_element_function *f = p->call->parts->functions;
  while (!is_function_of(f, step))
    f++;
  f->run(e->byte, rsh_step_entry(step, at));
}

// Applies a chain of functions in order, at position `at` of its tables. Rules have checked that they take the types.
static void apply(const Program *p, int32_t map, int64_t at, Element *e) {
  for (int32_t done = 0; done != map;) {
    int32_t next = map;
    while (p->map[next].before != done)
      next = p->map[next].before;
    const rsh_step *step = &p->map[next].step;
    const rsh_operator *rules = rsh_program_operator(p, step->op);
    if (rules->element != 0)
      (void)rules->element(step, e->byte);
    else
      run_function(p, step, at, e);
    done = next;
  }
}

// The size of a stage's elements, or parts, in bits.
static int64_t bits_of_stage(const Program *p, int32_t source) {
  rsh_moves m = rsh_program_moves_of(p, &p->folded[source].list);
  return bits_of_moves(&m, (rsh_dtype)p->value[source].dtype);
}

static bool is_stage(const Program *p, const ProgramFetch *f) {
  return f->is_value || (!rsh_is_fill(f->source) && f->source >= p->tape[RSH_TAPE_INPUTS]);
}

ProgramFetch rsh_program_begin_fetch(int32_t source, int64_t at, int64_t bits) {
  ProgramFetch f = {{{0}}, at, bits, source, 0, 0, false, 0, 0};
  return f;
}

// Begins the fetch of the next element that `f` needs.
static ProgramFetch fetch_below(const Program *p, ProgramFetch *f) {
  const rsh_program_picker *picks = p->call->parts->picks;
  if (f->pick != 0)
    return picks->next(p, f);
  int64_t have = bits_of_stage(p, f->source);
  int64_t at = f->bits <= have ? f->at / (have / f->bits) : f->at * (f->bits / have) + f->done;
  if (p->folded[f->source].pick != 0)
    return picks->begin(p, f->source, at);
  rsh_moves m = rsh_program_moves_of(p, &p->folded[f->source].list);
  ProgramStep step = find_move(&m, at);
  f->map = step.map;
  f->entry = step.at;
  if (step.map != 0)
    have = rsh_program_bits(type_taken(p, step.map));
  return rsh_program_begin_fetch(step.source, step.from, have);
}

// Receives an element of the stage: it is the wanted element, contains it, or is a part of it. True: `f` is complete.
static bool take_element(const Program *p, ProgramFetch *f, const Element *e) {
  if (f->pick != 0)
    return p->call->parts->picks->take(p, f, e);
  int64_t have = bits_of_stage(p, f->source);
  if (have == f->bits)
    f->element = *e;
  else if (have > f->bits)
    load(e->byte, f->at % (have / f->bits), f->bits, &f->element);
  else
    store(f->element.byte, f->done, have, e);
  f->done++;
  return have >= f->bits || f->done == f->bits / have;
}

// Descends through stages to an input or a constant, then ascends, applying the functions of each stage.
Element rsh_program_fetch(Program *p, ProgramFetch first) {
  int32_t depth = 0;
  p->stack[0] = first;
  for (;;) {
    ProgramFetch *f = &p->stack[depth];
    if (is_stage(p, f)) {
      p->stack[++depth] = fetch_below(p, f);
      continue;
    }
    load(rsh_is_fill(f->source) ? p->fill + 16 * (-1 - f->source) : p->source[f->source], f->at,
         f->bits, &f->element);
    bool is_whole = true;
    while (is_whole && depth > 0) {
      Element below = p->stack[depth--].element;
      apply(p, p->stack[depth].map, p->stack[depth].entry, &below);
      is_whole = take_element(p, &p->stack[depth], &below);
    }
    if (is_whole)
      return p->stack[0].element;
  }
}

// ---- all elements of a result ----

static void move_elements(Program *p, const rsh_moves *m, const rsh_move *move, rsh_dtype type,
                          unsigned char *out) {
  int64_t bits = bits_of_moves(m, type);
  int64_t taken = move->map != 0 ? rsh_program_bits(type_taken(p, move->map)) : bits;
  const rsh_axis *axis = m->axis + move->first;
  int64_t index[RSH_MAX_AXES], dst = move->dst_offset.n, src = move->src_offset.n;
  int64_t at = move->at_offset.n;
  for (int32_t k = 0; k < move->axis_count; k++)
    index[k] = 0;
  for (int32_t k = 0; k >= 0;) {
    Element e = rsh_program_fetch(p, rsh_program_begin_fetch(move->source, src, taken));
    apply(p, move->map, at, &e);
    store(out, dst, bits, &e);
    for (k = move->axis_count - 1; k >= 0; k--) {
      dst += axis[k].dst.n;
      src += axis[k].src.n;
      at += axis[k].at.n;
      if (++index[k] < axis[k].extent.n)
        break;
      dst -= axis[k].dst.n * axis[k].extent.n;
      src -= axis[k].src.n * axis[k].extent.n;
      at -= axis[k].at.n * axis[k].extent.n;
      index[k] = 0;
    }
  }
}

// Clears the bits of the last byte after the last element.
static void clear_rest(const rsh_moves *m, rsh_dtype type, unsigned char *out) {
  const Element none = {{0}};
  int64_t end = 0, bits = bits_of_moves(m, type);
  if (rsh_program_bits(type) >= 8)
    return;
  for (int32_t i = 0; i < m->count; i++) {
    const rsh_move *move = &m->move[i];
    int64_t last = move->dst_offset.n;
    for (int32_t k = 0; k < move->axis_count; k++)
      last += (m->axis[move->first + k].extent.n - 1) * m->axis[move->first + k].dst.n;
    end = last >= end ? last + 1 : end;
  }
  for (; end % (8 / bits) != 0; end++)
    store_packed(out, end, bits, &none);
}

static rsh_status move_output(Program *p, int32_t k) {
  const ProgramBoxes *o = &p->boxes[k];
  const ProgramValue *v = &p->value[p->output[k].value];
  void *out = (void *)rsh_program_data(p, tape_count(p, RSH_TAPE_INPUTS) + k);
  if (o->is_ready) {
    run_boxes(p, k, out);
    return RSH_ok;
  }
  rsh_dtype type = (rsh_dtype)v->dtype;
  rsh_moves m = rsh_program_moves_of(p, &o->list);
  if (v->elements == 0 || (p->call->parts->picks != 0 && p->call->parts->picks->copy(p, k, out)))
    return RSH_ok;
  if (o->is_plain)
    return rsh_run_moves(&m, (uint32_t)(bits_of_moves(&m, type) / 8), p->source, p->fill_place,
                         out);
  for (int32_t i = 0; i < m.count; i++)
    move_elements(p, &m, &m.move[i], type, out);
  clear_rest(&m, type, out);
  return RSH_ok;
}

static rsh_status move_outputs(Program *p) {
  rsh_status status = RSH_ok;
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_INPUTS); k++)
    p->source[k] = rsh_program_data(p, k);
  if (p->call->parts->picks != 0)
    status = p->call->parts->picks->check(p);
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_OUTPUTS) && status == RSH_ok; k++)
    status = move_output(p, k);
  return status;
}

const rsh_program_mover rsh_program_moves = {rsh_program_open_folding, rsh_program_fold_inputs,
                                             rsh_program_fold_node, fold_outputs, move_outputs};
