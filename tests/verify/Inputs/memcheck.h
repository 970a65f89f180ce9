// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory with bits that memcheck treats as undefined. Blocks are exactly as long as a tensor, so accesses outside it
// are reported as well.
//
// The undefined bits of an input are the ones of its data. A kernel that only moves treats both alike; a bit that is
// the same for the data and for its complement is a constant of the kernel, and defined.
//
//   input   0110 0011    undefined  0110 0011        data of a second call  1001 1100
//   output  0011 0000    undefined  0011 0000        and its output         1100 0000     (the last four are padding)
#ifndef MEMCHECK_H
#define MEMCHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

typedef struct Block {
  uint8_t *data, *first, *bits; // first: of the first call; bits: that are undefined then
  size_t bytes;
} Block;

static uint32_t state = 1;

static inline uint8_t any_byte(int is_whole) {
  state = state * 1664525u + 1013904223u;
  return (uint8_t)(is_whole ? -(state >> 31) : state >> 24);
}

static inline Block block(size_t bytes) {
  return (Block){malloc(bytes), malloc(bytes), malloc(bytes), bytes};
}

// `are_whole`: either all bits of a byte are undefined, or none.
static inline void fill(Block *b, int turn, int are_whole) {
  for (size_t i = 0; turn == 0 && i < b->bytes; i++)
    b->first[i] = any_byte(are_whole);
  for (size_t i = 0; i < b->bytes; i++)
    b->data[i] = (uint8_t)(turn == 0 ? b->first[i] : ~b->first[i]);
  (void)VALGRIND_SET_VBITS(b->data, b->first, b->bytes);
}

static inline void take(Block *b, int turn) {
  if (turn == 0)
    (void)VALGRIND_GET_VBITS(b->data, b->bits, b->bytes);
  (void)VALGRIND_MAKE_MEM_DEFINED(b->data, b->bytes);
  if (turn > 0)
    return;
  memcpy(b->first, b->data, b->bytes);
  (void)VALGRIND_MAKE_MEM_UNDEFINED(b->data, b->bytes);
}

// Exactly the bits copied from undefined bits of an input must be undefined.
static inline int is_expected(const Block *b) {
  for (size_t i = 0; i < b->bytes; i++)
    if (b->bits[i] != (b->first[i] & (b->first[i] ^ b->data[i])))
      return 0;
  return 1;
}

static inline void discard(Block *b) {
  free(b->data);
  free(b->first);
  free(b->bits);
}

#endif
