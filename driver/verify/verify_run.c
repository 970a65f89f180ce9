// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE // memory without a file: MAP_ANONYMOUS
#include "driver/verify/verify_run.h"

#include "codegen/plan/split.h"
#include "driver/verify/guest/requests.h"
#include "driver/verify/verify_lines.h"
#include "driver/verify/verify_strides.h"
#include "runtime/dlpack.h"
#include "frontend/text/rescue.h"
#include "codegen/plan/processor.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined __x86_64__
#include <xmmintrin.h>
#endif

enum {
  CANARY = 0x3c,       // fills the memory around a tensor
  SOME = 8,            // every SOME-th placement is tested, if not all are
  SECONDS = 120,       // limit for one graph: a longer run counts as a hang
  FEW_BYTES = 1 << 20, // of tensors: with more, few placements are tested
};
static const int64_t GUARD = INT64_C(64)
                             << 20; // address space on both sides that must not be touched
static const int64_t MOST_WORK = INT64_C(1) << 30;       // bytes written for one choice of sizes,
static const int64_t MOST_WORK_THERE = INT64_C(1) << 27; // or by a program for another machine

// Memory of a tensor: guard | canaries | the tensor | canaries | guard.
typedef struct GuardedBuffer {
  uint8_t *map, *low, *high; // low ... high-1 are accessible
  size_t mapped;
  uint8_t *data; // the tensor's address in this run
  int64_t bytes;
  int64_t align; // required by the header
} GuardedBuffer;

// Addresses of the tensors modulo CACHE_LINE, and the side of their buffers.
typedef struct Placement {
  int64_t in, out;
  bool at_end;
  int same; // this output is in the input that it is an alias of, or computed in place of; -1: none
  bool is_spread; // tensors have strides,
  int series;     // see layout_of
} Placement;

typedef struct Run {
  const Map *map;
  const Plan *plan;
  const CallerMemory *required;
  Expected expected;
  const Callable *code;
  Line *line; // to the program that has the code; NULL: it is in this one
  GuardedBuffer *in, *out, scratch, memory;
  Image *in_image, *out_image;
  uint8_t **before; // of each output: the contents of its memory before the call
  int64_t (*dims)[RSH_MAX_RANK], (*in_dims)[RSH_MAX_RANK];
  int32_t *rank;
  DLTensor *in_tensor, *out_tensor;
  Spread *spread; // of each input, then of each output
  Signature signature[ENTRY_POINTS];
  JitArgument *argument, *task_argument;
  TaskLines *lines; // of each output, while tasks are watched
  bool watches_tasks;
  Watch *watch;
  RunResult result;
} Run;

// ---- guarded buffers ----

static int64_t page_size(void) { return sysconf(_SC_PAGESIZE); }

// `most`: bytes that it may hold later.
static bool buffer_open(GuardedBuffer *buffer, int64_t bytes, int64_t most, int64_t align) {
  int64_t page = page_size(), span = (most + 2 * CACHE_LINE + page - 1) / page * page;
  buffer->bytes = bytes;
  buffer->align = align;
  buffer->mapped = (size_t)(span + 2 * GUARD);
  buffer->map =
      mmap(NULL, buffer->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (buffer->map == MAP_FAILED) {
    buffer->mapped = 0;
    return false;
  }
  buffer->low = buffer->map + GUARD;
  buffer->high = buffer->low + span;
  return mprotect(buffer->low, (size_t)span, PROT_READ | PROT_WRITE) == 0;
}

static void buffer_close(const GuardedBuffer *buffer) {
  if (buffer->mapped > 0)
    munmap(buffer->map, buffer->mapped);
}

// Places the tensor as near to one end as possible with this address modulo CACHE_LINE.
static void buffer_place(GuardedBuffer *buffer, int64_t modulo, bool at_end) {
  int64_t start = modulo / buffer->align * buffer->align;
  if (at_end) {
    int64_t last = buffer->high - buffer->low - buffer->bytes;
    start += (last - start) / CACHE_LINE * CACHE_LINE;
  }
  buffer->data = buffer->low + start;
  memset(buffer->low, CANARY, (size_t)(buffer->data - buffer->low));
  memset(buffer->data + buffer->bytes, CANARY,
         (size_t)(buffer->high - buffer->data - buffer->bytes));
}

// True if all bytes are canaries: the first one is, and each byte equals the next.
static bool is_canary(const uint8_t *from, const uint8_t *to) {
  return from == to || (*from == CANARY && memcmp(from, from + 1, (size_t)(to - from) - 1) == 0);
}

static bool buffer_is_intact(const GuardedBuffer *buffer) {
  return is_canary(buffer->low, buffer->data) &&
         is_canary(buffer->data + buffer->bytes, buffer->high);
}

// ---- one call ----

static bool fail(Run *r, const char *format, const char *name, int64_t at) {
  snprintf(r->watch->failure, sizeof r->watch->failure, format, name, (long long)at);
  return false;
}

static JitArgument argument_of(Run *r, Parameter p) {
  JitArgument a = {.size = 0};
  bool is_tensor = parameter_is_tensor(r->plan->graph, p.kind);
  switch (p.kind) {
  case PARAMETER_SIZE:
    a.size = r->map->given[p.index];
    break;
  case PARAMETER_INPUT:
    a.input = is_tensor ? (const void *)&r->in_tensor[p.index] : r->in[p.index].data;
    break;
  case PARAMETER_OUTPUT:
    a.output = is_tensor ? (void *)&r->out_tensor[p.index] : r->out[p.index].data;
    break;
  case PARAMETER_SCRATCH:
    a.output = r->scratch.data;
    break;
  case PARAMETER_DIMS:
    a.output = r->dims[p.index];
    break;
  case PARAMETER_RANK:
    a.output = &r->rank[p.index];
    break;
  case PARAMETER_PLAN:
    a.output = r->memory.data;
    break;
  }
  return a;
}

// Calls the other program. If the code accesses forbidden memory, that program ends, and then this one as well.
static int64_t call_there(Run *r, EntryPoint entry, const JitArgument *argument) {
  int64_t status;
  int ended = 0;
  if (line_call(r->line, guest_function(r->code->index, entry), r->plan->graph,
                &r->signature[entry], argument, &status, &ended))
    return status;
  if (WIFSIGNALED(ended))
    raise(WTERMSIG(ended));
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == GUEST_FAULT)
    raise(SIGSEGV);
  fail(r, "%s has ended", r->code->guest->emulator, 0);
  _exit(1);
}

