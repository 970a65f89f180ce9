// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec chains: the groups of operators in a model that only move data, the outcome of each, and, with -o, code for
// all of them.
//
// With --split, also the model divided into these chains and the rest.
//
//   chain               nodes  tier    bytes now  after   operators
//   Reshape_3_to_r2         3  static    6422528  2408448 Reshape Transpose Reshape
#include "codegen/machine/target.h"
#include "codegen/plan/names.h"
#include "driver/base/commands.h"
#include "library/number.h"
#include "driver/pictures/picture.h"
#include "driver/base/tools.h"
#include "driver/base/pipeline.h"
#include "driver/base/progress.h"
#include "driver/commands/split_driver.h"
#include "driver/commands/weights_away.h"
#include "frontend/graph/fold_graph.h"
#include "frontend/onnx/onnx_survey.h"
#include "frontend/text/text_out.h"
#include "grammar/import.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A chain with its plan.
typedef struct Planned {
  const Chain *chain;
  const Plan *plan;     // NULL: not a graph, or it could not be planned
  const char *tier;     // of all outputs together, "-" without a plan
  const char *why;      // the reason that there is no code, or NULL
  const char *function; // in the object, or NULL
  const char *shape;    // its shape function, or NULL
  rsh_num now, after;   // bytes written: with one copy per node; by the kernel
} Planned;

// A chain or a node that remains in the split model, and the reason.
typedef struct Kept {
  const char *name, *why;
} Kept;

typedef struct Report {
  Pipeline *p;
  const Chains *chains;
  Planned *planned;
  VEC(const Plan *) emitted;
  Split *split; // of --split, or NULL
  VEC(Kept) kept;
  const SplitSteps *steps;
} Report;

// ---- the outcome of each chain ----

// The bytes of the results of all nodes of the model, each written once. Values between the steps of a node have no
// name.
static rsh_num bytes_now(const Graph *graph) {
  rsh_num sum = rsh_int(0), bytes;
  for (int i = 0; i < graph->node.count; i++)
    for (int32_t k = 0; k < graph->node.item[i]->call.out_count; k++) {
      const Value *out = graph->node.item[i]->out[k];
      if (out->name && value_bytes(graph, out, &bytes))
        (void)rsh_add(graph->symbols, sum, bytes, &sum);
    }
  return sum;
}

static rsh_num bytes_after(const Plan *plan) {
  rsh_num sum = rsh_int(0), bytes;
  for (int i = 0; i < plan->output_count; i++)
    if (plan->output[i].tier != TIER_ALIAS &&
        value_bytes(plan->graph, plan->output[i].output->value, &bytes))
      (void)rsh_add(plan->graph->symbols, sum, bytes, &sum);
  return sum;
}

// TIER_ALIAS only if every output is an alias.
static Tier slowest_tier(const Plan *plan) {
  Tier tier = TIER_ALIAS;
  for (int i = 0; i < plan->output_count; i++)
    tier = plan->output[i].tier > tier ? plan->output[i].tier : tier;
  return tier;
}

static void plan_chain(Report *r, Planned *planned) {
  Arena *arena = r->p->arena;
  Diag quiet = {.arena = arena, .source = r->p->diag.source, .file = r->p->diag.file};
  const Chain *chain = planned->chain;
  planned->tier = "-";
  planned->why = chain->why;
  planned->now = planned->after = rsh_int(0);
  if (chain->graph)
    graph_set_prefix(chain->graph, r->p->prefix);
  if (chain->graph && fold_graph(arena, chain->graph, &quiet))
    planned->plan = plan_graph(arena, chain->graph, r->p->processor, r->p->tuning, &quiet);
  if (planned->plan) {
    planned->tier = tier_name(slowest_tier(planned->plan));
    planned->now = bytes_now(chain->graph);
    planned->after = bytes_after(planned->plan);
    if (plan_can_emit(planned->plan, &quiet))
      VEC_PUSH(arena, r->emitted, planned->plan);
  }
  if (quiet.list.count > 0 && !planned->why)
    planned->why = quiet.list.item[0].message;
}

// Assigns a function name to each chain that has code.
static void name_functions(Report *r) {
  const GraphNames *names = graph_names(r->p->arena, r->emitted.item, r->emitted.count, false);
  for (int i = 0, next = 0; i < r->chains->chain.count; i++)
    if (next < r->emitted.count && r->planned[i].plan == r->emitted.item[next]) {
      r->planned[i].function = names[next].entry[ENTRY_WHOLE];
      r->planned[i].shape = names[next++].entry[ENTRY_SHAPE];
    }
}

// ---- printing ----

static const char *bytes_text(const Report *r, const Planned *planned, rsh_num bytes) {
  return planned->plan ? num_brief(r->p->arena, planned->plan->graph, bytes) : "-";
}

