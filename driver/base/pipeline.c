// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/base/pipeline.h"
#include "driver/base/progress.h"

#include "frontend/onnx/openvino.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_progress(Pipeline *p, const char *what, int total, int done, const char *name) {
  if (done == 0)
    p->progress = progress_start(p->arena, what, total);
  if (done < total)
    progress_step(p->progress, done, name);
  else
    progress_end(p->progress);
}

void pipeline_start(Pipeline *p, const Options *options) {
  *p = (Pipeline){.options = options, .arena = options->arena, .watch = show_progress};
  p->prefix = options->code.prefix;
  bool runs_here = options->command == COMMAND_RUN || options->command == COMMAND_TUNE;
  p->processor =
      runs_here ? jit_cost(p->arena, &options->code) : emit_cost(p->arena, &options->code);
  p->diag.arena = p->arena;
  p->diag.file = options->text ? "-e" : strcmp(options->file, "-") == 0 ? "<stdin>" : options->file;
  p->diag.warnings_are_errors = options->warnings_are_errors;
}

static bool wants_dump(const Pipeline *p, Step step) {
  return p->diag.errors == 0 && (p->options->dumps & 1u << step);
}

Source *pipeline_read_source(Pipeline *p) {
  const char *why = NULL, *text = p->options->text;
  Source *source = text ? source_from_text(p->arena, "-e", text, strlen(text))
                        : source_read_text(p->arena, p->options->file, &why);
  if (!source)
    diag_error_file(&p->diag, "bad_file", "cannot be read: %s", why);
  p->diag.source = source;
  return source;
}

static void dump_graphs(const Pipeline *p, void (*print)(const Graph *, FILE *)) {
  for (int i = 0; i < p->module->graph_count; i++)
    print(p->module->graph[i], stdout);
}

// The source of --tuning is added after those of the file, so that spans can point into it.
bool pipeline_read_tuning(Pipeline *p) {
  const char *path = p->options->tuning, *why = NULL;
  if (!path)
    return true;
  Source *source = source_read_text(p->arena, path, &why);
  if (!source || !source_add(p->diag.source, source)) {
    diag_error_file(&p->diag, "bad_file", "cannot read '%s': %s", path,
                    source ? "there is too much text" : why);
    return false;
  }
  p->tuning = ARENA_NEW(p->arena, Tuning);
  p->tuning->arena = p->arena;
  p->tuning->cpu = emit_processor(p->arena, &p->options->code);
  if (!tuning_read(p->tuning, source, &p->diag))
    return false;
  const Processor *measured = tuning_row(p->tuning);
  if (measured)
    p->processor = processor_for(p->arena, measured, p->processor->small, p->processor->shuffles);
  return true;
}

// Warns if the file was made on another machine, or for other options.
static void warn_of_tuning(Pipeline *p) {
  const Tuning *tuning = p->tuning;
  const Span *other = NULL;
  for (int i = 0; tuning && i < tuning->row.count; i++) {
    if (strcmp(tuning->row.item[i].cpu, tuning->cpu) == 0)
      return;
    other = &tuning->row.item[i].span;
  }
  for (int i = 0; tuning && i < tuning->entry.count; i++) {
    if (strcmp(tuning->entry.item[i].cpu, tuning->cpu) == 0)
      return;
    other = &tuning->entry.item[i].span;
  }
  if (other)
    diag_warning(&p->diag, *other, "tuning",
                 "no line of this file was measured for the target processor, '%s'", tuning->cpu);
}

bool pipeline_parse(Pipeline *p) {
  Source *source = pipeline_read_source(p);
  return source && pipeline_read_text(p, source);
}

// From text to syntax tree to graphs.
static bool read_text(Pipeline *p, Step last) {
  if (p->ast || pipeline_parse(p))
    pipeline_check_has_graphs(p, p->options->command == COMMAND_CHECK); // allows statements alone
  if (!p->ast)
    return false;
  if (wants_dump(p, STEP_AST))
    ast_print(p->ast, stdout);
  // Names that could not be parsed would only be reported again as unknown.
  if (p->diag.errors > 0 || last == STEP_AST)
    return false;
  pipeline_lower(p);
  return true;
}

