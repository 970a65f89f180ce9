// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as one call of an operator: operands of any type and shape, arguments of any kind. The call is refused with
// a status of the table, and then no shape is written; or its results are shapes that fit, and their moves stay within
// the operands and cover each element once. A reshape is also compared with the specification.
//
// RUN: %{python} -B %S/Inputs/resolve_seeds.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:50000} %t.seeds/*
#include "../unit/Inputs/reshape.h"
#include "Inputs/fuzz.h"

#include "runtime/rsh_runtime.h"

#include <string.h>

enum { OPERANDS = 3, RESULTS = 8, ENTRIES = 8, VOLUME = 4096, MOVES = 512, UNTOUCHED = -7 };

typedef struct Data {
  const uint8_t *at, *end;
} Data;

static uint8_t next_byte(Data *d) { return d->at < d->end ? *d->at++ : 0; }

static int64_t next_of(Data *d, int64_t count) { return next_byte(d) % count; }

// Mostly from -4 to 11; else a number at the edge of what fits.
static int64_t next_number(Data *d) {
  static const int64_t edges[] = {INT64_MIN,
                                  INT64_MIN + 1,
                                  INT64_MAX,
                                  INT64_MAX - 1,
                                  INT64_C(1) << 62,
                                  INT64_C(1) << 32,
                                  3037000500,
                                  -3037000500,
                                  INT32_MAX,
                                  INT32_MIN,
                                  65536,
                                  4096,
                                  255,
                                  128,
                                  64,
                                  17};
  uint8_t n = next_byte(d);
  return n < 0xe0 ? n % 16 - 4 : edges[n % 16];
}

typedef struct Fuzzed {
  rsh_call call;
  rsh_shape in[OPERANDS], out[RESULTS];
  const rsh_shape *operand[OPERANDS];
  rsh_dtype type[OPERANDS];
  rsh_num entry[RSH_MAX_ARGS][ENTRIES];
  int32_t dims[RSH_MAX_ARGS][3];
} Fuzzed;

static void draw_operand(Fuzzed *f, int k, Data *d) {
  rsh_shape *in = &f->in[k];
  uint8_t how = next_byte(d);
  f->operand[k] = in;
  if (k > 0 && how % 4 != 0) { // most operators want equal ones
    f->in[k] = f->in[0];
    f->type[k] = f->type[0];
    if (how % 4 == 1 && in->rank > 0)
      in->dim[next_of(d, in->rank)] = rsh_int(next_number(d));
    return;
  }
  f->type[k] = how < 0x80 ? RSH_F32 : (rsh_dtype)(how % RSH_DTYPE_COUNT);
  in->rank = (int32_t)next_of(d, 6);
  if (in->rank == 5)
    in->rank = (int32_t)next_of(d, RSH_MAX_RANK + 3) - 1;
  for (int i = 0; i < in->rank && i < RSH_MAX_RANK; i++)
    in->dim[i] = rsh_int(next_number(d));
}

static void draw_argument(Fuzzed *f, int k, Data *d) {
  static const char *const words[] = {"DCR",     "CRD", "constant", "edge",      "reflect", "wrap",
                                      "nearest", "up",  "down",     "symmetric", "",        "0"};
  static const uint8_t kinds[] = {RSH_ARG_LIST, RSH_ARG_LIST, RSH_ARG_LIST,  RSH_ARG_ABSENT,
                                  RSH_ARG_TEXT, RSH_ARG_LIST, RSH_ARG_VALUE, RSH_ARG_TENSOR};
  rsh_arg *arg = &f->call.arg[k];
  *arg = (rsh_arg){.kind = (rsh_arg_kind)kinds[next_of(d, 8)], .dtype = RSH_I64, .count = 1};
  arg->list = f->entry[k];
  if (arg->kind == RSH_ARG_TEXT) {
    arg->text = words[next_of(d, 12)];
  } else if (arg->kind == RSH_ARG_TENSOR) {
    arg->dtype = (rsh_dtype)next_of(d, RSH_DTYPE_COUNT);
    arg->rank = (int32_t)next_of(d, 3);
    arg->count = -1;
    arg->list = NULL;
  } else if (arg->kind != RSH_ARG_ABSENT) {
    uint8_t how = next_byte(d);
    arg->rank = how % 8 == 7 ? 2 : how % 8 > 0;
    if (arg->kind == RSH_ARG_VALUE) {
      arg->rank = 0;
      arg->text = words[11];
    }
    arg->sizes = how >= 0xf0 ? (uint32_t)how : 0;
    if (arg->rank > 0)
      arg->count = (int32_t)next_of(d, ENTRIES + 1);
    if (arg->rank == 2) {
      f->dims[k][0] = arg->count > 0 ? 1 : 0;
      f->dims[k][1] = arg->count;
      arg->dims = f->dims[k];
    }
    for (int i = 0; i < arg->count; i++)
      f->entry[k][i] = rsh_int(next_number(d));
  }
}

