// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls dynamic graphs: sizes come from the shapes of the files, dims of results from NAME_shape.
#include "driver/commands/run_dynamic.h"

#include "driver/verify/verify_map.h"
#include "runtime/dlpack.h"
#include "runtime/program.h"

#include <stdlib.h>
#include <string.h>

typedef struct DynamicRun {
  Pipeline *p;
  const Plan *plan;
  const Graph *graph;
  const Sizes *sizes;
  Npy *in, *out;
  int64_t (*dims)[RSH_MAX_RANK]; // of each result
  int32_t *rank;
  DLTensor *in_tensor, *out_tensor; // if the function takes DLTensor structures
  void *memory;                     // the plan
} DynamicRun;

static DLTensor tensor_of(Npy *array) {
  DLTensor t = {.data = array->data, .ndim = array->rank, .shape = array->dim};
  t.device.device_type = kDLCPU;
  (void)rsh_dtype_to_dlpack(array->dtype, &t.dtype);
  return t;
}

static const JitArgument *arguments_of(DynamicRun *r, const Signature *s) {
  JitArgument *argument = ARENA_ARRAY(r->p->arena, JitArgument, s->parameter.count + 1);
  bool tensors = graph_takes_tensors(r->graph);
  for (int i = 0; i < s->parameter.count; i++) {
    int index = s->parameter.item[i].index;
    switch (s->parameter.item[i].kind) {
    case PARAMETER_SIZE:
      argument[i].size = r->sizes->value[index];
      break;
    case PARAMETER_INPUT:
      argument[i].input = tensors ? (const void *)&r->in_tensor[index] : r->in[index].data;
      break;
    case PARAMETER_OUTPUT:
      argument[i].output = tensors ? (void *)&r->out_tensor[index] : r->out[index].data;
      break;
    case PARAMETER_DIMS:
      argument[i].output = r->dims[index];
      break;
    case PARAMETER_RANK:
      argument[i].output = &r->rank[index];
      break;
    case PARAMETER_PLAN:
      argument[i].output = r->memory;
      break;
    case PARAMETER_SCRATCH: // dynamic graphs have none
      break;
    }
  }
  return argument;
}

Exit run_refused(const Graph *graph, rsh_status status) {
  return input_error("graph '%s' cannot take these arguments: %s: %s", graph->name,
                     rsh_status_name(status), rsh_status_string(status));
}

// The entries of all inputs that may be targets.
static const int64_t *const *targets_of(const DynamicRun *r) {
  const int64_t **target = ARENA_ARRAY(r->p->arena, const int64_t *, r->graph->input_count + 1);
  for (int i = 0; i < r->graph->input_count; i++) {
    int64_t count = r->in[i].rank == 1 ? r->in[i].dim[0] : r->in[i].rank == 0;
    int64_t *entry = ARENA_ARRAY(r->p->arena, int64_t, RSH_MAX_RANK + 1);
    for (int64_t k = 0; k < count && k < RSH_MAX_RANK && rsh_dtype_is_integer(r->in[i].dtype); k++)
      entry[k] = rsh_target_entry(r->in[i].data, r->in[i].dtype, k);
    target[i] = entry;
  }
  return target;
}

// The shape in elements, even if the file holds strided memory.
static rsh_shape shape_of_input(const DynamicRun *r, int input) {
  const rsh_shape *type = &r->graph->value.item[input]->shape;
  bool is_any = type->rank == RSH_RANK_UNKNOWN;
  rsh_shape shape = {.rank = is_any ? r->in[input].rank : type->rank};
  for (int k = 0; k < shape.rank; k++) {
    int64_t n = is_any ? r->in[input].dim[k] : 0;
    if (!is_any)
      (void)sizes_eval(r->sizes, r->graph, type->dim[k], &n); // as in sizes_bind()
    shape.dim[k] = rsh_int(n);
  }
  return shape;
}

