// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec tune: for each move of static graphs, measures alternative implementations, starting with the planner's
// choice and its neighbors, and records the fastest in a text file.
#include "codegen/machine/host.h"
#include "codegen/plan/tuning.h"
#include "driver/base/commands.h"
#include "driver/base/tools.h"
#include "driver/base/pipeline.h"
#include "driver/base/progress.h"
#include "driver/commands/tune_machine.h"
#include "driver/commands/tune_time.h"
#include "frontend/data/output.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

static const double FASTER = 1.03; // speedup that a choice needs to replace the planner's

// A choice for a move, and code for it.
typedef struct Trial {
  Choice choice;
  Jit *jit;
  void *function;
  double seconds;
} Trial;

typedef struct Tuner {
  Pipeline *p;
  Arena *arena;
  Tuning *tuning; // the entries found so far
  EmitOptions code;
  Graph *graph;  // its moves are measured,
  Stand stand;   // in this memory
  json_t *moves; // output of --json; NULL: lines of text
  bool is_silent;
} Tuner;

// The choices for one move.
typedef struct Contest {
  Tuner *tuner;
  const TunedMove *move;
  const Choice *space;
  int space_count;
  bool *is_tried;
  VEC(Trial) trial; // the planner's is first
} Contest;

// ---- trials ----

// Uses the entries found so far for other moves. False: reported.
static bool make_code(const Tuner *t, const TunedMove *move, Trial *trial) {
  Tuning *tuning = ARENA_NEW(t->arena, Tuning);
  *tuning = *t->tuning;
  tuning->entry.item = ARENA_ARRAY(t->arena, TuningEntry, t->tuning->entry.count + 1);
  tuning->entry.capacity = t->tuning->entry.count + 1;
  for (int i = 0; i < t->tuning->entry.count; i++)
    tuning->entry.item[i] = t->tuning->entry.item[i];
  tuning->asked.count = tuning->asked.capacity = 0;
  tuning_set(tuning, &move->nest, &trial->choice);
  const Plan *plan = plan_graph(t->arena, t->graph, t->p->processor, tuning, &t->p->diag);
  trial->jit = plan ? jit_new(t->arena, &plan, 1, &t->code, &t->p->diag) : NULL;
  trial->function = trial->jit ? jit_find(trial->jit, t->graph->name, ENTRY_WHOLE) : NULL;
  return trial->function;
}

// False: the result differs from that of the planner's choice, or no code could be made; reported.
static bool add_trial(Contest *c, const Choice *choice) {
  const Tuner *t = c->tuner;
  Trial trial = {.choice = *choice};
  if (!make_code(t, c->move, &trial))
    return false;
  VEC_PUSH(t->arena, c->trial, trial);
  if (stand_agrees(&t->stand, trial.function))
    return true;
  diag_error_file(&t->p->diag, "internal", "'%s' gives different bytes if '%s' is done as '%s'",
                  t->graph->name, c->move->move,
                  choice_text(t->arena, choice, c->move->nest.loop_count));
  return false;
}

// Measures the trials from `first` on together with trial `best`.
static void race(Contest *c, int best, int first) {
  const Tuner *t = c->tuner;
  int count = c->trial.count - first;
  Runner *runner = ARENA_ARRAY(t->arena, Runner, count + 1);
  runner[0].function = c->trial.item[best].function;
  for (int i = 0; i < count; i++)
    runner[i + 1].function = c->trial.item[first + i].function;
  stand_race(&t->stand, runner, count + 1);
  // Measuring the best again shows how the noise has changed since its first measurement.
  double before = c->trial.item[best].seconds;
  double drift = before > 0 ? before / runner[0].seconds : 1;
  if (before <= 0)
    c->trial.item[best].seconds = runner[0].seconds;
  for (int i = 0; i < count; i++)
    c->trial.item[first + i].seconds = runner[i + 1].seconds * drift;
}

static int fastest(const Contest *c) {
  int best = 0;
  for (int i = 1; i < c->trial.count; i++)
    if (c->trial.item[i].seconds < c->trial.item[best].seconds)
      best = i;
  return best;
}

static bool try_near(Contest *c, int best, bool all) {
  for (int i = 0; i < c->space_count; i++) {
    if (c->is_tried[i] || (!all && !choice_is_near(&c->trial.item[best].choice, &c->space[i])))
      continue;
    c->is_tried[i] = true;
    if (!add_trial(c, &c->space[i]))
      return false;
  }
  return true;
}

