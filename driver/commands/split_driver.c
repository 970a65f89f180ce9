// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chains --split: C code that runs the steps of a model, and its header. Tensors are numbered as in SplitSteps; t[i]
// has the address and sizes of tensor i.
#include "driver/commands/split_driver.h"

#include "codegen/header/c_text.h"
#include "codegen/header/header.h"
#include "codegen/plan/names.h"

#include <inttypes.h>
#include <string.h>

enum { MEMORY_ALIGN = 16 };

static const char *finish(CText *text) {
  VEC_PUSH(text->arena, text->letter, '\0');
  return text->letter.item;
}

// ---- Sizes

bool split_size_source(const Survey *survey, const Chain *chain, const char *size, ChainSize *out) {
  const Graph *graph = chain->graph;
  for (int i = 0; i < chain->size.count; i++) {
    *out = chain->size.item[i];
    for (int k = 0; out->tensor && strcmp(out->name, size) == 0 && k < survey->graph->input_count;
         k++)
      if (strcmp(survey->graph->value.item[k]->name, out->tensor) == 0)
        return true;
  }
  for (int s = 0; s < graph->symbol.count; s++) {
    const Symbol *symbol = &graph->symbol.item[s];
    if (!symbol_is_parameter(symbol) || !symbol->name || strcmp(symbol->name, size) != 0)
      continue;
    for (int i = 0; i < graph->input_count; i++)
      for (int32_t axis = 0; axis < graph->value.item[i]->shape.rank; axis++)
        if (rsh_equal(graph->value.item[i]->shape.dim[axis], symbol->num)) {
          *out = (ChainSize){size, graph->value.item[i]->name, axis};
          return true;
        }
  }
  return false;
}

// A size that the caller passes, for all axes with this number.
typedef struct RunSize {
  const char *name;
  rsh_num size;
} RunSize;

typedef struct Run {
  const SplitDriver *d;
  NameSet names;
  VEC(RunSize) size;
  const char **input; // names of the parameters
} Run;

static const char *size_word(const SplitDriver *d, const SplitTensor *tensor, int32_t axis) {
  const Graph *graph = d->survey->graph;
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].name &&
        rsh_equal(graph->symbol.item[i].num, tensor->shape->dim[axis]))
      return graph->symbol.item[i].name;
  return arena_printf(d->arena, "%s_%d", tensor->name, (int)axis);
}

// The parameter for an open size of an input.
static const RunSize *run_size(Run *r, int input, int32_t axis) {
  const SplitTensor *tensor = &r->d->steps->tensor.item[input];
  for (int i = 0; i < r->size.count; i++)
    if (rsh_equal(r->size.item[i].size, tensor->shape->dim[axis]))
      return &r->size.item[i];
  const char *name =
      name_unique(&r->names, c_identifier(r->d->arena, size_word(r->d, tensor, axis)));
  VEC_PUSH(r->d->arena, r->size, ((RunSize){name, tensor->shape->dim[axis]}));
  return &r->size.item[r->size.count - 1];
}

static Run run_of(const SplitDriver *d) {
  Run r = {.d = d, .names = {.arena = d->arena}};
  r.input = ARENA_ARRAY(d->arena, const char *, d->steps->input_count + 1);
  name_unique(&r.names, "engine");
  name_unique(&r.names, "out");
  name_unique(&r.names, "t");
  name_unique(&r.names, "status");
  for (int i = 0; i < d->steps->input_count; i++) {
    const rsh_shape *shape = d->steps->tensor.item[i].shape;
    for (int32_t axis = 0; shape && axis < shape->rank; axis++)
      if (!rsh_is_known(shape->dim[axis]))
        (void)run_size(&r, i, axis);
  }
  for (int i = 0; i < d->steps->input_count; i++)
    r.input[i] = name_unique(&r.names, c_identifier(d->arena, d->steps->tensor.item[i].name));
  return r;
}

