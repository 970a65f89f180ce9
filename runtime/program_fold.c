// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second half of a program: folds the nodes that results need into moves, in the order of the tape. If the
// moves of a value do not fit its room, its operands become stages. For later nodes, a stage is a separate source,
// whose elements are looked up one by one.
#include "runtime/program_internal.h"

rsh_moves rsh_program_moves_of(const Program *p, const ProgramList *list) {
  rsh_moves m = {p->move + list->move_at, p->axis + list->axis_at, list->count, list->count,
                 list->axis_count,        list->axis_count,        list->parts};
  return m;
}

// A list of this room at the end of the pools.
static rsh_moves open_list(const Program *p, int64_t room) {
  const Folding *f = p->folding;
  rsh_moves m = {p->move + f->move_at,
                 p->axis + f->axis_at,
                 0,
                 (int32_t)room,
                 0,
                 (int32_t)rsh_axes_of_moves(room),
                 0};
  return m;
}

// Commits the contents of the list.
static void close_list(Program *p, const rsh_moves *m, ProgramList *list) {
  Folding *f = p->folding;
  list->count = m->count;
  list->axis_count = m->axis_count;
  list->parts = m->parts;
  list->move_at = f->move_at;
  list->axis_at = f->axis_at;
  f->move_at += m->count;
  f->axis_at += m->axis_count;
}

// ---- inputs ----

static rsh_status read_strides(const Program *p, const int64_t **at, int32_t rank, rsh_num *stride,
                               rsh_num *offset) {
  for (int32_t i = 0; i <= rank; i++) {
    rsh_num *out = i < rank ? &stride[i] : offset;
    rsh_forget_poly(out);
    if (!rsh_program_number(p, at, &out->n))
      return RSH_overflow;
  }
  return RSH_ok;
}

// The strides of a DLTensor.
static void tensor_strides(const Program *p, int64_t k, int32_t rank, rsh_num *stride) {
  const int64_t *word = p->tensor + k * TENSOR_WORDS + 1 + RSH_MAX_RANK;
  for (int32_t i = 0; i < rank; i++)
    stride[i] = rsh_int(word[i]);
}

static bool is_row_major(const rsh_shape *shape, const rsh_num *stride) {
  int64_t dense = 1;
  for (int32_t i = shape->rank - 1; i >= 0; i--) {
    if (shape->dim[i].n != 1 && stride[i].n != dense)
      return false;
    dense *= shape->dim[i].n;
  }
  return true;
}

static rsh_status fold_input(Program *p, const int64_t **at, int64_t k) {
  const ProgramValue *v = &p->value[k];
  const int64_t *word = *at;
  rsh_moves m = open_list(p, 1);
  rsh_num stride[RSH_MAX_RANK], offset = rsh_int(0), skipped;
  bool is_strided = word[3] != 0 || p->tape[RSH_TAPE_DLPACK] != 0;
  rsh_status status = RSH_ok;
  *at += RSH_TAPE_INPUT_WORDS;
  for (int64_t i = 0; i < word[1]; i++)
    rsh_program_number(p, at, &skipped.n);
  if (p->tape[RSH_TAPE_DLPACK])
    tensor_strides(p, k, v->shape->rank, stride);
  else if (is_strided)
    status = read_strides(p, at, v->shape->rank, stride, &offset);
  if (status == RSH_ok && is_strided && v->elements > 0 && !is_row_major(v->shape, stride))
    status = rsh_moves_strided(0, &m, (int32_t)k, v->shape, stride, offset);
  else if (status == RSH_ok)
    status = rsh_moves_identity(&m, (int32_t)k, rsh_int(v->elements));
  close_list(p, &m, &p->folded[k].list);
  p->folded[k].is_staged = false;
  p->folded[k].pick = 0;
  return status;
}

// ---- nodes ----

// A value as a separate source, in a list with room for one move.
static void identity_of(const Program *p, int32_t value, rsh_moves *out) {
  (void)rsh_moves_identity(out, value, rsh_program_volume(p, value));
}

// Sets an operand of a node: the moves of the value, or the value as a source.
static void open_operand(Program *p, const NodeCall *n, int32_t i) {
  const ProgramFolded *v = &p->folded[n->in[i]];
  rsh_moves *m = &p->whole[i];
  p->operand_moves[i] = m;
  if (!v->is_staged) {
    *m = rsh_program_moves_of(p, &v->list);
    return;
  }
  rsh_moves one = {&p->whole_move[i], &p->whole_axis[i], 0, 1, 0, 1, 0};
  *m = one;
  identity_of(p, (int32_t)n->in[i], m);
}

// The callbacks for nodes whose moves do not fit.
typedef struct NodeWalk {
  rsh_walk walk;
  Program *p;
  const NodeCall *n;
} NodeWalk;

