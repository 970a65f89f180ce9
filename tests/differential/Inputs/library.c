// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime library without the compiler, for ctypes: resolves, folds and runs one operator.
#include "runtime/rsh_runtime.h"

#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 16, MOVES = 1 << 14, AXES = 1 << 16, STEPS = 8 };

typedef struct Argument { // as in library.py
  int32_t kind, rank, count;
  const int64_t *list;
  const char *text;
  const int32_t *dims;
  uint32_t sizes;
} Argument;

typedef struct Operands {
  int32_t count;
  const int32_t *rank;
  const int64_t *dims; // RSH_MAX_RANK each
  const char *const *types;
} Operands;

// A call, and the memory that it points to.
typedef struct Step {
  rsh_call call;
  rsh_shape shape[OPERANDS];
  const rsh_shape *in[OPERANDS];
  rsh_dtype type[OPERANDS];
  rsh_num *list[RSH_MAX_ARGS];
  rsh_map map[STEPS];
  rsh_maps maps;
} Step;

static rsh_op find(const char *name) {
  rsh_op op = (rsh_op)0;
  while (op < RSH_OP_COUNT && strcmp(rsh_op_name(op), name) != 0)
    op++;
  return op;
}

static void set_argument(Step *s, int i, const Argument *a) {
  rsh_arg *to = &s->call.arg[i];
  if (a->kind == RSH_ARG_ABSENT)
    return;
  to->kind = (rsh_arg_kind)a->kind;
  to->rank = a->rank, to->count = a->count, to->sizes = a->sizes;
  to->dtype = RSH_I64;
  if (a->kind == RSH_ARG_TEXT || a->kind == RSH_ARG_VALUE) {
    to->text = a->text;
    return;
  }
  s->list[i] = malloc(sizeof(rsh_num) * ((size_t)a->count + 1));
  for (int32_t k = 0; k < a->count; k++)
    s->list[i][k] = rsh_int(a->list[k]);
  to->list = s->list[i];
  if (a->rank > 1)
    to->dims = a->dims;
}

static Step *begin(const char *op, const Operands *in, const Argument *args, int32_t results) {
  Step *s = calloc(1, sizeof *s);
  for (int32_t i = 0; i < in->count && i < OPERANDS; i++) {
    s->shape[i].rank = in->rank[i];
    for (int32_t k = 0; k < in->rank[i]; k++)
      s->shape[i].dim[k] = rsh_int(in->dims[i * RSH_MAX_RANK + k]);
    s->in[i] = &s->shape[i];
    s->type[i] = rsh_dtype_find(in->types[i], strlen(in->types[i]));
  }
  s->maps = (rsh_maps){s->map, 1, STEPS};
  s->call.op = find(op), s->call.in_count = in->count, s->call.out_count = results;
  s->call.in = s->in, s->call.in_type = s->type, s->call.maps = &s->maps;
  for (int i = 0; i < RSH_MAX_ARGS; i++)
    set_argument(s, i, &args[i]);
  return s;
}

static void end(Step *s) {
  for (int i = 0; i < RSH_MAX_ARGS; i++)
    free(s->list[i]);
  free(s);
}

int net_resolve(const char *op, const Operands *in, const Argument *args, int32_t results,
                int32_t *rank, int64_t *dims) {
  Step *s = begin(op, in, args, results);
  rsh_shape out[OPERANDS];
  rsh_status status = rsh_resolve(&s->call, out, NULL);
  for (int32_t k = 0; status == RSH_ok && k < results; k++) {
    rank[k] = out[k].rank;
    for (int32_t i = 0; i < out[k].rank; i++)
      dims[k * RSH_MAX_RANK + i] = out[k].dim[i].n;
  }
  end(s);
  return (int)status;
}

static rsh_status identities(Step *s, rsh_moves *in) {
  rsh_status status = RSH_ok;
  for (int32_t i = 0; i < s->call.in_count && status == RSH_ok; i++) {
    rsh_num volume;
    status = rsh_volume(NULL, s->in[i], &volume);
    if (status == RSH_ok)
      status = rsh_moves_identity(&in[i], i, volume);
  }
  return status;
}

static rsh_status carry_out(const rsh_moves *m, const rsh_maps *maps, int32_t bits,
                            const void *const *from, const void *const *fills, void *to) {
  if (bits < 8)
    return rsh_run_packed(m, (uint32_t)bits, from, fills, to);
  if (maps->count > 1)
    return rsh_run_mapped(m, maps, (uint32_t)bits / 8, from, fills, to);
  return rsh_run_moves(m, (uint32_t)bits / 8, from, fills, to);
}

// Computes result k of a valid call, with elements of `bits` bits.
int net_move(const char *op, const Operands *in, const Argument *args, int32_t results, int32_t k,
             int32_t bits, const void *const *from, const void *fill, void *to) {
  Step *s = begin(op, in, args, results);
  rsh_shape out[OPERANDS];
  rsh_moves lists[OPERANDS], result, work;
  const rsh_moves *value[OPERANDS];
  const void *fills[1] = {fill};
  rsh_move *move = malloc(sizeof(rsh_move) * (2 * MOVES + OPERANDS));
  rsh_axis *axis = malloc(sizeof(rsh_axis) * (2 * AXES + OPERANDS * RSH_MAX_RANK));
  result = (rsh_moves){move, axis, 0, MOVES, 0, AXES, 0};
  work = (rsh_moves){move + MOVES, axis + AXES, 0, MOVES, 0, AXES, 0};
  for (int32_t i = 0; i < in->count; i++) {
    lists[i] = (rsh_moves){
        move + 2 * MOVES + i, axis + 2 * AXES + i * RSH_MAX_RANK, 0, 1, 0, RSH_MAX_RANK, 0};
    value[i] = &lists[i];
  }
  rsh_status status = rsh_resolve(&s->call, out, NULL);
  if (status == RSH_ok)
    status = identities(s, lists);
  if (status == RSH_ok)
    status = rsh_fold(&s->call, k, &out[k], value, &result, &work);
  s->call.fill = 0;
  if (status == RSH_ok)
    status = carry_out(&result, &s->maps, bits, from, fills, to);
  free(move), free(axis), end(s);
  return (int)status;
}
