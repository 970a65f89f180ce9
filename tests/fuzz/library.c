// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as calls of the library, in any order, on three handles: each returns a status that its header names, and
// writes its result only if that is RESHAPEC_OK. Indices may be out of range, memory may run out at any allocation, and
// kernels run with sizes of any kind. What a handle allocated is released when it is closed.
//
// RUN: %{python} -B %S/Inputs/library_seeds.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:300} %t.seeds/*
#include "Inputs/fuzz.h"

#include "include/reshapec.h"

#include <stdbool.h>
#include <string.h>

enum { HANDLES = 3, MOST_BYTES = 1 << 14, MOST_PARAMETERS = 64, MOST_CALLS = 24 };

typedef struct Data {
  const uint8_t *at, *end;
} Data;

static uint8_t next_byte(Data *d) { return d->at < d->end ? *d->at++ : 0; }

static int next_of(Data *d, int count) { return next_byte(d) % count; }

// ---- handles ----

typedef struct Handle {
  reshapec *r;
  long blocks;  // that are not released
  long left;    // allocations before memory runs out; below 0: never
  bool is_dead; // RESHAPEC_MEMORY was returned: it can only be closed
} Handle;

static void *allocate(void *user, size_t bytes) {
  Handle *h = user;
  void *block = h->left == 0 ? NULL : malloc(bytes);
  h->left -= h->left > 0;
  h->blocks += block != NULL;
  return block;
}

static void release(void *user, void *block) {
  ((Handle *)user)->blocks -= block != NULL;
  free(block);
}

static void close_handle(Handle *h) {
  reshapec_close(h->r);
  h->r = NULL;
  REQUIRE(h->blocks == 0);
}

// Memory may run out only if it was told to; nothing may be a bug.
static bool is_ok(Handle *h, reshapec_status status) {
  REQUIRE(status >= RESHAPEC_OK && status <= RESHAPEC_MEMORY && status != RESHAPEC_INTERNAL);
  REQUIRE(status != RESHAPEC_MEMORY || h->left == 0);
  h->is_dead = h->is_dead || status == RESHAPEC_MEMORY;
  return status == RESHAPEC_OK;
}

static void open_handle(Handle *h, Data *d) {
  static const char *const targets[] = {
      NULL, NULL, NULL, "thumbv7em-none-eabi", "riscv32", "no-such-machine"};
  static const char *const cpus[] = {NULL, NULL, NULL, "x86-64-v3", "cortex-m4", "none"};
  static const char *const features[] = {NULL, NULL, NULL, "+avx512f,+avx512vl", "+strict-align",
                                         "avx"};
  static const char *const prefixes[] = {NULL, NULL, "my_", "9", ""};
  static const char levels[] = {0, '0', '1', '2', '3', 's', 'z', 'q'};
  uint8_t flags = next_byte(d);
  reshapec_options options = {.target = targets[next_of(d, 6)],
                              .cpu = cpus[next_of(d, 6)],
                              .features = features[next_of(d, 6)],
                              .prefix = prefixes[next_of(d, 5)],
                              .level = levels[next_of(d, 8)],
                              .freestanding = flags & 1,
                              .libm = flags >> 1 & 1,
                              .library = flags >> 2 & 1,
                              .warnings_are_errors = flags >> 3 & 1,
                              .parallel = flags >> 4 & 1};
  close_handle(h);
  uint8_t memory = next_byte(d);
  *h = (Handle){.left = memory < 0xc0 ? -1 : memory % 64 * (1 + next_of(d, 8))};
  const reshapec_allocator allocator = {allocate, release, h};
  bool good = is_ok(h, reshapec_open(flags & 0x20 ? NULL : &options, &allocator, &h->r));
  REQUIRE(good == (h->r != NULL));
}

// ---- what is read ----

