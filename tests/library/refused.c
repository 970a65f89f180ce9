// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// A refused call leaves nothing behind: after shapes that do not fit, the same handle explains, emits, loads, saves and
// binds, and has no message of the refused call.
#include "include/reshapec.h"

#include <assert.h>
#include <string.h>

static const char text[] = "graph g(x: u8[N, 4]) -> y { y = transpose(x) }";
static const char wrong[] = "graph g(x: u8[N, 4]) -> y { y = transpos(x) }";

static reshapec_status bind(reshapec *r, int64_t columns) {
  reshapec_shape x = {2, {3, columns}}, y;
  reshapec_argument argument[3];
  int64_t scratch;
  return reshapec_bind(r, 0, &x, argument, &y, NULL, &scratch);
}

static void refuse(reshapec *r) {
  assert(bind(r, 5) == RESHAPEC_INPUT);
  assert(reshapec_message_count(r) == 1);
  assert(strstr(reshapec_messages_text(r), "u8[3, 5]"));
}

static void works_after_refusal(void) {
  reshapec *r;
  reshapec_bytes bytes;
  reshapec_kernel *kernel, *count;
  const char *key;
  reshapec_options options = {.parallel = 1};
  assert(reshapec_open(&options, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "g.rsh", text, strlen(text)) == RESHAPEC_OK);
  refuse(r);
  assert(reshapec_explain(r, RESHAPEC_VIEW_TEXT, &bytes) == RESHAPEC_OK);
  assert(reshapec_message_count(r) == 0);
  refuse(r);
  assert(reshapec_emit(r, RESHAPEC_EMIT_C, NULL, &bytes, NULL) == RESHAPEC_OK);
  assert(reshapec_message_count(r) == 0);
  refuse(r);
  assert(reshapec_get_key(r, &key) == RESHAPEC_OK);
  refuse(r);
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
  refuse(r);
  assert(reshapec_load_tasks(r, 0, &count, &kernel) == RESHAPEC_OK);
  refuse(r);
  assert(reshapec_save(r, &bytes) == RESHAPEC_OK);
  refuse(r);
  assert(bind(r, 4) == RESHAPEC_OK);
  assert(reshapec_message_count(r) == 0);
  reshapec_close(r);
}

// An error of the text is an error of every later call.
static void text_stays_wrong(void) {
  reshapec *r;
  reshapec_bytes bytes;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "g.rsh", wrong, strlen(wrong)) == RESHAPEC_INPUT);
  for (int i = 0; i < 2; i++)
    assert(reshapec_emit(r, RESHAPEC_EMIT_C, NULL, &bytes, NULL) == RESHAPEC_INPUT);
  assert(reshapec_message_count(r) == 1);
  assert(strstr(reshapec_messages_text(r), "did you mean 'transpose'"));
  reshapec_close(r);
}

int main(void) {
  works_after_refusal();
  text_stays_wrong();
  return 0;
}