static bool stage_operand(rsh_walk *walk, int32_t i) {
  const NodeWalk *w = (const NodeWalk *)walk;
  w->p->folded[w->n->in[i]].is_staged = true;
  open_operand(w->p, w->n, i);
  return true;
}

static rsh_status fold_result(Program *p, NodeCall *n, int32_t k, int64_t room) {
  const rsh_shape *shape = p->value[n->first + k].shape;
  ProgramFolded *v = &p->folded[n->first + k];
  Folding *f = p->folding;
  rsh_moves out = open_list(p, room);
  NodeWalk w = {{n->rules->fold, stage_operand, 0}, p, n};
  rsh_status status = RSH_ok;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ // the lowest bits are not in the first byte
  if (n->call.op == RSH_OP_BITCAST &&
      rsh_dtype_bits(n->call.in_type[0]) != rsh_dtype_bits(rsh_out_type(&n->call)))
    return RSH_unsupported;
#endif
  n->call.maps = &f->maps;
  v->pick = 0;
  if (p->call->parts->picks != 0)
    p->call->parts->picks->open(p, n);
  for (int32_t i = 0; i < n->call.in_count; i++)
    open_operand(p, n, i);
  if (v->pick != 0)
    identity_of(p, n->first, &out);
  else
    status = rsh_fold_staged(&n->call, k, shape, p->operand_moves, &out, &f->work, &w.walk);
  close_list(p, &out, &v->list);
  v->is_staged = false;
  return status;
}

rsh_status rsh_program_fold_node(Program *p, NodeCall *n) {
  rsh_status status = RSH_ok;
  for (int32_t i = 0; i < n->call.out_count && status == RSH_ok; i++)
    if (n->out[2 * i + 1] != 0)
      status = fold_result(p, n, i, n->out[2 * i]);
  return status;
}

// ---- results ----

static bool is_plain(const Program *p, const rsh_moves *m, rsh_dtype type) {
  bool plain = rsh_dtype_bits(type) == 0 || rsh_dtype_bits(type) >= 8 * rsh_moves_parts(m);
  for (int32_t i = 0; i < m->count; i++)
    plain = plain && m->move[i].map == 0 && m->move[i].source < p->tape[RSH_TAPE_INPUTS];
  return plain;
}

// Redirects the moves to the strides of the result's memory.
static rsh_status place_output(Program *p, int64_t k, const rsh_num *stride, rsh_num offset) {
  int32_t value = p->output[k].value;
  const ProgramValue *v = &p->value[value];
  rsh_moves *work = &p->folding->work;
  rsh_moves in = rsh_program_moves_of(p, &p->folded[value].list);
  rsh_moves out = open_list(p, p->tape[RSH_TAPE_ROOM]);
  rsh_status status = rsh_moves_place(0, v->shape, &in, stride, offset, &out, work);
  if (status == RSH_too_small) {
    rsh_moves whole = {&p->whole_move[0], &p->whole_axis[0], 0, 1, 0, 1, 0};
    p->folded[value].is_staged = true;
    identity_of(p, value, &whole);
    status = rsh_moves_place(0, v->shape, &whole, stride, offset, &out, work);
  }
  close_list(p, &out, &p->boxes[k].list);
  return status;
}

static rsh_status fold_output(Program *p, const int64_t **at, int64_t k) {
  ProgramBoxes *o = &p->boxes[k];
  const int64_t *word = *at;
  rsh_num stride[RSH_MAX_RANK], offset = rsh_int(0), skipped;
  const ProgramValue *v = &p->value[word[0]];
  rsh_status status = RSH_ok;
  o->list = p->folded[word[0]].list;
  *at += RSH_TAPE_OUTPUT_WORDS;
  for (int64_t i = 0; i < word[2]; i++)
    rsh_program_number(p, at, &skipped.n);
  if (word[3] != 0)
    status = read_strides(p, at, v->shape->rank, stride, &offset);
  if (p->tape[RSH_TAPE_DLPACK])
    tensor_strides(p, p->tape[RSH_TAPE_INPUTS] + k, v->shape->rank, stride);
  bool is_strided = word[3] != 0 || p->tape[RSH_TAPE_DLPACK] != 0;
  if (status == RSH_ok && is_strided && v->elements > 0 && !is_row_major(v->shape, stride))
    status = place_output(p, k, stride, offset);
  rsh_moves m = rsh_program_moves_of(p, &o->list);
  o->is_plain = is_plain(p, &m, (rsh_dtype)v->dtype);
  return status;
}

// Where byte b of an element is in memory, counted from the lowest bits. A complex number has two parts.
static int32_t place_of_byte(rsh_dtype type, int32_t b) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  int32_t bytes = rsh_dtype_bits(type) / (rsh_dtype_is_complex(type) ? 16 : 8);
  return bytes > 1 ? b + bytes - 1 - 2 * (b % bytes) : b;