static const char *after_text(const Report *r, const Planned *planned) {
  const Graph *graph = planned->plan ? planned->plan->graph : NULL;
  bool is_same = graph && rsh_equal(planned->now, planned->after) &&
                 strlen(num_text(r->p->arena, graph, planned->after)) > NUM_BRIEF;
  return is_same ? "the same" : bytes_text(r, planned, planned->after);
}

static const char *operators_text(Arena *arena, const Chain *chain) {
  enum { SHOWN = 12 };
  const char *text = "";
  for (int i = 0; i < chain->moved.count && i < SHOWN; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? " " : "", chain->moved.item[i]->node->op_type);
  return chain->moved.count > SHOWN ? arena_printf(arena, "%s ...", text) : text;
}

// "node 3 'f' (F)"
static const char *span_text(const Report *r, Span span) {
  return arena_text(r->p->arena, r->p->diag.source->text + span.begin, span.end - span.begin);
}

// Prints the operators at which shapes become unknown, and how to make them known.
static void print_unknown(const Report *r, FILE *out) {
  const Survey *survey = r->chains->survey;
  bool is_first = true;
  for (int i = 0; i < survey->remark.count; i++) {
    const Remark *remark = &survey->remark.item[i];
    if (remark->is_warning)
      continue;
    fprintf(out, "%s%s: %s\n", is_first ? "\nshapes that are not known:\n" : "",
            span_text(r, remark->span), remark->text);
    is_first = false;
  }
}

// Widens a column to fit this text.
static void widen(int *width, const char *text) {
  int length = (int)strlen(text);
  *width = length > *width ? length : *width;
}

static void print_table(const Report *r, FILE *out) {
  int width = 5, wide_now = 12, wide_after = 12, nodes = 0, longer = 0;
  for (int i = 0; i < r->chains->chain.count; i++) {
    const Chain *chain = &r->chains->chain.item[i];
    widen(&width, chain->name);
    widen(&wide_now, bytes_text(r, &r->planned[i], r->planned[i].now));
    widen(&wide_after, after_text(r, &r->planned[i]));
    nodes += chain->moved.count;
    longer += chain->moved.count > 1;
  }
  if (r->chains->chain.count > 0)
    fprintf(out, "%-*s  %5s  %-8s  %*s  %*s  %s\n", width, "chain", "nodes", "tier", wide_now,
            "bytes now", wide_after, "folded", "operators");
  for (int i = 0; i < r->chains->chain.count; i++) {
    const Planned *planned = &r->planned[i];
    fprintf(out, "%-*s  %5d  %-8s  %*s  %*s  %s\n", width, planned->chain->name,
            planned->chain->moved.count, planned->tier, wide_now,
            bytes_text(r, planned, planned->now), wide_after, after_text(r, planned),
            operators_text(r->p->arena, planned->chain));
  }
  Arena *arena = r->p->arena;
  fprintf(out, "%s%s that move%s data, in %s, %d of them of two nodes or more; %d compile%s\n",
          r->chains->chain.count > 0 ? "\n" : "", arena_count(arena, nodes, "node"),
          nodes == 1 ? "s" : "", arena_count(arena, r->chains->chain.count, "chain"), longer,
          r->emitted.count, r->emitted.count == 1 ? "s" : "");
  print_unknown(r, out);
}

// A result of unknown rank has no list of sizes.
static json_t *json_dims(Arena *arena, const Graph *graph, const rsh_shape *shape) {
  if (shape->rank == RSH_RANK_UNKNOWN)
    return json_null();
  json_t *dims = json_array();
  for (int32_t i = 0; i < shape->rank; i++)
    json_array_append_new(dims, json_num(arena, graph, shape->dim[i]));
  return dims;
}

// Names in functions and subgraphs are unique only there: "in": "node 3 'c' (F)".
static json_t *json_add_place(Arena *arena, json_t *o, const char *place) {
  if (place && *place)
    json_object_set_new(o, "in",
                        json_text(arena_printf(arena, "%.*s", (int)strlen(place) - 2, place)));
  return o;
}

static json_t *json_value(Arena *arena, const Graph *graph, const char *name, const Value *value) {
  json_t *o =
      json_pack("{s:o, s:s, s:o}", "name", json_text(name), "dtype", rsh_dtype_name(value->dtype),
                "dims", json_dims(arena, graph, &value->shape));
  return json_add_place(arena, o, value->place);
}

static json_t *json_bytes(Arena *arena, const Planned *planned, rsh_num bytes) {
  return planned->plan ? json_num(arena, planned->plan->graph, bytes) : json_null();
}

