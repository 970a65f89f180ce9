// Reads a few bytes at both ends of tensors of several GiB.
#define _DEFAULT_SOURCE
#include "far.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>

int main(void) {
  size_t size = (size_t)6 << 30;
  unsigned char *x =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (x == MAP_FAILED)
    return 2;
  int wrong = 0;
  uint8_t y[ENDS_Y_BYTES], z[LAST_Y_BYTES];
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 3; j++)
      x[i * 1073741825 + 1073741822 + j] = (unsigned char)(1 + 3 * i + j);
  ends(x, y);
  for (int i = 0; i < 15; i++)
    wrong += y[i] != 1 + i;
  for (size_t i = 0; i < 16; i++)
    x[2147483640 + i] = (unsigned char)(i + 100);
  last(x, z);
  for (int i = 0; i < 16; i++)
    wrong += z[i] != 115 - i;
  uint16_t *w = (uint16_t *)(void *)x, v[COLUMNS_Y_BYTES / 2];
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++)
      w[i * 1073741824 + 1073741820 + j] = (uint16_t)(1000 + 3 * i + j);
  columns(w, v);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      wrong += v[j * 3 + i] != 1000 + 3 * i + j;
  if (wrong)
    fprintf(stderr, "%d wrong elements\n", wrong);
  return wrong != 0;
}
