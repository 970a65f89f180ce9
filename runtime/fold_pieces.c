// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fold rules of operators that take their operand in several pieces: pad, center_crop_pad,
// tile, repeat, roll, gather, reverse_sequence.
//
//   [5] pads [2,0] mode "reflect"    2 1 | 0 1 2 3 4: elements 2 to 1 backwards, then all five
//   [4,6] roll [1,2]                 four boxes: two ranges of each axis
#include "runtime/fold_rules.h"

// ---- axes that continue beyond their ends ----

// How a padded or rolled axis continues outside of the kept part.
typedef struct Border {
  enum {
    NOTHING,
    EDGE,
    REFLECT,
    SYMMETRIC,
    WRAP,
    ROLL
  } kind;        // ROLL: by `before` elements, 0 < before < kept
  bool is_short; // its ends are one piece each, whatever its size; else all numbers are known
  rsh_padding pad;
} Border;

// Elements that repeat in every period of the result's axis: `length` of them from `phase` on,
// elements start, start + step, ... of the operand.
typedef struct Run {
  int64_t phase, length, start, step;
} Run;

// Part 0 of the run is an occurrence that is cut off at the start of the axis, perhaps also at its end, part 1 all
// whole ones, part 2 one that is cut off only at the end of the axis. Periods are counted from the first kept element.
//
//   [3] pads [4,3] "wrap"    2 | 0 1 2 | 0 1 2 | 0 1 2    the first; 3 times 3 elements
static bool run_part(const Border *b, const Run *run, int64_t period, int part, Projection *p) {
  int64_t size = b->pad.before.n + b->pad.kept.n + b->pad.after.n;
  int64_t origin = b->pad.before.n + run->phase; // of the run in period 0
  int64_t first = rsh_floor_div(-origin - run->length, period) + 1,
          last = rsh_floor_div(size - 1 - origin, period);
  int64_t first_whole = -rsh_floor_div(origin, period),
          last_whole = rsh_floor_div(size - run->length - origin, period);
  int64_t from = first, times = 1;
  if (part == 0 && first >= first_whole)
    return false;
  if (part == 1) {
    from = first_whole;
    times = last_whole - first_whole + 1;
  } else if (part == 2) {
    from = last;
    times = last > last_whole && last >= first_whole;
  }
  if (run->length < 1 || times < 1)
    return false;
  int64_t low = origin + from * period, cropped = low < 0 ? -low : 0;
  int64_t left = size - (low + cropped), count = run->length - cropped;
  p->start = rsh_int(run->start + cropped * run->step);
  p->step = rsh_int(run->step);
  p->count = rsh_int(count < left ? count : left);
  p->at = rsh_int(low + cropped);
  p->repeat = rsh_int(times);
  p->pitch = rsh_int(period);
  if (p->count.n == 1)
    p->step = rsh_int(1);
  return true;
}

static int64_t clamp(int64_t n, int64_t most) { return n < 0 ? 0 : n < most ? n : most; }

// Element `start` `before` times, the kept elements, of which there are some, the last of them `after` times. One of
// these numbers may be below 0: it crops the others.
static bool edge_part(const Border *b, int part, Projection *p) {
  const rsh_padding *pad = &b->pad;
  int64_t first = pad->before.n, last = first + pad->kept.n, size = last + pad->after.n;
  int64_t low = part == 0 ? 0 : clamp(part == 1 ? first : last, size);
  int64_t high = part == 2 ? size : clamp(part == 0 ? first : last, size);
  bool is_kept = part == 1;
  p->start = rsh_int(pad->start.n + (is_kept ? low - first : part == 2 ? pad->kept.n - 1 : 0));
  p->at = rsh_int(low);
  p->count = rsh_int(is_kept ? high - low : 1);
  p->repeat = rsh_int(is_kept ? 1 : high - low);
  p->pitch = rsh_int(1);
  return low < high;
}

// Whether each end takes elements of the kept part at most once, or repeats one of them. Sizes may be symbolic.
static bool is_short(Calc *c, const rsh_symbols *s, const Border *b) {
  const rsh_num zero = rsh_int(0), kept = b->pad.kept;
  rsh_num room = b->kind == REFLECT ? rsh_calc_sub(c, kept, rsh_int(1)) : kept;
  if (!rsh_at_most(s, zero, b->pad.before) || !rsh_at_most(s, zero, b->pad.after))
    return false;
  return b->kind == EDGE
             ? rsh_sign(s, kept) == 1
             : rsh_at_most(s, b->pad.before, room) && rsh_at_most(s, b->pad.after, room);
}