static const char *const texts[] = {
    "graph g(x: f32[2, 3]) -> y { y = transpose(x) }",
    "graph g(x: f32[2, 3]) -> y { y = reshape(x, [3, -1]) }",
    "graph g(x: u8[H, W]) -> y { y = x[::2, ::-1] |> transpose() }",
    "graph g(x: f32[B, 4], z: f32[B, 2]) -> y { y = concat(x, z, axis=1) }",
    "graph g(x: f32[?, ?], s: i64[2]) -> y { y = reshape(x, s) }",
    "graph g(x: i16[N]) -> (y, z) where N % 4 == 0 { y, z = split(x, parts=2) }",
    "graph g(x: u8[4, 4]) -> y { y = softmax(cast(x, f32)) } graph h(x: u4[9]) -> y { y = x }",
    "graph g(x: f32[N]) -> y { y = pad(x, [1, 2], mode=\"reflect\") }",
    "graph g(x: f32[?], i: i32[?]) -> y { y = gather(x, i) }",
    "graph g(x: f32[2, 3]) -> y { y = reshape(x, [4, -1]) }",
    "graph g(x: f32[2, 3]) -> y { y = nothing(x",
    "",
};

// A text, perhaps with a byte changed.
static void read_text(Handle *h, Data *d) {
  char text[256];
  const char *from = texts[next_of(d, 12)];
  size_t length = strlen(from);
  uint8_t how = next_byte(d);
  memcpy(text, from, length + 1);
  if (how >= 0x80 && length > 0)
    text[next_byte(d) % length] = (char)next_byte(d);
  (void)is_ok(h, reshapec_read_text(h->r, how & 1 ? "a.rsh" : "dir/b", text, length));
}

static void read_onnx(Handle *h, Data *d) {
  size_t size = next_byte(d), left = (size_t)(d->end - d->at);
  size = size < left ? size : left;
  (void)is_ok(h, reshapec_read_onnx(h->r, "m.onnx", d->at, size));
  d->at += size;
}

// ---- what is asked ----

static void get_messages(Handle *h) {
  int count = reshapec_message_count(h->r);
  const char *text = reshapec_messages_text(h->r);
  reshapec_message m;
  REQUIRE(count >= 0 && text);
  REQUIRE(reshapec_get_message(h->r, -1, &m) == RESHAPEC_USAGE);
  REQUIRE(reshapec_get_message(h->r, count, &m) == RESHAPEC_USAGE);
  for (int i = 0; i < count; i++) {
    REQUIRE(reshapec_get_message(h->r, i, &m) == RESHAPEC_OK);
    REQUIRE(m.kind && m.text && m.file && m.severity <= RESHAPEC_NOTE);
    REQUIRE(m.line <= m.end_line && (m.line == 0) == (m.column == 0));
  }
}

static void explain(Handle *h, Data *d) {
  reshapec_bytes out = {0};
  if (is_ok(h, reshapec_explain(h->r, (reshapec_view)next_of(d, 6), &out)))
    REQUIRE(out.data && out.data[out.size] == '\0');
}

static void emit(Handle *h, Data *d) {
  reshapec_bytes code = {0}, header = {0};
  int kind = next_of(d, 6), how = next_of(d, 3);
  if (is_ok(h, reshapec_emit(h->r, (reshapec_emit_kind)kind, how == 1 ? NULL : "g.h", &code,
                             how == 0 ? NULL : &header))) {
    REQUIRE(code.data && code.data[code.size] == '\0');
    REQUIRE(how == 0 || (header.data && header.data[header.size] == '\0'));
  }
}

// Saved code, which other handles may restore.
typedef struct Kept {
  char *data;
  size_t size;
} Kept;

static void save(Handle *h, Kept *kept) {
  const char *key = NULL;
  reshapec_bytes saved = {0};
  REQUIRE(is_ok(h, reshapec_get_key(h->r, &key)) || !key);
  if (h->is_dead || !is_ok(h, reshapec_save(h->r, &saved)))
    return;
  REQUIRE(key && strlen(key) == 64 && saved.size > 64);
  free(kept->data);
  *kept = (Kept){malloc(saved.size), saved.size};
  REQUIRE(kept->data);
  memcpy(kept->data, saved.data, saved.size);
}

