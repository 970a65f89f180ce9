// RUN: %{cc} %{cflags} %s -o %t %{libs} -pthread && %t
//
// Eight threads compile and run at the same time, each with handles of its own, some of them for another family of
// processors; and all of them call one kernel. What they emit is what one thread alone emits.
#include "include/reshapec.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8, GRAPHS = 12, ROWS = 96 };

static reshapec_kernel *shared;
static reshapec_bytes alone[2]; // x86-64 or what this machine is, and a small Arm

static const char heads[] = "graph heads(x: u16[96, 64]) -> y { y = transpose(x, [1, 0]) }\n";

static reshapec *compile(const char *text, const char *target, reshapec_bytes *object) {
  reshapec *r;
  const reshapec_options options = {.target = target};
  assert(reshapec_open(&options, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "heads.rsh", text, strlen(text)) == RESHAPEC_OK);
  if (object)
    assert(reshapec_emit(r, RESHAPEC_EMIT_OBJECT, NULL, object, NULL) == RESHAPEC_OK);
  return r;
}

static void run(reshapec_kernel *kernel, int columns) {
  uint16_t x[ROWS * 64], y[ROWS * 64];
  for (int i = 0; i < ROWS * columns; i++)
    x[i] = (uint16_t)i;
  const reshapec_argument argument[] = {{.input = x}, {.output = y}};
  assert(kernel(argument) == 0);
  for (int i = 0; i < columns; i++)
    for (int k = 0; k < ROWS; k++)
      assert(y[i * ROWS + k] == x[k * columns + i]);
}

static void compile_and_run(int columns) {
  char text[128];
  snprintf(text, sizeof text, "graph f(x: u16[%d, %d]) -> y { y = transpose(x, [1, 0]) }", ROWS,
           columns);
  reshapec *r = compile(text, NULL, NULL);
  reshapec_kernel *kernel;
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
  run(kernel, columns);
  reshapec_close(r);
}

static void refuse(void) {
  static const char broken[] = "graph f(x: f32[2, 3]) -> y { y = reshape(x, [5]) }";
  reshapec *r;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "f.rsh", broken, sizeof broken - 1) == RESHAPEC_INPUT);
  reshapec_close(r);
}

static void *work(void *data) {
  int thread = *(const int *)data;
  for (int i = 0; i < GRAPHS; i++) {
    compile_and_run(1 + (thread * GRAPHS + i) % 64);
    refuse();
    run(shared, 64);
    reshapec_bytes object;
    int which = (thread + i) % 2;
    reshapec *r = compile(heads, which ? "thumbv7em-none-eabi" : NULL, &object);
    assert(object.size == alone[which].size);
    assert(memcmp(object.data, alone[which].data, object.size) == 0);
    reshapec_close(r);
  }
  return NULL;
}

int main(void) {
  pthread_t thread[THREADS];
  int number[THREADS];
  reshapec *host = compile(heads, NULL, &alone[0]);
  reshapec *arm = compile(heads, "thumbv7em-none-eabi", &alone[1]);
  assert(reshapec_load(host, 0, &shared) == RESHAPEC_OK);
  for (int i = 0; i < THREADS; i++) {
    number[i] = i;
    assert(pthread_create(&thread[i], NULL, work, &number[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++)
    assert(pthread_join(thread[i], NULL) == 0);
  reshapec_close(host);
  reshapec_close(arm);
}
