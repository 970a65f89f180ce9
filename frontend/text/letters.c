// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of characters, with binary search.
#include "frontend/text/letters.h"

#include "frontend/text/source.h"
#include "frontend/text/words.h"

typedef struct Range {
  uint32_t first, last;
} Range;

#define LETTER(first, last) {first, last},
#define INNER(first, last)
static const Range letters[] = {
#include "frontend/text/letters.def"
};
#undef LETTER
#undef INNER
#define LETTER(first, last)
#define INNER(first, last) {first, last},
static const Range inner[] = {
#include "frontend/text/letters.def"
};

static bool is_among(const Range *range, int count, uint32_t character) {
  int low = 0, high = count; // the range is one of low..high-1
  while (low < high) {
    int middle = (low + high) / 2;
    if (character > range[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && range[low].first <= character;
}

static uint32_t character_at(const char *at, int bytes) {
  uint32_t character = (unsigned char)*at & (0x7Fu >> bytes);
  for (int i = 1; i < bytes; i++)
    character = character << 6 | ((unsigned char)at[i] & 0x3Fu);
  return character;
}

uint32_t letter_length(const char *at, const char *end, bool is_first) {
  if (at == end)
    return 0;
  if ((unsigned char)*at < 0x80)
    return is_word_byte(*at) && !(is_first && is_digit(*at));
  int bytes = utf8_length(at, end);
  if (bytes < 2)
    return 0;
  uint32_t character = character_at(at, bytes);
  bool good = is_among(letters, (int)(sizeof letters / sizeof *letters), character) &&
              (!is_first || !is_among(inner, (int)(sizeof inner / sizeof *inner), character));
  return good ? (uint32_t)bytes : 0;
}