static int64_t volume_of(const rsh_shape *s) {
  int64_t volume = 1;
  for (int i = 0; i < s->rank; i++)
    if (__builtin_mul_overflow(volume, s->dim[i].n, &volume))
      return INT64_MAX;
  return volume;
}

// The sizes of an accepted call.
static void check_shapes(const Fuzzed *f) {
  for (int k = 0; k < f->call.out_count; k++) {
    REQUIRE(f->out[k].rank >= 0 && f->out[k].rank <= RSH_MAX_RANK);
    for (int i = 0; i < f->out[k].rank; i++)
      REQUIRE(rsh_is_known(f->out[k].dim[i]) && f->out[k].dim[i].n >= 0);
  }
  rsh_family family = rsh_op_family(f->call.op);
  if (family == RSH_RESHAPES || (family == RSH_KEEPS && f->call.op != RSH_OP_BITCAST))
    REQUIRE(volume_of(&f->out[0]) == volume_of(&f->in[0]));
}

// The moves of result k read its operands alone, and each element once.
static void check_moves(const Fuzzed *f, int k) {
  static rsh_move move[OPERANDS + 2][MOVES];
  static rsh_axis axis[OPERANDS + 2][MOVES * 8];
  static int64_t element[VOLUME * 64];
  static int32_t source[VOLUME * 64];
  rsh_moves list[OPERANDS + 2];
  const rsh_moves *in[OPERANDS];
  for (int i = 0; i < OPERANDS + 2; i++)
    list[i] = (rsh_moves){move[i], axis[i], 0, MOVES, 0, MOVES * 8, 0};
  for (int i = 0; i < f->call.in_count; i++) {
    REQUIRE(rsh_moves_identity(&list[i], i, rsh_int(volume_of(&f->in[i]))) == RSH_ok);
    in[i] = &list[i];
  }
  rsh_moves *out = &list[OPERANDS];
  rsh_status status = rsh_fold(&f->call, k, &f->out[k], in, out, &list[OPERANDS + 1]);
  REQUIRE(status == RSH_ok || status == RSH_too_small);
  if (status != RSH_ok)
    return;
  int64_t volume = volume_of(&f->out[k]) * rsh_moves_parts(out);
  for (int64_t i = 0; i < volume; i++)
    source[i] = INT32_MIN;
  REQUIRE(rsh_map_moves(out, element, source) == RSH_ok);
  for (int64_t i = 0; i < volume; i++) {
    REQUIRE(source[i] != INT32_MIN && source[i] < f->call.in_count);
    if (source[i] < 0) // a fill
      continue;
    int64_t bits = rsh_dtype_bits(f->type[source[i]]), of = volume_of(&f->in[source[i]]);
    int64_t part = f->call.op == RSH_OP_BITCAST ? rsh_dtype_bits(rsh_out_type(&f->call)) : bits;
    REQUIRE(element[i] >= 0 &&
            element[i] < (part > 0 ? of * bits / part * rsh_moves_parts(out) : of));
  }
}

static bool can_be_expanded(const Fuzzed *f) {
  rsh_family family = rsh_op_family(f->call.op);
  if (family == RSH_MAPS || family == RSH_ROWS || rsh_takes_indices(&f->call))
    return false;
  for (int i = 0; i < f->call.in_count; i++)
    if (volume_of(&f->in[i]) > VOLUME)
      return false;
  for (int k = 0; k < f->call.out_count; k++)
    if (volume_of(&f->out[k]) > VOLUME)
      return false;
  return true;
}

