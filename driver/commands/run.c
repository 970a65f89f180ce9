// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec run: a file with statements is a script (script.c). From any other file, a graph is compiled in memory and
// run on .npy files. All inputs are read before any result is written, so a file may be both.
#include "driver/base/commands.h"
#include "driver/commands/run_dynamic.h"
#include "driver/base/pipeline.h"
#include "driver/base/tools.h"
#include "driver/base/progress.h"
#include "driver/script/script.h"
#include "codegen/plan/names.h"
#include "frontend/data/npy.h"
#include "library/bind.h"

#include <stdlib.h>
#include <string.h>

// One call of a graph. The paths are in the order of its parameters and results.
typedef struct Run {
  Pipeline *p;
  const Plan *plan;
  const Graph *graph;
  const char *name;    // of the graph, from the command line; NULL: not given
  const char **result; // the names of the results
  VEC(Binding) binding;
  const char **in_path, **out_path; // out_path: NULL for a result that is not saved
  Npy *in, *out;
  Sizes sizes;
  void *scratch; // NULL if the kernel needs none
} Run;

// ---- selection of the graph and the files ----

// GRAPH, or NAME=FILE
static Exit take_word(Run *r, const char *word) {
  const char *equals = strchr(word, '=');
  if (equals == word || (equals && equals[1] == '\0'))
    return usage_error(COMMAND_RUN, "'%s' is not of the form NAME=FILE, without spaces", word);
  if (equals) {
    Binding binding = {arena_text(r->p->arena, word, (size_t)(equals - word)), equals + 1};
    VEC_PUSH(r->p->arena, r->binding, binding);
    return EXIT_DONE;
  }
  if (strpbrk(word, "./"))
    return usage_error(COMMAND_RUN, "'%s' needs the name of a parameter or result: write NAME=%s",
                       word, word);
  if (r->name)
    return usage_error(COMMAND_RUN,
                       "'%s' is not of the form NAME=FILE, without spaces, and the graph is "
                       "already '%s'",
                       word, r->name);
  r->name = word;
  return EXIT_DONE;
}

static Exit take_words(Run *r) {
  Exit status = EXIT_DONE;
  for (int i = 0; i < r->p->options->word.count && status == EXIT_DONE; i++)
    status = take_word(r, r->p->options->word.item[i]);
  return status;
}

static Exit choose_graph(Run *r) {
  const Pipeline *p = r->p;
  const char *name = r->name;
  if (!name && p->plan.count > 1)
    return usage_error(COMMAND_RUN, "%s contains %d graphs: name one of %s", p->diag.file,
                       p->plan.count, join_names(p->arena, pipeline_graph_names(p), p->plan.count));
  int found = name ? pipeline_find_graph(p, name) : 0;
  if (found < 0)
    return EXIT_USAGE;
  r->plan = p->plan.item[found];
  r->graph = r->plan->graph;
  return EXIT_DONE;
}

// A model may return an input x under its name: that result is x_2, as in C.
static void name_results(Run *r) {
  NameSet names = {.arena = r->p->arena};
  r->result = ARENA_ARRAY(r->p->arena, const char *, r->graph->output_count);
  for (int i = 0; i < r->graph->input_count; i++)
    (void)name_unique(&names, r->graph->value.item[i]->name);
  for (int i = 0; i < r->graph->output_count; i++)
    r->result[i] = name_unique(&names, r->graph->output[i].name);
}

static Exit unknown_name(const Run *r, const char *name) {
  int count = r->graph->input_count + r->graph->output_count;
  const char **names = ARENA_ARRAY(r->p->arena, const char *, count);
  for (int i = 0; i < r->graph->input_count; i++)
    names[i] = r->graph->value.item[i]->name;
  for (int i = 0; i < r->graph->output_count; i++)
    names[r->graph->input_count + i] = r->result[i];
  return usage_error(COMMAND_RUN, "graph '%s' has no parameter or result '%s'%s", r->graph->name,
                     name, hint_among(r->p->arena, name, names, count));
}

