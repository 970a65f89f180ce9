// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures parameters of the cost model (machines.def). For each parameter, a transposition is
// planned with several candidate values, and the resulting kernels are timed alternately. A parameter that makes no
// measurable difference keeps its value.
//
//   past     squares of 512 KiB to 32 MiB, with and without non-temporal stores
//   near     rows of 64 f32, larger than all caches
//   far      a square of twice the size of L2
//   rows     a square of f16, larger than all caches
//   pages    f32[48, 96, 48, 96] transposed by [3, 0, 2, 1]
//   channels squares with rows an odd multiple of 4, 8, 16 or 32 lines apart, one line of a row at a time and two
//   queue    the same for few rows that all map to one memory channel
//   tile     a square of bytes that fits L1
//   planes   pixels of 7 u16, taken apart
//   in_l1, in_l2, in_last    squares of bytes that fit each cache, whose instruction counts are known, and memcpy
//
// in_memory is not measured: outside of the caches every kernel is bound by memory bandwidth.
#include "driver/commands/tune_machine.h"

#include "codegen/plan/cost.h"
#include "driver/base/progress.h"
#include "driver/commands/tune_time.h"
#include "frontend/text/text_out.h"
#include "library/pipeline.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const double FASTER = 1.03; // speedup required to change a parameter

enum {
  MOST_ROWS = 8,
  LINE = 64,
  ELEMENT = 4,
  OFTEN = 3,      // repetitions of a comparison, since the load of the machine varies
  NEVER = 1 << 20 // no stride is a multiple of this many channels
};

typedef struct Measure {
  Arena *arena;
  const EmitOptions *code;
  Processor row; // so far
  FILE *out;
  Diag *diag;
  Progress *progress;
  int step;
} Measure;

static void step(Measure *m, const char *name) { progress_step(m->progress, m->step++, name); }

static Graph *measured_graph(const Measure *m, const char *text) {
  Pipeline p = {.arena = m->arena, .diag = {.arena = m->arena, .file = "machine"}};
  if (!pipeline_read_text(&p, source_from_text(m->arena, "machine", text, strlen(text))))
    return NULL;
  pipeline_lower(&p);
  pipeline_fold(&p);
  return p.diag.errors == 0 ? p.module->graph[0] : NULL;
}

// Everything that determines the code, so that equal kernels are measured once.
static const char *plan_text(const Measure *m, const Plan *plan) {
  Machine machine[MOST_MACHINES];
  TextOut text;
  plan_print(plan, machine, emit_machines(m->arena, m->code, machine), text_out_begin(&text));
  const Processor *cpu = plan->processor;
  int64_t tile = cpu->tile < machine->vector ? cpu->tile : machine->vector;
  return arena_printf(m->arena, "%s near %" PRId64 " far %" PRId64 " tile %" PRId64,
                      text_out_end(&text, m->arena, NULL), cpu->near, cpu->far, tile);
}

typedef struct Field {
  Jit *jit[MOST_ROWS]; // NULL: equal to an earlier one
  int same[MOST_ROWS]; // index of its runner
  Runner runner[MOST_ROWS];
  int count; // of runners
} Field;

static bool open_field(const Measure *m, Graph *graph, const Processor *row, int count, Field *f,
                       Stand *stand) {
  const char *text[MOST_ROWS];
  for (int i = 0; i < count; i++) {
    const Plan *plan = plan_graph(m->arena, graph, &row[i], NULL, m->diag);
    if (!plan || (i == 0 && !stand_open(stand, m->arena, plan)))
      return false;
    text[i] = plan_text(m, plan);
    f->same[i] = f->count;
    for (int k = 0; k < i && f->same[i] == f->count; k++)
      if (strcmp(text[k], text[i]) == 0)
        f->same[i] = f->same[k];
    if (f->same[i] < f->count)
      continue;
    f->jit[i] = jit_new(m->arena, &plan, 1, m->code, m->diag);
    void *function = f->jit[i] ? jit_find(f->jit[i], graph->name, ENTRY_WHOLE) : NULL;
    if (!function)
      return false;
    f->runner[f->count++].function = function;
  }
  return true;
}