// Piece 0 of such an axis is before the kept part, piece 2 after it.
//
//   [S] pads [2,1] mode "reflect"    2 1 | 0 ... S-1 | S-2
static bool short_part(Calc *c, const Border *b, int part, Projection *p) {
  const rsh_padding *pad = &b->pad;
  const rsh_num end = rsh_calc_add(c, pad->start, pad->kept), one = rsh_int(1);
  rsh_num count = part == 0 ? pad->before : pad->after;
  p->at = part == 0 ? rsh_int(0) : pad->before;
  if (part == 1 || part > 2)
    return part == 1;
  if (part == 2)
    p->at = rsh_calc_add(c, pad->before, pad->kept);
  if (b->kind == WRAP) {
    p->start = part == 0 ? rsh_calc_sub(c, end, count) : pad->start;
    p->count = count;
  } else if (b->kind == EDGE) {
    p->start = part == 0 ? pad->start : rsh_calc_sub(c, end, one);
    p->count = p->pitch = one;
    p->repeat = count;
  } else {
    rsh_num nearest = rsh_int(b->kind == REFLECT); // to the end: it is not repeated
    p->start = part == 0 ? rsh_calc_add(c, pad->start, rsh_calc_sub(c, count, one))
                         : rsh_calc_sub(c, end, one);
    p->start = (part == 0 ? rsh_calc_add : rsh_calc_sub)(c, p->start, nearest);
    p->count = count;
    p->step = rsh_int(rsh_is(count, 1) ? 1 : -1);
  }
  return !rsh_is(count, 0);
}

// The last elements come first, then the others. Sizes may be symbolic.
//
//   [S] roll 1    S-1 | 0 ... S-2
static bool roll_part(Calc *c, const Border *b, int part, Projection *p) {
  rsh_num rest = rsh_calc_sub(c, b->pad.kept, b->pad.before);
  p->start = part == 0 ? rest : rsh_int(0);
  p->count = part == 0 ? b->pad.before : rest;
  p->at = part == 0 ? rsh_int(0) : b->pad.before;
  return part < 2;
}

// Piece `part` of axis `from`. False: there are fewer pieces.
static bool border_part(Calc *c, const Border *b, int32_t from, int part, Projection *p) {
  int64_t d = b->pad.kept.n, start = b->pad.start.n; // of known sizes
  *p = keep(from, b->pad.kept);
  p->start = b->pad.start;
  if (b->kind == NOTHING)
    return part == 0;
  if (b->kind == ROLL)
    return roll_part(c, b, part, p);
  if (b->is_short)
    return short_part(c, b, part, p);
  if (b->kind == EDGE)
    return part < 3 && edge_part(b, part, p);
  Run run = {0, d, start, 1};
  if (b->kind == WRAP || d == 1)
    return part < 3 && run_part(b, &run, d, part, p);
  int64_t ends =
      b->kind ==
      REFLECT; // 0 1 2 3 | 2 1: the way back omits both ends; symmetric: 0 1 2 3 | 3 2 1 0
  if (part >= 3) {
    run.phase = d;
    run.length = d - 2 * ends;
    run.start = start + d - 1 - ends;
    run.step = -1;
  }
  return run_part(b, &run, 2 * (d - ends), part % 3, p);
}

enum { MAX_PARTS = 6, MAX_PAD_PIECES = 1 << 12 };

// The next piece of axis `from` after number *part; false after the last.
static bool next_part(Calc *c, const Border *b, int32_t from, int *part, Projection *p) {
  while (++*part < MAX_PARTS)
    if (border_part(c, b, from, *part, p))
      return true;
  return false;
}

// Whether all numbers are known, and so small that nothing above overflows.
static bool is_countable(const Border *b) {
  const rsh_padding *p = &b->pad;
  const int64_t limit = INT64_MAX / 8;
  return rsh_is_known(p->start) && rsh_is_known(p->kept) && rsh_is_known(p->before) &&
         rsh_is_known(p->after) && p->kept.n <= limit && p->before.n <= limit &&
         p->after.n <= limit;
}