// The slot for the path of `name`; NULL: there is no such parameter or result.
static const char **place_of(const Run *r, const char *name) {
  for (int i = 0; i < r->graph->input_count; i++)
    if (strcmp(r->graph->value.item[i]->name, name) == 0)
      return &r->in_path[i];
  for (int i = 0; i < r->graph->output_count; i++)
    if (strcmp(r->result[i], name) == 0)
      return &r->out_path[i];
  return NULL;
}

// Standard input can only be read once.
static Exit check_stdin(const Run *r) {
  bool taken = strcmp(r->p->options->file, "-") == 0;
  for (int i = 0; i < r->graph->input_count; i++) {
    if (strcmp(r->in_path[i], "-") != 0)
      continue;
    if (taken)
      return usage_error(COMMAND_RUN, "'%s' cannot be read from standard input too",
                         r->graph->value.item[i]->name);
    taken = true;
  }
  return EXIT_DONE;
}

static Exit check_results(const Run *r) {
  int wanted = 0;
  for (int i = 0; i < r->graph->output_count; i++) {
    if (!r->out_path[i])
      continue;
    wanted++;
    if (check_replaces_none(r->p, r->out_path[i]) != EXIT_DONE)
      return EXIT_USAGE;
    for (int k = 0; k < i; k++)
      if (r->out_path[k] && (strcmp(r->out_path[i], r->out_path[k]) == 0 ||
                             is_one_file(r->out_path[i], r->out_path[k])))
        return usage_error(COMMAND_RUN, "'%s' and '%s' would both be written to '%s'", r->result[k],
                           r->result[i], r->out_path[i]);
  }
  if (wanted > 0)
    return EXIT_DONE;
  return usage_error(COMMAND_RUN, "no result of graph '%s' is requested: give %s=FILE for %s",
                     r->graph->name, r->result[0],
                     file_type(r->p->arena, r->graph, r->graph->output[0].value));
}

static Exit refuse_format(const char *path) {
  return usage_error(COMMAND_RUN,
                     "'%s': a graph reads and writes .npy files; scripts also read and write "
                     ".npz, .safetensors, .gguf and .bin files",
                     path);
}

// A .npy file that is read may have any other extension, since its contents tell its format.
static Exit check_formats(const Run *r) {
  for (int i = 0; i < r->graph->input_count; i++)
    if (is_named(r->in_path[i]))
      return refuse_format(r->in_path[i]);
  for (int i = 0; i < r->graph->output_count; i++)
    if (r->out_path[i] && !is_npy(r->out_path[i]))
      return refuse_format(r->out_path[i]);
  return EXIT_DONE;
}

static Exit bind_files(Run *r) {
  name_results(r);
  r->in_path = ARENA_ARRAY(r->p->arena, const char *, r->graph->input_count);
  r->out_path = ARENA_ARRAY(r->p->arena, const char *, r->graph->output_count);
  for (int i = 0; i < r->binding.count; i++) {
    const Binding *b = &r->binding.item[i];
    const char **place = place_of(r, b->name);
    if (!place)
      return unknown_name(r, b->name);
    if (*place)
      return usage_error(COMMAND_RUN, "'%s' is given twice: '%s' and '%s'", b->name, *place,
                         b->path);
    *place = b->path;
  }
  for (int i = 0; i < r->graph->input_count; i++)
    if (!r->in_path[i]) {
      const Value *value = r->graph->value.item[i];
      return usage_error(COMMAND_RUN, "parameter '%s' of graph '%s' is missing: give %s=FILE of %s",
                         value->name, r->graph->name, value->name,
                         file_type(r->p->arena, r->graph, value));
    }
  Exit status = check_stdin(r);
  if (status == EXIT_DONE)
    status = check_results(r);
  return status != EXIT_DONE ? status : check_formats(r);
}

// ---- memory ----

static Exit read_inputs(Run *r) {
  NpyError error;
  r->in = ARENA_ARRAY(r->p->arena, Npy, r->graph->input_count);
  for (int i = 0; i < r->graph->input_count; i++) {
    const Value *value = r->graph->value.item[i];
    Progress *progress = progress_start(r->p->arena, "reading", 0);
    progress_step(progress, 0, value->name);
    bool is_read = npy_read(r->in_path[i], value->dtype, &r->in[i], &error);
    progress_end(progress);
    if (!is_read)
      return input_error("parameter '%s' is %s; %s", value->name,
                         file_type(r->p->arena, r->graph, value), error.text);
  }
  r->sizes = (Sizes){.arena = r->p->arena, .graph = r->graph, .in = r->in, .path = r->in_path};
  return sizes_bind(&r->sizes) ? EXIT_DONE : input_error("%s", r->sizes.error);
}