static void restore(Handle *h, const Kept *kept, Data *d) {
  uint8_t how = next_byte(d);
  size_t size = how >= 0xc0 ? next_byte(d) * kept->size / 256 : kept->size;
  if (how >= 0x80 && size > 0)
    kept->data[next_byte(d) * size / 256] ^= 1;
  if (kept->data)
    (void)is_ok(h, reshapec_restore(h->r, kept->data, size));
}

// ---- kernels ----

typedef struct Call {
  reshapec_graph graph;
  reshapec_shape in[MOST_PARAMETERS], out[MOST_PARAMETERS];
  reshapec_tensor input[MOST_PARAMETERS], output[MOST_PARAMETERS];
  reshapec_argument argument[MOST_PARAMETERS];
  int64_t offset[MOST_PARAMETERS], scratch, dims[MOST_PARAMETERS][RESHAPEC_MAX_RANK];
  int32_t rank[MOST_PARAMETERS];
  void *block[2 * MOST_PARAMETERS];
  int blocks;
} Call;

// Memory of a tensor; NULL: its size is open, or too much.
static void *memory_of(Call *c, const reshapec_shape *shape, int bits) {
  int64_t volume = 1;
  for (int i = 0; i < shape->rank; i++)
    if (shape->dim[i] < 0 || __builtin_mul_overflow(volume, shape->dim[i], &volume) ||
        volume > MOST_BYTES)
      return NULL;
  void *block =
      shape->rank < 0 || bits == 0 ? NULL : calloc((size_t)(volume * bits + 7) / 8 + 1, 1);
  c->block[c->blocks++] = block;
  return block;
}

static bool set_argument(Call *c, const reshapec_parameter *p, reshapec_argument *a) {
  switch (p->kind) {
  case RESHAPEC_SIZE:
    return true;
  case RESHAPEC_POINTER_IN:
    a->input = memory_of(c, &c->in[p->index], c->input[p->index].bits);
    return a->input != NULL;
  case RESHAPEC_POINTER_OUT:
    a->output = memory_of(c, &c->out[p->index], c->output[p->index].bits);
    return a->output != NULL;
  case RESHAPEC_SCRATCH:
  case RESHAPEC_PLAN:
    a->output = c->block[c->blocks++] = aligned_alloc(64, (size_t)(c->scratch + 127) / 64 * 64);
    REQUIRE(a->output);
    memset(a->output, 0, (size_t)c->scratch);
    return true;
  case RESHAPEC_DIMS:
    a->output = c->dims[p->index];
    return true;
  case RESHAPEC_RANK:
    a->output = &c->rank[p->index];
    return true;
  case RESHAPEC_TENSOR_IN:
  case RESHAPEC_TENSOR_OUT:
    return false;
  }
  return false;
}

typedef reshapec_status GetParameter(reshapec *, int, int, reshapec_parameter *);

static bool set_arguments(Handle *h, Call *c, int g, GetParameter *get, int count) {
  bool good = true;
  for (int i = 0; i < count; i++) {
    reshapec_parameter p;
    REQUIRE(get(h->r, g, i, &p) == RESHAPEC_OK && p.name);
    good = good && set_argument(c, &p, &c->argument[i]);
  }
  return good;
}

// Of a dynamic graph: the shapes of the outputs. False: the call is refused.
static bool ask_shapes(Handle *h, Call *c, int g) {
  reshapec_kernel *shape = NULL;
  reshapec_argument sizes[MOST_PARAMETERS];
  memcpy(sizes, c->argument, sizeof sizes);
  if (!is_ok(h, reshapec_load_shape(h->r, g, &shape)) ||
      !set_arguments(h, c, g, reshapec_get_shape_parameter, c->graph.shape_parameters) ||
      shape(c->argument) != 0)
    return false;
  for (int k = 0; k < c->graph.outputs; k++) {
    if (c->output[k].rank == RESHAPEC_OPEN)
      return false;
    c->out[k].rank = c->output[k].rank;
    memcpy(c->out[k].dim, c->dims[k], sizeof c->dims[k]);
  }
  memcpy(c->argument, sizes, sizeof sizes);
  return true;
}

