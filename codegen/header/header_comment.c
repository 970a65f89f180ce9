// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comment before a function in the header: its requirements on each pointer, and its result.
#include "codegen/header/header_internal.h"

#include <inttypes.h>
#include <string.h>

static const char *typed(Header *h, const Graph *graph, const char *name, const Value *value) {
  return arena_printf(h->arena, "%s: %s", c_comment(h->arena, name),
                      c_comment(h->arena, value_text(h->arena, graph, value)));
}

// graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28]
static void put_signature(Header *h, const Graph *graph) {
  put(h, " * graph %s(", c_comment(h->arena, graph->name));
  for (int i = 0; i < graph->input_count; i++)
    put(h, "%s%s", i ? ", " : "",
        typed(h, graph, graph->value.item[i]->name, graph->value.item[i]));
  put(h, ") -> %s", graph->output_count == 1 ? "" : "(");
  for (int i = 0; i < graph->output_count; i++)
    put(h, "%s%s", i ? ", " : "", typed(h, graph, graph->output[i].name, graph->output[i].value));
  put(h, "%s\n", graph->output_count == 1 ? "" : ")");
}

// How elements are stored, if the C type does not show it.
static const char *storage(rsh_dtype type) {
  switch (rsh_dtype_kind_of(type)) {
  case RSH_KIND_COMPLEX:
    return ", pairs of real and imaginary parts";
  case RSH_KIND_STRING:
    return ", handles: the characters are not moved";
  case RSH_KIND_NONE:
  case RSH_KIND_BOOL:
  case RSH_KIND_SIGNED:
  case RSH_KIND_UNSIGNED:
  case RSH_KIND_FLOAT:
    break;
  }
  return plan_element_bits(type) < 8 ? ", packed, first element in the lowest bits" : "";
}

// "1536*B*S bytes", "4 bits for each of B*N elements"
static const char *bytes_text(Header *h, const Graph *graph, const Value *value) {
  rsh_num count, bytes;
  if (plan_is_known(value))
    return arena_printf(h->arena, "%" PRIu64 " bytes", plan_value_bytes(value));
  if (rsh_volume(graph->symbols, &value->shape, &count) != RSH_ok)
    return "size in bytes given by its shape";
  if (value_is_strided(value))
    count = value->storage->span;
  if (plan_to_bytes(count, value->dtype, &bytes))
    return arena_printf(h->arena, "%s bytes", num_text(h->arena, graph, bytes));
  return arena_printf(h->arena, "%d bits for each of %s elements", plan_element_bits(value->dtype),
                      num_text(h->arena, graph, count));
}

static const char *alignment_text(const Header *h, uint32_t align) {
  if (align == 1)
    return "any alignment";
  return arena_printf(h->arena, "aligned to %" PRIu32 " bytes", align);
}

static void put_pointer(Header *h, const Graph *graph, const char *name, const Value *value,
                        uint32_t align, const char *role) {
  put(h, " *   %s: %s, %s%s, ", name, role, c_comment(h->arena, bytes_text(h, graph, value)),
      storage(value->dtype));
  if (plan_is_known(value) && plan_value_bytes(value) == 0)
    put(h, "not accessed, may be null");
  else
    put(h, "%s", alignment_text(h, align));
}

// How a value is stored, if it is not row-major.
static void put_storage(Header *h, const Graph *graph, const Value *value, const char *gaps) {
  const Storage *storage = value->storage;
  if (!storage)
    return;
  put(h, ",\n *     in memory %s", shape_text(h->arena, graph, &value->shape));
  if (!storage->stride)
    return;
  rsh_shape strides = {.rank = value->shape.rank};
  for (int i = 0; i < strides.rank; i++)
    strides.dim[i] = storage->stride[i];
  put(h, " at strides of %s elements", shape_text(h->arena, graph, &strides));
  if (!rsh_is(storage->offset, 0))
    put(h, ", the first being element %s", num_text(h->arena, graph, storage->offset));
  put(h, "%s", gaps);
}

