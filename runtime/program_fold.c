// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second half of a program: the nodes that results need become moves, in the order of the tape. A
// value of more moves than its room holds makes its operands stages: what follows sees such a value as
// a source of its own, whose elements are looked up one by one.
#include "runtime/program_internal.h"

static rsh_moves list_of(const Program *p, const ProgramList *list) {
  rsh_moves m = {p->move + list->move_at, p->axis + list->axis_at, list->count, list->count,
                 list->axis_count,        list->axis_count,        list->parts};
  return m;
}

rsh_moves rsh_program_moves(const Program *p, const ProgramList *list) { return list_of(p, list); }

// A list of this room at the end of the pools.
static rsh_moves open_list(Folding *f, int64_t room) {
  rsh_moves m = {f->p->move + f->move_at,
                 f->p->axis + f->axis_at,
                 0,
                 (int32_t)room,
                 0,
                 (int32_t)tape_axes(room),
                 0};
  return m;
}

// What was written to it stays.
static void close_list(Folding *f, const rsh_moves *m, ProgramList *list) {
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

static rsh_status fold_input(Folding *f, const int64_t **at, int64_t k) {
  Program *p = f->p;
  ProgramValue *v = &p->value[k];
  const int64_t *word = *at;
  rsh_moves m = open_list(f, 1);
  rsh_num stride[RSH_MAX_RANK], offset = rsh_int(0), skipped;
  bool is_strided = word[3] != 0 || p->tape[RSH_TAPE_DLPACK] != 0;
  rsh_status status = RSH_ok;
  *at += RSH_TAPE_INPUT_WORDS;
  for (int64_t i = 0; i < word[1]; i++)
    rsh_program_number(p, at, &skipped.n);
  if (p->tape[RSH_TAPE_DLPACK])
    tensor_strides(p, k, v->shape.rank, stride);
  else if (is_strided)
    status = read_strides(p, at, v->shape.rank, stride, &offset);
  if (status == RSH_ok && is_strided && v->elements > 0 && !is_row_major(&v->shape, stride))
    status = rsh_moves_strided(0, &m, (int32_t)k, &v->shape, stride, offset);
  else if (status == RSH_ok)
    status = rsh_moves_identity(&m, (int32_t)k, rsh_int(v->elements));
  close_list(f, &m, &v->list);
  v->is_staged = false;
  return status;
}

// ---- nodes ----

// What a node sees of an operand: its moves, or the value as a source.
static rsh_status open_operand(const Folding *f, const NodeCall *n, int32_t i) {
  Program *p = f->p;
  const ProgramValue *v = &p->value[n->in[i]];
  rsh_moves *m = &p->whole[i];
  p->folded[i] = m;
  if (!v->is_staged) {
    *m = list_of(p, &v->list);
    return RSH_ok;
  }
  rsh_num volume;
  rsh_moves one = {&p->whole_move[i], &p->whole_axis[i], 0, 1, 0, 1, 0};
  rsh_status status = rsh_volume(0, &v->shape, &volume);
  *m = one;
  return status == RSH_ok ? rsh_moves_identity(m, (int32_t)n->in[i], volume) : status;
}

// Where the moves of a node do not fit.
typedef struct NodeWalk {
  rsh_walk walk;
  const Folding *f;
  const NodeCall *n;
} NodeWalk;

static bool stage_operand(rsh_walk *walk, int32_t i) {
  const NodeWalk *w = (const NodeWalk *)walk;
  w->f->p->value[w->n->in[i]].is_staged = true;
  return open_operand(w->f, w->n, i) == RSH_ok;
}

static rsh_status fold_result(Folding *f, NodeCall *n, int32_t k, int64_t room) {
  Program *p = f->p;
  ProgramValue *v = &p->value[n->first + k];
  rsh_moves out = open_list(f, room);
  NodeWalk w = {{stage_operand, 0}, f, n};
  rsh_status status = RSH_ok;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ // the lowest bits are not the first
  if (n->call.op == RSH_OP_BITCAST &&
      rsh_dtype_bits(n->call.in_type[0]) != rsh_dtype_bits(rsh_out_type(&n->call)))
    return RSH_unsupported;
#endif
  n->call.maps = &f->maps;
  for (int32_t i = 0; i < n->call.in_count && status == RSH_ok; i++)
    status = open_operand(f, n, i);
  if (status == RSH_ok)
    status = rsh_fold_staged(&n->call, k, &v->shape, p->folded, &out, &f->work, &w.walk);
  close_list(f, &out, &v->list);
  v->is_staged = false;
  return status;
}

rsh_status rsh_program_fold_node(Folding *f, NodeCall *n) {
  rsh_status status = RSH_ok;
  for (int32_t i = 0; i < n->call.out_count && status == RSH_ok; i++)
    if (n->out[2 * i + 1] != 0)
      status = fold_result(f, n, i, n->out[2 * i]);
  return status;
}

// ---- results ----

static bool is_plain(const Program *p, const rsh_moves *m, rsh_dtype type) {
  bool plain = rsh_dtype_bits(type) == 0 || rsh_dtype_bits(type) >= 8 * rsh_moves_parts(m);
  for (int32_t i = 0; i < m->count; i++)
    plain = plain && m->move[i].map == 0 && m->move[i].source < p->tape[RSH_TAPE_INPUTS];
  return plain;
}

// To places at strides in the result's memory.
static rsh_status place_output(Folding *f, ProgramOutput *o, const rsh_num *stride,
                               rsh_num offset) {
  Program *p = f->p;
  ProgramValue *v = &p->value[o->value];
  int64_t room = p->tape[RSH_TAPE_ROOM];
  rsh_moves in = list_of(p, &v->list), out = open_list(f, room);
  rsh_status status = rsh_moves_place(0, &v->shape, &in, stride, offset, &out, &f->work);
  if (status == RSH_too_small) {
    rsh_moves whole = {&p->whole_move[0], &p->whole_axis[0], 0, 1, 0, 1, 0};
    v->is_staged = true;
    status = rsh_moves_identity(&whole, o->value, rsh_int(v->elements));
    if (status == RSH_ok)
      status = rsh_moves_place(0, &v->shape, &whole, stride, offset, &out, &f->work);
  }
  close_list(f, &out, &o->list);
  return status;
}

static rsh_status fold_output(Folding *f, const int64_t **at, int64_t k) {
  Program *p = f->p;
  ProgramOutput *o = &p->output[k];
  const int64_t *word = *at;
  rsh_num stride[RSH_MAX_RANK], offset = rsh_int(0), skipped;
  const ProgramValue *v = &p->value[word[0]];
  rsh_status status = RSH_ok;
  o->list = v->list;
  *at += 4;
  for (int64_t i = 0; i < word[2]; i++)
    rsh_program_number(p, at, &skipped.n);
  if (word[3] != 0)
    status = read_strides(p, at, v->shape.rank, stride, &offset);
  if (p->tape[RSH_TAPE_DLPACK])
    tensor_strides(p, p->tape[RSH_TAPE_INPUTS] + k, v->shape.rank, stride);
  bool is_strided = word[3] != 0 || p->tape[RSH_TAPE_DLPACK] != 0;
  if (status == RSH_ok && is_strided && v->elements > 0 &&
      (!is_row_major(&v->shape, stride) || offset.n != 0))
    status = place_output(f, o, stride, offset);
  rsh_moves m = list_of(p, &o->list);
  o->is_plain = is_plain(p, &m, (rsh_dtype)v->dtype);
  return status;
}

void rsh_program_load_fills(Program *p) {
  const int64_t *word = p->tape + p->tape[RSH_TAPE_AT_FILLS];
  for (int64_t i = 0; i < p->tape[RSH_TAPE_FILLS]; i++, word += 3)
    for (int b = 0; b < 16; b++)
      p->fill[16 * i + b] = (unsigned char)((uint64_t)word[1 + b / 8] >> (8 * (b % 8)));
  for (int64_t i = 0; i < p->tape[RSH_TAPE_FILLS]; i++)
    p->fill_place[i] = p->fill + 16 * i;
}

void rsh_program_begin_folding(Program *p, Folding *f) {
  const int64_t *tape = p->tape;
  int64_t room = tape[RSH_TAPE_ROOM], lists = tape[RSH_TAPE_VALUES] + tape[RSH_TAPE_OUTPUTS];
  f->p = p;
  f->maps.map = p->map;
  f->maps.count = 1;
  f->maps.capacity = (int32_t)tape[RSH_TAPE_MAPS];
  f->move_at = f->axis_at = 0;
  f->work.move = p->move + tape[RSH_TAPE_ROOM_ALL];
  f->work.axis = p->axis + tape[RSH_TAPE_ROOM_ALL] * AXES_PER_MOVE + lists * RSH_MAX_AXES;
  f->work.count = f->work.axis_count = 0;
  f->work.capacity = (int32_t)room;
  f->work.axis_capacity = (int32_t)tape_axes(room);
}

rsh_status rsh_program_fold_inputs(Folding *f) {
  const int64_t *tape = f->p->tape, *input = tape + tape[RSH_TAPE_AT_INPUTS];
  rsh_status status = RSH_ok;
  for (int64_t k = 0; k < tape[RSH_TAPE_INPUTS] && status == RSH_ok; k++)
    status = fold_input(f, &input, k);
  return status;
}

rsh_status rsh_program_fold_outputs(Folding *f) {
  const int64_t *tape = f->p->tape, *output = tape + tape[RSH_TAPE_AT_OUTPUTS];
  rsh_status status = RSH_ok;
  for (int64_t k = 0; k < tape[RSH_TAPE_OUTPUTS] && status == RSH_ok; k++)
    status = fold_output(f, &output, k);
  return status;
}