static const char *parameter_word(ParameterKind kind) {
  switch (kind) {
  case PARAMETER_SIZE:
    return "size";
  case PARAMETER_INPUT:
    return "input";
  case PARAMETER_OUTPUT:
    return "output";
  case PARAMETER_SCRATCH:
    return "scratch";
  case PARAMETER_DIMS:
    return "dims";
  case PARAMETER_RANK:
    return "rank";
  case PARAMETER_PLAN:
    return "plan";
  }
  return "";
}

// Adds the tensor and axis of the model that a size is read from.
static void json_add_axis(const Report *r, json_t *o, const Chain *chain, const char *name) {
  ChainSize source;
  if (r->split && split_size_source(r->chains->survey, chain, name, &source)) {
    json_object_set_new(o, "tensor", json_text(source.tensor));
    json_object_set_new(o, "axis", json_integer(source.axis));
    return;
  }
  for (int i = 0; i < chain->size.count; i++) {
    const ChainSize *size = &chain->size.item[i];
    if (strcmp(size->name, name) != 0 || !size->tensor)
      continue;
    json_object_set_new(o, "tensor", json_text(size->tensor));
    json_object_set_new(o, "axis", json_integer(size->axis));
  }
}

// The parameters of a call, in order: {"kind": "size", "name": "N", "tensor": "x", "axis": 0}. Sizes and ranks that are
// results have the name of their output.
static json_t *json_parameters(const Report *r, const Chain *chain, const Signature *signature) {
  Arena *arena = r->p->arena;
  json_t *list = json_array();
  const Graph *graph = chain->graph;
  for (int i = 0; i < signature->parameter.count; i++) {
    Parameter p = signature->parameter.item[i];
    const char *kind = parameter_word(p.kind);
    if (p.kind == PARAMETER_DIMS || p.kind == PARAMETER_RANK)
      p.kind = PARAMETER_OUTPUT;
    const char *name = parameter_name(arena, graph, p);
    json_t *o = json_pack("{s:s, s:o}", "kind", kind, "name", json_text(name));
    if (p.kind == PARAMETER_SIZE)
      json_add_axis(r, o, chain, name);
    json_array_append_new(list, o);
  }
  return list;
}

// The sizes that a function takes; for a chain without a plan, the open sizes of its inputs.
static json_t *json_symbols(Arena *arena, const Graph *graph) {
  json_t *list = json_array();
  for (int i = 0; graph && i < graph->symbol.count; i++)
    if (symbol_is_parameter(&graph->symbol.item[i]))
      json_array_append_new(
          list, json_text(parameter_name(arena, graph, (Parameter){PARAMETER_SIZE, i})));
  return list;
}

// How the function is called. The sizes of outputs are valid if no size is 0; "shape" is the function that computes
// them for all sizes.
static void json_add_call(const Report *r, json_t *o, const Planned *planned) {
  Arena *arena = r->p->arena;
  const Plan *plan = planned->plan;
  const Signature *signature = &plan->signature;
  json_object_set_new(o, "parameters", json_parameters(r, planned->chain, signature));
  json_object_set_new(o, "returns", json_string(signature->returns_status ? "rsh_status" : "void"));
  if (planned->shape)
    json_object_set_new(o, "shape",
                        json_pack("{s:s, s:o}", "function", planned->shape, "parameters",
                                  json_parameters(r, planned->chain, &plan->shape_signature)));
  if (plan->scratch_align > 0)
    json_object_set_new(o, "scratch_bytes", json_num(arena, plan->graph, plan->scratch_bytes));
  if (plan->tape)
    json_object_set_new(o, "plan_bytes", json_integer(plan->tape->plan_bytes));
}

static json_t *json_chain(const Report *r, const Planned *planned) {
  Arena *arena = r->p->arena;
  json_t *nodes = json_array(), *inputs = json_array(), *outputs = json_array();
  for (int i = 0; i < planned->chain->moved.count; i++) {
    const Moved *moved = planned->chain->moved.item[i];
    const char *name = moved->node->name;
    json_t *o = json_pack("{s:i, s:o, s:o}", "index", (int)moved->index, "name", json_text(name),
                          "operator", json_text(moved->node->op_type));
    json_array_append_new(nodes, json_add_place(arena, o, moved->place));
  }
  const Graph *graph = planned->chain->graph;
  for (int i = 0; graph && i < graph->input_count; i++)
    json_array_append_new(
        inputs, json_value(arena, graph, graph->value.item[i]->name, graph->value.item[i]));
  for (int i = 0; graph && i < graph->output_count; i++)
    json_array_append_new(outputs,
                          json_value(arena, graph, graph->output[i].name, graph->output[i].value));
  json_t *o = json_object();
  json_object_set_new(o, "name", json_text(planned->chain->name));
  json_object_set_new(o, "function",
                      planned->function ? json_string(planned->function) : json_null());
  json_object_set_new(o, "tier", json_string(planned->tier));
  json_object_set_new(o, "nodes", nodes);
  json_object_set_new(o, "symbols", json_symbols(arena, graph));
  if (planned->function)
    json_add_call(r, o, planned);
  json_object_set_new(o, "inputs", inputs);
  json_object_set_new(o, "outputs", outputs);
  json_object_set_new(o, "bytes_now", json_bytes(arena, planned, planned->now));
  json_object_set_new(o, "bytes_folded", json_bytes(arena, planned, planned->after));
  if (planned->why)
    json_object_set_new(o, "why", json_text(planned->why));
  return o;
}

