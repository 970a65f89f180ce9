// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Reshape, bounded exhaustively: every input and every target of rank 3 or less over boundary sizes, in every dialect,
// against a specification that computes no step like the code does. For each fault it decides, in 128 bits, whether it
// applies; the first that does in the order of statuses.def is expected.
#include "runtime/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum { MAX_RANK = 3, MAX_COUNT = 20000 };

typedef struct Dialect {
  const char *name;
  rsh_op op;
  int64_t flag;    // allowzero or special_zero; -1: left out
  bool copies;     // a 0 copies
  bool bars;       // a literal 0 and a -1 exclude each other
  bool skips;      // copied sizes do not take part in inference
  bool has_scalar; // a target without entries is fine
} Dialect;

static const Dialect dialects[] = {
    {"reshape", RSH_OP_RESHAPE, -1, true, false, false, true},
    {"onnx allowzero=1", RSH_OP_ONNX_RESHAPE, 1, false, true, false, true},
    {"openvino special_zero=0", RSH_OP_OPENVINO_RESHAPE, 0, false, false, false, true},
    {"openvino special_zero=1", RSH_OP_OPENVINO_RESHAPE, 1, true, false, true, true},
    {"onednn special_zero=0", RSH_OP_ONEDNN_STATIC, 0, false, true, false, true},
    {"onednn special_zero=1", RSH_OP_ONEDNN_DYNAMIC, 1, true, false, false, true},
    {"paddle", RSH_OP_PADDLE_RESHAPE, -1, true, false, false, false},
};

// Sizes whose products wrap to small numbers in 32 or 64 bits, or just fit.
static const int64_t sizes[] = {0, 1, 2, 3, 6, 12, 65536, 4294967296, 3037000500, INT64_MAX};
static const int64_t entries[] = {INT64_MIN, -2, -1, 0,     1,          2,
                                  3,         6,  12, 65536, 4294967296, INT64_MAX};

typedef struct List {
  int count;
  int64_t n[MAX_RANK];
  uint32_t sizes; // of a target: bit i says that entry i is a size: 0 does not copy, -1 is no size
} List;

static int all_lists(const int64_t *value, int values, List *out) {
  int count = 0;
  for (int rank = 0, total = 1; rank <= MAX_RANK; rank++, total *= values) {
    for (int number = 0; number < total; number++) {
      List *list = &out[count++];
      list->count = rank;
      for (int i = 0, rest = number; i < rank; i++, rest /= values)
        list->n[i] = value[rest % values];
    }
  }
  return count;
}

// ---- the specification ----

// Product of the nonzero sizes. Once too large it stays too large.
static wide nonzero_product(const int64_t *n, const bool *is_counted, int count) {
  wide product = 1;
  for (int i = 0; i < count; i++)
    if (is_counted[i] && n[i] != 0 && product <= INT64_MAX)
      product *= n[i];
  return product;
}

static wide product_of(const int64_t *n, const bool *is_counted, int count) {
  for (int i = 0; i < count; i++)
    if (is_counted[i] && n[i] == 0)
      return 0;
  return nonzero_product(n, is_counted, count);
}

// Whether this value is an instruction, and not a size.
static bool says(const List *target, int i, int64_t value) {
  return target->n[i] == value && (target->sizes >> i & 1) == 0;
}

static rsh_status entry_fault(const Dialect *d, const List *in, const List *target) {
  for (int i = 0, infers = 0; i < target->count; i++) {
    infers += says(target, i, -1);
    if (target->n[i] < 0 && !says(target, i, -1))
      return RSH_bad_dim;
    if (infers == 2)
      return RSH_multiple_infer;
    if (d->copies && says(target, i, 0) && i >= in->count)
      return RSH_zero_out_of_range;
  }
  return RSH_ok;
}

static rsh_status specification(const Dialect *d, const List *in, const List *target, List *out) {
  bool of_input[MAX_RANK], of_target[MAX_RANK], of_input_part[MAX_RANK], of_target_part[MAX_RANK];
  int infer = -1;
  bool has_zero = false;
  if (target->count == 0 && !d->has_scalar)
    return RSH_empty_shape;
  rsh_status status = entry_fault(d, in, target);
  if (status != RSH_ok)
    return status;
  *out = *target;
  for (int i = 0; i < MAX_RANK; i++) {
    bool is_copied = d->copies && i < target->count && says(target, i, 0);
    of_input[i] = true;
    of_target[i] = i >= target->count || !says(target, i, -1);
    of_input_part[i] = !(d->skips && is_copied);
    of_target_part[i] = of_target[i] && !(d->skips && is_copied);
    if (is_copied)
      out->n[i] = in->n[i];
    else if (i < target->count && target->n[i] == 0)
      has_zero = true;
    if (i < target->count && says(target, i, -1))
      infer = i;
  }
  if (d->bars && has_zero && infer >= 0)
    return RSH_zero_with_infer;
  if (nonzero_product(in->n, of_input, in->count) > INT64_MAX ||
      nonzero_product(out->n, of_target, out->count) > INT64_MAX)
    return RSH_overflow;
  wide have = product_of(in->n, infer < 0 ? of_input : of_input_part, in->count);
  wide known = product_of(out->n, infer < 0 ? of_target : of_target_part, out->count);
  if (infer < 0)
    return have == known ? RSH_ok : RSH_volume_mismatch;
  if (known == 0)
    return RSH_ambiguous_infer;
  out->n[infer] = (int64_t)(have / known);
  return known * out->n[infer] == have ? RSH_ok : RSH_not_divisible;
}

// ---- the comparison ----

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

static void run(const Dialect *d, const List *ins, int in_count, const List *targets,
                int target_count) {
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
    for (int t = 0; t < target_count; t++) {
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

int main(void) {
  static List in[MAX_COUNT], target[MAX_COUNT];
  int ins = all_lists(sizes, (int)(sizeof sizes / sizeof sizes[0]), in);
  int targets = all_lists(entries, (int)(sizeof entries / sizeof entries[0]), target);
  long total = 0;
  for (uint32_t mask = 0; mask <= 5; mask += 5) { // none; the first and the third
    for (int t = 0; t < targets; t++)
      target[t].sizes = mask;
    for (size_t d = 0; d < sizeof dialects / sizeof dialects[0]; d++)
      run(&dialects[d], in, ins, target, targets);
  }
  for (int s = 0; s < RSH_STATUS_COUNT; s++) {
    total += statuses[s];
    if (statuses[s] != 0)
      printf("%10ld %s\n", statuses[s], rsh_status_name((rsh_status)s));
  }
  printf("%10ld cases\n", total);
  return statuses[RSH_ok] < 1000 || statuses[RSH_overflow] < 1000;
}
