// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver of skipped.onnx (models.py) with a correct engine, and with faulty ones.
#include "skipped.split.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum Fault { NONE, RANK, SIZE, DATA, MEMORY, STATUS } Fault;

enum { N = 2 };
static float a[N * 18], other[N * 18];
static int order[8], ran;

static void *memory(void *context, size_t bytes) {
  static char room[4096];
  static size_t used;
  void *at = room + used;
  if (*(Fault *)context == MEMORY)
    return NULL;
  used += (bytes + 15) / 16 * 16;
  return at;
}

static rsh_status part_1(void *context, const skipped_tensor *in, skipped_tensor *out) {
  Fault fault = *(Fault *)context;
  order[ran++] = 1;
  out->data = fault == DATA ? NULL : a;
  out->dim[0] = in->dim[0];
  if (fault == RANK)
    out->rank = 1;
  if (fault == SIZE)
    out->dim[1] = 7;
  return fault == STATUS ? RSH_unsupported : RSH_ok;
}

static rsh_status part_2(void *context, const skipped_tensor *in, skipped_tensor *out) {
  (void)context;
  order[ran++] = 2;
  out->data = other;
  out->dim[0] = in->dim[0];
  return RSH_ok;
}

static rsh_status part_3(void *context, const skipped_tensor *in, skipped_tensor *out) {
  (void)context;
  order[ran++] = 3;
  out->data = in->data;
  out->dim[0] = in->dim[0];
  return RSH_ok;
}

static rsh_status run(Fault fault, int64_t n) {
  skipped_tensor out[SKIPPED_OUTPUTS];
  const skipped_engine engine = {&fault, memory, part_1, part_2, part_3};
  ran = 0;
  return skipped_run(&engine, n, a, out);
}

static void say(const char *what, rsh_status status) {
  printf("%s: %s\n", what,
         status == RSH_shape_mismatch ? "RSH_shape_mismatch"
         : status == RSH_null_pointer ? "RSH_null_pointer"
         : status == RSH_unsupported  ? "RSH_unsupported"
         : status == RSH_bad_dim      ? "RSH_bad_dim"
                                      : "another");
}

int main(void) {
  printf("right: %d", (int)run(NONE, N));
  for (int i = 0; i < ran; i++)
    printf(" %d", order[i]);
  printf("\n");
  say("another rank", run(RANK, N));
  say("another size", run(SIZE, N));
  say("no data", run(DATA, N));
  say("no memory", run(MEMORY, N));
  say("status of a part", run(STATUS, N));
  say("N below 0", run(NONE, -1));
  return 0;
}