// For a model there is no syntax tree.
static bool read_model(Pipeline *p) {
  const OnnxFile *file = pipeline_model_file(p);
  if (!file)
    return false;
  pipeline_read_model(p, file);
  return true;
}

bool pipeline_is_onnx(const Options *options) {
  return options->file && source_has_ending(options->file, ".onnx");
}

static bool is_openvino(const Options *options) {
  return options->file && source_has_ending(options->file, ".xml");
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

bool pipeline_run(Pipeline *p, Step last) {
  bool is_model = pipeline_is_model(p->options);
  if (!(is_model ? read_model(p) : read_text(p, last)))
    return p->diag.errors == 0;

  if (wants_dump(p, STEP_GRAPH))
    dump_graphs(p, graph_print);
  if (last == STEP_GRAPH)
    return p->diag.errors == 0;

  pipeline_fold(p);
  if (wants_dump(p, STEP_MOVES))
    dump_graphs(p, graph_print_moves);
  if (last == STEP_MOVES)
    return p->diag.errors == 0;

  if (!pipeline_read_tuning(p))
    return false;
  // `run` reads a file for a placed input, as for any other.
  pipeline_plan(p, p->options->command == COMMAND_RUN);
  warn_of_tuning(p);
  if (wants_dump(p, STEP_PLAN))
    pipeline_print_plans(p, &p->options->code, stdout);
  return p->diag.errors == 0;
}

bool pipeline_wants_color(const Options *options) {
  if (options->color != COLOR_AUTO)
    return options->color == COLOR_ALWAYS;
  const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && !(no_color && *no_color) && terminal &&
         strcmp(terminal, "dumb") != 0;
}

const char *join_names(Arena *arena, const char *const *names, int count) {
  enum { SHOWN = 12 };
  const char *text = "";
  for (int i = 0; i < count && i < SHOWN; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", names[i]);
  return count > SHOWN ? arena_printf(arena, "%s ...", text) : text;
}

const char *hint_among(Arena *arena, const char *name, const char *const *candidates, int count) {
  const char *nearest = diag_nearest(name, candidates, count);
  return nearest ? arena_printf(arena, "; did you mean '%s'?", nearest)
                 : arena_printf(arena, "; it has %s", join_names(arena, candidates, count));
}

const char **pipeline_graph_names(const Pipeline *p) {
  const char **names = ARENA_ARRAY(p->arena, const char *, p->plan.count);
  for (int i = 0; i < p->plan.count; i++)
    names[i] = p->plan.item[i]->graph->name;
  return names;
}

int pipeline_find_graph(const Pipeline *p, const char *name) {
  for (int i = 0; i < p->plan.count; i++)
    if (strcmp(p->plan.item[i]->graph->name, name) == 0)
      return i;
  usage_error(p->options->command, "%s has no graph '%s'%s", p->diag.file, name,
              hint_among(p->arena, name, pipeline_graph_names(p), p->plan.count));
  return -1;
}

bool pipeline_keep_graph(Pipeline *p) {
  const char *name = p->options->graph;
  int kept = name ? pipeline_find_graph(p, name) : 0;
  if (!name || kept < 0)
    return !name;
  p->plan.item[0] = p->plan.item[kept];
  p->module->graph[0] = p->module->graph[kept];
  p->plan.count = p->module->graph_count = 1;
  return true;
}

void json_print(json_t *root) {
  json_dumpf(root, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(root);
}

Exit pipeline_status(const Pipeline *p) {
  for (int i = 0; i < p->diag.list.count; i++)
    if (strcmp(p->diag.list.item[i].kind, "internal") == 0)
      return EXIT_INTERNAL;
  return p->diag.errors > 0 ? EXIT_INPUT : EXIT_DONE;
}

Exit pipeline_finish(Pipeline *p, Exit of_command) {
  diag_print(&p->diag, stderr, pipeline_wants_color(p->options));
  Exit status = pipeline_status(p);
  if (status == EXIT_INTERNAL)
    fputs("reshapec: this is a bug in the compiler: please report it, with the file that shows "
          "it\n",
          stderr);
  return of_command != EXIT_DONE ? of_command : status;
}