// An input of unknown rank or type is passed with its sizes.
static bool is_whole(const SplitTensor *tensor) {
  return tensor->dtype == RSH_DTYPE_NONE || !tensor->shape;
}

static const char *prototype(const Run *r) {
  const SplitDriver *d = r->d;
  const char *text =
      arena_printf(d->arena, "rsh_status %s_run(const %s_engine *engine", d->name, d->name);
  for (int i = 0; i < r->size.count; i++)
    text = arena_printf(d->arena, "%s, int64_t %s", text, r->size.item[i].name);
  for (int i = 0; i < d->steps->input_count; i++) {
    const SplitTensor *tensor = &d->steps->tensor.item[i];
    const char *type = is_whole(tensor) ? arena_printf(d->arena, "const %s_tensor ", d->name)
                                        : c_element(d->arena, tensor->dtype, true);
    text = arena_printf(d->arena, "%s, %s*%s", text, type, r->input[i]);
  }
  return arena_printf(d->arena, "%s, %s_tensor *out)", text, d->name);
}

// ---- Comments

static const char *tensor_text(const SplitDriver *d, int number) {
  const SplitTensor *tensor = &d->steps->tensor.item[number];
  const char *type = !tensor->shape
                         ? "of any shape"
                         : type_text(d->arena, d->survey->graph, tensor->dtype, tensor->shape);
  return c_comment(d->arena, arena_printf(d->arena, "%s: %s", tensor->name, type));
}

static void put_tensors(CText *text, const SplitDriver *d, const char *word, const int *number,
                        int count) {
  for (int i = 0; i < count; i++)
    c_put(text, " *   %-8s%d  %s\n", i == 0 ? word : "", i, tensor_text(d, number[i]));
}

static const char *step_title(const SplitDriver *d, int number, int part) {
  const SplitStep *step = &d->steps->step.item[number];
  if (step->chain == NO_CHAIN)
    return arena_printf(d->arena, "part %d: %s, %s", part, c_comment(d->arena, d->part[number]),
                        arena_count(d->arena, step->nodes, "node"));
  return arena_printf(d->arena, "%s(): a chain of %s", d->call[step->chain].function,
                      arena_count(d->arena, step->nodes, "node"));
}

static void put_order(CText *text, const SplitDriver *d) {
  c_put(text, "/*\n * The steps of %s, in order:\n", c_comment(d->arena, d->model));
  for (int i = 0, part = 0; i < d->steps->step.count; i++) {
    const SplitStep *step = &d->steps->step.item[i];
    part += step->chain == NO_CHAIN;
    c_put(text, " *\n * %s\n", step_title(d, i, part));
    put_tensors(text, d, "reads", step->in.item, step->in.count);
    put_tensors(text, d, "writes", step->out.item, step->out.count);
  }
  c_put(text, " */\n");
}

// ---- The header

static int part_count(const SplitDriver *d) {
  int count = 0;
  for (int i = 0; i < d->steps->step.count; i++)
    count += d->steps->step.item[i].chain == NO_CHAIN;
  return count;
}

static uint32_t memory_align(const SplitDriver *d) {
  uint32_t align = MEMORY_ALIGN;
  for (int i = 0; i < d->steps->step.count; i++) {
    int chain = d->steps->step.item[i].chain;
    if (chain != NO_CHAIN && d->call[chain].plan->scratch_align > align)
      align = d->call[chain].plan->scratch_align;
  }
  return align;
}

static int32_t highest_rank(const SplitDriver *d) {
  int32_t rank = 1;
  for (int i = 0; i < d->steps->tensor.count; i++) {
    const rsh_shape *shape = d->steps->tensor.item[i].shape;
    bool is_open = !shape; // tensors from an engine may have any rank
    rank = is_open ? RSH_MAX_RANK : shape->rank > rank ? shape->rank : rank;
    if (is_open)
      break;
  }
  return rank;
}

