// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text as a dynamic graph, and any bytes after its NUL as the call: sizes, lists that are data, tensors. The
// runtime runs the tape on memory that is exactly as large as the sizes say. Nothing is written unless RSH_ok is
// returned; the plan of the call does the same again, and so does a new one.
//
// RUN: %{python} -B %S/Inputs/program_seeds.py %t.seeds %S/../dynamic/*.rsh %S/../indices/*.rsh %S/../layout/*.rsh
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:5000} %t.seeds/*
// RUN: rm -rf %t.corpus && mkdir %t.corpus && tar -xzf %S/Inputs/program-corpus.tar.gz -C %t.corpus
// RUN: %t 0 %t.corpus/*
#include "Inputs/fuzz.h"

#include "../support/program.h"
#include "library/pipeline.h"
#include "runtime/dlpack.h"

enum { MOST_BYTES = 1 << 14, MOST_TENSORS = 64, FILL = 0xa5 };

// The bytes of the call, one after the other; 0 after the last.
typedef struct Data {
  const uint8_t *at, *end;
} Data;

static uint8_t next_byte(Data *d) { return d->at < d->end ? *d->at++ : 0; }

// Small ones in a byte, mostly 0; others in nine.
static int64_t next_number(Data *d) {
  uint8_t first = next_byte(d);
  if (first < 0xf0)
    return (int64_t)(first % 16) - (first % 16 == 15 ? 17 : 0);
  uint64_t n = 0;
  for (int i = 0; i < 8; i++)
    n = n << 8 | next_byte(d);
  return (int64_t)n;
}

// ---- memory ----

// Bytes of a tensor of these dims, or strides. False if there cannot be that much.
static bool count_bytes(rsh_dtype type, int rank, const int64_t *dim, const int64_t *stride,
                        size_t *bytes) {
  uint64_t volume = 1, last = 0;
  for (int i = 0; i < rank; i++) {
    if (dim[i] < 0 || __builtin_mul_overflow(volume, (uint64_t)dim[i], &volume))
      return false;
  }
  for (int i = 0; stride && volume > 0 && i < rank; i++) {
    uint64_t by;
    if (__builtin_mul_overflow(rsh_magnitude(stride[i]), (uint64_t)dim[i] - 1, &by) ||
        __builtin_add_overflow(last, by, &last))
      return false;
  }
  uint64_t elements = stride && volume > 0 ? last + 1 : volume;
  if (elements > MOST_BYTES)
    return false;
  *bytes = ((size_t)elements * (size_t)rsh_program_bits(type) + 7) / 8;
  return *bytes <= MOST_BYTES;
}

// Memory that ends where the tensor ends. NULL if there is nothing, or it is too much.
static void *give(bool fits, size_t bytes) { return fits && bytes > 0 ? malloc(bytes) : NULL; }

// A call and everything it points to.
typedef struct Call {
  Arena *arena;
  const Tape *tape;
  rsh_program_call call;
  Program program; // of the tape, to read numbers with
  int64_t size[RSH_MAX_SYMBOLS];
  void *tensor[MOST_TENSORS], *data[MOST_TENSORS]; // as the call takes them; what is to be freed
  size_t bytes[MOST_TENSORS];
  DLTensor dlpack[MOST_TENSORS];
  int64_t dim[MOST_TENSORS][RSH_MAX_RANK];
  int64_t *dims[MOST_TENSORS];
  int32_t rank[MOST_TENSORS], *ranks[MOST_TENSORS];
  int inputs, outputs;
} Call;

static void set_tensor(Call *c, int k, rsh_dtype type, int rank) {
  DLTensor *t = &c->dlpack[k];
  c->tensor[k] = c->data[k];
  if (!c->tape->tensors)
    return;
  *t = (DLTensor){.data = c->data[k], .device = {kDLCPU, 0}, .ndim = rank, .shape = c->dim[k]};
  if (!rsh_dtype_to_dlpack(type, &t->dtype)) // a type that DLPack lacks is passed as any
    t->dtype = (DLDataType){.bits = 8, .lanes = 1};
  c->tensor[k] = t;
}

// Inputs that the library reads as a list are small numbers; others are any bytes.
static void fill(Call *c, int k, rsh_dtype type, bool is_list, Data *data) {
  int bits = rsh_program_bits(type);
  uint8_t *to = c->data[k];
  for (size_t i = 0; to && i < c->bytes[k]; i++)
    to[i] = (uint8_t)i;
  for (size_t i = 0; to && is_list && bits >= 8 && i < c->bytes[k] / ((size_t)bits / 8); i++) {
    int64_t n = next_number(data);
    memcpy(to + i * (size_t)bits / 8, &n,
           (size_t)bits / 8); // of a machine whose lowest byte is first
  }
}

// The sizes, then memory for each input. False if its sizes cannot be determined.
static bool make_inputs(Call *c, Data *data) {
  Program *p = &c->program;
  const int64_t *tape = c->tape->word.item, *at = tape + tape[RSH_TAPE_AT_INPUTS];
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    c->size[i] = next_number(data);
  rsh_program_open(p, tape, arena_alloc(c->arena, (size_t)c->tape->shape_bytes + 8));
  p->call = &c->call;
  for (int i = 0; i < tape[RSH_TAPE_SIZES]; i++)
    rsh_program_set_size(p, i, c->size[i]);
  for (int k = 0; k < c->inputs; k++) {
    rsh_dtype type = (rsh_dtype)at[0];
    int rank = (int)at[1];
    bool is_list = at[2] >= 0, is_strided = at[3] != 0, fits = true;
    int64_t stride[RSH_MAX_RANK + 1];
    if (c->call.parts->edges && c->call.parts->edges->check(p, (int32_t)at[4]) != RSH_ok)
      return false;
    at += RSH_TAPE_INPUT_WORDS;
    for (int i = 0; i < rank; i++)
      fits = rsh_program_number(p, &at, &c->dim[k][i]) && fits;
    for (int i = 0; is_strided && i <= rank; i++)
      fits = rsh_program_number(p, &at, &stride[i]) && fits;
    if (rank < 0) { // any
      rank = next_byte(data) % (RSH_MAX_RANK + 1);
      for (int i = 0; i < rank; i++)
        c->dim[k][i] = next_number(data);
    }
    if (k >= c->inputs - c->tape->constant.count && !fits)
      return false;
    fits = fits && count_bytes(type, rank, c->dim[k], is_strided ? stride : NULL, &c->bytes[k]);
    c->data[k] = give(fits, c->bytes[k]);
    set_tensor(c, k, type, rank);
    fill(c, k, type, is_list, data);
  }
  return true;
}

// Memory for the results, with the sizes that rsh_program_shape returned.
static void make_outputs(Call *c, const void *memory) {
  const int64_t *tape = c->tape->word.item, *at = tape + tape[RSH_TAPE_AT_OUTPUTS];
  Program *p = &c->program;
  rsh_program_open(p, tape, (void *)(uintptr_t)memory);
  for (int k = 0; k < c->outputs; k++) {
    const ProgramValue *v = &p->value[at[0]];
    int rank = v->shape->rank, n = c->inputs + k, declared = (int)at[2];
    bool is_strided = at[3] != 0, fits = true;
    int64_t stride[RSH_MAX_RANK + 1], ignored;
    at += RSH_TAPE_OUTPUT_WORDS;
    for (int i = 0; i < rank; i++)
      c->dim[n][i] = v->shape->dim[i].n;
    for (int i = 0; i < declared; i++)
      rsh_program_number(p, &at, &ignored);
    for (int i = 0; is_strided && i <= rank; i++)
      fits = rsh_program_number(p, &at, &stride[i]) && fits;
    fits = fits && count_bytes((rsh_dtype)v->dtype, rank, c->dim[n], is_strided ? stride : NULL,
                               &c->bytes[n]);
    c->data[n] = give(fits, c->bytes[n]);
    set_tensor(c, n, (rsh_dtype)v->dtype, rank);
  }
}

static void clear(const Call *c) {
  for (int k = c->inputs; k < c->inputs + c->outputs; k++)
    if (c->data[k])
      memset(c->data[k], FILL, c->bytes[k]);
}

static uint64_t sum_of(const Call *c) {
  uint64_t sum = 0;
  for (int k = c->inputs; k < c->inputs + c->outputs; k++)
    for (size_t i = 0; c->data[k] && i < c->bytes[k]; i++)
      sum = sum * 31 + ((const uint8_t *)c->data[k])[i];
  return sum;
}

// ---- calls ----

// The outputs of this plan.
static rsh_status run(Call *c, void *plan, uint64_t *sum) {
  clear(c);
  uint64_t before = sum_of(c);
  c->call.memory = plan;
  rsh_status status = rsh_program_run(c->tape->word.item, &c->call);
  *sum = sum_of(c);
  REQUIRE(status == RSH_ok || *sum == before);
  return status;
}

static void check_calls(Call *c) {
  size_t bytes = (size_t)c->tape->plan_bytes;
  void *shape = malloc((size_t)c->tape->shape_bytes + 8);
  void *plan = calloc(1, bytes), *other = calloc(1, bytes);
  REQUIRE(shape && plan && other);
  rsh_program_parts parts = *c->call.parts; // less than what runs
  parts.mover = NULL, parts.picks = NULL;
  rsh_program_call call = c->call;
  call.memory = shape, call.parts = &parts;
  rsh_status status = rsh_program_shape(c->tape->word.item, &call);
  if (status == RSH_ok) {
    uint64_t first, again, anew;
    make_outputs(c, shape);
    rsh_status ran = run(c, plan, &first);
    REQUIRE(run(c, plan, &again) == ran && run(c, other, &anew) == ran);
    REQUIRE(first == again && first == anew);
  }
  free(shape);
  free(plan);
  free(other);
}

static void check_graph(Arena *arena, const Graph *graph, Data data) {
  Call *c = ARENA_NEW(arena, Call);
  *c = (Call){.arena = arena, .tape = tape_of(arena, graph)};
  const int64_t *tape = c->tape->word.item;
  rsh_program_parts parts = program_parts_of(arena, c->tape);
  c->inputs = (int)tape[RSH_TAPE_INPUTS];
  c->outputs = (int)tape[RSH_TAPE_OUTPUTS];
  if (c->inputs + c->outputs > MOST_TENSORS)
    return;
  for (int k = 0; k < c->outputs; k++) {
    c->dims[k] = c->dim[c->inputs + k];
    c->ranks[k] = &c->rank[k];
  }
  c->call = (rsh_program_call){.sizes = c->size,
                               .inputs = (const void *const *)c->tensor,
                               .outputs = c->tensor + c->inputs,
                               .parts = &parts};
  for (int k = 0; k < c->outputs; k++)
    set_tensor(c, c->inputs + k, RSH_U8, 0);
  if (make_inputs(c, &data)) {
    for (int k = 0; k < c->inputs; k++) {
      int of = k - (c->inputs - c->tape->constant.count);
      if (of >= 0 && c->data[k])
        memcpy(c->data[k], c->tape->constant.item[of]->data, c->bytes[k]);
    }
    check_calls(c);
  }
  for (int k = 0; k < c->inputs + c->outputs; k++)
    free(c->data[k]);
}

static Source *read_nothing(void *user, Arena *arena, const char *path, const char **why) {
  (void)user, (void)arena, (void)path;
  *why = "no file is there";
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const EmitOptions options = {.triple = "x86_64-linux-gnu"};
  static const SourceReader reader = {.read = read_nothing};
  Arena *arena = arena_new();
  Pipeline p = {.arena = arena, .diag = {.arena = arena}, .reader = &reader};
  const uint8_t *end = size > 0 ? memchr(bytes, 0, size) : NULL;
  size_t length = end ? (size_t)(end - bytes) : size;
  Data data = {bytes + length, bytes + size};
  next_byte(&data);
  p.processor = emit_cost(arena, &options);
  if (pipeline_read_text(&p, source_from_text(arena, "fuzz.rsh", (const char *)bytes, length))) {
    pipeline_lower(&p);
    pipeline_fold(&p);
    for (int i = 0; i < p.module->graph_count; i++)
      if (graph_is_dynamic(p.module->graph[i]))
        check_graph(arena, p.module->graph[i], data);
  }
  arena_free(arena);
  return 0;
}
