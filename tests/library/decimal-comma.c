// RUN: rm -rf %t && mkdir %t
// RUN: printf 'LC_NUMERIC\ndecimal_point "<U002C>"\nthousands_sep ""\ngrouping -1\nEND LC_NUMERIC\n' > %t/comma.txt
// RUN: not localedef --no-archive -c -i %t/comma.txt -f ANSI_X3.4-1968 %t/comma 2> %t/warnings
// RUN: %{cc} %{cflags} %s -o %t/test %{libs} && env LOCPATH=%t %t/test
//
// A program whose locale has a decimal comma gets the constants and texts that others get, and keeps its locale.
// (localedef returns 1, since the locale has no other category.)
#include "include/reshapec.h"
#include "../support/refusing.h"

#include <assert.h>
#include <locale.h>
#include <string.h>

static void compiles(void) {
  static const char text[] = "graph f(x: f32[2]) -> y { y = x |> mul(1.5) |> add(0.25) }";
  static const float x[] = {1, 2};
  float y[2];
  reshapec *r;
  reshapec_kernel *kernel;
  reshapec_bytes code;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "f.rsh", text, strlen(text)) == RESHAPEC_OK);
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
  reshapec_argument argument[2] = {{.input = x}, {.output = y}};
  assert(kernel(argument) == 0 && y[0] == 1.75F && y[1] == 3.25F);
  assert(reshapec_emit(r, RESHAPEC_EMIT_C, NULL, &code, NULL) == RESHAPEC_OK);
  assert(strstr(code.data, "* 1.5F") && strstr(code.data, "+ 0.25F"));
  reshapec_close(r);
}

static int has_comma(void) { return *localeconv()->decimal_point == ','; }

// A lack of memory leaves the library by a jump.
static void runs_out(void) {
  static const char text[] = "graph f(x: f32[2]) -> y { y = x }";
  reshapec_status status = RESHAPEC_MEMORY;
  for (long n = 0; status == RESHAPEC_MEMORY; n++) {
    Count count = {.until = n};
    reshapec *r;
    const reshapec_allocator allocator = {allocate, release, &count};
    status = reshapec_open(NULL, &allocator, &r);
    if (status == RESHAPEC_OK)
      status = reshapec_read_text(r, "f.rsh", text, strlen(text));
    reshapec_close(r);
    assert(has_comma());
  }
  assert(status == RESHAPEC_OK);
}

int main(void) {
  assert(setlocale(LC_NUMERIC, "comma") && has_comma());
  compiles();
  assert(has_comma());
  runs_out();
}