static void put_types(CText *text, const SplitDriver *d) {
  c_put(text,
        "/* Where a tensor is, and its sizes. */\n"
        "typedef struct %s_tensor {\n"
        "  void *data;\n"
        "  int64_t dim[%d];\n"
        "  int32_t rank; /* below 0: unknown */\n"
        "} %s_tensor;\n\n",
        d->name, (int)highest_rank(d), d->name);
  c_put(text,
        "/*\n"
        " * What runs the parts. Each reads in[], and fills out[] in the order above: `data`, and "
        "each size in\n * `dim` that is -1 before the call; others are known already. If `rank` is "
        "below 0, it sets that and\n * all sizes. The memory at `data` must stay valid until "
        "%s_run returns, and while the caller reads the\n * outputs. A status that is not RSH_ok "
        "ends the run.\n"
        " */\n"
        "typedef struct %s_engine {\n"
        "  void *context; /* for all calls below */\n"
        "  /* Allocates memory for outputs of chains, aligned to %" PRIu32
        "; NULL: out of memory. */\n"
        "  void *(*memory)(void *context, size_t bytes);\n",
        d->name, d->name, memory_align(d));
  for (int i = 1; i <= part_count(d); i++)
    c_put(text, "  rsh_status (*part_%d)(void *context, const %s_tensor *in, %s_tensor *out);\n", i,
          d->name, d->name);
  c_put(text, "} %s_engine;\n\n", d->name);
}