static json_t *json_tensors(const Report *r) {
  const Survey *survey = r->chains->survey;
  json_t *list = json_array();
  for (int i = 0; i < survey->tensor.count; i++) {
    const Tensor *t = &survey->tensor.item[i];
    if (!t->value && t->shape.rank == RSH_RANK_UNKNOWN)
      continue;
    json_t *o = json_pack(
        "{s:o, s:s, s:o}", "name", json_text(t->name), "dtype", rsh_dtype_name(t->dtype), "dims",
        json_dims(r->p->arena, survey->graph, t->value ? &t->value->shape : &t->shape));
    json_array_append_new(list, json_add_place(r->p->arena, o, t->place));
  }
  return list;
}

// ---- --split

// The file name of each step that is a part, without its folder; `code` is the file of the code.
static const char **part_files(const Report *r, const char *code) {
  Arena *arena = r->p->arena;
  const char **file = ARENA_ARRAY(arena, const char *, r->steps->step.count + 1);
  for (int i = 0, part = 0; i < r->steps->step.count; i++)
    if (r->steps->step.item[i].chain == NO_CHAIN)
      file[i] =
          path_base(path_with_extension(arena, code, arena_printf(arena, ".part%d.onnx", ++part)));
  return file;
}

static json_t *json_crossing(const Report *r, const int *number, int count) {
  const Graph *graph = r->chains->survey->graph;
  json_t *list = json_array();
  for (int i = 0; i < count; i++) {
    const SplitTensor *t = &r->steps->tensor.item[number[i]];
    json_array_append_new(
        list,
        json_pack("{s:o, s:o, s:o}", "name", json_text(t->name), "dtype",
                  t->dtype == RSH_DTYPE_NONE ? json_null() : json_string(rsh_dtype_name(t->dtype)),
                  "dims", t->shape ? json_dims(r->p->arena, graph, t->shape) : json_null()));
  }
  return list;
}

static void json_add_steps(const Report *r, json_t *o, const char *code) {
  json_t *list = json_array(), *kept = json_array();
  const SplitSteps *steps = r->steps;
  const char **file = part_files(r, code);
  VEC(int) input = {0};
  for (int i = 0; i < steps->input_count; i++)
    VEC_PUSH(r->p->arena, input, i);
  for (int i = 0; i < steps->step.count; i++) {
    const SplitStep *step = &steps->step.item[i];
    bool is_part = step->chain == NO_CHAIN;
    json_array_append_new(
        list, json_pack("{s:o, s:i, s:o, s:o}", is_part ? "part" : "chain",
                        json_text(is_part ? file[i] : r->planned[step->chain].chain->name), "nodes",
                        step->nodes, "inputs", json_crossing(r, step->in.item, step->in.count),
                        "outputs", json_crossing(r, step->out.item, step->out.count)));
  }
  for (int i = 0; i < r->kept.count; i++)
    json_array_append_new(kept, json_pack("{s:o, s:o}", "name", json_text(r->kept.item[i].name),
                                          "why", json_text(r->kept.item[i].why)));
  json_object_set_new(o, "inputs", json_crossing(r, input.item, input.count));
  json_object_set_new(o, "outputs", json_crossing(r, steps->output.item, steps->output.count));
  json_object_set_new(o, "steps", list);
  json_object_set_new(o, "kept", kept);
}

static rsh_num step_bytes(const Report *r, const SplitStep *step, bool is_now) {
  const Graph *graph = r->chains->survey->graph;
  const Planned *planned = &r->planned[step->chain];
  rsh_num sum = rsh_int(0), bytes;
  for (int i = 0; is_now && i < planned->chain->moved.count; i++) {
    const Moved *moved = planned->chain->moved.item[i];
    for (int part = 0; part < moved->part_count; part++)
      for (int32_t k = 0; k < moved->part[part]->call.out_count; k++)
        if (value_bytes(graph, moved->part[part]->out[k], &bytes))
          (void)rsh_add(graph->symbols, sum, bytes, &sum);
  }
  for (int i = 0; !is_now && i < planned->plan->output_count; i++) {
    const SplitTensor *t = &r->steps->tensor.item[step->out.item[i]];
    if (planned->plan->output[i].tier != TIER_ALIAS && t->shape &&
        value_bytes(graph, &(Value){.dtype = t->dtype, .shape = *t->shape}, &bytes))
      (void)rsh_add(graph->symbols, sum, bytes, &sum);
  }
  return sum;
}

