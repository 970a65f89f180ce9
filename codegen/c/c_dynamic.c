// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a dynamic graph as C: they call the runtime (codegen/code/code_dynamic.c) with the tape, a constant.
// The declarations come from runtime/program_call.h.
#include "codegen/c/c_internal.h"
#include "codegen/code/datum.h"
#include "runtime/dlpack.h"

#include <inttypes.h>

// The arguments of a call of the runtime; `lists`: "sizes, inputs, ".
typedef struct CFields {
  const char *tape, *parts, *lists;
} CFields;

static const char *const declarations[] = {
#include "codegen/c/program_call.inc"
};

static const char *put_tape(CFile *file, const Plan *plan, const char *name) {
  const char *tape = name_unique(&file->names, arena_printf(file->arena, "%s_tape", name));
  int count = plan->tape->word.count;
  c_put(&file->helpers, "\nstatic const int64_t %s[%d] = {", tape, count);
  for (int i = 0; i < count; i++)
    c_put_item(&file->helpers, i, 12, c_int(file->arena, plan->tape->word.item[i]));
  c_put(&file->helpers, "\n};\n");
  return tape;
}

// static void NAME_element_K(void *element, int64_t entry): applies a step to an element, in place.
static const char *put_element(CFile *file, const Plan *plan, int index, const char *name) {
  const rsh_step *step = &plan->tape->function.item[index];
  const char *function = c_step(file, graph_of_program(plan->graph), step, 1);
  const char *element =
      name_unique(&file->names, arena_printf(file->arena, "%s_element_%d", name, index));
  c_put(&file->body,
        "\nstatic void %s(void *element, int64_t entry) {\n%s"
        "  *(%s *)element = %s(*(const %s *)element%s);\n}\n",
        element, step->tables ? "" : "  (void)entry;\n", rsh_dtype_ctype(step->to), function,
        rsh_dtype_ctype(step->from), step->tables ? ", (size_t)entry" : "");
  return element;
}

// The argument for a constant: its elements, or a DLTensor of them.
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

static const char *given_text(CKernel *k, const CodeNode *give, int64_t entry) {
  int parameters = k->signature->parameter.count;
  if (entry >= parameters)
    return put_constant(k, k->plan->tape->constant.item[entry - parameters]);
  if (entry < 0)
    return give->n == PARAMETER_SIZE ? "0" : "NULL";
  k->is_used[entry] = true;
  return k->parameter[entry];
}

// Writes "const void *const inputs[2] = {x, f_constant};". Returns its name; "NULL" for an empty list.
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
                        given_text(k, give, give->list[i]));
  const char *name = name_unique(&k->locals, give->text);
  c_line(k, "%s%s[%d] = {%s};", type[give->n], name, give->index, text);
  return name;
}

// A name of the runtime. Functions are declared once per file, constants by program_call.h.
static const char *runtime_text(CFile *file, const Datum *d) {
  static const char *const result[] = {
      [RUNTIME_RULE] = "rsh_status", [RUNTIME_FOLD] = "void", [RUNTIME_ELEMENT] = "rsh_status"};
  static const char *const given[] = {
      [RUNTIME_RULE] =
          "const struct rsh_call *call, struct rsh_shape *out, struct rsh_fault *fault",
      [RUNTIME_FOLD] = "struct rsh_fold_state *fold",
      [RUNTIME_ELEMENT] = "const struct rsh_step *step, void *element"};
  if (d->runtime == RUNTIME_CONSTANT)
    return arena_printf(file->arena, "&%s", d->name);
  if (!c_helper(file, d->name)) {
    c_helper_add(file, d->name, d->name);
    c_put(&file->helpers, "%s %s(%s);\n", result[d->runtime], d->name, given[d->runtime]);
  }
  return d->name;
}

// Writes "static const struct rsh_operator NAME_operators[2] = {...};". Returns its address.
static const char *put_table(CFile *file, const char *name, const Datum *table, const char *text) {
  const Datum *of = table->item.item[0];
  bool is_list = of->kind == DATUM_LIST;
  name = name_unique(&file->names, arena_printf(file->arena, "%s_%s", name, table->name));
  const char *bound = is_list ? arena_printf(file->arena, "[%d]", of->item.count) : "";
  c_put(&file->body, "\nstatic const struct %s %s%s = %s;\n",
        is_list ? of->item.item[0]->name : of->name, name, bound, text);
  return is_list ? name : arena_printf(file->arena, "&%s", name);
}

static const char *datum_text(CFile *file, const Plan *plan, const char *name, const Datum *d) {
  Arena *arena = file->arena;
  const char *text = "";
  for (int i = 0; i < d->item.count; i++) {
    bool is_row = d->item.item[i]->kind == DATUM_RECORD; // of a table
    const char *gap = is_row ? "\n    " : i ? " " : "";
    text = arena_printf(arena, "%s%s%s%s", text, i ? "," : "", d->kind == DATUM_TABLE ? "" : gap,
                        datum_text(file, plan, name, d->item.item[i]));
  }
  switch (d->kind) {
  case DATUM_INTEGER:
    return arena_printf(arena, d->bits == 64 ? "UINT64_C(0x%" PRIX64 ")" : "%" PRId64, d->number);
  case DATUM_NULL:
    return "NULL";
  case DATUM_RUNTIME:
    return runtime_text(file, d);
  case DATUM_ELEMENT:
    return put_element(file, plan, (int)d->number, name);
  case DATUM_TABLE:
    return put_table(file, name, d, text);
  case DATUM_RECORD:
  case DATUM_LIST:
    break;
  }
  return arena_printf(arena, "{%s}", text);
}

static void put_program_call(CKernel *k, const CFields *fields, int64_t shape_bytes) {
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
    put_program_call(k, fields, node->n);
}

static void put_function(CFile *file, const Plan *plan, const char *name, const char *tape,
                         bool is_shape) {
  const Datum *parts = datum_of_parts(file->arena, plan->tape, is_shape);
  CFields fields = {tape, datum_text(file, plan, name, parts), ""};
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
  if (!c_helper(file, "program")) {
    c_helper_add(file, "program", "rsh_program_call");
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++)
      c_put(&file->helpers, "%s", declarations[i]);
  }
  const char *tape = put_tape(file, plan, name);
  put_function(file, plan, shape, tape, true);
  put_function(file, plan, name, tape, false);
}
