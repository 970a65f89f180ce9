// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a program: the plan of the last call is taken where sizes and targets are the same.
#include "runtime/program_internal.h"

// Takes `count` objects from the caller's memory. Their size is rounded up, so that all are aligned to 8.
static inline void *take(Program *p, unsigned char *base, int64_t count, int64_t size) {
  unsigned char *at = base != 0 ? base + p->bytes : 0;
  p->bytes += (size + 7) / 8 * 8 * count;
  return at;
}

void rsh_program_open(Program *p, const int64_t *tape, const rsh_program_call *call, bool whole) {
  int64_t tensors = tape[RSH_TAPE_DLPACK] ? tape[RSH_TAPE_INPUTS] + tape[RSH_TAPE_OUTPUTS] : 0;
  int64_t operands = tape[RSH_TAPE_OPERANDS], room = tape[RSH_TAPE_ROOM_ALL] + tape[RSH_TAPE_ROOM];
  unsigned char *base = call != 0 ? call->memory : 0;
  p->tape = tape;
  p->call = call;
  p->bytes = 0;
  p->ready = take(p, base, 1, sizeof *p->ready);
  p->size = take(p, base, tape[RSH_TAPE_SIZES], sizeof *p->size);
  p->slot = take(p, base, tape[RSH_TAPE_SLOTS] * RSH_SLOT_ENTRIES, sizeof *p->slot);
  p->tensor = take(p, base, tensors * TENSOR_WORDS, sizeof *p->tensor);
  p->atom = take(p, base, tape[RSH_TAPE_ATOMS], sizeof *p->atom);
  p->value = take(p, base, tape[RSH_TAPE_VALUES], sizeof *p->value);
  p->entry = take(p, base, tape[RSH_TAPE_ENTRIES], sizeof *p->entry);
  p->operand = take(p, base, operands, 8);
  p->operand_type = take(p, base, operands, sizeof *p->operand_type);
  p->result = take(p, base, tape[RSH_TAPE_RESULTS], sizeof *p->result);
  if (!whole)
    return;
  p->output = take(p, base, tape[RSH_TAPE_OUTPUTS], sizeof *p->output);
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
  p->stack = take(p, base, tape[RSH_TAPE_VALUES], sizeof *p->stack);
}

int64_t rsh_program_plan_bytes(const int64_t *tape) {
  Program p;
  rsh_program_open(&p, tape, 0, true);
  return p.bytes;
}

int64_t rsh_program_shape_bytes(const int64_t *tape) {
  Program p;
  rsh_program_open(&p, tape, 0, false);
  return p.bytes;
}

rsh_status rsh_program_shape(const int64_t *tape, const rsh_program_call *call) {
  Program p;
  rsh_program_open(&p, tape, call, false);
  rsh_status status = rsh_program_load(&p);
  if (status == RSH_ok)
    status = rsh_program_resolve(&p);
  return status == RSH_ok ? rsh_program_write_dims(&p) : status;
}

rsh_status rsh_program_run(const int64_t *tape, const rsh_program_call *call) {
  Program p;
  if (call->memory == 0)
    return RSH_null_pointer;
  rsh_program_open(&p, tape, call, true);
  if (!rsh_program_is_same(&p)) {
    *p.ready = 0;
    rsh_status status = rsh_program_load(&p);
    if (status == RSH_ok)
      status = rsh_program_resolve(&p);
    if (status == RSH_ok)
      status = rsh_program_fold(&p);
    if (status != RSH_ok)
      return status;
    *p.ready = (int64_t)(intptr_t)tape;
  }
  return rsh_program_move(&p);
}
