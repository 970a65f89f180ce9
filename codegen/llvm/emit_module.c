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

// Each function and each table of firmware has a section of its own, so that a linker drops those without users.
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

// Attributes of every function. Without "no-builtins" LLVM turns a copy loop into a call of memcpy.
void module_set_attributes(Gen *g, LLVMValueRef function, const Target *target) {
  const LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  size_t length;
  b_attribute(g, function, self, "nounwind", 0);
  b_attribute(g, function, self, "willreturn", 0);
  b_attribute(g, function, self, "nosync", 0);
  b_attribute(g, function, self, "nofree", 0);
  b_attribute(g, function, self, "norecurse", 0);
  set_text_attribute(g, function, "no-builtins", "");
  if (*target->cpu)
    set_text_attribute(g, function, "target-cpu", target->cpu);
  if (*target->features)
    set_text_attribute(g, function, "target-features", target->features);
  if (g->thrifty || target->level == 's' || target->level == 'z')
    b_attribute(g, function, self, "optsize", 0);
  if (target->level == 'z' || target->small)
    b_attribute(g, function, self, "minsize", 0);
  set_section(function, target, ".text.", LLVMGetValueName2(function, &length));
}

LLVMTypeRef *module_parameter_types(Gen *g, Arena *arena, const Signature *signature) {
  LLVMTypeRef *type = ARENA_ARRAY(arena, LLVMTypeRef, signature->parameter.count + 1);
  for (int i = 0; i < signature->parameter.count; i++)
    type[i] = parameter_is_pointer(signature->parameter.item[i].kind) ? g->ptr : g->i64;
  return type;
}
