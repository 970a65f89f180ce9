// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// An allocator that refuses its n-th call: each call of the library ends with a status, and gives back all that
// it was given.
#include "include/reshapec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Count {
  long given, until, open;
} Count;

static void *allocate(void *user, size_t bytes) {
  Count *count = user;
  if (count->given++ >= count->until)
    return NULL;
  count->open++;
  return malloc(bytes);
}

static void release(void *user, void *block) {
  ((Count *)user)->open -= block != NULL;
  free(block);
}

static const char text[] =
    "graph f(x: f32[N, 64, 48], s: f32[4, 256, 256]) -> (y, z) {\n"
    "  y = x |> reshape([N, 64, 6, 8]) |> transpose([0, 2, 1, 3]) |> pad([0, 1, 0, 0, 0, 1, 0, "
    "0])\n"
    "  z = reshape(transpose(reshape(transpose(s, [1, 0, 2]), [512, 512]), [1, 0]), [-1])\n"
    "}\n";

static reshapec_status compile(Count *count) {
  const reshapec_allocator allocator = {allocate, release, count};
  reshapec *r;
  reshapec_status status = reshapec_open(NULL, &allocator, &r);
  if (status == RESHAPEC_OK)
    status = reshapec_read_text(r, "f.rsh", text, strlen(text));
#ifndef __SANITIZE_ADDRESS__ // what LLVM holds by then is lost
  reshapec_bytes object, header;
  if (status == RESHAPEC_OK)
    status = reshapec_emit(r, RESHAPEC_EMIT_C, "f.h", &object, &header);
#endif
  if (status == RESHAPEC_MEMORY && r) {
    reshapec_message message;
    assert(reshapec_get_message(r, reshapec_message_count(r) - 1, &message) == RESHAPEC_OK);
    assert(strcmp(message.text, "out of memory") == 0);
    assert(strcmp(reshapec_messages_text(r), "out of memory") == 0);
    assert(reshapec_read_text(r, "g.rsh", text, strlen(text)) == RESHAPEC_MEMORY);
  }
  reshapec_close(r);
  return status;
}

int main(void) {
  Count count = {.until = 1000000};
  assert(compile(&count) == RESHAPEC_OK && count.open == 0 && count.given >= 2);
  for (long n = 0, calls = count.given; n < calls; n++) {
    count = (Count){.until = n};
    assert(compile(&count) == RESHAPEC_MEMORY && count.open == 0);
  }
}
