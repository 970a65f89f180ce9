// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a dynamic graph as C, whose calls are code (codegen/code/code_dynamic.c): its tape is a constant, with which they call the
// runtime. The declarations repeat those of runtime/program.h.
#include "codegen/c/c_internal.h"
#include "runtime/dlpack.h"

#include <inttypes.h>

// A call of the runtime: the names of its arguments, "sizes, inputs, " for the lists.
typedef struct CFields {
  const char *tape, *parts, *lists;
} CFields;

static void put_declarations(CFile *file) {
  if (c_helper(file, "program"))
    return;
  c_helper_add(file, "program", "rsh_program_call");
  c_put(&file->helpers,
        "\n/* Of librsh_runtime. */\n"
        "struct rsh_element_function {\n  int32_t op;\n  int32_t dtype;\n  uint64_t constant[3];\n "
        " uint64_t tables;\n"
        "  void (*run)(void *element, int64_t entry);\n};\n\n"
        "struct rsh_call;\nstruct rsh_shape;\nstruct rsh_fault;\nstruct rsh_fold_state;\n"
        "struct rsh_step;\nstruct rsh_program_tensors;\nstruct rsh_program_check;\n"
        "struct rsh_program_mover;\n\n"
        "struct rsh_operator {\n  int32_t op;\n"
        "  rsh_status (*rule)(const struct rsh_call *call, struct rsh_shape *out, struct rsh_fault "
        "*fault);\n"
        "  void (*fold)(struct rsh_fold_state *fold);\n"
        "  rsh_status (*element)(const struct rsh_step *step, void *element);\n};\n\n"
        "struct rsh_program_parts {\n  const struct rsh_operator *operators;\n"
        "  const struct rsh_element_function *functions;\n  int32_t function_count;\n"
        "  const struct rsh_program_tensors *tensors;\n"
        "  const struct rsh_program_check *edges;\n"
        "  const struct rsh_program_check *guards;\n"
        "  const struct rsh_program_mover *mover;\n};\n\n"
        "struct rsh_program_call {\n  const int64_t *sizes;\n  const void *const *inputs;\n"
        "  void *const *outputs;\n  int64_t *const *dims;\n  int32_t *const *ranks;\n"
        "  const struct rsh_program_parts *parts;\n  void *memory;\n};\n\n"
        "rsh_status rsh_program_shape(const int64_t *tape, const struct rsh_program_call *call);\n"
        "rsh_status rsh_program_run(const int64_t *tape, const struct rsh_program_call *call);\n");
}