// Each combination of the axes' pieces is a box of the result.
static void project_borders(Fold *f, const rsh_shape *in, const rsh_shape *out, Border *border) {
  Projection dim[RSH_MAX_RANK];
  int part[RSH_MAX_RANK];
  for (int32_t i = 0; i < in->rank; i++) {
    part[i] = -1;
    bool continues = border[i].kind != NOTHING && border[i].kind != ROLL;
    border[i].is_short = continues && !is_countable(&border[i]);
    if (border[i].is_short && !is_short(&f->c, f->call->symbols, &border[i]))
      f->c.status = RSH_unknown_size;
    if (f->c.status != RSH_ok)
      return;
    next_part(&f->c, &border[i], i, &part[i], &dim[i]); // each axis has a piece
  }
  for (int32_t i = 0; i >= 0 && f->c.status == RSH_ok;) {
    project(f, in, out, dim);
    for (i = in->rank - 1; i >= 0 && !next_part(&f->c, &border[i], i, &part[i], &dim[i]); i--) {
      part[i] = -1;
      next_part(&f->c, &border[i], i, &part[i], &dim[i]);
    }
  }
}

// ---- pad ----

// Appends a box of the result that has the constant.
static void push_fill(Fold *f, const rsh_num *low, const rsh_num *count) {
  const rsh_shape *out = f->out_shape;
  rsh_move fill = {.source = -1 - f->call->fill};
  int32_t parts = rsh_moves_parts(f->out);
  rsh_num offset = rsh_int(0), stride = rsh_int(parts), spread[RSH_MAX_RANK];
  for (int32_t i = out->rank - 1; i >= 0; i--) {
    if (rsh_is(count[i], 0))
      return;
    spread[i] = stride;
    offset = rsh_calc_add(&f->c, offset, rsh_calc_mul(&f->c, low[i], stride));
    stride = rsh_calc_mul(&f->c, stride, out->dim[i]);
  }
  for (int32_t part = 0; part < parts && f->c.status == RSH_ok; part++) {
    fill.src_offset = rsh_int(part);
    if (rsh_moves_push(&f->c, f->out, &fill, rsh_calc_add(&f->c, offset, rsh_int(part))) == 0)
      return;
    for (int32_t i = 0; i < out->rank; i++)
      rsh_moves_push_repeat(&f->c, f->out, count[i], spread[i]);
    if (f->c.status == RSH_ok)
      rsh_moves_end_last(&f->c, f->out);
  }
}

// The kept part, and for each axis, from the outermost on, a box before and one after it; boxes of inner
// axes are within the kept part of the outer ones.
static void pad_constant(Fold *f, const Border *border) {
  const rsh_shape *in = f->call->in[0], *out = f->out_shape;
  rsh_num low[RSH_MAX_RANK], count[RSH_MAX_RANK];
  Projection dim[RSH_MAX_RANK];
  bool any = true;
  keep_all(in, dim);
  for (int32_t i = 0; i < in->rank; i++) {
    const rsh_padding *pad = &border[i].pad;
    dim[i].start = pad->start;
    dim[i].count = pad->kept;
    dim[i].at = pad->before;
    any = any && !rsh_is(pad->kept, 0);
    low[i] = rsh_int(0);
    count[i] = out->dim[i];
  }
  if (any)
    project(f, in, out, dim);
  for (int32_t i = 0; i < in->rank && f->c.status == RSH_ok; i++) {
    const rsh_padding *pad = &border[i].pad;
    count[i] = pad->before;
    push_fill(f, low, count);
    low[i] = rsh_calc_add(&f->c, pad->before, pad->kept);
    count[i] = pad->after;
    push_fill(f, low, count);
    low[i] = pad->before;
    count[i] = pad->kept;
  }
}

void rsh_fold_pad(Fold *f) {
  const rsh_shape *in = f->call->in[0];
  Border border[RSH_MAX_RANK];
  rsh_pad_mode mode;
  rsh_pad_mode_of(f->call, &mode);
  for (int32_t i = 0; i < in->rank && f->c.status == RSH_ok; i++) {
    rsh_padding *pad = &border[i].pad;
    f->c.status = rsh_pad_axis(f->call, i, pad, 0);
    static const int kinds[RSH_PAD_MODES] = {NOTHING, EDGE, REFLECT, SYMMETRIC, WRAP};
    border[i].kind = kinds[mode];
    if (rsh_is(f->out_shape->dim[i], 0))
      pad->kept = pad->before = pad->after = rsh_int(0); // cropped last
    if (rsh_is(pad->before, 0) && rsh_is(pad->after, 0))
      border[i].kind = NOTHING;
  }
  if (f->c.status != RSH_ok)
    return;
  if (mode == RSH_PAD_CONSTANT)
    pad_constant(f, border);
  else
    project_borders(f, in, f->out_shape, border);
}

