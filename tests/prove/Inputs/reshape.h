// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reshape of OP, with its flag omitted, off or on, of any sizes to any target, up to RANK axes each. The result must
// match the reference manuals, restated below: each entry by itself, from the left; then volumes.
//
// A dialect defines: COPIES, whether a 0 copies with this flag (-1: omitted); SKIPS, whether the -1 skips copied sizes.
#include "tests/prove/Inputs/prove.h"

#include "runtime/num.c"
#include "runtime/reshape.c"
#include "runtime/resolve_ask.c"
#include "runtime/shape.c"
#include "runtime/status.c"

#ifndef FLAG_AT
#define FLAG_AT 1
#endif
#ifndef RANK
#define RANK 2
#endif

typedef struct Sizes {
  int32_t count;
  int64_t size[RANK];
} Sizes;

// False if the product of the nonzero sizes exceeds 2^63 - 1, wherever the 0 is.
static bool multiply_all(const Sizes *s, const bool *is_left_out, int64_t *volume) {
  bool has_zero = false;
  *volume = 1;
  for (int32_t i = 0; i < s->count; i++) {
    if (is_left_out[i])
      continue;
    if (s->size[i] == 0)
      has_zero = true;
    else if (__builtin_mul_overflow(*volume, s->size[i], volume))
      return false;
  }
  *volume = has_zero ? 0 : *volume;
  return true;
}

// The target becomes sizes.
static rsh_status expected(const Sizes *in, Sizes *t, bool copies, bool skips) {
  bool is_copy[RANK] = {false}, none[RANK] = {false}, is_infer[RANK] = {false},
       both[RANK] = {false};
  int32_t infer = -1;
  bool has_zero = false;
  int64_t have, known;
  for (int32_t i = 0; i < t->count; i++) {
    if (t->size[i] < -1)
      return RSH_bad_dim;
    if (t->size[i] == -1 && infer >= 0)
      return RSH_multiple_infer;
    if (t->size[i] == -1)
      infer = i;
    if (t->size[i] == 0 && copies && i >= in->count)
      return RSH_zero_out_of_range;
    is_copy[i] = t->size[i] == 0 && copies;
    has_zero = has_zero || (t->size[i] == 0 && !copies);
  }
  if (infer >= 0 && has_zero && BARS_ZERO)
    return RSH_zero_with_infer;
  for (int32_t i = 0; i < t->count; i++) {
    if (is_copy[i])
      t->size[i] = in->size[i];
    is_infer[i] = i == infer;
    both[i] = is_infer[i] || is_copy[i];
  }
  if (!multiply_all(in, none, &have) || !multiply_all(t, is_infer, &known))
    return RSH_overflow;
  if (infer < 0)
    return have == known ? RSH_ok : RSH_volume_mismatch;
  if (skips && (!multiply_all(in, is_copy, &have) || !multiply_all(t, both, &known)))
    return RSH_overflow;
  if (known == 0)
    return RSH_ambiguous_infer;
  if (have % known != 0)
    return RSH_not_divisible;
  t->size[infer] = have / known;
  return RSH_ok;
}

void harness(void) {
  Sizes from = {.count = any_choice(RANK + 1)}, to = {.count = any_choice(RANK + 1)};
  int flag = (int)any_choice(3) - 1;
  rsh_shape in, out = {.rank = -7};
  rsh_num list[RANK], flag_value = rsh_int(flag);
  rsh_fault fault;
  in.rank = from.count;
  for (int32_t i = 0; i < from.count; i++) {
    from.size[i] = any_between(0, INT64_MAX);
    in.dim[i] = rsh_int(from.size[i]);
  }
  for (int32_t i = 0; i < to.count; i++) {
    to.size[i] = any_int64();
    list[i] = rsh_int(to.size[i]);
  }
  const rsh_shape *operands[] = {&in};
  rsh_dtype type = RSH_F32;
  rsh_call call = {.op = OP, .in_count = 1, .out_count = 1, .in = operands, .in_type = &type};
  call.arg[0] = (rsh_arg){.kind = RSH_ARG_LIST, .rank = 1, .count = to.count, .list = list};
  if (flag >= 0)
    call.arg[FLAG_AT] = (rsh_arg){.kind = RSH_ARG_LIST, .count = 1, .list = &flag_value};
  rsh_status status = rsh_rule_reshape(&call, &out, &fault),
             wanted = NEEDS_FLAG && flag < 0 ? RSH_bad_attr : RSH_ok;
  if (wanted == RSH_ok && HAS_NO_SCALARS && to.count == 0)
    wanted = RSH_empty_shape;
  if (wanted == RSH_ok)
    wanted = expected(&from, &to, COPIES(flag), SKIPS(flag));
  prove(status == wanted);
  if (status != RSH_ok) {
    prove(out.rank == -7); // nothing is written
    return;
  }
  prove(out.rank == to.count);
  for (int32_t i = 0; i < to.count; i++)
    prove(out.dim[i].n == to.size[i] && rsh_is_known(out.dim[i]));
}
