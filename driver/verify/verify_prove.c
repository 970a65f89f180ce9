// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE // memory without a file: MAP_ANONYMOUS
#include "driver/verify/verify_prove.h"

#include "driver/verify/verify_header.h"
#include "driver/verify/verify_sizes.h"
#include "frontend/data/temporary.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Results of the child, in memory shared with its parent. The parent reads them after the child has exited or crashed.
typedef struct Told {
  int trial, way; // the current ones
  bool in_way;    // else the failure is before the runs
  bool has_ended, passed;
  Claim claim;
  int sizes, refused, patterns, placements;
  int64_t runs;
  Watch watch;
  char failure[1000]; // "": that of the watch
} Told;

// Code from a C compiler is run but not scanned, so another input might take another path.
static Claim claim_of(const Options *options, const Plan *plan, const Map *map) {
  if (plan->tape)
    return CLAIM_TESTED;
  return map_only_moves(map) && options->emit == EMIT_OBJECT ? CLAIM_PROVED : CLAIM_SAMPLED;
}

// ---- the child ----

static bool fail(Told *told, const char *what) {
  snprintf(told->failure, sizeof told->failure, "%s", what);
  return false;
}

static bool try_way(const Plan *plan, const Trial *trial, const Way *way, const Asked *asked,
                    rsh_status *refused_as, Told *told) {
  const Expected expected = {trial->expected, trial->is_any, trial->is_huge};
  told->watch = (Watch){.in_call = false};
  told->in_way = true;
  RunResult result = verify_run(trial->map, plan, asked, expected, &way->code, &told->watch);
  told->runs += result.runs;
  told->patterns = result.patterns > told->patterns ? result.patterns : told->patterns;
  told->placements = result.placements > told->placements ? result.placements : told->placements;
  if (!result.passed)
    return false;
  if (*refused_as != RSH_ok && result.status != *refused_as) {
    snprintf(told->failure, sizeof told->failure, "refused as %s, elsewhere as %s",
             rsh_status_name(result.status), rsh_status_name(*refused_as));
    return false;
  }
  *refused_as = result.status;
  told->in_way = false;
  return true;
}

static bool try_sizes(const Pipeline *p, const Plan *plan, const Trial *trial,
                      const Subject *subject, Told *told) {
  Map *map = trial->map;
  Asked asked = {0};
  rsh_status refused_as = RSH_ok;
  if (trial->expected == RSH_ok && !map_run(map))
    return fail(told, "the graph is too large to be verified");
  Claim claim = claim_of(p->options, plan, map);
  told->claim = claim > told->claim ? claim : told->claim;
  told->sizes++;
  told->refused += trial->expected != RSH_ok;
  if (trial->expected == RSH_ok || map->status != RSH_ok || plan->tape) {
    const char *failure = verify_header(map, plan, subject->header, subject->name, &asked);
    if (failure)
      return fail(told, failure);
  }
  bool good = true;
  for (int i = 0; i < subject->way.count && good; i++) {
    told->way = i;
    good = try_way(plan, trial, &subject->way.item[i], &asked, &refused_as, told);
  }
  map_free(map);
  return good;
}

static void be_child(const Pipeline *p, const Plan *plan, const Trials *trials,
                     const Subject *subject, Told *told) {
  const struct rlimit none = {0, 0};
  bool good = true;
  setrlimit(RLIMIT_CORE, &none);
  for (int s = SIGILL; s <= SIGSEGV; s++)
    if (s != SIGKILL)
      signal(s, SIG_DFL);
  for (int i = 0; good && i < trials->trial.count; i++) {
    told->trial = i;
    good = try_sizes(p, plan, &trials->trial.item[i], subject, told);
    arena_free(trials->trial.item[i].map->arena);
  }
  for (int i = 0; i < subject->way.count; i++)
    if (subject->way.item[i].code.line)
      line_close(subject->way.item[i].code.line);
  told->passed = good;
  told->has_ended = true;
}

// ---- its parent ----

