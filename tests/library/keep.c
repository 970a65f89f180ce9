// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Kept code: what one handle saves another uses instead of compiling, if it has the same key. Damaged bytes and bytes
// of another key change nothing.
#include "include/reshapec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 16, KEY_DIGITS = 64 }; // where the key is in kept code

static const char turn[] = "graph f(x: u8[4]) -> y { y = flip(x, axes=[0]) }",
                  shift[] = "graph f(x: u8[4]) -> y { y = roll(x, 1, axes=[0]) }",
                  open[] = "graph f(x: u8[N, 2]) -> y { y = transpose(x, [1, 0]) }",
                  dynamic[] = "graph f(x: u8[N, 2], s: i64[1]) -> y { y = reshape(x, s) }";

static reshapec *read(const char *text, const reshapec_options *options) {
  reshapec *r;
  assert(reshapec_open(options, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "a.rsh", text, strlen(text)) == RESHAPEC_OK);
  return r;
}

// A copy of what a handle for that text saves.
static char *saved(const char *text, const reshapec_options *options, size_t *size) {
  reshapec *r = read(text, options);
  reshapec_bytes code;
  assert(reshapec_save(r, &code) == RESHAPEC_OK);
  char *copy = malloc(code.size);
  assert(copy);
  memcpy(copy, code.data, code.size);
  *size = code.size;
  reshapec_close(r);
  return copy;
}

static void gives(reshapec *r, const char *expected) {
  reshapec_kernel *f;
  char x[] = "abcd", y[] = "....";
  reshapec_argument argument[] = {{.input = x}, {.output = y}};
  assert(reshapec_load(r, 0, &f) == RESHAPEC_OK);
  f(argument);
  assert(strcmp(y, expected) == 0);
}

// A handle that is given these bytes runs them, whatever its text is.
static void does_not_compile(void) {
  size_t size;
  char *code = saved(turn, NULL, &size);
  reshapec *r = read(shift, NULL);
  const char *key;
  assert(reshapec_restore(r, code, size) == RESHAPEC_USAGE);
  assert(reshapec_get_key(r, &key) == RESHAPEC_OK && strlen(key) == KEY_DIGITS);
  memcpy(code + KEY, key, KEY_DIGITS);
  assert(reshapec_restore(r, code, size) == RESHAPEC_OK);
  gives(r, "dcba");
  reshapec_close(r);
  free(code);
}

static void damaged(void) {
  size_t size;
  char *code = saved(turn, NULL, &size);
  reshapec *r = read(turn, NULL);
  for (size_t shorter = 0; shorter < size; shorter++)
    assert(reshapec_restore(r, code, shorter) == RESHAPEC_USAGE);
  for (size_t i = 0; i < size; i++) {
    code[i] ^= 1;
    assert(reshapec_restore(r, code, size) == RESHAPEC_USAGE);
    code[i] ^= 1;
  }
  assert(reshapec_message_count(r) == 0);
  gives(r, "dcba");
  assert(reshapec_restore(r, code, size) == RESHAPEC_OK); // there is code already
  gives(r, "dcba");
  reshapec_close(r);
  r = read(turn, NULL);
  assert(reshapec_restore(r, code, size) == RESHAPEC_OK);
  memset(code, 0, size); // the handle has a copy
  gives(r, "dcba");
  reshapec_bytes again;
  assert(reshapec_save(r, &again) == RESHAPEC_OK && again.size == size);
  reshapec_close(r);
  free(code);
}

static void has_another_key(const char *text, const reshapec_options *options) {
  size_t size;
  char *code = saved(turn, NULL, &size);
  reshapec *r = read(text, options);
  const char *key;
  assert(reshapec_get_key(r, &key) == RESHAPEC_OK && memcmp(code + KEY, key, KEY_DIGITS) != 0);
  assert(reshapec_restore(r, code, size) == RESHAPEC_USAGE);
  reshapec_close(r);
  free(code);
}

// Open sizes, whose functions return a status and have tasks; and dynamic graphs, which call the runtime.
static void other_tiers(void) {
  const reshapec_options parallel = {.parallel = 1};
  size_t size;
  char x[] = "abcdef", y[] = "......";
  reshapec_argument argument[] = {{.size = 3}, {.input = x}, {.output = y}};
  reshapec_kernel *f, *count, *task;
  char *code = saved(open, &parallel, &size);
  reshapec *r = read(open, &parallel);
  assert(reshapec_restore(r, code, size) == RESHAPEC_OK);
  assert(reshapec_load(r, 0, &f) == RESHAPEC_OK && f(argument) == 0 && strcmp(y, "acebdf") == 0);
  assert(reshapec_load_tasks(r, 0, &count, &task) == RESHAPEC_OK && count(argument) == 1);
  reshapec_close(r);
  free(code);
  code = saved(dynamic, NULL, &size);
  r = read(dynamic, NULL);
  assert(reshapec_restore(r, code, size) == RESHAPEC_OK);
  assert(reshapec_load(r, 0, &f) == RESHAPEC_OK && reshapec_load_shape(r, 0, &f) == RESHAPEC_OK);
  reshapec_close(r);
  free(code);
}

static void refuses(reshapec *r, reshapec_status status) {
  const char *key;
  reshapec_bytes code;
  assert(reshapec_get_key(r, &key) == status && reshapec_save(r, &code) == status &&
         reshapec_restore(r, "", 0) == status);
  reshapec_close(r);
}

int main(void) {
  does_not_compile();
  damaged();
  has_another_key(shift, NULL);
  has_another_key(turn, &(reshapec_options){.level = '3'});
  has_another_key(turn, &(reshapec_options){.parallel = 1});
  has_another_key(turn, &(reshapec_options){.prefix = "p_"});
#ifdef __x86_64__
  has_another_key(turn, &(reshapec_options){.cpu = "x86-64-v2"});
  has_another_key(turn, &(reshapec_options){.features = "-avx512f"});
#endif
  other_tiers();
  reshapec *r;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  refuses(r, RESHAPEC_USAGE);
  refuses(read(turn, &(reshapec_options){.target = "thumbv7em-none-eabi"}), RESHAPEC_USAGE);
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "a.rsh", "graph", 5) == RESHAPEC_INPUT);
  refuses(r, RESHAPEC_INPUT);
  refuses(NULL, RESHAPEC_USAGE);
  return 0;
}