static int64_t call_function(Run *r, EntryPoint entry, const JitArgument *argument) {
  return r->line ? call_there(r, entry, argument) : jit_call(r->code->function[entry], argument);
}

// The order of tasks in this run: forwards or backwards, starting at any of them.
static int task_in_order(const Run *r, int i, int tasks) {
  int run = (int)(r->result.runs % (2 * MOST_TASKS));
  return ((run % 2 ? tasks - 1 - i : i) + run / 2) % tasks;
}

static void watch_lines(Run *r, int task) {
  for (int i = 0; i < r->map->graph->output_count; i++)
    if (!task_lines_note(&r->lines[i])) {
      fail(r, "a line of '%s' is written to by task %lld after another one",
           r->map->graph->output[i].name, task);
      _exit(1);
    }
}

// Calls each task once; all must return the same status.
static rsh_status call_tasks(Run *r) {
  int64_t tasks = call_function(r, ENTRY_TASK_COUNT, r->argument), status = 0;
  if (tasks < 1 || tasks > MOST_TASKS) {
    fail(r, "there are %s%lld tasks", "", tasks);
    _exit(1);
  }
  memcpy(r->task_argument + 1, r->argument,
         (size_t)r->plan->signature.parameter.count * sizeof *r->argument);
  for (int i = 0; i < r->map->graph->output_count; i++)
    task_lines_begin(&r->lines[i], r->out[i].data, r->watches_tasks ? r->out[i].bytes : 0);
  for (int i = 0; i < tasks; i++) {
    r->task_argument[0].size = task_in_order(r, i, (int)tasks);
    int64_t ended = call_function(r, ENTRY_TASK, r->task_argument);
    if (i > 0 && ended != status) {
      fail(r, "%s%lld has a different status than others", "task ", r->task_argument[0].size);
      _exit(1);
    }
    status = ended;
    watch_lines(r, (int)r->task_argument[0].size);
  }
  for (int i = 0; i < r->map->graph->output_count; i++)
    task_lines_end(&r->lines[i]);
  return (rsh_status)status;
}

static rsh_status call(Run *r, EntryPoint entry) {
  const Signature *s = &r->signature[entry];
  for (int i = 0; i < s->parameter.count; i++)
    r->argument[i] = argument_of(r, s->parameter.item[i]);
  r->watch->in_call = true;
  if (r->code->level)
    *r->code->level = r->code->forced_level;
  rsh_status status = r->code->in_tasks && entry == ENTRY_WHOLE
                          ? call_tasks(r)
                          : (rsh_status)call_function(r, entry, r->argument);
  r->watch->in_call = false;
  r->result.runs++;
  return status;
}

// Sets processor flags that flush subnormal numbers and trap invalid operations: neither may affect a copy.
static rsh_status call_strictly(Run *r, bool strictly) {
#if defined __x86_64__
  unsigned before = _mm_getcsr();
  if (strictly)
    _mm_setcsr((before | 0x8040) & ~0x80u);
  rsh_status status = call(r, ENTRY_WHOLE);
  _mm_setcsr(before);
  return status;
#else
  (void)strictly;
  return call(r, ENTRY_WHOLE);
#endif
}

