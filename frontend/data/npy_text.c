// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/data/npy_text.h"

#include "frontend/text/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An element in the file. Indices count bytes, or UTF-32 characters.
typedef struct Element {
  const NpyHeader *header;
  const unsigned char *bytes;
  int length; // without the zeros after the text
} Element;

static bool is_wide(const NpyHeader *h) { return h->kind == 'U'; }

static uint32_t unit_at(const Element *e, int at) {
  if (!is_wide(e->header))
    return e->bytes[at];
  const unsigned char *b = e->bytes + 4 * (size_t)at;
  const uint16_t one = 1;
  bool is_little_here = *(const unsigned char *)&one == 1;
  bool is_little = e->header->order == '<' || (e->header->order != '>' && is_little_here);
  return is_little ? b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24
                   : b[3] | (uint32_t)b[2] << 8 | (uint32_t)b[1] << 16 | (uint32_t)b[0] << 24;
}

static Element element_at(const NpyHeader *h, const unsigned char *data, int64_t i) {
  Element e = {h, data + (size_t)i * npy_header_bytes(h), h->size};
  while (e.length > 0 && unit_at(&e, e.length - 1) == 0)
    e.length--;
  return e;
}

// Encodes a character as UTF-8 into `to`, unless NULL; returns its length in bytes.
static size_t put_character(uint32_t c, char *to) {
  static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  size_t bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = bytes; to && i-- > 0; c >>= 6)
    to[i] = (char)(i > 0 ? 0x80 | (c & 0x3F) : lead[bytes == 1 ? 0 : bytes] | c);
  return bytes;
}

static bool is_character(uint32_t c) { return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF); }

// Returns whether an element is valid text; else `why` says what is wrong.
static bool check_wide(const Element *e, char why[96]) {
  for (int i = 0; i < e->length; i++) {
    uint32_t c = unit_at(e, i);
    if (!is_character(c)) {
      snprintf(why, 96, "has U+%04" PRIX32 ", which is not a character", c);
      return false;
    }
  }
  return true;
}

static bool check_bytes(const Element *e, char why[96]) {
  const char *at = (const char *)e->bytes, *end = at + e->length;
  for (int bytes; at < end; at += bytes) {
    bytes = utf8_length(at, end);
    if (bytes == 0) {
      snprintf(why, 96, "has the byte 0x%02x at %d, which is not UTF-8", (unsigned char)*at,
               (int)(at - (const char *)e->bytes));
      return false;
    }
  }
  return true;
}

static bool check(const Element *e, char why[96]) {
  for (int i = 0; i < e->length; i++)
    if (unit_at(e, i) == 0) {
      snprintf(why, 96, "contains U+0000, which would end the string");
      return false;
    }
  return is_wide(e->header) ? check_wide(e, why) : check_bytes(e, why);
}

static size_t put_element(const Element *e, char *to) {
  size_t bytes = 0;
  for (int i = 0; i < e->length; i++)
    if (is_wide(e->header))
      bytes += put_character(unit_at(e, i), to ? to + bytes : NULL);
    else if (to)
      to[bytes++] = (char)e->bytes[i];
    else
      bytes++;
  if (to)
    to[bytes] = '\0';
  return bytes + 1;
}

const char **npy_text_read(const NpyHeader *header, const unsigned char *data, int64_t count,
                           char why[128]) {
  size_t text = 0;
  char what[96];
  *why = '\0';
  for (int64_t i = 0; i < count; i++) {
    Element e = element_at(header, data, i);
    if (!check(&e, what)) {
      snprintf(why, 128, "element %" PRId64 " %s", i, what);
      return NULL;
    }
    text += put_element(&e, NULL);
  }
  size_t pointers;
  if (__builtin_mul_overflow((size_t)count, sizeof(char *), &pointers) ||
      pointers > PTRDIFF_MAX - text)
    return NULL;
  const char **string = malloc(pointers + text + 1); // one more byte: never NULL for no elements
  char *to = (char *)string + pointers;
  for (int64_t i = 0; string && i < count; i++) {
    Element e = element_at(header, data, i);
    string[i] = to;
    to += put_element(&e, to);
  }
  return string;
}

int64_t npy_text_width(const char *const *string, int64_t count, int64_t *wrong) {
  int64_t width = 1;
  for (int64_t i = 0; i < count; i++) {
    const char *at = string[i] ? string[i] : "", *end = at + strlen(at);
    int64_t characters = 0;
    for (int bytes; at < end; at += bytes, characters++) {
      bytes = utf8_length(at, end);
      if (bytes == 0) {
        *wrong = i;
        return -1;
      }
    }
    width = characters > width ? characters : width;
  }
  return width;
}

// Decodes the first character of UTF-8 text, of `bytes` bytes.
static uint32_t character(const char *text, int bytes) {
  uint32_t c = (unsigned char)*text & (bytes == 1 ? 0x7Fu : 0xFFu >> (bytes + 1));
  for (int i = 1; i < bytes; i++)
    c = c << 6 | ((unsigned char)text[i] & 0x3F);
  return c;
}

void npy_text_write(const char *const *string, int64_t count, int64_t width, uint32_t *to) {
  for (int64_t i = 0; i < count; i++, to += width) {
    const char *at = string[i] ? string[i] : "", *end = at + strlen(at);
    int64_t n = 0;
    for (int bytes; at < end; at += bytes) {
      bytes = utf8_length(at, end);
      to[n++] = character(at, bytes);
    }
    memset(to + n, 0, (size_t)(width - n) * sizeof *to);
  }
}
