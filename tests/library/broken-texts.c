// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t %{count:10000}
//
// Texts with a byte too few, too many or another one: each ends with a status and, where it is refused, with messages.
// Sanitized builds see leaks.
#include "include/reshapec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char good[] =
    "graph f(x: f32[B, 6, 8], w: f32[8, 6]) -> (y: f32[B, 48], view v) where B % 2 == 0 {\n"
    "  y = x |> transpose([0, 2, 1]) |> reshape([B, -1]) |> mul(0.5)\n"
    "  v = rearrange(w, \"(a b) c -> a (b c)\", a=2)[0]\n"
    "}\n";

static uint32_t next(uint32_t *state) {
  return *state = *state * 1664525u + 1013904223u, *state >> 8;
}

static void spoil(char *text, uint32_t *state) {
  size_t length = strlen(text), at = next(state) % length;
  switch (next(state) % 3) {
  case 0:
    memmove(text + at, text + at + 1, length - at);
    break;
  case 1:
    memmove(text + at + 1, text + at, length - at + 1);
    text[at] = good[next(state) % (sizeof good - 1)];
    break;
  default:
    text[at] = good[next(state) % (sizeof good - 1)];
  }
}

int main(int argc, char **argv) {
  int refused = 0, count = argc > 1 ? atoi(argv[1]) : 100;
  uint32_t state = 1;
  for (int i = 0; i < count; i++) {
    char text[2 * sizeof good];
    memcpy(text, good, sizeof good);
    for (uint32_t k = next(&state) % 3 + 1; k > 0; k--)
      spoil(text, &state);
    reshapec *r;
    assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
    reshapec_status status = reshapec_read_text(r, "broken.rsh", text, strlen(text));
    assert(status == RESHAPEC_OK || status == RESHAPEC_INPUT);
    assert((status == RESHAPEC_INPUT) == (*reshapec_messages_text(r) != '\0'));
    refused += status != RESHAPEC_OK;
    reshapec_close(r);
  }
  assert(refused > count / 2 && refused < count);
}