// Measures only the planner's choice and the fastest again: the minimum of many measurements is biased.
static int decide(Contest *c, int best) {
  Trial *planned = &c->trial.item[0], *found = &c->trial.item[best];
  if (best == 0)
    return 0;
  Runner runner[2] = {{.function = planned->function}, {.function = found->function}};
  stand_race(&c->tuner->stand, runner, 2);
  planned->seconds = runner[0].seconds;
  found->seconds = runner[1].seconds;
  return planned->seconds < found->seconds * FASTER ? 0 : best;
}

// Hill climbing: measures neighbors of the fastest choice until none is faster. Returns the fastest, or -1.
static int contest(Contest *c) {
  int best = 0;
  c->is_tried = ARENA_ARRAY(c->tuner->arena, bool, c->space_count);
  c->is_tried[0] = true;
  if (!add_trial(c, &c->space[0]))
    return -1;
  for (int from = -1; from != best;) {
    from = best;
    int first = c->trial.count;
    if (!try_near(c, best, c->tuner->p->options->all))
      return -1;
    race(c, best, first);
    best = fastest(c);
  }
  return decide(c, best);
}

// ---- results ----

static void print_found(const Contest *c, int best) {
  const Tuner *t = c->tuner;
  const Trial *trial = &c->trial.item[best];
  int loops = c->move->nest.loop_count;
  const char *text = choice_text(t->arena, &trial->choice, loops);
  printf("%s: %s\n", t->graph->name, c->move->move);
  if (best == 0)
    printf("  %s: the planner's, %d of %d ways measured\n", text, c->trial.count, c->space_count);
  else
    printf("  %s: %.2f times as fast as %s, %d of %d ways measured\n", text,
           c->trial.item[0].seconds / trial->seconds,
           choice_text(t->arena, &c->trial.item[0].choice, loops), c->trial.count, c->space_count);
  fflush(stdout);
}

static void append_found(const Contest *c, int best) {
  const Tuner *t = c->tuner;
  int loops = c->move->nest.loop_count;
  json_t *ways = json_array();
  for (int i = 0; i < c->trial.count; i++)
    json_array_append_new(ways, json_pack("{s:s, s:f}", "choice",
                                          choice_text(t->arena, &c->trial.item[i].choice, loops),
                                          "seconds", c->trial.item[i].seconds));
  json_array_append_new(t->moves,
                        json_pack("{s:s, s:s, s:s, s:i, s:o}", "graph", t->graph->name, "move",
                                  c->move->move, "choice",
                                  choice_text(t->arena, &c->trial.item[best].choice, loops), "ways",
                                  c->space_count, "measured", ways));
}

static bool tune_move(Tuner *t, const TunedMove *move) {
  Contest c = {.tuner = t, .move = move};
  c.space = choice_space(t->arena, t->p->processor, &move->nest, &c.space_count);
  int best = contest(&c);
  if (best >= 0) {
    tuning_set(t->tuning, &move->nest, &c.trial.item[best].choice);
    if (t->moves)
      append_found(&c, best);
    else if (!t->is_silent)
      print_found(&c, best);
  }
  for (int i = 0; i < c.trial.count; i++)
    jit_free(c.trial.item[i].jit);
  return best >= 0;
}

// ---- graphs ----

static void print_result(const Tuner *t, const char *what) {
  if (!t->moves && !t->is_silent)
    printf("%s: %s\n", t->graph->name, what);
}

static bool tune_moves(Tuner *t, const Tuning *asked) {
  bool good = true;
  Progress *progress = progress_start(t->arena, "measuring move", asked->asked.count);
  for (int i = 0; i < asked->asked.count && good; i++) {
    const TunedMove *move = &asked->asked.item[i];
    progress_step(progress, i, t->graph->name);
    if (!move->is_found) // else it was measured in another graph
      good = tune_move(t, move);
  }
  progress_end(progress);
  return good;
}

// True if some values of symbols have a kernel with known sizes only: its moves are those of a graph with these
// numbers, and share their entries.
static bool has_static_variant(const Plan *plan) {
  for (int i = 0; i < plan->graph->variant.count; i++)
    if (plan->variant[i]->output_count > 0 &&
        plan_is_known(plan->variant[i]->output[0].output->value))
      return true;
  return false;
}