void rsh_fold_center_crop_pad(Fold *f) {
  Border border[RSH_MAX_RANK];
  for (int32_t i = 0; i < f->call->in[0]->rank && f->c.status == RSH_ok; i++) {
    border[i].kind = NOTHING;
    f->c.status = rsh_pad_axis(f->call, i, &border[i].pad, 0);
  }
  if (f->c.status == RSH_ok)
    pad_constant(f, border);
}

// ---- tile and roll ----

void rsh_fold_tile(Fold *f) {
  const rsh_shape *in = f->call->in[0];
  Projection dim[RSH_MAX_RANK];
  keep_all(in, dim);
  for (int32_t i = 0; i < in->rank; i++) {
    dim[i].repeat = f->call->arg[0].list[i];
    dim[i].pitch = in->dim[i];
  }
  project(f, in, f->out_shape, dim);
}

// Axis by axis, each followed by an axis for its repeats:
//
//   [4,6] repeats [1,2]    [4,6] to [4,6,2], whose last axis is new
void rsh_fold_repeat(Fold *f) {
  const rsh_shape *in = f->call->in[0];
  const rsh_num *repeats = f->call->arg[0].list;
  rsh_shape out = {0, {{0}}};
  Projection dim[RSH_MAX_RANK]; // its shape rule checks that these are enough
  for (int32_t i = 0; i < in->rank; i++) {
    dim[out.rank] = keep(i, in->dim[i]);
    out.dim[out.rank++] = in->dim[i];
    if (rsh_is(repeats[i], 1))
      continue;
    dim[out.rank] = keep(-1, repeats[i]);
    out.dim[out.rank++] = repeats[i];
  }
  project(f, in, &out, dim);
}

static void roll_axis(Fold *f, int32_t axis, rsh_num size, Border *border) {
  const rsh_padding whole = {{0}, size, {0}, {0}};
  border->kind = NOTHING;
  border->pad = whole;
  rsh_num distance;
  rsh_status status = rsh_roll_distance(f->call, axis, &size, &distance);
  if (status != RSH_ok)
    f->c.status = status;
  if (status != RSH_ok || rsh_is(distance, 0) || rsh_equal(distance, size))
    return;
  border->kind = ROLL;
  border->pad.before = distance;
}

void rsh_fold_roll(Fold *f) {
  const rsh_shape *in = f->call->in[0];
  Border border[RSH_MAX_RANK];
  if (f->call->arg[1].kind == RSH_ARG_LIST) {
    for (int32_t i = 0; i < in->rank; i++)
      roll_axis(f, i, in->dim[i], &border[i]);
    if (f->c.status == RSH_ok)
      project_borders(f, in, in, border);
    return;
  }
  rsh_shape flat = {1, {{0}}};
  f->c.status = rsh_volume(f->call->symbols, in, &flat.dim[0]);
  if (f->c.status == RSH_ok)
    roll_axis(f, -1, flat.dim[0], &border[0]);
  if (f->c.status == RSH_ok)
    project_borders(f, &flat, &flat, border);
}

// ---- gather ----

// The number of indices from `at` on that are an arithmetic progression, and its step: 0 2 4 6 1 3 5 7 are two
// runs of four. If the size of the axis is known, -1 is the last element; otherwise it is a separate run.
static int32_t gather_run(const rsh_call *call, rsh_num size, int32_t at, int64_t *step) {
  const rsh_num *index = call->arg[0].list;
  int32_t count = call->arg[0].count, length = 1;
  int64_t end = rsh_is_known(size) ? size.n : 0;
  for (*step = 0; at + length < count; length++) {
    int64_t a = index[at + length - 1].n, b = index[at + length].n;
    if (!rsh_is_known(size) && (a < 0) != (b < 0)) // 0 -1: the first and the last
      break;
    int64_t next = b + (b < 0 ? end : 0) - (a + (a < 0 ? end : 0));
    if (length > 1 && next != *step)
      break;
    *step = next;
  }
  return length;
}

static int32_t gather_axis(const rsh_call *call) {
  int32_t axis = 0;
  if (call->arg[1].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[1].list[0].n, call->in[0]->rank, &axis);
  return axis;
}