// Computes the sizes to store in the files, which contain raw memory: for a result with a layout they differ from those
// of its type, which the function returns; a strided result includes all bytes from its lowest to its highest address.
static void find_memory_dims(DynamicRun *r) {
  const Graph *graph = graph_of_program(r->graph);
  rsh_shape *shape = ARENA_ARRAY(r->p->arena, rsh_shape, graph->input_count + 1);
  Map map = {.arena = r->p->arena, .graph = graph, .in_shape = shape, .target = targets_of(r)};
  memcpy(map.symbol, r->sizes->value, sizeof map.symbol);
  for (int i = 0; i < graph->input_count; i++)
    shape[i] = shape_of_input(r, i);
  map_inputs(&map);
  if (map_sizes(&map) != RSH_ok) // the call itself reports it
    return;
  for (int i = 0; i < graph->output_count; i++) {
    const Value *value = graph->output[i].value;
    if (!value->storage)
      continue;
    r->rank[i] = map.value[value->id].rank;
    memcpy(r->dims[i], map.value[value->id].dim, sizeof r->dims[i]);
    if (!value->storage->stride)
      continue;
    r->rank[i] = 1;
    r->dims[i][0] = map_elements(&map, value);
  }
}

static bool allocate(DynamicRun *r, int i) {
  Npy *array = &r->out[i];
  if (!npy_allocate(array))
    return false;
  memset(array->data, 0, array->bytes); // gaps between strides, and between packed elements
  return true;
}

static Exit make_tensors(DynamicRun *r) {
  find_memory_dims(r);
  for (int i = 0; i < r->graph->output_count; i++) {
    const Value *value = r->graph->output[i].value;
    Npy *array = &r->out[i];
    array->dtype = value->dtype;
    bool is_strided = value_is_strided(value);
    array->rank =
        is_strided || value->shape.rank == RSH_RANK_UNKNOWN ? r->rank[i] : value->shape.rank;
    memcpy(array->dim, r->dims[i], sizeof r->dims[i]);
    if (!allocate(r, i))
      return input_error("cannot allocate memory for result '%s'", r->graph->output[i].name);
    r->out_tensor[i] = tensor_of(array);
  }
  return EXIT_DONE;
}

static Exit call(DynamicRun *r, Jit *jit) {
  void *shape = jit_find(jit, r->graph->name, ENTRY_SHAPE),
       *run = jit_find(jit, r->graph->name, ENTRY_WHOLE);
  if (!shape || !run) {
    diag_error_file(&r->p->diag, "internal", "no code was generated for graph '%s'",
                    r->graph->name);
    return EXIT_DONE;
  }
  rsh_status status = jit_call(shape, arguments_of(r, &r->plan->shape_signature));
  if (status != RSH_ok)
    return run_refused(r->graph, status);
  Exit exit = make_tensors(r);
  if (exit != EXIT_DONE)
    return exit;
  r->memory = calloc(1, (size_t)r->plan->tape->plan_bytes);
  if (!r->memory)
    return input_error("cannot allocate memory for the plan of graph '%s'", r->graph->name);
  status = jit_call(run, arguments_of(r, &r->plan->signature));
  return status == RSH_ok ? EXIT_DONE : run_refused(r->graph, status);
}

Exit run_dynamic(Pipeline *p, const Plan *plan, const Sizes *sizes, Npy *in, Npy *out) {
  const Graph *g = plan->graph;
  DynamicRun r = {.p = p, .plan = plan, .graph = g, .sizes = sizes, .in = in, .out = out};
  r.rank = ARENA_ARRAY(p->arena, int32_t, g->output_count);
  r.dims = arena_alloc(p->arena, (size_t)g->output_count * sizeof *r.dims);
  r.in_tensor = ARENA_ARRAY(p->arena, DLTensor, g->input_count + 1);
  r.out_tensor = ARENA_ARRAY(p->arena, DLTensor, g->output_count);
  for (int i = 0; i < g->input_count; i++)
    r.in_tensor[i] = tensor_of(&in[i]);
  EmitOptions code = p->options->code;
  Jit *jit = jit_new(p->arena, &plan, 1, &code, &p->diag);
  if (!jit)
    return EXIT_DONE; // the error is among the diagnostics
  Exit status = call(&r, jit);
  free(r.memory);
  jit_free(jit);
  return status;
}
