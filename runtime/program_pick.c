// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Picks by tensors of indices in a program. Indices are looked up as elements are moved; all indices are checked before
// any output is written. Graphs without such picks do not link this file.
#include "runtime/program_internal.h"

static void open_pick(Program *p, const NodeCall *n) {
  Folding *f = p->folding;
  if (!rsh_takes_indices(&n->call))
    return;
  ProgramPick *pick = &p->pick[f->pick_count++];
  pick->data = (int32_t)n->in[0];
  pick->indices = (int32_t)n->in[1];
  pick->of.axis = p->pick_axis + f->pick_axis_count;
  // Its numbers fit: they are products of sizes of one operand or of the result.
  (void)rsh_picks_of(&n->call, &pick->of);
  f->pick_axis_count += pick->of.loop_count + pick->of.picked;
  p->folded[n->first].pick = f->pick_count;
}

// ---- indices ----

static rsh_dtype index_type(const Program *p, const ProgramPick *pick) {
  return (rsh_dtype)p->value[pick->indices].dtype;
}

// The address of a value that is contiguous in an input and has elements of whole bytes; else NULL.
static const unsigned char *contiguous_address(const Program *p, int32_t value) {
  int64_t bits = rsh_program_bits((rsh_dtype)p->value[value].dtype);
  rsh_moves m = rsh_program_moves_of(p, &p->folded[value].list);
  int32_t source;
  rsh_num offset;
  if (bits < 8 || !rsh_moves_is_alias(0, &m, &source, &offset) ||
      source >= p->tape[RSH_TAPE_INPUTS]) // a pick, or a value that is a source
    return 0;
  const unsigned char *data = p->source[source];
  return data != 0 ? data + offset.n * (bits / 8) : 0;
}

static ProgramFetch begin_of_value(const Program *p, int32_t value, int64_t at) {
  ProgramFetch f =
      rsh_program_begin_fetch(value, at, rsh_program_bits((rsh_dtype)p->value[value].dtype));
  f.is_value = true;
  return f;
}

// A negative index counts from the end.
static int64_t place_of(int64_t index, int64_t size) { return index < 0 ? index + size : index; }

static int64_t read_index(Program *p, const ProgramPick *pick, int64_t at) {
  if (pick->by != 0)
    return rsh_target_entry(pick->by, index_type(p, pick), at);
  Element e = rsh_program_fetch(p, begin_of_value(p, pick->indices, at));
  return rsh_target_entry(e.byte, index_type(p, pick), 0);
}

static const rsh_axis *picked_axis(const ProgramPick *pick, int32_t i) {
  return &pick->of.axis[pick->of.loop_count + i];
}

static rsh_status check_pick(Program *p, const ProgramPick *pick) {
  for (int32_t i = 0; i < pick->of.picked; i++) {
    int64_t size = picked_axis(pick, i)->extent.n;
    for (int64_t n = i; n < pick->of.count.n; n += pick->of.picked) {
      int64_t index = read_index(p, pick, n);
      if (index < -size || index >= size)
        return RSH_bad_index;
    }
  }
  return RSH_ok;
}

// In the order of the nodes: indices may themselves be picked, by indices that are already checked.
static rsh_status check_picks(Program *p) {
  rsh_status status = RSH_ok;
  for (int32_t i = 0; i < p->folding->pick_count && status == RSH_ok; i++) {
    p->pick[i].by = contiguous_address(p, p->pick[i].indices);
    status = check_pick(p, &p->pick[i]);
  }
  return status;
}

// ---- one element ----

// The loop indices are the digits of the element's number.
static ProgramFetch begin_pick(const Program *p, int32_t value, int64_t at) {
  const ProgramPick *pick = &p->pick[p->folded[value].pick - 1];
  ProgramFetch f = begin_of_value(p, value, 0);
  f.pick = pick;
  for (int32_t i = 0; i < pick->of.loop_count; i++) {
    const rsh_axis *loop = &pick->of.axis[i];
    int64_t index = at / loop->dst.n;
    at -= index * loop->dst.n;
    f.at += index * loop->src.n;
    f.entry += index * loop->at.n;
  }
  f.at += at; // within the run
  return f;
}

static ProgramFetch next_of_pick(const Program *p, const ProgramFetch *f) {
  return f->done < f->pick->of.picked ? begin_of_value(p, f->pick->indices, f->entry + f->done)
                                      : begin_of_value(p, f->pick->data, f->at);
}

static bool take_of_pick(const Program *p, ProgramFetch *f, const Element *e) {
  if (f->done == f->pick->of.picked) {
    f->element = *e;
    return true;
  }
  const rsh_axis *axis = picked_axis(f->pick, f->done++);
  int64_t index = rsh_target_entry(e->byte, index_type(p, f->pick), 0);
  f->at += place_of(index, axis->extent.n) * axis->src.n;
  return false;
}

// ---- runs ----

// The pick whose elements an output has, in order and from its first address on; else NULL. A flipped pick whose result
// has a negative stride is also in order, but begins before that address. A bitcast of a part may have as many elements
// as the pick: 4 bytes of one of 4 f32.
static const ProgramPick *pick_of_output(const Program *p, int32_t k) {
  int32_t value = p->output[k].value, source;
  rsh_moves m = rsh_program_moves_of(p, &p->boxes[k].list);
  rsh_num offset;
  if (!rsh_moves_is_alias(0, &m, &source, &offset) || offset.n != 0 ||
      p->folded[source].pick == 0 || rsh_program_volume(p, source).n != p->value[value].elements ||
      rsh_program_bits((rsh_dtype)p->value[source].dtype) !=
          rsh_program_bits((rsh_dtype)p->value[value].dtype))
    return 0;
  return &p->pick[p->folded[source].pick - 1];
}

// The first element of the run for the tuple that begins at index number `at`; `src` is the offset of the loops.
static int64_t find_run(Program *p, const ProgramPick *pick, int64_t at, int64_t src) {
  for (int32_t i = 0; i < pick->of.picked; i++) {
    const rsh_axis *axis = picked_axis(pick, i);
    src += place_of(read_index(p, pick, at + i), axis->extent.n) * axis->src.n;
  }
  return src;
}

static bool copy_runs(Program *p, int32_t k, unsigned char *out) {
  const ProgramPick *pick = pick_of_output(p, k);
  int64_t bytes = rsh_program_bits((rsh_dtype)p->value[p->output[k].value].dtype) / 8;
  const unsigned char *data = pick != 0 ? contiguous_address(p, pick->data) : 0;
  if (data == 0)
    return false;
  const rsh_picks *of = &pick->of;
  int64_t index[RSH_MAX_RANK], dst = 0, src = 0, at = 0;
  for (int32_t i = 0; i < of->loop_count; i++)
    index[i] = 0;
  for (int32_t i = 0; i >= 0;) {
    rsh_copy_bytes(out + dst * bytes, data + find_run(p, pick, at, src) * bytes,
                   (size_t)(of->run.n * bytes));
    for (i = of->loop_count - 1; i >= 0; i--) {
      const rsh_axis *loop = &of->axis[i];
      dst += loop->dst.n;
      src += loop->src.n;
      at += loop->at.n;
      if (++index[i] < loop->extent.n)
        break;
      dst -= loop->dst.n * loop->extent.n;
      src -= loop->src.n * loop->extent.n;
      at -= loop->at.n * loop->extent.n;
      index[i] = 0;
    }
  }
  return true;
}

const rsh_program_picker rsh_program_picks = {open_pick,    check_picks,  begin_pick,
                                              next_of_pick, take_of_pick, copy_runs};
