// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a chain with sizes known only at run time through the runtime library alone: resolves and folds every operator,
// then executes the whole chain in one pass over memory.
//
//   heads BATCH WORDS    u16[BATCH, WORDS, 96] |> reshape([0, 0, 12, -1]) |> transpose([0, 2, 1, 3]) |> flip([1])
#include "runtime/rsh_runtime.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOVES = 16, AXES = 128 }; // room for the moves of one value

// The current value: its shape, and the moves of its elements. Operators read list[now] and write another list.
typedef struct Chain {
  rsh_shape shape;
  rsh_moves list[3];
  rsh_move move[3][MOVES];
  rsh_axis axis[3][AXES];
  int now;
} Chain;

static rsh_status chain_begin(Chain *c, const rsh_shape *shape) {
  rsh_num volume;
  rsh_status status = rsh_volume(NULL, shape, &volume);
  if (status != RSH_ok)
    return status;
  for (int i = 0; i < 3; i++)
    c->list[i] = (rsh_moves){c->move[i], c->axis[i], 0, MOVES, 0, AXES, 0};
  c->shape = *shape;
  c->now = 0;
  return rsh_moves_identity(&c->list[0], 0, volume); // from tensor 0, in its order
}

// One operator with one list of integers as its first argument.
static rsh_status chain_apply(Chain *c, rsh_op op, const int64_t *list, int32_t count) {
  static const rsh_dtype type[1] = {RSH_U16};
  rsh_num number[RSH_MAX_RANK];
  rsh_shape out;
  const rsh_shape *const operand[1] = {&c->shape};
  const rsh_moves *const value[1] = {&c->list[c->now]};
  rsh_call call = {.op = op, .in_count = 1, .out_count = 1, .in = operand, .in_type = type};
  for (int32_t i = 0; i < count; i++)
    number[i] = rsh_int(list[i]);
  call.arg[0] =
      (rsh_arg){.kind = RSH_ARG_LIST, .rank = 1, .count = count, .dtype = RSH_I64, .list = number};
  rsh_status status = rsh_resolve(&call, &out, NULL);
  int next = (c->now + 1) % 3, work = (c->now + 2) % 3;
  if (status == RSH_ok)
    status = rsh_fold(&call, 0, &out, value, &c->list[next], &c->list[work]);
  if (status == RSH_ok) {
    c->shape = out;
    c->now = next;
  }
  return status;
}

static rsh_status heads(Chain *c, int64_t batch, int64_t words) {
  rsh_shape shape = {3, {rsh_int(batch), rsh_int(words), rsh_int(96)}};
  rsh_status status = chain_begin(c, &shape);
  if (status == RSH_ok)
    status = chain_apply(c, RSH_OP_RESHAPE, (int64_t[]){0, 0, 12, -1}, 4);
  if (status == RSH_ok)
    status = chain_apply(c, RSH_OP_TRANSPOSE, (int64_t[]){0, 2, 1, 3}, 4);
  if (status == RSH_ok)
    status = chain_apply(c, RSH_OP_FLIP, (int64_t[]){1}, 1);
  return status;
}

// Element (b, h, s, d) of the result is element (b, s, 8*(11 - h) + d) of x, whose elements are their own
// indices.
static int count_wrong(const uint16_t *y, int64_t batch, int64_t words) {
  int wrong = 0;
  for (int64_t b = 0; b < batch; b++)
    for (int64_t h = 0; h < 12; h++)
      for (int64_t s = 0; s < words; s++)
        for (int64_t d = 0; d < 8; d++)
          wrong += *y++ != (uint16_t)((b * words + s) * 96 + 8 * (11 - h) + d);
  return wrong;
}

int main(int argc, char **argv) {
  static Chain chain;
  int64_t batch = argc > 1 ? atoll(argv[1]) : 2, words = argc > 2 ? atoll(argv[2]) : 5;
  rsh_num volume = {0, 0};
  rsh_status status = heads(&chain, batch, words);
  if (status == RSH_ok)
    status = rsh_volume(NULL, &chain.shape, &volume);
  if (status != RSH_ok) {
    printf("%s: %s\n", rsh_status_name(status), rsh_status_string(status));
    return 1;
  }
  uint16_t *x = malloc(2 * (size_t)volume.n + 1), *y = malloc(2 * (size_t)volume.n + 1);
  if (!x || !y)
    return 1;
  for (int64_t i = 0; i < volume.n; i++)
    x[i] = (uint16_t)i;
  status = rsh_run_moves(&chain.list[chain.now], sizeof *x, (const void *const[]){x}, NULL, y);
  printf("u16[");
  for (int32_t i = 0; i < chain.shape.rank; i++)
    printf("%s%lld", i ? ", " : "", (long long)chain.shape.dim[i].n);
  printf("]: %d moves, %s, %d elements wrong\n", (int)chain.list[chain.now].count,
         rsh_status_name(status), count_wrong(y, batch, words));
  free(x), free(y);
  return status != RSH_ok;
}
