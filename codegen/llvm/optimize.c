// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's passes over a module: first passes for all functions, then passes that unroll and vectorize loops, which skip
// functions whose loops are already vectorized. The module is verified before and after.
#include "codegen/llvm/llvm_module.h"
#include "frontend/text/rescue.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

// The only error is that a name of the list cannot be read. Each version of LLVM that is supported has these passes,
// but matches their names with regular expressions, and without memory for one, it says that the name is unknown.
static void run_passes(LLVMModuleRef module, const Target *target, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetSLPVectorization(options, true);
  LLVMErrorRef error = LLVMRunPasses(module, passes, target->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return;
  LLVMConsumeError(error);
  out_of_memory();
}

static const char finished[] = "finished";
static const LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

static unsigned kind_of(const char *attribute) {
  return LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
}

// Whether the callee is defined in this module and may be inlined.
static bool may_inline(LLVMValueRef call) {
  LLVMValueRef of =
      LLVMIsAFunction(LLVMGetCalledValue(call)); // else assembly, or a selected version
  return of && !LLVMIsDeclaration(of) &&
         !LLVMGetEnumAttributeAtIndex(of, self, kind_of("noinline"));
}

typedef struct Contents {
  bool calls, moves; // calls functions that may be inlined; moves memory
} Contents;

static void look_into(LLVMBasicBlockRef block, Contents *contents) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    contents->calls = contents->calls || (LLVMIsACallInst(i) && may_inline(i));
    contents->moves = contents->moves || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
  }
}

// Whether there is nothing to unroll or to vectorize: all loops are marked (b_leave_loop), or there are none, and the
// function only checks its arguments and calls other functions. Each emitted loop begins with a phi for its induction
// variable; other phis only add to the count of loops, so an unmarked loop is never missed.
static bool is_finished(LLVMValueRef function, unsigned loop) {
  int begun = 0, left = 0;
  Contents contents = {0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    look_into(block, &contents);
    begun += LLVMIsAPHINode(LLVMGetFirstInstruction(block)) != NULL;
    left += LLVMGetMetadata(LLVMGetBasicBlockTerminator(block), loop) != NULL;
  }
  return !contents.calls && begun == left && (left > 0 || !contents.moves);
}

// The mark is an attribute, since inlining may remove functions.
static void mark_finished(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  unsigned length = sizeof finished - 1, loop = LLVMGetMDKindIDInContext(context, "llvm.loop", 9);
  LLVMAttributeRef mark = LLVMCreateStringAttribute(context, finished, length, "", 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && is_finished(f, loop))
      LLVMAddAttributeAtIndex(f, self, mark);
}

// Passes skip functions with "optnone". False: all functions have it.
static bool skip_finished(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMAttributeRef skip = LLVMCreateEnumAttribute(context, kind_of("optnone"), 0);
  bool has_others = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetStringAttributeAtIndex(f, self, finished, sizeof finished - 1))
      LLVMAddAttributeAtIndex(f, self, skip);
    else
      has_others = has_others || !LLVMIsDeclaration(f);
  return has_others;
}

static void clear_marks(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMRemoveStringAttributeAtIndex(f, self, finished, sizeof finished - 1);
    LLVMRemoveEnumAttributeAtIndex(f, self, kind_of("optnone"));
  }
}

static void optimize(LLVMModuleRef module, const Target *target) {
  if (!target->loop_passes) {
    run_passes(module, target, target->passes);
    return;
  }
  mark_finished(module);
  run_passes(module, target, target->passes);
  if (skip_finished(module))
    run_passes(module, target, target->loop_passes);
  clear_marks(module);
}

bool module_optimize(LLVMModuleRef module, const Target *target, Diag *diag) {
  if (!module_verify(module, "before optimizing", diag))
    return false;
  optimize(module, target);
  return module_verify(module, "after optimizing", diag);
}
