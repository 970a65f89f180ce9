// RUN: %{cc} %{cflags} %s -o %t %{libs} -pthread && %t
//
// The tasks of a graph, each on its own thread, and in reverse: together they write what the kernel writes. Graphs of
// open sizes count tasks by the sizes of the call; a call that breaks a condition has the same status in every task.
#include "include/reshapec.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1200, COLUMNS = 900, MOST = 64 };

typedef struct Call {
  reshapec_kernel *task;
  reshapec_argument argument[8];
  int status;
} Call;

static reshapec *read(const char *text, int parallel) {
  reshapec *r;
  const reshapec_options options = {.parallel = parallel};
  assert(reshapec_open(&options, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "a.rsh", text, strlen(text)) == RESHAPEC_OK);
  return r;
}

static void *run(void *data) {
  Call *call = data;
  call->status = call->task(call->argument);
  return NULL;
}

static void transpose(const char *text, int sizes, int rows, int expected_status) {
  reshapec *r = read(text, 1);
  reshapec_kernel *count, *task;
  assert(reshapec_load_tasks(r, 0, &count, &task) == RESHAPEC_OK);
  uint32_t *x = malloc(sizeof *x * ROWS * COLUMNS), *y = calloc(ROWS * COLUMNS, sizeof *y);
  assert(x && y);
  for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
    x[i] = i + 1;
  reshapec_argument argument[3];
  if (sizes)
    argument[0].size = rows;
  argument[sizes].input = x;
  argument[sizes + 1].output = y;
  int tasks = count(argument);
  assert(expected_status != 0 || (tasks > 1 && tasks <= MOST));
  Call call[MOST];
  pthread_t thread[MOST];
  for (int i = tasks - 1; i >= 0; i--) {
    call[i].task = task;
    call[i].argument[0].size = i;
    memcpy(call[i].argument + 1, argument, sizeof argument);
    assert(pthread_create(&thread[i], NULL, run, &call[i]) == 0);
  }
  for (int i = 0; i < tasks; i++)
    assert(pthread_join(thread[i], NULL) == 0 && (call[i].status != 0) == expected_status);
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++)
      assert(y[k * ROWS + i] == (expected_status ? 0 : x[i * COLUMNS + k]));
  free(x);
  free(y);
  reshapec_close(r);
}

static void has_none(const char *text, int parallel) {
  reshapec *r = read(text, parallel);
  reshapec_kernel *count, *task;
  assert(reshapec_load_tasks(r, 0, &count, &task) == RESHAPEC_USAGE);
  assert(reshapec_load_tasks(r, 1, &count, &task) == RESHAPEC_USAGE);
  reshapec_close(r);
}

int main(void) {
  transpose("graph f(x: u32[1200, 900]) -> y { y = transpose(x, [1, 0]) }", 0, 0, 0);
  transpose("graph f(x: u32[N, 900]) -> y { y = transpose(x, [1, 0]) }", 1, ROWS, 0);
  transpose("graph f(x: u32[N, 900]) -> y { y = transpose(x, [1, 0]) }", 1, -1, 1);
  has_none("graph f(x: u32[1200, 900]) -> y { y = transpose(x, [1, 0]) }", 0);
  has_none("graph f(x: u8[N, 4], s: i64[2]) -> y { y = reshape(x, s) |> transpose() }", 1);
}
