// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates lazy tensors where a script needs their data: the required subgraph is extracted, folded, planned and
// compiled like any graph. Data that a file contains in the required form are neither computed nor copied.
#include "driver/script/script.h"

#include "frontend/graph/fold_graph.h"
#include "frontend/text/text_out.h"

#include <string.h>
#include <sys/stat.h>

// One call of the kernel of a subgraph.
typedef struct Compute {
  Script *script;
  Span span;
  const Plan *plan;
  ScriptKernel *kernel;
  Value *const *inputs; // of the session
  Npy *out;
  void *scratch;
} Compute;

static Npy *loaded_array(const Script *s, const Value *value) {
  for (int i = 0; i < s->loaded.count; i++)
    if (s->loaded.item[i].value == value)
      return &s->loaded.item[i].array;
  return NULL; // every input was loaded
}

static bool is_loaded(const Script *s, const Npy *array) {
  for (int i = 0; i < s->loaded.count; i++) {
    const Npy *in = &s->loaded.item[i].array;
    if ((const char *)array->data >= (const char *)in->data &&
        (const char *)array->data < (const char *)in->data + in->bytes)
      return true; // a part of it
  }
  return false;
}

void script_release(Script *s, Npy *array, int count) {
  for (int i = 0; i < count; i++) {
    if (!is_loaded(s, &array[i]))
      npy_free(&array[i]);
    array[i] = (Npy){.data = NULL};
  }
}

static const Plan *plan_subgraph(Script *s, Graph *graph) {
  if (!fold_graph(s->arena, graph, s->diag))
    return NULL;
  const Plan *plan =
      plan_graph(s->arena, graph, jit_cost(s->arena, &s->options->code), NULL, s->diag);
  return plan && plan_can_emit(plan, s->diag) ? plan : NULL;
}

const Plan *script_plan(Script *s, Value *value) {
  Value *const *inputs;
  return plan_subgraph(s, session_subgraph(s->session, &value, 1, &inputs));
}

// ---- the call ----

// Memory for a result, or the part of an input that it aliases. False: not enough memory.
static bool output_place(Compute *c, int i) {
  const OutputPlan *plan = &c->plan->output[i];
  const Value *value = plan->output->value;
  Npy *out = &c->out[i];
  *out = (Npy){.dtype = value->dtype, .rank = value->shape.rank};
  for (int k = 0; k < out->rank; k++)
    out->dim[k] = value->shape.dim[k].n;
  if (plan->tier != TIER_ALIAS || !plan->source)
    return npy_allocate(out);
  const Npy *in = loaded_array(c->script, c->inputs[plan->source->id]);
  out->data = (char *)in->data + plan->offset.n * plan_element_bits(in->dtype) / 8;
  out->bytes = (size_t)plan->bytes;
  return true;
}

static const JitArgument *arguments_of(const Compute *c) {
  const Signature *s = &c->plan->signature;
  JitArgument *argument = ARENA_ARRAY(c->script->arena, JitArgument, s->parameter.count);
  for (int i = 0; i < s->parameter.count; i++) {
    int index = s->parameter.item[i].index;
    switch (s->parameter.item[i].kind) {
    case PARAMETER_INPUT:
      argument[i].input = loaded_array(c->script, c->inputs[index])->data;
      break;
    case PARAMETER_OUTPUT:
      argument[i].output = c->out[index].data;
      break;
    case PARAMETER_SCRATCH:
      argument[i].output = c->scratch;
      break;
    case PARAMETER_SIZE: // all sizes are numbers
    case PARAMETER_DIMS:
    case PARAMETER_RANK:
    case PARAMETER_PLAN:
      break;
    }
  }
  return argument;
}

// ---- kernels ----

// The text of a subgraph, with names that do not depend on files. NULL: it cannot be written as text.
static const char *compiled_key(Script *s, Graph *graph) {
  Graph plain = *graph;
  const char **name = ARENA_ARRAY(s->arena, const char *, graph->value.count + 1), *text;
  TextOut out;
  if (graph_text_constant(graph))
    return NULL;
  plain.output = ARENA_ARRAY(s->arena, Output, graph->output_count);
  for (int i = 0; i < graph->output_count; i++) {
    plain.output[i] = graph->output[i];
    plain.output[i].name = arena_printf(s->arena, "y%d", i);
  }
  for (int i = 0; i < graph->value.count; i++) {
    name[i] = graph->value.item[i]->name;
    graph->value.item[i]->name = i < graph->input_count ? arena_printf(s->arena, "x%d", i) : NULL;
  }
  graph_write(&plain, text_out_begin(&out));
  text = text_out_end(&out, s->arena, NULL);
  for (int i = 0; i < graph->value.count; i++)
    graph->value.item[i]->name = name[i];
  return text;
}

static ScriptKernel *find_kernel(Script *s, const char *text) {
  for (int i = 0; text && i < SCRIPT_KERNELS && i < s->kernels; i++)
    if (s->kernel[i].text && strcmp(s->kernel[i].text, text) == 0)
      return &s->kernel[i];
  return NULL;
}

