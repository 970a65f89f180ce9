// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
// UNSUPPORTED: sanitized
//
// LLVM ends the program if a target cannot do something it must; here only the call ends, and others continue. (Its
// memory is lost, so sanitized builds do not run this.)
#include "include/reshapec.h"

#include <assert.h>
#include <string.h>

static const char text[] = "graph f(x: u8[2, 3]) -> y { y = transpose(x, [1, 0]) }";

static reshapec_status emit(const char *target, const char *cpu) {
  const reshapec_options options = {.target = target, .cpu = cpu};
  reshapec *r;
  reshapec_bytes object;
  assert(reshapec_open(&options, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "f.rsh", text, strlen(text)) == RESHAPEC_OK);
  reshapec_status status = reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, &object, NULL);
  reshapec_message message;
  if (status == RESHAPEC_INTERNAL) {
    assert(reshapec_get_message(r, reshapec_message_count(r) - 1, &message) == RESHAPEC_OK);
    assert(strcmp(message.kind, "internal") == 0 && strstr(message.text, "64-bit"));
    assert(reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, &object, NULL) == RESHAPEC_INTERNAL);
  }
  reshapec_close(r);
  return status;
}

int main(void) {
  assert(emit("x86_64-linux-gnu", "i386") == RESHAPEC_INTERNAL);
  assert(emit("x86_64-linux-gnu", "bogus") == RESHAPEC_INPUT);
  assert(emit("thumbv7em-none-eabi", "cortex-m4") == RESHAPEC_OK);
  assert(emit("x86_64-linux-gnu", NULL) == RESHAPEC_OK);
}
