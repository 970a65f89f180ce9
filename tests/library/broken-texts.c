// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t %{count:1000} $(ls %{root}/examples/*/*.rsh %{root}/tests/lower/*.rsh)
//
// broken-texts COUNT FILE ...: texts with missing, extra or changed bytes, and with words of other texts, COUNT in all.
// Each ends with a status; if it is refused, each error gives its line and column, unless there is no graph. Texts that
// are still valid are emitted as C. Sanitized builds detect leaks.
#include "include/reshapec.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 14 };

static uint32_t draw(uint32_t *state, size_t below) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % (uint32_t)below;
}

static size_t read_file(const char *name, char *text) {
  FILE *file = fopen(name, "rb");
  assert(file);
  size_t length = fread(text, 1, MOST, file);
  fclose(file);
  return length;
}

typedef struct Text {
  char byte[2 * MOST];
  size_t length;
} Text;

// Replaces `gone` bytes at `at` by `count` others.
static void replace(Text *text, size_t at, size_t gone, const char *bytes, size_t count) {
  memmove(text->byte + at + count, text->byte + at + gone, text->length - at - gone);
  memcpy(text->byte + at, bytes, count);
  text->length += count - gone;
}

static void spoil(Text *text, const Text *other, uint32_t *state) {
  size_t at = draw(state, text->length), left = text->length - at;
  size_t from = draw(state, other->length), some = 1 + draw(state, 12);
  size_t gone = some < left ? some : left,
         more = some < other->length - from ? some : other->length - from;
  switch (draw(state, 5)) {
  case 0:
    replace(text, at, 1, "", 0);
    break;
  case 1:
    replace(text, at, 0, other->byte + from, 1);
    break;
  case 2:
    replace(text, at, 1, other->byte + from, 1);
    break;
  case 3:
    replace(text, at, gone, other->byte + from, more);
    break;
  default:
    replace(text, at, 1, &(char){(char)draw(state, 256)}, 1);
  }
}

// True if the text is refused.
static bool compile(const Text *text) {
  reshapec *r;
  reshapec_bytes code, header;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  reshapec_status status = reshapec_read_text(r, "broken.rsh", text->byte, text->length);
  if (status == RESHAPEC_OK)
    status = reshapec_emit(r, RESHAPEC_EMIT_C, "broken.h", &code, &header);
  assert(status == RESHAPEC_OK || status == RESHAPEC_INPUT);
  int errors = 0;
  for (int i = 0; i < reshapec_message_count(r); i++) {
    reshapec_message m;
    assert(reshapec_get_message(r, i, &m) == RESHAPEC_OK && *m.kind && *m.text && *m.file);
    errors += m.severity == RESHAPEC_ERROR;
    if (m.severity == RESHAPEC_ERROR && (m.line < 1 || m.column < 1) &&
        !strstr(m.text, "there is no graph in this file"))
      fprintf(stderr, "%.*s\n%s", (int)text->length, text->byte, reshapec_messages_text(r)),
          abort();
  }
  assert((status == RESHAPEC_INPUT) == (errors > 0));
  reshapec_close(r);
  return status == RESHAPEC_INPUT;
}

int main(int argc, char **argv) {
  static Text text, other;
  assert(argc > 2);
  int refused = 0, count = atoi(argv[1]);
  uint32_t state = 1;
  for (int i = 0; i < count; i++) {
    text.length = read_file(argv[2 + i % (argc - 2)], text.byte);
    other.length = read_file(argv[2 + draw(&state, (size_t)argc - 2)], other.byte);
    for (uint32_t k = draw(&state, 3) + 1; k > 0 && text.length > 0; k--)
      spoil(&text, &other, &state);
    refused += compile(&text);
  }
  printf("%d texts, %d refused\n", count, refused);
  assert(refused > count / 2 && refused < count);
}