// "n15, n64, n161, n200 and 2 more: it has one node"
static void print_kept(const Report *r) {
  enum { SHOWN = 4 };
  bool *is_said = ARENA_ARRAY(r->p->arena, bool, r->kept.count + 1);
  if (r->kept.count > 0)
    printf("chains that stay in the model:\n");
  for (int i = 0; i < r->kept.count; i++) {
    int count = 0;
    for (int k = i; k < r->kept.count && !is_said[i]; k++) {
      if (strcmp(r->kept.item[k].why, r->kept.item[i].why) != 0)
        continue;
      if (count++ < SHOWN)
        printf("%s%s", count > 1 ? ", " : "  ", r->kept.item[k].name);
      is_said[k] = k > i;
    }
    if (count > SHOWN)
      printf(" and %d more", count - SHOWN);
    if (count > 0)
      printf(": %s\n", r->kept.item[i].why);
  }
}

static void print_steps(const Report *r, const char *code) {
  Arena *arena = r->p->arena;
  const Graph *graph = r->chains->survey->graph;
  const char **file = part_files(r, code);
  rsh_num now = rsh_int(0), after = rsh_int(0);
  int width = 4, wide_now = 12, wide_after = 12, nodes = 0, leaving = 0, chains = 0;
  for (int i = 0; i < r->steps->step.count; i++) {
    int chain = r->steps->step.item[i].chain;
    const Planned *planned = chain == NO_CHAIN ? NULL : &r->planned[chain];
    widen(&width, planned ? planned->chain->name : file[i]);
    if (planned) {
      widen(&wide_now, bytes_text(r, planned, planned->now));
      widen(&wide_after, after_text(r, planned));
    }
  }
  printf("step  %-*s  %5s  %*s  %*s\n", width, "", "nodes", wide_now, "bytes now", wide_after,
         "after");
  for (int i = 0; i < r->steps->step.count; i++) {
    const SplitStep *step = &r->steps->step.item[i];
    nodes += step->nodes;
    if (step->chain == NO_CHAIN) {
      printf("%4d  %-*s  %5d\n", i + 1, width, file[i], step->nodes);
      continue;
    }
    const Planned *planned = &r->planned[step->chain];
    (void)rsh_add(graph->symbols, now, step_bytes(r, step, true), &now);
    (void)rsh_add(graph->symbols, after, step_bytes(r, step, false), &after);
    leaving += step->nodes;
    chains++;
    printf("%4d  %-*s  %5d  %*s  %*s\n", i + 1, width, planned->chain->name, step->nodes, wide_now,
           bytes_text(r, planned, planned->now), wide_after, after_text(r, planned));
  }
  printf("\n%d of %s leave the model, in %s; bytes moved by them, with one copy per node: %s, now "
         "%s\n",
         leaving, arena_count(arena, nodes, "node"), arena_count(arena, chains, "chain"),
         num_brief(arena, graph, now), num_brief(arena, graph, after));
  print_kept(r);
}

// An inference engine executes operators that only reshape at no cost.
static bool only_reshapes(const Chain *chain) {
  for (int i = 0; i < chain->moved.count; i++)
    for (int part = 0; part < chain->moved.item[i]->part_count; part++) {
      rsh_family family = rsh_op_family(chain->moved.item[i]->part[part]->call.op);
      if (family != RSH_RESHAPES && family != RSH_KEEPS)
        return false;
    }
  return true;
}

// The reason that a chain remains in the model, or NULL.
static const char *why_kept(const Report *r, const Planned *planned) {
  const Chain *chain = planned->chain;
  const Graph *graph = chain->graph;
  ChainSize source;
  if (planned->why || !planned->plan)
    return planned->why ? planned->why : "it cannot be planned";
  if (planned->plan->tape)
    return "it is dynamic, so its function needs the runtime library";
  for (int i = 0; i < graph->symbol.count; i++)
    if (symbol_is_parameter(&graph->symbol.item[i])) {
      const char *name = parameter_name(r->p->arena, graph, (Parameter){PARAMETER_SIZE, i});
      if (!split_size_source(r->chains->survey, chain, name, &source))
        return arena_printf(r->p->arena, "no tensor that it reads has the size %s", name);
    }
  if (r->p->options->split_all)
    return NULL;
  if (chain->moved.count == 1)
    return "a single node";
  if (only_reshapes(chain))
    return "only reshapes";
  return rsh_equal(planned->now, planned->after) ? "as many bytes as its nodes write" : NULL;
}