static DLTensor tensor_of(uint8_t *data, rsh_dtype dtype, const Tensor *t, int64_t *dim) {
  DLTensor tensor = {.data = data, .ndim = t->rank, .shape = dim};
  memcpy(dim, t->dim, sizeof t->dim);
  tensor.device.device_type = kDLCPU;
  (void)rsh_dtype_to_dlpack(dtype, &tensor.dtype);
  return tensor;
}

// ---- one run ----

// The value of a number of the plan, whose graph may differ from that of the map.
static int64_t plan_number(const Map *map, const Plan *plan, rsh_num n) {
  int64_t symbol[RSH_MAX_SYMBOLS], atom[RSH_MAX_SYMBOLS] = {0}, value = 0;
  memcpy(symbol, map->given, sizeof symbol);
  if (!graph_edges(plan->graph, symbol))
    return 0;
  graph_atoms(plan->graph, symbol, atom);
  return rsh_eval(plan->graph->symbols, n, atom, &value) ? value : 0;
}

static const Value *input_of(const Run *r, int i) { return r->map->graph->value.item[i]; }
static const Value *output_of(const Run *r, int i) { return r->map->graph->output[i].value; }

// The input that an output may share memory with, and the byte offset in it.
static const Value *home_of(const Run *r, int output, int64_t *byte) {
  const OutputPlan *out = &r->plan->output[output];
  const Value *home = out->tier == TIER_ALIAS ? out->source : out->in_place;
  if (!home || home->id >= r->map->graph->input_count)
    return NULL;
  *byte = plan_number(r->map, r->plan, out->offset) * plan_element_bits(home->dtype) / 8;
  return home;
}

static void prepare(Run *r, const Placement *p, uint8_t fill) {
  const Graph *g = r->map->graph;
  for (int i = 0; i < g->input_count; i++) {
    buffer_place(&r->in[i], (p->in + i * r->in[i].align) % CACHE_LINE, p->at_end);
    memset(r->in[i].data, fill,
           (size_t)r->in[i]
               .bytes); // also after the end of an input in which a larger output is computed
    memcpy(r->in[i].data, r->in_image[i].data, (size_t)r->in_image[i].bytes);
    r->in_tensor[i] =
        tensor_of(r->in[i].data, input_of(r, i)->dtype, &r->map->value[i], r->in_dims[i]);
  }
  for (int i = 0; i < g->output_count; i++) {
    int64_t byte;
    buffer_place(&r->out[i], (p->out + i * r->out[i].align) % CACHE_LINE, p->at_end);
    memcpy(r->out[i].data, r->before[i], (size_t)r->out[i].bytes);
    if (i == p->same)
      r->out[i].data = r->in[home_of(r, i, &byte)->id].data + byte;
    r->out_tensor[i] = tensor_of(r->out[i].data, output_of(r, i)->dtype,
                                 &r->map->value[output_of(r, i)->id], r->dims[i]);
  }
  r->watches_tasks = p->in == 0 && p->same < 0;
  buffer_place(&r->scratch, p->out, p->at_end);
  memset(r->scratch.data, fill, (size_t)r->scratch.bytes);
  buffer_place(&r->memory, 0, true);
  if (!p->at_end) // else it has the results of the previous call
    memset(r->memory.data, 0, (size_t)r->memory.bytes);
}

// ---- strides ----

static bool is_input(const Run *r, int i) { return i < r->map->graph->input_count; }
static GuardedBuffer *buffer_of(const Run *r, int i) {
  return is_input(r, i) ? &r->in[i] : &r->out[i - r->map->graph->input_count];
}
static const Value *value_of(const Run *r, int i) {
  return is_input(r, i) ? input_of(r, i) : output_of(r, i - r->map->graph->input_count);
}

// Tensors of any rank whose elements have addresses may have strides.
static bool may_spread(const Run *r, int i) {
  return graph_takes_tensors(r->plan->graph) && plan_element_bits(value_of(r, i)->dtype) >= 8;
}

// The memory layout of a tensor in run `series`: all layouts for the results; for the inputs, all the same layout and
// each a different one.
static int layout_of(const Run *r, int series, int i) {
  int layout = series % STRIDE_LAYOUTS, round = series / STRIDE_LAYOUTS;
  bool is_row_major = round == (is_input(r, i) ? 0 : 1);
  return is_row_major ? 0 : round == 3 ? (layout + 5 * i) % STRIDE_LAYOUTS : layout;
}

