// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes tables of copies as an engine would: `width` bytes at a time. stdin: the inputs of all graphs, one after
// another; stdout: the outputs. Each byte is written at most once; bytes never written stay 0xA5.
#include "tables.dma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Work {
  const rsh_dma *table;
  int count, inputs, outputs;
  size_t bytes[8]; // of the inputs, then of the outputs
} Work;

static const Work work[] = {
#include "work.inc"
};

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

static void copy(const rsh_dma *d, int loop, const uint8_t *from, uint8_t *to, uint8_t *seen) {
  if (loop < d->loops) {
    const rsh_dma_loop *l = &d->loop[loop];
    for (size_t i = 0; i < l->count; i++)
      copy(d, loop + 1, from + (ptrdiff_t)i * l->from, to + (ptrdiff_t)i * l->to,
           seen + (ptrdiff_t)i * l->to);
    return;
  }
  size_t width = (size_t)d->width;
  if (width == 0 || d->run % width != 0 || (uintptr_t)from % width != 0 ||
      (uintptr_t)to % width != 0)
    fail("an access is not aligned");
  for (size_t at = 0; at < d->run; at++) {
    if (seen[at]++)
      fail("a byte is written twice");
    to[at] = d->input < 0 ? d->constant->byte[at % 16] : from[at];
  }
}

int main(void) {
  for (size_t w = 0; w < sizeof work / sizeof *work; w++) {
    const Work *one = &work[w];
    uint8_t *memory[8], *seen[8];
    for (int i = 0; i < one->inputs + one->outputs; i++) {
      memory[i] = malloc(one->bytes[i] + 1), seen[i] = calloc(one->bytes[i] + 1, 1);
      memset(memory[i], 0xA5, one->bytes[i]);
      if (i < one->inputs && fread(memory[i], 1, one->bytes[i], stdin) != one->bytes[i])
        fail("no input");
    }
    for (int i = one->count; i-- > 0;) { // in any order: the last one first
      const rsh_dma *d = &one->table[i];
      if (d->loops > LOOPS)
        fail("too many loops");
      const uint8_t *from = d->input < 0 ? d->constant->byte : memory[d->input] + d->from;
      if (d->loops > 0 && d->input < 0)
        for (int l = 0; l < d->loops; l++)
          if (d->loop[l].from != 0)
            fail("a constant has steps");
      copy(d, 0, from, memory[one->inputs + d->output] + d->to,
           seen[one->inputs + d->output] + d->to);
    }
    for (int i = 0; i < one->inputs + one->outputs; i++) {
      if (i >= one->inputs)
        fwrite(memory[i], 1, one->bytes[i], stdout);
      free(memory[i]), free(seen[i]);
    }
  }
  return 0;
}