// The sequence offsets that belong to a tensor: `lod` of the language.
static void put_lod(Header *h, const Plan *plan, const Value *value, const Naming *n) {
  if (value->lod == value)
    put(h, ",\n *     with offsets of sequences along axis 0");
  else if (value->lod)
    put(h, ",\n *     with the offsets of %s along axis 0",
        header_naming(plan, n, PARAMETER_INPUT, value->lod->id)->name);
  else if (value->lod_lost)
    put(h, ",\n *     without offsets: %s does not keep the rows",
        rsh_op_name(value->lod_lost->call.op));
}

// The unused bits of an output with elements of less than a byte. Those of an alias belong to other elements of the
// input.
static void put_spare_bits(Header *h, const Value *value, bool is_alias) {
  bool is_packed = plan_element_bits(value->dtype) < 8;
  if (is_packed && !(plan_is_known(value) && plan_value_bytes(value) == 0))
    put(h, ",\n *     bits of the last byte beyond the last element become 0%s",
        is_alias ? " if it is copied" : "");
}

static void put_output_comment(Header *h, const Plan *plan, int index, const Naming *n) {
  const Graph *graph = plan->graph;
  const OutputPlan *out = &plan->output[index];
  put_pointer(h, graph, header_naming(plan, n, PARAMETER_OUTPUT, index)->name, out->output->value,
              plan_output_align(out->output), "output");
  put_storage(h, graph, out->output->value, ", the gaps are not written");
  const Value *place = c_alias_place(graph, out);
  put_spare_bits(h, out->output->value, place != NULL);
  put_lod(h, plan, out->output->value, n);
  bool has_elements = out->bytes > 0 || !plan_is_known(out->output->value);
  if (has_elements && place)
    put(h,
        ",\n *     may point to element %s of %s: then nothing is copied; otherwise must not "
        "overlap an input",
        num_text(h->arena, graph, out->offset),
        header_naming(plan, n, PARAMETER_INPUT, place->id)->name);
  else if (out->in_place)
    put(h,
        ",\n *     may point to element %s of %s, which is then overwritten%s; otherwise must not "
        "overlap an input",
        num_text(h->arena, graph, out->offset),
        header_naming(plan, n, PARAMETER_INPUT, out->in_place->id)->name,
        out->slides && !plan_fits_input(graph, out, out->in_place)
            ? ", if its memory has room for\n *     all of this output"
            : "");
  else if (has_elements)
    put(h, ",\n *     must not overlap %s",
        graph->output_count > 1 ? "an input or another output" : "an input");
  put(h, "\n *     %s\n", c_comment(h->arena, out->why));
}

// The scratch memory in which the kernel keeps values.
static void put_scratch_comment(Header *h, const Plan *plan, const Naming *all) {
  const Naming *n = header_naming(plan, all, PARAMETER_SCRATCH, 0);
  const char *prefix = n->prefix, *arguments = header_scratch_arguments(h, plan, all);
  const char *bytes = *arguments ? arena_printf(h->arena, "%s_BYTES%s", prefix, arguments)
                                 : num_text(h->arena, plan->graph, plan->scratch_bytes);
  put(h, " *   %s: %s bytes, %s%s,\n", n->name, bytes, alignment_text(h, plan->scratch_align),
      *arguments ? ", may be null if that is 0" : "");
  put(h, " *     must not overlap an input or an output; its content is not read, and is "
         "undefined afterwards\n");
}

// Inputs that are already in an output when the function is called.
static void put_placed_comment(Header *h, const Plan *plan, const Naming *n) {
  const Graph *graph = plan->graph;
  for (int i = 0; i < graph->input_count; i++) {
    int output;
    const Placed *placed = plan_placed(plan, graph->value.item[i], &output);
    if (!placed)
      continue;
    const char *y = header_naming(plan, n, PARAMETER_OUTPUT, output)->name;
    put(h, " *   %s: input, stored in %s before the call and not written: from element %s on",
        header_naming(plan, n, PARAMETER_INPUT, i)->name, y,
        num_text(h->arena, graph, placed->offset));
    int rank = placed->input->shape.rank;
    for (int k = 0; k < rank; k++)
      put(h, "%s%s", k ? ", " : ",\n *     its axes at strides of ",
          num_text(h->arena, graph, placed->stride[k]));
    put(h, "%s\n", rank ? " elements" : "");
  }
}

