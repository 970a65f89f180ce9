// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a dynamic graph, whose calls are code (codegen/code/code_dynamic.c): the tape is a constant, which
// they pass to the runtime.
//
//   int NAME(sizes, inputs, outputs, dims, plan) {
//     size[] = {...}, input[] = {..., constants}, ...
//     return rsh_program_run(NAME.tape, &{size, input, output, dims, ranks, NAME.parts, plan});
//   }
#include "codegen/code/datum.h"
#include "codegen/llvm/llvm_module.h"
#include "runtime/dlpack.h"

#include <string.h>

enum { FIELDS = 7 }; // fields of rsh_program_call

// A call of the runtime: the tape, and the fields built so far.
typedef struct ProgramFields {
  LLVMValueRef tape, parts, field[FIELDS];
  int count;
} ProgramFields;

static LLVMValueRef add_constant(Gen *g, LLVMValueRef value, const char *name) {
  LLVMValueRef data = b_data(g, value, name, 8);
  LLVMSetLinkage(data, LLVMInternalLinkage);
  LLVMSetUnnamedAddress(data, LLVMNoUnnamedAddr);
  return data;
}

// An element smaller than a byte is passed in a byte.
static LLVMTypeRef memory_type(Gen *g, rsh_dtype type) {
  int bits = plan_element_bits(type);
  return b_integer(g, bits < 8 ? 8 : bits);
}

// void NAME.element.K(void *element, int64_t entry): applies a step to an element in place.
static LLVMValueRef build_element(const Kernel *k, int index) {
  Gen *g = k->g;
  const rsh_step *step = &k->plan->tape->function.item[index];
  LLVMTypeRef given[2] = {g->ptr, g->i64};
  LLVMTypeRef type = LLVMFunctionType(g->none, given, 2, false);
  g->function =
      module_add_local(g, arena_printf(k->arena, "%s.element.%d", k->name, index), type, k->target);
  b_position(g, b_block(g, "entry"));
  LLVMValueRef at = LLVMGetParam(g->function, 0);
  LLVMValueRef value =
      b_load(g, memory_type(g, step->from), at, plan_element_align(step->from), "bits");
  value = b_as(g, b_integer(g, plan_element_bits(step->from)), value);
  LLVMValueRef entry = b_as(g, g->word, LLVMGetParam(g->function, 1));
  value = step_build(g, graph_of_program(k->plan->graph), step, value, entry, 1);
  value = b_as(g, memory_type(g, step->to), value);
  b_store(g, value, at, plan_element_align(step->to));
  LLVMBuildRetVoid(g->builder);
  return g->function;
}

// A DLTensor of a constant. Its shape is a constant, too.
static LLVMValueRef build_tensor(const Kernel *k, const Value *value, LLVMValueRef data) {
  Gen *g = k->g;
  LLVMValueRef dim[RSH_MAX_RANK];
  DLDataType type = {0};
  (void)rsh_dtype_to_dlpack(value->dtype, &type);
  for (int i = 0; i < value->shape.rank; i++)
    dim[i] = b_long(g, value->shape.dim[i].n);
  LLVMValueRef shape = LLVMConstArray2(g->i64, dim, (uint64_t)value->shape.rank);
  LLVMValueRef device[2] = {b_i32(g, kDLCPU), b_i32(g, 0)};
  LLVMValueRef dtype[3] = {b_const(g->i8, type.code), b_const(g->i8, type.bits),
                           b_const(b_integer(g, 16), type.lanes)};
  LLVMValueRef field[7] = {data,
                           LLVMConstStructInContext(g->context, device, 2, false),
                           b_i32(g, value->shape.rank),
                           LLVMConstStructInContext(g->context, dtype, 3, false),
                           b_data(g, shape, "shape", 8),
                           LLVMConstNull(g->ptr),
                           b_long(g, 0)};
  return b_data(g, LLVMConstStructInContext(g->context, field, 7, false), "tensor", 8);
}

static LLVMValueRef build_entry(const Kernel *k, const CodeNode *give, int64_t entry) {
  int parameters = k->signature->parameter.count;
  if (entry < 0)
    return LLVMConstNull(parameter_is_pointer((ParameterKind)give->n) ? k->g->ptr : k->g->i64);
  if (entry < parameters)
    return LLVMGetParam(k->g->function, (unsigned)entry);
  const Value *value = k->plan->tape->constant.item[entry - parameters];
  LLVMValueRef data = b_constant(k->g, k->arena, k->name, value);
  return graph_takes_tensors(k->plan->graph) ? build_tensor(k, value, data) : data;
}

// An array on the stack; NULL if it is empty.
static LLVMValueRef build_list(const Kernel *k, const CodeNode *give) {
  Gen *g = k->g;
  if (give->index == 0)
    return LLVMConstNull(g->ptr);
  LLVMValueRef *value = ARENA_ARRAY(k->arena, LLVMValueRef, give->index);
  for (int i = 0; i < give->index; i++)
    value[i] = build_entry(k, give, give->list[i]);
  LLVMTypeRef type = LLVMTypeOf(value[0]);
  LLVMValueRef list =
      LLVMBuildAlloca(g->builder, LLVMArrayType2(type, (uint64_t)give->index), "list");
  for (int i = 0; i < give->index; i++) {
    LLVMValueRef index = b_int(g, i);
    LLVMBuildStore(g->builder, value[i],
                   LLVMBuildInBoundsGEP2(g->builder, type, list, &index, 1, "slot"));
  }
  return list;
}

