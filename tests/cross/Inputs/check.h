// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes labeled inputs and checksums of outputs, which are the same on every machine, whatever its byte order.
#ifndef CHECK_H
#define CHECK_H

#include "board.h"

#include <stddef.h>

enum { ROOM = 1 << 16, AROUND = 64, CANARY = 0xa5 };

typedef struct Buffer {
  unsigned char *at;
  uint32_t bytes;
} Buffer;

static inline uint32_t label(uint32_t i) {
  i = (i + 1) * 2654435761u;
  return i ^ i >> 15;
}

// Elements of `width` bytes as integers of that width; those of 16 are pairs.
static inline void put(unsigned char *to, uint32_t width, uint32_t n) {
  uint64_t both = (uint64_t)label(n) << 32 | label(n ^ 0x55555555u);
  uint8_t one = (uint8_t)both;
  uint16_t two = (uint16_t)both;
  uint32_t four = (uint32_t)both;
  const unsigned char *from = width == 1   ? &one
                              : width == 2 ? (const unsigned char *)&two
                              : width == 4 ? (const unsigned char *)&four
                                           : (const unsigned char *)&both;
  for (uint32_t i = 0; i < width; i++)
    to[i] = from[i];
}

static inline uint64_t get(const unsigned char *from, uint32_t width) {
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  unsigned char *to = width == 2   ? (unsigned char *)&two
                      : width == 4 ? (unsigned char *)&four
                                   : (unsigned char *)&eight;
  if (width == 1)
    return *from;
  for (uint32_t i = 0; i < width; i++)
    to[i] = from[i];
  return width == 2 ? two : width == 4 ? four : eight;
}

// Aligned only as an element requires, with bytes around that must not change.
static inline Buffer buffer(unsigned char *room, uint32_t bytes, uint32_t align) {
  uint32_t place = AROUND;
  while (((uintptr_t)room + place) % (2 * align) != align)
    place++;
  for (uint32_t i = 0; i < ROOM; i++)
    room[i] = CANARY;
  return (Buffer){room + place, bytes};
}

static inline void fill(Buffer b, uint32_t width, uint32_t seed) {
  for (uint32_t i = 0; i < b.bytes / width; i++)
    put(b.at + i * width, width, seed + i);
}

// Numbers that every floating-point and integer type can represent.
#define FILL_NUMBERS(type, b, seed)                                                                \
  for (uint32_t i_ = 0; i_ < (b).bytes / sizeof(type); i_++)                                       \
  ((type *)(void *)(b).at)[i_] = (type)((int32_t)(((seed) + i_) * 37 % 101) - 20)

#define FILL_DATA(b, ...)                                                                          \
  do {                                                                                             \
    static const int64_t data_[] = {__VA_ARGS__};                                                  \
    for (uint32_t i_ = 0; i_ < sizeof data_ / sizeof *data_; i_++)                                 \
      ((int64_t *)(void *)(b).at)[i_] = data_[i_];                                                 \
  } while (0)

static inline uint64_t hash(uint64_t so_far, uint64_t n) {
  for (int i = 0; i < 8; i++)
    so_far = (so_far ^ (n >> (8 * i) & 255)) * UINT64_C(1099511628211);
  return so_far;
}

static inline uint64_t summary(Buffer b, uint32_t width) {
  uint64_t sum = UINT64_C(14695981039346656037);
  for (uint32_t i = 0; i < b.bytes / width; i++)
    sum = hash(sum, get(b.at + i * width, width));
  return sum;
}

static inline uint64_t sum_of(const int64_t dims[8]) {
  uint64_t sum = 1;
  for (int i = 0; i < 8; i++)
    sum = hash(sum, (uint64_t)dims[i]);
  return sum;
}

static inline int is_kept(const unsigned char *room, Buffer b) {
  for (uint32_t i = 0; i < ROOM; i++)
    if ((room + i < b.at || room + i >= b.at + b.bytes) && room[i] != CANARY)
      return 0;
  return 1;
}

// NAME STATUS SUMMARY
static inline void tell(const char *name, int status, uint64_t sum, int kept) {
  char line[96];
  size_t n = 0;
  for (; *name; name++)
    line[n++] = *name;
  line[n++] = ' ';
  line[n++] = (char)('0' + status / 10);
  line[n++] = (char)('0' + status % 10);
  line[n++] = ' ';
  for (int i = 60; i >= 0; i -= 4)
    line[n++] = "0123456789abcdef"[sum >> i & 15];
  for (const char *end = kept ? "" : " wrote beside"; *end; end++)
    line[n++] = *end;
  line[n++] = '\n';
  line[n] = '\0';
  say(line);
}

#endif
