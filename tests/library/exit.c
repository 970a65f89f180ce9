// UNSUPPORTED: sanitized
// RUN: rm -rf %t && mkdir %t && ln -s %{build}/lib/libreshapec.so %t/libreshapec.so.0
// RUN: %{cc} %{cflags} %s -o %t/test %t/libreshapec.so.0 -Wl,-rpath,%t && %t/test
//
// A handle may be closed while the process exits, after LLVM's static objects, which are newer than the function that
// closes it.
#include "include/reshapec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static reshapec *r;

static void close_last(void) { reshapec_close(r); }

int main(void) {
  static const char text[] = "graph g(x: u8[2, 3]) -> y { y = transpose(x) }";
  reshapec_kernel *kernel;
  assert(atexit(close_last) == 0);
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "g.rsh", text, strlen(text)) == RESHAPEC_OK);
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
}