// Sets the sizes of a result in memory. False: they overflow.
static bool size_output(const Run *r, int index, Npy *array) {
  const Graph *graph = r->graph;
  const Value *value = graph->output[index].value;
  array->dtype = value->dtype;
  if (value_is_strided(value)) {
    array->rank = 1;
    return sizes_memory(&r->sizes, graph, value, &array->dim[0]);
  }
  array->rank = value->shape.rank;
  for (int k = 0; k < array->rank; k++)
    if (!sizes_eval(&r->sizes, graph, value->shape.dim[k], &array->dim[k]))
      return false;
  return true;
}

// The plan for these sizes; NULL: the results are empty.
static const Plan *plan_for_sizes(const Run *r) {
  const Variant *variant = sizes_variant(&r->sizes);
  return variant ? r->plan->variant[variant - r->graph->variant.item] : r->plan;
}

static Exit allocate_scratch(Run *r) {
  const Plan *plan = plan_for_sizes(r);
  int64_t bytes = 0;
  bool fits = !plan || sizes_eval(&r->sizes, plan->graph, plan->scratch_bytes, &bytes);
  r->scratch = fits && bytes > 0 ? npy_memory((size_t)bytes) : NULL;
  if (fits && (bytes == 0 || r->scratch))
    return EXIT_DONE;
  return input_error("cannot allocate %s bytes of scratch for graph '%s'",
                     num_text(r->p->arena, r->graph, r->plan->scratch_bytes), r->graph->name);
}

// Allocates memory for every result, saved or not: the kernel writes all of them.
static Exit allocate_outputs(Run *r) {
  for (int i = 0; i < r->graph->output_count; i++) {
    Npy *array = &r->out[i];
    const Storage *storage = r->graph->output[i].value->storage;
    bool fits = size_output(r, i, array);
    if (fits)
      npy_allocate(array);
    if (array->data && storage && storage->stride) // clears the gaps
      memset(array->data, 0, array->bytes);
    if (!array->data)
      return input_error("cannot allocate %llu bytes for result '%s'",
                         fits ? (unsigned long long)array->bytes
                              : (unsigned long long)r->plan->output[i].bytes,
                         r->result[i]);
  }
  return EXIT_DONE;
}

static void free_arrays(Run *r) {
  for (int i = 0; r->in && i < r->graph->input_count; i++)
    npy_free(&r->in[i]);
  for (int i = 0; r->out && i < r->graph->output_count; i++)
    free(r->out[i].data);
  free(r->scratch);
}

// ---- the call ----

static const JitArgument *arguments_of(const Run *r, const Signature *s) {
  JitArgument *argument = ARENA_ARRAY(r->p->arena, JitArgument, s->parameter.count);
  for (int i = 0; i < s->parameter.count; i++) {
    int index = s->parameter.item[i].index;
    switch (s->parameter.item[i].kind) {
    case PARAMETER_SIZE:
      argument[i].size = r->sizes.value[index];
      break;
    case PARAMETER_INPUT:
      argument[i].input = r->in[index].data;
      break;
    case PARAMETER_OUTPUT:
      argument[i].output = r->out[index].data;
      break;
    case PARAMETER_DIMS:
      argument[i].output = ARENA_ARRAY(r->p->arena, int64_t, RSH_MAX_RANK);
      break;
    case PARAMETER_SCRATCH:
      argument[i].output = r->scratch;
      break;
    case PARAMETER_RANK: // dynamic graphs only, which run_dynamic calls
    case PARAMETER_PLAN:
      break;
    }
  }
  return argument;
}