static bool has_scalar(const Graph *graph) {
  bool found = false;
  for (int i = 0; i < graph->input_count; i++)
    found = found || graph->value.item[i]->shape.rank == 0;
  for (int i = 0; i < graph->output_count; i++)
    found = found || graph->output[i].value->shape.rank == 0;
  return found;
}

// The status of a call that violates a condition.
static void put_conditions(Header *h, const Graph *graph) {
  for (int i = 0; i < graph->guard.count; i++)
    put(h, " *   RSH_%s: %s does not hold\n", rsh_status_name(graph->guard.item[i].status),
        c_comment(h->arena, guard_text(h->arena, graph, &graph->guard.item[i])));
}

// The indices that are checked before anything is written.
static void put_read_first(Header *h, const Plan *plan) {
  for (int i = 0; i < plan->pass_count; i++) {
    const Picks *picks = plan->pass[i].picks;
    if (!picks)
      continue;
    const Value *by = plan->graph->value.item[picks->by.source];
    put(h, " *   RSH_bad_index: an index in %s outside its axis of %s",
        c_comment(h->arena, by->name ? by->name : "what is computed"),
        num_text(h->arena, plan->graph, picks->size[0]));
    for (int k = 1; k < picks->axis_count; k++)
      put(h, ", %s", num_text(h->arena, plan->graph, picks->size[k]));
    put(h, "\n");
  }
}

// The same for a dynamic graph, whose sizes are unknown.
static void put_indices(Header *h, const Graph *graph) {
  for (int i = 0; i < graph->node.count; i++) {
    const Node *n = graph->node.item[i];
    if (rsh_takes_indices(&n->call))
      put(h, " *   RSH_bad_index: an index in %s outside its axis\n",
          c_comment(h->arena, n->in[1]->name ? n->in[1]->name : "what is computed"));
  }
}

// The statuses, in the order in which they are checked.
static void put_status(Header *h, const Plan *plan, const Naming *n) {
  int sizes = header_size_count(plan);
  put(h, " * Returns RSH_ok, or the status of an error; then nothing is written%s:\n",
      plan_checks_late(plan) ? " but scratch" : "");
  for (int i = 0; i < sizes; i++)
    put(h, "%s%s", i == 0 ? " *   RSH_bad_dim: " : i + 1 == sizes ? " or " : ", ", n[i].name);
  put(h, sizes > 0 ? " below 0\n" : "");
  put_conditions(h, plan->graph);
  put(h, "%s *   RSH_null_pointer: a null pointer for a tensor that has elements%s\n",
      sizes > 0 ? " *   RSH_overflow: a tensor too large to address\n" : "",
      plan->scratch_align > 0 ? ", or for scratch" : "");
  put_read_first(h, plan);
}

void header_put_comment(Header *h, const Plan *plan, const Naming *n, const char *shape) {
  const Graph *graph = plan->graph;
  put(h, "\n/*\n");
  put_signature(h, graph);
  for (int i = 0; i < plan->signature.parameter.count; i++) {
    Parameter p = plan->signature.parameter.item[i];
    switch (p.kind) {
    case PARAMETER_SIZE:
      break;
    case PARAMETER_INPUT:
      put_pointer(h, graph, n[i].name, graph->value.item[p.index],
                  plan_input_align(graph->value.item[p.index]), "input");
      put_storage(h, graph, graph->value.item[p.index], "");
      put_lod(h, plan, graph->value.item[p.index], n);
      put(h, "\n");
      break;
    case PARAMETER_OUTPUT:
      put_output_comment(h, plan, p.index, n);
      break;
    case PARAMETER_SCRATCH:
      put_scratch_comment(h, plan, n);
      break;
    case PARAMETER_DIMS:
    case PARAMETER_RANK:
    case PARAMETER_PLAN:
      break;
    }
  }
  put_placed_comment(h, plan, n);
  if (has_scalar(graph))
    put(h, " * A scalar has rank 0; its DIMS are { 1 }, because C has no empty arrays.\n");
  if (plan->signature.returns_status)
    put_status(h, plan, n);
  if (shape)
    put(h, " * %s only computes the sizes of the outputs; a null pointer skips one.\n", shape);
  const char *libm = plan_libm(h->arena, plan);
  if (*libm)
    put(h, " * needs: %s (libm)\n", libm);
  put(h, " */\n");
}

