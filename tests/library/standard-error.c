// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// LLVM's messages about a processor go to standard error, which the calling program may have closed: they are captured
// all the same, and standard error is restored afterwards.
#include "include/reshapec.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "graph f(x: u8[2, 3]) -> y { y = transpose(x, [1, 0]) }";

static void expect(reshapec_status expected, const char *cpu) {
  const reshapec_options options = {.target = "thumbv7em-none-eabi", .cpu = cpu};
  reshapec *r;
  reshapec_bytes object;
  if (reshapec_open(&options, NULL, &r) != RESHAPEC_OK ||
      reshapec_read_text(r, "f.rsh", text, strlen(text)) != RESHAPEC_OK)
    exit(1);
  if (reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, &object, NULL) != expected)
    exit(2);
  reshapec_close(r);
}

int main(void) {
  int file = STDERR_FILENO;
  expect(RESHAPEC_INPUT, "abacus");
  for (; file >= 0; file--) { // then standard output and input, too
    close(file);
    expect(RESHAPEC_INPUT, "abacus");
    expect(RESHAPEC_OK, "cortex-m4");
    for (int other = file; other <= STDERR_FILENO; other++)
      if (fcntl(other, F_GETFD) >= 0)
        return 3;
  }
  return 0;
}