static Exit call(const Run *r, void *function, const Signature *signature) {
  Progress *progress = progress_start(r->p->arena, "running", 0);
  progress_step(progress, 0, r->graph->name);
  rsh_status status = jit_call(function, arguments_of(r, signature));
  progress_end(progress);
  return status == RSH_ok ? EXIT_DONE : run_refused(r->graph, status);
}

// If sizes are open, the shape function runs first: it checks the sizes and computes those of the results.
static Exit call_in(Run *r, Jit *jit) {
  const Signature *signature = &r->plan->signature;
  void *function = jit_find(jit, r->graph->name, ENTRY_WHOLE), *shape = NULL;
  if (signature->returns_status)
    shape = jit_find(jit, r->graph->name, ENTRY_SHAPE);
  if (!function || (signature->returns_status && !shape)) {
    diag_error_file(&r->p->diag, "internal", "no code was generated for graph '%s'",
                    r->graph->name);
    return EXIT_INTERNAL;
  }
  Exit status = shape ? call(r, shape, &r->plan->shape_signature) : EXIT_DONE;
  if (status == EXIT_DONE)
    status = allocate_outputs(r);
  if (status == EXIT_DONE)
    status = allocate_scratch(r);
  return status == EXIT_DONE ? call(r, function, signature) : status;
}

static Exit call_kernel(Run *r) {
  EmitOptions code = r->p->options->code;
  if (!code.cpu)
    code.cpu = "native";
  Progress *progress = progress_start(r->p->arena, "generating code", 0);
  Jit *jit = jit_new(r->p->arena, &r->plan, 1, &code, &r->p->diag);
  progress_end(progress);
  if (!jit)
    return pipeline_status(r->p);
  Exit status = call_in(r, jit);
  jit_free(jit);
  return status;
}

// A function copies all bytes of its results; a script would return views where possible.
static void explain_run(const Run *r) {
  DryRun dry = {0};
  for (int i = 0; i < r->graph->input_count; i++)
    dry_run_read(&dry, r->in_path[i], NULL, &r->in[i]);
  for (int i = 0; i < r->graph->output_count; i++)
    if (r->out_path[i])
      dry_run_write(&dry, r->out_path[i], NULL, &r->out[i], r->out[i].bytes);
  dry_run_end(&dry);
}

static Exit write_outputs(const Run *r) {
  NpyError error;
  Exit status = EXIT_DONE;
  if (r->p->options->dry_run) {
    explain_run(r);
    return EXIT_DONE;
  }
  for (int i = 0; i < r->graph->output_count; i++) {
    if (!r->out_path[i])
      continue;
    Progress *progress = progress_start(r->p->arena, "writing", 0);
    progress_step(progress, 0, r->result[i]);
    bool is_written = npy_write(r->out_path[i], &r->out[i], &error);
    progress_end(progress);
    if (!is_written)
      status = input_error("%s", error.text);
  }
  return status;
}

static Exit run_graph(Run *r) {
  Exit status = take_words(r);
  if (status == EXIT_DONE)
    status = choose_graph(r);
  if (status == EXIT_DONE)
    status = bind_files(r);
  if (status != EXIT_DONE || !plan_can_emit(r->plan, &r->p->diag))
    return status;
  status = read_inputs(r);
  if (status != EXIT_DONE)
    return status;
  r->out = ARENA_ARRAY(r->p->arena, Npy, r->graph->output_count);
  status = r->plan->tape ? run_dynamic(r->p, r->plan, &r->sizes, r->in, r->out) : call_kernel(r);
  return status == EXIT_DONE && r->p->diag.errors == 0 ? write_outputs(r) : status;
}

static Exit run_file(Pipeline *p) {
  Run run = {.p = p};
  Exit status = pipeline_run(p, STEP_PLAN) ? run_graph(&run) : EXIT_DONE;
  free_arrays(&run);
  return status;
}

Exit command_run(const Options *options) {
  watch_mapped_files();
  Pipeline p;
  pipeline_start(&p, options);
  Exit status = EXIT_DONE;
  if (pipeline_is_model(options))
    status = run_file(&p);
  else if (pipeline_parse(&p))
    status = options->text || p.ast->statement_count > 0 ? run_script(&p) : run_file(&p);
  return pipeline_finish(&p, status);
}