// Replaces the oldest kernel.
static ScriptKernel *add_kernel(Script *s, const char *text, const Plan *plan) {
  ScriptKernel *kernel = &s->kernel[s->kernels++ % SCRIPT_KERNELS];
  if (kernel->jit)
    jit_free(kernel->jit);
  *kernel = (ScriptKernel){.text = text, .plan = plan};
  return kernel;
}

void script_free_kernels(Script *s) {
  for (int i = 0; i < SCRIPT_KERNELS; i++)
    if (s->kernel[i].jit)
      jit_free(s->kernel[i].jit);
}

// Scripts show progress; the prompt does not, since the progress line would overwrite typed text.
static Progress *start_progress(Script *s, const char *what, const char *name) {
  bool is_script = s->options->command == COMMAND_RUN;
  Progress *progress = is_script ? progress_start(s->arena, what, 0) : NULL;
  progress_step(progress, 0, name);
  return progress;
}

static bool compute_kernel(Compute *c) {
  Script *s = c->script;
  ScriptKernel *kernel = c->kernel;
  const Plan *plans[] = {c->plan};
  rsh_status status = RSH_ok;
  Progress *progress = start_progress(s, "computing", "");
  if (!kernel->jit)
    kernel->jit = jit_new(s->arena, plans, 1, &s->options->code, s->diag);
  if (kernel->jit && !kernel->function)
    kernel->function = jit_find(kernel->jit, c->plan->graph->name, ENTRY_WHOLE);
  if (kernel->function)
    status = jit_call(kernel->function, arguments_of(c));
  progress_end(progress);
  if (kernel->jit && !kernel->function)
    diag_error_file(s->diag, "internal", "no code was generated for a statement");
  if (status != RSH_ok) // only an index can be invalid, since all sizes are numbers
    diag_error(s->diag, c->span, rsh_status_name(status), "%s", rsh_status_string(status));
  return kernel->function != NULL && status == RSH_ok;
}

static bool needs_kernel(const Plan *plan) {
  for (int i = 0; i < plan->output_count; i++)
    if (plan->output[i].tier != TIER_ALIAS)
      return true;
  return false;
}

bool script_compute(Script *s, Value *const *value, int count, Span span, Npy *out) {
  Compute c = {.script = s, .span = span, .out = out};
  Graph *graph = session_subgraph(s->session, value, count, &c.inputs);
  const char *key = compiled_key(s, graph);
  c.kernel = find_kernel(s, key);
  c.plan = c.kernel ? c.kernel->plan : plan_subgraph(s, graph);
  if (c.plan && !c.kernel)
    c.kernel = add_kernel(s, key, c.plan);
  bool good = c.plan != NULL, fits = true;
  for (int i = 0; i < count; i++)
    out[i] = (Npy){.data = NULL};
  for (int i = 0; i < count && good && fits; i++)
    fits = output_place(&c, i);
  if (good && fits && c.plan->scratch_bytes.n > 0) {
    Npy scratch = {.dtype = RSH_U8, .rank = 1, .dim = {c.plan->scratch_bytes.n}};
    fits = npy_allocate(&scratch);
    c.scratch = scratch.data;
  }
  if (!fits)
    diag_error(s->diag, span, "no_memory", "not enough memory for this");
  good = good && fits && (!needs_kernel(c.plan) || compute_kernel(&c));
  free(c.scratch);
  if (!good)
    script_release(s, out, count);
  return good;
}

// ---- files ----

bool script_read(Script *s, const char *path, rsh_dtype type, Npy *array, NpyError *error) {
  if (is_named(path) || is_raw(path)) {
    snprintf(error->text, sizeof error->text,
             is_raw(path)
                 ? "%.100s: contains only elements: write load(\"%.100s\", f32[2, 3]), with "
                   "their type and sizes; one size may be -1"
                 : "%.100s: contains named tensors: write load(\"%.100s\", \"NAME\")",
             path, path);
    error->kind = "bad_arg";
    return false;
  }
  Progress *progress = start_progress(s, "reading", path);
  bool good = npy_read(path, type, array, error);
  progress_end(progress);
  return good;
}

// The file for saves to this path. NULL: reported.
static Container *container_of(Script *s, const Save *save, NpyError *error) {
  for (int i = 0; i < s->container.count; i++)
    if (strcmp(s->container.item[i].path, save->path) == 0)
      return &s->container.item[i];
  if (s->is_job) { // the main process adds to it
    *error = (NpyError){.kind = "unsupported"};
    return NULL;
  }
  Container new = {save->path, s->options->dry_run ? named_begin_dry(save->path, error)
                                                   : named_begin(save->path, s->header, error)};
  if (!new.writer)
    return NULL;
  VEC_PUSH(s->arena, s->container, new);
  return &s->container.item[s->container.count - 1];
}

