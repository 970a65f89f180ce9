// RUN: %{cc} %{cflags} %s -o %t %{libs} -pthread && %t %{count:160}
//
// threads COUNT: 32 threads compile and run COUNT random graphs of all tiers at the same time, each with handles of its
// own. Expected results are computed here, index by index. In between, threads read a model and texts with mistakes,
// run tasks, call one shared kernel, and emit objects for two families, C and headers: the same bytes that a single
// thread emits. `make tsan` runs this under ThreadSanitizer.
#include "include/reshapec.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 32, ROWS = 96, COLUMNS = 64, FILL = 7, MOST = 4096, TEXT = 512 };

static reshapec_kernel *shared;

// ---- Random graphs: chains of steps on three axes

typedef struct Array {
  int dim[3], count;
  int open; // the axis whose size the compiler is not told; -1: none
  uint16_t element[MOST];
} Array;

typedef enum StepKind { TRANSPOSE, SLICE, PAD, FLIP, TILE, STEPS } StepKind;

typedef struct Step {
  StepKind kind;
  int axis, perm[3];
} Step;

static uint32_t draw(uint32_t *state, uint32_t below) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % below;
}

// The element of `from` at index `at` of the result.
static uint16_t look_up(const Array *from, const Step *step, const int *at) {
  int source[3];
  for (int i = 0; i < 3; i++)
    source[step->kind == TRANSPOSE ? step->perm[i] : i] = at[i];
  int *place = &source[step->axis], size = from->dim[step->axis];
  if (step->kind == SLICE)
    ++*place;
  else if (step->kind == PAD && --*place < 0)
    return FILL;
  else if (step->kind == FLIP)
    *place = size - 1 - *place;
  else if (step->kind == TILE)
    *place %= size;
  return from->element[(source[0] * from->dim[1] + source[1]) * from->dim[2] + source[2]];
}

static void apply(Array *array, const Step *step) {
  Array from = *array;
  for (int i = 0; step->kind == TRANSPOSE && i < 3; i++) {
    array->dim[i] = from.dim[step->perm[i]];
    if (step->perm[i] == from.open)
      array->open = i;
  }
  int *dim = &array->dim[step->axis];
  *dim += step->kind == PAD ? 1 : step->kind == SLICE ? -1 : step->kind == TILE ? *dim : 0;
  array->count = array->dim[0] * array->dim[1] * array->dim[2];
  int at[3], i = 0;
  for (at[0] = 0; at[0] < array->dim[0]; at[0]++)
    for (at[1] = 0; at[1] < array->dim[1]; at[1]++)
      for (at[2] = 0; at[2] < array->dim[2]; at[2]++)
        array->element[i++] = look_up(&from, step, at);
}