// Reports that there is too little memory, if nothing else is reported.
static bool fail(const Measure *m) {
  if (m->diag->errors == 0)
    diag_error_file(m->diag, "no_memory", "not enough memory to measure this machine");
  return false;
}

// Times the kernels that the planner selects with these rows. False: reported, or not enough memory.
static bool race_choices(const Measure *m, const char *text, const Processor *row, int count,
                         double *seconds) {
  Field f = {.count = 0};
  Stand stand = {.count = 0};
  Graph *graph = measured_graph(m, text);
  bool good = graph && open_field(m, graph, row, count, &f, &stand);
  if (good) {
    stand_expect(&stand, f.runner[0].function);
    for (int i = 1; i < f.count && good; i++)
      good = stand_agrees(&stand, f.runner[i].function);
    for (int i = 0; i < count; i++)
      seconds[i] = f.count > 1 ? INFINITY : 1;
    for (int times = 0; times < OFTEN && f.count > 1; times++) {
      stand_race(&stand, f.runner, f.count);
      for (int i = 0; i < count; i++)
        seconds[i] = fmin(seconds[i], f.runner[f.same[i]].seconds);
    }
  }
  for (int i = 0; i < count; i++)
    if (f.jit[i])
      jit_free(f.jit[i]);
  stand_close(&stand);
  return good || fail(m);
}

static const char *matrix(const Measure *m, const char *type, int64_t rows, int64_t columns) {
  return arena_printf(
      m->arena, "graph probe(x: %s[%" PRId64 ", %" PRId64 "]) -> y { y = transpose(x, [1, 0]) }",
      type, rows, columns);
}

static const char *square(const Measure *m, int64_t side) { return matrix(m, "f32", side, side); }

// The side of a square of at least this many bytes, whose rows are an odd number of lines.
static int64_t side_of(int64_t bytes, int64_t element) {
  int64_t line = LINE / element, side = line;
  while (side * side * element < bytes)
    side += 2 * line;
  return side;
}

// ---- the parameters ----

static void print_row(const Measure *m, const char *name, int64_t n, int64_t before, double times) {
  if (m->out && n == before)
    fprintf(m->out, "%s %" PRId64 ": as known\n", name, n);
  else if (m->out && times > 0)
    fprintf(m->out, "%s %" PRId64 ": %.2f times as fast as %" PRId64 "\n", name, n, times, before);
  else if (m->out)
    fprintf(m->out, "%s %" PRId64 ": not %" PRId64 "\n", name, n, before);
}

// Selects a candidate by the time of one kernel. `at`: offset of the parameter in a row.
static bool choose(Measure *m, const char *name, const char *text, size_t at,
                   const int64_t *candidate, int count) {
  Processor row[MOST_ROWS];
  double seconds[MOST_ROWS];
  int64_t *number = (int64_t *)(void *)((char *)&m->row + at), before = *number;
  step(m, name);
  row[0] = m->row;
  for (int i = 0; i < count; i++) {
    row[i + 1] = m->row;
    *(int64_t *)(void *)((char *)&row[i + 1] + at) = candidate[i];
  }
  if (!race_choices(m, text, row, count + 1, seconds))
    return false;
  int best = 0;
  for (int i = 1; i <= count; i++)
    if (seconds[i] * FASTER < seconds[0] && (best == 0 || seconds[i] < seconds[best]))
      best = i;
  double times = 0;
  if (best > 0) { // again, without the others: the minimum of many measurements is biased
    row[1] = row[best];
    if (!race_choices(m, text, row, 2, seconds))
      return false;
    times = seconds[0] / seconds[1];
    if (times > FASTER)
      *number = candidate[best - 1];
  }
  print_row(m, name, *number, before, times);
  return true;
}

