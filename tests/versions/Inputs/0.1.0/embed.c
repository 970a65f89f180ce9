// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the library as reshapec.h of version 0.1.0 declares it.
#include "reshapec.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  static const char text[] = "graph f(x: u8[2, 3]) -> y { y = transpose(x) }";
  reshapec *r;
  reshapec_bytes code, header;
  reshapec_kernel *kernel;
  const uint8_t x[6] = {0, 1, 2, 3, 4, 5};
  uint8_t y[6];
  const reshapec_argument argument[2] = {{.input = x}, {.output = y}};
  const reshapec_options options = {.level = '3', .prefix = "my_"};
  if (reshapec_open(&options, NULL, &r) != RESHAPEC_OK ||
      reshapec_read_text(r, "f.rsh", text, strlen(text)) != RESHAPEC_OK ||
      reshapec_emit(r, RESHAPEC_EMIT_OBJECT, "f.h", &code, &header) != RESHAPEC_OK ||
      reshapec_load(r, 0, &kernel) != RESHAPEC_OK || kernel(argument) != 0)
    return puts("differs"), 1;
  puts(strstr(header.data, "my_f(") && y[1] == 3 ? "as in 0.1.0" : "differs");
  reshapec_close(r);
  return 0;
}