static void run_kernel(Handle *h, Call *c, int g) {
  reshapec_kernel *kernel = NULL;
  if (!is_ok(h, reshapec_bind(h->r, g, c->in, c->argument, c->out, c->offset, &c->scratch)) ||
      !is_ok(h, reshapec_load(h->r, g, &kernel)))
    return;
  if (c->graph.shape_parameters > 0 && !ask_shapes(h, c, g))
    return;
  if (set_arguments(h, c, g, reshapec_get_parameter, c->graph.parameters)) {
    int status = kernel(c->argument);
    REQUIRE(!c->graph.returns_status || reshapec_call_status_name(status));
  }
}

static void use_graph(Handle *h, Data *d) {
  static Call c;
  int count = reshapec_graph_count(h->r), g = next_of(d, 4) - 1;
  reshapec_kernel *task, *tasks;
  memset(&c, 0, sizeof c);
  bool is_there = g >= 0 && g < count;
  REQUIRE(is_ok(h, reshapec_get_graph(h->r, g, &c.graph)) == is_there || h->is_dead);
  if (!is_there || h->is_dead || c.graph.parameters > MOST_PARAMETERS)
    return;
  REQUIRE(reshapec_get_input(h->r, g, c.graph.inputs, &c.input[0]) == RESHAPEC_USAGE);
  REQUIRE(reshapec_get_output(h->r, g, -1, &c.output[0]) == RESHAPEC_USAGE);
  for (int k = 0; k < c.graph.inputs; k++) {
    REQUIRE(reshapec_get_input(h->r, g, k, &c.input[k]) == RESHAPEC_OK);
    c.in[k].rank = c.input[k].rank;
    uint8_t odd = next_byte(d);
    if (c.in[k].rank < 0 || odd >= 0xf0)
      c.in[k].rank = odd % 4;
    for (int i = 0; i < c.in[k].rank; i++)
      c.in[k].dim[i] =
          c.input[k].dim[i] >= 0 && odd < 0xe0 ? c.input[k].dim[i] : next_of(d, 12) - 1;
  }
  for (int k = 0; k < c.graph.outputs; k++)
    REQUIRE(reshapec_get_output(h->r, g, k, &c.output[k]) == RESHAPEC_OK && c.output[k].why);
  if (next_byte(d) % 4 == 0)
    (void)is_ok(h, reshapec_load_tasks(h->r, g, &tasks, &task));
  if (!h->is_dead)
    run_kernel(h, &c, g);
  for (int i = 0; i < c.blocks; i++)
    free(c.block[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static Handle handle[HANDLES];
  Data d = {bytes, bytes + size};
  Kept kept = {0};
  for (int calls = 0; calls < MOST_CALLS && d.at < d.end; calls++) {
    uint8_t what = next_byte(&d);
    Handle *h = &handle[what >> 6 < HANDLES ? what >> 6 : 0];
    if (!h->r || h->is_dead || what % 32 == 0) {
      open_handle(h, &d);
      continue;
    }
    switch (what % 8) {
    case 0:
    case 1:
      read_text(h, &d);
      break;
    case 2:
      get_messages(h);
      break;
    case 3:
      explain(h, &d);
      break;
    case 4:
      emit(h, &d);
      break;
    case 5:
      if (what % 32 == 5)
        read_onnx(h, &d);
      else if (what % 32 == 13)
        save(h, &kept);
      else
        restore(h, &kept, &d);
      break;
    default:
      use_graph(h, &d);
    }
  }
  for (int i = 0; i < HANDLES; i++)
    close_handle(&handle[i]);
  free(kept.data);
  return 0;
}