// The size of square above which non-temporal stores are faster.
static bool measure_past(Measure *m) {
  enum { SIZES = 7 };
  const int64_t first = INT64_C(512) << 10, before = m->row.past;
  int64_t from = first << SIZES;
  double most = 0, least = 1e9;
  bool goes_on = true;
  for (int i = SIZES - 1; i >= 0; i--) {
    Processor row[2] = {m->row, m->row};
    double seconds[2];
    row[0].past = INT64_C(1) << 50;
    row[1].past = 1;
    step(m, "past");
    if (!race_choices(m, square(m, side_of(first << i, ELEMENT)), row, 2, seconds))
      return false;
    double times = seconds[0] / seconds[1];
    most = times > most ? times : most;
    least = times < least ? times : least;
    goes_on = goes_on && times > FASTER;
    if (goes_on)
      from = first << i;
  }
  bool differs = most > FASTER || least < 1 / FASTER; // else the machine has no such stores
  m->row.past = differs ? from : before;
  print_row(m, "past", m->row.past, before, 0);
  return true;
}

static bool measure_channels(Measure *m) {
  enum { SIZES = 4, SIDE = 3072 };
  const int64_t before = m->row.channels;
  int64_t found = 0;
  for (int i = 0; i < SIZES; i++) {
    int64_t channels = 4 << i, apart = channels * (LINE / ELEMENT);
    int64_t side = (SIDE / apart | 1) * apart; // an odd multiple
    Processor row[2] = {m->row, m->row};
    double seconds[2];
    row[0].channels = NEVER;
    row[1].channels = channels;
    step(m, "channels");
    if (!race_choices(m, square(m, side), row, 2, seconds))
      return false;
    if (found == 0 && seconds[0] > seconds[1] * FASTER)
      found = channels;
  }
  if (found > 0)
    m->row.channels = found;
  print_row(m, "channels", m->row.channels, before, 0);
  return true;
}

// The maximal number of rows on one channel for which alternating after one line is not slower than after two.
static bool measure_queue(Measure *m, int64_t outside) {
  enum { SIZES = 5 };
  static const int64_t candidate[SIZES] = {16, 32, 48, 64, 96};
  const int64_t before = m->row.queue, interleave = m->row.channels * (LINE / ELEMENT);
  int64_t found = 0;
  bool has_waited = false;
  for (int i = 0; i < SIZES; i++) {
    int64_t rows = candidate[i],
            columns = (outside / (rows * ELEMENT) / interleave | 1) * interleave;
    Processor row[2] = {m->row, m->row};
    double seconds[2];
    row[0].queue = rows;
    row[1].queue = rows - 1;
    step(m, "queue");
    if (!race_choices(m, matrix(m, "f32", columns, rows), row, 2, seconds))
      return false;
    has_waited = has_waited || seconds[0] > seconds[1] * FASTER;
    if (!has_waited)
      found = rows;
  }
  if (has_waited && found > 0)
    m->row.queue = found;
  print_row(m, "queue", m->row.queue, before, 0);
  return true;
}

// ---- instructions in the time of memcpy ----

static size_t copied; // bytes

static int copy_all(const JitArgument *argument) {
  memcpy(argument[1].output, argument[0].input, copied);
  return 0;
}