static const char *put_tape(CFile *file, const Plan *plan, const char *name) {
  const char *tape = name_unique(&file->names, arena_printf(file->arena, "%s_tape", name));
  int count = plan->tape->word.count;
  c_put(&file->helpers, "\nstatic const int64_t %s[%d] = {", tape, count);
  for (int i = 0; i < count; i++)
    c_put_item(&file->helpers, i, 12, c_int(file->arena, plan->tape->word.item[i]));
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

static const char *entry_text(CKernel *k, const CodeNode *give, int64_t entry) {
  int parameters = k->signature->parameter.count;
  if (entry >= parameters)
    return put_constant(k, k->plan->tape->constant.item[entry - parameters]);
  if (entry < 0)
    return give->n == PARAMETER_SIZE ? "0" : "NULL";
  k->is_used[entry] = true;
  return k->parameter[entry];
}

// "const void *const inputs[2] = {x, f_constant};", and its name; "NULL" of an empty list.
static const char *put_list(CKernel *k, const CodeNode *give) {
  static const char *const type[] = {[PARAMETER_SIZE] = "const int64_t ",
                                     [PARAMETER_INPUT] = "const void *const ",
                                     [PARAMETER_OUTPUT] = "void *const ",
                                     [PARAMETER_DIMS] = "int64_t *const ",
                                     [PARAMETER_RANK] = "int32_t *const "};
  const char *text = "";
  if (give->index == 0)
    return "NULL";
  for (int i = 0; i < give->index; i++)
    text = arena_printf(k->file->arena, "%s%s%s", text, i ? ", " : "",
                        entry_text(k, give, give->list[i]));
  const char *name = name_unique(&k->locals, give->text);
  c_line(k, "%s%s[%d] = {%s};", type[give->n], name, give->index, text);
  return name;
}

// Declares a name of the runtime, once a file. Returns the name, or "NULL".
static const char *needed(CFile *file, const char *name, const char *before, const char *behind) {
  if (!name)
    return "NULL";
  if (!c_helper(file, name)) {
    c_helper_add(file, name, name);
    c_put(&file->helpers, "%s%s%s;\n", before, name, behind);
  }
  return name;
}

// The address of a constant of the runtime, a struct rsh_program_<type>.
static const char *needed_constant(CFile *file, const char *name, const char *type) {
  const char *before = arena_printf(file->arena, "extern const struct rsh_program_%s ", type);
  return arena_printf(file->arena, "%s%s", name ? "&" : "", needed(file, name, before, ""));
}

// static const struct rsh_operator NAME_operators[N]: its name.
static const char *put_operators(CFile *file, const Tape *tape, const char *name, bool is_shape) {
  const char *text = "";
  for (int i = 0; i < tape->operator.count; i++) {
    const TapeOperator *o = &tape->operator.item[i];
    const char *rule = needed(file, o->rule, "rsh_status ",
                              "(const struct rsh_call *call, struct rsh_shape *out, "
                              "struct rsh_fault *fault)");
    const char *fold =
        needed(file, is_shape ? NULL : o->fold, "void ", "(struct rsh_fold_state *fold)");
    const char *element = needed(file, is_shape ? NULL : o->element, "rsh_status ",
                                 "(const struct rsh_step *step, void *element)");
    text = arena_printf(file->arena, "%s%s\n    {%d, %s, %s, %s}", text, i ? "," : "", (int)o->op,
                        rule, fold, element);
  }
  const char *all = name_unique(&file->names, arena_printf(file->arena, "%s_operators", name));
  c_put(&file->body, "\nstatic const struct rsh_operator %s[%d] = {%s\n};\n", all,
        tape->operator.count, text);
  return all;
}

// static const struct rsh_program_parts NAME_parts: its address.
static const char *put_parts(CFile *file, const Tape *tape, const char *name, const char *functions,
                             bool is_shape) {
  const char *operators =
      tape->operator.count> 0 ? put_operators(file, tape, name, is_shape) : "NULL";
  const char *part[] = {needed_constant(file, tape->tensors, "tensors"),
                        needed_constant(file, tape->edges, "check"),
                        needed_constant(file, tape->guards, "check"),
                        needed_constant(file, is_shape ? NULL : tape->mover, "mover")};
  const char *parts = name_unique(&file->names, arena_printf(file->arena, "%s_parts", name));
  c_put(&file->body,
        "\nstatic const struct rsh_program_parts %s = {\n    %s, %s, %d, %s, %s, %s, %s\n};\n",
        parts, operators, is_shape ? "NULL" : functions, is_shape ? 0 : tape->function.count,
        part[0], part[1], part[2], part[3]);
  return arena_printf(file->arena, "&%s", parts);
}

static void put_call(CKernel *k, const CFields *fields, int64_t shape_bytes) {
  const char *memory =
      shape_bytes > 0 ? name_unique(&k->locals, "memory") : c_parameter(k, PARAMETER_PLAN, 0);
  if (shape_bytes > 0)
    c_line(k, "int64_t %s[%d];", memory, (int)((shape_bytes + 7) / 8));
  const char *call = name_unique(&k->locals, "call");
  c_line(k, "const struct rsh_program_call %s = {%s%s, %s};", call, fields->lists, fields->parts,
         memory);
  c_line(k, "return %s(%s, &%s);", shape_bytes > 0 ? "rsh_program_shape" : "rsh_program_run",
         fields->tape, call);
}

static void put_program(CKernel *k, CFields *fields, const CodeNode *node) {
  if (node->op == CODE_GIVE)
    fields->lists = arena_printf(k->file->arena, "%s%s, ", fields->lists, put_list(k, node));
  else
    put_call(k, fields, node->n);
}

static void put_function(CFile *file, const Plan *plan, const char *name, CFields fields,
                         bool is_shape) {
  const Signature *s = is_shape ? &plan->shape_signature : &plan->signature;
  CKernel k = c_kernel_begin(file, plan, s, name);
  c_put_code(&k, code_dynamic(file->arena, plan, is_shape),
             (CLeaves){.fields = &fields, .program = put_program});
  c_put(&file->body, "\n%s {\n", c_prototype(file->arena, plan, s, name, k.parameter, "restrict "));
  c_body_end(&k, s->parameter.count);
}

void c_put_dynamic(CFile *file, const Plan *plan, const char *name, const char *shape) {
  file->needs_statuses = true;
  file->needs_tensors = file->needs_tensors || graph_takes_tensors(plan->graph);
  put_declarations(file);
  CFields fields = {.lists = "", .tape = put_tape(file, plan, name)};
  const char *functions = put_elements(file, plan, name);
  fields.parts = put_parts(file, plan->tape, shape, functions, true);
  put_function(file, plan, shape, fields, true);
  fields.parts = put_parts(file, plan->tape, name, functions, false);
  put_function(file, plan, name, fields, false);
}
