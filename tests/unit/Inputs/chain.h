// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random chains of operators, folded and interpreted: the moves of each result are expanded to a map of its elements,
// and compared with the interpreter's own map, element by element. The interpreter knows only coordinates; it shares
// nothing with the fold.
#ifndef TESTS_UNIT_CHAIN_H
#define TESTS_UNIT_CHAIN_H

#include "runtime/rsh_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CHAIN_VOLUME
#define CHAIN_VOLUME 3000
#endif
enum { MAX_VOLUME = CHAIN_VOLUME, CAPACITY = 4096 };

typedef struct Tensor {
  rsh_shape shape;
  int64_t element[MAX_VOLUME]; // number of the source's element
  int32_t source[MAX_VOLUME];
  rsh_moves moves;
} Tensor;

// Where a chain's random numbers come from: bytes, and 0 after the last; or digits, each of which chooses
// among a few numbers from the first to the last, and 0 after the last; or else a generator.
typedef struct Draws {
  const uint8_t *at, *end;
  uint64_t state;
  int8_t *digit, *choices;
  int digits, used;
  int most, each,
      left; // numbers that a digit chooses among, unless it chooses an operator; digits of a call; left of it
} Draws;

enum { MAX_DIGITS = 200, OPERATORS = 18 };

static Draws draws;

static int64_t pick_digit(int64_t count) {
  int64_t choices = count == OPERATORS || count < draws.most ? count : draws.most;
  if (draws.left-- <= 0)
    return 0;
  if (draws.used == draws.digits) {
    draws.digit[draws.digits] = 0;
    draws.choices[draws.digits++] = (int8_t)choices;
  }
  int64_t digit = draws.digit[draws.used++];
  return choices > 1 ? digit * (count - 1) / (choices - 1) : 0;
}

// The next digits, like an odometer: increments the last digit that can grow, and drops those after it. Returns false
// after the last digits.
static inline bool next_digits(void) {
  draws.digits = draws.used;
  draws.used = 0;
  while (draws.digits > 0) {
    if (++draws.digit[draws.digits - 1] < draws.choices[draws.digits - 1])
      return true;
    draws.digits--;
  }
  return false;
}

static int64_t pick(int64_t count) {
  if (draws.digit)
    return pick_digit(count);
  if (draws.end) {
    uint64_t n = 0;
    for (int64_t most = count - 1; most > 0 && draws.at < draws.end; most >>= 8)
      n = n << 8 | *draws.at++;
    return (int64_t)(n % (uint64_t)count);
  }
  draws.state = draws.state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((draws.state >> 33) % (uint64_t)count);
}

static int64_t volume_of(const rsh_shape *s) {
  int64_t v = 1;
  for (int i = 0; i < s->rank; i++)
    v *= s->dim[i].n;
  return v;
}

static void unravel(const rsh_shape *s, int64_t address, int64_t *index) {
  for (int i = s->rank - 1; i >= 0; i--) {
    index[i] = address % s->dim[i].n;
    address /= s->dim[i].n;
  }
}

static int64_t ravel(const rsh_shape *s, const int64_t *index) {
  int64_t address = 0;
  for (int i = 0; i < s->rank; i++)
    address = address * s->dim[i].n + index[i];
  return address;
}

static Tensor *tensor_new(void) {
  Tensor *t = calloc(1, sizeof *t);
  t->moves.capacity = CAPACITY;
  t->moves.axis_capacity = CAPACITY * 8;
  t->moves.move = calloc(CAPACITY, sizeof *t->moves.move);
  t->moves.axis = calloc(CAPACITY * 8, sizeof *t->moves.axis);
  return t;
}

static void die(const char *what, const rsh_call *call, uint64_t seed) {
  printf("%s: operator %s, chain %llu\n", what, rsh_op_name(call->op), (unsigned long long)seed);
  exit(1);
}