// A function of the runtime with `count` parameters, all pointers.
static LLVMValueRef runtime_function(Gen *g, const char *name, int count, LLVMTypeRef result) {
  LLVMTypeRef parameter[3] = {g->ptr, g->ptr, g->ptr};
  return module_function(g, name, LLVMFunctionType(result, parameter, (unsigned)count, false));
}

static LLVMValueRef build_runtime(Gen *g, const Datum *d) {
  static const int parameters[] = {[RUNTIME_RULE] = 3, [RUNTIME_FOLD] = 1, [RUNTIME_ELEMENT] = 2};
  if (d->runtime != RUNTIME_CONSTANT)
    return runtime_function(g, d->name, parameters[d->runtime],
                            d->runtime == RUNTIME_FOLD ? g->none : g->i32);
  LLVMValueRef constant = LLVMGetNamedGlobal(g->module, d->name);
  if (!constant) {
    constant = LLVMAddGlobal(g->module, g->ptr, d->name);
    LLVMSetGlobalConstant(constant, true);
  }
  return constant;
}

// `name`: that of the function; its tables are called NAME.operators and so on.
static LLVMValueRef build_datum(const Kernel *k, const char *name, const Datum *d) {
  Gen *g = k->g;
  LLVMValueRef *item = ARENA_ARRAY(k->arena, LLVMValueRef, d->item.count + 1);
  for (int i = 0; i < d->item.count; i++)
    item[i] = build_datum(k, name, d->item.item[i]);
  switch (d->kind) {
  case DATUM_INTEGER:
    return LLVMConstInt(b_integer(g, d->bits), (unsigned long long)d->number, true);
  case DATUM_NULL:
    return LLVMConstNull(g->ptr);
  case DATUM_RUNTIME:
    return build_runtime(g, d);
  case DATUM_ELEMENT:
    return build_element(k, (int)d->number);
  case DATUM_TABLE:
    return add_constant(g, item[0], arena_printf(k->arena, "%s.%s", name, d->name));
  case DATUM_RECORD:
    return LLVMConstStructInContext(g->context, item, (unsigned)d->item.count, false);
  case DATUM_LIST:
    break;
  }
  return LLVMConstArray2(LLVMTypeOf(item[0]), item, (uint64_t)d->item.count);
}

static void build_call(const Kernel *k, ProgramFields *f, int64_t shape_bytes) {
  Gen *g = k->g;
  LLVMTypeRef field[FIELDS] = {g->ptr, g->ptr, g->ptr, g->ptr, g->ptr, g->ptr, g->ptr};
  LLVMValueRef memory = shape_bytes == 0 ? kernel_parameter(k, PARAMETER_PLAN, 0) : NULL;
  if (!memory) { // the runtime's working memory is always on the stack
    memory = LLVMBuildAlloca(g->builder, LLVMArrayType2(g->i8, (uint64_t)shape_bytes), "memory");
    LLVMSetAlignment(memory, 8);
  }
  f->field[f->count++] = f->parts;
  f->field[f->count++] = memory;
  LLVMTypeRef call = LLVMStructTypeInContext(g->context, field, FIELDS, false);
  LLVMValueRef argument = LLVMBuildAlloca(g->builder, call, "call");
  for (unsigned i = 0; i < FIELDS; i++)
    LLVMBuildStore(g->builder, f->field[i],
                   LLVMBuildStructGEP2(g->builder, call, argument, i, "field"));
  LLVMValueRef run =
      runtime_function(g, shape_bytes > 0 ? "rsh_program_shape" : "rsh_program_run", 2, g->i32);
  LLVMValueRef arguments[2] = {f->tape, argument};
  LLVMBuildRet(g->builder, b_call(g, run, arguments, 2, "status"));
}

static void build_program(Kernel *k, ProgramFields *fields, const CodeNode *node) {
  if (node->op == CODE_GIVE)
    fields->field[fields->count++] = build_list(k, node);
  else
    build_call(k, fields, node->n);
}

static void program_function(Kernel *k, LLVMValueRef tape, const char *name, bool is_shape) {
  const Datum *parts = datum_of_parts(k->arena, k->plan->tape, is_shape);
  ProgramFields fields = {.tape = tape, .parts = build_datum(k, name, parts)};
  const Signature *s = is_shape ? &k->plan->shape_signature : &k->plan->signature;
  kernel_begin(k, module_declare(k, s, module_result_type(k->g, s), NULL, name), s);
  kernel_build_code(k, code_dynamic(k->arena, k->plan, is_shape),
                    (CodeLeaves){.fields = &fields, .program = build_program});
}

void dynamic_build(const Kernel *module, const Plan *plan, const char *name,
                   const char *shape_name) {
  Kernel k = *module;
  k.plan = plan;
  k.name = name;
  k.g->index = k.g->word;
  k.g->span = plan->graph->span;
  LLVMValueRef word = b_numbers(k.arena, k.g->i64, plan->tape->word.item, plan->tape->word.count);
  LLVMValueRef tape = add_constant(k.g, word, arena_printf(k.arena, "%s.tape", name));
  program_function(&k, tape, shape_name, true);
  program_function(&k, tape, name, false);
}