// Gives a row-major tensor strides; the memory between its elements must remain unchanged.
static void spread_tensor(Run *r, const Placement *p, int i) {
  GuardedBuffer *buffer = buffer_of(r, i);
  const Tensor *t = &r->map->value[value_of(r, i)->id];
  size_t size = (size_t)plan_element_bits(value_of(r, i)->dtype) / 8;
  uint8_t *row_major = memory_of(malloc((size_t)buffer->bytes + 1));
  r->spread[i] = spread_of(t, layout_of(r, p->series, i));
  memcpy(row_major, buffer->data, (size_t)buffer->bytes);
  buffer->bytes = r->spread[i].span * (int64_t)size;
  buffer_place(buffer, i * buffer->align % CACHE_LINE, p->at_end);
  memset(buffer->data, CANARY, (size_t)buffer->bytes);
  spread_put(&r->spread[i], t, size, row_major, buffer->data);
  free(row_major);
  DLTensor *tensor =
      is_input(r, i) ? &r->in_tensor[i] : &r->out_tensor[i - r->map->graph->input_count];
  tensor->data = buffer->data;
  tensor->byte_offset = (uint64_t)r->spread[i].first * size;
  tensor->strides = r->spread[i].stride;
}

// Puts its elements in row-major order again.
static bool gather_tensor(Run *r, int i) {
  GuardedBuffer *buffer = buffer_of(r, i);
  const Tensor *t = &r->map->value[value_of(r, i)->id];
  size_t size = (size_t)plan_element_bits(value_of(r, i)->dtype) / 8;
  uint8_t *row_major = memory_of(malloc((size_t)t->count * size + 1));
  spread_take(&r->spread[i], t, size, row_major, buffer->data, CANARY);
  bool is_whole = is_canary(buffer->low, buffer->high);
  buffer->bytes = t->count * (int64_t)size;
  memcpy(buffer->data, row_major, (size_t)buffer->bytes);
  free(row_major);
  return is_whole ||
         fail(r, "memory between the elements of '%s' is written", value_of(r, i)->name, 0);
}

// Of all tensors.
static bool gather(Run *r) {
  bool good = true;
  for (int i = 0; i < r->map->graph->input_count + r->map->graph->output_count; i++)
    good = (!may_spread(r, i) || gather_tensor(r, i)) && good;
  return good;
}

static void spread(Run *r, const Placement *p) {
  for (int i = 0; i < r->map->graph->input_count + r->map->graph->output_count; i++)
    if (may_spread(r, i))
      spread_tensor(r, p, i);
}

static int64_t most_spread(const Run *r, int i) {
  int64_t most = 0;
  for (int layout = 0; layout < STRIDE_LAYOUTS && may_spread(r, i); layout++) {
    Spread s = spread_of(&r->map->value[value_of(r, i)->id], layout);
    most = s.span > most ? s.span : most;
  }
  return most * plan_element_bits(value_of(r, i)->dtype) / 8;
}

// ---- after a run ----

static bool check_output(Run *r, int i) {
  const Output *out = &r->map->graph->output[i];
  int64_t at = image_difference(&r->out_image[i], r->out[i].data, out->value->dtype);
  if (at < 0)
    return true;
  return fail(r, "'%s' is wrong from element %lld on", out->name, at);
}

static bool check(Run *r, const Placement *p) {
  const Graph *g = r->map->graph;
  for (int i = 0; i < g->output_count; i++) {
    if (!check_output(r, i))
      return false;
    if (i != p->same && !buffer_is_intact(&r->out[i]))
      return fail(r, "something is written outside '%s'", g->output[i].name, 0);
  }
  int64_t byte;
  const Value *home = p->same < 0 ? NULL : home_of(r, p->same, &byte);
  for (int i = 0; i < g->input_count; i++) {
    bool is_home = home && home->id == i && r->plan->output[p->same].in_place;
    bool is_kept =
        is_home || memcmp(r->in[i].data, r->in_image[i].data, (size_t)r->in_image[i].bytes) == 0;
    if (!is_kept || !buffer_is_intact(&r->in[i]))
      return fail(r, "'%s', an input, is written to", input_of(r, i)->name, 0);
  }
  if (!buffer_is_intact(&r->scratch) || !buffer_is_intact(&r->memory))
    return fail(r, "something is written outside %s", "the scratch buffer", 0);
  return true;
}

// The byte order of a tensor applies to the parts of its elements.
static int unit_of(rsh_dtype dtype) { return (int)plan_element_align(dtype); }

// An output computed in the memory of an input may have elements of another size.
static void reread_home(const Run *r, int output) {
  int64_t byte;
  const Value *home = home_of(r, output, &byte);
  const GuardedBuffer *buffer = &r->in[home->id];
  if (r->plan->output[output].slides)
    line_reread(r->line, buffer->data, buffer->bytes, unit_of(home->dtype), r->out[output].bytes,
                unit_of(output_of(r, output)->dtype));
}

static bool is_expected(Run *r, rsh_status status) {
  rsh_status wanted = r->expected.status;
  if (status == wanted || (status != RSH_ok && wanted != RSH_ok && r->expected.is_any))
    return true;
  if (status == RSH_ok)
    return fail(r, "the call should be refused as %s", rsh_status_name(wanted), 0);
  snprintf(r->watch->failure, sizeof r->watch->failure, "the call is refused as %s%s%s",
           rsh_status_name(status), wanted == RSH_ok ? "" : ", not as ",
           wanted == RSH_ok ? "" : rsh_status_name(wanted));
  return false;
}

