// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of a program. Graphs without conditions do not link this file.
#include "runtime/program_internal.h"

static bool compare(rsh_guard_kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case RSH_GUARD_EQ:
    return a == b;
  case RSH_GUARD_NE:
    return a != b;
  case RSH_GUARD_LT:
    return a < b;
  case RSH_GUARD_LE:
    return a <= b;
  case RSH_GUARD_GT:
    return a > b;
  case RSH_GUARD_GE:
    return a >= b;
  case RSH_GUARD_IN: // one of the choices
    break;
  }
  return false;
}

// Like the entry of a compiled graph: a number that does not fit is an overflow, and a divisor below 1 violates the
// condition.
static rsh_status check_guard(Program *p, const int64_t **at) {
  rsh_guard_kind kind = (rsh_guard_kind)(*at)[1];
  const rsh_program_check *edges = p->call->parts->edges;
  rsh_status status = (rsh_status)(*at)[2],
             loaded = edges != 0 ? edges->check(p, (int32_t)(*at)[3]) : RSH_ok;
  int64_t left, right, divisor;
  *at += 4;
  if (loaded != RSH_ok)
    return loaded;
  bool fits = rsh_program_number(p, at, &left);
  fits = rsh_program_number(p, at, &right) && fits;
  bool has_divisor = (*at)[0] != RSH_NUMBER_INT || (*at)[1] != 0;
  fits = rsh_program_number(p, at, &divisor) && fits;
  int64_t count = *(*at)++;
  const int64_t *choice = *at;
  *at += count;
  if (!fits)
    return RSH_overflow;
  if (has_divisor && divisor < 1)
    return status;
  if (has_divisor)
    left %= divisor;
  bool holds = compare(kind, left, right);
  for (int64_t i = 0; i < count; i++)
    holds = holds || choice[i] == left;
  return holds ? RSH_ok : status;
}

static rsh_status ask_guards(Program *p, int32_t node) {
  const int64_t *end = p->tape + p->tape[RSH_TAPE_AT_NODES];
  rsh_status status = RSH_ok;
  while (status == RSH_ok && p->guard < end && *p->guard <= node)
    status = check_guard(p, &p->guard);
  return status;
}

const rsh_program_check rsh_program_guards = {ask_guards};
