// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a dynamic graph as C, as emit_dynamic.c builds them: its tape is a constant, with which they call the
// runtime. The declarations repeat those of runtime/program.h.
#include "codegen/c/c_internal.h"
#include "runtime/dlpack.h"

#include <inttypes.h>

static void put_declarations(CFile *file) {
  if (c_helper(file, "program"))
    return;
  c_helper_add(file, "program", "rsh_program_call");
  c_put(&file->helpers,
        "\n/* Of librsh_runtime. */\n"
        "struct rsh_element_function {\n  int32_t op;\n  int32_t dtype;\n  uint64_t constant[3];\n "
        " uint64_t tables;\n"
        "  void (*run)(void *element, int64_t entry);\n};\n\n"
        "struct rsh_program_call {\n  const int64_t *sizes;\n  const void *const *inputs;\n"
        "  void *const *outputs;\n  int64_t *const *dims;\n  int32_t *const *ranks;\n"
        "  const struct rsh_element_function *functions;\n  int32_t function_count;\n  void "
        "*memory;\n};\n\n"
        "rsh_status rsh_program_shape(const int64_t *tape, const struct rsh_program_call *call);\n"
        "rsh_status rsh_program_run(const int64_t *tape, const struct rsh_program_call *call);\n");
}

static const char *put_tape(CFile *file, const Plan *plan, const char *name) {
  const char *tape = name_unique(&file->names, arena_printf(file->arena, "%s_tape", name));
  int count = plan->tape->word.count;
  c_put(&file->helpers, "\nstatic const int64_t %s[%d] = {", tape, count);
  for (int i = 0; i < count; i++)
    c_put(&file->helpers, "%s%s",
          i == 0        ? "\n    "
          : i % 12 == 0 ? ",\n    "
                        : ", ",
          c_int(file->arena, plan->tape->word.item[i]));
  c_put(&file->helpers, "\n};\n");
  return tape;
}

// static void NAME_element_K(void *element, int64_t entry): takes an element through a step, in place.
static const char *put_element(CFile *file, const Graph *graph, const rsh_step *step,
                               const char *name, int index) {
  const char *function = c_step(file, graph, step, 1);
  const char *element =
      name_unique(&file->names, arena_printf(file->arena, "%s_element_%d", name, index));
  c_put(&file->body,
        "\nstatic void %s(void *element, int64_t entry) {\n%s"
        "  *(%s *)element = %s(*(const %s *)element%s);\n}\n",
        element, step->tables ? "" : "  (void)entry;\n", rsh_dtype_ctype(step->to), function,
        rsh_dtype_ctype(step->from), step->tables ? ", (size_t)entry" : "");
  return element;
}

// An array of rsh_element_function: its name, or "NULL".
static const char *put_elements(CFile *file, const Plan *plan, const char *name) {
  int count = plan->tape->function.count;
  const char *text = "";
  for (int i = 0; i < count; i++) {
    const rsh_step *step = &plan->tape->function.item[i];
    const char *constants = "";
    for (int k = 0; k < RSH_CONSTANTS; k++)
      constants = arena_printf(file->arena, "%s%sUINT64_C(0x%" PRIX64 ")", constants, k ? ", " : "",
                               step->constant[k]);
    text = arena_printf(file->arena, "%s%s\n    {%d, %d, {%s}, %dU, %s}", text, i ? "," : "",
                        (int)step->op, (int)step->from, constants, (int)step->tables,
                        put_element(file, graph_of_program(plan->graph), step, name, i));
  }
  if (count == 0)
    return "NULL";
  const char *all = name_unique(&file->names, arena_printf(file->arena, "%s_functions", name));
  c_put(&file->body, "\nstatic const struct rsh_element_function %s[%d] = {%s\n};\n", all, count,
        text);
  return all;
}

// What a call passes for a constant: its elements, or a DLTensor around them.
static const char *put_constant(CKernel *k, const Value *value) {
  CFile *file = k->file;
  const char *data = c_constant(k, value), *dims = "";
  if (!graph_takes_tensors(k->plan->graph))
    return data;
  DLDataType type = {0};
  (void)rsh_dtype_to_dlpack(value->dtype, &type);
  for (int i = 0; i < value->shape.rank; i++)
    dims = arena_printf(file->arena, "%s%s%s", dims, i ? ", " : "",
                        c_int(file->arena, value->shape.dim[i].n));
  const char *shape = name_unique(&k->locals, "shape"), *tensor = name_unique(&k->locals, "tensor");
  c_line(k, "int64_t %s[%d] = {%s};", shape, value->shape.rank > 0 ? value->shape.rank : 1,
         value->shape.rank > 0 ? dims : "0");
  c_line(k, "const DLTensor %s = {(void *)%s, {kDLCPU, 0}, %d, {%d, %d, %d}, %s, NULL, 0};", tensor,
         data, value->shape.rank, type.code, type.bits, type.lanes, shape);
  return arena_printf(file->arena, "&%s", tensor);
}

