// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a program: the plan of the last call is taken where sizes and targets are the same.
#include "runtime/program_internal.h"

// Takes `count` objects from the caller's memory. Their size is rounded up, so that all are aligned to 8.
static inline void *take(Program *p, unsigned char *base, int64_t count, int64_t size) {
  unsigned char *at = base != 0 ? base + p->bytes : 0;
  p->bytes += (size + 7) / 8 * 8 * count;
  return at;
}

void rsh_program_open(Program *p, const int64_t *tape, void *memory, bool whole) {
  int64_t tensors = tape[RSH_TAPE_DLPACK] ? tape[RSH_TAPE_INPUTS] + tape[RSH_TAPE_OUTPUTS] : 0;
  int64_t operands = tape[RSH_TAPE_OPERANDS], room = tape[RSH_TAPE_ROOM_ALL] + tape[RSH_TAPE_ROOM];
  unsigned char *base = memory;
  p->tape = tape;
  p->memory = memory;
  p->bytes = 0;
  p->size = take(p, base, tape[RSH_TAPE_SIZES], sizeof *p->size);
  p->slot = take(p, base, tape[RSH_TAPE_SLOTS], sizeof *p->slot);
  p->tensor = take(p, base, tensors * TENSOR_WORDS, sizeof *p->tensor);
  p->atom = take(p, base, tape[RSH_TAPE_SIZES], sizeof *p->atom);
  p->value = take(p, base, tape[RSH_TAPE_VALUES], sizeof *p->value);
  p->entry = take(p, base, tape[RSH_TAPE_ENTRIES], sizeof *p->entry);
  p->operand = take(p, base, operands, 8);
  p->operand_type = take(p, base, operands, sizeof *p->operand_type);
  p->result = take(p, base, tape[RSH_TAPE_RESULTS], sizeof *p->result);
  p->output = take(p, base, tape[RSH_TAPE_OUTPUTS], sizeof *p->output);
  if (!whole)
    return;
  p->box = take(p, base, tape[RSH_TAPE_OUTPUTS] * OUTPUT_BOXES, sizeof *p->box);
  p->move = take(p, base, room, sizeof *p->move);
  int64_t lists = tape[RSH_TAPE_VALUES] + tape[RSH_TAPE_OUTPUTS];
  p->axis = take(p, base, tape_axes(room) + lists * RSH_MAX_AXES, sizeof *p->axis);
  p->map = take(p, base, tape[RSH_TAPE_MAPS], sizeof *p->map);
  p->whole = take(p, base, operands, sizeof *p->whole + 8);
  p->folded = take(p, base, operands, 8);
  p->whole_move = take(p, base, operands, sizeof *p->whole_move);
  p->whole_axis = take(p, base, operands, sizeof *p->whole_axis);
  p->fill = take(p, base, tape[RSH_TAPE_FILLS], 16);
  p->fill_place = take(p, base, tape[RSH_TAPE_FILLS], 8);
  p->source = take(p, base, tape[RSH_TAPE_INPUTS], 8);
  p->stack = take(p, base, tape[RSH_TAPE_VALUES] + 1, sizeof *p->stack);
}

enum { HEAD_BYTES = (sizeof(Program) + 7) / 8 * 8 }; // of a plan

int64_t rsh_program_plan_bytes(const int64_t *tape) {
  Program p;
  rsh_program_open(&p, tape, 0, true);
  return HEAD_BYTES + p.bytes;
}

int64_t rsh_program_shape_bytes(const int64_t *tape) {
  Program p;
  rsh_program_open(&p, tape, 0, false);
  return p.bytes;
}

// Each node is resolved and, where `f` is there, folded while it is read. What folding says counts only
// where nothing that resolving says comes later.
static rsh_status walk_nodes(Program *p, Folding *f, rsh_status *folded) {
  const int64_t *at = p->tape + p->tape[RSH_TAPE_AT_NODES];
  int32_t first = (int32_t)p->tape[RSH_TAPE_INPUTS];
  rsh_status status = RSH_ok;
  for (int64_t k = 0; k < p->tape[RSH_TAPE_NODES] && status == RSH_ok; k++) {
    NodeCall n;
    status = rsh_program_ask(p, k);
    if (status == RSH_ok)
      status = rsh_program_node(p, &at, first, &n);
    if (status == RSH_ok)
      status = rsh_program_resolve_node(p, &n);
    if (status == RSH_ok && f != 0 && *folded == RSH_ok)
      *folded = rsh_program_fold_node(f, &n);
    first += n.call.out_count;
  }
  return status == RSH_ok ? rsh_program_ask(p, p->tape[RSH_TAPE_NODES]) : status;
}

// Everything that sizes and targets settle; `f` may be NULL.
static rsh_status walk(Program *p, Folding *f) {
  rsh_status status = rsh_program_load(p), folded = RSH_ok;
  if (status == RSH_ok)
    status = rsh_program_resolve_inputs(p);
  if (status != RSH_ok)
    return status;
  folded = rsh_program_count_inputs(p);
  if (folded == RSH_ok && f != 0)
    folded = rsh_program_fold_inputs(f);
  status = walk_nodes(p, f, &folded);
  if (status == RSH_ok)
    status = rsh_program_resolve_outputs(p);
  if (status == RSH_ok && folded == RSH_ok && f != 0)
    folded = rsh_program_fold_outputs(f);
  return status == RSH_ok ? folded : status;
}

rsh_status rsh_program_shape(const int64_t *tape, const rsh_program_call *call) {
  Program p;
  rsh_program_open(&p, tape, call->memory, false);
  p.call = call;
  rsh_status status = walk(&p, 0);
  return status == RSH_ok ? rsh_program_write_dims(&p) : status;
}

static rsh_status make_plan(Program *p) {
  Folding f;
  p->is_planned = false;
  rsh_program_begin_folding(p, &f);
  rsh_status status = walk(p, &f);
  if (status == RSH_ok)
    rsh_program_prepare(p);
  p->is_planned = status == RSH_ok;
  return status;
}

rsh_status rsh_program_run(const int64_t *tape, const rsh_program_call *call) {
  Program *p = call->memory;
  unsigned char *memory = call->memory;
  if (p == 0)
    return RSH_null_pointer;
  if (p->tape != tape || p->memory != memory + HEAD_BYTES) {
    rsh_program_open(p, tape, memory + HEAD_BYTES, true);
    rsh_program_load_fills(p);
    p->is_planned = false;
  }
  p->call = call;
  bool is_same = p->is_planned && rsh_program_is_same(p);
  rsh_status status = is_same ? RSH_ok : make_plan(p);
  return status == RSH_ok ? rsh_program_move(p) : status;
}