// Normal form, and each element exactly once: the promises of fold.h.
static bool is_normal(const rsh_moves *m, int64_t volume) {
  int64_t covered = 0;
  for (int i = 0; i < m->count; i++) {
    const rsh_axis *a = m->axis + m->move[i].first;
    int64_t box = 1, reach = 0;
    for (int k = m->move[i].axis_count - 1; k >= 0; k--) {
      if (a[k].dst.n <= reach)
        return false;
      reach += a[k].dst.n * (a[k].extent.n - 1);
    }
    for (int k = 0; k < m->move[i].axis_count; k++) {
      box *= a[k].extent.n;
      if (a[k].extent.n < 2 || a[k].dst.n <= 0 || (k > 0 && a[k - 1].dst.n <= a[k].dst.n))
        return false;
      if (k > 0 && a[k - 1].dst.n == a[k].extent.n * a[k].dst.n &&
          a[k - 1].src.n == a[k].extent.n * a[k].src.n)
        return false;
    }
    covered += box;
  }
  return covered == volume;
}

static void check(const Tensor *t, const rsh_call *call, uint64_t seed) {
  int64_t volume = volume_of(&t->shape);
  static int64_t element[MAX_VOLUME];
  static int32_t source[MAX_VOLUME];
  memset(element, -1, sizeof element[0] * (size_t)volume);
  if (!is_normal(&t->moves, volume))
    die("not in normal form", call, seed);
  if (rsh_map_moves(&t->moves, element, source) != RSH_ok)
    die("not known", call, seed);
  bool identity = volume > 0 && t->source[0] >= 0; // a constant is not an element of an input
  for (int64_t i = 0; i < volume; i++) {
    if (element[i] != t->element[i] || source[i] != t->source[i])
      die("wrong map", call, seed);
    identity = identity && element[i] == element[0] + i && source[i] == source[0];
  }
  int32_t from;
  rsh_num offset;
  static rsh_move move[1];
  static rsh_axis axis[RSH_MAX_AXES];
  rsh_moves one = {move, axis, 0, 1, 0, RSH_MAX_AXES, 0};
  if (rsh_moves_is_alias(NULL, &t->moves, &from, &offset) && volume > 0 && !identity)
    die("false alias", call, seed);
  if (identity && volume > 0 &&
      (!rsh_moves_from_map(&one, source[0], element, volume) ||
       !rsh_moves_is_alias(NULL, &one, &from, &offset) || offset.n != element[0]))
    die("identity not recognized", call, seed);
}

static void random_shape(rsh_shape *s) {
  static const int64_t sizes[] = {1, 1, 2, 2, 3, 4, 5, 6, 7, 8};
  do {
    s->rank = (int32_t)pick(6);
    for (int i = 0; i < s->rank; i++)
      s->dim[i] = rsh_int(sizes[pick(10)]);
  } while (volume_of(s) > MAX_VOLUME / 4);
}

// Random sizes of the given volume.
static void refactor(int64_t volume, rsh_shape *s) {
  s->rank = 0;
  while (s->rank < 5) {
    int64_t d = 1 + pick(9);
    if (volume % d == 0) {
      s->dim[s->rank++] = rsh_int(d);
      volume /= d;
    } else if (volume == 1 && pick(2)) {
      break;
    }
  }
  if (volume > 1 || s->rank == 0)
    s->dim[s->rank++] = rsh_int(volume);
}