static Step draw_step(uint32_t *state, const Array *array) {
  static const int perms[5][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  Step step = {.kind = (StepKind)draw(state, STEPS), .axis = (int)draw(state, 3)};
  memcpy(step.perm, perms[draw(state, 5)], sizeof step.perm);
  bool resizes = step.kind == SLICE || step.kind == PAD || step.kind == TILE;
  if ((resizes && step.axis == array->open) || (step.kind == SLICE && array->dim[step.axis] == 1) ||
      (step.kind == TILE && 2 * array->count > MOST / 4))
    step.kind = TRANSPOSE;
  return step;
}

static int print_step(char *to, const Step *step) {
  const int *p = step->perm, before[3] = {step->axis == 0, step->axis == 1, step->axis == 2};
  switch (step->kind) {
  case TRANSPOSE:
    return sprintf(to, " |> transpose([%d, %d, %d])", p[0], p[1], p[2]);
  case SLICE:
    return sprintf(to, " |> slice([1], [1000000], axes=[%d])", step->axis);
  case PAD:
    return sprintf(to, " |> pad([%d, %d, %d, 0, 0, 0], value=%d)", before[0], before[1], before[2],
                   FILL);
  case FLIP:
    return sprintf(to, " |> flip([%d])", step->axis);
  default:
    return sprintf(to, " |> tile([%d, %d, %d])", 1 + before[0], 1 + before[1], 1 + before[2]);
  }
}

// ---- The library

static reshapec *read_text(const char *text, const reshapec_options *options) {
  reshapec *r;
  assert(reshapec_open(options, NULL, &r) == RESHAPEC_OK);
  reshapec_status status = reshapec_read_text(r, "f.rsh", text, strlen(text));
  if (status != RESHAPEC_OK)
    fprintf(stderr, "%s%s", text, reshapec_messages_text(r));
  assert(status == RESHAPEC_OK);
  return r;
}

// Calls graph 0 with these inputs, and returns the address of the result: `memory`, or inside the first input.
static const void *call(reshapec *r, const reshapec_shape *shapes, const void *const *inputs,
                        void *memory) {
  reshapec_kernel *kernel;
  reshapec_graph graph;
  reshapec_tensor y;
  reshapec_argument argument[8];
  reshapec_shape result;
  int64_t offset, scratch;
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
  assert(reshapec_get_graph(r, 0, &graph) == RESHAPEC_OK && graph.parameters <= 8);
  assert(reshapec_get_output(r, 0, 0, &y) == RESHAPEC_OK);
  assert(reshapec_bind(r, 0, shapes, argument, &result, &offset, &scratch) == RESHAPEC_OK);
  void *buffer = aligned_alloc(64, (size_t)(scratch + 64) / 64 * 64);
  assert(buffer);
  memset(buffer, 0, (size_t)scratch);
  for (int i = 0; i < graph.parameters; i++) {
    reshapec_parameter parameter;
    assert(reshapec_get_parameter(r, 0, i, &parameter) == RESHAPEC_OK);
    if (parameter.kind == RESHAPEC_POINTER_IN)
      argument[i].input = inputs[parameter.index];
    else if (parameter.kind != RESHAPEC_SIZE)
      argument[i].output = parameter.kind == RESHAPEC_POINTER_OUT ? memory
                           : parameter.kind == RESHAPEC_DIMS      ? NULL
                                                                  : buffer;
  }
  assert(kernel(argument) == 0);
  free(buffer);
  return y.alias_of < 0 ? memory : (const char *)inputs[y.alias_of] + offset;
}

// Graph number `i`: static, of an open size, or with a target that is data.
static void follow(int i) {
  uint32_t state = (uint32_t)i;
  const int tier = i % 3;
  Array x = {.open = tier == 1 ? 0 : -1, .count = 1}, expected;
  for (int k = 0; k < 3; k++)
    x.count *= x.dim[k] = 1 + (int)draw(&state, 9);
  for (int k = 0; k < x.count; k++)
    x.element[k] = (uint16_t)(k + 100);
  expected = x;
  char text[TEXT], size[16];
  sprintf(size, "%d", x.dim[0]);
  int used = sprintf(text, "graph f(x: u16[%s, %d, %d]%s) -> y { y = x", tier == 1 ? "N" : size,
                     x.dim[1], x.dim[2], tier == 2 ? ", s: i64[2]" : "");
  for (uint32_t steps = 1 + draw(&state, 4); steps > 0; steps--) {
    Step step = draw_step(&state, &expected);
    apply(&expected, &step);
    used += print_step(text + used, &step);
  }
  strcpy(text + used, tier == 2 ? " |> reshape(s) }" : " }");
  const reshapec_shape shapes[] = {{3, {x.dim[0], x.dim[1], x.dim[2]}}, {1, {2}}};
  const int64_t target[] = {-1, expected.dim[2]};
  uint16_t y[MOST];
  reshapec *r = read_text(text, NULL);
  const void *found = call(r, shapes, (const void *[]){x.element, target}, y);
  if (memcmp(found, expected.element, sizeof *y * (size_t)expected.count) != 0)
    fprintf(stderr, "%s: other elements\n", text), abort();
  reshapec_close(r);
}

// ---- One of 96 by 64, transposed

static const char heads[] = "graph heads(x: u16[96, 64]) -> y { y = transpose(x, [1, 0]) }\n";

// The same, as built by onnx.helper of the Python package onnx 1.x.
static const char model[] = "\010\010:O\012 \012\001x\022\001y\042\011Transpose*\015\012\004perm@"
                            "\001@\000\240\001\007\022\001gZ\023\012\001x\022\016\012\014\010\004"
                            "\022\010\012\002\010`\012\002\010@b\023\012\001y\022\016\012\014\010"
                            "\004\022\010\012\002\010@\012\002\010`B\004\012\000\020\021";

static void check_heads(reshapec_kernel *kernel) {
  uint16_t x[ROWS * COLUMNS], y[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    x[i] = (uint16_t)i;
  const reshapec_argument argument[] = {{.input = x}, {.output = y}};
  assert(kernel(argument) == 0);
  for (int i = 0; i < COLUMNS; i++)
    for (int k = 0; k < ROWS; k++)
      assert(y[i * ROWS + k] == x[k * COLUMNS + i]);
}

static void run_model(void) {
  reshapec *r;
  reshapec_kernel *kernel;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_onnx(r, "m.onnx", model, sizeof model - 1) == RESHAPEC_OK);
  assert(reshapec_load(r, 0, &kernel) == RESHAPEC_OK);
  check_heads(kernel);
  reshapec_close(r);
}

// Tasks of a handle of its own, in reverse.
static void run_tasks(void) {
  enum { SIDE = 400 };
  static const char text[] = "graph f(x: u32[N, 400]) -> y { y = transpose(x, [1, 0]) }";
  reshapec *r = read_text(text, &(reshapec_options){.parallel = 1});
  reshapec_kernel *count, *task;
  assert(reshapec_load_tasks(r, 0, &count, &task) == RESHAPEC_OK);
  uint32_t *x = malloc(sizeof *x * SIDE * SIDE), *y = malloc(sizeof *y * SIDE * SIDE);
  assert(x && y);
  for (uint32_t i = 0; i < SIDE * SIDE; i++)
    x[i] = i;
  reshapec_argument argument[] = {{0}, {.size = SIDE}, {.input = x}, {.output = y}};
  int tasks = count(argument + 1);
  assert(tasks > 1);
  for (int i = tasks - 1; i >= 0; i--) {
    argument[0].size = i;
    assert(task(argument) == 0);
  }
  for (int i = 0; i < SIDE; i++)
    for (int k = 0; k < SIDE; k++)
      assert(y[k * SIDE + i] == x[i * SIDE + k]);
  argument[1].size = -1;
  assert(strcmp(reshapec_call_status_name(task(argument)), "bad_dim") == 0);
  free(x);
  free(y);
  reshapec_close(r);
}

static void refuse(void) {
  static const char broken[] = "graph f(x: f32[2, 3]) -> y {\n  y = reshape(x, [5])\n}\n";
  reshapec *r;
  reshapec_message message;
  assert(reshapec_open(NULL, NULL, &r) == RESHAPEC_OK);
  assert(reshapec_read_text(r, "f.rsh", broken, sizeof broken - 1) == RESHAPEC_INPUT);
  assert(reshapec_get_message(r, 0, &message) == RESHAPEC_OK);
  assert(message.severity == RESHAPEC_ERROR && message.line == 2 && message.column == 18);
  assert(strncmp(reshapec_messages_text(r), "f.rsh:2:18: error: ", 19) == 0);
  reshapec_close(r);
}

// The emitted output: for this machine and a small Arm.
static const struct {
  reshapec_emit_kind kind;
  const char *target;
} emits[] = {{RESHAPEC_EMIT_OBJECT, NULL},
             {RESHAPEC_EMIT_OBJECT, "thumbv7em-none-eabi"},
             {RESHAPEC_EMIT_C, NULL}};

enum { EMITS = sizeof emits / sizeof emits[0] };

typedef struct Emitted {
  reshapec *owner;
  reshapec_bytes code, header;
} Emitted;

static Emitted alone[EMITS];

static Emitted emit(int which) {
  Emitted e = {.owner = read_text(heads, &(reshapec_options){.target = emits[which].target})};
  assert(reshapec_emit(e.owner, emits[which].kind, "heads.h", &e.code, &e.header) == RESHAPEC_OK);
  return e;
}

static void check_bytes(reshapec_bytes a, reshapec_bytes b) {
  assert(a.size > 0 && a.size == b.size && memcmp(a.data, b.data, a.size) == 0);
}

static void emit_again(int which) {
  Emitted e = emit(which);
  check_bytes(e.code, alone[which].code);
  check_bytes(e.header, alone[which].header);
  reshapec_close(e.owner);
}

// ---- Threads

typedef struct Share {
  int first, count;
} Share;

static void *work(void *data) {
  const Share *share = data;
  for (int i = share->first; i < share->count; i += THREADS) {
    follow(i);
    switch ((i + i / THREADS) % 5) {
    case 0:
      refuse();
      break;
    case 1:
      run_model();
      break;
    case 2:
      run_tasks();
      break;
    case 3:
      emit_again(i % EMITS);
      break;
    default:
      check_heads(shared);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread[THREADS];
  Share share[THREADS];
  for (int i = 0; i < EMITS; i++)
    alone[i] = emit(i);
  reshapec *host = read_text(heads, NULL);
  assert(reshapec_load(host, 0, &shared) == RESHAPEC_OK);
  for (int i = 0; i < THREADS; i++) {
    share[i] = (Share){i, argc > 1 ? atoi(argv[1]) : THREADS};
    assert(pthread_create(&thread[i], NULL, work, &share[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++)
    assert(pthread_join(thread[i], NULL) == 0);
  for (int i = 0; i < EMITS; i++)
    reshapec_close(alone[i].owner);
  reshapec_close(host);
}