static void add_text(Arena *arena, OutputFiles *files, const char *path, const char *text) {
  OutputPart *part = ARENA_NEW(arena, OutputPart);
  *part = (OutputPart){text, strlen(text)};
  VEC_PUSH(arena, *files, ((OutputFile){path, part, 1}));
}

// Adds the files of --split, except the code and its header.
static void add_split_files(const Report *r, const OutputNames *names, OutputFiles *files) {
  Pipeline *p = r->p;
  Arena *arena = p->arena;
  const char **part = part_files(r, names->code);
  SplitCall *call = ARENA_ARRAY(arena, SplitCall, r->chains->chain.count + 1);
  for (int i = 0; i < r->chains->chain.count; i++)
    call[i] = (SplitCall){r->planned[i].chain, r->planned[i].plan, r->planned[i].function,
                          r->planned[i].shape};
  const char *header = path_with_extension(arena, names->code, ".split.h");
  const char *stem = path_base(path_with_extension(arena, names->code, ""));
  const char *prefix = p->prefix ? p->prefix : "";
  SplitDriver driver = {.arena = arena,
                        .model = path_base(p->options->file),
                        .name = c_identifier(arena, arena_printf(arena, "%s%s", prefix, stem)),
                        .header = path_base(header),
                        .chains = path_base(names->header),
                        .survey = r->chains->survey,
                        .steps = r->steps,
                        .part = part,
                        .call = call};
  add_text(arena, files, header, split_header(&driver));
  add_text(arena, files, path_with_extension(arena, names->code, ".split.c"), split_code(&driver));
  int before = files->count, number = 0;
  for (int i = 0; i < r->steps->step.count; i++) {
    const SplitStep *step = &r->steps->step.item[i];
    if (step->chain != NO_CHAIN)
      continue;
    const char *extension = arena_printf(arena, ".part%d.onnx", ++number);
    const char *path = path_with_extension(arena, names->code, extension);
    VEC_PUSH(arena, *files, ((OutputFile){path, step->part.item, (size_t)step->part.count}));
  }
  warn_of_weights_away(p, p->model, files->item + before, files->count - before, "the parts");
  const char *extension = arena_printf(arena, ".part%d.onnx", number + 1);
  const char *past = path_with_extension(arena, names->code, extension);
  if (access(past, F_OK) == 0)
    diag_remark_file(&p->diag, "'%s' is left from an earlier --split; no step runs it", past);
}

static json_t *json_report(const Report *r, const char *code) {
  const Survey *survey = r->chains->survey;
  json_t *list = json_array(), *unknown = json_array();
  for (int i = 0; i < r->chains->chain.count; i++)
    json_array_append_new(list, json_chain(r, &r->planned[i]));
  for (int i = 0; i < survey->remark.count; i++)
    if (!survey->remark.item[i].is_warning)
      json_array_append_new(unknown, json_pack("{s:o, s:o}", "node",
                                               json_text(span_text(r, survey->remark.item[i].span)),
                                               "why", json_text(survey->remark.item[i].text)));
  json_t *o = json_pack("{s:o, s:o, s:o}", "chains", list, "tensors", json_tensors(r),
                        "unknown_shapes", unknown);
  if (r->steps)
    json_add_steps(r, o, code);
  return o;
}

static const char *dot_escape(Arena *arena, const char *text) {
  char *escaped = arena_alloc(arena, 2 * strlen(text) + 1), *to = escaped;
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      *to++ = '\\';
    *to++ = (unsigned char)*text < 0x20 ? ' ' : *text;
  }
  return escaped;
}

static void dot_chain(const Report *r, int number) {
  const Planned *planned = &r->planned[number];
  const Chain *chain = planned->chain;
  Arena *arena = r->p->arena;
  printf("  subgraph cluster_%d {\n    label=\"%s: %s\"\n", number, chain->name, planned->tier);
  for (int i = 0; i < chain->moved.count; i++)
    printf("    c%d_%d [label=\"%s\"]\n", number, i,
           dot_escape(arena, chain->moved.item[i]->node->op_type));
  puts("  }");
  const Graph *graph = chain->graph;
  for (int i = 0; graph && i < graph->input_count; i++)
    printf("  c%d_in%d [shape=plain, label=\"%s\"]\n", number, i,
           dot_escape(arena, graph->value.item[i]->name));
  for (int i = 0; graph && i < graph->node.count; i++)
    for (int32_t k = 0; k < graph->node.item[i]->call.in_count; k++) {
      const Value *from = graph->node.item[i]->in[k];
      const char *type = dot_escape(arena, value_text(arena, graph, from));
      int at = 0;
      while (from->node && graph->node.item[at] != from->node)
        at++;
      if (from->node)
        printf("  c%d_%d -> c%d_%d [label=\"%s\"]\n", number, at, number, i, type);
      else if (!value_is_constant(from))
        printf("  c%d_in%d -> c%d_%d [label=\"%s\"]\n", number, from->id, number, i, type);
    }
}