// A pad with amounts from -2 to 4, occasionally much more, of some axes.
static void draw_pad(rsh_call *call, rsh_num list[][RSH_MAX_RANK], const rsh_shape *s,
                     rsh_shape *o) {
  static const char *const modes[] = {"constant", "edge", "reflect", "wrap", "symmetric"};
  int32_t count = s->rank;
  call->fill = (int32_t)pick(3);
  call->arg[0].kind = RSH_ARG_LIST;
  if (pick(2)) {
    call->arg[2].kind = RSH_ARG_TEXT;
    call->arg[2].text = modes[pick(5)];
  }
  if (s->rank > 0 && pick(2)) {
    int64_t first = pick(s->rank);
    count = 1 + (int32_t)pick(s->rank - first);
    call->arg[3].kind = RSH_ARG_LIST;
    call->arg[3].count = count;
    for (int i = 0; i < count; i++)
      list[3][i] = rsh_int(first + count - 1 - i - s->rank * pick(2));
  }
  call->arg[0].count = 2 * count;
  *o = *s;
  for (int i = 0; i < count; i++) {
    int64_t axis = call->arg[3].kind == RSH_ARG_LIST ? list[3][i].n : i;
    rsh_num *d = &o->dim[axis < 0 ? axis + s->rank : axis];
    int64_t before = pick(3) ? pick(7) - 2 : 0, after = pick(3) ? pick(7) - 2 : 0;
    if (pick(20) == 0)
      before = 20;
    int64_t cut = (before < 0 ? -before : 0) + (after < 0 ? -after : 0);
    if (cut >= d->n)
      before = after = cut = 0;
    list[0][i] = rsh_int(before);
    list[0][count + i] = rsh_int(after);
    d->n += before + after;
  }
}

// Index of the operand for index *at of a padded axis; false for the constant.
static bool unpad(const rsh_call *call, int axis, int64_t size, int64_t *at) {
  const rsh_arg *pads = &call->arg[0], *axes = &call->arg[3];
  int rank = call->in[0]->rank, entry = -1;
  for (int i = 0; i < pads->count / 2; i++) {
    int64_t a = axes->kind == RSH_ARG_LIST ? axes->list[i].n : i;
    entry = (a < 0 ? a + rank : a) == axis ? i : entry;
  }
  if (entry < 0)
    return true;
  int64_t before = pads->list[entry].n, after = pads->list[pads->count / 2 + entry].n;
  int64_t low = before < 0 ? -before : 0, high = size - 1 + (after < 0 ? after : 0),
          i = *at - before;
  char mode = call->arg[2].kind == RSH_ARG_TEXT ? call->arg[2].text[0] : 'c';
  while (i < low || i > high) {
    if (mode == 'c')
      return false;
    if (mode == 'w')
      i += i < low ? high - low + 1 : low - high - 1;
    else if (mode == 'e' || low == high)
      i = i < low ? low : high;
    else if (mode == 's')
      i = i < low ? 2 * low - 1 - i : 2 * high + 1 - i;
    else
      i = i < low ? 2 * low - i : 2 * high - i;
  }
  *at = i;
  return true;
}

// Indices in a nested list of rank 0 to 3, at random or in progression.
static void draw_gather(rsh_call *call, rsh_num list[][RSH_MAX_RANK], const rsh_shape *s,
                        int32_t axis, rsh_shape *o) {
  static int32_t dims[3];
  int64_t size = s->dim[axis].n, step = pick(5) - 2, first = pick(size);
  rsh_arg *indices = &call->arg[0];
  indices->kind = RSH_ARG_LIST;
  indices->rank = (int32_t)pick(4);
  indices->count = 1;
  for (int i = 0; i < indices->rank; i++) {
    dims[i] = 1 + (int32_t)pick(indices->rank == 1 ? 12 : indices->rank == 2 ? 4 : 2);
    indices->count *= dims[i];
  }
  if (indices->rank > 1)
    indices->dims = dims;
  for (int i = 0; i < indices->count; i++) {
    if (pick(4) == 0)
      first = pick(size);
    first = ((first + step) % size + size) % size;
    list[0][i] = rsh_int(first - size * pick(2));
  }
  call->arg[1].kind = RSH_ARG_LIST;
  call->arg[1].rank = 0;
  call->arg[1].count = 1;
  list[1][0] = rsh_int(axis - s->rank * pick(2));
  o->rank = s->rank - 1 + indices->rank;
  for (int i = 0; i < o->rank; i++)
    o->dim[i] = i < axis                   ? s->dim[i]
                : i < axis + indices->rank ? rsh_int(dims[i - axis])
                                           : s->dim[i + 1 - indices->rank];
}

