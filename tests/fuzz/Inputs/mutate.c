// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A main() for fuzz targets without libFuzzer:
//
//   target ROUNDS SEED_FILE...
//
// calls the target with each file, and ROUNDS times with a file changed in a few places. The changes are the same in
// every run.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { max_size = 1 << 16 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static size_t below(size_t limit) { // xorshift64
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return limit > 0 ? (size_t)(state >> 11) % limit : 0;
}

static size_t load(const char *path, uint8_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(2);
  }
  size_t size = fread(bytes, 1, max_size, file);
  fclose(file);
  return size;
}

// Changes one place; returns the new size. There is at least one byte.
static size_t change(uint8_t *bytes, size_t size, const uint8_t *other, size_t other_size) {
  static const uint8_t telling[] = {0, 1, 0x7f, 0x80, 0xff, '\'', ',', '(', '{', '-', '9', '\n'};
  size_t at = below(size), length = 1 + below(8);
  switch (below(6)) {
  case 0:
    bytes[at] ^= (uint8_t)(1u << below(8));
    return size;
  case 1:
    bytes[at] = telling[below(sizeof telling)];
    return size;
  case 2: // shorter at the end
    return at + 1;
  case 3: // a piece left out
    if (at + length >= size)
      return size;
    memmove(bytes + at, bytes + at + length, size - at - length);
    return size - length;
  case 4: // a piece twice
    if (at + length > size || size + length > max_size)
      return size;
    memmove(bytes + at + length, bytes + at, size - at);
    return size + length;
  default: // the head of one, the tail of another
    if (at >= other_size)
      return size;
    memcpy(bytes + at, other + at, other_size - at);
    return other_size;
  }
}

int main(int argc, char **argv) {
  uint8_t *bytes = malloc(max_size), *other = malloc(max_size);
  if (argc < 3 || !bytes || !other)
    return 2;
  size_t seeds = (size_t)argc - 2;
  for (size_t i = 0; i < seeds; i++)
    LLVMFuzzerTestOneInput(bytes, load(argv[2 + i], bytes));
  for (long rounds = atol(argv[1]); rounds > 0; rounds--) {
    size_t size = load(argv[2 + below(seeds)], bytes);
    size_t other_size = load(argv[2 + below(seeds)], other);
    for (size_t changes = 1 + below(4); changes > 0 && size > 0; changes--)
      size = change(bytes, size, other, other_size);
    LLVMFuzzerTestOneInput(bytes, size);
  }
  free(bytes);
  free(other);
  return 0;
}