// A reshape to a list, of shapes that the specification knows.
static void check_reshape(const Fuzzed *f, rsh_status status) {
  const rsh_arg *target = &f->call.arg[0], *flag = &f->call.arg[1];
  List in = {.count = f->in[0].rank}, list = {.count = target->count, .sizes = target->sizes}, want;
  if (target->kind != RSH_ARG_LIST || target->rank != 1 || in.count < 0 || in.count > MAX_RANK ||
      list.count > MAX_RANK || f->type[0] != RSH_F32 || f->call.in_count != 1)
    return;
  if (flag->kind != RSH_ARG_ABSENT && (flag->kind != RSH_ARG_LIST || flag->rank != 0))
    return;
  for (int k = 2; k < RSH_MAX_ARGS; k++)
    if (f->call.arg[k].kind != RSH_ARG_ABSENT)
      return;
  for (int i = 0; i < in.count; i++)
    if ((in.n[i] = f->in[0].dim[i].n) < 0)
      return;
  for (int i = 0; i < list.count; i++)
    list.n[i] = f->entry[0][i].n;
  for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
    const Dialect *d = &dialects[i];
    bool is_plain = flag->kind == RSH_ARG_ABSENT;
    if (d->op != f->call.op || is_plain != (d->flag < 0) ||
        (!is_plain && f->entry[1][0].n != d->flag))
      continue;
    REQUIRE(status == specification(d, &in, &list, &want));
    for (int k = 0; status == RSH_ok && k < want.count; k++)
      REQUIRE(f->out[0].dim[k].n == want.n[k]);
  }
}

static void check_call(Fuzzed *f) {
  rsh_fault fault = {-1, -1, -1, {0}, {0}};
  int32_t count = 0;
  for (int k = 0; k < RESULTS; k++)
    f->out[k].rank = UNTOUCHED;
  rsh_status status = rsh_resolve(&f->call, f->out, &fault);
  REQUIRE(status >= RSH_ok && status < RSH_STATUS_COUNT);
  REQUIRE(status != RSH_unsupported && status != RSH_null_pointer && status != RSH_guard_failed);
  if (rsh_op_family(f->call.op) == RSH_RESHAPES)
    check_reshape(f, status);
  if (status != RSH_ok) {
    REQUIRE(fault.input >= -1 && fault.input < f->call.in_count);
    REQUIRE(fault.arg >= -1 && fault.arg < RSH_MAX_ARGS);
    for (int k = 0; k < RESULTS; k++)
      REQUIRE(f->out[k].rank == UNTOUCHED);
    return;
  }
  REQUIRE(rsh_out_count(&f->call, &count, &fault) == RSH_ok && count == f->call.out_count);
  for (int k = f->call.out_count; k < RESULTS; k++)
    REQUIRE(f->out[k].rank == UNTOUCHED);
  for (int i = 0; i < f->call.in_count; i++)
    if (f->in[i].rank == RSH_RANK_UNKNOWN)
      return;
  check_shapes(f);
  if (can_be_expanded(f))
    for (int k = 0; k < f->call.out_count; k++)
      check_moves(f, k);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static Fuzzed f;
  Data d = {bytes, bytes + size};
  memset(&f, 0, sizeof f);
  f.call.op = (rsh_op)next_of(&d, RSH_OP_COUNT);
  f.call.out_count = f.call.op == RSH_OP_SPLIT ? 1 + (int32_t)next_of(&d, RESULTS) : 1;
  f.call.in = f.operand;
  f.call.in_type = f.type;
  uint8_t more = next_byte(&d);
  f.call.in_count = more % 8 == 7                        ? (int32_t)next_of(&d, OPERANDS + 1)
                    : rsh_op_max_operands(f.call.op) > 1 ? 1 + more % OPERANDS
                                                         : 1;
  for (int k = 0; k < f.call.in_count; k++)
    draw_operand(&f, k, &d);
  for (int k = 0; k < RSH_MAX_ARGS; k++)
    draw_argument(&f, k, &d);
  check_call(&f);
  return 0;
}
