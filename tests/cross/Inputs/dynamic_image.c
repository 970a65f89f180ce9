// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a single dynamic graph: a reshape of three sizes known only at run time. It fails if the result is
// wrong, or if a call uses STACK or more bytes of stack, which it measures with a pattern below its own frame.
#include "board.h"
#include "image.h"

enum { PAINTED = 2048, UNTOUCHED = 0xa5 };

static _Alignas(8) unsigned char plan[AS_ASKED_PLAN_BYTES];
static union {
  uint32_t word[24]; // without functions for floats
  float number[24];
} x, y;

static volatile unsigned char *stack_pointer(void) {
  volatile unsigned char *at;
  __asm__ volatile("mov %0, sp" : "=r"(at));
  return at;
}

// The stack that the call used below here, including the frame of `as_asked`.
static int used;

static __attribute__((noinline)) rsh_status call(const int64_t *s, int64_t *dims, int32_t *rank) {
  volatile unsigned char *top = stack_pointer();
  for (int i = 1; i <= PAINTED; i++)
    top[-i] = UNTOUCHED;
  rsh_status status = as_asked(2, 3, 4, 2, x.number, s, y.number, dims, rank, plan);
  int least = PAINTED;
  while (least > 0 && top[-least] == UNTOUCHED)
    least--;
  used = least > used ? least : used;
  return status;
}

static int failed(const char *what) {
  say(what);
  return 1;
}

int main(void) {
  static const int64_t target[2] = {6, -1}, wrong[2] = {5, -1};
  int64_t dims[16];
  int32_t rank = 0;
  for (int i = 0; i < 24; i++)
    x.word[i] = (uint32_t)i;
  if (call(wrong, dims, &rank) != RSH_not_divisible)
    return failed("a wrong target is taken\n");
  if (call(target, dims, &rank) != RSH_ok || rank != 2 || dims[0] != 6 || dims[1] != 4)
    return failed("the shape is wrong\n");
  if (call(target, dims, &rank) != RSH_ok)
    return failed("the plan is of no use\n");
  for (int i = 0; i < 24; i++)
    if (y.word[i] != (uint32_t)i)
      return failed("an element is wrong\n");
  if (used >= STACK)
    return failed("too much stack\n");
  say("the image runs\n");
  return 0;
}