// The parameters of one kind, by index; zero for an index without a parameter. False: there is none at all.
static bool find_parameters(CKernel *k, ParameterKind kind, int count, const char **item) {
  bool any = false;
  for (int i = 0; i < count; i++) {
    int place = signature_find(k->signature, kind, i);
    any = any || place >= 0;
    item[i] = place >= 0 ? c_parameter(k, kind, i) : kind == PARAMETER_SIZE ? "0" : "NULL";
  }
  return any;
}

static const char *put_items(CKernel *k, const char **item, int count, const char *type,
                             const char *wanted) {
  const char *text = "", *name = name_unique(&k->locals, wanted);
  for (int i = 0; i < count; i++)
    text = arena_printf(k->file->arena, "%s%s%s", text, i ? ", " : "", item[i]);
  c_line(k, "%s%s[%d] = {%s};", type, name, count, text);
  return name;
}

// The parameters of one kind as an array: its name, or "NULL" where there are none.
static const char *put_list(CKernel *k, ParameterKind kind, int count, const char *type,
                            const char *wanted) {
  const char **item = ARENA_ARRAY(k->file->arena, const char *, count + 1);
  return find_parameters(k, kind, count, item) ? put_items(k, item, count, type, wanted) : "NULL";
}

// The inputs of the graph, then its constants, as one array.
static const char *put_inputs(CKernel *k) {
  const Tape *tape = k->plan->tape;
  int inputs = k->plan->graph->input_count, constants = tape->constant.count;
  const char **item = ARENA_ARRAY(k->file->arena, const char *, inputs + constants + 1);
  bool any = find_parameters(k, PARAMETER_INPUT, inputs, item);
  for (int i = 0; i < constants; i++)
    item[inputs + i] = put_constant(k, tape->constant.item[i]);
  return any || constants > 0
             ? put_items(k, item, inputs + constants, "const void *const ", "inputs")
             : "NULL";
}

static void put_function(CFile *file, const Plan *plan, const char *name, const char *tape,
                         const char *functions, bool is_shape) {
  const Graph *graph = plan->graph;
  const Signature *s = is_shape ? &plan->shape_signature : &plan->signature;
  CKernel k = c_kernel_begin(file, plan, s, name);
  const char *sizes = put_list(&k, PARAMETER_SIZE, graph->symbol.count, "const int64_t ", "sizes");
  const char *inputs = put_inputs(&k);
  const char *outputs =
      put_list(&k, PARAMETER_OUTPUT, graph->output_count, "void *const ", "outputs");
  const char *dims = put_list(&k, PARAMETER_DIMS, graph->output_count, "int64_t *const ", "dims");
  const char *ranks = put_list(&k, PARAMETER_RANK, graph->output_count, "int32_t *const ", "ranks");
  const char *memory =
      is_shape ? name_unique(&k.locals, "memory") : c_parameter(&k, PARAMETER_PLAN, 0);
  if (is_shape)
    c_line(&k, "int64_t %s[%d];", memory, (int)((plan->tape->shape_bytes + 7) / 8));
  const char *call = name_unique(&k.locals, "call");
  c_line(&k, "const struct rsh_program_call %s = {%s, %s, %s, %s, %s, %s, %d, %s};", call, sizes,
         inputs, outputs, dims, ranks, functions, plan->tape->function.count, memory);
  c_line(&k, "return %s(%s, &%s);", is_shape ? "rsh_program_shape" : "rsh_program_run", tape, call);
  c_put(&file->body, "\n%s {\n", c_prototype(file->arena, plan, s, name, k.parameter, "restrict "));
  c_body_end(&k, s->parameter.count);
}

void c_put_dynamic(CFile *file, const Plan *plan, const char *name, const char *shape) {
  file->needs_statuses = true;
  file->needs_tensors = file->needs_tensors || graph_takes_tensors(plan->graph);
  put_declarations(file);
  const char *tape = put_tape(file, plan, name), *functions = put_elements(file, plan, name);
  put_function(file, plan, shape, tape, functions, true);
  put_function(file, plan, name, tape, functions, false);
}