static void put_dynamic_tensor(Header *h, const Graph *graph, const char *name, const Value *value,
                               uint32_t align, const char *role) {
  rsh_shape shape = value_known_dims(graph, value);
  put(h, " *   %s: %s, %s", name, role,
      c_comment(h->arena, type_text(h->arena, graph, value->dtype, &shape)));
  put(h, "%s", storage(value->dtype));
  if (graph_takes_tensors(graph))
    put(h, ", in memory of the host");
  else
    put(h, ", %s", alignment_text(h, align));
  put_storage(h, graph, value, "");
}

static void put_dynamic_parameter(Header *h, const Plan *plan, const Naming *n, int i) {
  const Graph *graph = plan->graph;
  Parameter p = plan->signature.parameter.item[i];
  int32_t rank = RSH_RANK_UNKNOWN;
  if (p.kind == PARAMETER_DIMS || p.kind == PARAMETER_RANK)
    rank = value_dims(graph->output[p.index].value)->rank;
  switch (p.kind) {
  case PARAMETER_SIZE:
    break;
  case PARAMETER_INPUT:
    put_dynamic_tensor(h, graph, n[i].name, graph->value.item[p.index],
                       plan_input_align(graph->value.item[p.index]), "input");
    put_lod(h, plan, graph->value.item[p.index], n);
    put(h, "\n");
    break;
  case PARAMETER_OUTPUT:
    put_dynamic_tensor(h, graph, n[i].name, graph->output[p.index].value,
                       plan_output_align(&graph->output[p.index]), "output");
    put_spare_bits(h, graph->output[p.index].value, false);
    put_lod(h, plan, graph->output[p.index].value, n);
    put(h, ",\n *     must not overlap another tensor\n");
    break;
  case PARAMETER_DIMS:
    if (rank == RSH_RANK_UNKNOWN)
      put(h, " *   %s: receives the sizes of %s, at most %d; may be null\n", n[i].name,
          graph->output[p.index].name, RSH_MAX_RANK);
    else
      put(h, " *   %s: receives the %s of %s; may be null\n", n[i].name,
          arena_count(h->arena, (int)rank, "size"), graph->output[p.index].name);
    break;
  case PARAMETER_RANK:
    put(h, " *   %s: receives the rank of %s; may be null\n", n[i].name,
        graph->output[p.index].name);
    break;
  case PARAMETER_PLAN:
    put(h,
        " *   %s: %s_BYTES bytes, aligned to 8, all zeros before the first call. It keeps the "
        "sizes and\n"
        " *     lists of integers of the last call and the plan for them; one thread at a time\n",
        n[i].name, n[i].prefix);
    break;
  case PARAMETER_SCRATCH: // dynamic graphs have none
    break;
  }
}

void header_put_dynamic_comment(Header *h, const Plan *plan, const Naming *n, const char *shape) {
  put(h, "\n/*\n");
  put_signature(h, plan->graph);
  for (int i = 0; i < plan->signature.parameter.count; i++)
    put_dynamic_parameter(h, plan, n, i);
  put(h,
      " * Returns RSH_ok, or the status of an error in the sizes, the lists of integers or "
      "the\n * pointers; then nothing is written. %s only computes the sizes of the "
      "outputs. Link with librsh_runtime.a",
      shape);
  const char *libm = plan_libm(h->arena, plan);
  put(h, "%s.\n", *libm ? arena_printf(h->arena, " and libm (%s)", libm) : "");
  put_conditions(h, plan->graph);
  put_indices(h, plan->graph);
  put(h, " */\n");
}