// Sets the parameter of a cache level from a square of this many bytes: the instruction count of its kernel times the
// ratio of its time to that of memcpy.
static bool measure_work(Measure *m, const char *name, int64_t *number, int64_t bytes) {
  Machine machine[MOST_MACHINES];
  Stand stand = {.count = 0};
  const int64_t before = *number, side = side_of(bytes, 1);
  step(m, name);
  Graph *graph = measured_graph(m, matrix(m, "u8", side, side));
  const Plan *plan = graph ? plan_graph(m->arena, graph, &m->row, NULL, m->diag) : NULL;
  Jit *jit = plan && stand_open(&stand, m->arena, plan)
                 ? jit_new(m->arena, &plan, 1, m->code, m->diag)
                 : NULL;
  Runner runner[2] = {{.function = jit ? jit_find(jit, graph->name, ENTRY_WHOLE) : NULL}};
  bool good = runner[0].function;
  if (good) {
    int (*copy)(const JitArgument *) = copy_all;
    memcpy(&runner[1].function, &copy, sizeof copy);
    copied = (size_t)(side * side);
    stand_race(&stand, runner, 2);
    emit_machines(m->arena, m->code, machine);
    double takes = nest_instructions(plan, plan->output[0].nest, machine);
    double found = takes * runner[1].seconds / runner[0].seconds;
    if (found >= 1)
      *number = (int64_t)(found + 0.5);
    print_row(m, name, *number, before, 0);
  }
  if (jit)
    jit_free(jit);
  stand_close(&stand);
  return good || fail(m);
}

static bool measure_caches(Measure *m) {
  return measure_work(m, "in_l1", &m->row.in_l1, m->row.l1 / 8) &&
         measure_work(m, "in_l2", &m->row.in_l2, m->row.l2 / 8) &&
         (m->row.last < 8 * m->row.l2 ||
          measure_work(m, "in_last", &m->row.in_last, 2 * m->row.l2));
}

static bool measure_all(Measure *m) {
  enum { MIB = 1 << 20, MOST = 128 * MIB, SHORT = 64 };
  static const int64_t ahead[] = {2048, 4096, 8192, 16384, 32768},
                       pages[] = {512, 1024, 1536, 2048, 3072, 4096, 8192}, tile[] = {16, 32, 64},
                       rows[] = {1, 64}, planes[] = {4, 8};
  // Memory must have room for several squares larger than all caches.
  bool has_outside = m->row.last <= MOST / 2;
  int64_t outside = m->row.last / 4 * 5, narrow = side_of(outside, ELEMENT / 2);
  return choose(m, "tile", matrix(m, "u8", LINE, LINE), offsetof(Processor, tile), tile, 3) &&
         choose(m, "planes", matrix(m, "u16", m->row.l2 / 32, 7), offsetof(Processor, planes),
                planes, 2) &&
         measure_caches(m) && measure_past(m) &&
         choose(m, "far", square(m, side_of(2 * m->row.l2, ELEMENT)), offsetof(Processor, far),
                ahead, 5) &&
         (!has_outside ||
          (choose(m, "near", matrix(m, "f32", outside / (SHORT * ELEMENT) / LINE * LINE, SHORT),
                  offsetof(Processor, near), ahead, 5) &&
           choose(m, "rows", matrix(m, "f16", narrow, narrow), offsetof(Processor, rows), rows,
                  2) &&
           choose(m, "pages",
                  "graph probe(x: f32[48, 96, 48, 96]) -> y { y = transpose(x, [3, 0, 2, 1]) }",
                  offsetof(Processor, pages), pages, 7) &&
           measure_channels(m) && measure_queue(m, outside)));
}

bool machine_measure(Arena *arena, const EmitOptions *code, const Processor *known, FILE *out,
                     Processor *found, Diag *diag) {
  enum { STEPS = 1 + 3 + 7 + 4 + 4 + 5 };
  Measure m = {.arena = arena, .code = code, .row = *known, .out = out, .diag = diag};
  if (out)
    fprintf(out,
            "l1 %" PRId64 ", ways %" PRId64 ", l2 %" PRId64 ", last %" PRId64 ", page %" PRId64
            ": as this machine states, or as known\n",
            known->l1, known->ways, known->l2, known->last, known->page);
  m.progress = progress_start(arena, "measuring", STEPS);
  bool good = measure_all(&m);
  progress_end(m.progress);
  *found = m.row;
  return good;
}