static bool run_once(Run *r, const Pattern *pattern, const Placement *p) {
  prepare(r, p, pattern->fill);
  if (p->is_spread)
    spread(r, p);
  snprintf(r->watch->doing, sizeof r->watch->doing,
           "pattern %d, inputs at %lld and outputs at %lld modulo %d, at the %s of a page%s%s",
           pattern->index, (long long)p->in, (long long)p->out, CACHE_LINE,
           p->at_end ? "end" : "start", p->same >= 0 ? ", an output in its input" : "",
           p->is_spread ? ", with strides" : "");
  bool strictly = pattern->is_masked && map_only_moves(r->map);
  rsh_status status = call_strictly(r, strictly);
  if (r->line && p->same >= 0 && status == RSH_ok)
    reread_home(r, p->same);
  if (status != RSH_ok)
    r->result.status = status;
  bool is_whole = !p->is_spread || gather(r);
  return is_whole && is_expected(r, status) && check(r, p);
}

// ---- all runs ----

static int64_t least_align(const Run *r, bool outputs) {
  const Graph *g = r->map->graph;
  int64_t least = CACHE_LINE;
  for (int i = 0; i < (outputs ? g->output_count : g->input_count); i++) {
    int64_t align = outputs ? r->out[i].align : r->in[i].align;
    least = align < least ? align : least;
  }
  return least;
}

static bool run_placement(Run *r, const Pattern *pattern, int64_t in, int64_t out, bool at_end) {
  Placement p = {.in = in, .out = out, .at_end = at_end, .same = -1};
  if (pattern->index == 0)
    r->result.placements++;
  return run_once(r, pattern, &p);
}

static int64_t all_bytes(const Run *r) {
  int64_t bytes = 4 * page_size();
  for (int i = 0; i < r->map->graph->input_count; i++)
    bytes += r->in[i].bytes;
  for (int i = 0; i < r->map->graph->output_count; i++)
    bytes += r->out[i].bytes;
  return bytes;
}

// Tests some placements: both ends of a page, each side unaligned, and both.
static bool run_some_placements(Run *r, const Pattern *pattern) {
  static const struct {
    int8_t in, out;
    bool at_end;
  } place[] = {{0, 0, true}, {0, 0, false}, {1, 0, true},
               {0, 3, true}, {5, 7, false}, {8, 8, true}};
  int64_t unit_in = least_align(r, false), unit_out = least_align(r, true);
  int count = pattern->index > 0 || all_bytes(r) > FEW_BYTES ? 1 : sizeof place / sizeof *place;
  int first = pattern->index > 0 ? 4 : 0; // the second pattern uses another placement
  for (int i = first; i < first + count; i++)
    if (!run_placement(r, pattern, place[i].in * unit_in % CACHE_LINE,
                       place[i].out * unit_out % CACHE_LINE, place[i].at_end))
      return false;
  return true;
}

// Tests each alignment of the inputs with one of the outputs and vice versa, both together, and one against the other;
// at both ends if time allows. If time is short, as with an emulator, the first pattern is tested at all placements and
// the others at some; tensors of many megabytes get fewer placements.
static bool run_placements(Run *r, const Pattern *pattern, int patterns) {
  int64_t unit_in = least_align(r, false), unit_out = least_align(r, true);
  int64_t unit = unit_in < unit_out ? unit_in : unit_out;
  int64_t runs = 8 * CACHE_LINE / unit * patterns, work = r->line ? MOST_WORK_THERE : MOST_WORK,
          budget = work / (4 * all_bytes(r));
  bool both_ends = runs <= budget, is_thin = r->line || !both_ends;
  int64_t full = is_thin ? 1 + (patterns - 1) / SOME : patterns; // number of full pattern runs
  int64_t step = unit, first = 0;
  while (8 * (CACHE_LINE / step) * full > 2 * budget && step < CACHE_LINE / 4)
    step *= 2;
  if (is_thin && pattern->index > 0) {
    first = pattern->index % SOME * step;
    step *= SOME;
  }
  for (int64_t a = first % CACHE_LINE; a < CACHE_LINE; a += step) {
    bool end = a / step % 2 == 0;
    for (int side = 0; side < (both_ends ? 2 : 1); side++, end = !end)
      if (!run_placement(r, pattern, a, 0, end) || (a && !run_placement(r, pattern, 0, a, !end)) ||
          (a && !run_placement(r, pattern, a, a, !end)) ||
          (a && !run_placement(r, pattern, a, CACHE_LINE - a, end)))
        return false;
  }
  return true;
}

