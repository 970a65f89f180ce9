// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec optimize: a model with fewer nodes that move data, and a report on its chains.
//
//   chain             nodes       bytes moved          operators
//   n3_to_n9            4  1      1605632  401408      Transpose Reshape Transpose Reshape -> Reshape
#include "driver/base/commands.h"
#include "driver/commands/optimize_check.h"
#include "driver/commands/weights_away.h"
#include "library/number.h"
#include "driver/base/pipeline.h"
#include "driver/base/progress.h"
#include "driver/base/tools.h"
#include "frontend/onnx/onnx_optimize.h"

#include <stdlib.h>
#include <string.h>

typedef struct Report {
  Pipeline *p;
  const Optimized *made;
  const char *checked; // the result of --check
} Report;

// ---- Columns of the report

typedef struct MovedBytes { // with one copy per node
  rsh_num before, after;
} MovedBytes;

static rsh_num bytes_sum(const Graph *graph, const Value *const *value, int count) {
  rsh_num sum = rsh_int(0), bytes;
  for (int i = 0; i < count; i++)
    if (value_bytes(graph, value[i], &bytes))
      (void)rsh_add(graph->symbols, sum, bytes, &sum);
  return sum;
}

static MovedBytes bytes_of(const Optimized *made, const OptimizedChain *chain) {
  const Graph *graph = made->graph;
  return (MovedBytes){bytes_sum(graph, chain->before.item, chain->before.count),
                      bytes_sum(graph, chain->after.item, chain->after.count)};
}

static MovedBytes bytes_of_all(const Optimized *made) {
  const Graph *graph = made->graph;
  MovedBytes sum = {rsh_int(0), rsh_int(0)};
  for (int i = 0; i < made->chain.count; i++) {
    MovedBytes one = bytes_of(made, &made->chain.item[i]);
    (void)rsh_add(graph->symbols, sum.before, one.before, &sum.before);
    (void)rsh_add(graph->symbols, sum.after, one.after, &sum.after);
  }
  return sum;
}

static const char *text_of(const Report *r, const Optimized *made, rsh_num bytes) {
  return num_text(r->p->arena, made->graph, bytes);
}

// ---- Table

// The bytes moved before the optimization; if both sizes are too long to print, "the same" if they are equal.
static const char *now_text(const Report *r, const Optimized *made, MovedBytes bytes) {
  Arena *arena = r->p->arena;
  const char *after = text_of(r, made, bytes.after);
  bool is_long = strlen(after) > NUM_BRIEF;
  return is_long && strcmp(text_of(r, r->made, bytes.before), after) == 0
             ? "the same"
             : num_brief(arena, made->graph, bytes.after);
}

static const char *before_text(const Report *r, MovedBytes bytes) {
  return num_brief(r->p->arena, r->made->graph, bytes.before);
}

enum { SHOWN = 12 };

static const char *join(Arena *arena, const char *text, const char *word, int number) {
  if (number >= SHOWN)
    return number == SHOWN ? arena_printf(arena, "%s ...", text) : text;
  return arena_printf(arena, "%s%s%s", text, number ? " " : "", word);
}

// If the operators are unchanged, the optimization replaced computed targets with constants.
static const char *changes_text(const Report *r, const OptimizedChain *chain) {
  Arena *arena = r->p->arena;
  const char *before = "", *after = chain->operators.count > 0 ? "" : "nothing";
  for (int i = 0; i < chain->chain->moved.count; i++)
    before = join(arena, before, chain->chain->moved.item[i]->node->op_type, i);
  for (int i = 0; i < chain->operators.count; i++)
    after = join(arena, after, chain->operators.item[i], i);
  return strcmp(before, after) == 0 ? arena_printf(arena, "%s, targets known", before)
                                    : arena_printf(arena, "%s -> %s", before, after);
}

static void print_optimized(const Report *r) {
  int width = 5, wide = 12, changed = 0;
  for (int i = 0; i < r->made->chain.count; i++) {
    const OptimizedChain *chain = &r->made->chain.item[i];
    int name = (int)strlen(chain->chain->name), bytes;
    if (!chain->is_changed)
      continue;
    bytes = (int)strlen(before_text(r, bytes_of(r->made, chain)));
    width = name > width ? name : width;
    wide = bytes > wide ? bytes : wide;
    changed++;
  }
  if (changed > 0)
    printf("%-*s  %5s  %5s  %*s  %*s  %s\n", width, "chain", "nodes", "now", wide, "bytes", wide,
           "now", "operators");
  for (int i = 0; i < r->made->chain.count; i++) {
    const OptimizedChain *chain = &r->made->chain.item[i];
    if (!chain->is_changed)
      continue;
    MovedBytes bytes = bytes_of(r->made, chain);
    printf("%-*s  %5d  %5d  %*s  %*s  %s\n", width, chain->chain->name, chain->chain->moved.count,
           chain->operators.count, wide, before_text(r, bytes), wide, now_text(r, r->made, bytes),
           changes_text(r, chain));
  }
  MovedBytes all = {bytes_of_all(r->made).before, bytes_of_all(r->made->last).after};
  int chains = r->made->chain.count, elsewhere = r->made->elsewhere;
  Arena *arena = r->p->arena;
  printf("%s%s, now %d; bytes moved by %s, with one copy per node: %s, now %s\n",
         changed > 0 ? "\n" : "", arena_count(arena, r->made->nodes_before, "node"),
         r->made->nodes_after, arena_count(arena, chains, "chain"), before_text(r, all),
         now_text(r, r->made->last, all));
  if (elsewhere > 0)
    printf("%d chain%s in functions stay%s\n", elsewhere, elsewhere == 1 ? "" : "s",
           elsewhere == 1 ? "s as it is" : " as they are");
}

