// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where LLVM 19 and later versions differ.
#ifndef CODEGEN_LLVM_VERSION_H
#define CODEGEN_LLVM_VERSION_H

#include <llvm-c/Core.h>
#include <llvm-c/Orc.h>
#include <llvm/Config/llvm-config.h>

// A context for the JIT, and what shares its ownership.
static inline LLVMOrcThreadSafeContextRef new_shared_context(LLVMContextRef *context) {
#if LLVM_VERSION_MAJOR >= 21
  *context = LLVMContextCreate();
  return LLVMOrcCreateNewThreadSafeContextFromLLVMContext(*context);
#else
  LLVMOrcThreadSafeContextRef shared = LLVMOrcCreateNewThreadSafeContext();
  *context = LLVMOrcThreadSafeContextGetContext(shared);
  return shared;
#endif
}

#endif