static void print_dot(const Report *r) {
  puts("digraph chains {\n  node [shape=box]");
  for (int i = 0; i < r->chains->chain.count; i++)
    dot_chain(r, i);
  puts("}");
}

static const Picture *pictures_of(const Report *r) {
  Arena *arena = r->p->arena;
  int count = r->chains->chain.count;
  Picture *picture = ARENA_ARRAY(arena, Picture, count + 1);
  Machine machine[MOST_MACHINES];
  emit_machines(arena, &r->p->options->code, machine);
  for (int i = 0; i < count; i++) {
    const Planned *planned = &r->planned[i];
    const Chain *chain = planned->chain;
    const char *bytes = arena_printf(arena, "writes %s bytes now, %s once folded",
                                     bytes_text(r, planned, planned->now), after_text(r, planned));
    picture[i] = (Picture){.title = arena_printf(arena, "%s: %s", chain->name, planned->tier),
                           .graph = chain->graph,
                           .plan = planned->plan,
                           .note = planned->why ? planned->why : bytes,
                           .machine = machine[0]};
  }
  return picture;
}

static void print_html(const Report *r) {
  TextOut text;
  print_table(r, text_out_begin(&text));
  pictures_print_html(r->p->arena, r->p->diag.file, text_out_end(&text, r->p->arena, NULL),
                      pictures_of(r), r->chains->chain.count, stdout);
}

// ---- code ----

// verify instantiates the source text of a graph with open sizes. A chain has no source text, so it gets the output of
// --emit=rsh. If a chain cannot be written as text, a warning says that it is not verified.
static void give_texts(Pipeline *p) {
  TextOut text;
  size_t size;
  FILE *out = text_out_begin(&text);
  Span span;
  for (int i = 0; i < p->module->graph_count; i++) {
    Graph *graph = p->module->graph[i];
    if (graph_text_constant(graph) || !graph_can_write(p->arena, graph, &span)) {
      if (graph->symbol.count > 0)
        diag_warning(&p->diag, graph->span, "unverified",
                     "'%s' is not verified: it has open sizes, and weights or sizes that the "
                     "language cannot express",
                     graph->name);
      continue;
    }
    graph_write(graph, out);
  }
  const char *all = text_out_end(&text, p->arena, &size);
  Source *source = source_from_text(p->arena, p->diag.file, all, size);
  Diag quiet = {.arena = p->arena, .source = source};
  Importer importer = {.arena = p->arena, .diag = &quiet, .first = source};
  p->ast = import_parse(&importer, source);
  for (int i = 0; i < p->ast->graph_count; i++)
    for (int k = 0; k < p->module->graph_count; k++)
      if (strcmp(p->module->graph[k]->name, p->ast->graph[i].name) == 0) {
        Graph *graph = p->module->graph[k];
        graph->ast = &p->ast->graph[i];
        graph_mark_data(p->arena, graph, &p->ast->graph[i]);
        if (graph->plain)
          graph->plain->ast = graph->ast;
      }
}

// Writes the code of all chains that can be compiled, and the manifest. These chains become the graphs of the pipeline.
static Exit write_code(Report *r, const OutputNames *names) {
  Pipeline *p = r->p;
  p->module = ARENA_NEW(p->arena, Module);
  p->module->graph = ARENA_ARRAY(p->arena, Graph *, r->emitted.count + 1);
  for (int i = 0; i < r->chains->chain.count; i++)
    if (r->planned[i].function)
      p->module->graph[p->module->graph_count++] = r->chains->chain.item[i].graph;
  for (int i = 0; i < r->emitted.count; i++)
    VEC_PUSH(p->arena, p->plan, r->emitted.item[i]);
  if (p->options->verify)
    give_texts(p);
  OutputFiles files = {0};
  json_t *root = json_report(r, names->code);
  char *manifest = json_dumps(root, JSON_INDENT(2));
  json_decref(root);
  if (names->manifest)
    add_text(p->arena, &files, names->manifest, manifest);
  if (r->steps)
    add_split_files(r, names, &files);
  Exit status = p->diag.errors > 0 ? EXIT_DONE : compile_chains(p, names, &files);
  free(manifest);
  return status;
}