// One random call on `in` (and `other`, of the same shape); fills the interpreter's map of `out`.
static bool random_call(rsh_call *call, rsh_num list[][RSH_MAX_RANK], Tensor *const *in, int32_t *k,
                        Tensor *out) {
  static const rsh_op ops[OPERATORS] = {RSH_OP_RESHAPE,
                                        RSH_OP_RESHAPE,
                                        RSH_OP_TRANSPOSE,
                                        RSH_OP_TRANSPOSE,
                                        RSH_OP_SLICE,
                                        RSH_OP_FLIP,
                                        RSH_OP_EXPAND,
                                        RSH_OP_CONCAT,
                                        RSH_OP_STACK,
                                        RSH_OP_SPLIT,
                                        RSH_OP_DEPTH_TO_SPACE,
                                        RSH_OP_SPACE_TO_DEPTH,
                                        RSH_OP_PAD,
                                        RSH_OP_PAD,
                                        RSH_OP_TILE,
                                        RSH_OP_ROLL,
                                        RSH_OP_GATHER,
                                        RSH_OP_REVERSE_SEQUENCE};
  const rsh_shape *s = &in[0]->shape;
  rsh_shape *o = &out->shape;
  int64_t volume = volume_of(s), index[RSH_MAX_RANK] = {0}, from[RSH_MAX_RANK] = {0};
  call->op = ops[pick(OPERATORS)];
  call->in_count = 1;
  call->out_count = 1;
  *k = 0;
  memset(call->arg, 0, sizeof call->arg);
  for (int a = 0; a < RSH_MAX_ARGS; a++) {
    call->arg[a].list = list[a];
    call->arg[a].rank = 1;
  }
  int32_t axis = s->rank > 0 ? (int32_t)pick(s->rank) : 0;
  switch (call->op) {
  case RSH_OP_RESHAPE:
    refactor(volume, o);
    call->arg[0].kind = RSH_ARG_LIST;
    call->arg[0].count = o->rank;
    memcpy(list[0], o->dim, sizeof o->dim);
    memcpy(out->element, in[0]->element, sizeof out->element[0] * (size_t)volume);
    memcpy(out->source, in[0]->source, sizeof out->source[0] * (size_t)volume);
    return true;
  case RSH_OP_TRANSPOSE:
    call->arg[0].kind = RSH_ARG_LIST;
    call->arg[0].count = s->rank;
    for (int i = 0; i < s->rank; i++)
      list[0][i] = rsh_int(i);
    for (int i = s->rank - 1; i > 0; i--) {
      int64_t j = pick(i + 1);
      rsh_num t = list[0][i];
      list[0][i] = list[0][j];
      list[0][j] = t;
    }
    o->rank = s->rank;
    for (int i = 0; i < s->rank; i++)
      o->dim[i] = s->dim[list[0][i].n];
    break;
  case RSH_OP_SLICE:
  case RSH_OP_FLIP:
    if (s->rank == 0)
      return false;
    *o = *s;
    for (int a = 0; a < 4; a++) {
      call->arg[a].kind = RSH_ARG_LIST;
      call->arg[a].count = 1;
    }
    if (call->op == RSH_OP_FLIP) {
      call->arg[1].kind = call->arg[2].kind = call->arg[3].kind = RSH_ARG_ABSENT;
      list[0][0] = rsh_int(axis - s->rank * pick(2));
      break;
    }
    {
      int64_t d = s->dim[axis].n, step = 1 + pick(3), first = pick(d),
              count = 1 + pick((d - 1 - first) / step + 1);
      bool back = pick(3) == 0;
      list[2][0] = rsh_int(axis);
      list[3][0] = rsh_int(back ? -step : step);
      list[0][0] = rsh_int(back ? first + step * (count - 1) : first);
      list[1][0] =
          rsh_int(back ? (first == 0 ? INT64_MIN : first - 1) : first + step * (count - 1) + 1);
      o->dim[axis] = rsh_int(count);
    }
    break;
  case RSH_OP_EXPAND:
    *o = *s;
    for (int i = 0; i < s->rank; i++)
      if (rsh_is(s->dim[i], 1))
        o->dim[i] = rsh_int(1 + pick(3));
    if (s->rank < 5 && pick(2)) {
      memmove(o->dim + 1, o->dim, sizeof o->dim - sizeof o->dim[0]);
      o->dim[0] = rsh_int(1 + pick(3));
      o->rank++;
    }
    call->arg[0].kind = RSH_ARG_LIST;
    call->arg[0].count = o->rank;
    memcpy(list[0], o->dim, sizeof o->dim);
    break;
  case RSH_OP_CONCAT:
    if (s->rank == 0)
      return false;
    call->in_count = 2;
    *o = *s;
    o->dim[axis].n *= 2;
    call->arg[0].kind = RSH_ARG_LIST;
    call->arg[0].count = 1;
    list[0][0] = rsh_int(axis);
    break;
  case RSH_OP_STACK:
    call->in_count = 2;
    axis = (int32_t)pick(s->rank + 1);
    *o = *s;
    memmove(o->dim + axis + 1, o->dim + axis, sizeof o->dim[0] * (size_t)(s->rank - axis));
    o->dim[axis] = rsh_int(2);
    o->rank++;
    call->arg[0].kind = RSH_ARG_LIST;
    call->arg[0].count = 1;
    list[0][0] = rsh_int(axis);
    break;
  case RSH_OP_SPLIT:
    if (s->rank == 0 || s->dim[axis].n < 2)
      return false;
    *o = *s;
    call->arg[0].kind = call->arg[2].kind = RSH_ARG_LIST;
    call->arg[0].count = 1;
    call->arg[2].count = call->out_count = 2;
    list[0][0] = rsh_int(axis);
    list[2][0] = rsh_int(1 + pick(s->dim[axis].n - 1));
    list[2][1] = rsh_int(s->dim[axis].n - list[2][0].n);
    *k = (int32_t)pick(2);
    o->dim[axis] = list[2][*k];
    break;
  case RSH_OP_DEPTH_TO_SPACE:
  case RSH_OP_SPACE_TO_DEPTH: {
    bool deep = call->op == RSH_OP_DEPTH_TO_SPACE;
    if (s->rank != 4 ||
        (deep ? s->dim[1].n % 4 != 0 : s->dim[2].n % 2 != 0 || s->dim[3].n % 2 != 0))
      return false;
    *o = *s;
    o->dim[1].n = deep ? s->dim[1].n / 4 : s->dim[1].n * 4;
    o->dim[2].n = deep ? s->dim[2].n * 2 : s->dim[2].n / 2;
    o->dim[3].n = deep ? s->dim[3].n * 2 : s->dim[3].n / 2;
    call->arg[0].kind = RSH_ARG_LIST;
    call->arg[0].count = 1;
    list[0][0] = rsh_int(2);
    if (deep && pick(2)) {
      call->arg[1].kind = RSH_ARG_TEXT;
      call->arg[1].text = "CRD";
    }
    break;
  }
  case RSH_OP_PAD:
    draw_pad(call, list, s, o);
    break;
  case RSH_OP_TILE:
    *o = *s;
    call->arg[0].kind = RSH_ARG_LIST;
    call->arg[0].count = s->rank;
    for (int i = 0; i < s->rank; i++) {
      list[0][i] = rsh_int(1 + pick(3) / 2 * pick(4));
      o->dim[i].n *= list[0][i].n;
    }
    break;
  case RSH_OP_ROLL:
    *o = *s;
    call->arg[0].kind = RSH_ARG_LIST;
    call->arg[0].count = (int32_t)pick(3);
    for (int i = 0; i < call->arg[0].count; i++)
      list[0][i] = rsh_int(pick(19) - 9);
    if (s->rank > 0 && pick(3)) {
      call->arg[1].kind = RSH_ARG_LIST;
      call->arg[1].count = pick(2) ? call->arg[0].count : 1;
      for (int i = 0; i < call->arg[1].count; i++)
        list[1][i] = rsh_int(pick(2 * s->rank) - s->rank);
    }
    break;
  case RSH_OP_GATHER:
    if (s->rank == 0)
      return false;
    draw_gather(call, list, s, axis, o);
    break;
  case RSH_OP_REVERSE_SEQUENCE:
    if (s->rank < 2)
      return false;
    *o = *s;
    axis = (int32_t)pick(2); // of time
    for (int a = 0; a < 3; a++) {
      call->arg[a].kind = RSH_ARG_LIST;
      call->arg[a].count = 1;
      call->arg[a].rank = a == 0;
    }
    if (s->dim[1 - axis].n > RSH_MAX_RANK)
      return false;
    call->arg[0].count = (int32_t)s->dim[1 - axis].n;
    for (int i = 0; i < call->arg[0].count; i++)
      list[0][i] = i > 0 && pick(2) ? list[0][i - 1] : rsh_int(pick(s->dim[axis].n + 1));
    list[1][0] = rsh_int(axis);
    list[2][0] = rsh_int(1 - axis);
    break;
  default:
    return false;
  }
  if (call->op == RSH_OP_CONCAT || call->op == RSH_OP_STACK || call->op == RSH_OP_SPLIT ||
      call->op == RSH_OP_DEPTH_TO_SPACE || call->op == RSH_OP_SPACE_TO_DEPTH)
    call->arg[0].rank = 0; // one integer: axis, blocksize
  if (volume_of(o) > MAX_VOLUME || o->rank > 6)
    return false;
  for (int64_t i = 0; i < volume_of(o); i++) {
    const Tensor *t = in[0];
    bool is_fill = false;
    unravel(o, i, index);
    memcpy(from, index, sizeof from);
    switch (call->op) {
    case RSH_OP_TRANSPOSE:
      for (int d = 0; d < s->rank; d++)
        from[list[0][d].n] = index[d];
      break;
    case RSH_OP_SLICE:
      from[axis] = list[0][0].n + index[axis] * list[3][0].n;
      break;
    case RSH_OP_FLIP:
      from[axis] = s->dim[axis].n - 1 - index[axis];
      break;
    case RSH_OP_EXPAND:
      for (int d = 0; d < s->rank; d++)
        from[d] = rsh_is(s->dim[d], 1) ? 0 : index[d + o->rank - s->rank];
      break;
    case RSH_OP_CONCAT:
      t = in[index[axis] >= s->dim[axis].n];
      from[axis] = index[axis] % s->dim[axis].n;
      break;
    case RSH_OP_STACK:
      t = in[index[axis]];
      memmove(from + axis, from + axis + 1, sizeof from[0] * (size_t)(s->rank - axis));
      break;
    case RSH_OP_SPLIT:
      from[axis] += *k == 0 ? 0 : list[2][0].n;
      break;
    case RSH_OP_PAD:
      for (int d = 0; d < s->rank; d++)
        is_fill = !unpad(call, d, s->dim[d].n, &from[d]) || is_fill;
      break;
    case RSH_OP_TILE:
      for (int d = 0; d < s->rank; d++)
        from[d] %= s->dim[d].n;
      break;
    case RSH_OP_ROLL: {
      bool flat = call->arg[1].kind != RSH_ARG_LIST;
      int32_t shifts = call->arg[0].count, axes = call->arg[1].count;
      int64_t address = i;
      for (int n = 0; n < (flat || (axes == 1 && shifts != 1) ? shifts : axes); n++) {
        int64_t shift = list[0][shifts == 1 ? 0 : n].n, a = list[1][axes == 1 ? 0 : n].n;
        if (flat)
          address = ((address - shift) % volume + volume) % volume;
        else
          from[a < 0 ? a + s->rank : a] -= shift;
      }
      if (flat)
        unravel(s, address, from);
      for (int d = 0; d < s->rank; d++)
        from[d] = (from[d] % s->dim[d].n + s->dim[d].n) % s->dim[d].n;
      break;
    }
    case RSH_OP_GATHER: {
      int64_t entry = 0;
      for (int d = 0; d < call->arg[0].rank; d++)
        entry = entry * o->dim[axis + d].n + index[axis + d];
      from[axis] = list[0][entry].n + (list[0][entry].n < 0 ? s->dim[axis].n : 0);
      for (int d = axis + 1; d < s->rank; d++)
        from[d] = index[d + call->arg[0].rank - 1];
      break;
    }
    case RSH_OP_REVERSE_SEQUENCE:
      if (index[axis] < list[0][index[1 - axis]].n)
        from[axis] = list[0][index[1 - axis]].n - 1 - index[axis];
      break;
    case RSH_OP_DEPTH_TO_SPACE: {
      int64_t block = index[2] % 2 * 2 + index[3] % 2;
      from[1] =
          call->arg[1].kind == RSH_ARG_TEXT ? index[1] * 4 + block : block * o->dim[1].n + index[1];
      from[2] = index[2] / 2;
      from[3] = index[3] / 2;
      break;
    }
    default: { // space_to_depth
      int64_t block = index[1] / s->dim[1].n;
      from[1] = index[1] % s->dim[1].n;
      from[2] = index[2] * 2 + block / 2;
      from[3] = index[3] * 2 + block % 2;
    }
    }
    out->element[i] = is_fill ? -1 : t->element[ravel(s, from)];
    out->source[i] = is_fill ? -1 - call->fill : t->source[ravel(s, from)];
  }
  return true;
}