#else
  (void)type;
  return b;
#endif
}

static void load_fills(Program *p) {
  const int64_t *word = p->tape + p->tape[RSH_TAPE_AT_FILLS];
  for (int64_t i = 0; i < p->tape[RSH_TAPE_FILLS]; i++, word += 3)
    for (int32_t b = 0; b < 16; b++)
      p->fill[16 * i + place_of_byte((rsh_dtype)word[0], b)] =
          (unsigned char)((uint64_t)word[1 + b / 8] >> (8 * (b % 8)));
  for (int64_t i = 0; i < p->tape[RSH_TAPE_FILLS]; i++)
    p->fill_place[i] = p->fill + 16 * i;
}

void rsh_program_open_folding(Program *p) {
  size_t values = tape_size(p, RSH_TAPE_VALUES), outputs = tape_size(p, RSH_TAPE_OUTPUTS);
  size_t operands = tape_size(p, RSH_TAPE_OPERANDS), fills = tape_size(p, RSH_TAPE_FILLS);
  size_t room = tape_size(p, RSH_TAPE_ROOM_ALL) + tape_size(p, RSH_TAPE_ROOM);
  p->folded = rsh_program_take(p, values, sizeof *p->folded);
  p->boxes = rsh_program_take(p, outputs, sizeof *p->boxes);
  p->folding = rsh_program_take(p, 1, sizeof *p->folding);
  p->box = rsh_program_take(p, outputs * OUTPUT_BOXES, sizeof *p->box);
  p->move = rsh_program_take(p, room, sizeof *p->move);
  p->axis = rsh_program_take(
      p, (size_t)rsh_axes_of_moves((int64_t)room) + (values + outputs) * RSH_MAX_AXES,
      sizeof *p->axis);
  p->map = rsh_program_take(p, tape_size(p, RSH_TAPE_MAPS), sizeof *p->map);
  p->whole = rsh_program_take(p, operands, sizeof *p->whole + 8);
  p->operand_moves = rsh_program_take(p, operands, sizeof *p->operand_moves);
  p->whole_move = rsh_program_take(p, operands, sizeof *p->whole_move);
  p->whole_axis = rsh_program_take(p, operands, sizeof *p->whole_axis);
  p->fill = rsh_program_take(p, fills, 16);
  p->fill_place = rsh_program_take(p, fills, sizeof *p->fill_place);
  p->source = rsh_program_take(p, tape_size(p, RSH_TAPE_INPUTS), sizeof *p->source);
  p->stack = rsh_program_take(p, values + tape_size(p, RSH_TAPE_PICKS) + 2, sizeof *p->stack);
  p->pick = rsh_program_take(p, tape_size(p, RSH_TAPE_PICKS), sizeof *p->pick);
  p->pick_axis = rsh_program_take(p, tape_size(p, RSH_TAPE_PICK_AXES), sizeof *p->pick_axis);
  if (p->memory != 0)
    load_fills(p);
}

static void begin_folding(Program *p) {
  const int64_t *tape = p->tape;
  int64_t room = tape[RSH_TAPE_ROOM], lists = tape[RSH_TAPE_VALUES] + tape[RSH_TAPE_OUTPUTS];
  Folding *f = p->folding;
  f->maps.map = p->map;
  f->maps.count = 1;
  f->maps.capacity = (int32_t)tape[RSH_TAPE_MAPS];
  f->move_at = f->axis_at = 0;
  f->pick_count = f->pick_axis_count = 0;
  f->work.move = p->move + tape[RSH_TAPE_ROOM_ALL];
  f->work.axis = p->axis + tape[RSH_TAPE_ROOM_ALL] * RSH_AXES_PER_MOVE + lists * RSH_MAX_AXES;
  f->work.count = f->work.axis_count = 0;
  f->work.capacity = (int32_t)room;
  f->work.axis_capacity = (int32_t)rsh_axes_of_moves(room);
}

rsh_status rsh_program_fold_inputs(Program *p) {
  const int64_t *tape = p->tape, *input = tape + tape[RSH_TAPE_AT_INPUTS];
  rsh_status status = RSH_ok;
  begin_folding(p);
  for (int64_t k = 0; k < tape[RSH_TAPE_INPUTS] && status == RSH_ok; k++)
    status = fold_input(p, &input, k);
  return status;
}

rsh_status rsh_program_fold_outputs(Program *p) {
  const int64_t *tape = p->tape, *output = tape + tape[RSH_TAPE_AT_OUTPUTS];
  rsh_status status = RSH_ok;
  for (int64_t k = 0; k < tape[RSH_TAPE_OUTPUTS] && status == RSH_ok; k++)
    status = fold_output(p, &output, k);
  return status;
}