// Runs outputs that may share an input's memory in that memory; gaps between their elements belong to the input.
static bool run_in_place(Run *r, const Pattern *pattern) {
  int64_t byte;
  for (int i = 0; i < r->plan->output_count; i++) {
    const Value *home = r->plan->tape ? NULL : home_of(r, i, &byte);
    if (r->expected.status != RSH_ok || r->out[i].bytes == 0 || !home)
      continue;
    Placement p = {.at_end = pattern->index % 2, .same = i};
    Image apart = r->out_image[i]; // for the runs with another output in its input
    GuardedBuffer *buffer = &r->in[home->id];
    int64_t own = buffer->bytes;
    bool grows = byte + r->out[i].bytes > own;
    buffer->bytes = grows ? byte + r->out[i].bytes : own;
    r->out_image[i] = image_of_output(r->map, pattern, i,
                                      grows ? NULL : r->in_image[home->id].data + byte, false);
    bool good = run_once(r, pattern, &p);
    buffer->bytes = own;
    image_free(&r->out_image[i]);
    r->out_image[i] = apart;
    if (!good)
      return false;
  }
  return true;
}

static void make_images(Run *r, const Pattern *pattern) {
  const Graph *g = r->map->graph;
  for (int i = 0; i < g->input_count; i++)
    r->in_image[i] = image_of_input(r->map, pattern, i);
  for (int i = 0; i < g->output_count; i++) {
    r->out_image[i] = image_of_output(r->map, pattern, i, NULL, r->expected.status != RSH_ok);
    r->before[i] = image_before_call(r->map, pattern, i, &r->out_image[i]);
  }
}

static void free_images(Run *r) {
  for (int i = 0; i < r->map->graph->input_count; i++)
    image_free(&r->in_image[i]);
  for (int i = 0; i < r->map->graph->output_count; i++) {
    image_free(&r->out_image[i]);
    free(r->before[i]);
  }
}

// Tensors of any rank have strides. Every other call has the plan of a call with others.
static bool run_spread(Run *r, const Pattern *pattern) {
  enum { SERIES = 4 * STRIDE_LAYOUTS };
  int step = r->map->is_quick || all_bytes(r) > FEW_BYTES ? 9 : 1;
  bool good = true;
  for (int i = 0; good && i < SERIES; i += step) {
    Placement p = {.at_end = i / step % 2, .same = -1, .is_spread = true, .series = i};
    good = run_once(r, pattern, &p);
  }
  return good;
}

static bool run_pattern(Run *r, int index, int patterns) {
  Pattern pattern = pattern_at(r->map, index);
  make_images(r, &pattern);
  bool good = (r->map->is_quick ? run_some_placements(r, &pattern)
                                : run_placements(r, &pattern, patterns)) &&
              run_in_place(r, &pattern);
  if (good && index == 0 && r->expected.status == RSH_ok && graph_takes_tensors(r->plan->graph))
    good = run_spread(r, &pattern);
  free_images(r);
  return good;
}

// Whether indices are weights, which only the call that moves elements compares with open sizes.
static bool has_constant_indices(const Graph *g) {
  bool found = false;
  for (int i = 0; i < g->node.count; i++)
    found = found || (rsh_takes_indices(&g->node.item[i]->call) &&
                      value_is_constant(g->node.item[i]->in[1]));
  return found;
}

// Calls NAME_shape, with the contents of the first pattern.
static bool run_shape(Run *r) {
  Pattern pattern = pattern_at(r->map, 0);
  Placement p = {.at_end = true, .same = -1};
  make_images(r, &pattern);
  prepare(r, &p, pattern.fill);
  memset(r->dims, 0x77, (size_t)r->map->graph->output_count * sizeof *r->dims);
  snprintf(r->watch->doing, sizeof r->watch->doing, "the call for only the sizes");
  rsh_status status = call(r, ENTRY_SHAPE);
  bool are_sizes_good = r->expected.status == RSH_ok || r->map->status != RSH_ok;
  // The graph with these sizes is refused, so the sizes of its results are unknown.
  bool is_any =
      !are_sizes_good && r->expected.status == RSH_bad_index && has_constant_indices(r->map->graph);
  bool good = is_any || (status == RSH_ok) == are_sizes_good;
  for (int i = 0; good && !is_any && status == RSH_ok && i < r->map->graph->output_count; i++) {
    // The sizes are those of the type, not of memory.
    const Tensor *t = &r->map->value[value_logical(output_of(r, i))->id];
    good = memcmp(r->dims[i], t->dim, (size_t)t->rank * sizeof *t->dim) == 0;
  }
  free_images(r);
  return good || fail(r, "%s is wrong, or its status", "the call for the sizes", 0);
}