// ---- JSON

static json_t *json_bytes(const Report *r, const Optimized *made, rsh_num bytes) {
  return rsh_is_known(bytes) ? json_integer(bytes.n) : json_string(text_of(r, made, bytes));
}

static json_t *json_optimized(const Report *r, const OptimizedChain *chain) {
  json_t *before = json_array(), *after = json_array();
  MovedBytes bytes = bytes_of(r->made, chain);
  for (int i = 0; i < chain->chain->moved.count; i++)
    json_array_append_new(before, json_text(chain->chain->moved.item[i]->node->op_type));
  for (int i = 0; i < chain->operators.count; i++)
    json_array_append_new(after, json_text(chain->operators.item[i]));
  return json_pack("{s:o, s:b, s:o, s:o, s:o, s:o}", "name", json_text(chain->chain->name),
                   "changed", chain->is_changed, "operators_before", before, "operators_after",
                   after, "bytes_before", json_bytes(r, r->made, bytes.before), "bytes_after",
                   json_bytes(r, r->made, bytes.after));
}

static void print_json(const Report *r) {
  json_t *chains = json_array();
  rsh_num before = bytes_of_all(r->made).before, after = bytes_of_all(r->made->last).after;
  for (int i = 0; i < r->made->chain.count; i++)
    json_array_append_new(chains, json_optimized(r, &r->made->chain.item[i]));
  json_t *root =
      json_pack("{s:i, s:i, s:o, s:o, s:i, s:o}", "nodes_before", r->made->nodes_before,
                "nodes_after", r->made->nodes_after, "bytes_before", json_bytes(r, r->made, before),
                "bytes_after", json_bytes(r, r->made->last, after), "chains_elsewhere",
                r->made->elsewhere, "chains", chains);
  if (r->checked)
    json_object_set_new(root, "check", json_text(r->checked));
  json_print(root);
}

// ---- The command

static Exit write_model(Report *r, const OnnxFile *from) {
  const Options *o = r->p->options;
  const Optimized *last = r->made->last;
  OutputFile file = {o->output, last->part.item, (size_t)last->part.count};
  const char *extension = path_extension(o->output);
  char error[512];
  if (has_weights_in(r->p->arena, from, o->output))
    return usage_error(o->command, "'%s' would overwrite a file that the input reads", o->output);
  if (*extension && strcmp(extension, ".onnx") != 0)
    return usage_error(o->command, "'%s' would be an ONNX model: give -o FILE.onnx", o->output);
  warn_of_weights_away(r->p, from, &file, 1, arena_printf(r->p->arena, "'%s'", o->output));
  if (r->p->diag.errors > 0)
    return EXIT_DONE;
  if (!file_write_parts(file.path, file.part, file.part_count, error, sizeof error))
    return input_error("%s", error);
  Exit status = o->check_only ? optimize_check(o, &r->checked) : EXIT_DONE;
  if (o->json)
    print_json(r);
  else if (strcmp(o->output, "-") != 0)
    print_optimized(r);
  if (!o->json && r->checked)
    puts(r->checked);
  return status;
}

Exit command_optimize(const Options *options) {
  Pipeline p;
  Report r = {.p = &p};
  pipeline_start(&p, options);
  if (!options->output)
    return usage_error(COMMAND_OPTIMIZE, "the name of the new model is missing: give -o FILE");
  if (options->json && strcmp(options->output, "-") == 0)
    return usage_error(COMMAND_OPTIMIZE, "--json and the model cannot both go to standard output");
  if (!pipeline_is_onnx(options))
    return usage_error(COMMAND_OPTIMIZE,
                       pipeline_is_model(options)
                           ? "'%s' is OpenVINO IR; only ONNX models can be written"
                           : "'%s' is not an ONNX model",
                       options->file);
  Exit can = options->check_only ? optimize_check_can(options) : EXIT_DONE;
  if (can != EXIT_DONE)
    return can;
  Progress *progress = progress_start(p.arena, "optimizing the model", 0);
  const OnnxFile *file = onnx_file_read(p.arena, options->file, options->external_data, &p.diag);
  r.made = file ? onnx_optimize(p.arena, file, &p.diag) : NULL;
  progress_end(progress);
  Exit status = r.made ? write_model(&r, file) : EXIT_DONE;
  return pipeline_finish(&p, status);
}