static const char *why_ended(Arena *arena, const Told *told, int ended) {
  const Watch *watch = &told->watch;
  const char *what = watch->failure;
  if (!*what && WIFSIGNALED(ended) && WTERMSIG(ended) == SIGALRM)
    what = "the code takes too long";
  else if (!*what && WIFSIGNALED(ended) && watch->in_call)
    what = arena_printf(arena, "the code ends in '%s'", strsignal(WTERMSIG(ended)));
  else if (!*what)
    what = "the runs stopped early";
  return arena_printf(arena, "%s (%s)", what,
                      *watch->doing ? watch->doing : "before the first call");
}

// "with N = 3: in tasks: 'y' is wrong from element 2 on (pattern 0, ...)"
static const char *failure_of(Arena *arena, const Told *told, int ended, const Trials *trials,
                              const Subject *subject) {
  const char *text = trials->trial.count > 0 ? trials->trial.item[told->trial].text : "";
  const char *way = told->in_way ? subject->way.item[told->way].name : "";
  const char *what = *told->failure ? arena_text(arena, told->failure, strlen(told->failure))
                                    : why_ended(arena, told, ended);
  return arena_printf(arena, "%s%s%s%s%s%s", *text ? "with " : "", text, *text ? ": " : "", way,
                      *way ? ": " : "", what);
}

static void take(Pipeline *p, const Told *told, int ended, const Trials *trials,
                 const Subject *subject, Proof *proof) {
  proof->claim = told->claim;
  proof->sizes = told->sizes;
  proof->refused = told->refused;
  proof->runs = told->runs;
  proof->patterns = told->patterns;
  proof->placements = told->placements;
  for (int i = 0; i < told->sizes; i++) {
    const char *text = trials->trial.item[i].text;
    text = arena_text(p->arena, text, strlen(text));
    VEC_PUSH(p->arena, proof->choice, text);
  }
  if (ended != 0 || !told->has_ended || !told->passed)
    proof->failure = failure_of(p->arena, told, ended, trials, subject);
}

// One child executes all runs of a graph, since each fork copies the page tables of the whole compiler, which takes
// longer than most runs.
static void run_child(Pipeline *p, const Trials *trials, const Subject *subject, Proof *proof) {
  Told *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (told == MAP_FAILED) {
    proof->failure = "not enough memory for the runs";
    return;
  }
  fflush(NULL);
  pid_t id = temporary_fork();
  if (id == 0) {
    be_child(p, proof->plan, trials, subject, told);
    _exit(0);
  }
  int ended = temporary_wait(id);
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_INTERNAL)
    exit(EXIT_INTERNAL); // out of memory, which the child reported
  take(p, told, ended, trials, subject, proof);
  munmap(told, sizeof *told);
}

// Calls whose tensors have more elements than this cannot be run; this is not an error in the code.
static const double MOST_ELEMENTS = INT64_C(1) << 40;

static bool can_hold(Pipeline *p, const Trial *trial) {
  const Graph *graph = trial->map->graph;
  double elements = 0;
  for (int i = 0; i < graph->value.count; i++)
    elements += (double)trial->map->value[i].count;
  if (trial->expected != RSH_ok || trial->is_huge || elements <= MOST_ELEMENTS)
    return true;
  diag_error(&p->diag, graph->span, "unsupported",
             "'%s' has %.3g elements in its tensors%s%s: at most %.3g can be verified", graph->name,
             elements, *trial->text ? " with " : "", trial->text, MOST_ELEMENTS);
  return false;
}

bool verify_prove(Pipeline *p, const Subject *subject, Proof *proof) {
  for (int i = 0; i < subject->way.count; i++)
    VEC_PUSH(p->arena, proof->way, subject->way.item[i].name);
  const Written written = {p->ast, p->model, p->ast ? p->source : NULL};
  Trials trials = trials_of(p->arena, &written, proof->plan, subject->is_quick);
  bool fits = true;
  for (int i = 0; i < trials.trial.count && fits; i++)
    fits = can_hold(p, &trials.trial.item[i]);
  if (fits)
    run_child(p, &trials, subject, proof);
  if (fits && !proof->failure && proof->sizes == proof->refused) {
    diag_error(&p->diag, proof->plan->graph->span, "unsupported",
               "no sizes were found that '%s' accepts: it was not run", proof->plan->graph->name);
    fits = false;
  }
  for (int i = 0; i < trials.trial.count; i++)
    arena_free(trials.trial.item[i].map->arena);
  return fits;
}