// If a tensor with elements has no memory, the call is refused and nothing is written. If no result has elements, no
// pointer is checked.
static bool run_without_memory(Run *r) {
  const Graph *g = r->map->graph;
  Pattern pattern = pattern_at(r->map, 0);
  Placement p = {.at_end = true, .same = -1};
  int64_t results = 0;
  bool good = true;
  make_images(r, &pattern);
  for (int i = 0; i < g->output_count; i++)
    results += r->out[i].bytes;
  for (int i = 0; i < g->output_count; i++)
    image_keep(&r->out_image[i], r->before[i]);
  for (int i = 0; good && results > 0 && i < g->input_count + g->output_count; i++) {
    GuardedBuffer *buffer = i < g->input_count ? &r->in[i] : &r->out[i - g->input_count];
    prepare(r, &p, pattern.fill);
    uint8_t *data = buffer->data;
    if (buffer->bytes == 0 || (i < g->input_count && input_of(r, i)->is_placed))
      continue;
    snprintf(r->watch->doing, sizeof r->watch->doing, "a tensor without memory");
    buffer->data = NULL;
    rsh_status status = call(r, ENTRY_WHOLE);
    buffer->data = data;
    good = status == RSH_null_pointer ? check(r, &p)
                                      : fail(r, "the call takes %s", "a null pointer", 0);
  }
  free_images(r);
  return good;
}

static bool has_shape(const Run *r) { return r->code->has[ENTRY_SHAPE]; }

// Tests sizes too large for any memory. If the expected error is lack of memory, the byte counts fit 64 bits, but not
// 32.
static bool run_huge(Run *r) {
  const Graph *g = r->map->graph;
  bool is_narrow = r->code->guest && r->code->guest->is_narrow;
  rsh_status expected = is_narrow ? RSH_overflow : r->expected.status;
  bool is_counted = expected == RSH_null_pointer;
  Pattern pattern = pattern_at(r->map, 0);
  Placement p = {.at_end = true, .same = -1};
  make_images(r, &pattern);
  prepare(r, &p, pattern.fill);
  for (int i = 0; is_counted && i < g->input_count; i++)
    r->in[i].data = NULL;
  for (int i = 0; is_counted && i < g->output_count; i++)
    r->out[i].data = NULL;
  snprintf(r->watch->doing, sizeof r->watch->doing, "tensors too large for any memory");
  rsh_status status = r->result.status = call(r, ENTRY_WHOLE);
  bool is_other = is_narrow && r->expected.status != RSH_null_pointer && status != RSH_ok;
  bool good = status == expected || is_other;
  if (!good)
    fail(r, "the call should be refused as %s", rsh_status_name(expected), 0);
  if (good && has_shape(r) && (call(r, ENTRY_SHAPE) == RSH_ok) != is_counted)
    good = fail(r, "%s is wrong, or its status", "the call for the sizes", 0);
  good = good && (is_counted || check(r, &p));
  free_images(r);
  return good;
}

static void run_all(Run *r) {
  if (r->expected.is_huge) {
    r->result.passed = run_huge(r);
    return;
  }
  int patterns = r->expected.status == RSH_ok ? pattern_count(r->map) : 1;
  bool good = !has_shape(r) || run_shape(r);
  if (has_shape(r) && r->expected.status == RSH_ok && !r->plan->tape)
    good = good && run_without_memory(r);
  r->result.patterns = patterns;
  for (int i = 0; good && i < patterns; i++)
    good = run_pattern(r, i, patterns);
  r->result.passed = good;
}

// ---- memory and program of a run ----

static int64_t bytes_of(const Run *r, const Value *value) {
  return (map_elements(r->map, value) * plan_element_bits(value->dtype) + 7) / 8;
}

static bool open_buffers(Run *r) {
  const Graph *g = r->map->graph;
  bool good = true, sized = r->expected.status == RSH_ok || r->map->status != RSH_ok;
  for (int i = 0; i < g->input_count; i++) {
    const Value *value = input_of(r, i);
    int64_t bytes = bytes_of(r, value), spread = sized ? most_spread(r, i) : 0,
            most = spread > bytes ? spread : bytes;
    for (int k = 0; k < g->output_count && sized && !r->plan->tape; k++) {
      int64_t byte;
      const Value *home = home_of(r, k, &byte);
      bool is_home = home && home->id == value->id;
      int64_t end = is_home ? byte + bytes_of(r, output_of(r, k)) : 0;
      most = end > most ? end : most;
    }
    good = good && buffer_open(&r->in[i], bytes, most, plan_input_align(value));
  }
  for (int i = 0; i < g->output_count; i++) {
    const Value *value = output_of(r, i);
    int64_t bytes = sized ? bytes_of(r, value) : 0,
            spread = sized ? most_spread(r, g->input_count + i) : 0;
    good = good && buffer_open(&r->out[i], bytes, spread > bytes ? spread : bytes,
                               plan_output_align(&g->output[i]));
  }
  int64_t align = r->required->scratch_align ? r->required->scratch_align : 1;
  int64_t scratch = r->required->scratch_bytes, memory = r->required->plan_bytes;
  return good && buffer_open(&r->scratch, scratch, scratch, align) &&
         buffer_open(&r->memory, memory, memory, 8);
}

