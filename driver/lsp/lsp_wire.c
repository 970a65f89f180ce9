// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/lsp/lsp_wire.h"

#include "frontend/text/rescue.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { READ_BYTES = 64 * 1024, SMALL_BYTES = 1024 * 1024 };

static void drop_input(Wire *wire, size_t count) {
  wire->count -= count;
  memmove(wire->bytes, wire->bytes + count, wire->count);
  wire->scanned = 0;
  if (wire->count == 0 && wire->capacity > SMALL_BYTES) { // after a large message
    wire->capacity = READ_BYTES;
    wire->bytes = memory_of(realloc(wire->bytes, wire->capacity));
  }
}

// Reads more bytes, at least one. False: *result says why not.
static bool fill(Wire *wire, bool waits, WireResult *result) {
  struct pollfd ready = {.fd = wire->in, .events = POLLIN};
  if (!waits && poll(&ready, 1, 0) == 0) { // below 0: the read reports the error
    *result = WIRE_NOTHING;
    return false;
  }
  if (wire->capacity - wire->count < READ_BYTES) {
    wire->capacity = 2 * wire->capacity + READ_BYTES;
    wire->bytes = memory_of(realloc(wire->bytes, wire->capacity));
  }
  ssize_t got;
  do
    got = read(wire->in, wire->bytes + wire->count, wire->capacity - wire->count);
  while (got < 0 && errno == EINTR);
  if (got <= 0) {
    *result = got < 0 ? WIRE_FAILED : WIRE_END;
    return false;
  }
  wire->count += (size_t)got;
  return true;
}

// The end of the header, after its empty line; 0: no header ends yet.
static size_t header_end(Wire *wire) {
  for (size_t i = wire->scanned; i + 4 <= wire->count; i++)
    if (memcmp(wire->bytes + i, "\r\n\r\n", 4) == 0)
      return i + 4;
  wire->scanned = wire->count > 3 ? wire->count - 3 : 0;
  return 0;
}

static bool is_field(const char *line, size_t length, const char *name) {
  return length > strlen(name) && strncasecmp(line, name, strlen(name)) == 0;
}

// " 27"; a number that does not fit 64 bits becomes the largest one.
static bool read_length(const char *text, size_t count, uint64_t *out) {
  size_t at = 0, digits = 0;
  while (at < count && (text[at] == ' ' || text[at] == '\t'))
    at++;
  for (*out = 0; at < count && text[at] >= '0' && text[at] <= '9'; at++, digits++)
    *out = *out > (UINT64_MAX - 9) / 10 ? UINT64_MAX : 10 * *out + (uint64_t)(text[at] - '0');
  while (at < count && (text[at] == ' ' || text[at] == '\t'))
    at++;
  return digits > 0 && at == count;
}

// Fields other than the length are ignored: UTF-8 is the only charset.
static bool read_header(Wire *wire, size_t end) {
  static const char name[] = "Content-Length:";
  wire->has_length = false;
  for (size_t at = 0; at + 4 <= end;) {
    const char *line = wire->bytes + at, *newline = line;
    while (newline[0] != '\r' || newline[1] != '\n')
      newline++;
    size_t length = (size_t)(newline - line);
    if (is_field(line, length, name)) {
      wire->has_length =
          read_length(line + sizeof name - 1, length - (sizeof name - 1), &wire->length);
      if (!wire->has_length)
        return false;
    }
    at += length + 2;
  }
  drop_input(wire, end);
  return wire->has_length;
}

static WireResult take_body(Wire *wire, json_t **out, char *why) {
  json_error_t error;
  *out = json_loadb(wire->bytes, (size_t)wire->length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
  if (!*out)
    memcpy(why, error.text, JSON_ERROR_TEXT_LENGTH);
  wire->has_length = false;
  drop_input(wire, (size_t)wire->length);
  return *out ? WIRE_MESSAGE : WIRE_NO_JSON;
}

WireResult wire_read(Wire *wire, bool waits, json_t **out, char why[JSON_ERROR_TEXT_LENGTH]) {
  WireResult result;
  do {
    if (wire->skip > 0) {
      size_t count = wire->skip < wire->count ? (size_t)wire->skip : wire->count;
      wire->skip -= count;
      drop_input(wire, count);
      if (wire->skip > 0)
        continue;
    }
    size_t end = wire->has_length ? 0 : header_end(wire);
    if (end > 0 && !read_header(wire, end))
      return WIRE_NO_HEADER;
    if (!wire->has_length && wire->count > WIRE_MAX_HEADER)
      return WIRE_NO_HEADER;
    if (wire->has_length && wire->length > WIRE_MAX_BODY) {
      wire->skip = wire->length;
      wire->has_length = false;
      return WIRE_TOO_LARGE;
    }
    if (wire->has_length && wire->count >= wire->length)
      return take_body(wire, out, why);
  } while (fill(wire, waits, &result));
  return result;
}

bool wire_write(Wire *wire, json_t *message) {
  char *text = memory_of(json_dumps(message, JSON_COMPACT));
  size_t length = strlen(text); // NUL is \u0000 there
  bool good = fprintf(wire->out, "Content-Length: %zu\r\n\r\n", length) > 0 &&
              fwrite(text, 1, length, wire->out) == length && fflush(wire->out) == 0;
  free(text);
  json_decref(message);
  return good;
}

void wire_free(Wire *wire) { free(wire->bytes); }
