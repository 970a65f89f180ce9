// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// text -> tree -> graphs -> moves -> plans. What follows (code, header) is the command's own.
#include "driver/base/pipeline.h"
#include "driver/base/progress.h"

#include "frontend/graph/fold_graph.h"
#include "frontend/lower/lower.h"
#include "frontend/onnx/onnx.h"
#include "frontend/onnx/openvino.h"
#include "grammar/import.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void pipeline_start(Pipeline *p, const Options *options) {
  *p = (Pipeline){.options = options, .arena = options->arena};
  p->diag.arena = p->arena;
  p->diag.file = options->text ? "-e" : strcmp(options->file, "-") == 0 ? "<stdin>" : options->file;
  p->diag.warnings_are_errors = options->warnings_are_errors;
}

static bool wants_dump(const Pipeline *p, Step step) {
  return p->diag.errors == 0 && (p->options->dumps & 1u << step);
}

static bool has_suffix(const char *text, const char *suffix) {
  size_t n = strlen(text), m = strlen(suffix);
  return n > m && strcmp(text + n - m, suffix) == 0;
}

Source *pipeline_read_source(Pipeline *p) {
  const char *why = NULL, *text = p->options->text;
  Source *source = text ? source_from_text(p->arena, "-e", text, strlen(text))
                        : source_read(p->arena, p->options->file, &why);
  if (!source)
    diag_error_file(&p->diag, "bad_file", "cannot be read: %s", why);
  p->diag.source = source;
  return source;
}

static void dump_graphs(const Pipeline *p, void (*print)(const Graph *, FILE *)) {
  for (int i = 0; i < p->module->graph_count; i++)
    print(p->module->graph[i], stdout);
}

// Folds every graph; those with a mistake leave the module.
static void fold_module(Pipeline *p) {
  int kept = 0;
  Progress *progress = progress_start(p->arena, "folding graph", p->module->graph_count);
  for (int i = 0; i < p->module->graph_count; i++) {
    progress_step(progress, i, p->module->graph[i]->name);
    if (fold_graph(p->arena, p->module->graph[i], &p->diag))
      p->module->graph[kept++] = p->module->graph[i];
  }
  progress_end(progress);
  p->module->graph_count = kept;
}

// The text of --tuning stands behind those of the file, so that spans say where they are.
static bool read_tuning(Pipeline *p) {
  const char *path = p->options->tuning, *why = NULL;
  if (!path)
    return true;
  Source *source = source_read(p->arena, path, &why);
  if (!source || !source_add(p->diag.source, source)) {
    diag_error_file(&p->diag, "bad_file", "'%s' cannot be read: %s", path,
                    source ? "there is too much text" : why);
    return false;
  }
  p->tuning = ARENA_NEW(p->arena, Tuning);
  p->tuning->arena = p->arena;
  p->tuning->cpu = emit_processor(p->arena, &p->options->code);
  return tuning_read(p->tuning, source, &p->diag);
}

// A file that was made on another machine, or for other options.
static void warn_of_tuning(Pipeline *p) {
  const Tuning *tuning = p->tuning;
  const TuningEntry *other = NULL;
  for (int i = 0; tuning && i < tuning->entry.count; i++) {
    if (strcmp(tuning->entry.item[i].cpu, tuning->cpu) == 0)
      return;
    other = &tuning->entry.item[i];
  }
  if (other)
    diag_warning(&p->diag, other->span, "tuning",
                 "nothing here was measured for '%s', which code is made for", tuning->cpu);
}

// What is carried out at once reads a file for a placed input, as for others: it is moved to its place.
static void give_memory(Graph *graph) {
  for (int i = 0; i < graph->input_count; i++)
    graph->value.item[i]->is_placed = false;
  for (int i = 0; i < graph->variant.count; i++)
    give_memory(graph->variant.item[i].graph);
}

static void plan_module(Pipeline *p) {
  Progress *progress = progress_start(p->arena, "planning graph", p->module->graph_count);
  for (int i = 0; i < p->module->graph_count; i++) {
    progress_step(progress, i, p->module->graph[i]->name);
    if (p->options->command == COMMAND_RUN)
      give_memory(p->module->graph[i]);
    const Plan *plan = plan_graph(p->arena, p->module->graph[i], p->tuning, &p->diag);
    if (plan)
      VEC_PUSH(p->arena, p->plan, plan);
  }
  progress_end(progress);
}