static void close_buffers(Run *r) {
  for (int i = 0; i < r->map->graph->input_count; i++)
    buffer_close(&r->in[i]);
  for (int i = 0; i < r->map->graph->output_count; i++)
    buffer_close(&r->out[i]);
  buffer_close(&r->scratch);
  buffer_close(&r->memory);
}

static void *zeroed(int count, size_t size) { return memory_of(calloc((size_t)count + 1, size)); }

static void add_buffer(Line *line, Arena *arena, const GuardedBuffer *buffer, int unit) {
  Mirror m = {.low = buffer->low, .bytes = (size_t)(buffer->high - buffer->low), .unit = unit};
  m.data = &buffer->data;
  m.count = &buffer->bytes;
  VEC_PUSH(arena, line->mirror, m);
}

// The program that has the code gets a copy of all buffers.
static bool open_line(Run *r) {
  const Graph *g = r->map->graph;
  Arena *arena = r->map->arena;
  Line *line = r->line = r->code->line;
  if (!line_open(line, r->code->guest, SECONDS))
    return fail(r, "%s cannot be started", r->code->guest->emulator, 0);
  for (int i = 0; i < g->input_count; i++)
    add_buffer(line, arena, &r->in[i], unit_of(input_of(r, i)->dtype));
  for (int i = 0; i < g->output_count; i++) {
    add_buffer(line, arena, &r->out[i], unit_of(output_of(r, i)->dtype));
    VEC_PUSH(arena, line->mirror, ((Mirror){(uint8_t *)r->dims[i], sizeof r->dims[i], .unit = 8}));
  }
  for (int i = 0; i < g->output_count; i++)
    VEC_PUSH(arena, line->mirror,
             ((Mirror){(uint8_t *)&r->rank[i], sizeof r->rank[i], .unit = sizeof r->rank[i]}));
  if (graph_takes_tensors(r->plan->graph)) {
    size_t inputs = (size_t)g->input_count * sizeof *r->in_dims;
    size_t tensors = (size_t)(g->input_count + g->output_count) * sizeof *r->spread;
    VEC_PUSH(arena, line->mirror, ((Mirror){(uint8_t *)r->in_dims, inputs, .unit = 8}));
    VEC_PUSH(arena, line->mirror, ((Mirror){(uint8_t *)r->spread, tensors, .unit = 8}));
  }
  add_buffer(line, arena, &r->scratch, 1);
  add_buffer(line, arena, &r->memory, 1);
  return line_allow(line) || fail(r, "%s has not enough memory", r->code->guest->emulator, 0);
}

static void make_lists(Run *r) {
  const Graph *g = r->map->graph;
  int arguments = r->plan->signature.parameter.count;
  for (EntryPoint e = 0; e < ENTRY_POINTS; e++)
    r->signature[e] = signature_of_entry(r->map->arena, r->plan, e);
  r->in = zeroed(g->input_count, sizeof *r->in);
  r->out = zeroed(g->output_count, sizeof *r->out);
  r->in_image = zeroed(g->input_count, sizeof *r->in_image);
  r->out_image = zeroed(g->output_count, sizeof *r->out_image);
  r->before = zeroed(g->output_count, sizeof *r->before);
  r->dims = zeroed(g->output_count, sizeof *r->dims);
  r->in_dims = zeroed(g->input_count, sizeof *r->in_dims);
  r->rank = zeroed(g->output_count, sizeof *r->rank);
  r->in_tensor = zeroed(g->input_count, sizeof *r->in_tensor);
  r->out_tensor = zeroed(g->output_count, sizeof *r->out_tensor);
  r->spread = zeroed(g->input_count + g->output_count, sizeof *r->spread);
  r->argument = zeroed(arguments + r->plan->shape_signature.parameter.count, sizeof *r->argument);
  r->task_argument = zeroed(arguments + 1, sizeof *r->task_argument);
  r->lines = zeroed(g->output_count, sizeof *r->lines);
}

static void free_lists(Run *r) {
  void *list[] = {r->in,       r->out,           r->in_image, r->out_image, r->before,
                  r->dims,     r->in_dims,       r->rank,     r->in_tensor, r->out_tensor,
                  r->argument, r->task_argument, r->lines,    r->spread};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    free(list[i]);
}

RunResult verify_run(const Map *map, const Plan *plan, const CallerMemory *required,
                     Expected expected, const Callable *code, Watch *watch) {
  Run r = {.map = map, .plan = plan, .required = required, .code = code, .watch = watch};
  r.expected = expected;
  alarm(SECONDS);
  make_lists(&r);
  if (!open_buffers(&r))
    fail(&r, "not enough memory for %s", "the runs", 0);
  else if (!code->guest || open_line(&r))
    run_all(&r);
  if (r.line)
    line_forbid(r.line);
  close_buffers(&r);
  free_lists(&r);
  alarm(0);
  return r.result;
}