void rsh_fold_gather(Fold *f) {
  const rsh_call *call = f->call;
  const rsh_shape *in = call->in[0];
  const rsh_num *index = call->arg[0].list;
  if (rsh_takes_indices(call)) {
    f->c.status = RSH_unsupported;
    return;
  }
  int32_t axis = gather_axis(call), count = call->arg[0].count, length;
  rsh_num size = in->dim[axis];
  Projection dim[RSH_MAX_RANK];
  rsh_shape out = *in; // the result, with the axes of the indices as one
  out.dim[axis] = rsh_int(count);
  keep_all(in, dim);
  for (int32_t at = 0; at < count && f->c.status == RSH_ok; at += length) {
    int64_t step;
    length = gather_run(call, size, at, &step);
    Projection *p = &dim[axis];
    p->start = index[at].n < 0 ? rsh_calc_add(&f->c, size, index[at]) : index[at];
    p->at = rsh_int(at);
    p->count = rsh_int(step == 0 ? 1 : length);
    p->step = rsh_int(step == 0 ? 1 : step);
    p->repeat = rsh_int(step == 0 ? length : 1);
    p->pitch = rsh_int(1);
    project(f, in, &out, dim);
  }
}

// ---- reverse_sequence ----

// Appends the time steps of some adjacent batches, from `at` on.
static void project_steps(Fold *f, Projection *dim, int32_t time, int64_t at, int64_t step,
                          rsh_num count) {
  if (rsh_is(count, 0))
    return;
  dim[time].at = rsh_int(at);
  dim[time].start = rsh_int(step < 0 ? count.n - 1 : at);
  dim[time].step = rsh_int(step);
  dim[time].count = count;
  project(f, f->out_shape, f->out_shape, dim);
}

static int64_t reversed_steps(const rsh_arg *lengths, int32_t batch) {
  return lengths->list[batch].n > 1 ? lengths->list[batch].n : 0;
}

void rsh_fold_reverse_sequence(Fold *f) {
  const rsh_call *call = f->call;
  const rsh_arg *lengths = &call->arg[0];
  int32_t time = call->arg[1].kind == RSH_ARG_LIST ? (int32_t)call->arg[1].list[0].n : 0;
  Projection dim[RSH_MAX_RANK];
  keep_all(f->out_shape, dim);
  for (int32_t at = 0, next; at < lengths->count && f->c.status == RSH_ok; at = next) {
    int64_t length = reversed_steps(lengths, at);
    for (next = at + 1; next < lengths->count && reversed_steps(lengths, next) == length;)
      next++;
    dim[1 - time].start = dim[1 - time].at = rsh_int(at);
    dim[1 - time].count = rsh_int(next - at);
    project_steps(f, dim, time, 0, -1, rsh_int(length));
    project_steps(f, dim, time, length, 1,
                  rsh_calc_sub(&f->c, f->out_shape->dim[time], rsh_int(length)));
  }
}

// ---- number of pieces ----

// pieces_<pieces> of ops.def.
static int64_t pieces_one(const rsh_call *call) {
  (void)call;
  return 1;
}
#define pieces_operands pieces_one // the operands' moves are counted already
#define pieces_turns pieces_one

static int64_t pieces_indices(const rsh_call *call) {
  int64_t pieces = 0, step;
  for (int32_t at = 0; at < call->arg[0].count; pieces++)
    at += gather_run(call, call->in[0]->dim[gather_axis(call)], at, &step);
  return pieces;
}

static int64_t pieces_lengths(const rsh_call *call) { return 2 * (int64_t)call->arg[0].count; }

static int64_t pieces_borders(const rsh_call *call) {
  int64_t pieces = 1;
  rsh_padding pad;
  for (int32_t i = 0; i < call->in[0]->rank && pieces < MAX_PAD_PIECES; i++)
    if (rsh_pad_axis(call, i, &pad, 0) == RSH_ok &&
        (!rsh_is(pad.before, 0) || !rsh_is(pad.after, 0)))
      pieces *= 3;
  return pieces;
}
#define pieces_center pieces_borders

int64_t rsh_fold_pieces(const rsh_call *call) {
  switch (call->op) {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  case RSH_OP_##id:                                                                                \
    return pieces_##pieces(call);
#include "runtime/ops.def"
#undef RSH_OP
  case RSH_OP_COUNT:
    break;
  }
  return 1;
}