const char *split_header(const SplitDriver *d) {
  CText text = {.arena = d->arena};
  Run run = run_of(d);
  const char *guard = arena_printf(d->arena, "%s_SPLIT_H", c_macro_part(d->arena, d->name));
  c_put(&text, "/* Generated by reshapec from %s. */\n#ifndef %s\n#define %s\n\n",
        c_comment(d->arena, d->model), guard, guard);
  c_put(&text,
        "#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  c_put_statuses(&text);
  c_put(&text, "\n");
  put_order(&text, d);
  c_put(&text, "\n");
  put_types(&text, d);
  c_put(&text, "/*\n * Runs all steps. out[] gets the outputs of the model:\n");
  put_tensors(&text, d, "out", d->steps->output.item, d->steps->output.count);
  c_put(&text,
        " * Returns RSH_ok, or the status of a part or a chain, or\n"
        " *   RSH_bad_dim: a size below 0\n"
        " *   RSH_shape_mismatch: a part returned the wrong shape\n"
        " *   RSH_null_pointer: a null pointer, or no memory, for a tensor that has elements\n"
        " */\n%s;\n",
        prototype(&run));
  c_put(&text, "#define %s_OUTPUTS %d\n", c_macro_part(d->arena, d->name), d->steps->output.count);
  c_put(&text, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* %s */\n", guard);
  return finish(&text);
}

// ---- The code

// Prints the helpers that the steps call.
static void put_helpers(CText *text, const SplitDriver *d, const char *steps) {
  const char *n = d->name;
  if (strstr(steps, "take("))
    c_put(text,
          "/* Accepts the result of a part if it matches the known type and sizes. */\n"
          "static int take(%s_tensor *to, const %s_tensor *from) {\n"
          "  if (from->rank < 0 ? to->rank >= 0 : to->rank >= 0 && from->rank != to->rank)\n"
          "    return 0;\n"
          "  for (int32_t i = 0; i < to->rank; i++)\n"
          "    if (from->dim[i] < 0 || (to->dim[i] >= 0 && from->dim[i] != to->dim[i]))\n"
          "      return 0;\n"
          "  *to = *from;\n"
          "  return 1;\n"
          "}\n\n",
          n, n);
  if (strstr(steps, "has_dims("))
    c_put(text,
          "/* Whether a tensor has these sizes, and data if it has elements. */\n"
          "static rsh_status has_dims(const %s_tensor *t, const int64_t *dim) {\n"
          "  int64_t any = 1;\n"
          "  for (int32_t i = 0; i < t->rank; i++) {\n"
          "    if (t->dim[i] != dim[i])\n"
          "      return RSH_shape_mismatch;\n"
          "    any = dim[i] == 0 ? 0 : any;\n"
          "  }\n"
          "  return any && !t->data ? RSH_null_pointer : RSH_ok;\n"
          "}\n\n",
          n);
  if (strstr(steps, "make_room("))
    c_put(text,
          "/* Allocates memory for a tensor with elements of this many bits. */\n"
          "static rsh_status make_room(const %s_engine *engine, %s_tensor *t, size_t bits) {\n"
          "  size_t count = 1;\n"
          "  for (int32_t i = 0; i < t->rank; i++) {\n"
          "    if (t->dim[i] > 0 && count > (size_t)-1 / 2 / bits / (size_t)t->dim[i])\n"
          "      return RSH_overflow;\n"
          "    count *= (size_t)t->dim[i];\n"
          "  }\n"
          "  t->data = count ? engine->memory(engine->context, (count * bits + 7) / 8) : NULL;\n"
          "  return count && !t->data ? RSH_null_pointer : RSH_ok;\n"
          "}\n\n",
          n, n);
}

static void put_list(CText *text, const char *name, const char *type, const int *number,
                     int count) {
  c_put(text, "  %s%s[] = {", type, name);
  for (int i = 0; i < count; i++)
    c_put(text, "%st[%d]", i ? ", " : "", number[i]);
  c_put(text, "};\n");
}

static void put_part_step(CText *text, const SplitDriver *d, const SplitStep *step, int part) {
  if (step->in.count > 0)
    put_list(text, "in", arena_printf(d->arena, "const %s_tensor ", d->name), step->in.item,
             step->in.count);
  put_list(text, "out", arena_printf(d->arena, "%s_tensor ", d->name), step->out.item,
           step->out.count);
  c_put(text, "  const rsh_status status = engine->part_%d(engine->context, %s, out);\n", part,
        step->in.count > 0 ? "in" : "NULL");
  c_put(text, "  if (status != RSH_ok)\n    return status;\n");
  for (int i = 0; i < step->out.count; i++)
    c_put(text, "  if (!take(&t[%d], &out[%d]))\n    return RSH_shape_mismatch;\n",
          step->out.item[i], i);
  c_put(text, "  return RSH_ok;\n");
}

static void put_status(CText *text, const char *call) {
  c_put(text, "  status = %s;\n  if (status != RSH_ok)\n    return status;\n", call);
}

static int tensor_named(const SplitDriver *d, const char *name) {
  int number = 0;
  while (strcmp(d->steps->tensor.item[number].name, name) != 0)
    number++;
  return number;
}

// {n0, 8, 4, 4}: the shape that the chain expects of an input.
static const char *dims_text(const SplitDriver *d, const Plan *plan, const char *const *size,
                             const Value *value) {
  const char *text = "";
  for (int32_t i = 0; i < value->shape.rank; i++)
    text = arena_printf(d->arena, "%s%s%s", text, i ? ", " : "",
                        header_number_text(d->arena, plan, size, value->shape.dim[i]));
  return arena_printf(d->arena, "{%s}", *text ? text : "1");
}

// The input that contains an output, if a pointer can refer to it; NULL: the output needs memory.
static const Value *place_of(const SplitCall *call, int output) {
  const OutputPlan *out = &call->plan->output[output];
  bool is_packed = plan_element_bits(out->output->value->dtype) < 8;
  return is_packed ? NULL : c_alias_place(call->plan->graph, out);
}

static bool needs_memory(const SplitCall *call) {
  bool needs = call->plan->scratch_align > 0;
  for (int i = 0; i < call->plan->output_count; i++)
    needs = needs || !place_of(call, i);
  return needs;
}

// Sets the address of an output: in an input, at a byte offset, or in separate memory.
static void put_place(CText *text, const SplitDriver *d, const SplitCall *call,
                      const char *const *size, const SplitStep *step, int output) {
  const OutputPlan *out = &call->plan->output[output];
  const Value *place = place_of(call, output);
  int to = step->out.item[output], bits = plan_element_bits(out->output->value->dtype);
  if (!place) {
    put_status(text, arena_printf(d->arena, "make_room(engine, &t[%d], %d)", to, bits));
    return;
  }
  c_put(text, "  if (t[%d].data)\n", step->in.item[place->id]);
  c_put(text, "    t[%d].data = (char *)t[%d].data + %d * (%s);\n", to, step->in.item[place->id],
        bits / 8, header_number_text(d->arena, call->plan, size, out->offset));
}

static const char *argument(const SplitDriver *d, const SplitStep *step, const char *const *size,
                            Parameter p, int place) {
  switch (p.kind) {
  case PARAMETER_SIZE:
    return size[place];
  case PARAMETER_INPUT:
    return arena_printf(d->arena, "t[%d].data", step->in.item[p.index]);
  case PARAMETER_OUTPUT:
    return arena_printf(d->arena, "t[%d].data", step->out.item[p.index]);
  case PARAMETER_SCRATCH:
    return "scratch.data";
  case PARAMETER_DIMS:
    return arena_printf(d->arena, "t[%d].dim", step->out.item[p.index]);
  case PARAMETER_RANK:
  case PARAMETER_PLAN:
    break; // dynamic functions only, which remain in the model
  }
  return "NULL";
}

static const char *call_text(const SplitDriver *d, const SplitStep *step, const char *const *size,
                             const char *function, const Signature *signature) {
  const char *text = "";
  for (int i = 0; i < signature->parameter.count; i++)
    text = arena_printf(d->arena, "%s%s%s", text, i ? ", " : "",
                        argument(d, step, size, signature->parameter.item[i], i));
  return arena_printf(d->arena, "%s(%s)", function, text);
}

static const char **put_sizes(CText *text, const SplitDriver *d, const SplitCall *call) {
  const Signature *s = &call->plan->signature;
  const char **size = ARENA_ARRAY(d->arena, const char *, s->parameter.count + 1);
  for (int i = 0; i < s->parameter.count && s->parameter.item[i].kind == PARAMETER_SIZE; i++) {
    const char *name = parameter_name(d->arena, call->plan->graph, s->parameter.item[i]);
    ChainSize from = {0};
    if (!split_size_source(d->survey, call->chain, name, &from))
      continue; // such a chain remains in the model
    size[i] = arena_printf(d->arena, "n%d", i);
    c_put(text, "  const int64_t n%d = t[%d].dim[%d]; /* %s */\n", i, tensor_named(d, from.tensor),
          from.axis, c_comment(d->arena, name));
  }
  return size;
}

static void put_chain_step(CText *text, const SplitDriver *d, const SplitStep *step) {
  const SplitCall *call = &d->call[step->chain];
  const Plan *plan = call->plan;
  const char **size = put_sizes(text, d, call);
  c_put(text,
        needs_memory(call) ? "  rsh_status status;\n" : "  rsh_status status;\n  (void)engine;\n");
  if (call->shape)
    put_status(text, call_text(d, step, size, call->shape, &plan->shape_signature));
  for (int i = 0; i < step->in.count; i++) {
    c_put(text, "  const int64_t dim_%d[] = %s;\n", i,
          dims_text(d, plan, size, plan->graph->value.item[i]));
    put_status(text, arena_printf(d->arena, "has_dims(&t[%d], dim_%d)", step->in.item[i], i));
  }
  for (int i = 0; i < step->out.count; i++)
    put_place(text, d, call, size, step, i);
  if (plan->scratch_align > 0) {
    c_put(text, "  %s_tensor scratch = {NULL, {%s}, 1};\n", d->name,
          header_scratch_text(d->arena, plan, size));
    put_status(text, "make_room(engine, &scratch, 8)");
  }
  const char *work = call_text(d, step, size, call->function, &plan->signature);
  c_put(text, plan->signature.returns_status ? "  return %s;\n" : "  %s;\n  return RSH_ok;\n",
        work);
}

// The initial contents of a tensor's descriptor: everything known at compile time.
static const char *blank_text(const SplitDriver *d, const SplitTensor *tensor) {
  const char *dims = "";
  for (int32_t i = 0; tensor->shape && i < tensor->shape->rank; i++) {
    rsh_num size = tensor->shape->dim[i];
    dims = arena_printf(d->arena, "%s%s%" PRId64, dims, i ? ", " : "",
                        rsh_is_known(size) ? size.n : -1);
  }
  return arena_printf(d->arena, "{NULL, {%s}, %d}", *dims ? dims : "0",
                      tensor->shape ? (int)tensor->shape->rank : -1);
}

static void put_run(CText *text, const SplitDriver *d) {
  Run r = run_of(d);
  c_put(text, "%s {\n  %s_tensor t[] = {\n", prototype(&r), d->name);
  for (int i = 0; i < d->steps->tensor.count; i++)
    c_put(text, "      %s, /* %s */\n", blank_text(d, &d->steps->tensor.item[i]),
          tensor_text(d, i));
  c_put(text, "  };\n  %s;\n", d->steps->step.count > 0 ? "rsh_status status" : "(void)engine");
  for (int i = 0; i < r.size.count; i++)
    c_put(text, "  if (%s < 0)\n    return RSH_bad_dim;\n", r.size.item[i].name);
  for (int i = 0; i < d->steps->input_count; i++) {
    const rsh_shape *shape = d->steps->tensor.item[i].shape;
    bool whole = is_whole(&d->steps->tensor.item[i]);
    c_put(text, whole ? "  t[%d] = *%s;\n" : "  t[%d].data = (void *)%s;\n", i, r.input[i]);
    for (int32_t axis = 0; !whole && axis < shape->rank; axis++)
      if (!rsh_is_known(shape->dim[axis]))
        c_put(text, "  t[%d].dim[%d] = %s;\n", i, (int)axis, run_size(&r, i, axis)->name);
  }
  for (int i = 0; i < d->steps->step.count; i++)
    put_status(text, arena_printf(d->arena, "step_%d(engine, t)", i + 1));
  for (int i = 0; i < d->steps->output.count; i++)
    c_put(text, "  out[%d] = t[%d];\n", i, d->steps->output.item[i]);
  c_put(text, "  return RSH_ok;\n}\n");
}

static const char *steps_text(const SplitDriver *d) {
  CText text = {.arena = d->arena};
  for (int i = 0, part = 0; i < d->steps->step.count; i++) {
    const SplitStep *step = &d->steps->step.item[i];
    part += step->chain == NO_CHAIN;
    c_put(&text, "/* %s */\nstatic rsh_status step_%d(const %s_engine *engine, %s_tensor *t) {\n",
          step_title(d, i, part), i + 1, d->name, d->name);
    if (step->chain == NO_CHAIN)
      put_part_step(&text, d, step, part);
    else
      put_chain_step(&text, d, step);
    c_put(&text, "}\n\n");
  }
  return finish(&text);
}

const char *split_code(const SplitDriver *d) {
  CText text = {.arena = d->arena};
  const char *steps = steps_text(d);
  c_put(&text, "/* Generated by reshapec from %s: see %s. */\n#include \"%s\"\n#include \"%s\"\n\n",
        c_comment(d->arena, d->model), c_comment(d->arena, d->header), d->header, d->chains);
  put_helpers(&text, d, steps);
  c_put(&text, "%s", steps);
  put_run(&text, d);
  return finish(&text);
}