// array: NULL in a dry run.
static bool write_named(Script *s, const Save *save, const Npy *array, NpyError *error) {
  Container *container = container_of(s, save, error);
  if (!container)
    return false;
  if (container->writer)
    return array ? named_add(container->writer, save->name, save->type, array, error)
                 : named_note(container->writer, save->name, error);
  snprintf(error->text, sizeof error->text,
           "%.300s: has been read, so nothing can be added: save to another file", save->path);
  error->kind = "bad_file";
  return false;
}

// A new file may lack tensors of the older one that the script has read, and that it replaces. At the end of the script
// that is a warning; if the script reads the file again, as a loop over its names does, an error. False: it is kept.
static bool check_replaced(Script *s, const Container *container, bool is_read) {
  struct stat status;
  const char *first;
  if (stat(container->path, &status) != 0)
    return true;
  for (int i = 0; i < s->opened.count; i++) {
    const NamedFile *file = &s->opened.item[i];
    bool is_it = file->device == (uint64_t)status.st_dev && file->inode == (uint64_t)status.st_ino;
    int missing = is_it ? named_missing(container->writer, file, &first) : 0;
    if (missing == 0)
      continue;
    if (is_read)
      diag_error_file(s->diag, "lost_tensors",
                      "'%s' is read before %d of its %d tensors, such as '%s', are saved to it "
                      "again: save to another file",
                      container->path, missing, file->count, first);
    else
      diag_warning_file(s->diag, "lost_tensors",
                        "'%s' is replaced, and %d of its %d tensors are not in the new file, "
                        "such as '%s': save them too, or save to another file",
                        container->path, missing, file->count, first);
    return s->diag->errors == 0;
  }
  return true;
}

bool script_complete(Script *s, const char *path) {
  bool good = true;
  for (int i = 0; i < s->container.count; i++) {
    Container *container = &s->container.item[i];
    NpyError error;
    if (!container->writer || (path && strcmp(path, container->path) != 0))
      continue;
    NamedWriter *writer = container->writer;
    if (!check_replaced(s, container, path != NULL))
      return false;
    container->writer = NULL;
    if (!named_end(writer, &error)) {
      diag_error_file(s->diag, error.kind, "%s", error.text);
      good = false;
    }
  }
  return good;
}

void script_drop(Script *s) {
  for (int i = 0; i < s->container.count; i++)
    if (s->container.item[i].writer)
      named_drop(s->container.item[i].writer);
  s->container.count = 0;
}

static bool write_array(Script *s, const Save *save, const Npy *array, NpyError *error) {
  if (save->name)
    return write_named(s, save, array, error);
  return is_raw(save->path) ? raw_write(save->path, array, error)
                            : npy_write(save->path, array, error);
}

// Reports the effect of the pending saves.
static bool explain_saves(Script *s, Value *const *value, int count, const int *which,
                          const Save *save, int saves) {
  Value *const *inputs;
  const Plan *plan = plan_subgraph(s, session_subgraph(s->session, value, count, &inputs));
  bool *is_moved = ARENA_ARRAY(s->arena, bool, count);
  for (int i = 0; i < saves && plan; i++) {
    NpyError error;
    if (save[i].name && !write_named(s, &save[i], NULL, &error)) {
      diag_error(s->diag, save[i].span, error.kind, "%s", error.text);
      return false;
    }
    const OutputPlan *output = &plan->output[which[i]];
    const Value *of = value[which[i]];
    Npy array = {.dtype = of->dtype, .rank = of->shape.rank, .bytes = (size_t)output->bytes};
    for (int k = 0; k < array.rank; k++)
      array.dim[k] = of->shape.dim[k].n;
    dry_run_write(&s->dry, save[i].path, save[i].name, &array,
                  is_moved[which[i]] ? 0 : output->bytes_moved);
    is_moved[which[i]] = true;
    VEC_PUSH(s->arena, s->unwritten, save[i].path);
  }
  return plan != NULL;
}

bool script_flush(Script *s) {
  int count = 0, saves = s->save.count;
  Value **value = ARENA_ARRAY(s->arena, Value *, saves); // without duplicates
  int *which = ARENA_ARRAY(s->arena, int, saves);
  for (int i = 0; i < saves; i++) {
    which[i] = 0;
    while (which[i] < count && value[which[i]] != s->save.item[i].value)
      which[i]++;
    if (which[i] == count)
      value[count++] = s->save.item[i].value;
  }
  s->save.count = 0;
  s->save_bytes = 0;
  Npy *array = ARENA_ARRAY(s->arena, Npy, count);
  if (saves == 0)
    return true;
  if (s->options->dry_run)
    return explain_saves(s, value, count, which, s->save.item, saves);
  if (!script_compute(s, value, count, s->save.item[0].span, array))
    return false;
  bool good = true;
  for (int i = 0; i < saves && good; i++) {
    const Save *save = &s->save.item[i];
    NpyError error;
    Progress *progress = start_progress(s, "writing", save->path);
    good = write_array(s, save, &array[which[i]], &error);
    progress_end(progress);
    if (!good)
      diag_error(s->diag, save->span, error.kind, "%s", error.text);
  }
  script_release(s, array, count);
  return good;
}