static int64_t folds, pieces_most, too_small;

// A chain of up to `steps` calls on a tensor of this shape, or of any. `draws` provides its random numbers, and
// messages call it `seed`.
static void run_chain(uint64_t seed, const rsh_shape *shape, int steps) {
  static Tensor *now, *other, *next, *work;
  if (!now)
    now = tensor_new(), other = tensor_new(), next = tensor_new(), work = tensor_new();
  if (shape)
    now->shape = *shape;
  else
    random_shape(&now->shape);
  int64_t volume = volume_of(&now->shape);
  for (int64_t i = 0; i < volume; i++) {
    now->element[i] = i;
    now->source[i] = 0;
  }
  (void)rsh_moves_identity(&now->moves, 0, rsh_int(volume));
  for (int step = 0; step < steps; step++) {
    rsh_call call = {0};
    rsh_num list[RSH_MAX_ARGS][RSH_MAX_RANK] = {{{0, 0}}};
    int32_t k;
    // The second operand of concat and stack: another tensor of that shape, or the same one again.
    volume = volume_of(&now->shape);
    other->shape = now->shape;
    draws.left = draws.each;
    bool again = pick(2) == 0;
    for (int64_t i = 0; i < volume; i++) {
      other->element[i] = again ? now->element[i] : i;
      other->source[i] = again ? now->source[i] : step + 1;
    }
    if (again)
      (void)rsh_moves_copy(&other->moves, &now->moves);
    else
      (void)rsh_moves_identity(&other->moves, step + 1, rsh_int(volume));
    Tensor *in[2] = {now, other};
    const rsh_shape *shapes[2] = {&now->shape, &other->shape};
    rsh_dtype types[2] = {RSH_F32, RSH_F32};
    call.in = shapes;
    call.in_type = types;
    if (!random_call(&call, list, in, &k, next))
      continue;
    rsh_shape out[2];
    rsh_fault fault;
    if (rsh_resolve(&call, out, &fault) != RSH_ok || !rsh_shape_equal(&out[k], &next->shape))
      die("wrong shape", &call, seed);
    const rsh_moves *moves[2] = {&now->moves, &other->moves};
    rsh_status status = rsh_fold(&call, k, &next->shape, moves, &next->moves, &work->moves);
    if (status == RSH_too_small) {
      too_small++;
      break;
    }
    if (status != RSH_ok)
      die(rsh_status_name(status), &call, seed);
    check(next, &call, seed);
    folds++;
    pieces_most = next->moves.count > pieces_most ? next->moves.count : pieces_most;
    Tensor *t = now;
    now = next;
    next = t;
  }
}

#endif
