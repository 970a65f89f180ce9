// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// The offset of an alias in bytes is right for every size whose elements fit 64 bits; others do not fit.
#include "include/reshapec.h"

#include <assert.h>
#include <string.h>

static reshapec_status bind(const char *text, int64_t n, int64_t *offset) {
  reshapec *r;
  const reshapec_shape in = {.rank = 1, .dim = {n}};
  reshapec_argument argument[3];
  reshapec_shape out;
  int64_t scratch;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "last.rsh", text, strlen(text)) == RESHAPEC_OK);
  reshapec_status status = reshapec_bind(r, 0, &in, argument, &out, offset, &scratch);
  if (status == RESHAPEC_INPUT)
    assert(strstr(reshapec_messages_text(r), "do not fit 64 bits"));
  reshapec_close(r);
  return status;
}

int main(void) {
  static const char bytes[] = "graph last(x: u8[N]) -> y where N >= 1 { y = x[N - 1:] }",
                    halves[] =
                        "graph last(x: u4[N]) -> y where N >= 2, N % 2 == 0 { y = x[N - 2:] }",
                    floats[] = "graph last(x: f32[N]) -> y where N >= 1 { y = x[N - 1:] }";
  const int64_t large = INT64_C(1) << 62;
  int64_t offset;
  assert(bind(bytes, large, &offset) == RESHAPEC_OK && offset == large - 1);
  assert(bind(halves, large, &offset) == RESHAPEC_OK && offset == large / 2 - 1);
  assert(bind(floats, large / 4, &offset) == RESHAPEC_OK && offset == large - 4);
  assert(bind(floats, large, &offset) == RESHAPEC_INPUT);
}