// Plans the graph once to enumerate its moves. False: reported.
static bool tune_graph(Tuner *t, const Plan *plan) {
  if (plan->tape || plan->signature.returns_status) {
    print_result(
        t, has_static_variant(plan)
               ? "its sizes are open, so nothing is measured; its variants for known sizes use "
                 "the entries of graphs with these sizes"
               : "its sizes are open, so nothing is measured");
    return true;
  }
  if (!plan_can_emit(plan, &t->p->diag))
    return false;
  Tuning asked = {.arena = t->arena, .cpu = t->tuning->cpu};
  asked.entry.item = t->tuning->entry.item;
  asked.entry.count = t->tuning->entry.count;
  if (!plan_graph(t->arena, t->graph, t->p->processor, &asked, &t->p->diag))
    return false;
  if (asked.asked.count == 0) {
    print_result(t, "nothing to choose");
    return true;
  }
  if (!stand_open(&t->stand, t->arena, plan)) {
    diag_error_file(&t->p->diag, "no_memory", "not enough memory to run '%s'", t->graph->name);
    return false;
  }
  Jit *jit = jit_new(t->arena, &plan, 1, &t->code, &t->p->diag);
  if (jit)
    stand_expect(&t->stand, jit_find(jit, t->graph->name, ENTRY_WHOLE));
  bool good = jit && tune_moves(t, &asked);
  if (jit)
    jit_free(jit);
  stand_close(&t->stand);
  return good;
}

static Exit tune_graphs(Tuner *t) {
  if (!pipeline_keep_graph(t->p))
    return EXIT_USAGE;
  for (int i = 0; i < t->p->plan.count; i++) {
    t->graph = t->p->module->graph[i];
    if (!tune_graph(t, t->p->plan.item[i]))
      break; // the error is among the diagnostics
  }
  return EXIT_DONE;
}

// ---- the file ----

// Reads an existing file, to keep its entries for other moves and processors. False: it is not a tuning file.
static bool read_old(Pipeline *p, const char *path, Tuning *old) {
  const char *why = NULL;
  if (strcmp(path, "-") == 0 || (access(path, F_OK) != 0 && errno == ENOENT))
    return true;
  Source *source = source_read_text(p->arena, path, &why);
  if (source && !p->diag.source)
    p->diag.source = source;
  else if (source && !source_add(p->diag.source, source))
    why = "there is too much text";
  if (source && !why)
    return tuning_read(old, source, &p->diag);
  diag_error_file(&p->diag, "bad_file", "cannot read '%s': %s", path, why);
  return false;
}

static Exit write_tuning(const char *path, const Tuning *tuning) {
  char error[512];
  const char *text = tuning_text(tuning);
  return file_write_whole(path, text, strlen(text), error, sizeof error) ? EXIT_DONE
                                                                         : input_error("%s", error);
}

// --machine: the row of this processor.
static Exit tune_machine(Pipeline *p) {
  const Options *o = p->options;
  const char *path = o->output ? o->output : "machine.tuning";
  EmitOptions code = o->code;
  if (!code.cpu)
    code.cpu = "native";
  Tuning found = {.arena = p->arena, .cpu = emit_processor(p->arena, &code)}, old = found;
  Processor row;
  FILE *out = strcmp(path, "-") == 0 ? NULL : stdout;
  if (!read_old(p, path, &old) ||
      !machine_measure(p->arena, &code, host_processor(p->arena, p->processor), out, &row,
                       &p->diag))
    return EXIT_DONE; // it is among the diagnostics
  tuning_set_row(&found, &row);
  tuning_merge(&found, &old);
  return write_tuning(path, &found);
}

static Exit tune(Pipeline *p) {
  const Options *o = p->options;
  const char *path =
      o->output ? o->output : path_with_extension(p->arena, path_base(o->file), ".tuning");
  Tuner t = {.p = p, .arena = p->arena, .code = o->code};
  if (!t.code.cpu)
    t.code.cpu = "native";
  Tuning found = {.arena = p->arena, .cpu = emit_processor(p->arena, &t.code)}, old = found;
  t.tuning = &found;
  t.moves = o->json ? json_array() : NULL;
  t.is_silent = strcmp(path, "-") == 0;
  bool is_read = read_old(p, path, &old);
  if (is_read && tuning_row(&old))
    p->processor =
        processor_for(p->arena, tuning_row(&old), p->processor->small, p->processor->shuffles);
  Exit status = is_read ? tune_graphs(&t) : EXIT_DONE;
  if (status == EXIT_DONE && p->diag.errors == 0) {
    tuning_merge(&found, &old);
    status = write_tuning(path, &found);
    if (o->json)
      json_print(json_pack("{s:s, s:s, s:O}", "file", p->diag.file, "processor", t.tuning->cpu,
                           "moves", t.moves));
  }
  json_decref(t.moves);
  return status;
}

Exit command_tune(const Options *options) {
  Pipeline p;
  if (strcmp(options->file, "-") == 0 && !options->output)
    return usage_error(options->command,
                       "standard input has no name to derive an output name from: give -o FILE");
  pipeline_start(&p, options);
  Exit status = options->machine              ? tune_machine(&p)
                : pipeline_run(&p, STEP_PLAN) ? tune(&p)
                                              : EXIT_DONE;
  return pipeline_finish(&p, status);
}
