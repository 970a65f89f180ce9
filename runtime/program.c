// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program. If sizes and lists are the same as in the last call, its plan is reused.
#include "runtime/program_internal.h"

void *rsh_program_take(Program *p, size_t count, size_t size) {
  size_t at = p->bytes;
  p->bytes += (size + 7) / 8 * 8 * count;
  return p->memory != 0 ? p->memory + at : 0;
}

// Allocates one shape for each value, and all their dims.
static unsigned char *take_shapes(Program *p) {
  unsigned char *shapes =
      rsh_program_take(p, tape_size(p, RSH_TAPE_VALUES), offsetof(rsh_shape, dim));
  rsh_program_take(p, tape_size(p, RSH_TAPE_DIMS), sizeof(rsh_num));
  return shapes;
}

void rsh_program_open(Program *p, const int64_t *tape, void *memory) {
  p->tape = tape;
  p->memory = memory;
  p->bytes = 0;
  size_t sizes = tape_size(p, RSH_TAPE_SIZES), operands = tape_size(p, RSH_TAPE_OPERANDS);
  size_t tensors = tape_size(p, RSH_TAPE_INPUTS) + tape_size(p, RSH_TAPE_OUTPUTS);
  p->size = rsh_program_take(p, sizes, sizeof *p->size);
  p->slot = rsh_program_take(p, tape_size(p, RSH_TAPE_SLOTS), sizeof *p->slot);
  p->slot_entry = rsh_program_take(
      p, tape_size(p, RSH_TAPE_SLOTS) * tape_size(p, RSH_TAPE_SLOT_ROOM), sizeof *p->slot_entry);
  p->tensor =
      rsh_program_take(p, tape[RSH_TAPE_DLPACK] ? tensors : 0, TENSOR_WORDS * sizeof *p->tensor);
  p->atom = rsh_program_take(p, sizes, sizeof *p->atom);
  p->value = rsh_program_take(p, tape_size(p, RSH_TAPE_VALUES), sizeof *p->value);
  p->shapes = take_shapes(p);
  p->node = rsh_program_take(p, 1, sizeof *p->node);
  p->entry = rsh_program_take(p, tape_size(p, RSH_TAPE_ENTRIES), sizeof *p->entry);
  p->operand = rsh_program_take(p, operands, sizeof *p->operand);
  p->operand_type = rsh_program_take(p, operands, sizeof *p->operand_type);
  p->result = rsh_program_take(p, tape_size(p, RSH_TAPE_RESULTS), sizeof *p->result);
  p->output = rsh_program_take(p, tape_size(p, RSH_TAPE_OUTPUTS), sizeof *p->output);
}

enum { HEAD_BYTES = (sizeof(Program) + 7) / 8 * 8 }; // of a plan

int64_t rsh_program_plan_bytes(const int64_t *tape, const rsh_program_mover *mover) {
  Program p;
  rsh_program_open(&p, tape, 0);
  if (mover->open != 0)
    mover->open(&p);
  return HEAD_BYTES + (int64_t)p.bytes;
}

int64_t rsh_program_shape_bytes(const int64_t *tape) {
  Program p;
  rsh_program_open(&p, tape, 0);
  return (int64_t)p.bytes;
}

// Records a failure of folding, because any later failure of resolving takes precedence.
RSH_APART static void fold_node(Program *p) {
  const rsh_program_mover *mover = p->call->parts->mover;
  if (mover != 0 && mover->fold_node != 0 && p->fold_status == RSH_ok)
    p->fold_status = mover->fold_node(p, p->node);
}

// Resolves each node as it is read, and folds it if the mover does. Rules, which use most of the stack, are called from
// here, so the state of this function is in the plan.
static rsh_status walk_nodes(Program *p) {
  NodeCall *n = p->node;
  rsh_status status = RSH_ok;
  rsh_program_first_node(p);
  for (int32_t k = 0; k < tape_count(p, RSH_TAPE_NODES); k++) {
    status = rsh_program_ask(p, k);
    if (status == RSH_ok)
      status = rsh_program_node(p, n);
    if (status == RSH_ok && rsh_check_call(&n->call, n->result, 0, &status))
      status = n->rules->rule(&n->call, n->result, 0);
    if (status == RSH_ok)
      status = rsh_program_keep_results(p, n);
    if (status != RSH_ok)
      return status;
    fold_node(p);
  }
  return rsh_program_ask(p, tape_count(p, RSH_TAPE_NODES));
}

RSH_APART static rsh_status walk_inputs(Program *p) {
  const rsh_program_mover *mover = p->call->parts->mover;
  rsh_status status = rsh_program_load(p);
  if (status == RSH_ok)
    status = rsh_program_resolve_inputs(p);
  if (status == RSH_ok)
    status = rsh_program_load_sizes(p, 0, tape_count(p, RSH_TAPE_INPUTS));
  if (status != RSH_ok)
    return status;
  p->fold_status = rsh_program_count_inputs(p);
  if (p->fold_status == RSH_ok && mover != 0 && mover->fold_inputs != 0)
    p->fold_status = mover->fold_inputs(p);
  return RSH_ok;
}

RSH_APART static rsh_status walk_outputs(Program *p) {
  const rsh_program_mover *mover = p->call->parts->mover;
  rsh_status status = rsh_program_resolve_outputs(p);
  if (status == RSH_ok)
    status = p->fold_status;
  if (status == RSH_ok && mover != 0 && mover->fold_outputs != 0)
    status = mover->fold_outputs(p);
  return status;
}

// Computes everything that depends only on sizes and lists; without a mover only shapes.
static rsh_status walk(Program *p) {
  rsh_status status = walk_inputs(p);
  if (status == RSH_ok)
    status = walk_nodes(p);
  return status == RSH_ok ? walk_outputs(p) : status;
}

// Checked before `call` is read, because its parts differ between versions too.
static bool is_of_this_version(const int64_t *tape) {
  return tape[RSH_TAPE_MAGIC] == RSH_TAPE_VERSION;
}

rsh_status rsh_program_shape(const int64_t *tape, const rsh_program_call *call) {
  if (!is_of_this_version(tape))
    return RSH_unsupported;
  Program p;
  rsh_program_open(&p, tape, call->memory);
  p.call = call;
  rsh_status status = walk(&p);
  return status == RSH_ok ? rsh_program_write_dims(&p) : status;
}

// Lays out a plan that is new or has been moved.
static void open_plan(Program *p, const int64_t *tape, const rsh_program_mover *mover) {
  unsigned char *memory = (unsigned char *)p + HEAD_BYTES;
  if (p->tape == tape && p->memory == memory)
    return;
  rsh_program_open(p, tape, memory);
  if (mover->open != 0)
    mover->open(p);
  p->is_planned = false;
}

rsh_status rsh_program_run(const int64_t *tape, const rsh_program_call *call) {
  if (!is_of_this_version(tape))
    return RSH_unsupported;
  Program *p = call->memory;
  const rsh_program_mover *mover = call->parts->mover;
  if (p == 0)
    return RSH_null_pointer;
  open_plan(p, tape, mover);
  p->call = call;
  rsh_status status = RSH_ok;
  if (!p->is_planned || !rsh_program_is_same(p)) {
    p->is_planned = false;
    status = walk(p);
    p->is_planned = status == RSH_ok;
  }
  if (status == RSH_ok)
    status = rsh_program_check_pointers(p);
  if (status == RSH_ok)
    status = mover->move(p);
  return status == RSH_ok ? rsh_program_write_dims(p) : status;
}