static void plan_chains(Report *r) {
  int count = r->chains->chain.count;
  r->planned = ARENA_ARRAY(r->p->arena, Planned, count);
  r->emitted.count = 0;
  Progress *progress = progress_start(r->p->arena, "chain", count);
  for (int i = 0; i < count; i++) {
    r->planned[i].chain = &r->chains->chain.item[i];
    progress_step(progress, i, r->planned[i].chain->name);
    plan_chain(r, &r->planned[i]);
  }
  progress_end(progress);
}

// The engine runs the nodes of the chains that remain in the model, which changes the other chains: iterates to a fixed
// point.
static void settle_split(Report *r) {
  for (bool settled = false; !settled;) {
    settled = true;
    r->chains = onnx_split_chains(r->split, &r->p->diag);
    plan_chains(r);
    for (int i = 0; i < r->chains->chain.count; i++) {
      const char *why = why_kept(r, &r->planned[i]);
      if (!why)
        continue;
      settled = false;
      onnx_split_keep(r->split, r->planned[i].chain);
      VEC_PUSH(r->p->arena, r->kept, ((Kept){r->planned[i].chain->name, why}));
    }
  }
  r->steps = onnx_split_steps(r->split, r->chains);
  for (int i = 0; i < r->steps->bound.count; i++)
    VEC_PUSH(r->p->arena, r->kept,
             ((Kept){span_text(r, r->steps->bound.item[i]->span),
                     "a tensor of unknown shape connects nodes on both sides of it"}));
}

static Exit report(Report *r) {
  const Options *o = r->p->options;
  OutputNames names = {0};
  if (o->output && choose_names(o, &names) != EXIT_DONE)
    return EXIT_USAGE;
  if (r->split)
    settle_split(r);
  else
    plan_chains(r);
  name_functions(r);
  Exit status = r->steps ? write_code(r, &names) : EXIT_DONE;
  if (status != EXIT_DONE || r->p->diag.errors > 0)
    return status;
  if (o->json)
    json_print(json_report(r, names.code));
  else if (o->dot)
    print_dot(r);
  else if (o->svg)
    pictures_print_svg(r->p->arena, pictures_of(r), r->chains->chain.count, stdout);
  else if (o->html)
    print_html(r);
  else if (r->steps)
    print_steps(r, names.code);
  else if (!o->output)
    print_table(r, stdout);
  return o->output && !r->steps ? write_code(r, &names) : EXIT_DONE;
}

static Exit check_split(const Options *o) {
  bool has_code = o->emit != EMIT_DMA && !o->emit_rsh && !o->emit_wasm;
  if (!o->output || strcmp(o->output, "-") == 0)
    return usage_error(COMMAND_CHAINS, "--split writes several files: give -o DIR/ or -o FILE");
  if (!has_code)
    return usage_error(COMMAND_CHAINS,
                       "--split needs functions that C can call: --emit=%s has none",
                       o->emit_rsh    ? "rsh"
                       : o->emit_wasm ? "wasm"
                                      : "dma");
  if (!pipeline_is_onnx(o))
    return usage_error(COMMAND_CHAINS, "'%s' is OpenVINO IR; --split takes only ONNX models",
                       o->file);
  return EXIT_DONE;
}

static bool find_chains(Report *r, const OnnxFile *file) {
  if (r->p->options->split)
    r->split = onnx_split(r->p->arena, file, &r->p->diag);
  else
    r->chains = onnx_chains(r->p->arena, file, true, &r->p->diag);
  return r->split || r->chains;
}

Exit command_chains(const Options *options) {
  Pipeline p;
  Report r = {.p = &p};
  pipeline_start(&p, options);
  if (!options->output &&
      (options->header || options->depend || options->verify || options->report ||
       options->emit_rsh || options->emit_so || options->emit_wasm || options->emit != EMIT_OBJECT))
    return usage_error(COMMAND_CHAINS, "--header, --emit, --report, -MD and -fverify go with -o");
  if (!pipeline_is_model(options))
    return usage_error(COMMAND_CHAINS,
                       "'%s' is neither an ONNX model nor OpenVINO IR (.xml); 'explain' shows the "
                       "graphs of a .rsh file",
                       options->file);
  if (options->split && check_split(options) != EXIT_DONE)
    return EXIT_USAGE;
  Progress *progress = progress_start(p.arena, "reading the model", 0);
  const OnnxFile *file = pipeline_model_file(&p);
  bool found = file && find_chains(&r, file);
  progress_end(progress);
  p.model = file;
  p.source = p.diag.source;
  Exit status = found && pipeline_read_tuning(&p) ? report(&r) : EXIT_DONE;
  onnx_split_end(r.split);
  return pipeline_finish(&p, status);
}
