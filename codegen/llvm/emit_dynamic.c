// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a dynamic graph: its tape is a constant, with which they call the runtime.
//
//   int NAME(sizes, inputs, outputs, dims, plan) {
//     size[] = {...}, input[] = {..., constants}, ...
//     return rsh_program_run(NAME.tape, &{size, input, output, dims, ranks, functions, count, plan});
//   }
#include "codegen/llvm/llvm_module.h"
#include "runtime/dlpack.h"
#include "runtime/program.h"

#include <string.h>

typedef struct Dynamic {
  Gen *g;
  Arena *arena;
  const Plan *plan;
  const Target *target;
  const char *name;
  LLVMValueRef tape, functions;
} Dynamic;

static LLVMValueRef add_constant(Gen *g, LLVMValueRef value, const char *name) {
  LLVMValueRef global = LLVMAddGlobal(g->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  LLVMSetAlignment(global, 8);
  return global;
}

static void build_tape(Dynamic *d) {
  int count = d->plan->tape->word.count;
  LLVMValueRef *word = ARENA_ARRAY(d->arena, LLVMValueRef, count);
  for (int i = 0; i < count; i++)
    word[i] = b_long(d->g, d->plan->tape->word.item[i]);
  d->tape = add_constant(d->g, LLVMConstArray2(d->g->i64, word, (uint64_t)count),
                         arena_printf(d->arena, "%s.tape", d->name));
}

static LLVMTypeRef int_type(Gen *g, int bits) {
  return LLVMIntTypeInContext(g->context, (unsigned)bits);
}

// An element of less than a byte is passed in a byte.
static LLVMTypeRef memory_type(Gen *g, rsh_dtype type) {
  int bits = plan_element_bits(type);
  return int_type(g, bits < 8 ? 8 : bits);
}

// void NAME.element.K(void *element, int64_t entry): takes an element through a step, in place.
static LLVMValueRef build_element(Dynamic *d, int index) {
  Gen *g = d->g;
  const rsh_step *step = &d->plan->tape->function.item[index];
  LLVMTypeRef given[2] = {g->ptr, g->i64};
  g->function =
      LLVMAddFunction(g->module, arena_printf(d->arena, "%s.element.%d", d->name, index),
                      LLVMFunctionType(LLVMVoidTypeInContext(g->context), given, 2, false));
  LLVMSetLinkage(g->function, LLVMInternalLinkage);
  module_set_attributes(g, g->function, d->target);
  b_position(g, b_block(g, "entry"));
  LLVMValueRef at = LLVMGetParam(g->function, 0);
  LLVMValueRef value =
      b_load(g, memory_type(g, step->from), at, plan_element_align(step->from), "bits");
  value = b_as(g, int_type(g, plan_element_bits(step->from)), value);
  LLVMValueRef entry = b_as(g, g->word, LLVMGetParam(g->function, 1));
  value = step_build(g, graph_of_program(d->plan->graph), step, value, entry, 1);
  value = b_as(g, memory_type(g, step->to), value);
  b_store(g, value, at, plan_element_align(step->to));
  LLVMBuildRetVoid(g->builder);
  return g->function;
}

// An array of rsh_element_function: { op, dtype, { constants }, tables, function }.
static void build_functions(Dynamic *d) {
  Gen *g = d->g;
  int count = d->plan->tape->function.count;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
  LLVMTypeRef field[5] = {i32, i32, LLVMArrayType2(g->i64, RSH_CONSTANTS), g->i64, g->ptr};
  LLVMTypeRef type = LLVMStructTypeInContext(g->context, field, 5, false);
  d->functions = LLVMConstNull(g->ptr);
  if (count == 0)
    return;
  LLVMValueRef *function = ARENA_ARRAY(d->arena, LLVMValueRef, count);
  for (int i = 0; i < count; i++) {
    const rsh_step *of = &d->plan->tape->function.item[i];
    LLVMValueRef constant[RSH_CONSTANTS];
    for (int k = 0; k < RSH_CONSTANTS; k++)
      constant[k] = b_long(g, (int64_t)of->constant[k]);
    LLVMValueRef part[5] = {LLVMConstInt(i32, of->op, false), LLVMConstInt(i32, of->from, false),
                            LLVMConstArray2(g->i64, constant, RSH_CONSTANTS), b_long(g, of->tables),
                            build_element(d, i)};
    function[i] = LLVMConstNamedStruct(type, part, 5);
  }
  d->functions = add_constant(g, LLVMConstArray2(type, function, (uint64_t)count),
                              arena_printf(d->arena, "%s.functions", d->name));
}

// A DLTensor around a constant. Its shape is a constant, too.
static LLVMValueRef build_tensor(Dynamic *d, const Value *value, LLVMValueRef data) {
  Gen *g = d->g;
  LLVMContextRef context = g->context;
  LLVMTypeRef i16 = LLVMInt16TypeInContext(context), i32 = LLVMInt32TypeInContext(context);
  LLVMValueRef dim[RSH_MAX_RANK];
  DLDataType type = {0};
  (void)rsh_dtype_to_dlpack(value->dtype, &type);
  for (int i = 0; i < value->shape.rank; i++)
    dim[i] = b_long(g, value->shape.dim[i].n);
  LLVMValueRef shape = LLVMConstArray2(g->i64, dim, (uint64_t)value->shape.rank);
  LLVMValueRef device[2] = {LLVMConstInt(i32, kDLCPU, false), LLVMConstInt(i32, 0, false)};
  LLVMValueRef dtype[3] = {LLVMConstInt(g->i8, type.code, false),
                           LLVMConstInt(g->i8, type.bits, false),
                           LLVMConstInt(i16, type.lanes, false)};
  LLVMValueRef field[7] = {data,
                           LLVMConstStructInContext(context, device, 2, false),
                           LLVMConstInt(i32, (unsigned)value->shape.rank, false),
                           LLVMConstStructInContext(context, dtype, 3, false),
                           b_data(g, shape, "shape", 8),
                           LLVMConstNull(g->ptr),
                           b_long(g, 0)};
  return b_data(g, LLVMConstStructInContext(context, field, 7, false), "tensor", 8);
}

// What a call passes for a constant: its elements, or a DLTensor around them.
static LLVMValueRef build_constant(Dynamic *d, const Value *value) {
  LLVMValueRef data = b_constant(d->g, d->arena, d->name, value);
  return graph_takes_tensors(d->plan->graph) ? build_tensor(d, value, data) : data;
}

// The parameters of one kind, by index; zero for an index without a parameter. False: there is none at all.
static bool find_parameters(Dynamic *d, const Signature *s, ParameterKind kind, int count,
                            LLVMValueRef *value) {
  bool any = false;
  for (int i = 0; i < count; i++) {
    int place = signature_find(s, kind, i);
    any = any || place >= 0;
    value[i] = place >= 0 ? LLVMGetParam(d->g->function, (unsigned)place)
                          : LLVMConstNull(parameter_is_pointer(kind) ? d->g->ptr : d->g->i64);
  }
  return any;
}

static LLVMValueRef store_list(Dynamic *d, LLVMValueRef *value, int count) {
  Gen *g = d->g;
  LLVMTypeRef type = LLVMTypeOf(value[0]);
  LLVMValueRef list = LLVMBuildAlloca(g->builder, LLVMArrayType2(type, (uint64_t)count), "list");
  for (int i = 0; i < count; i++) {
    LLVMValueRef index = b_int(g, i);
    LLVMBuildStore(g->builder, value[i],
                   LLVMBuildInBoundsGEP2(g->builder, type, list, &index, 1, "slot"));
  }
  return list;
}

// The parameters of one kind as an array on the stack; NULL where there are none.
static LLVMValueRef build_list(Dynamic *d, const Signature *s, ParameterKind kind, int count) {
  LLVMValueRef *value = ARENA_ARRAY(d->arena, LLVMValueRef, count + 1);
  return find_parameters(d, s, kind, count, value) ? store_list(d, value, count)
                                                   : LLVMConstNull(d->g->ptr);
}

// The inputs of the graph, then its constants, as one array.
static LLVMValueRef build_inputs(Dynamic *d, const Signature *s) {
  const Tape *tape = d->plan->tape;
  int inputs = d->plan->graph->input_count, constants = tape->constant.count;
  LLVMValueRef *value = ARENA_ARRAY(d->arena, LLVMValueRef, inputs + constants + 1);
  bool any = find_parameters(d, s, PARAMETER_INPUT, inputs, value);
  for (int i = 0; i < constants; i++)
    value[inputs + i] = build_constant(d, tape->constant.item[i]);
  return any || constants > 0 ? store_list(d, value, inputs + constants) : LLVMConstNull(d->g->ptr);
}

// The memory that the runtime works in: the caller's plan, or of NAME_shape an array on the stack.
static LLVMValueRef build_memory(Dynamic *d, bool is_shape) {
  Gen *g = d->g;
  if (!is_shape) {
    int place = signature_find(&d->plan->signature, PARAMETER_PLAN, 0);
    return LLVMGetParam(g->function, (unsigned)place);
  }
  LLVMTypeRef type = LLVMArrayType2(g->i8, (uint64_t)d->plan->tape->shape_bytes);
  LLVMValueRef memory = LLVMBuildAlloca(g->builder, type, "memory");
  LLVMSetAlignment(memory, 8);
  return memory;
}

static LLVMValueRef runtime_function(Gen *g, const char *name, LLVMTypeRef *type) {
  LLVMTypeRef parameter[2] = {g->ptr, g->ptr};
  *type = LLVMFunctionType(LLVMInt32TypeInContext(g->context), parameter, 2, false);
  LLVMValueRef function = LLVMGetNamedFunction(g->module, name);
  return function ? function : LLVMAddFunction(g->module, name, *type);
}

static LLVMValueRef build_function(Dynamic *d, const Signature *s, const char *name,
                                   bool is_shape) {
  Gen *g = d->g;
  const Graph *graph = d->plan->graph;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
  LLVMTypeRef type = LLVMFunctionType(i32, module_parameter_types(g, d->arena, s),
                                      (unsigned)s->parameter.count, false);
  g->function = LLVMAddFunction(g->module, name, type);
  module_set_attributes(g, g->function, d->target);
  for (int i = 0; i < s->parameter.count; i++) {
    const char *text = parameter_name(d->arena, graph, s->parameter.item[i]);
    LLVMSetValueName2(LLVMGetParam(g->function, (unsigned)i), text, strlen(text));
  }
  b_position(g, b_block(g, "entry"));
  LLVMTypeRef field[8] = {g->ptr, g->ptr, g->ptr, g->ptr, g->ptr, g->ptr, i32, g->ptr};
  LLVMValueRef part[8] = {build_list(d, s, PARAMETER_SIZE, graph->symbol.count),
                          build_inputs(d, s),
                          build_list(d, s, PARAMETER_OUTPUT, graph->output_count),
                          build_list(d, s, PARAMETER_DIMS, graph->output_count),
                          build_list(d, s, PARAMETER_RANK, graph->output_count),
                          d->functions,
                          LLVMConstInt(i32, (unsigned)d->plan->tape->function.count, false),
                          build_memory(d, is_shape)};
  LLVMTypeRef call = LLVMStructTypeInContext(g->context, field, 8, false);
  LLVMValueRef argument = LLVMBuildAlloca(g->builder, call, "call");
  for (unsigned i = 0; i < 8; i++)
    LLVMBuildStore(g->builder, part[i],
                   LLVMBuildStructGEP2(g->builder, call, argument, i, "field"));
  LLVMTypeRef of;
  LLVMValueRef run = runtime_function(g, is_shape ? "rsh_program_shape" : "rsh_program_run", &of);
  LLVMValueRef arguments[2] = {d->tape, argument};
  LLVMBuildRet(g->builder, LLVMBuildCall2(g->builder, of, run, arguments, 2, "status"));
  return g->function;
}

LLVMValueRef dynamic_build(Gen *g, Arena *arena, const Plan *plan, const Target *target,
                           const char *name, const char *shape_name) {
  Dynamic d = {.g = g, .arena = arena, .plan = plan, .target = target, .name = name};
  g->index = g->word;
  g->span = plan->graph->span;
  build_tape(&d);
  build_functions(&d);
  build_function(&d, &plan->shape_signature, shape_name, true);
  return build_function(&d, &plan->signature, name, false);
}
