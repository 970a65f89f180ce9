// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes, sections and parameter types of the functions of a module.
#include "codegen/llvm/llvm_module.h"

#include <stdio.h>
#include <string.h>

static void set_text_attribute(Gen *g, LLVMValueRef function, const char *name, const char *value) {
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(g->context, name, (unsigned)strlen(name), value,
                                                    (unsigned)strlen(value)));
}

// In firmware, each function and each table has its own section, so that the linker can drop unused ones.
static void set_section(LLVMValueRef what, const Target *target, const char *prefix,
                        const char *name) {
  char section[256];
  if (target->sections &&
      snprintf(section, sizeof section, "%s%s", prefix, name) < (int)sizeof section)
    LLVMSetSection(what, section);
}

void module_set_sections(LLVMModuleRef module, const Target *target) {
  size_t length;
  for (LLVMValueRef data = LLVMGetFirstGlobal(module); data; data = LLVMGetNextGlobal(data))
    set_section(data, target, ".rodata.", LLVMGetValueName2(data, &length));
}

void module_identify(LLVMModuleRef module, const char *text) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef string = LLVMMDStringInContext2(context, text, strlen(text)),
                  node = LLVMMDNodeInContext2(context, &string, 1);
  LLVMAddNamedMetadataOperand(module, "llvm.ident", LLVMMetadataAsValue(context, node));
}

// Attributes of every function. Without "no-builtins" LLVM turns copy loops into calls of memcpy.
// C passes and returns an int in a whole register, sign-extended, on machines whose registers have 64 bits, such as
// RV64 and s390x. LLVM extends one only if it is marked.
static void extend_ints(Gen *g, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned count = LLVMCountParams(function);
  if (LLVMGetReturnType(type) == g->i32)
    b_attribute(g, function, LLVMAttributeReturnIndex, "signext", 0);
  for (unsigned i = 0; i < count; i++)
    if (LLVMTypeOf(LLVMGetParam(function, i)) == g->i32)
      b_attribute(g, function, i + 1, "signext", 0);
}

void module_set_attributes(Gen *g, LLVMValueRef function, const Target *target) {
  size_t length;
  b_mark(g, function, "nounwind");
  b_mark(g, function, "willreturn");
  b_mark(g, function, "nosync");
  b_mark(g, function, "nofree");
  b_mark(g, function, "norecurse");
  set_text_attribute(g, function, "no-builtins", "");
  if (*target->cpu)
    set_text_attribute(g, function, "target-cpu", target->cpu);
  if (*target->features)
    set_text_attribute(g, function, "target-features", target->features);
  if (g->optimizes_size || target->level == 's' || target->level == 'z')
    b_mark(g, function, "optsize");
  if (target->level == 'z' || target->small)
    b_mark(g, function, "minsize");
  if (LLVMGetLinkage(function) == LLVMExternalLinkage)
    extend_ints(g, function);
  set_section(function, target, ".text.", LLVMGetValueName2(function, &length));
}

LLVMValueRef module_add_local(Gen *g, const char *name, LLVMTypeRef type, const Target *target) {
  LLVMValueRef function = LLVMAddFunction(g->module, name, type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  module_set_attributes(g, function, target);
  return function;
}

LLVMTypeRef *module_parameter_types(Gen *g, Arena *arena, const Signature *signature) {
  LLVMTypeRef *type = ARENA_ARRAY(arena, LLVMTypeRef, signature->parameter.count + 1);
  for (int i = 0; i < signature->parameter.count; i++) {
    Parameter p = signature->parameter.item[i];
    type[i] = parameter_is_pointer(p.kind) ? g->ptr : parameter_is_task(p) ? g->i32 : g->i64;
  }
  return type;
}

// Pointers of tensors without elements may be NULL, and an output that is an alias or computed in place may overlap the
// input, so they get no further attributes.
void module_set_pointer(Gen *g, LLVMValueRef function, int index, uint32_t align, bool is_read,
                        bool is_written, bool is_alone) {
  const LLVMAttributeIndex at = (LLVMAttributeIndex)index + 1;
  if (align > 0)
    b_attribute(g, function, at, "align", align);
  if (!is_read || !is_written)
    b_attribute(g, function, at, is_read ? "readonly" : "writeonly", 0);
  if (is_alone)
    b_attribute(g, function, at, "noalias", 0);
}

static bool is_overwritten(const Plan *plan, const Value *input) {
  for (int i = 0; i < plan->output_count; i++)
    if (plan->output[i].in_place == input)
      return true;
  return false;
}

// A parameter keeps the name of its value.
static void set_parameter(const Kernel *k, LLVMValueRef function, Parameter p, int place) {
  Gen *g = k->g;
  const Plan *plan = k->plan;
  const Graph *graph = plan->graph;
  const char *name = parameter_name(k->arena, graph, p);
  LLVMSetValueName2(LLVMGetParam(function, (unsigned)place), name, strlen(name));
  if (plan->tape)
    return;
  if (p.kind == PARAMETER_INPUT) {
    const Value *input = graph->value.item[p.index];
    module_set_pointer(g, function, place, plan_input_align(input), true, false,
                       !is_overwritten(plan, input));
  } else if (p.kind == PARAMETER_OUTPUT) {
    const OutputPlan *output = &plan->output[p.index];
    module_set_pointer(g, function, place, plan_output_align(output->output),
                       plan_reads_output(plan, p.index), true,
                       output->tier != TIER_ALIAS && !output->in_place);
  } else if (p.kind == PARAMETER_SCRATCH) {
    module_set_pointer(g, function, place, plan->scratch_align, true, true, true);
  }
}

void module_name_parameters(LLVMValueRef function, unsigned first, LLVMValueRef of,
                            unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetParam(of, i), &length);
    LLVMSetValueName2(LLVMGetParam(function, first + i), name, length);
  }
}

LLVMTypeRef module_result_type(Gen *g, const Signature *signature) {
  return signature->returns_status ? g->i32 : g->none;
}

LLVMValueRef module_declare(const Kernel *k, const Signature *signature, LLVMTypeRef result,
                            LLVMTypeRef last, const char *name) {
  LLVMTypeRef *type = module_parameter_types(k->g, k->arena, signature);
  unsigned count = (unsigned)signature->parameter.count;
  type[count] = last;
  LLVMTypeRef of = LLVMFunctionType(result, type, count + (last != NULL), false);
  LLVMValueRef function = LLVMAddFunction(k->g->module, name, of);
  for (int i = 0; i < signature->parameter.count; i++)
    set_parameter(k, function, signature->parameter.item[i], i);
  module_set_attributes(k->g, function, k->g->target);
  return function;
}

LLVMValueRef module_function(Gen *g, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(g->module, name);
  if (!function) {
    function = LLVMAddFunction(g->module, name, type);
    extend_ints(g, function);
  }
  return function;
}
