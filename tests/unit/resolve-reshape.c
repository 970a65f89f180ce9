// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t 50 %{step}
//
// Reshape, bounded exhaustively: every input and every target of rank 3 or less over boundary sizes, and of rank 4 or
// less over small ones, in every dialect, against the specification. Of the latter this test takes every 50th target,
// and `make enumerations` all; a sanitized build takes every 17th of the former.
#include "Inputs/reshape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = 20000 };

// Sizes whose products wrap to small numbers in 32 or 64 bits, or just fit: to rank 3.
static const int64_t sizes[] = {0, 1, 2, 3, 6, 12, 65536, 4294967296, 3037000500, INT64_MAX};
static const int64_t entries[] = {INT64_MIN, -2, -1, 0,     1,          2,
                                  3,         6,  12, 65536, 4294967296, INT64_MAX};
// Small ones: to rank 4.
static const int64_t small_sizes[] = {0, 1, 2, 3, 4, 5, 6};
static const int64_t small_entries[] = {-2, -1, 0, 1, 2, 3, 4, 5, 6};
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static int all_lists(int most, const int64_t *value, int values, List *out) {
  int count = 0;
  for (int rank = 0, total = 1; rank <= most; rank++, total *= values) {
    for (int number = 0; number < total; number++) {
      List *list = &out[count++];
      list->count = rank;
      for (int i = 0, rest = number; i < rank; i++, rest /= values)
        list->n[i] = value[rest % values];
    }
  }
  return count;
}

static void fail(const Dialect *d, const List *in, const List *target, rsh_status got,
                 rsh_status want) {
  printf("%s:", d->name);
  for (int i = 0; i < in->count; i++)
    printf(" %lld", (long long)in->n[i]);
  printf(" to");
  for (int i = 0; i < target->count; i++)
    printf(" %lld", (long long)target->n[i]);
  printf(": got %s, want %s\n", rsh_status_name(got), rsh_status_name(want));
  exit(1);
}

static bool is_same(const rsh_shape *a, const List *b) {
  if (a->rank != b->count)
    return false;
  for (int i = 0; i < b->count; i++)
    if (!rsh_is(a->dim[i], b->n[i]))
      return false;
  return true;
}

static long statuses[RSH_STATUS_COUNT];

// Each input with every `step`-th target, which is another one for each input.
static void run(const Dialect *d, const List *ins, int in_count, const List *targets,
                int target_count, int step) {
  static const rsh_dtype type = RSH_F32;
  rsh_shape in, out;
  const rsh_shape *operand = &in;
  rsh_num list[MAX_RANK], flag = rsh_int(d->flag);
  rsh_call call;
  memset(&call, 0, sizeof call);
  call.op = d->op;
  call.in_count = call.out_count = 1;
  call.in = &operand;
  call.in_type = &type;
  call.arg[0] = (rsh_arg){.kind = RSH_ARG_LIST, .rank = 1, .dtype = RSH_I64, .list = list};
  if (d->flag >= 0)
    call.arg[1] = (rsh_arg){.kind = RSH_ARG_LIST, .count = 1, .dtype = RSH_I64, .list = &flag};
  for (int k = 0; k < in_count; k++) {
    in.rank = ins[k].count;
    for (int i = 0; i < in.rank; i++)
      in.dim[i] = rsh_int(ins[k].n[i]);
    for (int t = k % step; t < target_count; t += step) {
      List want;
      rsh_fault fault;
      call.arg[0].count = targets[t].count;
      call.arg[0].sizes = targets[t].sizes;
      for (int i = 0; i < targets[t].count; i++)
        list[i] = rsh_int(targets[t].n[i]);
      out.rank = -7;
      rsh_status status = rsh_resolve(&call, &out, &fault);
      rsh_status due = specification(d, &ins[k], &targets[t], &want);
      if (status != due || (status == RSH_ok ? !is_same(&out, &want) : out.rank != -7))
        fail(d, &ins[k], &targets[t], status, due);
      statuses[status]++;
    }
  }
}

// Every input, and every target with and without entries that are sizes, in each dialect.
static void run_grid(const List *in, int ins, List *target, int targets, int step) {
  for (uint32_t mask = 0; mask <= 5; mask += 5) { // none; the first and the third
    for (int t = 0; t < targets; t++)
      target[t].sizes = mask;
    for (int d = 0; d < COUNT(dialects); d++)
      run(&dialects[d], in, ins, target, targets, step);
  }
}

// Which axis is inferred: that of -1, unless it is a size, which is below 0 only when the graph is called.
static bool finds_inferred(void) {
  static const struct {
    rsh_arg_kind kind;
    int64_t first, second;
    uint32_t sizes;
    int32_t axis;
  } rows[] = {
      {RSH_ARG_LIST, -1, 2, 0, 0},  {RSH_ARG_LIST, 2, -1, 0, 1},    {RSH_ARG_LIST, 2, 3, 0, -1},
      {RSH_ARG_LIST, -1, -1, 1, 1}, {RSH_ARG_LIST, -1, 2, 1, -1},   {RSH_ARG_TENSOR, -1, 2, 0, -1},
      {RSH_ARG_LIST, -1, -1, 2, 0}, {RSH_ARG_TENSOR, 2, -1, 0, -1},
  };
  bool good = true;
  for (int i = 0; i < COUNT(rows); i++) {
    const rsh_num list[] = {rsh_int(rows[i].first), rsh_int(rows[i].second)};
    rsh_call call = {.op = RSH_OP_RESHAPE};
    call.arg[0] =
        (rsh_arg){rows[i].kind, .rank = 1, .count = 2, .sizes = rows[i].sizes, .list = list};
    if (rsh_reshape_inferred(&call) != rows[i].axis) {
      printf("row %d of the inferred axes: %d\n", i, (int)rsh_reshape_inferred(&call));
      good = false;
    }
  }
  return good;
}

int main(int argc, char **argv) {
  static List in[MAX_COUNT], target[MAX_COUNT];
  int step = argc > 1 ? atoi(argv[1]) : 1, boundary_step = argc > 2 ? atoi(argv[2]) : 1;
  long total = 0;
  run_grid(in, all_lists(3, sizes, COUNT(sizes), in), target,
           all_lists(3, entries, COUNT(entries), target), boundary_step);
  run_grid(in, all_lists(4, small_sizes, COUNT(small_sizes), in), target,
           all_lists(4, small_entries, COUNT(small_entries), target), step);
  for (int s = 0; s < RSH_STATUS_COUNT; s++) {
    total += statuses[s];
    if (statuses[s] != 0)
      printf("%10ld %s\n", statuses[s], rsh_status_name((rsh_status)s));
  }
  printf("%10ld cases\n", total);
  return !finds_inferred() || statuses[RSH_ok] < 1000 || statuses[RSH_overflow] < 1000;
}
