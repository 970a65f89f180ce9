// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of functions, and the constant data of an object.
#include "codegen/llvm/llvm_module.h"

LLVMValueRef kernel_parameter(const Kernel *k, ParameterKind kind, int index) {
  return LLVMGetParam(k->g->function, (unsigned)signature_find(k->signature, kind, index));
}

LLVMValueRef b_data(Gen *g, LLVMValueRef value, const char *name, uint32_t align) {
  LLVMValueRef data = LLVMAddGlobal(g->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(data, value);
  LLVMSetLinkage(data, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(data, true);
  LLVMSetUnnamedAddress(data, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(data, align);
  return data;
}

LLVMValueRef b_shared_data(Gen *g, LLVMValueRef value, const char *name, uint32_t align) {
  for (LLVMValueRef v = LLVMGetFirstGlobal(g->module); v; v = LLVMGetNextGlobal(v))
    if (LLVMGetInitializer(v) == value && LLVMGetLinkage(v) == LLVMPrivateLinkage &&
        LLVMGetAlignment(v) >= align)
      return v;
  return b_data(g, value, name, align);
}

LLVMValueRef b_numbers(Arena *arena, LLVMTypeRef type, const int64_t *number, int64_t count) {
  LLVMValueRef *item = ARENA_ARRAY(arena, LLVMValueRef, count);
  for (int64_t i = 0; i < count; i++)
    item[i] = LLVMConstInt(type, (unsigned long long)number[i], number[i] < 0);
  return LLVMConstArray2(type, item, (uint64_t)count);
}

// Converts little-endian elements to the byte order of the target.
const uint8_t *b_target_bytes(Gen *g, Arena *arena, const uint8_t *data, size_t size,
                              rsh_dtype dtype) {
  size_t width = plan_element_align(dtype); // for pairs, the bytes of one number
  if (LLVMGetDataLayoutStr(g->module)[0] != 'E' || width == 1)
    return data;
  uint8_t *swapped = arena_alloc(arena, size);
  for (size_t i = 0; i < size; i++)
    swapped[i] = data[i / width * width + (width - 1 - i % width)];
  return swapped;
}

LLVMValueRef b_constant(Gen *g, Arena *arena, const char *of, const Value *value) {
  const char *name = arena_printf(arena, "%s.constant.%d", of, value->id);
  LLVMValueRef made = LLVMGetNamedGlobal(g->module, name);
  if (made)
    return made;
  size_t size = (size_t)plan_value_bytes(value);
  const uint8_t *data = b_target_bytes(g, arena, value->data, size, value->dtype);
  LLVMValueRef bytes = LLVMConstStringInContext2(g->context, (const char *)data, size, true);
  return b_data(g, bytes, name, plan_element_align(value->dtype));
}
