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
typedef struct ChildReport {
  int trial, variant; // the current ones
  bool in_variant;    // else the failure is before the runs
  bool has_ended, passed;
  Claim claim;
  int sizes, refused, patterns, placements;
  int64_t runs;
  Watch watch;
  char failure[1000]; // "": that of the watch
} ChildReport;

// Code from a C compiler is run but not scanned, so another input might take another path.
static Claim claim_of(const Options *options, const Plan *plan, const Map *map) {
  if (plan->tape)
    return CLAIM_TESTED;
  return map_only_moves(map) && options->emit == EMIT_OBJECT ? CLAIM_PROVED : CLAIM_SAMPLED;
}

// ---- the child ----

static bool fail(ChildReport *report, const char *what) {
  snprintf(report->failure, sizeof report->failure, "%s", what);
  return false;
}

static bool try_variant(const Plan *plan, const Trial *trial, const CodeVariant *variant,
                        const CallerMemory *memory, rsh_status *refused_as, ChildReport *report) {
  const Expected expected = {trial->expected, trial->is_any, trial->is_huge};
  report->watch = (Watch){.in_call = false};
  report->in_variant = true;
  RunResult result = verify_run(trial->map, plan, memory, expected, &variant->code, &report->watch);
  report->runs += result.runs;
  report->patterns = result.patterns > report->patterns ? result.patterns : report->patterns;
  report->placements =
      result.placements > report->placements ? result.placements : report->placements;
  if (!result.passed)
    return false;
  if (*refused_as != RSH_ok && result.status != *refused_as) {
    snprintf(report->failure, sizeof report->failure, "refused as %s, elsewhere as %s",
             rsh_status_name(result.status), rsh_status_name(*refused_as));
    return false;
  }
  *refused_as = result.status;
  report->in_variant = false;
  return true;
}

static bool try_sizes(const Pipeline *p, const Plan *plan, const Trial *trial,
                      const Subject *subject, ChildReport *report) {
  Map *map = trial->map;
  CallerMemory memory = {0};
  rsh_status refused_as = RSH_ok;
  if (trial->expected == RSH_ok && !map_run(map))
    return fail(report, "the graph is too large to be verified");
  Claim claim = claim_of(p->options, plan, map);
  report->claim = claim > report->claim ? claim : report->claim;
  report->sizes++;
  report->refused += trial->expected != RSH_ok;
  if (trial->expected == RSH_ok || map->status != RSH_ok || plan->tape) {
    const char *failure = verify_header(map, plan, subject->header, subject->name, &memory);
    if (failure)
      return fail(report, failure);
  }
  bool good = true;
  for (int i = 0; i < subject->variant.count && good; i++) {
    report->variant = i;
    good = try_variant(plan, trial, &subject->variant.item[i], &memory, &refused_as, report);
  }
  map_free(map);
  return good;
}

static void be_child(const Pipeline *p, const Plan *plan, const Trials *trials,
                     const Subject *subject, ChildReport *report) {
  const struct rlimit none = {0, 0};
  bool good = true;
  setrlimit(RLIMIT_CORE, &none);
  for (int s = SIGILL; s <= SIGSEGV; s++)
    if (s != SIGKILL)
      signal(s, SIG_DFL);
  for (int i = 0; good && i < trials->trial.count; i++) {
    report->trial = i;
    good = try_sizes(p, plan, &trials->trial.item[i], subject, report);
    arena_free(trials->trial.item[i].map->arena);
  }
  for (int i = 0; i < subject->variant.count; i++)
    if (subject->variant.item[i].code.line)
      line_close(subject->variant.item[i].code.line);
  report->passed = good;
  report->has_ended = true;
}

// ---- its parent ----

static const char *why_ended(Arena *arena, const ChildReport *report, int ended) {
  const Watch *watch = &report->watch;
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
static const char *failure_of(Arena *arena, const ChildReport *report, int ended,
                              const Trials *trials, const Subject *subject) {
  const char *text = trials->trial.count > 0 ? trials->trial.item[report->trial].text : "";
  const char *variant = report->in_variant ? subject->variant.item[report->variant].name : "";
  const char *what = *report->failure ? arena_text(arena, report->failure, strlen(report->failure))
                                      : why_ended(arena, report, ended);
  return arena_printf(arena, "%s%s%s%s%s%s", *text ? "with " : "", text, *text ? ": " : "", variant,
                      *variant ? ": " : "", what);
}

static void take(Pipeline *p, const ChildReport *report, int ended, const Trials *trials,
                 const Subject *subject, Proof *proof) {
  proof->claim = report->claim;
  proof->sizes = report->sizes;
  proof->refused = report->refused;
  proof->runs = report->runs;
  proof->patterns = report->patterns;
  proof->placements = report->placements;
  for (int i = 0; i < report->sizes; i++) {
    const char *text = trials->trial.item[i].text;
    text = arena_text(p->arena, text, strlen(text));
    VEC_PUSH(p->arena, proof->choice, text);
  }
  if (ended != 0 || !report->has_ended || !report->passed)
    proof->failure = failure_of(p->arena, report, ended, trials, subject);
}

// One child executes all runs of a graph, since each fork copies the page tables of the whole compiler, which takes
// longer than most runs.
static void run_child(Pipeline *p, const Trials *trials, const Subject *subject, Proof *proof) {
  ChildReport *report =
      mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (report == MAP_FAILED) {
    proof->failure = "not enough memory for the runs";
    return;
  }
  fflush(NULL);
  pid_t id = temporary_fork();
  if (id == 0) {
    be_child(p, proof->plan, trials, subject, report);
    _exit(0);
  }
  int ended = temporary_wait(id);
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_INTERNAL)
    exit(EXIT_INTERNAL); // out of memory, which the child reported
  take(p, report, ended, trials, subject, proof);
  munmap(report, sizeof *report);
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
  for (int i = 0; i < subject->variant.count; i++)
    VEC_PUSH(p->arena, proof->variant, subject->variant.item[i].name);
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