// Statements alone can be checked.
static void check_has_graphs(Pipeline *p) {
  int own = 0;
  for (int i = 0; i < p->ast->graph_count; i++)
    own += !p->ast->graph[i].is_imported;
  bool has_statements = p->ast->statement_count > 0;
  if (own > 0 || (has_statements && p->options->command == COMMAND_CHECK))
    return;
  diag_error_file(&p->diag, "syntax", "there is no graph in this file%s",
                  has_statements ? ", only statements: 'reshapec run' carries them out" : "");
}

bool pipeline_parse(Pipeline *p) {
  Source *source = pipeline_read_source(p);
  p->source = source;
  if (!source)
    return false;
  Importer importer = {.arena = p->arena, .diag = &p->diag, .first = source};
  p->ast = import_parse(&importer, source);
  return p->diag.errors == 0;
}

// Text to tree to graphs.
static bool read_text(Pipeline *p, Step last) {
  if (p->ast || pipeline_parse(p))
    check_has_graphs(p);
  if (!p->ast)
    return false;
  if (wants_dump(p, STEP_AST))
    ast_print(p->ast, stdout);
  // What could not be read would only be reported again as names that are not there.
  if (p->diag.errors > 0 || last == STEP_AST)
    return false;
  p->module = lower_module(p->arena, p->ast, &p->diag);
  return true;
}

// A model has no tree.
static bool read_model(Pipeline *p) {
  const OnnxFile *file = pipeline_model_file(p);
  if (!file)
    return false;
  p->model = file;
  p->module = onnx_lower(p->arena, file, &p->diag);
  p->source = p->diag.source;
  return true;
}

bool pipeline_is_onnx(const Options *options) {
  return options->file && has_suffix(options->file, ".onnx");
}

static bool is_openvino(const Options *options) {
  return options->file && has_suffix(options->file, ".xml");
}

bool pipeline_is_model(const Options *options) {
  return pipeline_is_onnx(options) || is_openvino(options);
}

const OnnxFile *pipeline_model_file(Pipeline *p) {
  const Options *options = p->options;
  return is_openvino(options)
             ? openvino_file_read(p->arena, options->file, &p->diag)
             : onnx_file_read(p->arena, options->file, options->external_data, &p->diag);
}

static void dump_plans(const Pipeline *p) {
  Machine machine[MOST_MACHINES];
  int count = emit_machines(p->arena, &p->options->code, machine);
  for (int i = 0; i < p->plan.count; i++)
    plan_print(p->plan.item[i], machine, count, stdout);
}

bool pipeline_run(Pipeline *p, Step last) {
  bool is_model = pipeline_is_model(p->options);
  if (!(is_model ? read_model(p) : read_text(p, last)))
    return p->diag.errors == 0;

  if (wants_dump(p, STEP_GRAPH))
    dump_graphs(p, graph_print);
  if (last == STEP_GRAPH)
    return p->diag.errors == 0;

  fold_module(p);
  if (wants_dump(p, STEP_MOVES))
    dump_graphs(p, graph_print_moves);
  if (last == STEP_MOVES)
    return p->diag.errors == 0;

  if (!read_tuning(p))
    return false;
  plan_module(p);
  warn_of_tuning(p);
  if (wants_dump(p, STEP_PLAN))
    dump_plans(p);
  return p->diag.errors == 0;
}

bool pipeline_wants_colour(const Options *options) {
  if (options->colour != COLOUR_AUTO)
    return options->colour == COLOUR_ALWAYS;
  const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && !(no_colour && *no_colour) && terminal &&
         strcmp(terminal, "dumb") != 0;
}

Exit pipeline_status(const Pipeline *p) {
  for (int i = 0; i < p->diag.list.count; i++)
    if (strcmp(p->diag.list.item[i].kind, "internal") == 0)
      return EXIT_INTERNAL;
  return p->diag.errors > 0 ? EXIT_INPUT : EXIT_DONE;
}

Exit pipeline_finish(Pipeline *p) {
  diag_print(&p->diag, stderr, pipeline_wants_colour(p->options));
  Exit status = pipeline_status(p);
  if (status == EXIT_INTERNAL)
    fputs("reshapec: this is a fault of the compiler: please report it, with the file that shows "
          "it\n",
          stderr);
  return status;
}
